"""Playing a chat: turns, replies as they stream, and what they leave behind."""
