"""Read the tags of a reply while it streams (design note 003 §3.2), cut at any character.

`<thought>`, `<state_update>`, `<record_event>`, `<trigger_flag>` and `<reply>`, under other names
of other dialects too. What stands in no block is the reply; tags that nobody knows are
a part of it. Nothing is lost: a block that never ends is text again, but for a thought, which is
never told. It costs time in proportion to what arrives.
"""

from __future__ import annotations

import re
from typing import Literal

from engram_desktop.domain.play.event_block import read_event_block, read_flags
from engram_desktop.domain.play.pieces import Piece, PieceKind, TagResult

_Tag = Literal["thought", "state", "event", "flag", "reply", "frame"]
_TAGS: dict[str, _Tag] = {
    "thought": "thought",
    "think": "thought",
    "thinking": "thought",
    "reasoning": "thought",
    "analysis": "thought",
    "state_update": "state",
    "variable_update": "state",
    "updatevariable": "state",
    "jsonpatch": "state",
    "record_event": "event",
    "trigger_flag": "flag",
    "reply": "reply",
    "content": "reply",
    "filament_output": "frame",
}
# Tags that a block may hold: of an event's fields, of a variable update's parts.
_INSIDE = frozenset({"content", "analysis", "jsonpatch"})
_MAX_ATTRIBUTES = 200  # characters: a tag that is longer is text, so that little is ever held back
_BLANK = " \t\r\n"
_FLAGS = re.IGNORECASE | re.ASCII
_TAG = re.compile(
    rf"<(/?)({'|'.join(_TAGS)})(?=[\s/>])([^<>]{{0,{_MAX_ATTRIBUTES}}})>",
    _FLAGS,
)
_BEGUN = re.compile(rf"</?([a-z_]*)((?:[\s/][^<>]{{0,{_MAX_ATTRIBUTES - 1}}})?)", _FLAGS)


