"""What `memory.Memory` is put together from: its parts, by capability."""
