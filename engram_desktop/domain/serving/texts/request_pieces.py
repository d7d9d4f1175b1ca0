"""A request, prepared once to be laid beside many lines."""

from __future__ import annotations

from functools import cached_property

from engram_desktop.domain.memory.ids import content_hash
from engram_desktop.domain.serving.finding.alignment import Piece
from engram_desktop.domain.serving.texts.plain_text import plain
from engram_desktop.domain.serving.texts.request import FrontRequest
from engram_desktop.domain.values import dataclass

_CHARS = 400_000  # characters, from the end, of which the sentences are looked up
_LONG = 300  # characters of a message that may hold a whole story
_PRINTED = 8  # newest messages that a conversation is known again by


@dataclass(frozen=True)
class RequestPieces:
    """``pieces`` are all messages; a completion's is one: its prompt."""

    request: FrontRequest
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, request: FrontRequest) -> RequestPieces:
        """Prepare a request."""
        return cls(request, tuple(Piece(said) for said in request.said))

    @cached_property
    def texts(self) -> list[str]:
        """Plain texts to look up, with and without names before them; none of a completion."""
        if self.request.kind == "completion":
            return []
        return [key for piece in self.pieces if piece.keys[0] for key in piece.keys]

    @cached_property
    def whole(self) -> str:
        """All that is said, to be cut into sentences that are looked up."""
        return "\n".join(piece.said.text[-_CHARS:] for piece in self.pieces)[-_CHARS:]

    @cached_property
    def story_count(self) -> int:
        """How many messages are the player's or a model's."""
        return sum(piece.is_story for piece in self.pieces)

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
