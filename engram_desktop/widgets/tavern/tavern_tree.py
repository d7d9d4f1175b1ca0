"""The lists of the SillyTavern dialog: chats under who they are with, and plain lists of all else.

A tick means: take this in. What stands in the last column is how the library knows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.tavern.folder import (
    TavernCharacter,
    TavernChat,
    TavernGroup,
    TavernHandle,
    TavernItem,
    TavernState,
)
from engram_desktop.viewmodels.tavern.folder import TavernView
from engram_desktop.widgets.parts.look.look import Look

KeyRole = Qt.ItemDataRole.UserRole
StateRole = Qt.ItemDataRole.UserRole + 1
PathRole = Qt.ItemDataRole.UserRole + 2
FaceRole = Qt.ItemDataRole.UserRole + 3  # the path of a picture
FACE = 32
FEW = 8  # so many owners are shown unfolded
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TickTree(QTreeWidget):
    """Rows with a tick, a key and a state; rows without a key only hold others."""

    ticks_changed = Signal()

    def __init__(
        self, name: str, columns: list[tuple[str, int]], parent: QWidget | None = None
    ) -> None:
        """``columns`` are captions with widths; the first takes what is left."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setHeaderLabels([caption for caption, _width in columns])
        self.setMinimumHeight(200)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section, (_caption, width) in enumerate(columns[1:], 1):
            header.resizeSection(section, width)
        self.itemChanged.connect(self.ticks_changed)

    def ticked(self) -> set[str]:
        """Keys of the rows that are ticked."""
        return {k for item, k in self._keyed() if item.checkState(0) == Qt.CheckState.Checked}

    def keys_of(self, *states: TavernState) -> set[str]:
        return {key for item, key in self._keyed() if item.data(0, StateRole) in states}

    def tick(self, keys: set[str]) -> None:
        """Tick these rows and no others."""
        self.blockSignals(True)
        for item, key in self._keyed():
            state = Qt.CheckState.Checked if key in keys else Qt.CheckState.Unchecked
            item.setCheckState(0, state)
        self.blockSignals(False)
        self.ticks_changed.emit()

    def filter(self, text: str) -> None:
        """Show only rows that contain ``text``, with their parents and children."""
        needle = text.strip().casefold()
        for top in self._tops():
            is_fit = any(needle in top.text(n).casefold() for n in range(2))
            count = 0
            for n in range(top.childCount()):
                fits = is_fit or needle in top.child(n).text(0).casefold()
                top.child(n).setHidden(not fits)
                count += fits
            top.setHidden(not (is_fit or count))
            top.setExpanded(bool(needle) or self.topLevelItemCount() <= FEW)

    def add_row(
        self,
        texts: list[str],
        key: str,
        state: TavernState,
        *,
        owner: QTreeWidgetItem | None = None,
    ) -> QTreeWidgetItem:
        """Add a row at the end; without a key it cannot be ticked."""
        item = QTreeWidgetItem(texts)
        if owner is None:
            self.addTopLevelItem(item)
        else:
            owner.addChild(item)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if key:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
            item.setData(0, KeyRole, key)
            item.setData(0, StateRole, state)
        item.setFlags(flags)
        if key:
            item.setCheckState(0, Qt.CheckState.Unchecked)
        return item

    def state_text(self, state: TavernState) -> str:
        return {
            "new": "",
            "here": self.tr("in the library"),
            "newer": self.tr("newer there"),
            "followed": self.tr("followed"),
        }[state]

    def _tops(self) -> Iterator[QTreeWidgetItem]:
        for n in range(self.topLevelItemCount()):
            top = self.topLevelItem(n)
            if top is not None:
                yield top

    def _keyed(self) -> Iterator[tuple[QTreeWidgetItem, str]]:
        for top in self._tops():
            for item in (top, *(top.child(n) for n in range(top.childCount()))):
                key = item.data(0, KeyRole)
                if key:
                    yield item, key


