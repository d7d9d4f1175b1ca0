"""Dialogs about chats: imports, branches, the trash."""
