"""Texts: tokens, sentences, patterns and what becomes of a message on its way."""
