"""Put an edited worldbook back into the card it came from, entry by entry and field by field.

A card whose worldbook was not changed keeps every byte. What a card's author or another program
hung on card, worldbook or entries stays, but for entries that were deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engram_desktop.domain.worldbooks.worldbook import Entry, Position
from engram_desktop.formats.json_text import JsonPath, as_bytes, dump, read_json, removed, replaced
from engram_desktop.formats.worldbooks.foreign_worldbooks import EXTENDED, is_of_tavern
from engram_desktop.formats.worldbooks.heading import heading_change
from engram_desktop.formats.worldbooks.world_info import (
    WorldbookFile,
    decode,
    parse_worldbook,
    rewritten,
    rows_of,
    worldbook_of,
    written_fields,
)

_Row = dict[str, Any]
_TOP = {  # of a worldbook's entry, and of a card's
    "key": "keys",
    "keysecondary": "secondary_keys",
    "comment": "comment",
    "content": "content",
    "constant": "constant",
    "selective": "selective",
    "order": "insertion_order",
}
_EXTENSION_OF = {ours: theirs for theirs, ours in EXTENDED.items()}


def worldbook_in(card: Any) -> tuple[JsonPath, Any] | None:
    """Return where the worldbook of a card is, and the worldbook; None if it has none."""
    if not isinstance(card, dict):
        return None
    data = card.get("data")
    for path, holder in ((("data",), data), ((), card)):
        worldbook = holder.get("character_book") if isinstance(holder, dict) else None
        if isinstance(worldbook, dict) and isinstance(worldbook.get("entries"), dict | list):
            return (*path, "character_book"), worldbook
    return None


def stored_form(worldbook: Any, file: str) -> WorldbookFile:
    """Return a card's worldbook as it is stored: its text, and what that is as a worldbook."""
    return worldbook_of(as_bytes(dump(worldbook)), file, "character_book")


def with_worldbook(card: bytes, content: bytes, file: str) -> bytes:
    """Return a card whose worldbook says what the worldbook ``content`` says. Raises InputError."""
    value = read_json(decode(card, file)[0], file)
    location = worldbook_in(value)
    if location is None:
        return card
    path, worldbook = location
    base = stored_form(worldbook, file)
    if base.content == content:
        return card
    before = {str(entry.uid): entry for entry in base.parsed.worldbook.entries}
    after = {str(entry.uid): entry for entry in parse_worldbook(content, file).worldbook.entries}
    rows = {str(uid): row for uid, row in rows_of(read_json(decode(content, file)[0], file))}
    held = {str(uid): row for uid, row in rows_of(read_json(decode(base.content, file)[0], file))}
    kept_uids = {uid for uid in before.keys() & after.keys() if _is_kept(held[uid], rows[uid])}
    place = dict(zip(before, _places(worldbook["entries"]), strict=True))
    entries = (*path, "entries")
    changes: list[tuple[JsonPath, Any]] = []
    for uid, was in before.items():
        if uid in kept_uids:
            theirs = worldbook["entries"][place[uid]]
            edits = _edits(theirs, was, after[uid])
            changes += [((*entries, place[uid], *step), new) for step, new in edits]
    free = _free(worldbook["entries"])
    new_ones = [uid for uid in after if uid not in kept_uids]
    changes += [((*entries, next(free)), card_row(rows[uid], uid)) for uid in new_ones]
    gone_places = {str(place[uid]) for uid in before if uid not in kept_uids}

    def change(text: str) -> str:
        text = replaced(text, changes) if changes else text
        return removed(text, entries, gone_places) if gone_places else text

    return rewritten(card, change)


def _is_kept(held: _Row, row: _Row) -> bool:
    """Whether an entry is the card's own: one that was made here may have its number."""
    own, now = held.get("extensions"), row.get("extensions")
    return isinstance(now, dict) and (own or {}).keys() <= now.keys()


def _places(entries: Any) -> list[Any]:
    """Where the entries are that a worldbook was made of: it leaves out what is none."""
    pairs = entries.items() if isinstance(entries, dict) else enumerate(entries)
    return [name for name, row in pairs if isinstance(row, dict)]


def _free(entries: Any) -> Iterator[Any]:
    """Names for entries that are added at the end."""
    number = len(entries)
    while True:
        if not isinstance(entries, dict) or str(number) not in entries:
            yield number if isinstance(entries, list) else str(number)
        number += 1


def _edits(theirs: _Row, before: Entry, after: Entry) -> Iterator[tuple[JsonPath, Any]]:
    """Yield what must be other in a card's entry, its heading included."""
    changes = dict(_changes(theirs, before, after))
    if before.heading != after.heading:
        bare = changes.get(("extensions",))  # there is none yet: it is written as one
        path, value = heading_change(theirs.get("extensions"), after.heading)
        changes[path] = bare | value if isinstance(bare, dict) else value
    yield from changes.items()


def _changes(theirs: _Row, before: Entry, after: Entry) -> Iterator[tuple[JsonPath, Any]]:
    """Yield what must be other in a card's entry, as (path, value)."""
    fields = dict(written_fields(before, after))
    if not fields:
        return
    for name, value in fields.items():
        if name in _TOP:
            yield (_TOP[name],), value
    if "disable" in fields:
        yield ("enabled",), not fields["disable"]
    if "position" in fields:
        yield ("position",), _side(fields["position"])
    if "caseSensitive" in fields and "case_sensitive" in theirs:
        yield ("case_sensitive",), fields["caseSensitive"]
    extensions = {
        _EXTENSION_OF[name]: value for name, value in fields.items() if name in _EXTENSION_OF
    }
    is_bare = theirs.get("use_regex") is True and not is_of_tavern(theirs)
    if is_bare and ("key" in fields or "selectiveLogic" in fields):
        # from here on its patterns stand between slashes, as SillyTavern writes them
        extensions.setdefault("selectiveLogic", int(after.logic))
        if "key" not in fields:
            yield ("keys",), list(after.keys)
    if extensions and not isinstance(theirs.get("extensions"), dict):
        yield ("extensions",), extensions
    else:
        yield from ((("extensions", name), value) for name, value in extensions.items())


def card_row(row: Mapping[str, Any], uid: str) -> _Row:
    """Return an entry of a worldbook as SillyTavern puts it into a card."""
    extensions = {theirs: row[ours] for theirs, ours in EXTENDED.items() if ours in row}
    own = row.get("extensions")
    number = row.get("uid", int(uid) if uid.isdecimal() else uid)
    return {
        "id": number,
        **{theirs: row[ours] for ours, theirs in _TOP.items() if ours in row},
        "enabled": not row.get("disable", False),
        "position": _side(row.get("position", 0)),
        "use_regex": True,
        "extensions": (own if isinstance(own, dict) else {}) | extensions,
    }


def _side(position: int) -> str:
    return "before_char" if position == Position.BEFORE_CHARACTER else "after_char"
