"""Fields to type or choose in, and the store of their unsaved text."""
