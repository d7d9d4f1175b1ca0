"""The panel that is typed into, over the page: search, commands, places."""
