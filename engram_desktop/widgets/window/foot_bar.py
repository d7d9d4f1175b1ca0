"""The bar at the bottom of the window: index, visible tokens with their limit, automation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.chats.chat_tree import ChatStatus, StatusValues
from engram_desktop.viewmodels.next_prompt import NextPromptModel
from engram_desktop.viewmodels.pipeline.commands import Automation
from engram_desktop.viewmodels.tavern import TavernModel
from engram_desktop.viewmodels.workspace.messages import JobList, JobRow
from engram_desktop.widgets.parts.layouts import ClosesOutside, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    ProgressBar,
    icon_button,
    kind_button,
    label,
    text_button,
)

if TYPE_CHECKING:
    from engram_desktop.domain.reports import IndexHealth


NARROW = 800  # pixels: in a narrower window there is no bar, and texts are shorter
ROLES = {
    "ok": "green",
    "exact": "green",
    "starting": "gold",
    "behind": "gold",
    "changing": "gold",
    "off": "grey",
}


class FollowingLabel(QLabel):
    """Shows that the chat shown is followed; hidden for other chats."""

    def __init__(self, tavern: TavernModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("tone", "quiet")
        self.setContentsMargins(16, 0, 0, 0)
        self._tavern = tavern
        tavern.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self.setText(self._tavern.text)
        self.setVisible(bool(self._tavern.text))


# Kinds of memories that a page shows; elsewhere the whole prompt is counted.
KINDS = {"events": {"event"}, "reading": {"turn"}, "graph": {"entity"}, "logs": {"log"}}


class FootBar(QFrame):
    next_wanted = Signal()

    def __init__(
        self,
        look: Look,
        status: ChatStatus,
        automation: Automation,
        tavern: TavernModel,
        next_prompt: NextPromptModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self._look = look
        self._status = status
        self._automation = automation
        self._next = next_prompt
        self._page = ""
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(16, 0, 20, 0)
        line.setSpacing(10)
        self.setFixedHeight(32)
        self._lamp = label()
        self._index = ElidedLabel("quiet")
        self._tokens = label("", "quiet")
        self._bar = ProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(110, 8)
        self._auto = ElidedLabel("quiet")
        self.following = FollowingLabel(tavern)
        for part in (self._lamp, self._index, self.following):
            line.addWidget(part)
        line.addStretch(1)
        line.addWidget(self._tokens)
        line.addWidget(self._bar)
        line.addSpacing(16)
        line.addWidget(self._auto)
        self._add_counts(line)
        self._add_actions(line)
        automation.changed.connect(self._show_automation)
        status.changed.connect(self._show)
        look.changed.connect(self._redraw)
        self._show(status.values)

    def _add_counts(self, line: QHBoxLayout) -> None:
        """Add the counts of waiting and failed items and the next prompt, beside the index."""
        self.review_button = kind_button("small", "", checkable=False)
        self.review_button.clicked.connect(self._automation.review_wanted)
        self.failures_button = kind_button("small", "", checkable=False)
        self.failures_button.clicked.connect(lambda: self._automation.failures_wanted.emit(()))
        self.next_button = kind_button("small", "", checkable=False)
        self.next_button.setToolTip(self.tr("What the next reply would be given of memory"))
        self.next_button.clicked.connect(self.next_wanted)
        self._next.changed.connect(self._show_next)
        for button in (self.next_button, self.failures_button, self.review_button):
            line.insertWidget(2, button)

    def _add_actions(self, line: QHBoxLayout) -> None:
        self.action_button = kind_button("small", "", checkable=False)
        self.action_button.clicked.connect(self._automation.act)
        line.addWidget(self.action_button)
        self.pause_button = icon_button(self._look, "pause", self.tr("Pause automatic memory"))
        self.pause_button.clicked.connect(self._automation.toggle)
        name = self.tr("Messages of this session")
        self.messages_button = icon_button(self._look, "clock", name)
        for button in (self.pause_button, self.messages_button):
            button.setIconSize(QSize(14, 14))
            line.addWidget(button)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tokens()
        self._show_next()

    def show_page(self, name: str) -> None:
        """Show the part of the next prompt's figures that belongs to this page."""
        self._page = name
        self._show_next()

    @Slot()
    def _show_next(self) -> None:
        found = self._next.next
        kinds = KINDS.get(self._page)
        short = text = self.tr("Next prompt")
        if found is None:
            pass
        elif kinds is None:
            text = self.tr("Next prompt: {tokens} tokens").format(
                tokens=f"{found.injection.tokens:,}"
            )
        else:
            count, tokens = self._next.share(kinds)
            text = self.tr("Next prompt: %n of these, {tokens} tokens", "", count).format(
                tokens=f"{tokens:,}"
            )
        # The longest texts that fit beside each other: the next prompt gives way last.
        for words, has_count, has_plan in (
            (text, True, True),
            (text, False, True),
            (text, False, False),
            (short, False, False),
            ("", False, False),
        ):
            self._index.set_short(is_short=not has_count)
            self._auto.set_short(is_short=not has_plan)
            self.next_button.setText(words)
            self.next_button.setVisible(bool(words))
            if self._line.totalSizeHint().width() <= self.width():
                break

    @Slot()
    def _redraw(self) -> None:
        self._show(self._status.values)

    @Slot(object)
    def _show(self, values: StatusValues | None) -> None:
        for part in (self._lamp, self._index, self._tokens):
            part.setVisible(values is not None)
        self._show_tokens()
        self._show_automation()
        if values is not None:
            self._show_index(values.index)
        self._show_next()

    def _show_tokens(self) -> None:
        """Show how many tokens are always visible: in a short form if there is no room."""
        values, is_wide = self._status.values, self.width() >= NARROW
        self._bar.setVisible(values is not None and is_wide)
        if values is None:
            return
        counts = {"used": f"{values.visible_tokens:,}", "limit": f"{values.visible_limit:,}"}
        whole = self.tr("Always visible {used} / {limit} tokens").format(**counts)
        short = self.tr("{used} / {limit} tokens").format(**counts)
        self._tokens.setText(whole if is_wide else short)
        self._tokens.setToolTip("" if is_wide else whole)
        self._bar.setAccessibleName(whole)
        self._bar.setRange(0, max(1, values.visible_limit))
        self._bar.setValue(min(values.visible_tokens, values.visible_limit))

    @Slot()
    def _show_automation(self) -> None:
        auto = self._automation
        text, action = auto.text, auto.action_text
        self._auto.set_text(text, text.split(" · ")[0])
        self._auto.setVisible(bool(text))
        self.action_button.setText(action)
        self.action_button.setVisible(bool(action))
        counts = auto.drafts
        waiting = counts.waiting + counts.redo if counts is not None else 0
        failed = counts.failed if counts is not None else 0
        self.review_button.setText(self.tr("%n block(s) to review", "", waiting))
        self.review_button.setVisible(waiting > 0)
        self.failures_button.setText(self.tr("%n block(s) failed", "", failed))
        self.failures_button.setVisible(failed > 0)
        state = auto.state
        can_toggle = state is not None and state.plan.standing != "mode"
        self.pause_button.setVisible(can_toggle)
        icon, words = (
            ("pause", self.tr("Pause automatic memory"))
            if auto.is_on
            else ("play", self.tr("Resume automatic memory"))
        )
        self._look.set_icon(self.pause_button, icon)
        self.pause_button.setToolTip(words)
        self.pause_button.setAccessibleName(words)
        self._show_next()

    def _show_index(self, index: IndexHealth) -> None:
        role = ROLES.get(index.state, "red")
        self._lamp.setPixmap(self._look.pixmap("check" if role == "green" else "info", role, 16))
        words = {
            "ok": self.tr("Index in order"),
            "exact": self.tr("Exact search"),
            "starting": self.tr("Index starting, exact search meanwhile"),
            "behind": self.tr("Index updating, exact search meanwhile"),
            "off": self.tr("Index off"),
            "changing": self.tr("Changing to the new model {share} %").format(
                share=100 * index.embedded // max(1, index.items)
            ),
        }
        text = words.get(index.state, self.tr("Index broken, exact search meanwhile"))
        count = self.tr("%n memory(s)", "", index.items)
        self._index.set_text(f"{text} · {count}", text)
        self._lamp.setToolTip(index.detail)