class ChatTree(TickTree):
    """Characters, each with its card and its chats, and groups with theirs."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self._look = look
        columns = [
            (self.tr("Chat"), 0),
            (self.tr("Messages"), 84),
            (self.tr("Changed"), 132),
            (self.tr("State"), 104),
        ]
        super().__init__(self.tr("Characters and their chats"), columns, parent)
        self.headerItem().setTextAlignment(1, _RIGHT)
        self.setIconSize(QSize(FACE, FACE))

    def show_faces(self, faces: dict[str, QImage]) -> None:
        """Put pictures beside whom they are of, cut to squares."""
        is_blocked = self.blockSignals(True)
        for item in self._tops():
            face = faces.get(item.data(0, FaceRole))
            if face is not None and not face.isNull():
                side = min(face.width(), face.height())
                square = face.copy((face.width() - side) // 2, 0, side, side)
                item.setIcon(0, QIcon(QPixmap.fromImage(square)))
        self.blockSignals(is_blocked)
        self.viewport().update()

    def show_handle(self, handle: TavernHandle, view: TavernView) -> int:
        """Add everybody of one user, those with chats first; returns how many."""
        for character in sorted(handle.characters, key=lambda c: not c.chats):
            self._add_character(character, view)
        groups = [group for group in handle.groups if group.chats]
        for group in groups:
            self._add_group(group, view)
        return len(handle.characters) + len(groups)

    def _add_character(self, character: TavernCharacter, view: TavernView) -> None:
        state, name = view.state(character.avatar), character.called or character.name
        if not character.chats:
            item = self.add_row([name, "", "", self.state_text(state)], character.avatar, state)
        else:
            item = self.add_row([name], "", "new")
            if character.avatar:
                texts = [self._card_text(character), "", "", self.state_text(state)]
                self.add_row(texts, character.avatar, state, owner=item)
            self._add_chats(item, character.chats, view)
        self._dress(item)
        item.setData(0, FaceRole, character.avatar)
        item.setToolTip(0, character.avatar or character.folder)

    def _add_group(self, group: TavernGroup, view: TavernView) -> None:
        item = self.add_row([self.tr("{name} (group)").format(name=group.name)], "", "new")
        self._dress(item)
        names = [
            self.tr("{name} (mute)").format(name=name) if name in group.disabled else name
            for name in group.members
        ]
        item.setToolTip(0, "、".join(names))
        self._add_chats(item, group.chats, view)

    def _add_chats(
        self, owner: QTreeWidgetItem, chats: tuple[TavernChat, ...], view: TavernView
    ) -> None:
        for chat in chats:
            self._add_chat(owner, chat, view)
        owner.setFlags(
            owner.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate
        )

    def _add_chat(self, owner: QTreeWidgetItem, chat: TavernChat, view: TavernView) -> None:
        count = "" if chat.messages is None else f"{chat.messages:,}"
        moment = QDateTime.fromMSecsSinceEpoch(chat.modified)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        state = view.state(chat.path)
        texts = [chat.name, count, when, self.state_text(state)]
        item = self.add_row(texts, chat.path, state, owner=owner)
        item.setToolTip(0, chat.path)
        item.setTextAlignment(1, _RIGHT)

    def _card_text(self, character: TavernCharacter) -> str:
        parts = [self.tr("Character card")]
        if character.entries:
            parts.append(self.tr("%n entry(ies)", "", character.entries))
        if character.scripts:
            parts.append(self.tr("%n regex script(s)", "", character.scripts))
        return " · ".join(parts)

    def _dress(self, item: QTreeWidgetItem) -> None:
        item.setIcon(0, QIcon(self._look.pixmap("folder", "ink3", FACE)))


class ItemList(TickTree):
    """Worldbooks, scripts, presets or personas: name, details, state."""

    def __init__(self, name: str, what: str, parent: QWidget | None = None) -> None:
        columns = [(name, 0), (what, 300), (self.tr("State"), 104)]
        super().__init__(name, columns, parent)
        self.setRootIsDecorated(False)

    def show_items(self, items: list[TavernItem], view: TavernView) -> int:
        """Add items; a preset without scripts can only be read. Returns how many there are."""
        for item in items:
            state = view.state(item.key)
            can_take = self._can_take(item)
            texts = [item.name, self._what(item), self.state_text(state)]
            row = self.add_row(texts, item.key if can_take else "", state)
            row.setToolTip(0, item.path)
            row.setToolTip(1, item.detail)
            row.setDisabled(not can_take and item.kind != "preset")  # its prompts can be read
            row.setData(0, PathRole, item.path)
        return len(items)

    def _can_take(self, item: TavernItem) -> bool:
        match item.kind:
            case "preset":
                return item.count > 0
            case "persona":
                return bool(item.detail)
        return True

    def _what(self, item: TavernItem) -> str:
        match item.kind:
            case "world":
                text, note = self.tr("%n entry(ies)", "", item.count), self.tr("for every chat")
                return f"{text} · {note}" if item.is_on else text
            case "preset":
                kind = item.detail
                scripts = self.tr("%n regex script(s)", "", item.count)
                return f"{kind} · {scripts}" if item.count else kind
            case "regex":
                state = self.tr("on") if item.is_on else self.tr("off")
                return f"{state} · {item.detail}"
            case "persona":
                description = " ".join(item.detail.split()) or self.tr("no description")
                default = self.tr("default")
                return f"{default} · {description}" if item.is_on else description
