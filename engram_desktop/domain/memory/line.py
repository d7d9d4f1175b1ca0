"""A line: one branch of one chat, what a reader follows from the first floor to the last."""

from __future__ import annotations

from typing import Self

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Where something is read or done. Whoever means the main branch says so: `main`."""

    chat_id: str
    branch_id: str

    @classmethod
    def main(cls, chat_id: str) -> Self:
        """Return the main branch of a chat."""
        return cls(chat_id, MAIN_BRANCH)
