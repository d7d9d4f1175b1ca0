"""A request, prepared once to be laid beside many lines."""

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

LEAST_ADDED = 8  # letters of a note: less may be an edit, or said again
# What SillyTavern puts before a greeting where the player must speak first ("strict" requests): its
# `promptPlaceholder` as it is installed, and what stands in for none.
_FILLERS = frozenset({"[Start a new chat]", "Let's get started."})
_CHARS = 400_000  # characters, from the end, of which the sentences are looked up
_LONG = 300  # characters of a message that may hold a whole story
_PRINTED = 8  # newest messages that a conversation is known again by


@dataclass(frozen=True)
class RequestPieces:
    """``pieces`` are all messages; of a completion those between its marks, or its prompt.

    ``is_unfolded``: they stand in one message of the request, see `unfolded`. ``ending`` is that of
    a prompt whose marks were read, see `turns_of_prompt`.
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
        """Whether several messages were read from one of the request."""
        return self.is_unfolded or self.ending is not None

    @property
    def are_messages(self) -> bool:
        """Whether it is known where each message begins."""
        return self.request.kind == "chat" or self.ending is not None

    @property
    def folded(self) -> RequestPieces:
        """Return it with the messages as they stand in the request."""
        whole = tuple(map(RequestMessage, self.request.said))
        return RequestPieces(self.request, whole) if self.is_in_one else self

    def index(self, at: int) -> int:
        """Return the index, in the request's list, of the message that a piece stands in."""
        return 0 if self.is_in_one else self.pieces[at].said.index

    @property
    def opening(self) -> str:
        """What an assistant's message behind all others says; "" if none is there.

        A front end lets the reply begin so, or it is the newest message, to be gone on with.
        """
        last = self.pieces[-1] if self.pieces and self.are_messages else None
        return last.said.text if last and last.said.role == "assistant" and last.keys[0] else ""

    def with_order_behind(self, opening: str) -> RequestPieces:
        """Return it with what stands behind an ``opening``, in one message with it, as an order.

        ``opening`` is plain, and no message. So it is where the whole chat is one message.
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
        """Return it with messages that are notes as what nobody says."""
        pieces = (
            RequestMessage(replace(piece.said, role="note"))
            if piece.is_story and piece.keys[0] in notes
            else piece
            for piece in self.pieces
        )
        return replace(self, pieces=tuple(pieces)) if notes else self

    @property
    def asked(self) -> str:
        """What the player said last; empty of a completion."""
        said = (piece.said for piece in reversed(self.pieces) if self.are_messages)
        return next((message.text for message in said if message.role == "user"), "")

    def may_have_more(self, piece: RequestMessage) -> bool:
        """Whether a front end may have joined something of its own to a message."""
        is_any = self._is_merged or piece.said.joint == LINE
        return piece.said.role == "user" or (piece.is_story and is_any)

    @cached_property
    def _is_merged(self) -> bool:
        """Whether messages of one role may be sent as one: no two stand next to each other."""
        roles = [piece.said.role for piece in self.pieces]
        return self.is_unfolded or "assistant" not in {a for a, b in pairwise(roles) if a == b}

    def joined_at(self, text: str) -> tuple[int, str]:
        """Return the one message that holds a text as paragraphs, and what is left of that.

        (-1, "") where no message holds it, or several do: a note stands in one only.
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
        """Return the paragraphs of a note that is joined to a message: each may be a note."""
        at = self.joined_at(text)[0]
        parts = self.pieces[at].paragraphs_of(text) if at >= 0 else []
        return frozenset(part for part in parts if len(part) >= LEAST_ADDED)

    def without_added(self, added: Collection[str], floors: Iterable[Floor]) -> RequestPieces:
        """Return it without what a front end joins to a message; one that is a floor's stays."""
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
        """Plain texts to look up, with and without names before them; none of a completion."""
        if not self.are_messages:
            return []
        return [key for piece in self.pieces if piece.keys[0] for key in piece.keys]

    @cached_property
    def joined_texts(self) -> frozenset[str]:
        """Plain paragraphs of messages that have several: some may be notes."""
        said = (piece.said for piece in self.pieces if self.may_have_more(piece))
        parts = (message.text.split(message.joint) for message in said)
        return frozenset(plain(text) for texts in parts if len(texts) > 1 for text in texts)

    @cached_property
    def whole(self) -> str:
        """All that is said, to be cut into sentences that are looked up."""
        return "\n".join(piece.said.text[-_CHARS:] for piece in self.pieces)[-_CHARS:]

    @cached_property
    def looked_up(self) -> list[tuple[str, float]]:
        """Texts and sentences to look up, each once, with what it is worth."""
        texts = dict.fromkeys([*self.texts, *sentences(self.whole)])
        return [(text, worth(text)) for text in texts]

    @cached_property
    def story_count(self) -> int:
        """How many messages are the player's or a model's."""
        return sum(piece.is_story for piece in self.pieces)

    @cached_property
    def first_said(self) -> int:
        """Where the chat begins: behind the last line that says so, 0 where none does."""
        marks = (n for n, piece in enumerate(self.pieces) if _says_start(piece.said))
        return max(marks, default=-1) + 1

    @cached_property
    def long_pieces(self) -> list[int]:
        """Positions of messages that may hold a whole story, the longest first."""
        sizes = [(len(piece.said.text), at) for at, piece in enumerate(self.pieces)]
        return [at for size, at in sorted(sizes, reverse=True)[:2] if size >= _LONG]

    @cached_property
    def fingerprint(self) -> tuple[str, ...]:
        """Hashes of the newest messages, by which a conversation is known again."""
        if not self.are_messages:
            lines = [plain(line) for line in self.whole[-20_000:].splitlines()]
            texts = [line for line in lines if len(line) >= _PRINTED]
        else:
            texts = [piece.keys[-1] for piece in self.pieces if piece.is_story]
        return tuple(content_hash(text) for text in texts[-3 * _PRINTED :])


def _says_start(said: Said) -> bool:
    rows = said.text.strip().splitlines() if said.role == "system" else []
    return any(STARTS.match(row) for row in (*rows[:1], *rows[-1:]))
