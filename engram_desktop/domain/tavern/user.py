"""What a user of SillyTavern keeps in `settings.json` that entries and macros ask for.

Values only: tags, who has them, the variables of all chats, and what scans of worldbooks need.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any, Literal

from engram_desktop.domain.values import dataclass

Stamp = tuple[int, int]  # size and time of change, in nanoseconds


NotePlace = Literal["instead", "before", "after"]
SUMMARY = "[Summary: {{summary}}]"  # how SillyTavern puts a summary, unless it is told otherwise


@dataclass(frozen=True, slots=True)
class CharacterNote:
    """An author's note of a character: in place of the chat's own, before or after it."""

    text: str
    place: NotePlace = "instead"


@dataclass(frozen=True, slots=True)
class TavernWorldbooks:
    """What scans of worldbooks read there beside the chat, and the order of the worldbooks.

    ``books`` are on for every chat, the first first. ``note`` and ``interval`` are the
    author's note of chats that say none. ``notes`` are by card file without its ending.
    """

    books: tuple[str, ...] = ()
    note: str = ""
    interval: int = 1
    notes: Mapping[str, CharacterNote] = field(default_factory=dict)
    summary: str = SUMMARY


@dataclass(frozen=True, slots=True)
class TavernUser:
    """``tags`` are names by id, ``tagged`` ids by card file; ``stamp`` is that of the file read.

    ``scan`` are settings of ours, with what worldbooks are scanned by there.
    """

    folder: str
    tags: Mapping[str, str] = field(default_factory=dict)
    tagged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    scan: Mapping[str, Any] = field(default_factory=dict)
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    stamp: Stamp | None = None


def name_of_tag(names: Mapping[str, str], tag: str) -> str:
    """What a tag of an entry is called: SillyTavern writes ids there, people write names."""
    return names.get(tag, tag)


def tag_of_name(names: Mapping[str, str], own: Collection[str], name: str) -> str:
    """The tag that is called ``name``: one of those ``own``, else a known one, else the name."""
    matches = [tag for tag in (*own, *names) if name_of_tag(names, tag) == name]
    return matches[0] if matches else name
