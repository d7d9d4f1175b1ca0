"""JavaScript in a separate process: regex scripts and EJS."""
