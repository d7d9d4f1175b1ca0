"""What the panel and the large view of an entity both show: curve, promises and evidence."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.promises import Deed, Promise
from engram_desktop.viewmodels.graph.entity_sheet import Curve, EntitySheet, EntitySheets
from engram_desktop.widgets.graph.sheet.fact_table import when_of
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import icon_button, label
from engram_desktop.widgets.parts.cards.card_column import CardColumn
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.cards.state_curve import StateCurve
from engram_desktop.widgets.parts.look.look import Look

MAX_SHOWN = 120  # letters of an event


def caption(text: str) -> QWidget:
    """Make the heading of a section."""
    heading = label(text, "section")
    heading.setContentsMargins(0, 10, 0, 0)
    return heading


class CurveSection(QWidget):
    """How a number that is about somebody changed; hidden where there is none."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        rows = column(self, 0, 4)
        head = QHBoxLayout()
        bottom = Qt.AlignmentFlag.AlignBottom
        head.addWidget(caption(self.tr("How it changed")), 1, bottom)
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Value"))
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(5)
        self.choice.setMaximumWidth(150)
        self.choice.currentIndexChanged.connect(self._draw)
        head.addWidget(self.choice)
        rows.addLayout(head)
        self.now = label("", "quiet")
        rows.addWidget(self.now)
        self.curve = StateCurve(look)
        rows.addWidget(self.curve)
        self.hide()

    def show_curves(self, curves: tuple[Curve, ...]) -> None:
        """Offer these numbers; the one that was chosen stays chosen."""
        if curves == self._curves:
            return
        name = self.choice.currentText()
        self._curves = curves
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([curve.name for curve in curves])
        self.choice.setCurrentIndex(max(0, self.choice.findText(name)))
        self.choice.blockSignals(False)
        self.setVisible(bool(curves))
        self._draw()

    @Slot()
    def _draw(self) -> None:
        at = self.choice.currentIndex()
        if not 0 <= at < len(self._curves):
            return
        curve = self._curves[at]
        self.curve.show_points(curve.points, [floor for floor, _why in curve.reasons])
        first, last = curve.points[0][1], curve.points[-1][1]
        text = self.tr("now {now}, {change} since floor {floor}")
        self.now.setText(
            text.format(now=f"{last:g}", change=f"{last - first:+g}", floor=curve.points[0][0])
        )


class PromiseSection(QWidget):
    """Promises that are open, then those that were kept or broken; hidden where none is told."""

    def __init__(self, look: Look, sheets: EntitySheets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._sheets = sheets
        rows = column(self, 0, 6)
        self._caption = label("", "section")
        self._caption.setContentsMargins(0, 10, 0, 0)
        rows.addWidget(self._caption)
        self.column = CardColumn(first=6)
        rows.addWidget(self.column)
        self.hide()

    def show_promises(self, found: tuple[Promise, ...]) -> None:
        self.setVisible(bool(found))
        count = sum(promise.outcome == "given" for promise in found)
        self._caption.setText(
            self.tr("Promises · %n open", "", count) if count else self.tr("Promises")
        )
        self.column.show_cards([partial(self._card, promise) for promise in found])

    def _card(self, promise: Promise) -> QWidget:
        states: dict[Deed, tuple[str, str]] = {
            "given": (self.tr("open"), "warn"),
            "kept": (self.tr("kept"), "good"),
            "broken": (self.tr("broken"), "bad"),
        }
        state, tone = states[promise.outcome]
        head = when_of(promise.event)
        if promise.answer is not None:
            head = f"{head} → {when_of(promise.answer)}"
        card = EventCard(head, promise.words, (state, tone))
        card.opened.connect(partial(self._sheets.show_event, promise.answer or promise.event))
        return card


class EvidenceSection(QWidget):
    """Every event that tells of the entity, the newest first."""

    def __init__(self, look: Look, sheets: EntitySheets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._sheets = sheets
        rows = column(self, 0, 6)
        self._caption = label("", "section")
        self._caption.setContentsMargins(0, 10, 0, 0)
        rows.addWidget(self._caption)
        self.column = CardColumn()
        rows.addWidget(self.column)
        self.show_events(())

    @property
    def cards(self) -> QVBoxLayout:
        return self.column.cards

    def show_events(self, events: tuple[EventNode, ...]) -> None:
        self._caption.setText(self.tr("Evidence · %n event(s)", "", len(events)))
        self.column.show_cards([partial(self._card, event) for event in events])

    def _card(self, event: EventNode) -> QWidget:
        text = " ".join(event.summary.split())
        text = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
        card = EventCard(when_of(event), text)
        card.opened.connect(partial(self._sheets.show_event, event))
        lines = icon_button(self._look, "text", self.tr("Read these lines"))
        lines.clicked.connect(lambda: self._sheets.show_lines(event))
        card.add_button(lines)
        return card


class EventCard(LiveCard):
    """A few words of an event and when it was; a click opens it."""

    def __init__(self, head: str, text: str, state: tuple[str, str] = ("", "")) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 8, 6, 8)
        line.setSpacing(6)
        inner = QVBoxLayout()
        inner.setSpacing(2)
        inner.addWidget(label(head, "hint", wrap=True))
        inner.addWidget(label(text, wrap=True))
        line.addLayout(inner, 1)
        word, tone = state
        if word:
            line.addWidget(label(word, tone), 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(". ".join(part for part in (word, head, text) if part))

    def add_button(self, button: QWidget) -> None:
        """Put a button at the right of the words."""
        layout = self.layout()
        if isinstance(layout, QHBoxLayout):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


class SheetParts(QObject):
    """Curve, promises and evidence of what is shown; ``owner`` puts them where they belong."""

    def __init__(self, look: Look, sheets: EntitySheets, owner: QWidget) -> None:
        super().__init__(owner)
        self.curve = CurveSection(look, owner)
        self.promises = PromiseSection(look, sheets, owner)
        self.evidence = EvidenceSection(look, sheets, owner)
        sheets.read.connect(self.show_sheet)

    @Slot(object)
    def show_sheet(self, sheet: EntitySheet | None) -> None:
        if sheet is not None:
            self.curve.show_curves(sheet.curves)
            self.promises.show_promises(sheet.promises)
            self.evidence.show_events(sheet.events)
