"""The recall lab: questions with known answers.

It compares two ways of recall on them, and which answers are in prompts of some budgets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal, Self, get_args

from engram_desktop.domain.errors import BadSetting, InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.query import ITEM_KINDS, Dropped, ItemKind, MemoryItem
from engram_desktop.domain.recall.ranking import DEFAULT, Weights
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP

LabEmbedder = Literal["current", "use", "hash"]
WEIGHTS: tuple[str, ...] = tuple(f.name for f in fields(Weights) if f.name != "rerank")
LEAST_BUDGET, MOST_BUDGET = 100, 200_000  # tokens of a prompt's memory, as `inject.tokens` allows
_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Expected:
    """A memory that a question should find. ``text`` is its text when it was chosen."""

    kind: ItemKind
    ref: str
    first: int
    last: int
    text: str = ""

    @classmethod
    def of(cls, item: MemoryItem) -> Self:
        text = " ".join(item.content.split())[:120]
        return cls(item.kind, item.ref, item.start_index, item.end_index, text)


@dataclass(frozen=True, slots=True)
class LabQuestion:
    """A stored question, asked on a branch as of floor ``at`` (None: its end)."""

    id: str
    query: str
    expected: tuple[Expected, ...]
    branch_id: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """One side of a comparison."""

    top_k: int = 10
    kinds: tuple[ItemKind, ...] = ITEM_KINDS
    weights: Weights = field(default_factory=lambda: DEFAULT)
    expand: bool = False
    rerank: bool = False
    embedder: LabEmbedder = "current"

    def changed(self, pairs: Mapping[str, str]) -> Setup:
        """Return a copy with ``pairs`` applied. Raises BadSetting.

        Keys are top_k, kinds, expand, rerank, embedder, without (legs to leave out), or a weight.
        """
        setup = self
        for key, value in pairs.items():
            try:
                setup = setup._with(key.strip(), value.strip())
            except (ValueError, KeyError, TypeError):
                raise BadSetting(
                    key, value, Phrase(_T("reports", "no such side of the lab"))
                ) from None
        return setup

    def _with(self, key: str, value: str) -> Setup:
        if key in WEIGHTS:
            return replace(self, weights=replace(self.weights, **{key: float(value)}))
        changes: dict[str, Any] = {}
        match key:
            case "top_k":
                changes = {"top_k": max(1, min(100, int(value)))}
            case "kinds":
                kinds = tuple(part.strip() for part in value.split(","))
                changes = {"kinds": tuple(ITEM_KINDS[ITEM_KINDS.index(k)] for k in kinds)}
            case "expand" | "rerank":
                changes = {key: _SWITCH[value.lower()]}
            case "embedder":
                changes = {"embedder": get_args(LabEmbedder)[get_args(LabEmbedder).index(value)]}
            case "without":
                legs = [part.strip() for part in value.split(",") if part.strip()]
                changes = {"weights": without(self.weights, legs)}
            case _:
                raise KeyError(key)
        return replace(self, **changes)


def without(weights: Weights, legs: Iterable[str]) -> Weights:
    """Return ``weights`` without some legs. Raises TypeError for an unknown leg."""
    return replace(weights, **dict.fromkeys(legs, 0.0))


@dataclass(frozen=True, slots=True)
class LabPlace:
    """The place of an expected memory on one side, or None, and its evidence."""

    rank: int | None = None
    why: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LabRow:
    """One question; ``sides`` holds for each side the places of the expected memories."""

    question: LabQuestion
    sides: tuple[tuple[LabPlace, ...], ...]
    is_missing: tuple[bool, ...] = ()  # whether an expected memory no longer exists

    def share(self, side: int) -> float:
        places = self.sides[side]
        return sum(f.rank is not None for f in places) / len(places) if places else 0.0


@dataclass(frozen=True, slots=True)
class LabReport:
    """The result of a comparison; ``degraded`` and ``milliseconds`` have an item for each setup."""

    setups: tuple[Setup, ...]
    rows: tuple[LabRow, ...]
    degraded: tuple[tuple[str, ...], ...]
    milliseconds: tuple[float, ...]  # median per question, by side

    def recall(self, side: int) -> float:
        """Return the mean share of expected memories that was found."""
        shares = [row.share(side) for row in self.rows]
        return sum(shares) / len(shares) if shares else 0.0


def read_budgets(text: str) -> tuple[int, ...]:
    """Parse budgets in tokens, separated by commas or blanks, each once. Raises InputError."""
    parts = [part for part in re.split(r"[\s,，、;；]+", text) if part]
    is_right = all(p.isdecimal() and LEAST_BUDGET <= int(p) <= MOST_BUDGET for p in parts)
    if not parts or not is_right:
        raise InputError(
            Phrase(
                _T("reports", "Budgets are whole numbers from {least} to {most}, with commas."),
                least=LEAST_BUDGET,
                most=MOST_BUDGET,
            )
        )
    return tuple(dict.fromkeys(map(int, parts)))


@dataclass(frozen=True, slots=True)
class PromptPlace:
    """Whether one expected memory is in a prompt, its evidence, and why it was left out if not."""

    is_in_prompt: bool = False
    why: dict[str, float] = field(default_factory=dict)
    dropped: Dropped | None = None


@dataclass(frozen=True, slots=True)
class PromptResult:
    """One question; for each budget the tokens of its prompt, and the expected memories."""

    question: LabQuestion
    tokens: tuple[int, ...]
    places: tuple[tuple[PromptPlace, ...], ...]
    is_missing: tuple[bool, ...] = ()  # whether an expected memory no longer exists

    def share(self, number: int) -> float:
        places = self.places[number]
        return sum(p.is_in_prompt for p in places) / len(places) if places else 0.0


@dataclass(frozen=True, slots=True)
class PromptReport:
    """The prompts of all questions; each method returns the result for one of the budgets."""

    budgets: tuple[int, ...]
    rows: tuple[PromptResult, ...]
    degraded: tuple[str, ...] = ()

    def evidence(self, number: int) -> float:
        """Return the mean share of a question's expected memories that is in its prompt."""
        return sum(row.share(number) for row in self.rows) / len(self.rows) if self.rows else 0.0

    def tokens(self, number: int) -> float:
        """Return the mean number of tokens of a prompt."""
        taken = sum(row.tokens[number] for row in self.rows)
        return taken / len(self.rows) if self.rows else 0.0
