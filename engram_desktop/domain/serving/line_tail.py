"""The last floors of a line, and the messages of a request that are aligned with them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.request import (
    JOINED,
    LINE,
    Said,
    original_end,
    plain,
    split_thought,
)
from engram_desktop.domain.values import dataclass

STORY_ROLES = ("user", "assistant", "")
# End of a paragraph, by the text between messages that are sent as one.
_JOINING = {JOINED: re.compile(r"[^\w\n]*\n\s*\n"), LINE: re.compile(r"[^\w\n]*\n")}
NAME_CHARS = 60  # characters of a name before the first of several joined messages
_NAMED = re.compile(r"\s*([^\n:：]{1,60})[:：][ \t]?(?=[ \t]*\S)")
_NAME_AT_END = re.compile(r"\n[^\S\n]*\n\s*[^\n:：]{1,60}[:：]\s*\Z")


@dataclass(frozen=True)
class Floor:
    """One floor of a line as a front end sends it.

    ``keys`` are its plain texts: as sent, as stored, then its other swipes.
    """

    seq: int
    role: str
    name: str
    keys: tuple[str, ...]
    is_hidden: bool = False
    is_opening: bool = False  # a greeting before the player's first message: proves nothing
    is_as_stored: bool = True  # no macro, script or program changes it when it is sent
    pieces: tuple[str, ...] = ()  # its longest sentences, plain: identify it after an edit
    is_noted: bool = False  # stored with a note that `keys` lack

    def without(self, notes: Collection[str]) -> Floor:
        """Return the floor without plain texts before, behind or within its message."""
        text = self.keys[0]
        for note in notes:
            text = "".join(text.split(note, 1)) or text
        if text == self.keys[0]:
            return self
        text = text.removeprefix(f"{plain(self.name)}:") or text
        return replace(self, keys=(text, *self.keys), is_noted=True)


@dataclass(frozen=True)
class LineTail:
    """The newest floors of a line. ``count`` counts all its floors; ``names`` are the speakers.

    ``has_gaps``: messages that were never sent here may be missing. ``mark`` is a key that changes
    with these floors.
    """

    line: Line
    count: int
    floors: tuple[Floor, ...]
    player: str
    names: tuple[str, ...]
    has_gaps: bool = False
    mark: int = 0

    def beginning_with(self, openings: Collection[str]) -> LineTail:
        """Return the tail with replies also known with and without these plain beginnings."""
        if not openings:
            return self
        floors = tuple(replace(f, keys=_with_openings(f, openings)) for f in self.floors)
        return replace(self, floors=floors)

    def without(self, notes: Collection[str]) -> LineTail:
        """Return the tail without notes joined to messages."""
        floors = (floor.without(notes) for floor in self.floors)
        return replace(self, floors=tuple(floors)) if notes else self

    @cached_property
    def visible_texts(self) -> frozenset[str]:
        """Return the plain texts of the floors that a front end sends."""
        return frozenset(floor.keys[0] for floor in self.floors if not floor.is_hidden)

    def floor(self, seq: int) -> Floor | None:
        """Return one floor; None if it is further back, or does not exist."""
        first = self.floors[0].seq if self.floors else 0
        return self.floors[seq - first] if first <= seq < first + len(self.floors) else None


def _with_openings(floor: Floor, openings: Collection[str]) -> tuple[str, ...]:
    own = floor.keys[0]
    if floor.role != "assistant" or not own:
        return floor.keys
    others = (own.removeprefix(o) if own.startswith(o) else o + own for o in openings)
    return tuple(dict.fromkeys([*floor.keys, *filter(None, others)]))


@dataclass(frozen=True)
class RequestMessage:
    """One message of a request, with the keys by which it is compared."""

    said: Said

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return its plain text, then without a name and without a thought before it."""
        texts = [self.said.text]
        if self.prefix:
            texts.append(self.said.text[self.prefix :])
        if self.said.role == "assistant":
            texts += [reply for thought, reply in map(split_thought, texts) if thought]
        keys = list(dict.fromkeys(map(plain, texts)))
        return (keys[0], *filter(None, keys[1:]))

    def has_name(self, keys: Sequence[str], *, is_begin: bool = False) -> bool:
        """Return whether it is one of these texts with a name before it, or begins like this."""
        if not self.prefix or self.keys[0] in keys:
            return False
        text = self._behind_name
        return bool(text) and (text.startswith(tuple(keys)) if is_begin else text in keys)

    @cached_property
    def _behind_name(self) -> str:
        return plain(self.said.text[self.prefix :])

    def apart(self, text: str) -> tuple[str, str]:
        """Return the text before and behind a plain text at one end of the message.

        Blank lines are between, and maybe a name. ("", "") if the text is not at an end.
        """
        own, said = self.keys[0], self.said.text
        if not text or len(text) >= len(own):
            return "", ""
        for start in {0, len(plain(said[: self.prefix]))}:
            end = original_end(said, start + len(text)) if own.startswith(text, start) else 0
            if end and self.joins_at(end):
                return "", said[end:].removeprefix(self.said.joint)
        before = said[: original_end(said, len(own) - len(text))] if own.endswith(text) else ""
        name = _NAME_AT_END.search(before[-NAME_CHARS - 4 :])
        before = before[: len(before) - len(name[0])] if name else before
        return (before, "") if before and self.joins_at(len(before)) else ("", "")

    def joins_at(self, end: int) -> bool:
        """Return whether another message, joined to this one, may begin at offset ``end``."""
        return _JOINING[self.said.joint].match(self.said.text, end) is not None

    def apart_end(self, text: str) -> int:
        """Return the end of a plain text at one end of the message, in plain letters, or 0."""
        before, behind = self.apart(text)
        return len(self.keys[0]) - len(plain(behind)) if before or behind else 0

    def without_paragraphs(self, text: str) -> str:
        """Return the text without the paragraphs that make up a plain one; "" for none, or all."""
        rows = self.said.text.split(self.said.joint)
        run = self._paragraphs(text, rows)
        return self.said.joint.join(rows[: run.start] + rows[run.stop :]) if run else ""

    def paragraphs_of(self, text: str) -> list[str]:
        """Return the paragraphs that make up a plain text, plain."""
        rows = self.said.text.split(self.said.joint)
        return [plain(rows[n]) for n in self._paragraphs(text, rows)]

    def _paragraphs(self, text: str, rows: Sequence[str]) -> range:
        """Return the indices of the paragraphs that make up a plain text; none for all."""
        if not text or text not in self.keys[0] or text == self.keys[0]:
            return range(0)
        for first in range(len(rows)):
            joined = ""
            for end in range(first, len(rows)):
                joined += plain(rows[end])
                if joined == text:
                    return range(first, end + 1)
                if not text.startswith(joined):
                    break
        return range(0)

    def parts_beside(self, floors: Sequence[Floor]) -> list[tuple[int, int, str]]:
        """Return the texts before, between and behind joined floors, in order.

        Each with the floor before it and the one behind it; -1 for none. Names before floors are
        left out.
        """
        said, own = self.said.text, self.keys[0]
        parts: list[tuple[int, int, str]] = []
        known, end = -1, 0
        for floor in (*floors, None):
            key = next((key for key in floor.keys if key in own[end:]), "") if floor else ""
            if floor is not None and not key:
                continue
            start = own.index(key, end) if key else len(own)
            text = said[original_end(said, end) if end else 0 : original_end(said, start)]
            name = _NAME_AT_END.search(text) if key else None
            text = (text[: name.start()] if name else text).strip("\n")
            seq = floor.seq if floor is not None else -1
            is_name = not end and start <= len(plain(said[: self.prefix]))
            if start > end and text and not is_name:
                parts.append((known, seq, text))
            known, end = seq, start + len(key)
        return parts

    @cached_property
    def prefix(self) -> int:
        """Return the length of a possible name before the text, as “Alice: ”."""
        match = _NAMED.match(self.said.text[:200])
        return match.end() if match else 0

    @property
    def prefix_name(self) -> str:
        return self.said.text[: self.prefix].strip().rstrip(":：").strip()

    @property
    def is_story(self) -> bool:
        """Return whether its role is the player's or the model's."""
        return self.said.role in STORY_ROLES and bool(self.keys[0])

    def is_told(self, texts: Collection[str]) -> bool:
        """Return whether it is a message of the narrator: one of these plain texts."""
        return self.said.role == "system" and self.keys[0] in texts
