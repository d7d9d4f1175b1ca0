"""Open a library before there is a window, move it, and know which were open last."""
