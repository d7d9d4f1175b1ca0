"""The database of one chat, memory.db: messages, events, entities, relations, logs."""
