"""Events and private logs of a chat, and where other tools' were taken over from."""
