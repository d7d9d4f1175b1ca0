"""The entries of one worldbook as a table: title, mode, keywords, order, tokens, current effect.

Rows are filtered and sorted here: the worldbook is in memory as a whole. Headings are rows as well.
Also the commands that sort, move and group entries: sorting only changes the view and is
remembered, everything else is one step of the library's history.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.changes import (
    BARE_ENTRIES,
    HEAD_ENTRIES,
    HEADING_OFF,
    HEADING_ON,
    MOVE_ENTRIES,
    SORT_ENTRIES,
    StepLabel,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.listed import ENTRY_SORTS, EntrySort, applied, by_sort, moved
from engram_desktop.domain.worldbooks.worldbook import Entry, EntryMode
from engram_desktop.viewmodels.workspace.choice_texts import choice_texts
from engram_desktop.viewmodels.workspace.live_query import SlowRelease
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.worldbooks.activation import Outcome


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """A heading row; ``on`` of its ``count`` entries are enabled, ``tokens`` is their sum."""

    name: str
    count: int
    on: int
    tokens: int
    is_open: bool = True


Row = Entry | HeadingRow


def with_headings(
    entries: Iterable[Entry], folded: Collection[str], tokens: Mapping[int | str, int]
) -> list[Row]:
    """Return entries under their headings, those without one first; ``folded`` hide theirs."""
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


@dataclass(frozen=True, slots=True)
class ListedEntries:
    """Entries as listed: ``shown`` of them are in ``rows``; ``names`` identify the rows.

    ``total`` is the tokens of all enabled entries.
    """

    arrangement: Arrangement
    entries: tuple[Entry, ...]
    outcomes: Mapping[int | str, Outcome]
    tokens: Mapping[int | str, int]
    by_uid: Mapping[int | str, Entry]
    rows: list[Row]
    names: list[tuple[str, int | str]]
    headings: list[tuple[int, HeadingRow]]
    shown: int
    total: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How entries are listed: order, folded headings, and search words."""

    sort_key: EntrySort = "file"
    is_reversed: bool = False
    folded: frozenset[str] = frozenset()
    words: str = ""

    def of(
        self,
        entries: Sequence[Entry],
        outcomes: Mapping[int | str, Outcome],
        tokens: Mapping[int | str, int],
    ) -> ListedEntries:
        """Return ``entries`` as listed; callable on any thread: 100,000 take 0.1 s."""
        rows = self._rows(entries, tokens)
        headings = [(n, row) for n, row in enumerate(rows) if isinstance(row, HeadingRow)]
        return ListedEntries(
            self,
            tuple(entries),
            outcomes,
            tokens,
            {entry.uid: entry for entry in entries},
            rows,
            list(map(_name, rows)),
            headings,
            len(rows) - len(headings) if self.words else len(entries),
            sum(tokens.get(e.uid, 0) for e in entries if not e.is_disabled),
        )

    def _rows(self, entries: Sequence[Entry], tokens: Mapping[int | str, int]) -> list[Row]:
        """Return the listed rows; a search opens all headings with hits."""
        if not self.words:
            return with_headings(self.sorted(entries, tokens), self.folded, tokens)
        found = [
            entry
            for entry in entries
            if self.words in "\n".join((entry.comment, *entry.keys, entry.content)).casefold()
        ]
        return with_headings(self.sorted(found, tokens), (), tokens)

    def sorted(self, entries: Sequence[Entry], tokens: Mapping[int | str, int]) -> list[Entry]:
        return by_sort(entries, self.sort_key, tokens, is_reversed=self.is_reversed)


ModeRole = Qt.ItemDataRole.UserRole  # EntryMode
HeadingRole = Qt.ItemDataRole.UserRole + 1  # HeadingRow, for the row of a heading
MANY = 2_000  # entries from which arranging runs on another thread; fewer take a millisecond or two
COLUMNS = ("title", "mode", "keys", "order", "tokens", "now")
# Joined once: a view asks twice for each row.
_HEADING_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemNeverHasChildren
    | Qt.ItemFlag.ItemIsDropEnabled
)
_ENTRY_FLAGS = _HEADING_FLAGS | Qt.ItemFlag.ItemIsDragEnabled
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def _alignment(column: str) -> Qt.AlignmentFlag | None:
    is_number = column in ("order", "tokens")
    return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter if is_number else None


def mode_names() -> dict[EntryMode, str]:
    """Return the display names of the modes: when an entry joins the prompt."""
    return {
        "constant": QCoreApplication.translate("EntryTable", "Constant"),
        "selective": QCoreApplication.translate("EntryTable", "Triggered"),
        "vectorized": QCoreApplication.translate("EntryTable", "Vectorized"),
        "disabled": QCoreApplication.translate("EntryTable", "Disabled"),
    }


def sort_names() -> dict[EntrySort, str]:
    """Return the display names of the sort keys."""
    words = choice_texts("ui.entry_sort")
    return {sort: words[sort] for sort in ENTRY_SORTS}


