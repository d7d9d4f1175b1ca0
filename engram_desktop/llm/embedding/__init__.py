"""Texts to vectors: by a server, by the built-in model, or by a plain hash."""
