"""memory.db of one chat: messages, events, entities, relations, logs."""
