"""Messages quoted in a prompt: which of them share a line, and what one more of them costs.

Short messages that stand close together on one day share a line, under one head that names their
floors; a gap between them is marked. Lines of one day stand under one heading. So a run of short
messages costs little more than its words, and a neighbour less than a message from elsewhere.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator

from engram_desktop.domain.text.tokens import token_weight
from engram_desktop.domain.values import dataclass

GAP = 4  # floors between two messages that still share a line; 2 to 6 differ by less than chance
SHORT = 160  # characters up to which a message shares its line; a longer one is easier read alone
LINE = 400  # characters of a line that more messages join
BESIDE, APART = " / ", " … "  # between two messages of a line: neighbours, or with a gap


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """One message as it will be quoted: ``text`` in one line, ``when`` its day as it is shown."""

    floor: int
    speaker: str
    text: str
    when: str = ""
    ref: str = ""
    weight: float = -1.0  # tokens of ``text``, before rounding; worked out where it is not given

    def __post_init__(self) -> None:
        if self.weight < 0:
            object.__setattr__(self, "weight", token_weight(self.text))

    @property
    def said(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


def share_a_line(first: QuotedMessage, then: QuotedMessage) -> bool:
    """Whether two quotes, ``first`` on the lower floor, may stand in one line."""
    return (
        then.floor - first.floor <= GAP
        and first.when == then.when
        and max(len(first.text), len(then.text)) <= SHORT
    )


class QuotedLines:
    """The quotes chosen so far, by floor. Costs are in tokens, before rounding.

    ``head`` is what the head of a line costs: a day is its own line.
    """

    def __init__(self, head: float) -> None:
        self._head = head
        self._floors: list[int] = []
        self._quotes: dict[int, QuotedMessage] = {}

    def __contains__(self, floor: int) -> bool:
        return floor in self._quotes

    def get(self, floor: int) -> QuotedMessage | None:
        return self._quotes.get(floor)

    def cost_of(self, quote: QuotedMessage) -> float:
        """Return what adding a quote costs, or what its text costs in place of a shorter one."""
        known = self._quotes.get(quote.floor)
        if known is not None:
            return quote.weight - known.weight
        at = bisect_left(self._floors, quote.floor)
        left = self._quotes[self._floors[at - 1]] if at else None
        right = self._quotes[self._floors[at]] if at < len(self._floors) else None
        cost = quote.weight + self._lead(left, quote)
        if right is not None:
            cost += self._lead(quote, right) - self._lead(left, right)
        return cost

    def add(self, quote: QuotedMessage) -> None:
        if quote.floor not in self._quotes:
            self._floors.insert(bisect_left(self._floors, quote.floor), quote.floor)
        self._quotes[quote.floor] = quote

    def remove(self, floor: int) -> None:
        self._floors.remove(floor)
        del self._quotes[floor]

    def lines(self) -> Iterator[list[QuotedMessage]]:
        """Give the quotes of each line, in story order."""
        line: list[QuotedMessage] = []
        length = 0
        for floor in self._floors:
            quote = self._quotes[floor]
            if line and (not share_a_line(line[-1], quote) or length + len(quote.text) > LINE):
                yield line
                line, length = [], 0
            line.append(quote)
            length += len(quote.text)
        if line:
            yield line

    def _lead(self, before: QuotedMessage | None, quote: QuotedMessage) -> float:
        """Return what stands before the words of a quote: the head of a line, or a mark."""
        if before is not None and share_a_line(before, quote):
            named = "" if before.speaker == quote.speaker else quote.speaker
            return 1.0 + (token_weight(f"{named}:") if named else 0.0)
        is_headed = before is not None and before.when == quote.when
        day = 0.0 if is_headed else token_weight(quote.when)
        return self._head + day + token_weight(f"{quote.speaker}:")


def words_of(line: list[QuotedMessage]) -> str:
    """Return what a line says, each speaker named where the speaker changes."""
    text = line[0].said
    for before, quote in itertools.pairwise(line):
        mark = BESIDE if quote.floor == before.floor + 1 else APART
        text += mark + (quote.text if quote.speaker == before.speaker else quote.said)
    return text
