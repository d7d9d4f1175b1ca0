"""Clients for chat, embedding and rerank models, the local embedder, and keys.

The only network access.
"""
