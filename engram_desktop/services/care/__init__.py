"""Maintenance of a library: check, repair, export."""
