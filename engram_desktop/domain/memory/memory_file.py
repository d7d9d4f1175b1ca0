"""One memory as a Markdown file: front matter between two lines of ---, then its text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any, Literal, get_args

import yaml

from engram_desktop.domain.errors import BadProfile, InputError
from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, EntityType
from engram_desktop.domain.graph.profile import profile_to_yaml, yaml_to_profile
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
EventFileKind = Literal["event", "fact", "outline"]
EVENT_KINDS: tuple[EventFileKind, ...] = get_args(EventFileKind)
_FENCE = "---"
_FLOORS = re.compile(r"(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?")
_NO_END = _T("reports", "its front matter has no end: a line of --- is missing")
_BAD_FIELD = _T("reports", "“{name}” in its front matter cannot be read")
_NO_TEXT = _T("reports", "it has no text")
_BINARY = _T("reports", "it is no text in UTF-8")


class BadMemoryFile(InputError):
    """``reason``: why a Markdown file is refused."""

    text = QT_TRANSLATE_NOOP("errors", "Not taken: {detail}.")

    def __init__(self, reason: Phrase) -> None:
        super().__init__()
        self.params["detail"] = self.reason = reason


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """The contents of a file.

    Entities have a ``name``; ``said`` are the fields of its front matter.
    """

    id: str = ""
    kind: str = ""
    text: str = ""
    floors: tuple[int, int] | None = None
    lamp: str = ""
    people: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    details: str = ""
    name: str = ""
    said: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def is_entity(self) -> bool:
        return self.kind in ENTITY_TYPES

    @property
    def fixed(self) -> tuple[object, ...]:
        """The values that a file shows but cannot change."""
        is_outline = self.kind == "outline"
        return (self.is_entity, is_outline, self.floors, self.people)

    @property
    def entity_type(self) -> EntityType:
        return next((kind for kind in ENTITY_TYPES if kind == self.kind), "unknown")


def completed(there: MemoryFile, here: MemoryFile) -> MemoryFile:
    """Return the memory of a file, with missing fields taken from the present one."""
    unsaid = {
        name: getattr(here, name)
        for name in ("kind", "floors", "lamp", "people", "details", "name")
        if name not in there.said
    }
    if not there.said & {"tags", "aliases"}:
        unsaid["tags"] = here.tags
    return replace(there, id=here.id, **unsaid)


def of_event(event: EventNode) -> MemoryFile:
    data, span = event.raw_data, event.source_range
    return MemoryFile(
        event.id,
        "outline" if event.level else event.kind,
        event.summary.strip(),
        (span.start_index, span.end_index),
        "" if event.level else ("green" if event.is_archived else "blue"),
        tuple(e.name for e in data.entities if e.type == "char"),
        tuple(data.keywords),
        data.details.strip(),
    )


def of_entity(entity: EntityNode) -> MemoryFile:
    text = profile_to_yaml(entity.profile) if entity.profile else entity.description
    return MemoryFile(entity.id, entity.type, text.strip(), tags=entity.aliases, name=entity.name)


def rendered(memory: MemoryFile) -> bytes:
    """Return the file of a memory."""
    front: dict[str, Any] = {"id": memory.id, "kind": memory.kind}
    if memory.is_entity:
        front |= {"name": memory.name, "aliases": list(memory.tags)}
    else:
        first, last = memory.floors or (0, 0)
        front["floors"] = first if first == last else f"{first}-{last}"
        if memory.lamp:
            front["lamp"] = memory.lamp
        front |= {"people": list(memory.people), "tags": list(memory.tags)}
        if memory.details:
            front["details"] = memory.details
    head = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=10_000)
    text = f"{_FENCE}\n{head}{_FENCE}\n\n{memory.text}\n"
    return text.encode("utf-8", "replace")


def parsed(content: bytes) -> MemoryFile:
    """Parse a file. Raises BadMemoryFile."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadMemoryFile(Phrase(_BINARY)) from None
    if "\0" in text:
        raise BadMemoryFile(Phrase(_BINARY))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front, body = _split(text)
    try:
        fields = yaml_to_profile(front)
    except (BadProfile, RecursionError) as error:
        reason = error.params.get("detail") if isinstance(error, BadProfile) else None
        raise BadMemoryFile(
            reason if isinstance(reason, Phrase) else Phrase(_BAD_FIELD, name=_FENCE)
        ) from None
    kind = _text(fields, "kind")
    if kind and kind not in ENTITY_TYPES and kind not in EVENT_KINDS:
        raise BadMemoryFile(Phrase(_BAD_FIELD, name="kind"))
    lamp = _text(fields, "lamp").lower()
    if lamp not in {"", "blue", "green"}:
        raise BadMemoryFile(Phrase(_BAD_FIELD, name="lamp"))
    memory = MemoryFile(
        _text(fields, "id"),
        kind,
        body.strip(),
        _floors(fields.get("floors")),
        lamp,
        _words(fields, "people"),
        _words(fields, "aliases" if "aliases" in fields else "tags"),
        _text(fields, "details"),
        _text(fields, "name"),
        frozenset(fields),
    )
    if not memory.text and not memory.is_entity and "name" not in fields:
        raise BadMemoryFile(Phrase(_NO_TEXT))
    return memory


def _split(text: str) -> tuple[str, str]:
    """Return front matter and body; a text without front matter is all body."""
    first, _newline, rest = text.partition("\n")
    if first.rstrip() != _FENCE:
        return "", text
    lines = rest.split("\n")
    for number, line in enumerate(lines):
        if line.rstrip() == _FENCE:
            return "\n".join(lines[:number]), "\n".join(lines[number + 1 :])
    raise BadMemoryFile(Phrase(_NO_END))


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise BadMemoryFile(Phrase(_BAD_FIELD, name=name))
    return str(value).strip()


def _words(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if isinstance(value, str):
        value = re.split(r"[,，、]", value)
    if value is None:
        return ()
    if not isinstance(value, list) or any(isinstance(one, dict | list) for one in value):
        raise BadMemoryFile(Phrase(_BAD_FIELD, name=name))
    return tuple(dict.fromkeys(str(one).strip() for one in value if str(one).strip()))


def _floors(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    found = _FLOORS.fullmatch(str(value).strip())
    if found is None:
        raise BadMemoryFile(Phrase(_BAD_FIELD, name="floors"))
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    if last < first:
        raise BadMemoryFile(Phrase(_BAD_FIELD, name="floors"))
    return first, last


def free_name(title: str, memory_id: str, taken: Iterable[str]) -> str:
    """Return a title that no other file has, ignoring case."""
    known = {name.casefold() for name in taken}
    tail = re.sub(r"[^A-Za-z0-9]", "", memory_id)[:8] or "memory"
    for name in (title, f"{title} {tail}"):
        if f"{name}.md".casefold() not in known:
            return name
    number = 2
    while f"{title} {tail} {number}.md".casefold() in known:
        number += 1
    return f"{title} {tail} {number}"
