"""What the player says: the field, who replies, and what the turn is taken for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QToolButton, QWidget
from typing_extensions import override

from engram_desktop.domain.play.turn import Scene
from engram_desktop.domain.recall.triage import LEVELS, Level
from engram_desktop.viewmodels.play.play_chat import PlayChat, PlayState
from engram_desktop.viewmodels.play.turn_words import level_names, level_tips
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, column
from engram_desktop.widgets.parts.basics.pieces import icon_button, kind_button, text_button
from engram_desktop.widgets.parts.fields.filtered_box import FilteredBox
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.look.look import Look

MOST_LINES = 7  # of the field; what is longer scrolls


class SayField(TextField):
    """Enter sends, Shift+Enter begins a line, and the Enter of an input method does neither."""

    submitted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.is_composing = False
        self.textChanged.connect(self._fit)
        self._fit()

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not is_enter or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().keyPressEvent(event)
            return
        if not self.is_composing:
            self.submitted.emit()
        event.accept()

    @Slot()
    def _fit(self) -> None:
        """Be as high as the text, within limits."""
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 24)


class Composer(QFrame):
    """The foot of the page. What it sends goes to `PlayChat`."""

    def __init__(self, look: Look, chat: PlayChat, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._chat = chat
        rows = column(self, 10, 8)
        rows.addWidget(self._make_choices())
        line = QHBoxLayout()
        line.setSpacing(8)
        self.field = SayField(self.tr("What you say"))
        self.field.setToolTip(self.tr("Enter sends, Shift+Enter begins a line."))
        self.field.submitted.connect(self._on_submitted)
        line.addWidget(self.field, 1)
        self.send_button = text_button("", "main")
        self.send_button.clicked.connect(self._on_pressed)
        line.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        rows.addLayout(line)
        self._typing = KeptTyping(chat.unsaved, {"say": self.field}, self)
        rows.addWidget(self._typing.hint)
        chat.shown.connect(self._on_shown)
        chat.streaming_changed.connect(self._update_buttons)
        self.field.textChanged.connect(self._update_buttons)
        self._on_shown(chat.state)

    def _make_choices(self) -> QWidget:
        choices = QWidget()
        line = FlowLayout(choices)
        self.speaker = FilteredBox()
        self.speaker.setAccessibleName(self.tr("Who replies"))
        self.speaker.setToolTip(self.tr("Who replies"))
        self.speaker.setMaximumWidth(220)
        self.speaker.setSizeAdjustPolicy(FilteredBox.SizeAdjustPolicy.AdjustToContents)
        self.speaker.activated.connect(self._on_speaker)
        line.addWidget(self.speaker)
        self._levels = QButtonGroup(self)
        self.level_buttons: dict[Level | None, QToolButton] = {}
        names, tips = level_names(), level_tips()
        for level in (None, *LEVELS):
            button = kind_button("chip", self.tr("Automatic") if level is None else names[level])
            tip = self.tr("The turn is taken for what it looks like.")
            button.setToolTip(tip if level is None else tips[level])
            button.clicked.connect(lambda _checked=False, value=level: self._on_level(value))
            self._levels.addButton(button)
            self.level_buttons[level] = button
            line.addWidget(button)
        self.level_buttons[None].setChecked(True)
        self.suggest_button = text_button(self.tr("What you say next in this scene"), "link")
        self.suggest_button.clicked.connect(self._on_suggested)
        line.addWidget(self.suggest_button)
        self.go_on_button = icon_button(self._look, "play", self.tr("Continue the reply"))
        self.go_on_button.clicked.connect(self._chat.go_on)
        line.addWidget(self.go_on_button)
        self.reroll_button = icon_button(self._look, "refresh", self.tr("Another reply"))
        self.reroll_button.clicked.connect(self._chat.reroll)
        line.addWidget(self.reroll_button)
        return choices

    @Slot()
    def _on_submitted(self) -> None:
        if not self._chat.is_streaming:
            self._send()

    @Slot()
    def _on_pressed(self) -> None:
        if self._chat.is_streaming:
            self._chat.stop()
        else:
            self._send()

    def _send(self) -> None:
        if self._chat.send(self.field.toPlainText()):
            self.field.clear()
            self._typing.drop()

    @Slot(object)
    def _on_shown(self, state: PlayState) -> None:
        self._show_speakers(state.scene)
        if self._chat.has_chat:
            self._typing.show(self._chat.place("say"), {"say": ""})
        self.suggest_button.setVisible(bool(state.scene.suggestion))
        self._update_buttons()

    def _show_speakers(self, scene: Scene) -> None:
        names = [member.name for member in scene.members]
        self.speaker.setVisible(len(names) > 1)
        if self.speaker.is_typing:
            return
        self.speaker.clear()
        next_name = scene.next_speaker
        whose = self.tr("Whose turn it is: {name}").format(name=next_name)
        self.speaker.addItem(whose if next_name else self.tr("Whose turn it is"), "")
        for name in names:
            self.speaker.addItem(name, name)
        wanted = self._chat.speaker if self._chat.speaker in names else ""
        self.speaker.setCurrentIndex(max(0, self.speaker.findData(wanted)))

    @Slot(int)
    def _on_speaker(self, row: int) -> None:
        self._chat.speaker = str(self.speaker.itemData(row) or "")

    def _on_level(self, level: Level | None) -> None:
        self._chat.level = level

    @Slot()
    def _on_suggested(self) -> None:
        self.field.replace_text(self._chat.state.scene.suggestion)
        self.field.setFocus()

    @Slot()
    def _update_buttons(self) -> None:
        chat, state = self._chat, self._chat.state
        is_busy, has_text = chat.is_streaming, bool(self.field.toPlainText().strip())
        if is_busy:
            self.send_button.setText(self.tr("Stop"))
        elif has_text or state.last != "user":
            self.send_button.setText(self.tr("Send"))
        else:
            self.send_button.setText(self.tr("Reply"))
        can_ask = state.can_play and chat.has_chat
        self.send_button.setEnabled(is_busy or (can_ask and (has_text or state.count > 0)))
        is_reply = state.last == "assistant" and not is_busy and can_ask
        self.go_on_button.setEnabled(is_reply)
        self.reroll_button.setEnabled(is_reply and state.count > 1)
        who = chat.state.scene.next_speaker
        to_whom = self.tr("Say something to {name}…").format(name=who)
        self.field.setPlaceholderText(to_whom if who else self.tr("Say something…"))
