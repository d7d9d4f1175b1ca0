"""PlotExtraction: a model's answer on one block of messages, and a tolerant parser.

The parser takes any JSON value and never raises: it returns everything usable, and every fault with
its path, so that one repair round can name all of them at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, TypeVar

from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityType, entity_type
from engram_desktop.domain.text import cleaning
from engram_desktop.domain.values import dataclass

# Limits of one answer: a looping or rambling model cannot flood the memory. All are several times
# what a block of 25 floors gives; not measured.
MAX_EVENTS = 24
MAX_ENTITIES = 40  # of one event; also names in one list
MAX_RELATIONS = 60  # of one event
MAX_SPANS = 80  # of one answer, for presence: a block has 25 floors
MAX_CLAIMS = 120  # of one answer: four or five per floor
MAX_KEYWORDS = 24  # of one event
MAX_NAME = 80  # characters of a name, a place, a time
MAX_SUMMARY = 4_000  # characters
MAX_TEXT = 8_000  # characters of details
MAX_FLOOR_DIGITS = 12  # of a floor: more than in any chat, and no number of 5,000 digits

EventKind = Literal["event", "fact"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an answer: its place (``events[1].summary``) and what is wrong."""

    path: str
    message: str

    @override
    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class ExtractedEntity:
    name: str
    type: EntityType = "unknown"
    also: tuple[str, ...] = ()  # its other names, if the text gives any


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class StructuredKv:
    """The structured half of an event (`structured_kv` of the notes)."""

    time_anchor: str = ""
    role: tuple[str, ...] = ()
    location: str = ""
    event: str = ""
    logic: tuple[str, ...] = ()
    causality: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "time_anchor": self.time_anchor,
            "role": list(self.role),
            "location": self.location,
            "event": self.event,
            "logic": list(self.logic),
            "causality": self.causality,
        }

    @classmethod
    def from_stored(cls, value: dict[str, Any]) -> StructuredKv:
        """Read the output of `to_json`. Raises KeyError, TypeError for anything else."""
        return cls(
            value["time_anchor"],
            tuple(value["role"]),
            value["location"],
            value["event"],
            tuple(value["logic"]),
            value["causality"],
        )

    @classmethod
    def from_json(cls, value: object) -> StructuredKv:
        """Read any value tolerantly."""
        return _Reader().structured_kv(value, "structured_kv")


