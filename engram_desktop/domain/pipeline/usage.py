"""The use of models: calls, and their tokens and costs."""

from __future__ import annotations

from dataclasses import field

from engram_desktop.domain.settings import Settings
from engram_desktop.domain.values import dataclass

# The cost of models: tokens, money if prices are known, and the use of a day's limit.


PER = 1_000_000  # tokens: prices are per million, as providers list them


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One line of the usage page: a model's use for one task on one local day."""

    day: str  # YYYY-MM-DD
    task: str
    model: str
    calls: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None  # None: no known price


@dataclass(frozen=True, slots=True)
class DayUsage:
    """The use on one local day, in the whole library."""

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
    """The estimate of a run. ``cost`` is None if no price is known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    currency: str = ""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def cost(settings: Settings, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return the price of these tokens, or None if no price is known."""
    price_in, price_out = settings.llm_price_in, settings.llm_price_out
    if price_in == 0 and price_out == 0:
        return None
    return (prompt_tokens * price_in + completion_tokens * price_out) / PER


# One request to a model in the log of requests, with its answer.


@dataclass(frozen=True, slots=True)
class ModelCall:
    """``at`` is in milliseconds since 1970. ``cost`` is None if no price is known.

    ``request`` is the JSON that was sent, without any key; ``answer`` is the text received.
    ``failure`` is an error in one line.
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
