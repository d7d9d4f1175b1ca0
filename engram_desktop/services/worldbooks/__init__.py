"""World books: stored, held against a chat, and the book made of a chat's memory."""
