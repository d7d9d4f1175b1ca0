"""JavaScript in a process of its own: regex scripts and EJS."""
