"""How a command runs: progress on stderr, Ctrl+C as a polite cancel, results on stdout."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.jobs.context import CancelToken, Claim

T = TypeVar("T")
if sys.platform == "win32":  # Ctrl+C, and the signal that ends a service
    _ENDS = (signal.SIGINT, signal.SIGBREAK)
else:
    _ENDS = (signal.SIGINT, signal.SIGTERM)


class CliContext:
    """A `JobContext` for a terminal: writes are done where they are asked for.

    ``claim`` is entered around each unit of writing: it takes the lock of the library. With
    ``is_patient`` another program that holds it is waited for until the command is ended.
    """

    def __init__(self) -> None:
        self.claim: Claim = nullcontext
        self.is_patient = False
        self._told = ""
        self.token = CancelToken()
        self._is_shown = sys.stderr.isatty()

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self.token.check()
        if self._is_shown:
            of = f"/{total}" if total is not None else ""
            end = "\n" if done == total else ""
            print(f"\r{label} {done}{of}   ", end=end, file=sys.stderr, flush=True)

    def check(self) -> None:
        self.token.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self.token.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        while True:
            try:
                with self.claim():
                    self._told = ""
                    return unit()
            except LibraryBusy as busy:
                if not self.is_patient:
                    raise
                if str(busy.phrase) != self._told:
                    print(f"engram: waiting: {busy.phrase}", file=sys.stderr, flush=True)
                self._told = str(busy.phrase)
                self.check()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let Ctrl+C, and what ends a service, cancel this context while the block runs."""
        before = [signal.signal(end, lambda *_: self.token.cancel()) for end in _ENDS]
        try:
            yield
        finally:
            for end, handler in zip(_ENDS, before, strict=True):
                signal.signal(end, handler)


class Output:
    """Prints one JSON document or text, never both."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, value: Any, lines: Iterable[str]) -> None:
        """Print ``value`` as one JSON document, or ``lines`` for a reader."""
        if self.as_json:
            self.row(value)
            return
        for line in lines:
            print(line)

    def row(self, value: Any) -> None:
        """Print one line of JSON."""
        print(json.dumps(value, ensure_ascii=False), flush=True)
