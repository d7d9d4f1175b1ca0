"""One request to a model as the log of requests has it: what was asked, what came back."""

from __future__ import annotations

from dataclasses import field

from engram_desktop.domain.values import dataclass


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
