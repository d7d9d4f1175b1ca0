"""The window around the pages: bars, sidebar, messages, and the dialogs about all of it."""
