"""A job context that a test can cancel."""

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
