"""A memory another tool left behind, and what taking such memories over did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engram_desktop.domain.changes import Changes


@dataclass(frozen=True, slots=True)
class Adopted:
    """``tool`` wrote ``text`` about floors ``first`` to ``last``. ``level`` 1 is an outline."""

    tool: str
    text: str
    first: int
    last: int
    level: int = 0
    keywords: tuple[str, ...] = ()
    when: str = ""
    where: str = ""
    who: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """``found`` memories by tool; ``added`` ones were not here before."""

    found: dict[str, int] = field(default_factory=dict)
    added: int = 0
    skipped: int = 0
    changes: Changes = field(default_factory=Changes)


def by_tool(found: Sequence[Adopted]) -> dict[str, int]:
    """Count memories by the tool that left them."""
    return dict(Counter(one.tool for one in found))
