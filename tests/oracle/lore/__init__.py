"""World info: generated worldbooks and chats; what the real one fires of them, and ours."""
