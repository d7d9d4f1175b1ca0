"""What the entries that fired say, as a prompt takes it: one text, and the outlets beside it.

Entries for an outlet stand where a prompt asks for it and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engram_desktop.domain.worldbooks.activation import Activation
from engram_desktop.domain.worldbooks.worldbook import Entry, Position

_PLACES = (
    Position.BEFORE_CHARACTER,
    Position.AFTER_CHARACTER,
    Position.EXAMPLES_TOP,
    Position.EXAMPLES_BOTTOM,
    Position.NOTE_TOP,
    Position.NOTE_BOTTOM,
    Position.AT_DEPTH,
)
# An entry's text, and its depth if it stands among the messages, to what a model reads of it.
AsTold = Callable[[str, int | None], str]


def context(activation: Activation, as_told: AsTold) -> str:
    """Every entry that fired, in the order of a prompt, but for outlets."""
    entries = [o.entry for o in activation.fired if o.entry.position != Position.OUTLET]
    return "\n\n".join(text for _entry, text in _texts(sorted(entries, key=_place), as_told))


def outlets(activation: Activation, as_told: AsTold) -> dict[str, str]:
    """What fired for each outlet, by its name; as in SillyTavern the highest order first."""
    entries = [o.entry for o in reversed(activation.fired) if o.entry.position == Position.OUTLET]
    outlets_by_name: dict[str, str] = {}
    for entry, text in _texts(entries, as_told):
        outlet = entry.outlet_name.strip()
        outlets_by_name[outlet] = (
            f"{outlets_by_name[outlet]}\n{text}" if outlet in outlets_by_name else text
        )
    return outlets_by_name


def _place(entry: Entry) -> tuple[int, int]:
    """Where an entry stands: around the card, the examples, the note, then among the messages."""
    is_among = entry.position == Position.AT_DEPTH
    return _PLACES.index(entry.position), -entry.depth if is_among else 0


def _texts(entries: Iterable[Entry], as_told: AsTold) -> Iterator[tuple[Entry, str]]:
    for entry in entries:
        depth = entry.depth if entry.position == Position.AT_DEPTH else None
        text = as_told(entry.content, depth).strip() if entry.content.strip() else ""
        if text:
            yield entry, text
