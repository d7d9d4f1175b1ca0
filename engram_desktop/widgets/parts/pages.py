"""What all pages share: their interface, the empty state, and editing in rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, UnsavedTexts
from engram_desktop.widgets.parts.fields.text_fields import SearchField, TextField, UnsavedFields
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, text_button

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.viewmodels.graph.entity_editor import RelationRow
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.viewmodels.pipeline.commands import Floors
    from engram_desktop.viewmodels.reading.text_marks import Passage, RelationPassage
    from engram_desktop.viewmodels.serving import Bodies
    from engram_desktop.widgets.parts.chat_view import ChatView


# The interface of a page: how it is made, and the methods that the window calls.
#
# A page is a module with a function `make`, its panel one with `make_panel`. They are
# named in `engram_desktop.widgets.window.page_stack` and nowhere else.


class Page(QWidget):
    """One page: Ctrl+F focuses its search, and it reads only while it is visible."""

    @abstractmethod
    def focus_search(self) -> None:
        """Focus the search field of the page."""

    @abstractmethod
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - seen or not
        """Set whether the page is visible."""


class SearchedPage(Page):
    """A page with its own search field."""

    search: SearchField

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()


class OpensOfGraph(Protocol):
    """The dialogs that the graph page opens."""

    def open_entity(self) -> None: ...
    def open_merge(self) -> None: ...
    def open_add_relation(self) -> None: ...
    def open_passage_relation(self, passage: RelationPassage) -> None: ...
    def open_reword(self, row: RelationRow) -> None: ...
    def open_end(self, row: RelationRow) -> None: ...


class OpensOfBooks(Protocol):
    """The dialogs that the page of worldbooks opens."""

    def open_rename_worldbook(self) -> None: ...
    def open_merge_worldbook(self, file: Path) -> None: ...
    def open_sort_entries(self) -> None: ...
    def open_large_entry(self) -> None: ...
    def open_head_entries(self, uids: Sequence[int | str]) -> None: ...
    def open_rename_heading(self, heading: str) -> None: ...


class DialogOpener(Protocol):
    """The dialogs that pages and panels open."""

    @property
    def graph(self) -> OpensOfGraph: ...
    @property
    def books(self) -> OpensOfBooks: ...
    def open_add(self, passage: Passage | None = None) -> None: ...
    def open_bin(self) -> None: ...
    def open_replace(self) -> None: ...
    def open_duplicates(self) -> None: ...
    def open_split(self, event: EventNode) -> None: ...
    def open_summarise(self, floors: Floors = None) -> None: ...
    def open_consolidate(self) -> None: ...
    def open_redo(self, floors: Floors) -> None: ...
    def open_log(self) -> None: ...
    def open_review(self) -> None: ...
    def open_failures(self) -> None: ...
    def open_reflect(self) -> None: ...
    def open_characters(self) -> None: ...
    def open_state(self) -> None: ...
    def open_play_start(self) -> None: ...
    def open_settings(self, page: str = "") -> None: ...
    def open_bodies(self, bodies: Bodies) -> None: ...


@dataclass(frozen=True, slots=True)
class PageParts:
    """What pages and panels are made from."""

    look: Look
    models: Pages
    doors: DialogOpener
    choose_files: Callable[[], None]


class MakesPage(Protocol):
    """Protocol of the module of a page."""

    @property
    def make(self) -> Callable[[PageParts, QWidget], Page]: ...


class MakesPanel(Protocol):
    """Protocol of the module of a panel beside a page."""

    @property
    def make_panel(self) -> Callable[[PageParts, QWidget], QWidget]: ...


# Shown instead of a page's content while it is empty.
#
# Grey blocks in place of rows that are being read; they contain no text.
#
# They appear only after a delay, so that a page that is read quickly does not flash,
# and they are not animated: that would cost frames while the machine has other work.


PATIENCE_MS = 120  # before anything is shown: most pages are read by then
ROW_HEIGHT, GAP, MARGIN = 88, 8, 4  # pixels: about a card of the lists
BARS = (0.34, 0.86, 0.62)  # widths of the lines in a block, of its own


class Skeleton(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Reading…"))
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self.update)
        look.changed.connect(self.update)

    @property
    def is_drawn(self) -> bool:
        """Return whether the delay is over."""
        return self.isVisible() and not self._timer.isActive()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = MARGIN
        while top < self.height():
            box = QRectF(MARGIN, top, self.width() - 2 * MARGIN, ROW_HEIGHT)
            painter.setOpacity(max(0.15, 1 - top / max(1, self.height())))
            painter.setBrush(self._look.color("panel"))
            painter.drawRoundedRect(box, 10, 10)
            painter.setBrush(self._look.color("hover"))
            for number, share in enumerate(BARS):
                line = QRectF(box.left() + 20, box.top() + 16 + 22 * number, 0, 10)
                line.setWidth((box.width() - 40) * share)
                painter.drawRoundedRect(line, 5, 5)
            top += ROW_HEIGHT + GAP
        painter.end()


AROUND = 24  # pixels around the words


class EmptyState(QWidget):
    """Shown on an empty page: the reason, and the next step.

    While it is not known whether there is any content, it shows no text.
    """

    acted = Signal()

    def __init__(self, look: Look, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._icon = icon
        self._picture = label()
        self._title = label(tone="heading", wrap=True)
        self._hint = label(tone="quiet", wrap=True)
        self._balanced: object = None  # the words and the width for which the lines are balanced
        self.button = text_button("", "main")
        self.button.clicked.connect(self.acted)
        self.skeleton = Skeleton(look, self)
        self.skeleton.hide()
        outer = column(self, 0, 0)
        outer.addWidget(self.skeleton)
        self._words = QWidget(self)
        outer.addWidget(self._words)
        inner = column(self._words, AROUND, 10)
        inner.addStretch(2)
        for part in (self._picture, self._title, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            inner.addWidget(part)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addStretch(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self._draw)
        self._draw()

    @override
    def hasHeightForWidth(self) -> bool:
        """Return False: it fills the room that is left, and requests no height for its width."""
        return False

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def wait(self) -> None:
        """Show no text yet: the content is being read."""
        self._words.hide()
        self.skeleton.show()

    def say(self, title: str, hint: str, action: str = "") -> None:
        self.skeleton.hide()
        self._words.show()
        self._title.setText(title)
        self._hint.setText(hint)
        self.button.setText(action)
        self.button.setVisible(bool(action))

    @override
    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._balance()
        return answer

    def _balance(self) -> None:
        """Make the lines of the hint equally long, so that no single word is on a line."""
        hint, room = self._hint, self.width() - 2 * AROUND
        balanced = (room, hint.text(), hint.font().key())
        if balanced == self._balanced:
            return
        self._balanced = balanced
        hint.setContentsMargins(0, 0, 0, 0)
        height = hint.heightForWidth(room)
        narrow, wide = room // 2, room  # the narrowest of all widths with the same number of lines
        while wide - narrow > 1:
            middle = (narrow + wide) // 2
            if hint.heightForWidth(middle) > height:
                narrow = middle
            else:
                wide = middle
        side = max(0, room - wide) // 2
        hint.setContentsMargins(side, 0, side, 0)

    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "ink3", 40))


# A message edited in its own place in the chat.


LOWEST, HIGHEST = 150, 420  # in pixels: room for some lines, and the chat around it stays visible


class RowEditor(QFrame):
    """Editor in a row. ``saved`` gives the text; Ctrl+Enter saves and Escape discards it."""

    saved = Signal(str)
    left = Signal()

    def __init__(
        self, text: str, texts: UnsavedTexts, place: TypingPlace, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        rows = column(self, 8, 6)
        self.field = TextField(self.tr("The message"))
        self.field.setPlainText(text)
        rows.addWidget(self.field, 1)
        self._typing = UnsavedFields(texts, {"text": self.field}, self)
        rows.addWidget(self._typing.hint)
        line = QHBoxLayout()
        line.addStretch(1)
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self._leave)
        line.addWidget(self.cancel_button)
        self.save_button = text_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        rows.addLayout(line)
        self._typing.show(place, {"text": text})

    @override
    def sizeHint(self) -> QSize:
        lines = self.field.document().size().height()
        height = int(lines * self.field.fontMetrics().lineSpacing()) + 90
        return QSize(400, max(LOWEST, min(HIGHEST, height)))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._save()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _save(self) -> None:
        self._typing.drop()
        self.saved.emit(self.field.toPlainText())

    def _leave(self) -> None:
        self._typing.drop()
        self.left.emit()


class EditedChat(Protocol):
    """A chat whose messages can be edited."""

    @property
    def unsaved(self) -> UnsavedTexts: ...
    def place(self, part: str) -> TypingPlace: ...
    def text_of(self, floor: int) -> str: ...
    def edit(self, floor: int, text: str) -> object: ...


class RowEditing(QObject):
    """Edits one message of a view in its place; one at a time."""

    left = Signal()

    def __init__(self, view: ChatView, chat: EditedChat, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._chat = chat
        self.floor = -1  # floor of the edited message
        self.editor: RowEditor | None = None

    def edit(self, floor: int) -> None:
        self.leave()
        place = self._chat.place(f"edit {floor}")
        editor = RowEditor(self._chat.text_of(floor), self._chat.unsaved, place)
        self.floor, self.editor = floor, editor
        editor.saved.connect(self._save)
        editor.left.connect(self.leave)
        self._view.cover(floor, editor)
        self._view.show_floor(floor)
        editor.field.setFocus()

    @Slot()
    def leave(self) -> None:
        editor, self.editor = self.editor, None
        if editor is not None:
            self._view.cover(self.floor, None)
            editor.hide()
            editor.deleteLater()
            self.left.emit()

    @Slot(str)
    def _save(self, text: str) -> None:
        self.leave()
        self._chat.edit(self.floor, text)