class TagParser:
    """Reads one reply. `feed` returns what can be told of it so far, `finish` all of it.

    Pieces of the reply put together are its text; only a thought whose beginning was never marked
    is taken out of it at its end.
    """

    def __init__(self) -> None:
        self._held = ""  # may be the beginning of a tag
        self._block: _Block | None = None
        self._trusts = True  # that a thought ends where it says so
        self._said: list[str] = []
        self._gap = _Gap()
        self._has_reply_tag = False
        self._thoughts: list[str] = []
        self._updates: list[str] = []
        self._events: list[str] = []
        self._flags: list[str] = []
        self._pieces: list[Piece] = []
        self._is_whole = True

    def feed(self, text: str) -> list[Piece]:
        """Take what arrived; return what it adds, in order."""
        text = self._held + text
        at = 0
        for tag in _TAG.finditer(text):
            self._take_text(text[at : tag.start()])
            self._take_tag(tag)
            at = tag.end()
        cut = text.rfind("<", at)
        self._held = text[cut:] if cut >= 0 and _may_be_tag(text[cut:]) else ""
        self._take_text(text[at : len(text) - len(self._held)])
        pieces, self._pieces = self._pieces, []
        return pieces

    def finish(self) -> TagResult:
        """End the reply where it stands, and return all of it."""
        held, self._held = self._held, ""
        self._take_text(held)
        if self._block is not None and self._block.kind == "thought":
            self._is_whole = False
            rest, self._trusts = self._block.from_reply_on(), False
            self._end_block(self._block)
            self.feed(rest)
            held, self._held = self._held, ""
            self._take_text(held)
        if self._block is not None:
            self._is_whole = False
            block, self._block = self._block, None
            if block.kind == "thought":
                self._thoughts.append(block.text)
            else:
                self._say(block.opening + block.text)
        events = (read_event_block(text) for text in self._events)
        return TagResult(
            "".join(self._said),
            "\n".join(text for text in (t.strip() for t in self._thoughts) if text),
            tuple(self._updates),
            tuple(event for event in events if event is not None),
            tuple(flag for text in self._flags for flag in read_flags(text)),
            self._is_whole,
        )

    def _take_text(self, text: str) -> None:
        if not text:
            return
        if self._block is None:
            self._say(text)
            return
        self._block.parts.append(text)
        if self._block.kind == "thought":
            self._tell("thought", text)

    def _take_tag(self, tag: re.Match[str]) -> None:
        block, name, closes = self._block, tag[2].lower(), bool(tag[1])
        if block is None:
            self._take_outside(tag)
        elif block.kind == "thought":
            self._take_in_thought(block, tag)
        elif closes and name == block.name:
            self._end_block(block)
        elif name in _INSIDE or (closes and _TAGS[name] not in ("reply", "frame")):
            block.parts.append(tag[0])
        else:  # its end is missing: something else begins
            self._end_block(block)
            self._take_outside(tag)

    def _take_in_thought(self, block: _Block, tag: re.Match[str]) -> None:
        kind = _TAGS[tag[2].lower()]
        if kind == "thought" and not _is_empty(tag):
            block.depth += -1 if tag[1] else 1
            if block.depth == 0:
                self._end_block(block)
                return
        elif kind == "reply" and not tag[1]:
            if not self._trusts:
                self._end_block(block)
                self._take_outside(tag)
                return
            if block.reply_at is None:
                block.reply_at = len(block.parts)
        block.parts.append(tag[0])

    def _take_outside(self, tag: re.Match[str]) -> None:
        kind = _TAGS[tag[2].lower()]
        self._gap.part()
        if kind == "reply":
            self._has_reply_tag = True
        elif tag[1] and kind == "thought":
            self._take_back()
        elif not tag[1] and kind != "frame" and not _is_empty(tag):
            self._block = _Block(kind, tag[2].lower(), tag[0])

    def _take_back(self) -> None:
        """Take what was said for a thought whose beginning nobody marked, as some servers do."""
        if not self._has_reply_tag and not self._thoughts:
            self._thoughts.append("".join(self._said))
            self._said, self._gap = [], _Gap()

    def _end_block(self, block: _Block) -> None:
        self._block = None
        text = block.text
        match block.kind:
            case "thought":
                self._thoughts.append(text)
                return
            case "state":
                whole = f"<{block.name}>{text}</{block.name}>"
                if block.name == "jsonpatch":
                    whole = f"<updatevariable>{whole}</updatevariable>"
                self._updates.append(whole)
                self._tell("state", whole)
            case "event":
                self._events.append(text)
                self._tell("event", text)
            case _:
                self._flags.append(text)
                self._tell("flag", text)

    def _say(self, text: str) -> None:
        """Add to the reply; blanks wait until more is said, and those around a block join."""
        core = text.strip(_BLANK)
        if not core:
            self._gap.add(text)
            return
        self._gap.add(text[: len(text) - len(text.lstrip(_BLANK))])
        blanks = self._gap.joined() if self._said else ""
        self._said.append(blanks + core)
        self._tell("reply", blanks + core)
        self._gap = _Gap()
        self._gap.add(text[len(text.rstrip(_BLANK)) :])

    def _tell(self, kind: PieceKind, text: str) -> None:
        self._pieces.append(Piece(kind, text))


def tags_of(text: str) -> TagResult:
    """Read a whole reply."""
    parser = TagParser()
    parser.feed(text)
    return parser.finish()


class _Block:
    """What stands between an opening tag and where it ends."""

    def __init__(self, kind: _Tag, name: str, opening: str) -> None:
        self.kind = kind
        self.name = name
        self.opening = opening
        self.depth = 1
        self.parts: list[str] = []
        self.reply_at: int | None = None  # where a reply begins, if the block should never end

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def from_reply_on(self) -> str:
        """Cut off and return what begins with a reply's tag; empty for none."""
        if self.reply_at is None:
            return ""
        rest = "".join(self.parts[self.reply_at :])
        del self.parts[self.reply_at :]
        return rest


class _Gap:
    """Blanks that wait: those before and behind blocks join to the longer of both."""

    def __init__(self) -> None:
        self._before = ""
        self._parts: list[str] = []

    def add(self, blanks: str) -> None:
        self._parts.append(blanks)

    def part(self) -> None:
        """Note that a tag stands here."""
        self._before, self._parts = self.joined(), []

    def joined(self) -> str:
        after = "".join(self._parts)
        return max(self._before, after, key=lambda blanks: (blanks.count("\n"), len(blanks)))


def _is_empty(tag: re.Match[str]) -> bool:
    """Whether a tag opens and ends at once: `<thought/>`."""
    return not tag[1] and tag[3].endswith("/")


def _may_be_tag(text: str) -> bool:
    """Whether more of ``text`` could make a tag of it."""
    begun = _BEGUN.fullmatch(text)
    if begun is None:
        return False
    name = begun[1].lower()
    return name in _TAGS if begun[2] else any(known.startswith(name) for known in _TAGS)
