"""Turns of play: their texts and records, and the tags a model writes into a reply."""

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
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# A turn of play: its texts, and how they are marked.


# The parts of a reply while it streams: text for the reader, and what accompanies it.


# reply: text for the transcript; thought: never in it; the others are marked blocks as written.
PieceKind = Literal["reply", "thought", "state", "event", "flag"]


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A piece of a reply that has arrived. Consecutive pieces of one kind belong together."""

    kind: PieceKind
    text: str


# Called often, on the thread of the turn: a window collects pieces and draws now and then.
OnPiece = Callable[[ReplyPiece], object]


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event recorded in a reply; ``kind`` is the story's own word for it, such as date."""

    summary: str
    kind: str = ""
    participants: tuple[str, ...] = ()
    location: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagResult:
    """A complete reply.

    ``reply`` is its text without tag blocks, ``thought`` the thoughts in it, ``updates`` the blocks
    that change the state, with their tags. ``is_whole`` is False if a block has no end: its text is
    then part of the reply, or of the thought.
    """

    reply: str
    thought: str = ""
    updates: tuple[str, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    flags: tuple[str, ...] = ()
    is_whole: bool = True


# A turn of play: its level, the memories recalled for it, and its effects.


# Who decided the level of a turn: the player, a light model, rules, a script.
LevelBy = Literal["hand", "model", "rules", "scene"]
# done: the model ended; stopped: by the player; cut: by the token limit or a broken connection.
Ending = Literal["done", "stopped", "cut"]
ToolWay = Literal["tools", "tags"]


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory given to the prompt of a turn, for ``TurnNote.speaker``.

    ``ref`` is the id of the message, event, entity or log; memories of a volume have floors -1.
    """

    kind: ItemKind
    ref: str
    text: str
    start_index: int
    end_index: int
    rank: int


@dataclass(frozen=True, slots=True)
class TurnNote:
    """The record of one turn, beside the message it made.

    ``floor`` and ``message_id`` are the reply's; ``swipe`` counts from 0. ``level`` is how the turn
    was judged, ``level_by`` who judged it and ``level_why`` why. ``recalled`` are memories given to
    the model as ``speaker`` may know them. ``state`` are changes in order; one with a ``fault`` had
    no effect. ``notices`` are remarks on what could not be read or was limited. ``event_pk`` is the
    key of the event in the library, None if none was recorded or it was deleted. ``thought`` is the
    model's thought; it is in no transcript and no later prompt.
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
    """The result of one action on a chat.

    ``reply`` is the whole text of the message at ``floor``; both are empty or None if a stopped
    reply had no text yet, so that nothing was kept. ``changes`` includes the player's message.
    """

    changes: Changes
    floor: int | None = None
    reply: str = ""
    note: TurnNote | None = None


@dataclass(frozen=True, slots=True)
class SceneMember:
    """A person who can speak in a scene. ``card_id`` is empty without a card."""

    name: str
    card_id: str = ""


@dataclass(frozen=True, slots=True)
class PlayScene:
    """Who plays in a chat: the player's name, the characters, and whose turn is next.

    ``script`` is the name of a scripted scene, played without a model, or empty; ``suggestion`` is
    the player's next line in it, empty at its end.
    """

    player: str
    members: tuple[SceneMember, ...] = ()
    next_speaker: str = ""
    script: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A chat that was started: its line, and the changes."""

    line: Line
    changes: Changes


@dataclass(frozen=True, slots=True)
class Swipes:
    """The readings of one message; ``chosen`` counts from 0. A message always has at least one."""

    texts: Sequence[str]
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class ScriptedScene:
    """A scene that plays without a model. ``title`` is in its own language."""

    name: str
    language: str
    title: str


# Actions in a message: *she nods*, as role-play chats mark them.


# An action ends on its line; two stars are Markdown's bold and not an action. Each star is tested
# once, since an action has none inside.
_ACTION = late_pattern(r"\*+[^*\n]+\*+|\*+")
BOLD = 2  # stars on each side that make bold text in Markdown


def actions(text: str) -> list[tuple[int, int]]:
    """Return the spans of actions, including stars, in text order."""
    spans = []
    for match in _ACTION.finditer(text):
        piece = match.group()
        inner = piece.strip("*")
        stars = len(piece) - len(inner)
        if inner and stars < 2 * BOLD and not inner.isspace():
            spans.append(match.span())
    return spans


# Tags that a model writes into a reply, including the block of an event.


# Read the content of `<record_event>` and `<trigger_flag>`: child tags, JSON, or plain words.


MAX_BLOCK = 100_000  # characters of one block that are read: bounds its time
MAX_NAMES = 40  # participants, tags or flags of one block: an event of a scene has fewer
_NAMES = ("type", "summary", "participants", "location", "tags")
_BETWEEN = late_pattern(r"[,，、;；|\n]")
_ANY_TAG = late_pattern(r"<[^<>]{0,200}>")


def read_event_block(text: str) -> RecordedEvent | None:
    """Return the event recorded in a block; None if there is none."""
    text = text.strip()[:MAX_BLOCK]
    fields = _json_fields(text)
    if fields is None:
        fields = {name: _child(text, name) for name in _NAMES}
        if not any(fields.values()):
            fields = {"summary": _ANY_TAG.sub(" ", text)}
    return event_of(fields)


def event_of(fields: Mapping[str, Any]) -> RecordedEvent | None:
    """Return the event with these named fields; None without a summary."""
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
    """Return the flags that a block sets, by name."""
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
    """Return the content of the first child tag of this name, up to the next tag if unclosed."""
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
# Tags that a block may hold: an event's fields, the parts of a variable update.
_INSIDE = frozenset({"content", "analysis", "jsonpatch"})
_MAX_ATTRIBUTES = 200  # characters: a longer tag is text, so that little is ever held back
_BLANK = " \t\r\n"
_FLAGS = re.IGNORECASE | re.ASCII
_TAG = late_pattern(rf"<(/?)({'|'.join(_TAGS)})(?=[\s/>])([^<>]{{0,{_MAX_ATTRIBUTES}}})>", _FLAGS)
_BEGUN = late_pattern(rf"</?([a-z_]*)((?:[\s/][^<>]{{0,{_MAX_ATTRIBUTES - 1}}})?)", _FLAGS)


class TagParser:
    """Reads the tags of one streaming reply (design note 003 §3.2), cut at any character.

    The tags are `<thought>`, `<state_update>`, `<record_event>`, `<trigger_flag>` and `<reply>`,
    also under the names of other dialects. Text outside of blocks is the reply; unknown tags are
    part of it. Nothing is lost: a block without an end becomes text again, except a thought, which
    is never shown. The time is proportional to the input. `feed` returns the pieces that are
    certain so far, `finish` the whole result. The pieces joined are the reply; only a thought
    without an opening tag is taken out of it at the end.
    """

    def __init__(self) -> None:
        self._held = ""  # may be the beginning of a tag
        self._block: _Block | None = None
        self._trusts = True  # that thoughts end at their closing tags
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
        """Add a piece of the stream; returns the resulting pieces, in order."""
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
        """End the reply here, and return all of it."""
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
        else:  # its end is missing: another block begins
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
        """Treat the text so far as a thought without an opening tag, as some servers send it."""
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
        """Add to the reply; blanks wait for further text, and those around a block are joined."""
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
    """The content of a block while it is read."""

    def __init__(self, kind: _Tag, name: str, opening: str) -> None:
        self.kind = kind
        self.name = name
        self.opening = opening
        self.depth = 1
        self.parts: list[str] = []
        self.reply_at: int | None = None  # where a reply begins, in case the block has no end

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def from_reply_on(self) -> str:
        """Cut off and return the part from a reply's tag on; empty if there is none."""
        if self.reply_at is None:
            return ""
        rest = "".join(self.parts[self.reply_at :])
        del self.parts[self.reply_at :]
        return rest


class _Gap:
    """Blanks held back: those before and after blocks are joined to the longer of both."""

    def __init__(self) -> None:
        self._before = ""
        self._parts: list[str] = []

    def add(self, blanks: str) -> None:
        self._parts.append(blanks)

    def part(self) -> None:
        """Note that there is a tag here."""
        self._before, self._parts = self.joined(), []

    def joined(self) -> str:
        after = "".join(self._parts)
        return max(self._before, after, key=lambda blanks: (blanks.count("\n"), len(blanks)))


def _is_empty(tag: re.Match[str]) -> bool:
    """Return whether a tag opens and ends at once: `<thought/>`."""
    return not tag[1] and tag[3].endswith("/")


def _may_be_tag(text: str) -> bool:
    """Return whether ``text`` could become a tag with more input."""
    begun = _BEGUN.fullmatch(text)
    if begun is None:
        return False
    name = begun[1].lower()
    return name in _TAGS if begun[2] else any(known.startswith(name) for known in _TAGS)
