"""A companion inside a SillyTavern: its chats kept, its questions answered, itself installed."""
