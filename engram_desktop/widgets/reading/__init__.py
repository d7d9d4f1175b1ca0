"""The page on which a chat is read in its original text, with the memories of it beside it."""
