"""The verb for character cards."""
