"""library.db and the folder around it: settings, chats, characters, worldbooks, trash."""
