"""Hear an answer while it arrives: whole characters, text apart from what is only thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from engram_desktop.llm.client.incoming import cleaned

DeltaKind = Literal["text", "thought"]
# Called on the thread of the request with each piece that arrives.
OnDelta = Callable[[DeltaKind, str], object]


class Hearing:
    """Hands pieces on; half of an emoji waits for the other half."""

    def __init__(self, on_delta: OnDelta) -> None:
        self._on_delta = on_delta
        self._held: dict[DeltaKind, str] = {"text": "", "thought": ""}
        self.is_begun = False

    def hear(self, kind: DeltaKind, piece: str) -> None:
        """Take a piece as it came."""
        if not piece:
            return
        self.is_begun = True
        piece = self._held[kind] + piece
        cut = len(piece) - ("\ud800" <= piece[-1] <= "\udbff")
        self._held[kind] = piece[cut:]
        self._tell(kind, piece[:cut])

    def end(self) -> None:
        """Hand on what still waits."""
        kinds: tuple[DeltaKind, ...] = ("thought", "text")
        for kind in kinds:
            held, self._held[kind] = self._held[kind], ""
            self._tell(kind, held)

    def _tell(self, kind: DeltaKind, piece: str) -> None:
        if piece:
            self._on_delta(kind, cleaned(piece))
