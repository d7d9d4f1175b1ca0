"""Memories that somebody points at to ask, or to say, who knows them."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass

Ref = tuple[str, str]  # kind (turn, event, entity, log) and id


@dataclass(frozen=True, slots=True)
class AskedMemories:
    """``text`` says what they are; ``last`` is the floor on which the newest of them ended."""

    refs: tuple[Ref, ...]
    text: str
    last: int = 0
