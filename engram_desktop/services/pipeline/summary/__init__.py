"""Stage 1: blocks of messages, the request about each, and the events of its answer."""
