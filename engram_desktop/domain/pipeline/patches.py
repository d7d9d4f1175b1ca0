"""Changes to events and profiles: patches by users and from models' answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from engram_desktop.domain.errors import Conflict, InputError
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.memory.extraction import Fault, PlotExtraction, clean_text
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.prompt_template import StoryRenderer


# An event with some fields changed and its card rendered again.


_T = QT_TRANSLATE_NOOP

T = TypeVar("T")


def values_of(event: EventNode) -> dict[str, Any]:
    """Return an event's value of each field that a patch can change, by the field's name."""
    held = {f.name: getattr(event, f.name, None) for f in fields(EventPatch)}
    return held | {
        "time_anchor": event.raw_data.timestamp,
        "location": event.raw_data.location,
        "details": event.raw_data.details,
        "keywords": event.raw_data.keywords,
    }


def check_unchanged(expected: Mapping[str, Any], now: EventNode, patch: EventPatch) -> None:
    """Raise Conflict if a field of ``patch`` has neither its expected nor its new value.

    ``expected``: values by field, from `values_of`.
    """
    held = values_of(now)
    for name, wanted in values_of_patch(patch).items():
        if _plain(held[name]) not in (_plain(expected[name]), _plain(wanted)):
            raise Conflict(
                Phrase(
                    _T("reports", "another program or task edited the event “{summary}”"),
                    summary=now.summary[:40],
                )
            )


def _plain(value: Any) -> Any:
    """Return a value as it is stored: texts are stripped, and empty ones are None."""
    return value.strip() or None if isinstance(value, str) else value


def values_of_patch(patch: EventPatch) -> dict[str, Any]:
    """Return the fields that a patch changes."""
    values = {f.name: getattr(patch, f.name) for f in fields(patch)}
    return {name: value for name, value in values.items() if value is not None}


def patched_event(event: EventNode, patch: EventPatch, renderer: StoryRenderer) -> EventNode:
    """Return ``event`` with ``patch`` applied and its card rendered again.

    Fields that exist twice (raw data, structured_kv) are kept equal; raw data is applied first,
    then single fields.
    """
    data = patch.raw_data if patch.raw_data is not None else event.raw_data
    kv = patch.structured_kv
    if kv is None:
        kv = data.structured_kv if patch.raw_data is not None else event.structured_kv
    if patch.time_anchor is not None:
        kv = replace(kv, time_anchor=patch.time_anchor)
    if patch.location is not None:
        kv = replace(kv, location=patch.location)
    score = patch.significance_score
    if score is None:
        score = event.significance_score if patch.raw_data is None else data.significance_score
    summary = patch.summary if patch.summary is not None else data.summary
    if not summary.strip():
        raise InputError(Phrase(_T("reports", "The summary must say what happened.")))
    data = replace(
        data,
        summary=summary.strip(),
        keywords=_new_or_old(patch.keywords, data.keywords),
        timestamp=_new_or_old(patch.time_anchor, data.timestamp),
        location=_new_or_old(patch.location, data.location),
        details=_new_or_old(patch.details, data.details),
        structured_kv=kv,
        significance_score=min(1.0, max(0.0, score)),
        kind=_new_or_old(patch.kind, data.kind),
        witnesses=data.witnesses if patch.witnesses is None else patch.witnesses,
    )
    is_archived = _new_or_old(patch.is_archived, event.is_archived)
    return replace(
        event,
        summary=data.summary,
        structured_kv=kv,
        raw_data=data,
        display_text=renderer.render(data),
        keywords=data.keywords,
        participants=_participants(data),
        significance_score=data.significance_score,
        is_archived=is_archived,
        status="archived" if is_archived else "buffer",
        is_locked=_new_or_old(patch.is_locked, event.is_locked),
        is_stale=_new_or_old(patch.is_stale, event.is_stale),
        level=_new_or_old(patch.level, event.level),
        is_embedded=event.is_embedded and data == event.raw_data,
        # Text by the user is theirs: no redo replaces it.
        extractor=event.extractor if data == event.raw_data else "manual",
        kind=data.kind,
        scope=_new_or_old(patch.scope, event.scope),
        owner=event.owner if patch.owner is None else patch.owner or None,
        condition=event.condition if patch.condition is None else patch.condition or None,
        confidence=_new_or_old(
            patch.confidence, event.confidence if data == event.raw_data else "confirmed"
        ),
    )


def _new_or_old(new: T | None, old: T) -> T:
    return old if new is None else new


def _participants(data: PlotExtraction) -> tuple[str, ...]:
    return tuple(e.name for e in data.entities if e.type == "char")


# New facts about entities in a model's answer: facts to set, facts to drop. The parser takes any
# JSON value and never raises. A patch that would empty a profile is rejected: models sometimes
# answer with one line where many were known.


# Limits of one answer, so that a profile stays short enough for a prompt; not measured. Facts of
# one entity, characters of their names and values, items of a list.
MAX_KEYS = 24
MAX_KEY = 40  # characters; names of entities may be twice as long
MAX_VALUE = 400  # characters
MAX_LIST = 12  # items
_WRAPPERS = ("profiles", "entities", "updates", "patches")
_PATCHES = ("set", "profile", "patch", "changes", "operations", "ops")
_FEW = 4  # facts a profile must have before losing most of them is suspicious


@dataclass(frozen=True, slots=True)
class ProfilePatches:
    """Facts by entity name; None drops a fact. ``faults`` are the unusable parts."""

    by_name: dict[str, dict[str, Any]]
    faults: tuple[Fault, ...] = ()


def parse_patches(value: object) -> ProfilePatches:
    """Read ``{"profiles": [{"name": …, "set": {…}}]}``, or a mapping of names to facts.

    The facts of an entity may also be a JSON patch (RFC 6902).
    """
    faults: list[Fault] = []
    patches: dict[str, dict[str, Any]] = {}
    for path, name, facts in _entries(_unwrap(value), faults):
        if not isinstance(facts, Mapping):
            faults.append(Fault(path, "must be an object of facts"))
            continue
        patch = dict(_facts(facts, path, faults))
        if patch:
            patches.setdefault(clean_text(name, MAX_KEY * 2), {}).update(patch)
    return ProfilePatches(patches, tuple(faults[:50]))


def patched_profile(profile: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the profile with the patch applied; None if it would lose most of its facts."""
    dropped = [key for key, value in patch.items() if value is None and key in profile]
    if len(profile) >= _FEW and len(dropped) * 2 > len(profile):
        return None
    merged = {**profile, **patch}
    return {key: value for key, value in merged.items() if value is not None}


