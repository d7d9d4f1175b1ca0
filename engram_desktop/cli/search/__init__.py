"""The verb that searches the whole library."""
