"""World info: generated books and chats, what the real one fires of them, and what ours does."""
