"""The view of a chat: rows of any height, of which only those on the screen are laid out."""
