"""The page on which a chat is played, and its panels and dialogs."""
