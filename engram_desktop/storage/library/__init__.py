"""library.db and the folder around it: settings, chats, characters, world books, trash."""
