"""A message of a chat, as a file gives it and as the library keeps it."""

from __future__ import annotations

import hashlib
from typing import Literal

from engram_desktop.domain.values import dataclass

Role = Literal["user", "assistant", "system"]


def swipe_hash(name: str, text: str) -> str:
    """Identify what was said by whom: 32 hex digits of BLAKE2b over name and chosen swipe."""
    source = f"{name}\x00{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(source, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """One message as read from a file. Only the chosen swipe's text counts.

    ``sent_at`` is in milliseconds since 1970 UTC, None if the file gives none. ``raw`` is the
    message's own JSON, unchanged, so that unknown keys survive. ``line`` is 1-based.
    """

    name: str
    role: Role
    text: str
    is_hidden: bool
    sent_at: int | None
    raw: str
    line: int
    speaker_id: str = ""  # `original_avatar` where present: names are not identities
    swipes: int = 1

    @property
    def swipe_hash(self) -> str:
        return swipe_hash(self.name, self.text)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a branch.

    ``seq`` is its 0-based position: the floor, shown as SillyTavern shows it, so the greeting is 0.
    """

    id: str
    branch_id: str
    seq: int
    name: str
    role: Role
    text: str
    is_hidden: bool
    swipe_hash: str
    sent_at: int | None
    is_routine: bool = False  # of a turn that changed numbers only: no memory is made of it

    @property
    def is_untold(self) -> bool:
        """Whether no memory is made of it: a notice, or routine."""
        return self.is_notice or self.is_routine

    @property
    def is_notice(self) -> bool:
        """Whether it is SillyTavern's own line or a comment, and no part of the story.

        What a player hid with /hide stays a part of it: old messages are hidden because a memory
        tells them.
        """
        return self.role == "system" and self.is_hidden
