"""Find and replace in events: changes are listed while the user types; each can be left out.

The main window stays usable. A delegate draws each change: the field, removed and new words.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QRadioButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.edits import FindReplace, ReplacePlan, TextField
from engram_desktop.domain.text.words import DiffPiece, units
from engram_desktop.viewmodels.events.event_edits import (
    ChangeModel,
    ChangeRole,
    EventReplace,
    field_names,
)
from engram_desktop.widgets.parts.cards import AnyIndex
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import ProgressBar, diff_format, label, text_button

HEIGHT = 52  # of a row: its field, and one line of words
MOST_SHOWN = 400  # characters of a line: more than the widest window shows


class ChangeRow(QStyledItemDelegate):
    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._body = QFont()
        self._body.setPixelSize(13)
        self._small = QFont()
        self._small.setPixelSize(12)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, HEIGHT)

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # the words are drawn below, each in its colour

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        change = index.data(ChangeRole)
        style = option.widget.style()
        box = style.subElementRect(
            QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, option.widget
        )
        left = max(box.right() + 10, option.rect.left() + 30)
        inner = QRectF(option.rect).adjusted(left - option.rect.left(), 5, -8, -5)
        painter.save()
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(
            QRectF(inner.left(), inner.top(), inner.width(), 18),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            field_names()[change.field],
        )
        self._paint_words(painter, inner.adjusted(0, 20, 0, 0), ChangeModel.pieces(change))
        painter.restore()

    def _paint_words(self, painter: QPainter, box: QRectF, pieces: Sequence[DiffPiece]) -> None:
        """Draw one line: removed words are struck through, new ones underlined."""
        text = ""
        formats: list[QTextLayout.FormatRange] = []
        for piece in pieces:
            words = piece.text.replace("\n", " ")[: MOST_SHOWN - len(text)]
            span = QTextLayout.FormatRange()
            span.start, span.length = units(text), units(words)
            span.format = diff_format(self._look, piece)
            formats.append(span)
            text += words
        layout = QTextLayout(text, self._body)
        layout.setFormats(formats)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(QFontMetricsF(self._body).horizontalAdvance(text) * 2 + 100)
        layout.endLayout()
        painter.setPen(self._look.color("ink"))
        painter.setClipRect(box)
        layout.draw(painter, QPointF(box.left(), box.top()))


IN_A_ROW = 4  # fields side by side: as many as fit in both languages


class ReplaceDialog(FramedDialog):
    def __init__(self, look: Look, model: EventReplace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=680)
        self._model = model
        model.setParent(self)  # the model is freed with the dialog
        self.set_title(self.tr("Find and replace"))
        self._make_texts()
        self._make_choices()
        self._make_scope()
        self._make_list(look)
        self.add_close(self.tr("Close"))
        self.replace_button = self.add_button("", "main")
        self.replace_button.clicked.connect(model.replace)
        model.changes.ticked.connect(self._update)
        model.planned.connect(self._on_planned)
        model.failed.connect(self._on_failed)
        model.progressed.connect(self._on_progressed)
        model.busy_changed.connect(self._on_busy)
        model.done.connect(self._ask)  # search again for what is left to replace
        self.finished.connect(lambda _code: model.stop())
        self._on_busy(False)
        self._state.setText(self.tr("Type what to look for."))
        self.find_field.setFocus()

    def _make_texts(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        self.find_field = LineField()
        self.replace_field = LineField()
        for row, (name, field) in enumerate(
            ((self.tr("Find"), self.find_field), (self.tr("Replace with"), self.replace_field))
        ):
            caption = label(name, "section")
            caption.setBuddy(field)
            field.setAccessibleName(name)
            field.textChanged.connect(self._ask)
            grid.addWidget(caption, row, 0)
            grid.addWidget(field, row, 1)
        self.body.addLayout(grid)
        line = QHBoxLayout()
        self.match_case = QCheckBox(self.tr("Match case"))
        self.is_regex = QCheckBox(self.tr("Regular expression"))
        self.is_regex.setToolTip(self.tr("As in the scripts; $1 stands for the first group."))
        for tick in (self.match_case, self.is_regex):
            tick.toggled.connect(self._ask)
            line.addWidget(tick)
        line.addStretch(1)
        self.body.addLayout(line)

    def _make_choices(self) -> None:
        grid = QGridLayout()
        self.fields: dict[TextField, QCheckBox] = {}
        for number, (field, name) in enumerate(field_names().items()):
            tick = QCheckBox(name)
            tick.setChecked(field in FindReplace("").fields)
            tick.toggled.connect(self._ask)
            self.fields[field] = tick
            grid.addWidget(tick, number // IN_A_ROW, number % IN_A_ROW)
        self.fields["names"].setToolTip(
            self.tr("Of the events only: what an entity is called is changed on the graph page.")
        )
        grid.setColumnStretch(IN_A_ROW, 1)
        self.body.addLayout(grid)

    def _make_scope(self) -> None:
        line = QHBoxLayout()
        chosen, listed = len(self._model.chosen), len(self._model.listed)
        self.only_chosen = QRadioButton(self.tr("%n selected event(s)", "", chosen))
        self.in_list = QRadioButton(self.tr("%n event(s) of the list", "", listed))
        group = QButtonGroup(self)
        for button in (self.only_chosen, self.in_list):
            group.addButton(button)
            line.addWidget(button)
        line.addStretch(1)
        is_several = chosen > 1
        self.only_chosen.setVisible(chosen > 0)
        (self.only_chosen if is_several else self.in_list).setChecked(True)
        group.buttonToggled.connect(self._ask)
        self.body.addLayout(line)

    def _make_list(self, look: Look) -> None:
        line = QHBoxLayout()
        self._state = label("", "quiet", wrap=True)
        line.addWidget(self._state, 1)
        self.all_button = text_button(self.tr("Tick all"))
        self.all_button.clicked.connect(lambda: self._model.changes.tick_all(wanted=True))
        self.none_button = text_button(self.tr("Tick none"))
        self.none_button.clicked.connect(lambda: self._model.changes.tick_all(wanted=False))
        line.addWidget(self.all_button)
        line.addWidget(self.none_button)
        self.body.addLayout(line)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("What would change"))
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setMinimumHeight(200)
        self.list.setModel(self._model.changes)
        self.list.setItemDelegate(ChangeRow(look, self.list))
        self.body.addWidget(self.list, 1)
        busy = QHBoxLayout()
        self.progress = ProgressBar()
        self.progress.setTextVisible(False)
        self.stop_button = text_button(self.tr("Stop"))
        self.stop_button.clicked.connect(self._model.stop)
        busy.addWidget(self.progress, 1)
        busy.addWidget(self.stop_button)
        self.body.addLayout(busy)

    @Slot()
    def _ask(self) -> None:
        fields = tuple(field for field, tick in self.fields.items() if tick.isChecked())
        asked = FindReplace(
            self.find_field.text(),
            self.replace_field.text(),
            fields,
            is_regex=self.is_regex.isChecked(),
            is_case_sensitive=self.match_case.isChecked(),
        )
        self._model.ask(asked, only_chosen=self.only_chosen.isChecked())

    @Slot(object)
    def _on_planned(self, plan: ReplacePlan) -> None:
        if not self.find_field.text():
            self._state.setText(self.tr("Type what to look for."))
            return
        texts = [
            self.tr("%n place(s) would change.", "", len(plan.changes))
            if plan.changes
            else self.tr("Nothing would change.")
        ]
        if plan.locked:
            texts.append(self.tr("%n locked event(s) are left out.", "", plan.locked))
        if plan.emptied:
            texts.append(
                self.tr("%n event(s) whose summary would be empty stay.", "", plan.emptied)
            )
        self._state.setText(" ".join(texts))

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._state.setText(why)

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._is_busy = busy
        self.progress.setRange(0, 0 if busy else 1)
        self.progress.setValue(0)
        for part in (self.progress, self.stop_button):
            part.setVisible(busy)
        self._update()

    _is_busy = False

    @Slot()
    def _update(self) -> None:
        count = self._model.changes.wanted_count()
        self.replace_button.setText(self.tr("Replace in %n place(s)", "", count))
        self.replace_button.setEnabled(count > 0 and not self._is_busy)
        has_rows = self._model.changes.rowCount() > 0
        self.all_button.setEnabled(has_rows)
        self.none_button.setEnabled(has_rows)
