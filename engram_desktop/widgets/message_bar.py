"""Messages at the top of the page: non-modal, with one action. Errors stay until they are read."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from engram_desktop.viewmodels.messages import Messages, Notice
from engram_desktop.widgets.look import Look
from engram_desktop.widgets.parts import column, icon_button, label, text_button

STAYS_MS = 8000
MAX_BARS = 4
ICONS = {
    "info": ("info", "accent_ink"),
    "success": ("check", "green_ink"),
    "warning": ("warning", "gold_ink"),
    "error": ("error", "red_ink"),
}


class NoticeBar(QFrame):
    """One message."""

    def __init__(self, look: Look, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self.setProperty("kind", notice.kind)
        self.notice = notice
        self.is_dismissed = False
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 8, 8)
        line.setSpacing(10)
        icon, role = ICONS[notice.kind]
        picture = label()
        picture.setPixmap(look.pixmap(icon, role, 18))
        line.addWidget(picture)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(notice.text, wrap=True))
        if notice.hint:
            words.addWidget(label(notice.hint, "quiet", wrap=True))
        line.addLayout(words, 1)
        if notice.action is not None:
            self.button = text_button(notice.action_text)
            self.button.clicked.connect(self._act)
            line.addWidget(self.button)
        if notice.other is not None:
            self.other_button = text_button(notice.other_text)
            self.other_button.clicked.connect(self._act_otherwise)
            line.addWidget(self.other_button)
        self.close_button = icon_button(look, "close", self.tr("Dismiss"))
        self.close_button.clicked.connect(self.dismiss)
        line.addWidget(self.close_button)
        self.setAccessibleName(f"{notice.text} {notice.hint}".strip())
        if notice.kind != "error" and not notice.stays:
            self._timer = QTimer(self, singleShot=True, interval=STAYS_MS)
            self._timer.timeout.connect(self.dismiss)
            self._timer.start()

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
        self.is_dismissed = True
        self.hide()
        self.deleteLater()


class MessageBar(QWidget):
    """Stacks the last few messages."""

    def __init__(self, look: Look, messages: Messages, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._layout = column(self, 0, 6)
        messages.posted.connect(self._on_posted)

    @property
    def bars(self) -> list[NoticeBar]:
        """The messages that stand here. One just posted is drawn only a moment later."""
        return [bar for bar in self.findChildren(NoticeBar) if not bar.is_dismissed]

    @Slot(object)
    def _on_posted(self, notice: Notice) -> None:
        shown = self.bars
        for bar in shown:
            was = bar.notice
            is_same = (was.text, was.hint) == (notice.text, notice.hint)
            if is_same or (notice.topic and was.topic == notice.topic):
                bar.dismiss()  # the same message again replaces itself
        if len(shown) >= MAX_BARS:
            shown[0].dismiss()  # the oldest makes room
        self._layout.addWidget(NoticeBar(self._look, notice, self))
