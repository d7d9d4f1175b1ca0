"""A memory another tool left behind, and what taking such memories over did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.extraction import EventKind, ExtractedEntity, ExtractedRelation
from engram_desktop.domain.values import dataclass

_BETWEEN = " · "
# What becomes of memories that are older than what is here from the same place.
OnOlder = Literal["skip", "replace"]


@dataclass(frozen=True, slots=True)
class Adopted:
    """``tool`` wrote ``text`` about floors ``first`` to ``last``. ``level`` 1 is an outline.

    ``place`` says where it stood: a file, a table, a part of a state. ``ref`` is the id its tool
    gave it. ``is_rolling``: at this place only what is told now is true; what was told before goes.
    ``is_whole``: its tool tells all places at once, so that one it does not tell is gone, too.
    ``is_note``: it stands beside one message, and only what stands there now is true.
    ``is_handed``: it was read from a file that was handed over, which may be an older copy.
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
        """What an event made of it says of where it comes from."""
        return _BETWEEN.join(filter(None, (self.tool, self.place)))


@dataclass(frozen=True, slots=True)
class AdoptPlan:
    """What taking over would do: ``new`` memories, ``known`` ones, and ``outdated`` events.

    ``older`` ones tell less far than what was taken over from the same place: they are left out.
    """

    new: tuple[Adopted, ...] = ()
    known: tuple[Adopted, ...] = ()
    outdated: int = 0
    older: tuple[Adopted, ...] = ()


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """``found`` memories by tool; ``added`` ones were not here before; ``replaced`` ones went.

    ``older`` ones were left out: what is here from the same place is newer.
    """

    found: dict[str, int] = field(default_factory=dict)
    added: int = 0
    skipped: int = 0
    replaced: int = 0
    older: int = 0
    changes: Changes = field(default_factory=Changes)


def tool_of(origin: str) -> str:
    """The tool an event comes from, of what the event says of that."""
    return origin.partition(_BETWEEN)[0]


def by_tool(memories: Sequence[Adopted]) -> dict[str, int]:
    """Count memories by the tool that left them."""
    return dict(Counter(one.tool for one in memories))
