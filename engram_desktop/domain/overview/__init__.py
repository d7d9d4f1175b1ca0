"""A chat as a whole: its story, its cast, how far its memory is, and what is to be done next."""
