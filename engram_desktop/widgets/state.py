"""The state of a story: its values in a tree, as of a floor.

The panel shows one value: its curve, and its changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.state.tree import (
    Leaf,
    StateEntry,
    StateHistory,
    StatePath,
    join_path,
    leaves,
)
from engram_desktop.viewmodels.state import ChosenValue, StateView, faults_in, teller_names
from engram_desktop.viewmodels.workspace.choice_texts import value_text, value_words
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import FloorSlider
from engram_desktop.widgets.parts.fields.text_fields import LineField, SearchField, UnsavedFields
from engram_desktop.widgets.parts.layouts import FlowLayout, add_row, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts, SearchedPage
from engram_desktop.widgets.parts.pieces import StateCurve, icon_button, label, text_button

PathRole = Qt.ItemDataRole.UserRole
MOST_ROWS = 5_000
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StatePage(SearchedPage):
    add_wanted = Signal()

    def __init__(self, look: Look, view: StateView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._view = view
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 8)
        outer.addWidget(self._make_head(look))
        self.tree = self._make_tree()
        self._empty = EmptyState(look, "state")
        self._empty.acted.connect(self.add_wanted)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)  # first: a part without a parent is shown as a window
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._empty)
        self._summary = label("", "hint")
        outer.addWidget(self._summary)
        view.shown.connect(self._on_shown)
        self._on_shown(view.history)

    def _make_head(self, look: Look) -> QWidget:
        head = QWidget()
        line = FlowLayout(head, 10)
        self.search = SearchField(look, self.tr("Search the state"))
        self.search.setFixedWidth(200)
        self.search.textChanged.connect(self._filter)
        line.addWidget(self.search)
        line.push()
        self.floor = FloorSlider(line, 160, 96)
        self.floor.valueChanged.connect(self._view.show_at)
        self.add_button = text_button(self.tr("Add…"))
        self.add_button.clicked.connect(self.add_wanted)
        line.addWidget(self.add_button)
        return head

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("The state of the story"))
        tree.setHeaderLabels(
            [self.tr("Name"), self.tr("Value"), self.tr("Meaning"), self.tr("Since floor")]
        )
        tree.setUniformRowHeights(True)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = tree.header()
        header.setAccessibleName(tree.accessibleName())
        header.setStretchLastSection(False)
        tree.headerItem().setTextAlignment(3, _RIGHT)
        for section in (1, 2):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)
        for section, width in ((0, 220), (3, 100)):
            header.resizeSection(section, width)
        tree.currentItemChanged.connect(self._on_chosen)
        return tree

    @override
    def set_active(self, active: bool) -> None:
        self._view.set_active(active)

    @Slot(object)
    def _on_shown(self, history: StateHistory) -> None:
        all_leaves = list(leaves(history.tree)) if history.tree else []
        since = _since(history)
        blocker = QSignalBlocker(self.tree)
        self.tree.clear()
        places: dict[StatePath, QTreeWidgetItem] = {}
        for leaf in all_leaves[:MOST_ROWS]:
            self._add(leaf, since.get(leaf.path), places)
        self.tree.expandAll()
        current = places.get(self._view.path or ())
        if current is not None:
            self.tree.setCurrentItem(current)
        blocker.unblock()
        self._filter(self.search.text())
        self._show_floor(history)
        self._stack.setCurrentWidget(self.tree if all_leaves else self._empty)
        if not all_leaves:
            self._say_empty()
        self._tell(len(all_leaves), faults_in(history.entries))

    def _add(self, leaf: Leaf, since: int | None, places: dict[StatePath, QTreeWidgetItem]) -> None:
        for depth in range(1, len(leaf.path)):
            path = leaf.path[:depth]
            if path not in places:
                places[path] = self._row(path, places)
                places[path].setFlags(Qt.ItemFlag.ItemIsEnabled)
        row = places[leaf.path] = self._row(leaf.path, places)
        text = value_words(leaf.value)
        row.setText(1, text)
        row.setToolTip(1, text)
        row.setText(2, leaf.meaning)
        row.setToolTip(2, leaf.meaning)
        row.setText(3, "" if since is None else str(since))
        row.setTextAlignment(3, _RIGHT)
        row.setData(0, PathRole, leaf.path)

    def _row(self, path: StatePath, places: dict[StatePath, QTreeWidgetItem]) -> QTreeWidgetItem:
        above = places.get(path[:-1])
        row = QTreeWidgetItem(self.tree) if above is None else QTreeWidgetItem(above)
        row.setText(0, path[-1])
        return row

    def _show_floor(self, history: StateHistory) -> None:
        last = self._view.last
        self.floor.show_floor(last if self._view.is_now else history.floor, last)
        for part in (self.floor, self.floor.now_button):
            part.setVisible(last > 0)

    def _say_empty(self) -> None:
        if not self._view.is_loaded:
            self._empty.wait()
        elif self._view.is_now:
            self._empty.say(
                self.tr("No state yet"),
                self.tr(
                    "Values a story changes, such as affection or money, appear here when replies "
                    "carry <state_update> or <UpdateVariable>, or SillyTavern keeps variables."
                ),
                self.tr("Add a value…"),
            )
        else:
            self._empty.say(self.tr("Nothing yet at this floor"), self.tr("Move the slider on."))

    def _tell(self, count: int, faults: int) -> None:
        parts = [self.tr("%n value(s)", "", count)] if count else []
        if count > MOST_ROWS:
            parts.append(self.tr("the first {most} are shown").format(most=MOST_ROWS))
        if faults:
            parts.append(self.tr("%n update(s) could not be read", "", faults))
        self._summary.setText(" · ".join(parts))

    @Slot(object, object)
    def _on_chosen(self, item: QTreeWidgetItem | None, _before: object) -> None:
        self._view.choose(item.data(0, PathRole) if item is not None else None)

    @Slot(str)
    def _filter(self, text: str) -> None:
        words = text.strip().casefold()
        root = self.tree.invisibleRootItem()
        for number in range(root.childCount()):
            _show_matching(root.child(number), words)


def _show_matching(item: QTreeWidgetItem, words: str) -> bool:
    """Hide a row unless it, or one below it, contains ``words``; return whether it is visible."""
    own = any(words in item.text(column).casefold() for column in range(3))
    below = [_show_matching(item.child(n), "" if own else words) for n in range(item.childCount())]
    is_seen = own or any(below)
    item.setHidden(not is_seen)
    return is_seen


def _since(history: StateHistory) -> dict[StatePath, int]:
    """Return the floor of the last change of each path that a single change set."""
    floors: dict[StatePath, int] = {}
    for entry in history.entries:
        for change in entry.changes:
            if change.fault is None:
                floors[change.path] = entry.floor
    return floors


def make(parts: PageParts, parent: QWidget) -> StatePage:
    page = StatePage(parts.look, parts.models.state, parent)
    page.add_wanted.connect(parts.doors.open_state)
    return page


MOST_CHANGES = 500
MOST_LETTERS = 80
EVENT_LETTERS = 40  # of the event beside a change: two lines of the panel
FloorRole = Qt.ItemDataRole.UserRole


class StatePanel(QFrame):
    def __init__(self, look: Look, view: StateView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._view = view
        self._path: StatePath | None = None
        rows = column(self, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        rows.addLayout(self._make_head())
        self._editing = QWidget()
        inner = column(self._editing, 0, 6)
        self.value = LineField()
        self.value.setAccessibleName(self.tr("Value"))
        self.value.submitted.connect(self._save)
        self.value.left.connect(self._save)
        add_row(inner, self.tr("Value from now on"), self.value)
        self._typing = UnsavedFields(view.unsaved, {"value": self.value}, self)
        inner.addWidget(self._typing.hint)
        rows.addWidget(self._editing)
        self.curve = StateCurve(look)
        rows.addWidget(self.curve)
        self._caption = label(self.tr("What changed it"))
        rows.addWidget(self._caption)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("What changed it"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._read_source)
        self.list.itemDoubleClicked.connect(self._read_source)
        rows.addWidget(self.list, 1)
        self._hint = label(self.tr("Double click reads the message."), "hint")
        rows.addWidget(self._hint)
        rows.addStretch(0)
        view.chosen.connect(self._on_chosen)
        view.shown.connect(self._on_shown)
        self._on_chosen(None)

    def _make_head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        words = QWidget()
        inner = column(words, 0, 1)
        self._title = label("", "heading", wrap=True)
        self._meaning = label("", "hint", wrap=True)
        inner.addWidget(self._title)
        inner.addWidget(self._meaning)
        line.addWidget(words, 1)
        self.remove_button = icon_button(self._look, "trash", self.tr("Remove this value"))
        self.remove_button.clicked.connect(self._remove)
        line.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignTop)
        return line

    @Slot(object)
    def _on_shown(self, history: StateHistory) -> None:
        if self._path is None:
            self._fill(_all_lines(history.entries), self._view.events)

    @Slot(object)
    def _on_chosen(self, chosen: ChosenValue | None) -> None:
        self._path = chosen.path if chosen is not None else None
        for part in (self._editing, self.remove_button):
            part.setVisible(chosen is not None)
        if chosen is None:
            self._title.setText(self.tr("All changes"))
            self._meaning.setText(self.tr("Choose a value to see its own, and to change it."))
            self.curve.show_points(())
            self._fill(_all_lines(self._view.history.entries), self._view.events)
            return
        self._title.setText(join_path(chosen.path))
        self._meaning.setText(chosen.meaning)
        self._meaning.setVisible(bool(chosen.meaning))
        place, stored = self._view.place(chosen.path), value_text(chosen.value)
        if not self._typing.holds(place, "value"):
            self.value.setText(stored)
        if self._typing.show(place, {"value": stored}):
            self.value.setModified(True)  # so that leaving the field saves it
        self.curve.show_points(chosen.points, chosen.events)
        names = teller_names()
        self._fill(
            (
                (
                    step.floor,
                    _moved(step.old, step.new),
                    step.reason or names[step.teller],
                    False,
                )
                for step in reversed(chosen.steps)
            ),
            chosen.events,
        )

    def _fill(self, lines: Iterator[tuple[int, str, str, bool]], events: Mapping[int, str]) -> None:
        """List changes, each with the event on its floor; for several changes it is shown once."""
        self.list.clear()
        told = -1
        for floor, text, why, is_fault in lines:
            if self.list.count() >= MOST_CHANGES:
                break
            words = self.tr("Floor {floor}").format(floor=floor)
            item = QListWidgetItem(f"{words} · {text}\n{why}")
            if floor in events and floor != told:
                told = floor
                item.setText(f"{item.text()}\n▸ {_cut(events[floor], EVENT_LETTERS)}")
            item.setData(FloorRole, floor)
            if is_fault:
                item.setForeground(self._look.color("red"))
            self.list.addItem(item)
        for part in (self._caption, self.list, self._hint):
            part.setVisible(self.list.count() > 0)

    @Slot()
    def _save(self) -> None:
        if self._path is not None and self.value.isModified():
            self.value.setModified(False)
            self._typing.drop()
            self._view.set_value(self._path, self.value.text())

    @Slot()
    def _remove(self) -> None:
        if self._path is not None:
            self._view.remove(self._path)

    @Slot(object)
    def _read_source(self, item: QListWidgetItem) -> None:
        self._view.read_source(item.data(FloorRole))


def _all_lines(entries: tuple[StateEntry, ...]) -> Iterator[tuple[int, str, str, bool]]:
    names = teller_names()
    for entry in reversed(entries):
        for change in reversed(entry.changes):
            text = f"{join_path(change.path)}: {_moved(change.old, change.new)}"
            why = change.reason or names[entry.teller]
            if change.fault is not None:
                text, why = join_path(change.path), translated(change.fault)
            yield entry.floor, text, why, change.fault is not None
        for fault in entry.faults:
            yield entry.floor, translated(fault), names[entry.teller], True


def _moved(old: object, new: object) -> str:
    return f"{_short(old)} → {_short(new)}" if old is not None else _short(new)


def _short(value: object) -> str:
    return _cut(value_words(value) or "–")


def _cut(text: str, most: int = MOST_LETTERS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def make_panel(parts: PageParts, parent: QWidget) -> StatePanel:
    return StatePanel(parts.look, parts.models.state, parent)


# Add a value to the state by hand: its path and its value.


class StateDialog(FramedDialog):
    def __init__(self, view: StateView, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._view = view
        self.set_title(self.tr("Add a value"))
        self.name = LineField(self.tr("For example: Alice.affection"))
        self.name.setAccessibleName(self.tr("Place"))
        add_row(self.body, self.tr("Place, its parts with dots between"), self.name)
        self.value = LineField()
        self.value.setAccessibleName(self.tr("Value"))
        add_row(self.body, self.tr("Value"), self.value)
        self.body.addWidget(
            label(self.tr("It counts from the newest message on and can be undone."), "hint")
        )
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Add"), "main")
        self.save_button.clicked.connect(self._save)
        for field in (self.name, self.value):
            field.textChanged.connect(self._update_buttons)
            field.submitted.connect(self._save)
        self.typed = {"name": self.name, "value": self.value}
        self._update_buttons()
        self.name.setFocus()

    def _update_buttons(self) -> None:
        is_whole = self.name.text().strip(" .[]") and self.value.text().strip()
        self.save_button.setEnabled(bool(is_whole))

    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._view.add(self.name.text().strip(), self.value.text().strip())
            self.close()
