"""Turns of play: texts, marks, and the tags a model writes into a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.extraction import MAX_NAME, MAX_SUMMARY, clean_text
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import ItemKind, Level
from engram_desktop.domain.state.tree import StateChange
from engram_desktop.domain.text.late_pattern import late_pattern
from engram_desktop.domain.values import dataclass

# A turn of play: its texts, and how they are marked.


# What a reply is made of while it streams: text for the reader, and what is said beside it.


# reply: text for the transcript; thought: never in it; the others are marked blocks as written.
PieceKind = Literal["reply", "thought", "state", "event", "flag"]


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A piece of a reply that has arrived. Pieces of one kind in a row belong together."""

    kind: PieceKind
    text: str


# Called on the thread that runs the turn, often: a window gathers pieces and draws now and then.
OnPiece = Callable[[ReplyPiece], object]


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as a reply records it; ``kind`` is the story's own word for it, such as date."""

    summary: str
    kind: str = ""
    participants: tuple[str, ...] = ()
    location: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagResult:
    """A reply read to its end.

    ``reply`` is its text without tag blocks, ``thought`` what was only thought, ``updates`` the
    blocks that change the state, as written and with their tags. ``is_whole`` is False where a
    block never ended: its text is then part of the reply, or of the thought.
    """

    reply: str
    thought: str = ""
    updates: tuple[str, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    flags: tuple[str, ...] = ()
    is_whole: bool = True


# A turn of play: what it was taken for, what was recalled for whom, and what it left behind.


# Who said what a turn is taken for: the player, a light model, rules, a scene written beforehand.
LevelBy = Literal["hand", "model", "rules", "scene"]
# done: the model ended; stopped: the player did; cut: the limit of tokens or a broken connection.
Ending = Literal["done", "stopped", "cut"]
ToolWay = Literal["tools", "tags"]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that the prompt of a turn was given, for ``TurnNote.speaker``.

    ``ref`` is the id of the message, event, entity or log; what a volume tells has floors -1.
    """

    kind: ItemKind
    ref: str
    text: str
    start_index: int
    end_index: int
    rank: int


@dataclass(frozen=True, slots=True)
class TurnNote:
    """What is kept of one turn, beside the message that it made.

    ``floor`` and ``message_id`` are the reply's; ``swipe`` counts from 0. ``level``: what the turn
    was taken for, ``level_by`` who said so and ``level_why`` why. ``recalled`` are memories given
    to the model as ``speaker`` may know them. ``state`` are changes in order; one whose ``fault``
    is set did nothing. ``notices`` say what could not be read or was held within bounds.
    ``event_pk`` is the key of the event in the library, None where none was recorded or it is gone.
    ``thought`` is what the model only thought; it is in no transcript and no later prompt.
    """

    floor: int
    message_id: str
    swipe: int = 0
    speaker: str = ""
    level: Level = "CHAT"
    level_by: LevelBy = "rules"
    level_why: str = ""
    intent: str = ""
    directives: dict[str, str] = field(default_factory=dict)
    recalled: tuple[Recalled, ...] = ()
    state: tuple[StateChange, ...] = ()
    notices: tuple[Phrase, ...] = ()
    event: RecordedEvent | None = None
    event_pk: int | None = None
    flags: tuple[str, ...] = ()
    expression: str = ""
    thought: str = ""
    ending: Ending = "done"
    tool_way: ToolWay = "tags"
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """What one action on a chat came to.

    ``reply`` is the whole text of the message at ``floor``; both are empty or None where a stopped
    reply had no text yet, so that nothing was kept. ``changes`` also tells of the player's message.
    """

    changes: Changes
    floor: int | None = None
    reply: str = ""
    note: TurnNote | None = None


@dataclass(frozen=True, slots=True)
class SceneMember:
    """One who can speak in a scene. ``card_id`` is empty for a speaker without a card here."""

    name: str
    card_id: str = ""


@dataclass(frozen=True, slots=True)
class PlayScene:
    """Who plays in a chat: the player's name, those who reply, and whose turn comes next.

    ``script`` is the name of the written scene that is played without a model, empty for none;
    ``suggestion`` what the player says next in it, empty at its end.
    """

    player: str
    members: tuple[SceneMember, ...] = ()
    next_speaker: str = ""
    script: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A chat that was begun: where it is, and what that changed."""

    line: Line
    changes: Changes


@dataclass(frozen=True, slots=True)
class Swipes:
    """The readings of one message; ``chosen`` counts from 0. A message always has one at least."""

    texts: Sequence[str]
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class ScriptedScene:
    """A scene that plays without a model. ``title`` is in its own language."""

    name: str
    language: str
    title: str


# Which parts of a message are told and not said: *she nods*, as role-play chats write it.


# An action ends on its line; two stars are Markdown's bold and no action. Each star is looked at
# once, since an action holds none.
_ACTION = late_pattern(r"\*+[^*\n]+\*+|\*+")
BOLD = 2  # so many stars on either side make it bold in Markdown


def actions(text: str) -> list[tuple[int, int]]:
    """Return where actions begin and end, stars included, in the order of the text."""
    spans = []
    for match in _ACTION.finditer(text):
        piece = match.group()
        inner = piece.strip("*")
        stars = len(piece) - len(inner)
        if inner and stars < 2 * BOLD and not inner.isspace():
            spans.append(match.span())
    return spans


# Tags that a model writes into a reply, the block of an event among them.


# Read what stands in `<record_event>` and `<trigger_flag>`: child tags, JSON, or plain words.


MAX_BLOCK = 100_000  # characters of one block that are looked at: bounds its time
MAX_NAMES = 40  # participants, tags or flags of one block: more is no event of a scene
_NAMES = ("type", "summary", "participants", "location", "tags")
_BETWEEN = late_pattern(r"[,，、;；|\n]")
_ANY_TAG = late_pattern(r"<[^<>]{0,200}>")


def read_event_block(text: str) -> RecordedEvent | None:
    """Return the event a block records; None where it tells of nothing."""
    text = text.strip()[:MAX_BLOCK]
    fields = _json_fields(text)
    if fields is None:
        fields = {name: _child(text, name) for name in _NAMES}
        if not any(fields.values()):
            fields = {"summary": _ANY_TAG.sub(" ", text)}
    return event_of(fields)


def event_of(fields: Mapping[str, Any]) -> RecordedEvent | None:
    """Return the event that named fields tell of; None without a summary."""
    summary = _text(fields.get("summary"), MAX_SUMMARY)
    if not summary:
        return None
    return RecordedEvent(
        summary,
        _text(fields.get("type"), MAX_NAME),
        _names(fields.get("participants")),
        _text(fields.get("location"), MAX_NAME),
        _names(fields.get("tags")),
    )


def read_flags(text: str) -> tuple[str, ...]:
    """Return the flags a block sets, by name."""
    text = text.strip()[:MAX_BLOCK]
    fields = _json_fields(text)
    if fields is not None:
        return _names(fields.get("flags", fields.get("flag", fields.get("name"))))
    return _names(_ANY_TAG.sub(" ", text))


def _json_fields(text: str) -> Mapping[str, Any] | None:
    if text[:1] != "{":
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _child(text: str, name: str) -> str:
    """Return what stands in the first child tag of this name; an unclosed one ends at the next."""
    begin = re.search(rf"<{name}(?:\s[^<>]{{0,200}})?>", text, re.IGNORECASE)
    if begin is None:
        return ""
    end = re.compile(r"</?\w", re.ASCII).search(text, begin.end())
    close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, begin.end())
    stop = close or end
    return text[begin.end() : stop.start() if stop else len(text)]


