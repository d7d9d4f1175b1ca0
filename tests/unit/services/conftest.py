from __future__ import annotations

import pytest

from tests.factories import open_keyless
from tests.fake_openai import FakeOpenAI
from tests.tavern import make_tavern


@pytest.fixture
def open_memory(tmp_path):
    """Open libraries that use no model but the deterministic embedder; all are closed."""
    opened = []

    def make(folder=None, environ=None, **settings):
        opened.append(open_keyless(folder or tmp_path / "资料库", environ, settings))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory):
    return open_memory()


@pytest.fixture
def server(model):
    """A server that answers as ``model``, which the test file makes."""
    with FakeOpenAI(answer=model) as running:
        yield running


@pytest.fixture
def handle(tmp_path):
    """The user's folder in a new SillyTavern."""
    return make_tavern(tmp_path / "SillyTavern")
