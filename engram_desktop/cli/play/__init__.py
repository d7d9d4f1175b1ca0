"""The verb that plays a chat."""
