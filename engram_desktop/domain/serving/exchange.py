"""One request that went through the server, as the page shows it live."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import Injection
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.domain.serving.placing import Spot
from engram_desktop.domain.values import dataclass

# Memory was put in; there was none to put in; the request is of no chat, or of no story; memory
# took too long or failed and the request went on without it; the server refused the request.
Outcome = Literal["filled", "empty", "unknown", "quiet", "late", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """``number`` counts from 1 since the server started; ``at`` is in ms since 1970.

    ``status`` is the HTTP status of the answer, 0 while there is none; ``failure`` is what went
    wrong, in the words of the server that was asked. ``memory_ms`` is what memory took,
    ``first_ms`` the time to the first byte of the answer, ``total_ms`` to its last.
    ``saved_tokens`` are of messages left out. ``before`` and ``after`` are the bodies as they came
    and as they were sent on; they are held in memory for the newest exchanges only, and "" for
    others. ``host`` is the server that was asked. ``place`` is where memory stands in the request,
    "" where none was put in; ``left_out`` counts messages that memory tells instead.
    """

    number: int
    at: int
    path: str
    client: str = ""
    model: str = ""
    identity: Identity | None = None
    injection: Injection | None = None
    outcome: Outcome = "unknown"
    status: int = 0
    failure: Phrase | str = ""
    memory_ms: float = 0.0
    first_ms: float = 0.0
    total_ms: float = 0.0
    saved_tokens: int = 0
    is_finished: bool = False
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    host: str = ""
    place: Spot = ""
    left_out: int = 0
    kept: str = ""  # what became of it in the library: "", "message", "swipe", "edit", …
