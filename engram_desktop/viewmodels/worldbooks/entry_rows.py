"""What stands in each row of the list of entries: an entry, or a heading that folds those below."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """A heading; ``on`` of its ``count`` entries are not disabled, ``tokens`` are theirs."""

    name: str
    count: int
    on: int
    tokens: int
    is_open: bool = True


Row = Entry | HeadingRow


def with_headings(
    entries: Iterable[Entry], folded: Collection[str], tokens: Mapping[int | str, int]
) -> list[Row]:
    """Put entries under their headings, those without one first; ``folded`` hide theirs."""
    groups: dict[str, list[Entry]] = {"": []}
    for entry in entries:
        groups.setdefault(entry.heading, []).append(entry)
    rows: list[Row] = list(groups.pop(""))
    for name, group in groups.items():
        on = [entry for entry in group if not entry.is_disabled]
        total = sum(tokens.get(entry.uid, 0) for entry in on)
        rows.append(HeadingRow(name, len(group), len(on), total, name not in folded))
        if name not in folded:
            rows += group
    return rows
