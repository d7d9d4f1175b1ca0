"""Volumes as files: one JSON document with a version; not trusted until every part is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityType, norm_name
from engram_desktop.domain.memory.event import CONFIDENCES, Extractor, Status
from engram_desktop.domain.memory.extraction import EventKind, ExtractedEntity
from engram_desktop.domain.memory.volume import (
    EVERYONE,
    MAX_ENTITIES,
    MAX_EVENTS,
    MAX_FACTS,
    MAX_PERSONS,
    MAX_TEXT,
    MAX_TITLE,
    FactOrigin,
    Volume,
    VolumeEntity,
    VolumeEvent,
    VolumeFact,
    VolumePerson,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.formats.json_values import read_value, storable
from engram_desktop.formats.plain_file import read_plain

_T = QT_TRANSLATE_NOOP
FORMAT, VERSION = "engram-volume", 1
_LOOKED_AT = 400  # bytes read of a file: its format comes first
_BEGINS = re.compile(rb'\s*\{\s*"format"\s*:\s*"engram-volume"')
MAX_BYTES = 128_000_000  # of a file
MAX_NAME = 200  # characters of a name, a time, a place, an id
MAX_NAMES = 500  # names, keywords and aliases of one entry
MAX_LEVEL = 64  # of outlines: no story reaches ten
MAX_FLOOR = 10**9  # more than any chat has
MAX_MOMENT = 10**14  # milliseconds: the year 5138

T = TypeVar("T")


class BadVolume(InputError):
    """``path`` holds no readable volume; ``where`` names the first fault."""

    text = _T("errors", "{path} is no volume that can be read: {where}.")
    hint = _T("errors", "Export the volume once more.")
    command_hint = "Export the volume once more with `engram volume export`."


class NewerVolume(InputError):
    """``path`` was written by a later version of the program."""

    text = _T(
        "errors", "{path} is a volume of version {version}; the newest known here is {known}."
    )
    hint = _T("errors", "Update the program, or export the volume with an older one.")


class _Fault(Exception):
    """``args[0]`` is the place in the document and the fault."""


def volume_bytes(volume: Volume) -> bytes:
    """Return a volume as its file: equal volumes give equal bytes.

    Its entries are written one by one, as all of them as JSON values take many times their bytes.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "id": volume.id,
        "title": volume.title,
        "source": volume.source,
        "made_at": volume.made_at,
        "persons": [{"name": p.name, "aliases": [*p.aliases]} for p in volume.persons],
        "events": map(_event_json, volume.events),
        "entities": (
            {
                "id": e.id,
                "name": e.name,
                "type": e.type,
                "aliases": [*e.aliases],
                "description": e.description,
                "known_by": [*e.known_by],
            }
            for e in volume.entities
        ),
        "facts": (
            {"origin": f.origin, "text": f.text, "floor": f.floor, "known_by": [*f.known_by]}
            for f in volume.facts
        ),
    }
    return b"".join(piece.encode("utf-8", "replace") for piece in _pieces(document))


