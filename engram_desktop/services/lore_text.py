"""What the entries that fired say, as a prompt takes it: one text, and the outlets beside it.

Entries for an outlet stand where a prompt asks for it and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from engram_desktop.domain.activation import Activation
from engram_desktop.domain.macro_values import folded
from engram_desktop.domain.worldbook import Position


def context(found: Activation) -> str:
    """Every entry that fired, in the order of a prompt, but for outlets."""
    return "\n\n".join(text for outlet, text in _texts(found) if outlet is None)


def outlets(found: Activation) -> dict[str, str]:
    """What fired for each outlet, by its folded name."""
    made: dict[str, str] = {}
    for outlet, text in _texts(found):
        if outlet is not None:
            made[outlet] = f"{made[outlet]}\n{text}" if outlet in made else text
    return made


def _texts(found: Activation) -> Iterator[tuple[str | None, str]]:
    for outcome in found.fired:
        entry, text = outcome.entry, outcome.entry.content.strip()
        if text:
            is_outlet = entry.position == Position.OUTLET
            yield (folded(entry.outlet_name.strip()) if is_outlet else None), text
