"""What a user does to events, and where a block of messages stands."""
