"""Chat, embedding and rerank clients, the local embedder, and keys. Only this reaches a network."""
