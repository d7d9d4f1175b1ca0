"""Where a request stands among the lines of a library."""
