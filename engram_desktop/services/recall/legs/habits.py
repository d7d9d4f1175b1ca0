"""How people talk in a chat: in turns or in notes, in lines or in pages, asking or telling.

The same evidence means different things in different chats. Where one person writes notes, the
message beside a match answers nothing; among pages the words of eight neighbours are all words; and
who asks in nearly every message is not shown by a question mark to say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engram_desktop.domain.recall.cues import asking_share
from engram_desktop.domain.recall.lexemes import rough_tokens
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.domain.recall.ranking import Rows, Scores
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.legs.wording import text_of
from engram_desktop.services.recall.view import View

_SAMPLE = 128  # messages from all over the chat: a mean share is then known to .04
# Mean tokens of a message up to which neighbours count whole. The sets of lines have 25 to 60,
# that of pages 370 to 690; between them nothing was measured.
_LINE = 80.0
# Messages that ask nothing, added to those that were read: three questions are no habit. Not
# measured, the sets have hundreds of messages.
_PRIOR = 8


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares from 0 to 1; ``usual`` is the mean length of a message in tokens.

    ``alternation``: of the messages, how many have another speaker than the one before;
    ``user_asks``, ``others_ask``: mean share of a message that is questions.
    """

    alternation: float = 1.0
    usual: float = 1.0
    user_asks: float = 0.0
    others_ask: float = 0.0

    @classmethod
    def of(cls, view: View, items: Sequence[MemoryItem]) -> Habits:
        """Describe a chat by its columns and some of its messages."""
        if not items:
            return cls()
        is_user = {
            int(view.layout.ids[row]): bool(view.layout.is_user[row])
            for row in view.rows_of(np.array([item.id for item in items], dtype=np.int64))
        }
        asks: dict[bool, list[float]] = {True: [], False: []}
        for item in items:
            asks[is_user.get(item.id, False)].append(asking_share(text_of(item)))
        user, others = (sum(a) / (_PRIOR + len(a)) for a in (asks[True], asks[False]))
        usual = sum(rough_tokens(item.content) for item in items) / len(items)
        return cls(view.alternation, usual, user, others)

    @property
    def nearness(self) -> float:
        """What the words of a neighbour are worth: less beside notes and among pages."""
        return self.alternation * min(1.0, _LINE / self.usual)

    @property
    def notes(self) -> float:
        """How far the chat is notes of one person: 0 from every other message answered on."""
        return max(0.0, 1.0 - 2.0 * self.alternation)

    def telling(self, is_user: np.ndarray) -> Scores:
        """Return what a question mark is worth, for messages by the user and by others.

        Squared: measured against the first and the third power, best on the mean of all sets.
        """
        telling: Scores = (1.0 - np.where(is_user, self.user_asks, self.others_ask)) ** 2
        return telling


def sampled(view: View) -> Rows:
    """Return the rows of messages from all over the chat.

    They stay the same ones until it has grown by a thirty-second: reading them costs 2 ms, which a
    new message would pay.
    """
    count = int(view.turns.size)
    shift = max(0, count.bit_length() - 6)
    count = count >> shift << shift
    if not count:
        return view.turns
    places = np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(np.intp))
    return view.turns[places]
