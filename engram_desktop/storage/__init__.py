"""SQLite files, their undo journal, indexes and backups. ORM rows never leave this package."""
