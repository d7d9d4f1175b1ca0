"""Readers and writers of other programs' files. No database here."""
