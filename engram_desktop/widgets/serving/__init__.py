"""The page of the memory server: its switch, how to connect, and every request live."""
