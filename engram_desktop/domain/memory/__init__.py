"""What is remembered: messages, events, entities, private logs, and who may know them."""