# The running tasks with progress, time left and a button to stop each.


STEPS = 1000
CLOSES_MS = 1500  # after the last task: a following task starts at once, and the end stays visible


class TaskLine(QWidget):
    """One task."""

    def __init__(self, jobs: JobList, job_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        layout = column(self, 0, 4)
        head = QHBoxLayout()
        self._title = label()
        self._left = label("", "hint")
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(lambda: jobs.cancel(job_id))
        head.addWidget(self._title, 1)
        head.addWidget(self._left)
        head.addWidget(self.cancel_button)
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self._label = label("", "hint")
        layout.addLayout(head)
        layout.addWidget(self.bar)
        layout.addWidget(self._label)

    def show_row(self, row: JobRow) -> None:
        fraction = row.fraction
        self._title.setText(row.title)
        self.bar.setAccessibleName(row.title)
        self.bar.setRange(0, 0 if row.started_at is not None and fraction is None else STEPS)
        self.bar.setValue(round((fraction or 0) * STEPS))
        self._left.setText(self._jobs.time_left(row))
        is_waiting = row.started_at is None
        self._label.setText(self.tr("Waiting") if is_waiting else self._jobs.done_so_far(row))


class TaskPanel(QFrame):
    """Opens above the label Tasks; Escape, a click elsewhere or another page closes it.

    It closes by itself when the last task it showed has ended.
    """

    def __init__(self, jobs: JobList, button: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("popup")
        self._window = parent
        self._button = button
        self._jobs = jobs
        self._lines: dict[int, TaskLine] = {}
        self._layout = column(self, 16, 12)
        self._layout.addWidget(label(self.tr("Tasks"), "heading"))
        self._nothing = label(self.tr("Nothing is running."), "quiet")
        self._layout.addWidget(self._nothing)
        self.setFixedWidth(380)
        self.hide()
        ClosesOutside(self, button)
        self._ended = QTimer(self, singleShot=True, interval=CLOSES_MS)
        self._ended.timeout.connect(self.hide)
        jobs.changed.connect(self._refresh)
        self._refresh()

    def toggle(self) -> None:
        self._ended.stop()
        self.setVisible(self.isHidden())
        if not self.isHidden():
            self._place()
            self.raise_()
            self.setFocus()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and not self.isHidden():
            self._place()
        return super().event(event)

    def _place(self) -> None:
        self.adjustSize()
        self.move(16, max(0, self._button.mapTo(self._window, QPoint()).y() - self.height() - 4))

    @Slot()
    def _refresh(self) -> None:
        rows = {row.job_id: row for row in self._jobs.rows}
        if rows:
            self._ended.stop()
        elif self._lines:
            self._ended.start()
        for number in [n for n in self._lines if n not in rows]:
            line = self._lines.pop(number)
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        for number, row in rows.items():
            if number not in self._lines:
                self._lines[number] = TaskLine(self._jobs, number, self)
                self._layout.addWidget(self._lines[number])
            self._lines[number].show_row(row)
        self._nothing.setVisible(not rows)
