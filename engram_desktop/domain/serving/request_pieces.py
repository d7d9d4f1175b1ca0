"""A request, prepared once to be laid beside many lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property

from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.serving.alignment import Floor, RequestMessage
from engram_desktop.domain.serving.request import FrontRequest, Said, original_end, plain, worth
from engram_desktop.domain.serving.request import pieces as sentences
from engram_desktop.domain.values import dataclass

_LEAST_ADDED = 8  # letters of what is joined to a message: less may be an edit
_PARAGRAPH = re.compile(r"[^\w\n]*\n\s*\n")
# What SillyTavern puts before a greeting where the player must speak first ("strict" requests).
_FILLER = "Let's get started."
_CHARS = 400_000  # characters, from the end, of which the sentences are looked up
_LONG = 300  # characters of a message that may hold a whole story
_PRINTED = 8  # newest messages that a conversation is known again by
# A line that a front end puts between examples and the chat, alone or joined to other system lines.
_STARTS = re.compile(
    r"\W{0,3}(?:start|begin) (?:a )?new|\W{0,3}开始新|\W{0,3}新的?(?:聊天|对话)", re.IGNORECASE
)


@dataclass(frozen=True)
class RequestPieces:
    """``pieces`` are all messages; a completion's is one: its prompt."""

    request: FrontRequest
    pieces: tuple[RequestMessage, ...]

    @classmethod
    def of(cls, request: FrontRequest) -> RequestPieces:
        """Prepare a request."""
        rows = [n for n, said in enumerate(request.said) if said.role in ("user", "assistant")][:2]
        first = [request.said[n] for n in rows]
        has_filler = [said.role for said in first] == ["user", "assistant"]
        filler = rows[0] if has_filler and first[0].text.strip() == _FILLER else -1
        return cls(
            request,
            tuple(
                RequestMessage(replace(said, role="note") if n == filler else said)
                for n, said in enumerate(request.said)
            ),
        )

    def without(self, notes: Collection[str]) -> RequestPieces:
        """Return it with messages that are notes as what nobody says."""
        pieces = (
            RequestMessage(replace(piece.said, role="note"))
            if piece.is_story and piece.keys[0] in notes
            else piece
            for piece in self.pieces
        )
        return RequestPieces(self.request, tuple(pieces)) if notes else self

    @property
    def asked(self) -> str:
        """What the player said last; empty of a completion."""
        is_chat = self.request.kind == "chat"
        said = (piece.said for piece in reversed(self.pieces) if is_chat)
        return next((message.text for message in said if message.role == "user"), "")

    def added_at(self, text: str) -> tuple[int, int]:
        """Return the one message of the player that a paragraph ends, and where that begins.

        (-1, -1) where none ends so, or several do: then it is what the player says.
        """
        found = [
            (at, original_end(piece.said.text, len(piece.keys[0]) - len(text)))
            for at, piece in enumerate(self.pieces)
            if piece.said.role == "user" and piece.keys[0] != text and piece.keys[0].endswith(text)
        ]
        is_one = len(found) == 1 and len(text) >= _LEAST_ADDED
        is_apart = is_one and _PARAGRAPH.match(self.pieces[found[0][0]].said.text, found[0][1])
        return found[0] if is_apart else (-1, -1)

    def without_added(self, added: Collection[str], floors: Iterable[Floor]) -> RequestPieces:
        """Return it without what a front end joins to a message; one that is a floor's stays."""
        pieces = list(self.pieces)
        for at, end in map(self.added_at, added):
            if at >= 0 and not any(pieces[at].keys[0] in floor.keys for floor in floors):
                said = pieces[at].said
                pieces[at] = RequestMessage(replace(said, text=said.text[:end]))
        return RequestPieces(self.request, tuple(pieces)) if added else self

    @cached_property
    def texts(self) -> list[str]:
        """Plain texts to look up, with and without names before them; none of a completion."""
        if self.request.kind == "completion":
            return []
        return [key for piece in self.pieces if piece.keys[0] for key in piece.keys]

    @cached_property
    def joined_texts(self) -> frozenset[str]:
        """Plain paragraphs of messages of the player that have several: some may be notes."""
        said = (piece.said for piece in self.pieces if piece.said.role == "user")
        parts = (message.text.split("\n\n") for message in said)
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
        if self.request.kind == "completion":
            lines = [plain(line) for line in self.whole[-20_000:].splitlines()]
            texts = [line for line in lines if len(line) >= _PRINTED]
        else:
            texts = [piece.keys[-1] for piece in self.pieces if piece.is_story]
        return tuple(content_hash(text) for text in texts[-3 * _PRINTED :])


def _says_start(said: Said) -> bool:
    rows = said.text.strip().splitlines() if said.role == "system" else []
    return any(_STARTS.match(row) for row in (*rows[:1], *rows[-1:]))
