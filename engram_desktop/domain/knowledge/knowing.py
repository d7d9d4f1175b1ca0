"""Who knows a memory, since when and how: values, and what of a memory a later telling repeats."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, Literal

from typing_extensions import override

from engram_desktop.domain.knowledge.perception import Perceiver, PrivatePart
from engram_desktop.domain.values import dataclass

Knowing = Literal["there", "told", "overheard", "read", "thought", "confirmed", "unknown"]
# A telling repeats a memory where it holds so much of what is rare in it: of its words, weighed by
# how rare they are in the chat. Chosen on the stories in tests/omniscience.
TELLS = 0.3
TELLING_WORDS = 3  # different rare words at least: two names in one sentence repeat nothing


@dataclass(frozen=True, slots=True)
class Knower:
    """One who knows a memory from floor ``from_floor`` on.

    ``how`` as `Knowing`; ``told_by`` is the kind and id of the memory by which it was learned
    later, empty for who was there. ``is_said``: the user says so.
    """

    actor: str
    from_floor: int
    how: str
    told_by: tuple[str, str] = ("", "")
    confidence: float = 1.0
    is_said: bool = False


@dataclass(frozen=True, slots=True)
class Secret:
    """A memory that only some know: its kind, id, text and floors, who knows it, who must not."""

    kind: str
    ref: str
    text: str
    first: int
    last: int
    knowers: tuple[str, ...]
    kept_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresentFloor:
    """Who perceives one message: its open text, and its private parts with their text.

    ``audience`` None: it is not derived yet, and so nobody knows it. ``is_known``: whether it could
    be told who is there. ``source``: rules, model or user.
    """

    floor: int
    message_id: str
    speaker: str
    audience: tuple[Perceiver, ...] | None
    parts: tuple[tuple[PrivatePart, str], ...] = ()
    is_known: bool = True
    source: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON knows them."""
        return {
            "floor": self.floor,
            "id": self.message_id,
            "speaker": self.speaker,
            "present": None if self.audience is None else [_person(p) for p in self.audience],
            "is_known": self.is_known,
            "source": self.source,
            "parts": [
                {"kind": part.kind, "text": text, "present": [_person(p) for p in part.audience]}
                for part, text in self.parts
            ],
        }

    @override
    def __str__(self) -> str:
        names = "?" if self.audience is None else ", ".join(p.name for p in self.audience) or "–"
        parts = "".join(
            f" [{part.kind}: {', '.join(p.name for p in part.audience) or '–'}]"
            for part, _text in self.parts
        )
        return f"{self.floor:>6} {self.speaker}: {names}{parts}{'' if self.is_known else ' (?)'}"


def _person(person: Perceiver) -> dict[str, Any]:
    return {"name": person.name, "how": person.how, "confidence": person.confidence}


def repeated(
    weights: Mapping[str, float], candidates: Mapping[int, Collection[str]]
) -> dict[int, float]:
    """Return by candidate how much of a memory it repeats, from 0 to 1; at least `TELLS`.

    ``weights`` are the rare words of the memory with their rarity, ``candidates`` those of them
    that each later memory holds.
    """
    whole = sum(weights.values())
    if not whole:
        return {}
    shares = {
        item: sum(weights[word] for word in words) / whole
        for item, words in candidates.items()
        if len(words) >= TELLING_WORDS
    }
    return {item: share for item, share in shares.items() if share >= TELLS}


def rarity(count: int, items: int) -> float:
    """Return how rare a word is that ``count`` of ``items`` memories hold; 0 for a common one."""
    return max(0.0, math.log(items / (1 + count)) - 1.0) if items else 0.0
