"""What is typed to go somewhere: the search over the library, commands, chats; and the keys."""
