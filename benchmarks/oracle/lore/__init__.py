"""World info: generated worldbooks and chats."""