def _names(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else [value]
    words = [w for part in parts if isinstance(part, str) for w in _BETWEEN.split(part)]
    names = (clean_text(word, MAX_NAME) for word in words)
    return tuple(dict.fromkeys(name for name in names if name))[:MAX_NAMES]


def _text(value: object, limit: int) -> str:
    return clean_text(value, limit) if isinstance(value, str) else ""


# Read the tags of a reply while it streams (design note 003 §3.2), cut at any character.
#
# `<thought>`, `<state_update>`, `<record_event>`, `<trigger_flag>` and `<reply>`, under other
# names of other dialects too. What stands in no block is the reply; tags that nobody knows are a
# part of it. Nothing is lost: a block that never ends is text again, but for a thought, which is
# never told. It costs time in proportion to what arrives.


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
_TAG = late_pattern(rf"<(/?)({'|'.join(_TAGS)})(?=[\s/>])([^<>]{{0,{_MAX_ATTRIBUTES}}})>", _FLAGS)
_BEGUN = late_pattern(rf"</?([a-z_]*)((?:[\s/][^<>]{{0,{_MAX_ATTRIBUTES - 1}}})?)", _FLAGS)


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
        self._pieces: list[ReplyPiece] = []
        self._is_whole = True

    def feed(self, text: str) -> list[ReplyPiece]:
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
        self._pieces.append(ReplyPiece(kind, text))


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
