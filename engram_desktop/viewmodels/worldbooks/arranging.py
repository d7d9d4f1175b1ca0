"""How the entries of the worldbook shown are sorted, moved and put under headings.

A sort is how they are looked at, and remembered. Everything else is one step of the library's
history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Slot

from engram_desktop.domain.labels import (
    BARE_ENTRIES,
    HEAD_ENTRIES,
    HEADING_OFF,
    HEADING_ON,
    MOVE_ENTRIES,
    SORT_ENTRIES,
    StepLabel,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.listed.sorting import ENTRY_SORTS, EntrySort, applied, moved
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.viewmodels.worldbooks.entry_rows import HeadingRow
from engram_desktop.viewmodels.worldbooks.entry_table import EntryTable

Uid = int | str
# Carries out changes of entries, each of its own: what the task is called, fields, the step.
ChangeEach = Callable[[str, Mapping[Uid, Mapping[str, Any]], StepLabel], object]


@dataclass(frozen=True, slots=True)
class OrderChange:
    """An entry that gets another order: what it has and what it gets."""

    entry: Entry
    order: float


class Arranging(QObject):
    """Commands on the entries in ``table``; ``change_each`` carries them out."""

    def __init__(
        self,
        workspace: Workspace,
        table: EntryTable,
        change_each: ChangeEach,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._table = table
        self.change_each = change_each
        kept = workspace.memory.settings.read().ui_entry_sort
        table.sort_by(next((sort for sort in ENTRY_SORTS if sort == kept), "file"))

    @property
    def can_move(self) -> bool:
        """Whether the list shows all entries by their order: then a place in it is an order."""
        table = self._table
        return table.sort_key == "order" and not table.is_reversed and not table.is_searched

    def sort(self, key: EntrySort, *, is_reversed: bool = False) -> None:
        """Show entries in another order, from now on."""
        if key != self._table.sort_key:
            memory = self._space.memory
            self._space.change("", lambda _ctx: memory.settings.set("ui.entry_sort", key))
        self._table.sort_by(key, is_reversed=is_reversed)

    @Slot()
    def reverse(self) -> None:
        """Show entries the other way round."""
        self._table.sort_by(self._table.sort_key, is_reversed=not self._table.is_reversed)

    def order_changes(self, first: int, step: int = 1) -> list[OrderChange]:
        """Say what applying the sort as order would change, from ``first`` downwards."""
        rows = self._table.sequence()
        orders = applied(rows, first, step)
        return [OrderChange(row, orders[row.uid]) for row in rows if row.uid in orders]

    def apply_sort(self, first: int, step: int = 1) -> None:
        """Give all entries such orders that SillyTavern has them as they are sorted here."""
        fields = {c.entry.uid: {"order": c.order} for c in self.order_changes(first, step)}
        if fields:
            text = self.tr("Sorting %n entry(ies)", "", len(fields))
            self.change_each(text, fields, StepLabel(SORT_ENTRIES))

    def move(self, uids: Sequence[Uid], before: Uid | None, heading: str | None = None) -> None:
        """Move entries before another, None for the end; ``heading`` is where they come to."""
        if not self.can_move or not uids or before in uids:
            return
        entries = self._table.sequence()
        place = entries if heading is None else _of_place(entries, uids, heading)
        fields: dict[Uid, dict[str, Any]] = {
            uid: {"order": order} for uid, order in moved(place, uids, before).items()
        }
        for entry in entries:
            if heading is not None and entry.uid in uids and entry.heading != heading:
                fields.setdefault(entry.uid, {})["heading"] = heading
        if fields:
            label = StepLabel(MOVE_ENTRIES, {"count": len(uids)})
            self.change_each(self.tr("Moving %n entry(ies)", "", len(uids)), fields, label)

    def step(self, uids: Sequence[Uid], by: int) -> None:
        """Move entries one place up (-1) or down (1) among those under the same heading."""
        rows = self._table.sequence()
        chosen = [row for row in rows if row.uid in uids]
        if not chosen:
            return
        heading = chosen[0].heading
        place = [row for row in rows if row.heading == heading]
        mine = [n for n, row in enumerate(place) if row.uid in uids]
        rest = [row.uid for row in place if row.uid not in uids]
        above = sum(row.uid not in uids for row in place[: mine[0]])
        at = max(0, above + by)
        if 0 <= above + by <= len(rest):
            before = rest[at] if at < len(rest) else None
            self.move([row.uid for row in place if row.uid in uids], before, heading)

    def put_under(self, uids: Sequence[Uid], heading: str) -> None:
        """Put entries under a heading, "" for none."""
        heading = " ".join(heading.split())
        entries = map(self._table.entry, uids)
        fields = {e.uid: {"heading": heading} for e in entries if e and e.heading != heading}
        if fields:
            label = StepLabel(HEAD_ENTRIES, {"heading": heading})
            self.change_each(
                self.tr("Changing %n entry(ies)", "", len(fields)),
                fields,
                label if heading else StepLabel(BARE_ENTRIES),
            )

    def rename(self, heading: str, name: str) -> None:
        """Give a heading another name, "" to take it away; its entries stay."""
        self.put_under([entry.uid for entry in self._table.under(heading)], name)

    def switch(self, row: HeadingRow, *, is_on: bool) -> None:
        """Switch all entries under a heading on or off; what they are otherwise stays."""
        entries = self._table.under(row.name)
        fields = {e.uid: {"is_disabled": not is_on} for e in entries if e.is_disabled == is_on}
        if fields:
            label = StepLabel(HEADING_ON if is_on else HEADING_OFF, {"heading": row.name})
            self.change_each(self.tr("Changing %n entry(ies)", "", len(fields)), fields, label)


def _of_place(entries: Sequence[Entry], uids: Sequence[Uid], heading: str) -> list[Entry]:
    """Entries that stand under ``heading`` when ``uids`` have come there."""
    return [entry for entry in entries if entry.heading == heading or entry.uid in uids]
