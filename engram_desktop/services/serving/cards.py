"""Which character of the library a request is with, by what of its card stands in it."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from engram_desktop.domain.serving.texts.plain_text import plain
from engram_desktop.domain.values import dataclass
from engram_desktop.services.characters.speaking import character_of

if TYPE_CHECKING:
    from engram_desktop.domain.serving.texts.request_pieces import RequestPieces
    from engram_desktop.services.library.session import Session

_MACRO = re.compile(r"\{\{[^{}]{0,200}\}\}|<(?:user|char|bot)>", re.IGNORECASE)
_SHORTEST = 12  # plain characters of a card that must stand in a request
_LONGEST = 300  # of them that are looked for: a front end may cut the rest
_CARDS = 2_000  # cards that are known: each costs some 10 microseconds to look for
_LOOKED_IN = 200_000  # characters of a request that cards are looked for in, from its beginning


@dataclass(frozen=True)
class _Known:
    name: str
    texts: tuple[str, ...]  # what stands nowhere else: of the description, of the first message


class CardsInSystem:
    """The cards of a library, by a piece of each. Safe from any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._mark: tuple[tuple[str, int], ...] = ()
        self._cards: dict[str, tuple[int, _Known]] = {}
        session.on_leaving(self._forget)

    def refresh(self) -> None:
        """Read cards that are new or were changed."""
        rows = self._session.library.characters.rows()[:_CARDS]
        with self._lock:
            cards: dict[str, tuple[int, _Known]] = {}
            for row in rows:
                known = self._cards.get(row.id)
                if known is None or known[0] != row.updated_at:
                    card = character_of(self._session.library, row)
                    texts = (_longest(card.description), _longest(card.first_mes))
                    known = row.updated_at, _Known(row.name, tuple(filter(None, texts)))
                cards[row.id] = known
            self._cards = cards

    def card_of(self, pieces: RequestPieces) -> str:
        """Return the name of the character whose card stands in a request; "" for none."""
        self.refresh()
        whole = "\n".join(piece.said.text for piece in pieces.pieces)[:_LOOKED_IN]
        text = plain(whole)
        with self._lock:
            cards = [known for _at, known in self._cards.values()]
        fits = [
            (sum(len(part) for part in known.texts if part in text), known.name in whole, known)
            for known in cards
        ]
        best = max(fits, key=lambda fit: fit[:2], default=None)
        return best[2].name if best is not None and best[0] else ""

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            with self._lock:
                self._cards = {}


def _longest(text: str) -> str:
    """Return the longest part of a text of a card that a front end sends as it is."""
    parts = (plain(part) for part in _MACRO.split(text))
    longest = max(parts, key=len, default="")
    return longest[:_LONGEST] if len(longest) >= _SHORTEST else ""
