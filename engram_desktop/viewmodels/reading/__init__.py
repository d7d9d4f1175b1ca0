"""Viewmodels of the page with a chat's text: messages, search, marks, and selections."""
