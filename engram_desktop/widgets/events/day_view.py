"""A calendar of the story with its days, and the events of the chosen day."""

from __future__ import annotations

from PySide6.QtCore import QDate, QLocale, QRect, Qt, Slot
from PySide6.QtGui import QPainter, QPen, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QBoxLayout,
    QCalendarWidget,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.recall.relative_time import StoryDay
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.event_shapes import StoryCalendar, day_words
from engram_desktop.widgets.events.event_card import EventView
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, label

DayRole = Qt.ItemDataRole.UserRole
BESIDE = 620  # pixels: on a wider page, the days are left of the events
DAYS_WIDTH, DAYS_HEIGHT = 262, 150
MONTH_HEIGHT = 190
LEAST_CELL = 24  # pixels of a day's width
DOT = 3  # radius of the mark on a day that has events


class DayEvents(EventView):
    """The events of the chosen day, as cards."""

    def __init__(
        self, look: Look, events: EventList, days: StoryCalendar, parent: QWidget | None = None
    ) -> None:
        super().__init__(look, events, parent, rows=days.model)
        self.setAccessibleName(self.tr("Events of the day"))
        self._days = days

    @override
    def show_key(self, key: int) -> bool:
        self._days.reveal(key)
        return super().show_key(key)


class MonthCells(QCalendarWidget):
    """The cells of a month; days with events are marked and can be chosen."""

    def __init__(self, look: Look, days: StoryCalendar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._days = days
        self.counts: dict[QDate, int] = {}
        self.current: QDate | None = None
        self.setAccessibleName(self.tr("Days of the story"))
        self.setNavigationBarVisible(False)
        self.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setHorizontalHeaderFormat(QCalendarWidget.HorizontalHeaderFormat.SingleLetterDayNames)
        self.setFixedHeight(MONTH_HEIGHT)
        for table in self.findChildren(QTableView):  # its columns would be wider than the month
            table.horizontalHeader().setMinimumSectionSize(LEAST_CELL)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        look.changed.connect(self.set_icon)
        self.set_icon()

    @Slot()
    def set_icon(self) -> None:
        """Apply the colours of the theme: no day of the week is red."""
        form = QTextCharFormat()
        form.setForeground(self._look.color("ink2"))
        form.setBackground(self._look.color("panel"))
        self.setHeaderTextFormat(form)
        for day in Qt.DayOfWeek:
            self.setWeekdayTextFormat(day, form)

    @Slot(QDate)
    def _choose(self, date: QDate) -> None:
        if date in self.counts:
            self._days.choose(StoryDay(date.year(), date.month(), date.day()))

    @override
    def paintCell(self, painter: QPainter, rect: QRect, date: QDate) -> None:
        count, is_here = self.counts.get(date, 0), date == self.current
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, self._look.color("selection" if is_here else "panel"))
        painter.setPen(self._look.color("ink" if count else "ink3"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(date.day()))
        if count:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent"))
            painter.drawEllipse(rect.center().x() - DOT, rect.bottom() - 2 * DOT, 2 * DOT, 2 * DOT)
        if is_here or (date == self.selectedDate() and self.hasFocus()):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.color("accent"), 1.4))
            painter.drawRoundedRect(rect.adjusted(1, 1, -2, -2), 4, 4)
        painter.restore()


class MonthGrid(QWidget):
    """A month of the story, with buttons to the next and previous month that has events."""

    def __init__(self, look: Look, days: StoryCalendar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 4)
        line = QHBoxLayout()
        self.back_button = icon_button(look, "up", self.tr("The month before that has events"))
        self.next_button = icon_button(look, "down", self.tr("The next month that has events"))
        self.title = label("", "section")
        line.addWidget(self.title, 1)
        for button, by in ((self.back_button, -1), (self.next_button, 1)):
            button.clicked.connect(lambda _checked=False, n=by: self._go(n))
            line.addWidget(button)
        rows.addLayout(line)
        self.cells = MonthCells(look, days)
        self.cells.currentPageChanged.connect(self._tell)
        rows.addWidget(self.cells)

    def show_days(self, counts: dict[QDate, int], current: QDate | None) -> None:
        """Mark these days, and show the month of ``current``, else the first that has any."""
        cells = self.cells
        is_new = counts.keys() != cells.counts.keys()
        cells.counts, moved = counts, current != cells.current
        cells.current = current
        shown = current if current is not None else min(counts, default=None)
        if shown is not None and (is_new or (moved and current is not None)):
            cells.setSelectedDate(shown)
            cells.setCurrentPage(shown.year(), shown.month())
        cells.updateCells()
        self._tell()

    @property
    def _months(self) -> list[tuple[int, int]]:
        return sorted({(date.year(), date.month()) for date in self.cells.counts})

    def _go(self, by: int) -> None:
        here = (self.cells.yearShown(), self.cells.monthShown())
        months = [m for m in self._months if (m > here if by > 0 else m < here)]
        if months:
            self.cells.setCurrentPage(*(months[0] if by > 0 else months[-1]))

    @Slot()
    def _tell(self) -> None:
        here = (self.cells.yearShown(), self.cells.monthShown())
        name = QLocale().standaloneMonthName(here[1])
        self.title.setText(self.tr("{month} {year}").format(month=name, year=here[0]))
        self.back_button.setEnabled(any(month < here for month in self._months))
        self.next_button.setEnabled(any(month > here for month in self._months))


class DayPage(QWidget):
    """The days at the left (above, on a narrow page), and the events of the chosen day."""

    def __init__(
        self, look: Look, days: StoryCalendar, events: DayEvents, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._days = days
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self.side = QWidget()
        rows = column(self.side, 0, 8)
        self.month = MonthGrid(look, days)
        rows.addWidget(self.month)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Days of the story"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_chosen)
        rows.addWidget(self.list, 1)
        self._layout.addWidget(self.side)
        self._layout.addWidget(events, 1)
        days.changed.connect(self._show)
        self._show()
        self._place()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        is_wide = self.width() >= BESIDE
        way = QBoxLayout.Direction
        self._layout.setDirection(way.LeftToRight if is_wide else way.TopToBottom)
        self.side.setMaximumWidth(DAYS_WIDTH if is_wide else 16_777_215)
        self.side.setMinimumWidth(DAYS_WIDTH if is_wide else 0)
        self.side.setMaximumHeight(16_777_215 if is_wide else DAYS_HEIGHT)
        self.month.setVisible(self._has_dates and is_wide)

    @property
    def _has_dates(self) -> bool:
        return any(day is not None and day.year is not None for day in self._days.days)

    @Slot()
    def _show(self) -> None:
        days, current = self._days.days, self._days.current
        self.list.blockSignals(True)
        self.list.clear()
        for day, keys in days.items():
            text = self.tr("{day} · %n event(s)", "", len(keys)).format(day=day_words(day))
            item = QListWidgetItem(text)
            item.setToolTip(text)
            item.setData(DayRole, day)
            self.list.addItem(item)
            if day == current:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        dates = {
            QDate(day.year, day.month, day.day): len(keys)
            for day, keys in days.items()
            if day is not None and day.year is not None
        }
        here = None
        if current is not None and current.year is not None:
            here = QDate(current.year, current.month, current.day)
        self.month.show_days(dates, here)
        self._place()

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_chosen(self, now: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if now is not None:
            self._days.choose(now.data(DayRole))
