"""What the entries that fired say, as a prompt takes it: one text, and the outlets beside it.

Entries for an outlet stand where a prompt asks for it and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engram_desktop.domain.activation import Activation
from engram_desktop.domain.macro_values import folded
from engram_desktop.domain.worldbook import Position

AsTold = Callable[[str], str]  # an entry's text to what a model reads of it


def context(found: Activation, as_told: AsTold) -> str:
    """Every entry that fired, in the order of a prompt, but for outlets."""
    return "\n\n".join(text for outlet, text in _texts(found, as_told) if outlet is None)


def outlets(found: Activation, as_told: AsTold) -> dict[str, str]:
    """What fired for each outlet, by its folded name."""
    made: dict[str, str] = {}
    for outlet, text in _texts(found, as_told):
        if outlet is not None:
            made[outlet] = f"{made[outlet]}\n{text}" if outlet in made else text
    return made


def _texts(found: Activation, as_told: AsTold) -> Iterator[tuple[str | None, str]]:
    for outcome in found.fired:
        entry = outcome.entry
        text = as_told(entry.content).strip() if entry.content.strip() else ""
        if text:
            is_outlet = entry.position == Position.OUTLET
            yield (folded(entry.outlet_name.strip()) if is_outlet else None), text
