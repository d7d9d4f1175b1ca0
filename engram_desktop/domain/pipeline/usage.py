"""Calls to a model: what each of them used."""

from __future__ import annotations

from dataclasses import field

from engram_desktop.domain.settings import Settings
from engram_desktop.domain.values import dataclass

# What models cost: tokens, money where prices are known, and what is spent of a day's limit.


PER = 1_000_000  # tokens: prices are told for a million, as providers do


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One line of the usage page: what was asked of one model for one task on one local day."""

    day: str  # YYYY-MM-DD
    task: str
    model: str
    calls: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None  # None: no price is known


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What one local day has cost so far, in the whole library."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def plus(self, calls: int, prompt_tokens: int, completion_tokens: int) -> DayUsage:
        return DayUsage(
            self.calls + calls,
            self.prompt_tokens + prompt_tokens,
            self.completion_tokens + completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """About what a run would ask for. ``cost`` is None where no price is known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    currency: str = ""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def cost(settings: Settings, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return the price of so many tokens, or None where no price is known."""
    price_in, price_out = settings.llm_price_in, settings.llm_price_out
    if price_in == 0 and price_out == 0:
        return None
    return (prompt_tokens * price_in + completion_tokens * price_out) / PER


# One request to a model as the log of requests has it: what was asked, what came back.


@dataclass(frozen=True, slots=True)
class ModelCall:
    """``at`` is in milliseconds since 1970. ``cost`` is None where no price is known.

    ``request`` is the JSON that was sent, without any key; ``answer`` the text that came back.
    ``failure`` says in one line why none did.
    """

    number: int
    at: int
    task: str
    model: str
    host: str
    prompt_tokens: int
    completion_tokens: int
    elapsed_ms: int
    request: str = field(default="", repr=False)
    answer: str = field(default="", repr=False)
    failure: str = ""
    is_estimate: bool = False
    cost: float | None = None
