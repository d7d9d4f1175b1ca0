from __future__ import annotations

import pytest

from tests.factories import make_store


@pytest.fixture
def store(tmp_path):
    """The store of a new chat, without messages."""
    made = make_store(tmp_path)
    yield made
    made.close()
