"""The list of events, and one of them being edited."""
