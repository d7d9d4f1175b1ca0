"""The page on which a chat is read as it was written, with what is remembered of it beside it."""
