"""Databases made, migrated, backed up, restored and kept private."""
