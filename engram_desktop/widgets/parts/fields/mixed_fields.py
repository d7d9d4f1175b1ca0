"""Fields that show the values of several items at once, and fields for floors.

The former are blank while the values differ; a blank is never saved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QRadioButton,
    QSlider,
    QSpinBox,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.pieces import ElidedLabel, label, text_button


class NumberField(QSpinBox):
    """A number; ``none_text``, one step below ``low``, means "no value" where that is allowed."""

    changed = Signal(object)  # int or None

    def __init__(
        self, low: int, high: int, none_text: str = "", parent: QWidget | None = None
    ) -> None:
        self._low = low
        self._none_text = none_text
        self._is_mixed = False
        super().__init__(parent)
        self.setRange(low - (1 if none_text else 0), high)
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self._on_value)

    def show_values(self, values: Collection[float | None]) -> None:
        """Show the shared value; a fraction is shown cut, and kept unless the field is changed."""
        blocker = QSignalBlocker(self)
        self._is_mixed = len(values) > 1
        lowest = self._low - (1 if self._none_text else 0) - (1 if self._is_mixed else 0)
        self.setMinimum(lowest)
        value = None if self._is_mixed else next(iter(values))
        none = self._low - 1
        self.setValue(lowest if self._is_mixed else none if value is None else int(value))
        blocker.unblock()
        self.lineEdit().setText(self.textFromValue(self.value()))

    @override
    def textFromValue(self, val: int) -> str:
        if self._is_mixed and val == self.minimum():
            return ""
        if self._none_text and val == self._low - 1:
            return self._none_text
        return super().textFromValue(val)

    @override
    def valueFromText(self, text: str) -> int:
        if not text.strip() and self._is_mixed:
            return self.minimum()
        if text == self._none_text and self._none_text:
            return self._low - 1
        return super().valueFromText(text)

    @override
    def validate(self, input: str, pos: int) -> object:
        is_none = self._none_text and input == self._none_text
        if is_none or (self._is_mixed and not input.strip()):
            return (QValidator.State.Acceptable, input, pos)
        if input and self._none_text.startswith(input):
            return (QValidator.State.Intermediate, input, pos)
        return super().validate(input, pos)

    def _on_value(self, value: int) -> None:
        if self._is_mixed and value == self.minimum():
            return
        self.changed.emit(None if value < self._low else value)


class ChoiceField(QComboBox):
    """A choice among fixed values."""

    chosen = Signal(object)

    def __init__(self, choices: Mapping[Any, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        for value, text in choices.items():
            self.addItem(text, value)
        self.activated.connect(lambda _n: self.chosen.emit(self.currentData()))

    def show_values(self, values: Collection[Any]) -> None:
        blocker = QSignalBlocker(self)
        self.setCurrentIndex(self.findData(next(iter(values))) if len(values) == 1 else -1)
        blocker.unblock()


class TickField(QCheckBox):
    """A check box, partially checked for differing values."""

    changed = Signal(bool)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.clicked.connect(self._on_clicked)

    def show_values(self, values: Collection[bool]) -> None:
        state = Qt.CheckState.PartiallyChecked
        if len(values) == 1:
            state = Qt.CheckState.Checked if next(iter(values)) else Qt.CheckState.Unchecked
        self.setTristate(len(values) > 1)
        self.setCheckState(state)

    def _on_clicked(self) -> None:
        is_on = self.checkState() != Qt.CheckState.Unchecked
        self.setTristate(False)
        self.setChecked(is_on)
        self.changed.emit(is_on)


class TextLine(LineField):
    """A line that emits `changed` only if its text differs from the one shown."""

    changed = Signal(str)

    def __init__(self, name: str, mixed: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._mixed = mixed
        self._shown = ""
        self.setAccessibleName(name)
        self.left.connect(self.save)
        self.rested.connect(self.save)
        self.submitted.connect(self.save)

    def show_values(self, values: Collection[str]) -> None:
        """Show the shared text, unless the user is typing."""
        text = next(iter(values)) if len(values) == 1 else ""
        self.setPlaceholderText(self._mixed if len(values) > 1 else "")
        if text != self._shown or not self.hasFocus():
            self.setText(text)
        self._shown = text

    def save(self) -> None:
        text = self.text().strip()
        if text != self._shown.strip():
            self._shown = text
            self.changed.emit(text)


# Two fields for a range of floors: the last is never before the first.


MOST_FLOORS = 10_000_000


class FloorRange(QWidget):
    changed = Signal()
    left = Signal()  # a field lost the focus, or Enter was pressed in it

    def __init__(self, last: int = MOST_FLOORS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        self.first, self.last = QSpinBox(), QSpinBox()
        for box, name in ((self.first, self.tr("First floor")), (self.last, self.tr("Last floor"))):
            box.setRange(0, last)
            box.setAccessibleName(name)
            box.setKeyboardTracking(False)
        self.first.valueChanged.connect(self.last.setMinimum)
        for box in (self.first, self.last):
            box.valueChanged.connect(lambda _n: self.changed.emit())
            box.editingFinished.connect(self.left)
        line.addWidget(self.first)
        line.addWidget(label("–"))
        line.addWidget(self.last)
        line.addStretch(1)

    @property
    def span(self) -> SourceRange:
        return SourceRange(self.first.value(), self.last.value())

    def show_span(self, span: SourceRange) -> None:
        """Show ``span``; this does not count as a change by the user."""
        blockers = [QSignalBlocker(self.first), QSignalBlocker(self.last)]
        self.last.setMinimum(0)
        self.first.setValue(span.start_index)
        self.last.setMinimum(span.start_index)
        self.last.setValue(span.end_index)
        for blocker in blockers:
            blocker.unblock()


# The floor up to which a page reads the chat: a slider, its text and a button back to now.


LEAST_SLIDER = 60  # pixels below which a slider cannot be used


class FloorSlider(QSlider):
    def __init__(self, line: FlowLayout, width: int, words_width: int) -> None:
        """Add the field with its slider to ``line``, ``width`` pixels wide if there is room."""
        super().__init__(Qt.Orientation.Horizontal)
        self._width = width
        self.setAccessibleName(self.tr("Up to floor"))
        self.setPageStep(10)
        self.setMinimumWidth(LEAST_SLIDER)
        self._words = label("", "quiet")
        self._words.setMinimumWidth(words_width)
        self.now_button = text_button(self.tr("Now"))
        self.now_button.clicked.connect(lambda: self.setValue(self.maximum()))
        caption = ElidedLabel("quiet")
        caption.set_text(self.tr("Up to floor"))
        group = QWidget()
        parts = QHBoxLayout(group)
        parts.setContentsMargins(0, 0, 0, 0)
        for part in (caption, self, self._words, self.now_button):
            parts.addWidget(part)
        line.addWidget(group)
        self.valueChanged.connect(self._say)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def show_floor(self, floor: int, last: int) -> None:
        """Show ``floor`` of ``last``; this does not count as a change by the user."""
        blocker = QSignalBlocker(self)
        self.setRange(0, max(0, last))
        self.setValue(floor)
        blocker.unblock()
        self._say()

    def _say(self) -> None:
        here, last = self.value(), self.maximum()
        self._words.setText(self.tr("{floor} of {last}").format(floor=here, last=last))
        self.now_button.setEnabled(here < last)


# A choice between the floors that are due and a range of floors.


class FloorChoice(QWidget):
    changed = Signal()

    def __init__(
        self, due: str, messages: int, floors: Floors = None, parent: QWidget | None = None
    ) -> None:
        """Offer ``due`` and the floors of a chat; ``floors`` are selected initially."""
        super().__init__(parent)
        rows = column(self, 0, 6)
        group = QButtonGroup(self)
        self.due_button = QRadioButton(due)
        self.range_button = QRadioButton(self.tr("These floors"))
        group.addButton(self.due_button)
        group.addButton(self.range_button)
        last = max(0, messages - 1)
        self.range = FloorRange(last)
        self.range.show_span(SourceRange(*(floors or (0, last))))
        self.range.setEnabled(floors is not None)
        rows.addWidget(self.due_button)
        line = QHBoxLayout()
        line.addWidget(self.range_button)
        line.addWidget(self.range, 1)
        rows.addLayout(line)
        (self.range_button if floors else self.due_button).setChecked(True)
        self.range_button.toggled.connect(self.range.setEnabled)
        self.range_button.toggled.connect(lambda _on: self.changed.emit())
        self.range.changed.connect(self.changed)

    @property
    def floors(self) -> Floors:
        """Return the chosen range; None for the floors that are due."""
        if self.due_button.isChecked():
            return None
        span = self.range.span
        return span.start_index, span.end_index
