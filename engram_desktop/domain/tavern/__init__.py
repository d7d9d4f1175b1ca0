"""The contents of a SillyTavern folder, and the memories of other tools."""
