"""A request as it came and as it was sent on, laid out to be read; whatever it holds."""

from __future__ import annotations

import json
from collections import Counter
from typing import Self

from engram_desktop.domain.values import dataclass

MOST_SHOWN = 300_000  # characters of one body: a text field lays these out in a moment
LONGEST_LINE = 1_000  # characters: a message is one line of JSON, and a long line is slow to show


@dataclass(frozen=True, slots=True)
class Body:
    """``text`` is the very body, to be copied; ``shown`` what is read of it."""

    text: str
    shown: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Bodies:
    """``added`` are the lines of what is shown of ``after`` that ``before`` has not."""

    before: Body
    after: Body
    added: tuple[int, ...] = ()

    @classmethod
    def of(cls, before: str, after: str) -> Self:
        """Lay out both; an empty ``after`` was sent on as it came."""
        first, second = laid_out(before), laid_out(after or before)
        known = Counter(first.shown.split("\n"))
        added = []
        for number, line in enumerate(second.shown.split("\n")):
            if known[line]:
                known[line] -= 1
            else:
                added.append(number)
        return cls(first, second, tuple(added))


def laid_out(body: str) -> Body:
    """Indent what is JSON, break long lines, and mark half emojis."""
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        text = body
    text = text[:MOST_SHOWN].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    lines = [
        line[at : at + LONGEST_LINE]
        for line in text.replace("\0", "\ufffd").split("\n")
        for at in range(0, max(1, len(line)), LONGEST_LINE)
    ]
    return Body(body, "\n".join(lines), len(body) > MOST_SHOWN)
