"""Messages below the list of chats: they cover nothing, and their number is limited.

Errors, warnings and questions stay until they are dismissed; others leave after a while and remain
in the list of messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import QEnterEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QSlider, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.knowledge import Viewpoint
from engram_desktop.viewmodels.workspace.messages import Messages, Notice
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.motion import Travel
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    icon_button,
    kind_button,
    label,
    text_button,
)

STAYS_MS = 8000
MAX_SHOWN = 3  # the newest; a line counts the others
MAX_BARS = 40
MAX_SHARE = 0.4  # of the height of the sidebar
MARGIN = 10
BAR_MARGIN, FRAME, GAP, ICON = 8, 1, 6, 16  # pixels, within a message
KEPT = 76  # pixels of the list of chats that stay free: one message, and the line of the count
NO_LIMIT = 2**24  # pixels, Qt's own maximum
DIAL_REST_MS = 250  # after the last step of the dial
SHORT_NAME = 6  # characters of a long name in a narrow bar, so that the event stays readable
LEAST_READ = 200  # pixels of a message that are always shown: two lines
MAX_HINT, MAX_LINES = 160, 2  # characters and lines: the list of messages has the rest
# Qt breaks no line within a file name: 16 letters are a line of the bar.
_UNBROKEN = re.compile(r"(?<=[a-zA-Z])[_/\\.:-](?=\w)|\w{16}(?=\w)", re.ASCII)
_LONG_NAME = re.compile(r"(?<=[“「『])[^”」』]{10,}(?=[”」』])")
ICONS = {
    "info": ("info", "accent_ink"),
    "success": ("check", "green_ink"),
    "warning": ("warning", "gold_ink"),
    "error": ("error", "red_ink"),
}


class NoticeBar(QFrame):
    """One message; a click marks it as read."""

    dismissed = Signal()

    def __init__(self, look: Look, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self.setProperty("kind", notice.kind)
        self.notice = notice
        self.is_dismissed = False
        self._hint: QWidget | None = None
        rows = column(self, BAR_MARGIN, 4)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        icon, role = ICONS[notice.kind]
        self.close_button = icon_button(look, "close", self.tr("Dismiss"))
        self.close_button.setProperty("kind", "close")
        self.close_button.setIconSize(QSize(ICON, ICON))
        self.close_button.clicked.connect(self.dismiss)
        line = self.close_button.sizeHint().height()
        picture = label()
        picture.setPixmap(look.pixmap(icon, role, ICON))
        picture.setMinimumHeight(line)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        self._words = label("", wrap=True)
        self._words.setMinimumSize(1, line)  # a long word does not widen the sidebar
        head.addWidget(self._words, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(head)
        self._layouts = (head, rows)
        if notice.hint:
            self._hint = label(_breakable(_cut(notice.hint)), "quiet", wrap=True)
            self._hint.setMinimumWidth(1)
            rows.addWidget(self._hint)
        if notice.action is not None or notice.other is not None:
            rows.addLayout(self._make_answers(notice))
        self.setAccessibleName(f"{notice.text} {notice.hint}".strip())
        self._show_words(_breakable(notice.text))
        self._timer = QTimer(self, singleShot=True, interval=STAYS_MS)
        self._timer.timeout.connect(self.dismiss)
        self._wait()

    def fit(self, width: int, room: int) -> None:
        """Leave the hint, long names, then the end to the tooltip if there is no room."""
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()  # the font is only known afterwards
        self._show_words(_breakable(self.notice.text))
        self._show_hint(is_shown=True)
        if self.heightForWidth(width) <= room:
            return
        self._show_hint(is_shown=False)
        if self.heightForWidth(width) <= room:
            return
        whole = _LONG_NAME.sub(_short_name, self.notice.text)
        self._show_words(_breakable(whole))
        if self.heightForWidth(width) > room:
            self._cut_words(whole, width, room)

    def _cut_words(self, whole: str, width: int, room: int) -> None:
        """Show as many words as fit, but at least a readable part."""

        def height_of(count: int) -> int:
            self._show_words(_breakable(f"{whole[:count].rstrip()}…"))
            return self.heightForWidth(width)

        metrics, right = self._words.fontMetrics(), Qt.TextElideMode.ElideRight
        least, most = len(metrics.elidedText(whole, right, LEAST_READ)) - 1, len(whole)
        room = max(room, height_of(least))
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if height_of(middle) <= room else (least, middle)
        height_of(least)

    def _show_words(self, text: str) -> None:
        self._words.setText(text)
        for layout in self._layouts:  # layouts of hidden parts keep old sizes
            layout.invalidate()

    def _show_hint(self, *, is_shown: bool) -> None:
        if self._hint is not None:
            self._hint.setVisible(is_shown)
        whole = f"{self.notice.text}\n{self.notice.hint}".strip()
        self.setToolTip("" if is_shown else whole)

    def _make_answers(self, notice: Notice) -> FlowLayout:
        line = FlowLayout()
        if notice.action is not None:
            self.button = text_button(notice.action_text)
            self.button.clicked.connect(self._act)
            line.addWidget(self.button)
        if notice.other is not None:
            self.other_button = text_button(notice.other_text)
            self.other_button.clicked.connect(self._act_otherwise)
            line.addWidget(self.other_button)
        return line

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.notice.action is None and self.rect().contains(event.position().toPoint()):
            self.dismiss()

    def _wait(self) -> None:
        if not self.notice.is_lasting:
            self._timer.start()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._timer.stop()  # it is being read

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.is_dismissed:
            self._wait()

    @Slot()
    def _act(self) -> None:
        action = self.notice.action
        self.dismiss()
        if action is not None:
            action()

    @Slot()
    def _act_otherwise(self) -> None:
        other = self.notice.other
        self.dismiss()
        if other is not None:
            other()

    @Slot()
    def dismiss(self) -> None:
        if not self.is_dismissed:
            self.is_dismissed = True
            self._timer.stop()
            self.hide()
            self.deleteLater()
            self.dismissed.emit()


def _cut(hint: str) -> str:
    """Shorten a hint to the length of a banner."""
    excerpt = "\n".join(hint.splitlines()[:MAX_LINES])[:MAX_HINT]
    return hint if len(excerpt) == len(hint) else f"{excerpt}…"


def _short_name(name: re.Match[str]) -> str:
    return f"{name[0][:SHORT_NAME]}…"


def _breakable(text: str) -> str:
    """Return the text with break points in long names, which would be cut otherwise."""
    return _UNBROKEN.sub("\\g<0>\u200b", text)


class MessageBar(QWidget):
    """Shows the newest messages in a part of ``side``, below ``above``, which gives way.

    It covers nothing and moves no page, and `KEPT` pixels of ``above`` stay.
    """

    list_wanted = Signal()

    def __init__(self, look: Look, messages: Messages, side: QWidget, above: QWidget) -> None:
        super().__init__(side)
        self._look = look
        self._side = side
        self._above = above
        self._layout = column(self, 0, 6)
        self._layout.setContentsMargins(MARGIN, 4, MARGIN, 4)
        self.more_button = kind_button("small", "", checkable=False)
        self.more_button.clicked.connect(self.list_wanted)
        self._layout.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        side.installEventFilter(self)
        messages.posted.connect(self._on_posted)
        messages.withdrawn.connect(self._on_withdrawn)
        self._arrange()

    @property
    def bars(self) -> list[NoticeBar]:
        """Return the messages that were not dismissed, oldest first; the newest are visible."""
        return [bar for bar in self.findChildren(NoticeBar) if not bar.is_dismissed]

    def take(self, notices: Iterable[Notice]) -> None:
        """Show the messages of a previous window that were not dismissed."""
        for notice in notices:
            self._add(notice)

    @Slot()
    def dismiss_read(self) -> None:
        """Dismiss messages without a question: the list of messages, which is open, has them."""
        for bar in self.bars:
            if bar.notice.action is None:
                bar.dismiss()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    @Slot(object)
    def _on_posted(self, notice: Notice) -> None:
        self._fade(partial(self._add, notice))

    def _fade(self, act: Callable[[], object]) -> None:
        """Animate messages that appear or disappear."""
        before = self.geometry() if self.isVisible() else QRect()

        def travel() -> Travel:
            after = self.geometry() if self.isVisible() else QRect()
            return Travel(before.united(after), QPoint())

        self._look.motion.change(self._side, act, travel)

    def _add(self, notice: Notice) -> None:
        for bar in self.bars:
            was = bar.notice
            is_same = (was.text, was.hint) == (notice.text, notice.hint)
            if is_same or (notice.topic and was.topic == notice.topic):
                bar.dismiss()  # the same message again replaces itself
        for bar in self.bars[: -MAX_BARS + 1]:
            bar.dismiss()  # the oldest makes room
        new_bar = NoticeBar(self._look, notice, self)
        self._layout.addWidget(new_bar)
        new_bar.dismissed.connect(partial(self._fade, self._arrange))
        self._arrange()

    @Slot(str)
    def _on_withdrawn(self, topic: str) -> None:
        for bar in self.bars:
            if bar.notice.topic == topic:
                bar.dismiss()

    @Slot()
    def _arrange(self) -> None:
        """Show as many of the newest messages as fit, and count the others."""
        bars = self.bars
        width = self._side.width() - 2 * MARGIN
        given = self._above.height() + (self.height() if self.isVisible() else 0)
        room = min(round(self._side.height() * MAX_SHARE), given - KEPT)
        count = self._fitting(bars, width, room)
        if count < len(bars):
            beside = self.more_button.sizeHint().height() + self._layout.spacing()
            count = self._fitting(bars, width, room - beside)
        for number, bar in enumerate(bars):
            bar.setVisible(number >= len(bars) - count)
        hidden = len(bars) - count
        self.more_button.setText(self.tr("%n more message(s)…", "", hidden))
        self.more_button.setVisible(hidden > 0)
        self.setVisible(bool(bars))
        self.updateGeometry()

    def _fitting(self, bars: Sequence[NoticeBar], width: int, room: int) -> int:
        """Count how many of the newest messages fit; the last one may be cut."""
        count = 0
        for bar in reversed(bars[-MAX_SHOWN:]):
            bar.fit(width, NO_LIMIT if count else room)
            room -= max(bar.heightForWidth(width), 0) + self._layout.spacing()
            if count and room < 0:
                break
            count += 1
        return count


# Shown above every page in safe mode, with a button to leave it.


class SafeStrip(QFrame):
    """Shown or hidden for good when it is made, as a change of mode is a new start."""

    wanted = Signal(bool)  # start again in safe mode, or leave it

    def __init__(self, look: Look, parent: QWidget | None = None, *, is_safe: bool) -> None:
        super().__init__(parent)
        self.setObjectName("viewpoint")
        self._look = look
        line = QHBoxLayout(self)
        line.setContentsMargins(24, 6, 16, 6)
        line.setSpacing(10)
        self._picture = label()
        line.addWidget(self._picture)
        self.text = ElidedLabel("viewpoint")
        self.text.set_text(
            self.tr("Safe mode: no automation, no scripts, no server, nothing by itself")
        )
        line.addWidget(self.text)
        self.leave_button = text_button(self.tr("Leave safe mode"))
        self.leave_button.clicked.connect(self.change)
        line.addWidget(self.leave_button)
        line.addStretch(1)
        look.changed.connect(self._draw)
        self._draw()
        self._is_safe = is_safe
        self.setVisible(is_safe)

    def follow(self, *doors: SignalInstance) -> None:
        """Change the mode when one of these signals is emitted."""
        for door in doors:
            door.connect(self.change)

    @Slot()
    def change(self) -> None:
        """Start again in the other mode."""
        self.wanted.emit(not self._is_safe)

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap("warning", "gold_ink", 18))


# Shown above every page while the viewpoint is a character or an earlier floor.


class ViewpointStrip(QFrame):
    """The strip of the viewpoint; hidden while it shows the whole story as it is now.

    The dial sets the floor of the viewpoint; pages are read when the dial rests.
    """

    def __init__(self, look: Look, viewpoint: Viewpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("viewpoint")
        self._look = look
        self._viewpoint = viewpoint
        self._is_of_now = self._is_of_library = False  # about the page shown
        self._is_beside = True  # the note: in one line with the rest
        self._rows = column(self, 0, 2)
        self._rows.setContentsMargins(24, 6, 16, 6)
        line = self._line = QHBoxLayout()
        line.setSpacing(10)
        self._rows.addLayout(line)
        self._picture = label()
        line.addWidget(self._picture)
        self._text = ElidedLabel("viewpoint")
        line.addWidget(self._text)
        self._make_dial(line)
        self.back_button = text_button(self.tr("Back to everything"))
        self.back_button.setToolTip("Esc")
        self.back_button.clicked.connect(self.go_back)
        line.addWidget(self.back_button)
        self._exempt = ElidedLabel("viewpoint")  # says that the page ignores the viewpoint
        self._exempt.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._exempt.setMinimumWidth(0)  # widgets before it do not move
        tail = QWidget()  # keeps its width if the note is below, so that the dial does not move
        self._tail = column(tail, 0, 0)
        self._tail.addWidget(self._exempt)
        line.addWidget(tail, 1)
        self._rest = QTimer(self, singleShot=True, interval=DIAL_REST_MS)
        self._rest.timeout.connect(self._view)
        viewpoint.changed.connect(self._show)
        viewpoint.at_changed.connect(self._show)
        viewpoint.last_read.connect(self._on_last_read)
        look.changed.connect(self._draw)
        self._draw()
        self._show()

    def _make_dial(self, line: QHBoxLayout) -> None:
        self._caption = label(self.tr("As of floor"), "viewpoint")
        line.addWidget(self._caption)
        self.dial = QSlider(Qt.Orientation.Horizontal)
        self.dial.setAccessibleName(self.tr("As of floor"))
        self.dial.setMinimumWidth(110)
        self.dial.setMaximumWidth(220)
        self.dial.setPageStep(10)
        self.dial.valueChanged.connect(self._on_dialled)
        line.addWidget(self.dial)
        self._floor = label("", "viewpoint")
        self._floor.setMinimumWidth(110)  # the dial keeps its place whatever the text
        line.addWidget(self._floor)

    @property
    def is_set(self) -> bool:
        """Return whether a character or a floor is set."""
        return bool(self._viewpoint.current) or self._viewpoint.at is not None

    def show_page(self, *, is_of_now: bool, is_of_library: bool) -> None:
        """Show a note on pages that do not follow the chosen floor or character."""
        self._is_of_now, self._is_of_library = is_of_now, is_of_library
        self._show()

    @Slot()
    def go_back(self) -> None:
        """Reset the viewpoint: all knowledge, current floor."""
        self._rest.stop()
        self._viewpoint.view_at(None)
        self._viewpoint.view_as("")

    @Slot()
    def _show(self) -> None:
        name, at = self._viewpoint.current, self._viewpoint.at
        self.setVisible(self.is_set)
        self._text.set_text(
            self.tr("Seen as {name}: only what {name} knows").format(name=name) if name else ""
        )
        is_followed = not (self._is_of_library or (self._is_of_now and at is not None))
        words = "" if is_followed else self.tr("This page shows now")
        self._exempt.set_text(words)
        self._text.setVisible(bool(name))
        for part in (self._caption, self.dial, self._floor):
            part.setVisible(at is not None)
        if at is not None:
            with QSignalBlocker(self.dial):
                self.dial.setMaximum(max(at, self.dial.maximum()))
                self.dial.setValue(at)
            self._tell(at)
        self._place_note()

    def _place_note(self) -> None:
        """Place the note beside the rest, or below it in a narrow window."""
        margins = self._rows.contentsMargins()
        tail = self._tail.sizeHint().width() if self._is_beside else 0
        used = self._line.sizeHint().width() - tail + margins.left() + margins.right()
        has_room = self.width() - used >= self._exempt.sizeHint().width()
        is_beside = has_room or not self._exempt.accessibleName()
        if is_beside is not self._is_beside:
            self._is_beside = is_beside
            here, there = (self._tail, self._rows) if is_beside else (self._rows, self._tail)
            there.removeWidget(self._exempt)
            here.addWidget(self._exempt)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_note()

    @Slot(object)
    def _on_last_read(self, last: int) -> None:
        with QSignalBlocker(self.dial):
            self.dial.setMaximum(max(0, last))
        self._tell(self.dial.value())

    @Slot(int)
    def _on_dialled(self, floor: int) -> None:
        self._tell(floor)
        self._rest.start()

    @Slot()
    def _view(self) -> None:
        self._viewpoint.view_at(self.dial.value())

    def _tell(self, floor: int) -> None:
        text = self.tr("{floor} of {last}")
        self._floor.setText(text.format(floor=floor, last=self.dial.maximum()))

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap("eye", "gold_ink", 18))