class EntryTable(QAbstractTableModel):
    """Table of the entries that match the search, sorted, under their headings."""

    counted = Signal(int, int, int)  # shown, all, tokens of all enabled entries
    sorted_anew = Signal()
    arranging_wanted = Signal(object)  # ListedEntries to arrange on another thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.arrangement = Arrangement()
        self._listed = self.arrangement.of((), {}, {})
        self._release = SlowRelease(self)

    @Slot(object)
    def show(self, listed: ListedEntries) -> None:
        """Show a new state of the worldbook; rows with the same name keep their place.

        A list of more than `MANY` entries in another arrangement is first arranged on another
        thread.
        """
        before = self._listed
        if listed.arrangement != self.arrangement:  # the arrangement changed meanwhile
            if len(listed.entries) > MANY:
                self.arranging_wanted.emit(listed)
                return
            listed = self.arrangement.of(listed.entries, listed.outcomes, listed.tokens)
        if listed.names == before.names:
            self._listed = listed
            if listed.rows:
                last = self.index(len(listed.rows) - 1, len(COLUMNS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            self._count()
        else:
            self._reset(listed)
        self._release.take(before.names)
        if before.entries is not listed.entries:
            self._release.take(before.entries)
            self._release.take(before.outcomes.values())

    def search(self, text: str) -> None:
        """List only entries with these words in title, keywords or content."""
        self._arrange(replace(self.arrangement, words=text.strip().casefold()))

    @property
    def is_searched(self) -> bool:
        return bool(self.arrangement.words)

    @property
    def sort_key(self) -> EntrySort:
        return self.arrangement.sort_key

    @property
    def is_reversed(self) -> bool:
        return self.arrangement.is_reversed

    @property
    def all_entries(self) -> tuple[Entry, ...]:
        """Return all entries of the worldbook, in the order of its file."""
        return self._all

    @property
    def headings(self) -> list[str]:
        """Return all headings, in the order of their first appearance."""
        return list(dict.fromkeys(entry.heading for entry in self._all if entry.heading))

    def sort_by(self, key: EntrySort, *, is_reversed: bool = False) -> None:
        """Sort the list; the worldbook is not changed."""
        if (key, is_reversed) != (self.sort_key, self.is_reversed):
            self._arrange(replace(self.arrangement, sort_key=key, is_reversed=is_reversed))
            self.sorted_anew.emit()

    def sequence(self) -> list[Entry]:
        """Return all entries in list order, including folded and filtered ones."""
        tokens = self._listed.tokens
        rows = with_headings(self.arrangement.sorted(self._all, tokens), (), tokens)
        return [row for row in rows if isinstance(row, Entry)]

    def toggle_fold(self, heading: str) -> None:
        """Fold or unfold the entries under a heading."""
        self._arrange(replace(self.arrangement, folded=self.arrangement.folded ^ {heading}))

    def unfold_all(self) -> None:
        """Unfold all headings: another worldbook is shown."""
        self.arrangement = replace(self.arrangement, folded=frozenset())

    def heading_at(self, row: int) -> HeadingRow | None:
        """Return the heading of a row; None for the row of an entry."""
        shown = self._rows[row] if 0 <= row < len(self._rows) else None
        return shown if isinstance(shown, HeadingRow) else None

    def heading_rows(self) -> list[tuple[int, HeadingRow]]:
        """Return the shown headings with their rows."""
        return self._listed.headings

    def under(self, heading: str) -> list[Entry]:
        """Return every entry under a heading."""
        return [entry for entry in self._all if entry.heading == heading]

    def entry(self, uid: int | str | None) -> Entry | None:
        return None if uid is None else self._listed.by_uid.get(uid)

    def uid_at(self, row: int) -> int | str | None:
        """Return the uid of the entry in a row; None for a heading."""
        shown = self._rows[row]
        return shown.uid if isinstance(shown, Entry) else None

    def row_of(self, uid: int | str) -> int | None:
        rows = enumerate(self._rows)
        return next((n for n, row in rows if isinstance(row, Entry) and row.uid == uid), None)

    @override
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return _alignment(COLUMNS[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], COLUMNS[index.column()]
        if isinstance(entry, HeadingRow):
            return self._heading_data(entry, role)
        return self._entry_data(entry, column, role)

    def _entry_data(self, entry: Entry, column: str, role: int) -> Any:
        is_cut = column in ("title", "keys", "now")  # the tooltip has the whole text
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(entry, column)
            case Qt.ItemDataRole.ToolTipRole if is_cut:
                return self._text(entry, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return entry.mode if role == ModeRole else None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        is_heading = isinstance(self._rows[index.row()], HeadingRow)
        return _HEADING_FLAGS if is_heading else _ENTRY_FLAGS

    @override
    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def _heading_data(self, row: HeadingRow, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self.tr("{heading} · {on} of {count} on · {tokens} tokens").format(
                    heading=row.name, on=row.on, count=row.count, tokens=f"{row.tokens:,}"
                )
            case Qt.ItemDataRole.ToolTipRole:
                return self.tr("Click to fold or unfold; right-click to switch all of it on or off")
        return row if role == HeadingRole else None

    def _text(self, entry: Entry, column: str) -> str:
        match column:
            case "title":
                return entry.title
            case "mode":
                return self._modes[entry.mode]
            case "keys":
                return ", ".join(entry.keys)
            case "order":
                return f"{entry.order:g}"
            case "tokens":
                return f"{self._listed.tokens.get(entry.uid, 0):,}"
            case _:
                return self.why(entry)

    def why(self, entry: Entry) -> str:
        """Return what the entry does in the shown chat, and why."""
        outcome = self._listed.outcomes.get(entry.uid)
        if outcome is None:
            return ""
        reason = translated(outcome.reason.phrase)
        fires = self.tr("Fires: {reason}") if outcome.has_fired else self.tr("Silent: {reason}")
        return fires.format(reason=reason)

    @cached_property
    def _modes(self) -> dict[EntryMode, str]:
        return mode_names()  # a window in another language has a table of its own

    @cached_property
    def _titles(self) -> tuple[str, ...]:
        return (
            self.tr("Entry"),
            self.tr("Mode"),
            self.tr("Keywords"),
            self.tr("Order"),
            self.tr("Tokens"),
            self.tr("In this chat now"),
        )

    def _arrange(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement
        self.show(self._listed)

    def _reset(self, listed: ListedEntries) -> None:
        self.beginResetModel()
        self._listed = listed
        self.endResetModel()
        self._count()

    def _count(self) -> None:
        listed = self._listed
        self.counted.emit(listed.shown, len(listed.entries), listed.total)

    @property
    def _all(self) -> tuple[Entry, ...]:
        return self._listed.entries

    @property
    def _rows(self) -> list[Row]:
        return self._listed.rows


def _name(row: Row) -> tuple[str, int | str]:
    """Return the identity of a row, which stays while its entry changes."""
    return ("heading", row.name) if isinstance(row, HeadingRow) else ("entry", row.uid)


Uid = int | str
# Applies changes to single entries: title of the task, fields by uid, undo step.
ChangeEach = Callable[[str, Mapping[Uid, Mapping[str, Any]], StepLabel], object]


@dataclass(frozen=True, slots=True)
class OrderChange:
    """An entry whose order changes: the old and the new order."""

    entry: Entry
    order: float


class Arranging(WorkspaceModel):
    """Commands on the entries in ``table``; ``change_each`` applies them."""

    def __init__(
        self,
        workspace: Workspace,
        table: EntryTable,
        change_each: ChangeEach,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._table = table
        self.change_each = change_each
        kept = workspace.memory.settings.read().ui_entry_sort
        table.sort_by(next((sort for sort in ENTRY_SORTS if sort == kept), "file"))

    @property
    def can_move(self) -> bool:
        """Return whether rows can be moved: all entries are listed by ascending order."""
        table = self._table
        return table.sort_key == "order" and not table.is_reversed and not table.is_searched

    def sort(self, key: EntrySort, *, is_reversed: bool = False) -> None:
        """Sort the list, and remember the order."""
        if key != self._table.sort_key:
            memory = self._space.memory
            self._space.change("", lambda _ctx: memory.settings.set("ui.entry_sort", key))
        self._table.sort_by(key, is_reversed=is_reversed)

    @Slot()
    def reverse(self) -> None:
        """Reverse the order of the list."""
        self._table.sort_by(self._table.sort_key, is_reversed=not self._table.is_reversed)

    def order_changes(self, first: int) -> list[OrderChange]:
        """Return what writing the current sort as order numbers from ``first`` on would change."""
        rows = self._table.sequence()
        orders = applied(rows, first)
        return [OrderChange(row, orders[row.uid]) for row in rows if row.uid in orders]

    def apply_sort(self, first: int) -> None:
        """Write order numbers, so that SillyTavern lists the entries as they are sorted here."""
        fields = {c.entry.uid: {"order": c.order} for c in self.order_changes(first)}
        if fields:
            text = self.tr("Sorting %n entry(ies)", "", len(fields))
            self.change_each(text, fields, StepLabel(SORT_ENTRIES))

    def move(self, uids: Sequence[Uid], before: Uid | None, heading: str | None = None) -> None:
        """Move entries before another one, None for the end; ``heading`` is their new heading."""
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
        """Move entries one place up (-1) or down (1) under the same heading."""
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
        """Rename a heading, "" removes it; its entries stay."""
        self.put_under([entry.uid for entry in self._table.under(heading)], name)

    def switch(self, row: HeadingRow, *, is_on: bool) -> None:
        """Enable or disable all entries under a heading; their modes stay."""
        entries = self._table.under(row.name)
        fields = {e.uid: {"is_disabled": not is_on} for e in entries if e.is_disabled == is_on}
        if fields:
            label = StepLabel(HEADING_ON if is_on else HEADING_OFF, {"heading": row.name})
            self.change_each(self.tr("Changing %n entry(ies)", "", len(fields)), fields, label)


def _of_place(entries: Sequence[Entry], uids: Sequence[Uid], heading: str) -> list[Entry]:
    """Return the entries under ``heading``, including the moved ``uids``."""
    return [entry for entry in entries if entry.heading == heading or entry.uid in uids]
