"""A memory of another tool, and the results of importing such memories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.extraction import EventKind, ExtractedEntity, ExtractedRelation
from engram_desktop.domain.values import dataclass

_BETWEEN = " · "
# What becomes of memories that are older than those present from the same place.
OnOlder = Literal["skip", "replace"]


@dataclass(frozen=True, slots=True)
class Adopted:
    """``text`` by ``tool`` about floors ``first`` to ``last``. ``level`` 1 is an outline.

    ``place`` is where it was: a file, a table, a part of a state. ``ref`` is its id in its tool.
    ``is_rolling``: at this place only the current memory is valid; earlier ones are removed.
    ``is_whole``: its tool lists all places at once, so that memories of unlisted places are removed
    too. ``is_note``: it belongs to one message, where only the current one is valid. ``is_handed``:
    it was read from a file given by the user, which may be an older copy.
    """

    tool: str
    text: str
    first: int
    last: int
    level: int = 0
    keywords: tuple[str, ...] = ()
    when: str = ""
    where: str = ""
    who: tuple[str, ...] = ()
    place: str = ""
    kind: EventKind = "event"
    weight: float = 0.5
    ref: str = ""
    is_rolling: bool = False
    is_whole: bool = False
    is_note: bool = False
    is_handed: bool = False
    entities: tuple[ExtractedEntity, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()

    @property
    def origin(self) -> str:
        """The origin recorded in an event made from it."""
        return _BETWEEN.join(filter(None, (self.tool, self.place)))


@dataclass(frozen=True, slots=True)
class AdoptPlan:
    """What importing would do: ``new`` memories, ``known`` ones, and ``outdated`` events.

    ``older`` ones reach less far than those imported from the same place, and are left out.
    """

    new: tuple[Adopted, ...] = ()
    known: tuple[Adopted, ...] = ()
    outdated: int = 0
    older: tuple[Adopted, ...] = ()


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """``found`` memories by tool; ``added`` are new; ``replaced`` were removed.

    ``older`` ones were left out, since those present from the same place are newer.
    """

    found: dict[str, int] = field(default_factory=dict)
    added: int = 0
    skipped: int = 0
    replaced: int = 0
    older: int = 0
    changes: Changes = field(default_factory=Changes)


def tool_of(origin: str) -> str:
    """Return the tool in an event's origin."""
    return origin.partition(_BETWEEN)[0]


def by_tool(memories: Sequence[Adopted]) -> dict[str, int]:
    """Count memories by tool."""
    return dict(Counter(one.tool for one in memories))
