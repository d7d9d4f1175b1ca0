"""Memory for other programs: the server, what goes through it, and how to connect."""
