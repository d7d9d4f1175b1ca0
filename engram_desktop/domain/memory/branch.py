"""A branch: a line of messages that shares its beginning with the one it was forked from."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """``fork_seq`` is the last floor it shares with its parent; None for the main branch.

    ``source`` names the file it was imported from; ``messages`` counts the shared ones too.
    """

    id: str
    parent_id: str | None
    fork_seq: int | None
    name: str
    source: str = ""
    messages: int = 0
    events: int = 0


@dataclass(frozen=True, slots=True)
class BranchComparison:
    """Keys of events that only one of two branches sees, and of those both do, in story order."""

    only_first: tuple[int, ...]
    only_second: tuple[int, ...]
    shared: tuple[int, ...]
