"""What the library remembers for the memory server: corrections, and chats told by companions."""
