"""The SillyTavern folder: its characters with their chats. A tick means: import and follow."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Slot
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.tavern import TavernChat, TavernHandle
from engram_desktop.viewmodels.messages import translated
from engram_desktop.viewmodels.tavern import TavernModel, TavernView
from engram_desktop.widgets.dialogs.frame import FramedDialog
from engram_desktop.widgets.look import Look
from engram_desktop.widgets.parts import SearchField, label, text_button

PathRole = Qt.ItemDataRole.UserRole
FACE = 32


class TavernDialog(FramedDialog):
    """Lists the chats of the folder and takes in what is ticked. Nothing in it is changed."""

    def __init__(
        self, look: Look, model: TavernModel, folder: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=720)
        self.resize(760, 680)
        self._look = look
        self._model = model
        self._view: TavernView | None = None
        self.set_title(self.tr("SillyTavern folder"))
        self.body.addWidget(
            label(
                self.tr(
                    "Tick the chats to import. They are followed from then on: what is said, "
                    "edited, swiped or deleted there is here a moment later. "
                    "The folder itself is only read, never changed."
                ),
                "quiet",
                wrap=True,
            )
        )
        self._folder = folder or model.folder
        self._place = label(wrap=True)
        self._show_place()
        self.choose_button = text_button(self.tr("Choose a folder…"))
        self.choose_button.clicked.connect(self._choose)
        line = QHBoxLayout()
        line.addWidget(self._place, 1)
        line.addWidget(self.choose_button)
        self.body.addLayout(line)
        self._trouble = label("", "bad", wrap=True)
        self._trouble.hide()
        self.body.addWidget(self._trouble)
        self.search = SearchField(look, self.tr("Search characters and chats"))
        self.search.textChanged.connect(self._filter)
        self.body.addWidget(self.search)
        self.tree = self._make_tree()
        self.body.addWidget(self.tree, 1)
        self.all_box = QCheckBox(self.tr("Follow every chat, new ones too"))
        self.all_box.setChecked(model.follows_all)
        self.all_box.toggled.connect(self._on_all_toggled)
        self.body.addWidget(self.all_box)
        self.add_close(self.tr("Close"))
        self.apply_button = self.add_button("", "main")
        self.apply_button.clicked.connect(self._apply)
        model.loaded.connect(self._show)
        model.refused.connect(self._refuse)
        model.applied.connect(self._look_again)
        self._count()
        model.look(folder)

    def ticked(self) -> set[str]:
        """Paths of the chats that are ticked."""
        return {
            item.data(0, PathRole)
            for item in self._chat_items()
            if item.checkState(0) == Qt.CheckState.Checked
        }

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Characters and their chats"))
        tree.setHeaderLabels(
            [self.tr("Chat"), self.tr("Messages"), self.tr("Changed"), self.tr("State")]
        )
        tree.setIconSize(QSize(FACE, FACE))
        tree.setMinimumHeight(200)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section, width in ((1, 84), (2, 132), (3, 96)):
            tree.header().resizeSection(section, width)
        tree.itemChanged.connect(self._count)
        return tree

    @Slot()
    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Choose the SillyTavern folder"), self._folder
        )
        if chosen:
            self._folder = chosen
            self._show_place()
            self._model.look(chosen)

    def _show_place(self) -> None:
        self._place.setText(self._folder or self.tr("No folder is chosen yet."))

    @Slot()
    def _look_again(self) -> None:
        self._model.look(self._folder)

    @Slot(str)
    def _refuse(self, why: str) -> None:
        self._trouble.setText(why)
        self._trouble.show()

    @Slot(object)
    def _show(self, view: TavernView) -> None:
        self._view = view
        self._trouble.setVisible(bool(view.found.warnings))
        lines = [f"{path}: {translated(what)}" for path, what in view.found.warnings[:3]]
        self._trouble.setText("\n".join(lines))
        self.tree.blockSignals(True)
        self.tree.clear()
        for handle in view.found.handles:
            self._add_handle(handle, view)
        self.tree.blockSignals(False)
        self._filter(self.search.text())
        self._count()

    def _add_handle(self, handle: TavernHandle, view: TavernView) -> None:
        for character in handle.characters:
            if character.chats:
                item = self._add_owner(character.name, view.faces.get(character.avatar))
                for chat in character.chats:
                    self._add_chat(item, chat, view)
        for group in handle.groups:
            if group.chats:
                item = self._add_owner(self.tr("{name} (group)").format(name=group.name), None)
                for chat in group.chats:
                    self._add_chat(item, chat, view)

    def _add_owner(self, name: str, face: QImage | None) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [name])
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsUserCheckable
            | Qt.ItemFlag.ItemIsAutoTristate
        )
        if face is None or face.isNull():
            item.setIcon(0, QIcon(self._look.pixmap("folder", "ink3", FACE)))
        else:
            side = min(face.width(), face.height())
            square = face.copy((face.width() - side) // 2, 0, side, side)
            item.setIcon(0, QIcon(QPixmap.fromImage(square)))
        return item

    def _add_chat(self, owner: QTreeWidgetItem, chat: TavernChat, view: TavernView) -> None:
        is_followed = view.is_followed(chat.path)
        count = "" if chat.messages is None else f"{chat.messages:,}"
        moment = QDateTime.fromMSecsSinceEpoch(chat.modified)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        state = self.tr("followed") if is_followed else ""
        item = QTreeWidgetItem(owner, [chat.name, count, when, state])
        item.setData(0, PathRole, chat.path)
        item.setToolTip(0, chat.path)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Checked if is_followed else Qt.CheckState.Unchecked)

    def _chat_items(self) -> list[QTreeWidgetItem]:
        owners = [self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount())]
        return [o.child(n) for o in owners if o is not None for n in range(o.childCount())]

    @Slot(str)
    def _filter(self, text: str) -> None:
        wanted = text.strip().casefold()
        for n in range(self.tree.topLevelItemCount()):
            owner = self.tree.topLevelItem(n)
            if owner is None:
                continue
            is_owner = wanted in owner.text(0).casefold()
            shown = 0
            for m in range(owner.childCount()):
                fits = is_owner or wanted in owner.child(m).text(0).casefold()
                owner.child(m).setHidden(not fits)
                shown += fits
            owner.setHidden(not shown)
            owner.setExpanded(bool(wanted) or self.tree.topLevelItemCount() <= 8)

    @Slot()
    def _count(self) -> None:
        view = self._view
        ticked = self.ticked()
        new = sum(not view.is_followed(path) for path in ticked) if view else 0
        followed = sum(view.is_followed(c.path) for c in view.found.chats()) if view else 0
        left = followed - (len(ticked) - new)
        text = self.tr("Import and follow")
        if new:
            text = self.tr("Import and follow %n chat(s)", "", new)
        elif left:
            text = self.tr("Stop following %n chat(s)", "", left)
        self.apply_button.setText(text)
        self.apply_button.setEnabled(bool(new or left))

    @Slot()
    def _apply(self) -> None:
        if self._view is not None:
            self._model.apply(self._view, self.ticked())
            self.apply_button.setEnabled(False)

    @Slot(bool)
    def _on_all_toggled(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._model.set_follows_all(on=on)
