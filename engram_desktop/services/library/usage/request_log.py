"""The newest requests to models, held in memory until the program ends: nothing is stored."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from engram_desktop.domain.pipeline.model_call import ModelCall
from engram_desktop.domain.pipeline.usage import cost

if TYPE_CHECKING:
    from engram_desktop.llm.client.calls import CallRecord
    from engram_desktop.storage.library.library import Library

_HELD = 100  # requests: the last of a long run; some 20 MB where each fills a context
_MOST_TEXT = 200_000  # characters held of a request, and of an answer: a full context of a model


class RequestLog:
    """Safe from any thread; `add` never blocks a request."""

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._calls: deque[ModelCall] = deque(maxlen=_HELD)
        self._count = 0

    def add(self, task: str, call: CallRecord) -> None:
        settings, at = self._library().settings(), self._library().clock()
        with self._lock:
            self._count += 1
            self._calls.append(
                ModelCall(
                    self._count,
                    at,
                    task,
                    call.model,
                    call.host,
                    call.prompt_tokens,
                    call.completion_tokens,
                    call.elapsed_ms,
                    call.request[:_MOST_TEXT],
                    call.answer[:_MOST_TEXT],
                    call.error,
                    call.is_estimate,
                    cost(settings, call.prompt_tokens, call.completion_tokens),
                )
            )

    def newest(self) -> list[ModelCall]:
        """Return what is held, the newest first."""
        with self._lock:
            return list(reversed(self._calls))

    @property
    def count(self) -> int:
        """How many requests there were: whoever sees the same number need not look again."""
        return self._count
