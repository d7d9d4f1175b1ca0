"""A real SillyTavern in a browser, asked what it does: `packaging/check-tavern` runs this.

Cases are generated here, and what the real one answered is kept in `answers`, for the suite. Of
SillyTavern itself nothing is kept.
"""
