"""Search over the whole library: chats, entities, events, messages, private logs, worldbooks."""
