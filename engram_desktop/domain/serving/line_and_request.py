"""The two sides of an alignment: the last floors of a line, and the messages of a request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from engram_desktop.domain.memory.line import Line, content_hash
from engram_desktop.domain.serving.prompt_rows import (
    STARTS,
    PromptEnding,
    turns_of_prompt,
    unfolded,
)
from engram_desktop.domain.serving.request import (
    JOINED,
    LINE,
    FrontRequest,
    ListedMessage,
    original_end,
    plain,
    split_thought,
    worth,
)
from engram_desktop.domain.serving.request import pieces as sentences
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

    said: ListedMessage

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

    def is_narrators(self, texts: Collection[str]) -> bool:
        """Return whether it is a message of the narrator: one of these plain texts."""
        return self.said.role == "system" and self.keys[0] in texts


# A request, prepared once to be aligned with many lines.

LEAST_ADDED = 8  # letters of a note: a shorter text may be an edit, or a repeat
# What SillyTavern puts before a greeting where the player must speak first ("strict" requests): its
# `promptPlaceholder` as it is installed, and what stands in for none.
_FILLERS = frozenset({"[Start a new chat]", "Let's get started."})
_CHARS = 400_000  # characters, from the end, whose sentences are looked up
_LONG = 300  # characters of a message that may hold a whole story
_PRINTED = 8  # newest messages by which a conversation is recognised


@dataclass(frozen=True)
class RequestPieces:
    """``pieces`` are all messages; of a completion those between its marks, or its prompt.

    ``is_unfolded``: they were one message of the request, see `unfolded`. ``ending`` is that of a
    prompt whose marks were read, see `turns_of_prompt`.
    """

    request: FrontRequest
    pieces: tuple[RequestMessage, ...]
    is_unfolded: bool = False
    ending: PromptEnding | None = None

    @classmethod
    def of(cls, request: FrontRequest) -> RequestPieces:
        """Prepare a request."""
        messages = unfolded(request.said) if request.kind == "chat" else ()
        turns = turns_of_prompt(request)
        all_said = turns.said if turns is not None else messages or request.said
        rows = [n for n, said in enumerate(all_said) if said.role in ("user", "assistant")][:2]
        first = [all_said[n] for n in rows]
        has_filler = [said.role for said in first] == ["user", "assistant"]
        filler = rows[0] if has_filler and first[0].text.strip() in _FILLERS else -1
        return cls(
            request,
            tuple(
                RequestMessage(replace(said, role="note") if n == filler else said)
                for n, said in enumerate(all_said)
            ),
            bool(messages),
            turns.ending if turns is not None else None,
        )

    @property
    def is_in_one(self) -> bool:
        """Return whether several messages were read from one of the request."""
        return self.is_unfolded or self.ending is not None

    @property
    def are_messages(self) -> bool:
        """Return whether it is known where each message begins."""
        return self.request.kind == "chat" or self.ending is not None

    @property
    def folded(self) -> RequestPieces:
        """Return the request with its messages as they were sent."""
        whole = tuple(map(RequestMessage, self.request.said))
        return RequestPieces(self.request, whole) if self.is_in_one else self

    def index(self, at: int) -> int:
        """Return the index, in the request's list, of the message with a piece."""
        return 0 if self.is_in_one else self.pieces[at].said.index

    @property
    def opening(self) -> str:
        """Return the text of an assistant's message behind all others; "" without one.

        It is the beginning of the reply, or the newest message, to be continued.
        """
        last = self.pieces[-1] if self.pieces and self.are_messages else None
        return last.said.text if last and last.said.role == "assistant" and last.keys[0] else ""

    def with_order_behind(self, opening: str) -> RequestPieces:
        """Return the request with the text behind ``opening``, in the same message, as an order.

        ``opening`` is plain, and no message. Only for a whole chat in one message.
        """
        if not self.is_unfolded or not opening or not self.opening:
            return self
        last = self.pieces[-1].said
        end = original_end(last.text, len(opening))
        rest = last.text[end:].removeprefix(last.joint)
        is_apart = rest.strip() and len(rest) < len(last.text) - end
        if not is_apart or not plain(last.text).startswith(opening):
            return self
        note = RequestMessage(replace(last, role="note", text=last.text[:end]))
        order = RequestMessage(ListedMessage(last.index + 1, "system", rest))
        return replace(self, pieces=(*self.pieces[:-1], note, order))

    @property
    def without_last(self) -> RequestPieces:
        return replace(self, pieces=self.pieces[:-1])

    def without(self, notes: Collection[str]) -> RequestPieces:
        """Return the request with messages that are notes marked by the role "note"."""
        pieces = (
            RequestMessage(replace(piece.said, role="note"))
            if piece.is_story and piece.keys[0] in notes
            else piece
            for piece in self.pieces
        )
        return replace(self, pieces=tuple(pieces)) if notes else self

    @property
    def asked(self) -> str:
        """Return the player's last message; empty for a completion."""
        said = (piece.said for piece in reversed(self.pieces) if self.are_messages)
        return next((message.text for message in said if message.role == "user"), "")

    def may_have_more(self, piece: RequestMessage) -> bool:
        """Return whether a front end may have joined a text of its own to a message."""
        is_any = self._is_merged or piece.said.joint == LINE
        return piece.said.role == "user" or (piece.is_story and is_any)

    @cached_property
    def _is_merged(self) -> bool:
        """Return whether messages of one role may be joined: no two are next to each other."""
        roles = [piece.said.role for piece in self.pieces]
        return self.is_unfolded or "assistant" not in {a for a, b in pairwise(roles) if a == b}

    def joined_at(self, text: str) -> tuple[int, str]:
        """Return the one message with a text as paragraphs, and the rest of that message.

        (-1, "") if no message has it, or several do: a note is in one only.
        """
        if len(text) < LEAST_ADDED:
            return -1, ""
        found = [
            (at, rest)
            for at, piece in enumerate(self.pieces)
            if self.may_have_more(piece) and (rest := piece.without_paragraphs(text))
        ]
        return found[0] if len(found) == 1 else (-1, "")

    def joined_paragraphs(self, text: str) -> frozenset[str]:
        """Return the paragraphs of a note joined to a message: each may be a note."""
        at = self.joined_at(text)[0]
        parts = self.pieces[at].paragraphs_of(text) if at >= 0 else []
        return frozenset(part for part in parts if len(part) >= LEAST_ADDED)

    def without_added(self, added: Collection[str], floors: Iterable[Floor]) -> RequestPieces:
        """Return the request without texts added to messages, except messages equal to a floor."""
        bare, said = self, {key for floor in floors for key in floor.keys}
        for text in sorted(added, key=lambda text: (-len(text), text)):
            at, rest = bare.joined_at(text)  # one message may have several
            if at >= 0 and bare.pieces[at].keys[0] not in said:
                pieces = list(bare.pieces)
                pieces[at] = RequestMessage(replace(pieces[at].said, text=rest))
                bare = replace(bare, pieces=tuple(pieces))
        return bare

    @cached_property
    def texts(self) -> list[str]:
        """Return the plain texts to look up, with and without names; none for a completion."""
        if not self.are_messages:
            return []
        return [key for piece in self.pieces if piece.keys[0] for key in piece.keys]

    @cached_property
    def joined_texts(self) -> frozenset[str]:
        """Return the plain paragraphs of messages that have several: some may be notes."""
        said = (piece.said for piece in self.pieces if self.may_have_more(piece))
        parts = (message.text.split(message.joint) for message in said)
        return frozenset(plain(text) for texts in parts if len(texts) > 1 for text in texts)

    @cached_property
    def whole(self) -> str:
        """Return the text of all messages, to be cut into sentences."""
        return "\n".join(piece.said.text[-_CHARS:] for piece in self.pieces)[-_CHARS:]

    @cached_property
    def looked_up(self) -> list[tuple[str, float]]:
        """Return the texts and sentences to look up, each once, with its worth."""
        texts = dict.fromkeys([*self.texts, *sentences(self.whole)])
        return [(text, worth(text)) for text in texts]

    @cached_property
    def story_count(self) -> int:
        """Return the number of messages by the player or a model."""
        return sum(piece.is_story for piece in self.pieces)

    @cached_property
    def first_said(self) -> int:
        """Return where the chat begins: behind the last line that marks it, 0 without one."""
        marks = (n for n, piece in enumerate(self.pieces) if _says_start(piece.said))
        return max(marks, default=-1) + 1

    @cached_property
    def long_pieces(self) -> list[int]:
        """Return the positions of messages that may hold a whole story, the longest first."""
        sizes = [(len(piece.said.text), at) for at, piece in enumerate(self.pieces)]
        return [at for size, at in sorted(sizes, reverse=True)[:2] if size >= _LONG]

    @cached_property
    def fingerprint(self) -> tuple[str, ...]:
        """Return hashes of the newest messages, by which a conversation is recognised."""
        if not self.are_messages:
            lines = [plain(line) for line in self.whole[-20_000:].splitlines()]
            texts = [line for line in lines if len(line) >= _PRINTED]
        else:
            texts = [piece.keys[-1] for piece in self.pieces if piece.is_story]
        return tuple(content_hash(text) for text in texts[-3 * _PRINTED :])


def _says_start(said: ListedMessage) -> bool:
    rows = said.text.strip().splitlines() if said.role == "system" else []
    return any(STARTS.match(row) for row in (*rows[:1], *rows[-1:]))
