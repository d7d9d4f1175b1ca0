"""How the dialogs of single pages are made."""