@dataclass(frozen=True, slots=True)
class PlotExtraction:
    """One event in a model's answer. Strings and tuples are empty if it gave none."""

    summary: str
    keywords: tuple[str, ...] = ()
    timestamp: str = ""
    location: str = ""
    entities: tuple[ExtractedEntity, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()
    details: str = ""
    structured_kv: StructuredKv = field(default_factory=StructuredKv)
    significance_score: float = 0.5  # 0..1
    kind: EventKind = "event"
    witnesses: tuple[str, ...] | None = None  # who saw or heard it; None: not given

    def to_json(self) -> dict[str, Any]:
        witnesses = {} if self.witnesses is None else {"witnesses": list(self.witnesses)}
        return {
            "summary": self.summary,
            "keywords": list(self.keywords),
            "timestamp": self.timestamp,
            "location": self.location,
            "entities": [
                {"name": e.name, "type": e.type} | ({"also": list(e.also)} if e.also else {})
                for e in self.entities
            ],
            "relations": [
                {"subject": r.subject, "predicate": r.predicate, "object": r.object}
                for r in self.relations
            ],
            "details": self.details,
            "structured_kv": self.structured_kv.to_json(),
            "significance_score": self.significance_score,
            "kind": self.kind,
            **witnesses,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> PlotExtraction:
        """Read the output of `to_json`. Raises KeyError, TypeError for anything else."""
        return cls(
            value["summary"],
            tuple(value["keywords"]),
            value["timestamp"],
            value["location"],
            _entities_of(value["entities"]),
            _relations_of(value["relations"]),
            value["details"],
            StructuredKv.from_stored(value["structured_kv"]),
            value["significance_score"],
            "fact" if value.get("kind") == "fact" else "event",
            None if value.get("witnesses") is None else tuple(value["witnesses"]),
        )

    @classmethod
    def of_names(cls, entities: list[Any], relations: list[Any]) -> PlotExtraction:
        """Read only what is named in the output of `to_json`; raises as `from_json`."""
        return cls("", entities=_entities_of(entities), relations=_relations_of(relations))


def _entities_of(value: list[Any]) -> tuple[ExtractedEntity, ...]:
    return tuple(ExtractedEntity(e["name"], e["type"], tuple(e.get("also", ()))) for e in value)


def _relations_of(value: list[Any]) -> tuple[ExtractedRelation, ...]:
    return tuple(ExtractedRelation(r["subject"], r["predicate"], r["object"]) for r in value)


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed answer: usable events, and all faults.

    ``floors`` are those that each event gives, None if it gives no usable ones.
    """

    events: tuple[PlotExtraction, ...]
    faults: tuple[Fault, ...]
    floors: tuple[Span | None, ...] = ()


def parse_extraction(value: object) -> Parsed:
    """Read ``{"events": [...]}``, a bare list, or one bare event."""
    reader = _Reader()
    rows = tuple(reader.events(value))
    events = tuple(event for event, _floors in rows)
    return Parsed(events, tuple(reader.faults), tuple(floors for _event, floors in rows))


def floors_of(value: Mapping[Any, Any]) -> Span | None:
    """Read ``from`` and ``to`` of an answer as floors, both included; None if invalid."""
    first, last = _floor(value.get("from")), _floor(value.get("to"))
    first, last = last if first is None else first, first if last is None else last
    if first is None or last is None or first > last:
        return None
    return first, last


def _floor(value: object) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < MAX_FLOOR_DIGITS:
        value = int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**MAX_FLOOR_DIGITS:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < 10**MAX_FLOOR_DIGITS else None


def clean_text(value: str, limit: int) -> str:
    """Drop characters no text may hold (NUL, lone surrogates), and cut at ``limit`` characters."""
    value = value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return value.strip()[:limit]


class _Reader:
    """Collects faults while reading."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, path: str, message: str) -> None:
        if len(self.faults) < 100:
            self.faults.append(Fault(path, message))

    def events(self, value: object) -> Iterator[tuple[PlotExtraction, Span | None]]:
        match value:
            case {"events": list(rows)}:
                base = "events"
            case list(rows):
                base = "events"
            case {"summary": _}:
                rows, base = [value], "event"
            case dict():
                self.fault("events", "missing: the answer must be an object with a list “events”")
                return
            case _:
                self.fault("$", f"must be a JSON object, not {_kind(value)}")
                return
        if len(rows) > MAX_EVENTS:
            self.fault(base, f"{len(rows)} events are too many; at most {MAX_EVENTS} are kept")
        for number, row in enumerate(rows[:MAX_EVENTS]):
            event = self.event(row, f"{base}[{number}]")
            if event is not None:
                yield event, floors_of(row)

    def event(self, value: object, path: str) -> PlotExtraction | None:
        if not isinstance(value, dict):
            self.fault(path, f"must be an object, not {_kind(value)}")
            return None
        summary = self.text(value.get("summary"), f"{path}.summary", MAX_SUMMARY)
        if not summary:
            self.fault(f"{path}.summary", "must say what happened, and is empty")
            return None
        kv = self.structured_kv(value.get("structured_kv"), f"{path}.structured_kv")
        return PlotExtraction(
            summary=summary,
            keywords=self.strings(value.get("keywords"), f"{path}.keywords", MAX_KEYWORDS),
            timestamp=self.text(value.get("timestamp"), f"{path}.timestamp", MAX_NAME)
            or kv.time_anchor,
            location=self.text(value.get("location"), f"{path}.location", MAX_NAME) or kv.location,
            entities=self.rows(
                value.get("entities"), f"{path}.entities", MAX_ENTITIES, self.entity
            ),
            relations=self.rows(
                value.get("relations"), f"{path}.relations", MAX_RELATIONS, self.relation
            ),
            details=self.text(value.get("details"), f"{path}.details", MAX_TEXT),
            structured_kv=kv,
            significance_score=self.score(value, path),
            kind=self.kind(value.get("kind"), f"{path}.kind"),
            witnesses=self.witnesses(value.get("witnesses"), f"{path}.witnesses"),
        )

    def witnesses(self, value: object, path: str) -> tuple[str, ...] | None:
        return None if value is None else self.strings(value, path, MAX_ENTITIES)

    def kind(self, value: object, path: str) -> EventKind:
        if value not in (None, "", "event", "fact"):
            self.fault(path, "must be “event” or “fact”")
        return "fact" if value == "fact" else "event"

    def score(self, value: dict[Any, Any], path: str) -> float:
        raw = value.get("significance_score", value.get("significance"))
        if raw is None:
            return 0.5
        try:
            number = float(raw)
        except (TypeError, ValueError, OverflowError):
            self.fault(f"{path}.significance_score", "must be a number from 0 to 1")
            return 0.5
        if math.isnan(number):
            self.fault(f"{path}.significance_score", "must be a number from 0 to 1")
            return 0.5
        if 1.0 < number <= 10.0:  # models like scales of ten
            number /= 10.0
        return min(1.0, max(0.0, number))

    def structured_kv(self, value: object, path: str) -> StructuredKv:
        if value is None:
            return StructuredKv()
        if not isinstance(value, dict):
            self.fault(path, f"must be an object, not {_kind(value)}")
            return StructuredKv()
        return StructuredKv(
            time_anchor=self.text(value.get("time_anchor"), f"{path}.time_anchor", MAX_NAME),
            role=self.strings(value.get("role"), f"{path}.role", MAX_ENTITIES),
            location=self.text(value.get("location"), f"{path}.location", MAX_NAME),
            event=self.text(value.get("event"), f"{path}.event", MAX_SUMMARY),
            logic=self.strings(value.get("logic"), f"{path}.logic", MAX_KEYWORDS),
            causality=self.text(value.get("causality"), f"{path}.causality", MAX_SUMMARY),
        )

    def entity(self, value: object, path: str) -> ExtractedEntity | None:
        if isinstance(value, str):
            value = {"name": value}
        if not isinstance(value, dict):
            self.fault(path, f"must be an object, not {_kind(value)}")
            return None
        name = self.text(value.get("name"), f"{path}.name", MAX_NAME)
        if not name:
            self.fault(f"{path}.name", "is empty")
            return None
        return ExtractedEntity(name, entity_type(self.text(value.get("type"), f"{path}.type", 40)))

    def relation(self, value: object, path: str) -> ExtractedRelation | None:
        if not isinstance(value, dict):
            self.fault(path, f"must be an object, not {_kind(value)}")
            return None
        parts = [
            self.text(value.get(key), f"{path}.{key}", MAX_NAME)
            for key in ("subject", "predicate", "object")
        ]
        if not all(parts):
            self.fault(path, "needs subject, predicate and object")
            return None
        return ExtractedRelation(*parts)

    def rows(
        self, value: object, path: str, limit: int, read: Callable[[object, str], T | None]
    ) -> tuple[T, ...]:
        if value is None:
            return ()
        if not isinstance(value, list):
            self.fault(path, f"must be a list, not {_kind(value)}")
            return ()
        if len(value) > limit:
            self.fault(path, f"{len(value)} are too many; at most {limit} are kept")
        items = [read(row, f"{path}[{number}]") for number, row in enumerate(value[:limit])]
        return tuple(dict.fromkeys(row for row in items if row is not None))

    def strings(self, value: object, path: str, limit: int) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [
                part for part in value.replace("、", ",").replace("，", ",").split(",") if part
            ]
        return self.rows(value, path, limit, lambda v, p: self.text(v, p, MAX_NAME) or None)

    def text(self, value: object, path: str, limit: int) -> str:
        match value:
            case None:
                return ""
            case str():
                if len(value) > limit:
                    self.fault(path, f"{len(value)} characters are too many; cut to {limit}")
                return clean_text(value, limit)
            case bool() | dict() | list():
                self.fault(path, f"must be text, not {_kind(value)}")
                return ""
            case int() | float() if abs(value) < 1e16:  # no NaN, no number of 5000 digits
                return str(value)[:limit]
            case _:
                self.fault(path, f"must be text, not {_kind(value)}")
                return ""


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "nothing" if value is None else names.get(type(value), "a number")


def json_schema(*, of_floors: bool = False) -> dict[str, Any]:
    """Return the JSON schema of the answer, strict enough for servers that compile a grammar.

    ``of_floors``: each event gives its floors and witnesses, and the answer gives presence and
    claims.
    """
    text: dict[str, Any] = {"type": "string"}

    def obj(**properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def many(items: dict[str, Any], most: int) -> dict[str, Any]:
        return {"type": "array", "items": items, "maxItems": most}

    span = {"from": {"type": "integer"}, "to": {"type": "integer"}}
    names = many(text, MAX_ENTITIES)
    types = {"type": "string", "enum": ["char", "loc", "item", "concept", "unknown"]}
    event = obj(
        summary=text,
        keywords=many(text, MAX_KEYWORDS),
        timestamp=text,
        location=text,
        entities=many(obj(name=text, type=types), MAX_ENTITIES),
        relations=many(obj(subject=text, predicate=text, object=text), MAX_RELATIONS),
        details=text,
        structured_kv=obj(
            time_anchor=text,
            role=many(text, MAX_ENTITIES),
            location=text,
            event=text,
            logic=many(text, MAX_KEYWORDS),
            causality=text,
        ),
        significance_score={"type": "number"},
        kind={"type": "string", "enum": ["event", "fact"]},
        **({**span, "witnesses": names} if of_floors else {}),
    )
    if not of_floors:
        return obj(events=many(event, MAX_EVENTS))
    presence = obj(**span, present=names)
    claim = obj(
        floor={"type": "integer"},
        speaker=text,
        hearers=names,
        about=text,
        facet=text,
        value=text,
        polarity={"type": "boolean"},
        how={"type": "string", "enum": ["narrated", "said", "thought", "written"]},
        sign=text,
        quote=text,
        of=text,
    )
    return obj(
        events=many(event, MAX_EVENTS),
        presence=many(presence, MAX_SPANS),
        claims=many(claim, MAX_CLAIMS),
    )


# The searched text of a message, event, entity or private log: that of its memory item.


def turn_content(name: str, text: str) -> str:
    """Return a message's story with its speaker; without thoughts and status panels."""
    told = cleaning.story(text)
    return f"{name}: {told}" if name else told


def event_content(summary: str, data: PlotExtraction) -> str:
    """Return the summary, and then everything else by which an event may be remembered."""
    names = [e.name for e in data.entities]
    parts = (
        summary,
        " ".join(p for p in (data.timestamp, data.location) if p),
        cleaning.in_a_row(list(dict.fromkeys([*data.keywords, *names]))),
        data.details,
    )
    return "\n".join(part for part in parts if part)


def log_content(owner: str, content: str, emotion_tags: Iterable[str]) -> str:
    """Return the owner of a log, its text and its emotions."""
    tags = cleaning.in_a_row(list(emotion_tags))
    return "\n".join(part for part in (f"{owner}：{content}", tags) if part)


def entity_content(
    name: str, aliases: Iterable[str], description: str, facts: Iterable[str]
) -> str:
    """Return an entity's names, its description, and its relations as short sentences."""
    others = [alias for alias in aliases if alias != name]
    title = f"{name}（{cleaning.in_a_row(others)}）" if others else name
    return "\n".join(part for part in (title, description, "；".join(facts)) if part)
