"""Who speaks in a chat: the cast, the cards of who speaks, the users of SillyTavern."""
