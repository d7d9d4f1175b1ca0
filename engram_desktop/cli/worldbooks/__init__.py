"""Verbs for worldbooks and the files kept in step with memory."""
