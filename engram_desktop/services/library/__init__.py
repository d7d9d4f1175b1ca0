"""Session of a library, its settings, endpoints, token counts, backups, and atomic files."""
