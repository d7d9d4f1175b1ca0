"""Which line of which chat a request is of, and where in it: the answer of identification."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass

# By an explicit path or header, by what the companion said, by the messages themselves, by a
# correction of the user's, by the card or persona (a chat that is not there yet), or not at all.
How = Literal["path", "header", "companion", "aligned", "corrected", "card", "none"]
# What the request wants: a reply to a new message, the newest reply anew, the newest reply
# continued, the player's next line written for them, or nothing of the story (a summary, a title,
# a translation, a quiet prompt).
Wanted = Literal["reply", "reroll", "continue", "impersonate", "quiet"]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A message of a request that the library does not have yet, without a name before its text."""

    index: int
    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Messages that a request shows before a ``floor``, and the line does not have there.

    ``is_first``: the request shows no other message before them.
    """

    floor: int
    said: tuple[Unseen, ...]
    is_first: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """A floor, and what it says in the request now."""

    index: int
    floor: int
    text: str


@dataclass(frozen=True, slots=True)
class Identity:
    """``line`` is None where the request is of no known chat; ``certainty`` is of 0..1.

    ``floors`` are (index in the request's list, floor of the line) for each message that is the
    floor's as it stands there. ``until`` is the newest floor that the request stands on; -1 where
    there is none. The line may go on behind it (a reroll, a fork): memory of what comes later is
    not to be told, `RecallQuery.at` is ``until``. ``unseen`` are the messages behind it that the
    line does not have yet. ``speaker`` is who is about to speak. ``card`` names the character
    of a chat that is not there yet. ``rivals`` are lines it may as well be of, where that is why
    there is none. ``may_speak`` are several who may be about to speak, where nothing says who, and
    ``knows_as`` the one of them as whom memory is told. ``edited`` are messages of floors that say
    something else in the request, ``gone`` floors that are surely not shown between others that
    are: hidden in the front end, or deleted. ``missing`` are messages between floors, or before
    them, that the line does not have. ``seen`` is how many floors the line had then, -1 where
    nobody looked.
    """

    line: Line | None
    how: How
    certainty: float
    why: Phrase
    wanted: Wanted = "reply"
    floors: tuple[tuple[int, int], ...] = ()
    until: int = -1
    speaker: str = ""
    card: str = ""
    unseen: tuple[Unseen, ...] = ()
    edited: tuple[Edited, ...] = ()
    gone: tuple[int, ...] = ()
    rivals: tuple[Line, ...] = ()
    may_speak: tuple[str, ...] = ()
    knows_as: str = ""
    missing: tuple[Missing, ...] = ()
    seen: int = -1

    @property
    def listener(self) -> str:
        """Who memory is told to."""
        return self.knows_as or self.speaker

    @property
    def is_apart(self) -> bool:
        """Whether a request of this line shows none of its floors."""
        return not self.floors and self.until >= 0

    def moved(self, floor: int, by: int) -> Identity:
        """Return it as it is when ``by`` messages were put in before ``floor``."""

        def to(old: int) -> int:
            return old + by if old >= floor else old

        return replace(
            self,
            floors=tuple((index, to(old)) for index, old in self.floors),
            until=to(self.until),
            edited=tuple(replace(edit, floor=to(edit.floor)) for edit in self.edited),
            gone=tuple(map(to, self.gone)),
            missing=tuple(replace(some, floor=to(some.floor)) for some in self.missing),
            seen=self.seen if self.seen < 0 else self.seen + by,
        )

    @property
    def visible_from(self) -> int | None:
        """The first floor of which the request holds all that follows; None where it holds none."""
        return min((floor for _index, floor in self.floors), default=None)
