"""What the entries of worldbooks are compared with in one scan: the chat, and who speaks next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.filter import Speaker
from engram_desktop.domain.worldbooks.scan import PatternTest, ScanText
from engram_desktop.domain.worldbooks.timing import Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Entry, Trigger


@dataclass(frozen=True, slots=True)
class Scene:
    """What entries are compared with.

    ``meaning`` is how near the sense of those entries is that fire by it; None: it is not asked.
    ``unfilled`` are entries whose keys hold macros, as they were before these were filled.
    """

    text: ScanText
    speaker: Speaker = field(default_factory=Speaker)
    trigger: Trigger = "normal"
    timers: Timers = field(default_factory=Timers)
    meaning: Mapping[Key, float] | None = None
    unfilled: Mapping[Key, Entry] = field(default_factory=dict)
    is_in: PatternTest | None = None
    before: int = 0  # messages of the chat that are not among the texts; hidden ones never count

    @property
    def messages(self) -> int:
        """How many messages the chat has."""
        return self.before + len(self.text.messages)
