"""The state of a story: its values in a tree, as they stood at a floor."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSlider,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.state.tree import Leaf, StateHistory, StatePath, leaves
from engram_desktop.viewmodels.state import StateView, faults_in
from engram_desktop.viewmodels.workspace.choice_texts import value_words
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
from engram_desktop.widgets.parts.pieces import label, text_button

PathRole = Qt.ItemDataRole.UserRole
MOST_SHOWN = 5_000
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StatePage(Page):
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
        line.addWidget(label(self.tr("Up to floor"), "quiet"))
        self.floor = QSlider(Qt.Orientation.Horizontal)
        self.floor.setAccessibleName(self.tr("Up to floor"))
        self.floor.setPageStep(10)
        self.floor.valueChanged.connect(self._on_slid)
        self.floor.setMinimumWidth(160)
        line.addWidget(self.floor)
        self._at = label("", "quiet")
        self._at.setMinimumWidth(96)
        line.addWidget(self._at)
        self.now_button = text_button(self.tr("Now"))
        self.now_button.clicked.connect(lambda: self.floor.setValue(self.floor.maximum()))
        line.addWidget(self.now_button)
        self.add_button = text_button(self.tr("Add…"))
        self.add_button.clicked.connect(self.add_wanted)
        line.addWidget(self.add_button)
        return head

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setObjectName("rows")
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
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

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
        for leaf in all_leaves[:MOST_SHOWN]:
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
        blocker = QSignalBlocker(self.floor)
        self.floor.setRange(0, max(0, last))
        self.floor.setValue(last if self._view.is_now else history.floor)
        blocker.unblock()
        self._say_floor()

    def _say_floor(self) -> None:
        here, last = self.floor.value(), self.floor.maximum()
        self._at.setText(self.tr("{floor} of {last}").format(floor=here, last=last))
        self.now_button.setEnabled(here < last)
        for part in (self.floor, self.now_button):
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
        if count > MOST_SHOWN:
            parts.append(self.tr("the first {most} are shown").format(most=MOST_SHOWN))
        if faults:
            parts.append(self.tr("%n update(s) could not be read", "", faults))
        self._summary.setText(" · ".join(parts))

    @Slot(int)
    def _on_slid(self, floor: int) -> None:
        self._say_floor()
        self._view.show_at(floor)

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
    """Hide a row unless it, or one below it, holds ``words``; returns whether it is seen."""
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
