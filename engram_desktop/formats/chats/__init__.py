"""Chat files of SillyTavern, of any year and however damaged."""
