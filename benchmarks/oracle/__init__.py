"""A real SillyTavern in a browser, asked what it does: `packaging/check-tavern` runs this."""
