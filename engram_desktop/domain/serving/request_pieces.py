"""A request, prepared once to be aligned with many lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.serving.line_tail import Floor, RequestMessage
from engram_desktop.domain.serving.prompt_rows import PromptEnding, turns_of_prompt
from engram_desktop.domain.serving.request import (
    LINE,
    FrontRequest,
    Said,
    original_end,
    plain,
    worth,
)
from engram_desktop.domain.serving.request import pieces as sentences
from engram_desktop.domain.serving.single_message import STARTS, unfolded
from engram_desktop.domain.values import dataclass

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
        order = RequestMessage(Said(last.index + 1, "system", rest))
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


def _says_start(said: Said) -> bool:
    rows = said.text.strip().splitlines() if said.role == "system" else []
    return any(STARTS.match(row) for row in (*rows[:1], *rows[-1:]))
