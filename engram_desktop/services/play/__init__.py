"""Playing a chat: turns, streamed replies, and what they change."""
