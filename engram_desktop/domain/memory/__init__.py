"""What is remembered: messages, events and private logs, and who may know them."""
