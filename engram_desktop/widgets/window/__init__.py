"""The window around the pages: bars, sidebar, messages, and what opens the dialogs."""
