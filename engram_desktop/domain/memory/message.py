"""A message of a chat, as read from a file and as kept in the library."""

from __future__ import annotations

import hashlib
from typing import Literal

from engram_desktop.domain.values import dataclass

Role = Literal["user", "assistant", "system"]


def swipe_hash(name: str, text: str) -> str:
    """Identify a text and its speaker: 32 hex digits of BLAKE2b over name and chosen swipe."""
    source = f"{name}\x00{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(source, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """One message read from a file. Only the text of the chosen swipe counts.

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
    speaker_id: str = ""  # `original_avatar` if present: names are not identities
    swipes: int = 1

    @property
    def swipe_hash(self) -> str:
        return swipe_hash(self.name, self.text)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a branch.

    ``seq`` is its 0-based position: the floor, as in SillyTavern, so the greeting is 0.
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
    is_routine: bool = False  # of a turn that only changed numbers: no memory is made of it

    @property
    def is_untold(self) -> bool:
        """Whether no memory is made of it: a notice, or routine."""
        return self.is_notice or self.is_routine

    @property
    def is_notice(self) -> bool:
        """Whether it is SillyTavern's own line or a comment, not part of the story.

        A message hidden with /hide stays part of the story: old messages are hidden because a
        memory covers them.
        """
        return self.role == "system" and self.is_hidden
