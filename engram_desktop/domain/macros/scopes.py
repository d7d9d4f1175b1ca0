"""Which macros have a text between an opening and a closing one: ``{{if x}} … {{/if}}``.

Only the outermost pairs are found: what lies between is read again when it is filled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from engram_desktop.domain.macros.blocks import MacroCall
from engram_desktop.domain.macros.javascript_values import BLANKS, trimmed
from engram_desktop.domain.values import dataclass

Takes = Callable[[MacroCall], bool]  # whether a macro may have a text of its own
# How often names may be compared for each macro of a text: hostile ones nest the same name often.
_LOOKS = 200


@dataclass(slots=True)
class Item:
    """A macro, as it is filled: with the text up to ``closing``, or left as it stands."""

    call: MacroCall
    closing: MacroCall | None = None
    is_left: bool = False

    @property
    def end(self) -> int:
        return self.closing.end if self.closing else self.call.end


def paired(calls: Sequence[MacroCall], takes: Takes) -> list[Item]:
    """Return the macros of a text, those between a pair left out."""
    pairs, left = _Pairs(calls, takes).pairs()
    items: list[Item] = []
    behind = 0
    for n, call in enumerate(calls):
        if n < behind:
            continue
        closing = pairs.get(n)
        if closing is not None:
            behind = closing + 1
        items.append(Item(call, None if closing is None else calls[closing], n in left))
    return items


class _Pairs:
    def __init__(self, calls: Sequence[MacroCall], takes: Takes) -> None:
        self._calls = calls
        self._takes = takes
        self._of_name: dict[str, list[int]] = defaultdict(list)
        self._closings: dict[str, int] = {}  # where the last of a name stands
        for n, call in enumerate(calls):
            if call.name:
                name = call.name.lower()
                self._of_name[name].append(n)
                if call.is_closing:
                    self._closings[name] = n
        self._place = {n: at for rows in self._of_name.values() for at, n in enumerate(rows)}
        self._looks = _LOOKS * len(calls)

    def pairs(self) -> tuple[dict[int, int], set[int]]:
        """Return opening to closing places, and the places of what stays as it is."""
        pairs: dict[int, int] = {}
        left: set[int] = set()
        if not self._closings:
            return pairs, left
        used: set[int] = set()
        behind = 0
        for n, call in enumerate(self._calls):
            if n < behind or not call.name or call.is_closing or n in used:
                continue
            closing = self._closing(n, used)
            if closing is None:
                continue
            used |= {n, closing}
            if self._takes(call):
                pairs[n] = closing
                behind = closing + 1
            else:
                left |= {n, closing}
        left |= {n for n, call in enumerate(self._calls) if call.is_closing and n not in used}
        return pairs, left

    def _closing(self, opening: int, used: set[int]) -> int | None:
        """Where the macro is closed that opens there."""
        name = self._calls[opening].name.lower()
        if self._closings.get(name, -1) < opening:
            return None
        depth = 1
        rows = self._of_name[name]
        for at in range(self._place[opening] + 1, len(rows)):
            self._looks -= 1
            if self._looks < 0:
                return None
            n = rows[at]
            if n in used:
                continue
            call = self._calls[n]
            if call.is_closing:
                depth -= 1
                if depth == 0:
                    return n
            elif self._takes(call):
                depth += 1
        return None


def dedented(text: str) -> str:
    """Take blanks off both ends, and the first line's indentation off every line."""
    lines = text.split("\n")
    depth = next((_indent(line) for line in lines if trimmed(line)), 0)
    if depth:
        lines = [line[depth:] if _indent(line) >= depth else line.lstrip(BLANKS) for line in lines]
    return trimmed("\n".join(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
