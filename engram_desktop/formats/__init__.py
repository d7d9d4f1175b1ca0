"""Other programs' files, read and written. No database here."""
