"""Use cases over storage, llm and formats. No Qt, no globals; every write returns Changes."""
