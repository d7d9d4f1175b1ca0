"""The library: its chats with floors and buffer; below them tasks, health and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.places import resource
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.viewmodels.workspace.messages import JobList
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs import QuestionBox
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import call_with, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, initial, kind_button, label, literal

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ChatSummary


AnyIndex = QModelIndex | QPersistentModelIndex
TASKS_BESIDE = 48  # pixels of a button at the bottom besides its text: its icon and its edges
LOW = 640  # pixels: in a lower window the gaps are smaller
TINTS = ("accent", "green", "gold", "grey")


def tint_of(chat_id: str) -> str:
    """Return one of four colour roles for a chat, always the same."""
    return TINTS[sum(chat_id.encode()) % len(TINTS)]


class ChatCard(QStyledItemDelegate):
    """Draws a chat: a disc with its first character, its name, its floors and buffer."""

    def __init__(self, look: Look, chats: ChatTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._chats = chats

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(160, 54)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        chat = index.data(RowRole)
        box = QRectF(option.rect).adjusted(10, 2, -10, -2)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self._look.color("accent_soft"))
            painter.drawRoundedRect(box, 10, 10)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._look.color("hover"))
            painter.drawRoundedRect(box, 10, 10)
        self._paint_disc(painter, QRectF(box.left() + 10, box.top() + 10, 30, 30), chat)
        text = box.adjusted(50, 6, -10, -6)
        self._paint_line(painter, text, chat.name, 13, "ink", QFont.Weight.DemiBold)
        lower = text.adjusted(0, 20, 0, 0)
        self._paint_line(
            painter, lower, self._chats.describe(chat), 11, "ink2", QFont.Weight.Normal
        )
        painter.restore()

    def _paint_disc(self, painter: QPainter, disc: QRectF, chat: ChatSummary) -> None:
        tint = tint_of(chat.chat_id)
        painter.setBrush(self._look.color(f"{tint}_soft"))
        painter.drawEllipse(disc)
        font = QFont(painter.font())
        font.setPixelSize(14)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._look.color(f"{tint}_ink"))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, initial(chat.name))

    def _paint_line(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        size: int,
        role: str,
        weight: QFont.Weight,
    ) -> None:
        font = QFont(painter.font())
        font.setPixelSize(size)
        font.setWeight(weight)
        painter.setFont(font)
        painter.setPen(QColor(self._look.color(role)))
        visible_text = QFontMetricsF(font).elidedText(
            text, Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(
            QRectF(box.left(), box.top(), box.width(), 18),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            visible_text,
        )


class ChatList(QListView):
    """When the list gets lower for a message below it, the current chat stays visible."""

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        place = self.visualRect(self.currentIndex())
        was_seen = not place.isEmpty() and 0 <= place.top() < event.oldSize().height()
        super().resizeEvent(event)
        if was_seen and place.bottom() >= event.size().height():
            self.scrollTo(self.currentIndex())


class Sidebar(QFrame):
    search_wanted = Signal()
    overview_wanted = Signal()
    tasks_wanted = Signal()
    health_wanted = Signal()
    serving_wanted = Signal()
    chat_clicked = Signal()
    settings_wanted = Signal()
    scripts_wanted = Signal()
    tavern_wanted = Signal()
    trash_wanted = Signal()
    delete_wanted = Signal(str, str)  # chat id and name
    export_wanted = Signal(str)  # chat id
    adopt_wanted = Signal(str)  # chat id
    make_volume_wanted = Signal(str)  # chat id
    volumes_wanted = Signal(str)  # chat id
    folder_wanted = Signal(str)  # chat id
    rename_wanted = Signal(object)  # ChatSummary

    def __init__(
        self, look: Look, workspace: Workspace, chats: ChatTree, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self._look = look
        self._space = workspace
        self._chats = chats
        self._jobs: JobList | None = None
        layout = self._rows = column(self, 0, 4)
        layout.setContentsMargins(0, 14, 0, 10)
        layout.addLayout(self._make_brand())
        self.find_button = kind_button("find", self.tr("Search everything"), checkable=False)
        look.set_icon(self.find_button, "search")
        self.find_button.setSizePolicy(
            self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed
        )
        self.find_button.clicked.connect(self.search_wanted)
        self.search = SearchField(look, self.tr("Filter chats"))
        layout.addLayout(_in_line(self.find_button))
        layout.addLayout(self._make_heading())
        layout.addLayout(_in_line(self.search))
        self.list = self._make_list()
        layout.addWidget(self.list, 1)
        self._pinned = QVBoxLayout()
        layout.addLayout(self._pinned)
        self._add_foot(layout)
        self.search.textChanged.connect(chats.search)
        self.search.submitted.connect(self.list.setFocus)
        chats.modelReset.connect(self._select_shown)
        workspace.chat_changed.connect(self._select_shown)
        workspace.server.changed.connect(self._show_server)
        self._select_shown()
        self._show_server()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rows.setSpacing(4 if self.height() >= LOW else 0)

    def _add_foot(self, layout: QVBoxLayout) -> None:
        self.tasks = self._foot_button("tasks", self.tr("Tasks"))
        self.tasks.setMinimumWidth(1)  # a long name of a task does not widen the sidebar
        self.health = self._foot_button("health", self.tr("Library health"))
        self.serving = self._foot_button("plug", self.tr("Other programs"))
        self.serving.setCheckable(True)
        self.serving.clicked.connect(self.serving_wanted)
        self.tavern = self._foot_button("folder", self.tr("SillyTavern folder"))
        self.scripts = self._foot_button("invert", self.tr("Scripts and prompts"))
        self.settings = self._foot_button("settings", self.tr("Settings"))
        self.tasks.clicked.connect(self.tasks_wanted)
        self.health.clicked.connect(self.health_wanted)
        self.tavern.clicked.connect(self.tavern_wanted)
        self.scripts.clicked.connect(self.scripts_wanted)
        self.settings.clicked.connect(self.settings_wanted)
        for button in (
            self.tasks,
            self.serving,
            self.health,
            self.tavern,
            self.scripts,
            self.settings,
        ):
            line = QHBoxLayout()
            line.setContentsMargins(10, 0, 10, 0)
            line.addWidget(button, 1)
            layout.addLayout(line)

    def take(self, part: QWidget) -> None:
        """Place messages or saved searches below the chats."""
        self._pinned.addWidget(part)

    def show_page(self, name: str) -> None:
        """Check the button of the page shown."""
        self.serving.setChecked(name == "serving")

    @Slot()
    def _show_server(self) -> None:
        """Show by colour that the memory server runs."""
        is_on = self._space.server.is_running
        self._look.set_icon(self.serving, "plug", "green_ink" if is_on else "ink2")
        on, off = self.tr("The memory server runs"), self.tr("Memory for other chat programs")
        self.serving.setToolTip(on if is_on else off)

    def follow(self, jobs: JobList) -> None:
        """Show the progress of the running task beside the label Tasks, from now on."""
        self._jobs = jobs
        jobs.changed.connect(self._show_tasks)
        self._show_tasks()

    @Slot()
    def _show_tasks(self) -> None:
        rows = self._jobs.rows if self._jobs is not None else ()
        fraction = rows[0].fraction if rows else None
        text = rows[0].title if rows else ""
        if fraction is not None:
            text = f"{fraction:.0%} {text}"  # a long name is cut at its end, the figure is not
        whole = f"{self.tr('Tasks')}    {text}" if text else self.tr("Tasks")
        room = self.tasks.width() - TASKS_BESIDE
        metrics = self.tasks.fontMetrics()
        self.tasks.setText(literal(metrics.elidedText(whole, Qt.TextElideMode.ElideRight, room)))
        self.tasks.setToolTip(whole if text else "")

    def _make_brand(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(11, 0, 12, 4)
        line.setSpacing(8)
        self.brand = kind_button("brand", "Engram", checkable=False)
        self.brand.setIcon(QIcon(_logo(26, self.devicePixelRatio())))
        self.brand.setIconSize(QSize(26, 26))
        self.brand.setToolTip(self.tr("Overview of the chat"))
        self.brand.setSizePolicy(
            self.sizePolicy().Policy.Expanding, self.brand.sizePolicy().verticalPolicy()
        )
        self.brand.clicked.connect(self.overview_wanted)
        line.addWidget(self.brand, 1)
        self.libraries = icon_button(self._look, "down", self.tr("Libraries"))
        self.libraries.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        line.addWidget(self.libraries)
        return line

    def _make_heading(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(20, 4, 14, 0)
        line.addWidget(label(self.tr("Chats"), "section"), 1)
        self.trash = icon_button(self._look, "trash", self.tr("Deleted chats"))
        self.trash.setIconSize(QSize(15, 15))
        self.trash.clicked.connect(self.trash_wanted)
        line.addWidget(self.trash)
        return line

    def _make_list(self) -> QListView:
        view = ChatList()
        view.setAccessibleName(self.tr("Chats"))
        view.setModel(self._chats)
        view.setItemDelegate(ChatCard(self._look, self._chats, view))
        view.setUniformItemSizes(True)
        view.setMinimumHeight(1)  # in a low window messages take its place
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._open_menu)
        view.selectionModel().currentChanged.connect(self._on_current_changed)
        view.clicked.connect(lambda _index: self.chat_clicked.emit())
        call_with(view, Qt.Key.Key_Delete, self._delete_current)
        return view

    def _foot_button(self, icon: str, text: str) -> QToolButton:
        button = kind_button("foot", text, checkable=False)
        self._look.set_icon(button, icon)
        button.setIconSize(QSize(18, 18))
        button.setSizePolicy(
            self.sizePolicy().Policy.Expanding, button.sizePolicy().verticalPolicy()
        )
        return button

    def _select_shown(self) -> None:
        row = self._chats.row_of(self._space.chat_id)
        if row >= 0 and self.list.currentIndex().row() != row:
            self.list.setCurrentIndex(self._chats.index(row))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        chat = current.data(RowRole)
        if chat is not None:
            self._space.show_chat(chat.chat_id)

    def _open_menu(self, at: QPoint) -> None:
        chat = self.list.indexAt(at).data(RowRole)
        if chat is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, text, slot in (
            ("edit", self.tr("Rename…"), self.rename_wanted.emit),
            (
                "recall",
                self.tr("Take over memories of other tools…"),
                lambda c: self.adopt_wanted.emit(c.chat_id),
            ),
            (
                "archive",
                self.tr("Make a volume…"),
                lambda c: self.make_volume_wanted.emit(c.chat_id),
            ),
            ("books", self.tr("Volumes…"), lambda c: self.volumes_wanted.emit(c.chat_id)),
            (
                "folder",
                self.tr("Markdown folder…"),
                lambda c: self.folder_wanted.emit(c.chat_id),
            ),
            ("export", self.tr("Export…"), lambda c: self.export_wanted.emit(c.chat_id)),
            ("trash", self.tr("Delete…"), self._delete),
        ):
            action = menu.addAction(self._look.icon(icon), text)
            action.triggered.connect(lambda _checked=False, call=slot: call(chat))
        menu.popup(self.list.viewport().mapToGlobal(at))

    def rename_current(self) -> bool:
        """Ask for a new name of the selected chat, if the list of chats has the focus."""
        chat = self.list.currentIndex().data(RowRole)
        if not self.list.hasFocus() or chat is None:
            return False
        self.rename_wanted.emit(chat)
        return True

    def _delete_current(self) -> None:
        chat = self.list.currentIndex().data(RowRole)
        if chat is not None:
            self._delete(chat)

    def _delete(self, chat: ChatSummary) -> None:
        box = QuestionBox(
            self.tr("Delete the chat"),
            self.tr("Delete “{name}” with all its memory?").format(name=chat.name),
            self.tr("It goes to the trash, from where it can be brought back."),
            destroy=self.tr("Delete"),
            parent=self,
        )
        box.ask(lambda: self.delete_wanted.emit(chat.chat_id, chat.name))


def _in_line(part: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(12, 4, 12, 4)
    line.addWidget(part)
    return line


def _logo(size: int, ratio: float) -> QPixmap:
    return QIcon(str(resource("icons/logo.svg"))).pixmap(QSize(size, size), ratio)
