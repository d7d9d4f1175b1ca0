from __future__ import annotations

import pytest

from engram_desktop.services.memory import Memory
from tests.factories import counting_clock


@pytest.fixture
def open_memory(tmp_path):
    """Open libraries that use no model but the deterministic embedder; all are closed."""
    opened = []

    def make(folder=None, environ=None, **settings):
        memory = Memory.open(
            folder or tmp_path / "资料库", clock=counting_clock(), environ=environ or {}
        )
        opened.append(memory)
        values = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}
        for key, value in (values | settings).items():
            memory.settings.set(key, value)
        return memory

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory):
    return open_memory()
