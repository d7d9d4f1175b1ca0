"""Viewmodels of chats: import and export, kept folders, branches, the trash, and volumes."""
