"""Values and rules of serving: requests of front ends, their chats, memory, and what is kept."""
