"""Makers of fixtures that many test files need, each with an answer of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fake_openai import FakeOpenAI


def fake_llm(answer: Callable[[dict[str, Any]], str], **options: Any) -> Any:
    """Return a fixture: a server on this computer that answers as ``answer`` does.

    ``llm = fake_llm(answer)`` in a test file makes the fixture ``llm``.
    """

    @pytest.fixture
    def server():
        with FakeOpenAI(answer=answer, **options) as running:
            yield running

    return server
