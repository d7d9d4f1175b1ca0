"""Job contexts that a test can cancel."""

from __future__ import annotations

from collections.abc import Callable

from typing_extensions import override

from engram_desktop.jobs.context import CancelToken, NullContext


class TokenContext(NullContext):
    """As `NullContext`, but ``token.cancel()`` cancels it."""

    def __init__(self) -> None:
        self.token = CancelToken()

    @override
    def check(self) -> None:
        self.token.check()

    @override
    def on_cancel(self, close: Callable[[], object]) -> None:
        self.token.on_cancel(close)


class CancelledAt(TokenContext):
    """Is cancelled by its ``number``-th report of progress, as if by the Cancel button."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._left = number

    @override
    def report(self, done: int, total: int | None, label: str = "") -> None:
        self._left -= 1
        if not self._left:
            self.token.cancel()
        self.check()