def _unwrap(value: object) -> object:
    if isinstance(value, Mapping):
        for key in _WRAPPERS:
            if isinstance(value.get(key), Mapping | list):
                return value[key]
    return value


def _entries(value: object, faults: list[Fault]) -> Iterator[tuple[str, str, object]]:
    """Yield (path, name, facts)."""
    match value:
        case Mapping() if isinstance(value.get("name"), str):
            yield f"profiles.{value['name']}", value["name"], _patch_of(value)
        case Mapping():
            for name, facts in value.items():
                inner = _patch_of(facts) if isinstance(facts, Mapping) else facts
                inner = _of_operations(inner) if isinstance(inner, list) else inner
                yield f"profiles.{name}", str(name), inner
        case [{"op": str(), "path": str()}, *_]:
            yield from _of_all(value)
        case list():
            for number, row in enumerate(value):
                if isinstance(row, Mapping) and isinstance(row.get("name"), str):
                    yield f"profiles[{number}]", row["name"], _patch_of(row)
                else:
                    faults.append(Fault(f"profiles[{number}]", "needs a name and facts"))
        case _:
            faults.append(Fault("$", "must be an object with a list “profiles”"))


def _patch_of(row: Mapping[Any, Any]) -> object:
    for key in _PATCHES:
        if isinstance(row.get(key), Mapping):
            return row[key]
        if isinstance(row.get(key), list):
            return _of_operations(row[key])
    return {key: value for key, value in row.items() if key not in ("name", "type", *_PATCHES)}


def _of_all(operations: Sequence[Any]) -> Iterator[tuple[str, str, object]]:
    """Read one JSON patch over all profiles: the first part of a path is the entity's name."""
    by_name: dict[str, list[Any]] = {}
    for operation in operations:
        path = str(operation.get("path", "")) if isinstance(operation, Mapping) else ""
        name, _slash, rest = path.strip("/").removeprefix("profiles/").partition("/")
        by_name.setdefault(name, []).append(
            {**operation, "path": rest} if isinstance(operation, Mapping) else operation
        )
    for name, own in by_name.items():
        yield f"profiles.{name}", name, _of_operations(own)


def _of_operations(operations: list[Any]) -> object:
    """Read a JSON patch (RFC 6902) as facts to set and, with None, to drop.

    Models patch one level deep, so the last part of a path names the fact; below it a list grows
    (`/爱好/-`). An invalid operation makes the whole list unreadable, which is reported.
    """
    facts: dict[str, Any] = {}
    for operation in operations:
        match operation:
            case {"op": "add" | "replace", "path": str(path), "value": value}:
                key, *below = _fact_of(path)
                current = facts.get(key, [])
                facts[key] = [*current, value] if below and isinstance(current, list) else value
            case {"op": "remove", "path": str(path)} if len(_fact_of(path)) == 1:
                facts[_fact_of(path)[0]] = None
            case {"op": "test"}:
                continue
            case _:
                return operations
    return facts


def _fact_of(path: str) -> list[str]:
    """Return the fact in a JSON pointer, and what is below it; “profile” itself is not a fact."""
    parts = [p.replace("~1", "/").replace("~0", "~") for p in path.split("/") if p]
    if len(parts) > 1 and parts[0] in {"profile", "facts", "set"}:
        parts = parts[1:]
    return parts or [""]


def _facts(facts: Mapping[Any, Any], path: str, faults: list[Fault]) -> Iterator[tuple[str, Any]]:
    if len(facts) > MAX_KEYS:
        faults.append(Fault(path, f"{len(facts)} facts are too many; at most {MAX_KEYS} are kept"))
    for raw_key, value in list(facts.items())[:MAX_KEYS]:
        key = clean_text(str(raw_key), MAX_KEY)
        match value:
            case None | "":
                yield key, None
            case str():
                yield key, clean_text(value, MAX_VALUE)
            case bool() | int() | float():
                yield key, value
            case list() if all(isinstance(part, str | int | float) for part in value):
                yield key, [clean_text(str(part), MAX_VALUE) for part in value[:MAX_LIST]]
            case _:
                faults.append(Fault(f"{path}.{key}", "must be text, a number or a list of them"))
