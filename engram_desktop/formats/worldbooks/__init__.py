"""World book files: SillyTavern's and those of other programs."""