def _pieces(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the JSON text of an object, indented by one; iterators are written as lists."""
    between = "{\n "
    for name, value in document.items():
        yield f"{between}{_dumped(name)}: "
        between = ",\n "
        if isinstance(value, Iterator):
            begin = "[\n  "
            for item in value:
                yield begin + _dumped(item).replace("\n", "\n  ")
                begin = ",\n  "
            yield "[]" if begin.startswith("[") else "\n ]"
        else:
            yield _dumped(value).replace("\n", "\n ")
    yield "\n}\n"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _event_json(event: VolumeEvent) -> dict[str, Any]:
    return {
        "id": event.id,
        "summary": event.summary,
        "floors": [event.first, event.last],
        "level": event.level,
        "parent": event.parent_id,
        "status": event.status,
        "kind": event.kind,
        "time": event.time,
        "place": event.place,
        "details": event.details,
        "keywords": [*event.keywords],
        "names": [{"name": n.name, "type": n.type} for n in event.names],
        "significance": event.significance,
        "extractor": event.extractor,
        "confidence": event.confidence,
        "known_by": [*event.known_by],
    }


def is_volume_file(path: Path) -> bool:
    """Return whether a file begins as a volume does; reads its first bytes only."""
    try:
        with path.open("rb") as file:
            begin = file.read(_LOOKED_AT)
    except OSError:
        return False
    return _BEGINS.match(begin.removeprefix(b"\xef\xbb\xbf")) is not None


def read_volume_file(path: Path) -> Volume:
    """Read a file. Raises BadVolume, NewerVolume, Unreadable."""
    try:
        content = read_plain(path, MAX_BYTES)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from None
    return read_volume(content, str(path))


def read_volume(content: bytes, name: str) -> Volume:
    """Read a document; ``name`` is used in errors. Raises BadVolume, NewerVolume."""
    value = _parsed(content, name)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadVolume(path=name, where=f"its “format” is not “{FORMAT}”")
    version = value.get("version")
    number = version if isinstance(version, int) and not isinstance(version, bool) else 0
    if number > VERSION:
        raise NewerVolume(path=name, version=number, known=VERSION)
    if number < VERSION:
        raise BadVolume(path=name, where="its “version” is no version of this format")
    try:
        return _volume(_Reader(value, ""))
    except _Fault as fault:
        raise BadVolume(path=name, where=fault.args[0]) from None


def _parsed(content: bytes, name: str) -> object:
    try:
        text = content.decode("utf-8-sig").lstrip()
        value, end = read_value(text)
    except (ValueError, RecursionError):
        raise BadVolume(path=name, where="it is no JSON document in UTF-8") from None
    if text[end:].strip():
        raise BadVolume(path=name, where="something follows the JSON document")
    return value


class _Reader:
    """Reads one object of the document, whose place is ``at``. Every method raises _Fault."""

    def __init__(self, value: dict[str, Any], at: str) -> None:
        self._value = value
        self._at = at

    def fault(self, key: str, what: str) -> _Fault:
        return _Fault(f"{self._at}{key}: {what}")

    def text(self, key: str, most: int, *, empty: bool = True) -> str:
        value = self._value.get(key)
        if not isinstance(value, str):
            raise self.fault(key, "a text is expected")
        return self._checked(key, value, most, empty=empty)

    def optional(self, key: str) -> str | None:
        return None if self._value.get(key) is None else self.text(key, MAX_NAME, empty=False)

    def number(self, key: str, most: int) -> int:
        return self._whole(key, self._value.get(key), most)

    def share(self, key: str) -> float:
        value = self._value.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self.fault(key, "a number from 0 to 1 is expected")
        return float(value)

    def floors(self, key: str) -> tuple[int, int]:
        value = self._value.get(key)
        if not isinstance(value, list) or len(value) != 2:
            raise self.fault(key, "two floors are expected")
        first, last = (self._whole(key, floor, MAX_FLOOR) for floor in value)
        if last < first:
            raise self.fault(key, "the second floor comes before the first")
        return first, last

    def one_of(self, key: str, choices: Sequence[T]) -> T:
        value = self._value.get(key)
        for choice in choices:
            if isinstance(value, str) and value == choice:
                return choice
        raise self.fault(key, f"one of {', '.join(map(str, choices))} is expected")

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._list(key, MAX_NAMES)
        if not all(isinstance(value, str) for value in values):
            raise self.fault(key, "texts are expected")
        return tuple(self._checked(key, value, MAX_NAME, empty=False) for value in values)

    def known_by(self, persons: Collection[str]) -> tuple[str, ...]:
        names = self._list("known_by", MAX_PERSONS)
        if names == [EVERYONE]:
            return (EVERYONE,)
        for name in names:
            if not isinstance(name, str) or name not in persons:
                raise self.fault("known_by", "a name of “persons” is expected")
        return tuple(names)

    def each(self, key: str, most: int, read: Callable[[_Reader], T]) -> tuple[T, ...]:
        read_items = []
        values = self._list(key, most)
        for n, value in enumerate(values):
            values[n] = None  # what was read is not held twice
            if not isinstance(value, dict):
                raise self.fault(f"{key}[{n}]", "an object is expected")
            read_items.append(read(_Reader(value, f"{self._at}{key}[{n}].")))
        return tuple(read_items)

    def _list(self, key: str, most: int) -> list[Any]:
        value = self._value.get(key)
        if not isinstance(value, list):
            raise self.fault(key, "a list is expected")
        if len(value) > most:
            raise self.fault(key, f"more than {most:,} entries")
        return value

    def _whole(self, key: str, value: object, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self.fault(key, f"a whole number from 0 to {most:,} is expected")
        return value

    def _checked(self, key: str, value: str, most: int, *, empty: bool) -> str:
        if len(value) > most:
            raise self.fault(key, f"longer than {most:,} characters")
        if not empty and not value.strip():
            raise self.fault(key, "a text that is not empty is expected")
        return storable(value)


def _volume(reader: _Reader) -> Volume:
    persons = reader.each("persons", MAX_PERSONS, _person)
    names = {person.name for person in persons}
    if len({norm_name(name) for name in names}) < len(persons) or EVERYONE in names:
        raise reader.fault("persons", "each name may stand once, and none is “*”")
    events = reader.each("events", MAX_EVENTS, lambda one: _event(one, names))
    entities = reader.each("entities", MAX_ENTITIES, lambda one: _entity(one, names))
    for key, ids in (("events", [e.id for e in events]), ("entities", [e.id for e in entities])):
        if len(set(ids)) < len(ids):
            raise reader.fault(key, "an id stands twice")
    levels = {event.id: event.level for event in events}
    for n, event in enumerate(events):
        # the level grows from part to outline, so that no outline is part of itself
        if event.parent_id is not None and levels.get(event.parent_id, 0) <= event.level:
            raise reader.fault(f"events[{n}].parent", "it is no outline of a higher level")
    return Volume(
        reader.text("id", 32, empty=False),
        reader.text("title", MAX_TITLE, empty=False),
        reader.text("source", MAX_NAME),
        reader.number("made_at", MAX_MOMENT),
        persons,
        events,
        entities,
        reader.each("facts", MAX_FACTS, lambda one: _fact(one, names)),
    )


def _person(reader: _Reader) -> VolumePerson:
    return VolumePerson(reader.text("name", MAX_NAME, empty=False), reader.texts("aliases"))


def _event(reader: _Reader, persons: Collection[str]) -> VolumeEvent:
    first, last = reader.floors("floors")
    return VolumeEvent(
        reader.text("id", MAX_NAME, empty=False),
        reader.text("summary", MAX_TEXT, empty=False),
        reader.known_by(persons),
        first,
        last,
        reader.number("level", MAX_LEVEL),
        reader.optional("parent"),
        reader.one_of("status", get_args(Status)),
        reader.one_of("kind", get_args(EventKind)),
        reader.text("time", MAX_NAME),
        reader.text("place", MAX_NAME),
        reader.text("details", MAX_TEXT),
        reader.texts("keywords"),
        reader.each("names", MAX_NAMES, _name),
        reader.share("significance"),
        reader.one_of("extractor", get_args(Extractor)),
        reader.one_of("confidence", CONFIDENCES),
    )


def _name(reader: _Reader) -> ExtractedEntity:
    kinds: Sequence[EntityType] = ENTITY_TYPES
    return ExtractedEntity(reader.text("name", MAX_NAME, empty=False), reader.one_of("type", kinds))


def _entity(reader: _Reader, persons: Collection[str]) -> VolumeEntity:
    kinds: Sequence[EntityType] = ENTITY_TYPES
    return VolumeEntity(
        reader.text("id", MAX_NAME, empty=False),
        reader.text("name", MAX_NAME, empty=False),
        reader.one_of("type", kinds),
        reader.known_by(persons),
        reader.texts("aliases"),
        reader.text("description", MAX_TEXT),
    )


def _fact(reader: _Reader, persons: Collection[str]) -> VolumeFact:
    origins: Sequence[FactOrigin] = get_args(FactOrigin)
    return VolumeFact(
        reader.one_of("origin", origins),
        reader.text("text", MAX_TEXT, empty=False),
        reader.known_by(persons),
        reader.number("floor", MAX_FLOOR),
    )
