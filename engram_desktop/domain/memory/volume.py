"""A volume (记忆册): the memories of one chat, extracted so that other chats can read them.

It stands alone: its events keep the floors of their chat, and who knows each of them.
`formats.volume_file` writes and reads it as a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from engram_desktop.domain.graph.entity import EntityType, norm_name
from engram_desktop.domain.memory.event import Confidence, Extractor, Status
from engram_desktop.domain.memory.extraction import EventKind, ExtractedEntity
from engram_desktop.domain.values import dataclass

VolumeKind = Literal["outlines", "events", "people", "relations", "threads", "state"]
VOLUME_KINDS: tuple[VolumeKind, ...] = get_args(VolumeKind)
EVERYONE = "*"  # in ``known_by``: public
FactOrigin = Literal["relation", "thread", "state"]

# Limits of one volume, which bound what a file can make the program read. Not measured; a chat of
# 100,000 floors has some 10,000 events.
MAX_EVENTS = 100_000  # events and outlines
MAX_ENTITIES = 20_000  # persons, places and things with a page
MAX_FACTS = 50_000  # relations, threads and values of the state together
MAX_PERSONS = 2_000  # who may know something
MAX_TITLE = 120  # characters
MAX_TEXT = 20_000  # characters of a summary, a description, a fact


@dataclass(frozen=True, slots=True)
class VolumePerson:
    """A person who knows some of the story, with all names."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def norms(self) -> frozenset[str]:
        return frozenset(map(norm_name, (self.name, *self.aliases)))


@dataclass(frozen=True, slots=True)
class VolumeEvent:
    """An event, or an outline (``level`` 1 or more). ``known_by`` are names of persons."""

    id: str
    summary: str
    known_by: tuple[str, ...]
    first: int
    last: int
    level: int = 0
    parent_id: str | None = None
    status: Status = "archived"
    kind: EventKind = "event"
    time: str = ""
    place: str = ""
    details: str = ""
    keywords: tuple[str, ...] = ()
    names: tuple[ExtractedEntity, ...] = ()
    significance: float = 0.5
    extractor: Extractor = "manual"
    confidence: Confidence = "model"


@dataclass(frozen=True, slots=True)
class VolumeEntity:
    """A person, place or thing. ``known_by`` are those who know everything on its page."""

    id: str
    name: str
    type: EntityType
    known_by: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class VolumeFact:
    """A sentence that holds at the end of the volume: a relation, an open promise, a value."""

    origin: FactOrigin
    text: str
    known_by: tuple[str, ...]
    floor: int = 0


@dataclass(frozen=True, slots=True)
class Volume:
    """``made_at`` is in milliseconds; ``source`` is the name of the original chat."""

    id: str
    title: str
    source: str
    made_at: int
    persons: tuple[VolumePerson, ...] = ()
    events: tuple[VolumeEvent, ...] = ()
    entities: tuple[VolumeEntity, ...] = ()
    facts: tuple[VolumeFact, ...] = ()

    def counts(self) -> dict[VolumeKind, int]:
        """Return the number of items of each kind."""
        of_facts = Counter(fact.origin for fact in self.facts)
        outlines = sum(1 for event in self.events if event.level)
        return {
            "outlines": outlines,
            "events": len(self.events) - outlines,
            "people": len(self.entities),
            "relations": of_facts["relation"],
            "threads": of_facts["thread"],
            "state": of_facts["state"],
        }

    def only(self, kinds: Iterable[VolumeKind]) -> Volume:
        """Return the part of these kinds. Without outlines, events have no parent."""
        chosen = set(kinds)
        wanted = {"relations": "relation", "threads": "thread", "state": "state"}
        origins = {wanted[kind] for kind in chosen if kind in wanted}
        events = [e for e in self.events if ("outlines" if e.level else "events") in chosen]
        if "outlines" not in chosen:
            events = [replace(event, parent_id=None) for event in events]
        return replace(
            self,
            events=tuple(events),
            entities=self.entities if "people" in chosen else (),
            facts=tuple(fact for fact in self.facts if fact.origin in origins),
        )


@dataclass(frozen=True, slots=True)
class VolumeInfo:
    """Summary of a volume of the library, for a list.

    ``chat_id`` and ``branch_id`` are the line it was made from; "" if it came as a file. ``users``
    are ids of the chats that read it. ``is_missing``: it was deleted while a chat still has it
    attached.
    """

    id: str
    title: str
    source: str
    chat_id: str
    branch_id: str
    kinds: tuple[VolumeKind, ...]
    counts: Mapping[str, int]
    size: int
    made_at: int
    users: tuple[str, ...] = ()
    is_missing: bool = False


def matched_person(persons: Iterable[VolumePerson], norms: frozenset[str], name: str) -> str:
    """Return the person of a volume that a character of another chat is; "" for none.

    ``norms`` are all names of the character, ``name`` the current one. If several persons fit, it
    is the one whose own name is ``name``, or else none.
    """
    asked = norms | {norm_name(name)}
    fitting = [person for person in persons if person.norms & asked]
    if len(fitting) > 1:
        fitting = [person for person in fitting if norm_name(person.name) == norm_name(name)]
    return fitting[0].name if len(fitting) == 1 else ""
