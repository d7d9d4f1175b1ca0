"""The page on which a chat is played: the messages, and the input for the next one.

Beside the input are the speaker of the reply and the level of the turn.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QCursor, QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.play import PlayScene
from engram_desktop.domain.recall.query import LEVELS, Level
from engram_desktop.viewmodels.play import PlayChat, PlayState, level_names, level_tips
from engram_desktop.viewmodels.turn_view import TurnView
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.widgets.parts.chat_view import ChatView
from engram_desktop.widgets.parts.fields.filtered import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import TextField, UnsavedFields
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts, RowEditing
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    icon_button,
    kind_button,
    label,
    named_frame,
    text_button,
)

MOST_LINES = 7  # of the field; a longer text scrolls


class SayField(TextField):
    """The input: Enter sends, Shift+Enter starts a line; Enter of an input method does neither."""

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
        """Set the height to that of the text, within limits."""
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 24)


class Composer(QFrame):
    """The input at the bottom of the page. It sends through `PlayChat`."""

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
        self._typing = UnsavedFields(chat.unsaved, {"say": self.field}, self)
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
        self.reroll_button = icon_button(self._look, "refresh", self.tr("Another reply"))
        self.reroll_button.clicked.connect(self._chat.reroll)
        again = QWidget()  # these buttons wrap together
        icons = QHBoxLayout(again)
        icons.setContentsMargins(0, 0, 0, 0)
        icons.setSpacing(line.spacing())
        icons.addWidget(self.go_on_button)
        icons.addWidget(self.reroll_button)
        line.addWidget(again)
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
        if not self.send_button.isEnabled():
            return  # Enter does no more than the button does
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

    def _show_speakers(self, scene: PlayScene) -> None:
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


class PlayPage(Page):
    start_wanted = Signal()
    scene_wanted = Signal()
    settings_wanted = Signal()
    reflect_wanted = Signal()

    def __init__(
        self, look: Look, chat: PlayChat, turn: TurnView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._chat = chat
        self._turn = turn
        outer = column(self, 0, 0)
        outer.addLayout(self._make_head())
        self.view = ChatView(look, chat.rows, chat.face)
        self.editing = RowEditing(self.view, chat, self)
        self.view.setAccessibleName(self.tr("What was said"))
        self._empty = EmptyState(look, "play")
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        foot = QVBoxLayout()
        foot.setSpacing(8)
        foot.setContentsMargins(24, 4, 24, 12)
        outer.addLayout(foot)
        self._missing = self._make_missing()
        foot.addWidget(self._missing)
        self.composer = Composer(look, chat)
        foot.addWidget(self.composer)
        self._empty.acted.connect(self.start_wanted)
        self.view.note_pressed.connect(self._on_note)
        self.view.swipe_pressed.connect(chat.swipe)
        self.view.menu_wanted.connect(self._open_menu)
        self.view.current_changed.connect(turn.choose)
        chat.shown.connect(self._on_shown)
        chat.streaming_changed.connect(self._on_streaming)
        self._on_shown(chat.state)

    def _make_head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(24, 10, 16, 6)
        line.setSpacing(8)
        self._who = ElidedLabel("quiet", max_width=600)
        line.addWidget(self._who)
        line.addStretch(1)
        self.reflect_button = text_button(self.tr("End the session…"))
        self.reflect_button.setToolTip(
            self.tr("Look back: what was missed, and what each keeps to themselves")
        )
        self.reflect_button.clicked.connect(self.reflect_wanted)
        line.addWidget(self.reflect_button)
        self.start_button = text_button(self.tr("New chat…"))
        self.start_button.clicked.connect(self.start_wanted)
        line.addWidget(self.start_button)
        return line

    def _make_missing(self) -> QFrame:
        """Make the hint that no model can reply, with a button to set one up."""
        strip = named_frame("well")
        rows = column(strip, 0, 6)
        rows.setContentsMargins(14, 8, 8, 8)
        text = self.tr("No model is set up, so nobody can reply here.")
        rows.addWidget(label(text, wrap=True))
        buttons = QWidget()
        line = FlowLayout(buttons)
        rows.addWidget(buttons)
        self.scene_button = text_button(self.tr("Play our scene without one"))
        self.scene_button.clicked.connect(self.scene_wanted)
        line.addWidget(self.scene_button)
        self.settings_button = text_button(self.tr("Set up a model…"))
        self.settings_button.clicked.connect(self.settings_wanted)
        line.addWidget(self.settings_button)
        return strip

    @override
    def focus_search(self) -> None:
        self.composer.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        self._chat.set_active(active)
        self._turn.set_active(active)

    def edit(self, floor: int) -> None:
        """Edit a message in its place."""
        self.editing.edit(floor)

    @Slot(object)
    def _on_shown(self, state: PlayState) -> None:
        if self.editing.editor is not None and self.editing.floor >= state.count:
            self.editing.leave()
        names = [member.name for member in state.scene.members]
        if names:
            text = self.tr("{player} with {names}").format(
                player=state.scene.player, names=listed(names)
            )
            self._who.set_text(text)
        else:
            self._who.set_text("")
        has_rows = self._chat.rows.count > 0
        self._stack.setCurrentWidget(self.view if has_rows else self._empty)
        self._missing.setVisible(self._chat.has_chat and not state.can_play)
        self.reflect_button.setEnabled(state.count > 0)
        if not has_rows and not self._chat.is_loaded:
            self._empty.wait()
        elif not has_rows:
            self._empty.say(
                self.tr("Nothing was said yet"),
                self.tr(
                    "Talk with a character of the library, or several in one scene. Every chat "
                    "can be gone on with here."
                ),
                self.tr("New chat…"),
            )
        if self.view.current < 0 and has_rows:
            self._turn.choose(state.count - 1)

    @Slot(bool)
    def _on_streaming(self, is_streaming: bool) -> None:  # noqa: FBT001 - a Qt slot
        self._stack.setCurrentWidget(self.view if self._chat.rows.count else self._empty)
        if is_streaming:
            self.editing.leave()
            self.view.scroll_to_end()
        else:
            self._turn.choose(self._chat.rows.count - 1)

    @Slot(int, str)
    def _on_note(self, floor: int, key: str) -> None:
        if key == "ending" and floor == self._chat.state.count - 1:
            self._chat.go_on()
        elif key == "level":
            self._open_levels(floor)
        else:
            self._turn.choose(floor)
            self._turn.show_panel()

    def _open_levels(self, floor: int) -> None:
        """Open the menu in which the user sets the level of a turn."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for level, name in level_names().items():
            action = menu.addAction(name)
            action.setToolTip(level_tips()[level])
            action.triggered.connect(
                lambda _checked=False, value=level: self._turn.correct_level(value, floor)
            )
        menu.popup(QCursor.pos())

    @Slot(int, QPoint)
    def _open_menu(self, floor: int, at: QPoint) -> None:
        chat, state = self._chat, self._chat.state
        is_stored, is_newest = floor < state.count, floor == state.count - 1
        can_ask = state.can_play and not chat.is_streaming and state.last == "assistant"
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = chat.rows.row(floor)
        text = self.view.marked_text() or (row.text if row is not None else "")
        copied = partial(QGuiApplication.clipboard().setText, text)
        for name, act, can in (
            (self.tr("Copy"), copied, bool(text)),
            (self.tr("Edit here"), partial(self.edit, floor), is_stored),
            (self.tr("Continue the reply"), chat.go_on, can_ask and is_newest),
            (self.tr("Another reply"), chat.reroll, can_ask and is_newest and floor > 0),
            (self.tr("Fork here"), partial(chat.fork, floor), is_stored),
            (self.tr("Memories of this message"), partial(chat.read_source, floor), is_stored),
            (self.tr("Who knows this…"), partial(chat.ask_who, floor), is_stored),
            (self._deletion(state.count - floor), partial(chat.delete_from, floor), is_stored),
        ):
            action = menu.addAction(name)
            action.setEnabled(can and not (chat.is_streaming and act is not copied))
            action.triggered.connect(lambda _checked=False, do=act: do())
        menu.popup(at)

    def _deletion(self, count: int) -> str:
        if count <= 1:
            return self.tr("Delete this message")
        return self.tr("Delete this and the %n after it", "", count - 1)


def make(parts: PageParts, parent: QWidget) -> PlayPage:
    models, doors = parts.models, parts.doors
    page = PlayPage(parts.look, models.play, models.turn, parent)
    page.start_wanted.connect(doors.open_play_start)
    page.scene_wanted.connect(models.play_start.start_own_scene)
    page.settings_wanted.connect(doors.open_settings)
    page.reflect_wanted.connect(doors.open_reflect)
    return page
