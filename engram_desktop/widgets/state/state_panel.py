"""The right side of the page of the state: one value, its curve, and what changed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.state.tree import StateEntry, StateHistory, StatePath, join_path
from engram_desktop.viewmodels.state import ChosenValue, StateView, teller_names
from engram_desktop.viewmodels.workspace.choice_texts import value_text, value_words
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import KeptTyping, LineField
from engram_desktop.widgets.parts.layouts import add_row, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import icon_button, label
from engram_desktop.widgets.parts.state_curve import StateCurve

MOST_SHOWN = 500
MOST_LETTERS = 80
EVENT_LETTERS = 40  # of what happened beside a change: two lines of the panel
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
        self._typing = KeptTyping(view.unsaved, {"value": self.value}, self)
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
            self.value.setModified(True)  # leaving the field saves it
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
        """List changes, each with what happened on its floor; of several there it is said once."""
        self.list.clear()
        told = -1
        for floor, text, why, is_fault in lines:
            if self.list.count() >= MOST_SHOWN:
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


def make(parts: PageParts, parent: QWidget) -> StatePanel:
    return StatePanel(parts.look, parts.models.state, parent)


# Add a value to the state by hand: where it stands, and what it is.


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
