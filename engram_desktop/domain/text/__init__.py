"""Texts: tokens, sentences, patterns, and the processing of messages."""
