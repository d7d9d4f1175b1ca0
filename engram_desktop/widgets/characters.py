"""The page of characters of the library, with the face, texts, worldbook and chats of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.cards import CharacterSheet
from engram_desktop.moving import file_name
from engram_desktop.viewmodels.characters import CharacterList, Gallery
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.transcript import FACE
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.dialogs import FramedDialog, QuestionBox, UndoStrip
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import (
    FlowLayout,
    Fold,
    call_with,
    clear_layout,
    column,
    tall_area,
)
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import chip, label, literal, text_button

IdRole = Qt.ItemDataRole.UserRole


class CharactersDialog(FramedDialog):
    import_wanted = Signal()

    def __init__(
        self,
        look: Look,
        characters: CharacterList,
        undo: UndoActions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=780)
        self.resize(860, 640)
        self._look = look
        self._characters = characters
        self.set_title(self.tr("Characters"))
        both = QHBoxLayout()
        both.setSpacing(16)
        both.addLayout(self._make_list(), 2)
        right = QVBoxLayout()
        right.addWidget(self._make_sheet(), 1)
        right.addLayout(self._make_exports())
        both.addLayout(right, 5)
        self.body.addLayout(both, 1)
        self.import_button = self.add_button(self.tr("Import…"), left=True)
        self.import_button.clicked.connect(self.import_wanted)
        self.delete_button = self.add_button(self.tr("Remove…"), left=True)
        self.delete_button.clicked.connect(self._delete)
        self.undo = UndoStrip(look, undo, self)
        self.add_left(self.undo)
        self.add_close(self.tr("Close"))
        characters.loaded.connect(self._on_loaded)
        characters.shown.connect(self._on_shown)
        self.finished.connect(lambda: characters.set_active(active=False))
        self._on_shown(None)
        characters.set_active(active=True)

    def _make_list(self) -> QVBoxLayout:
        rows = QVBoxLayout()
        rows.setSpacing(8)
        self.search = SearchField(self._look, self.tr("Search characters"))
        self.search.textChanged.connect(self._filter)
        rows.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Characters"))
        self.list.setIconSize(QSize(FACE, FACE))
        self.list.setUniformItemSizes(True)
        self.list.currentItemChanged.connect(self._on_chosen)
        call_with(self.list, Qt.Key.Key_Delete, self._delete_by_key)
        rows.addWidget(self.list, 1)
        return rows

    def _make_sheet(self) -> QScrollArea:
        self._scroll = tall_area()
        body = QWidget()
        self._rows = column(body, 0, 6)
        self._rows.setContentsMargins(0, 0, 12, 0)
        self._scroll.setWidget(body)
        return self._scroll

    def _make_exports(self) -> FlowLayout:
        line = FlowLayout()
        self.json_button = text_button(self.tr("Export as JSON…"))
        self.charx_button = text_button(self.tr("Export as CHARX…"))
        self.png_button = text_button(self.tr("Export as PNG…"))
        for button, ending in (
            (self.json_button, ".json"),
            (self.charx_button, ".charx"),
            (self.png_button, ".png"),
        ):
            button.clicked.connect(partial(self._export, ending))
            line.addWidget(button)
        return line

    @Slot(object)
    def _on_loaded(self, gallery: Gallery) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for row in gallery.rows:
            nick = f" ({row.nickname})" if row.nickname and row.nickname != row.name else ""
            item = QListWidgetItem(_face(gallery.faces.get(row.id)), row.name + nick)
            item.setData(IdRole, row.id)
            item.setToolTip(row.source)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._filter(self.search.text())

    @Slot(object)
    def _on_shown(self, sheet: CharacterSheet | None) -> None:
        clear_layout(self._rows)
        for button in (self.delete_button, self.json_button, self.charx_button):
            button.setEnabled(sheet is not None)
        self.png_button.setEnabled(sheet is not None and sheet.has_picture)
        if sheet is None:
            empty = self.tr("No character yet. Import a card: PNG, JSON or CHARX.")
            self._rows.addWidget(label(empty, "quiet", wrap=True))
            self._rows.addStretch(1)
            return
        self._select(sheet.row.id)
        self._add_head(sheet)
        self._add_belongings(sheet)
        for number, (name, text) in enumerate(self._texts(sheet)):
            if text.strip():
                self._add_text(name, text, is_open=number == 0)
        self._rows.addStretch(1)
        self._scroll.verticalScrollBar().setValue(0)

    def _add_head(self, sheet: CharacterSheet) -> None:
        character, row = sheet.character, sheet.row
        self._rows.addWidget(label(character.name, "heading", wrap=True))
        facts = [row.source, row.spec, character.creator, character.character_version]
        self._rows.addWidget(label(" · ".join(filter(None, facts)), "quiet", wrap=True))
        if character.tags:
            flow = QWidget()
            line = FlowLayout(flow)
            for tag in character.tags[:40]:
                line.addWidget(chip(self._look, tag))
            self._rows.addWidget(flow)

    def _add_belongings(self, sheet: CharacterSheet) -> None:
        for worldbook in sheet.books:
            count = self.tr("%n entry(ies)", "", worldbook.entries)
            text = self.tr("World book: {name} · {count}").format(name=worldbook.name, count=count)
            self._rows.addWidget(label(text, wrap=True))
        if sheet.scripts:
            text = self.tr("Regex scripts: {names}").format(names=listed(sheet.scripts))
            self._rows.addWidget(label(text, wrap=True))
        if not sheet.chats:
            self._rows.addWidget(label(self.tr("No chat in the library."), "quiet"))
            return
        flow = QWidget()
        line = FlowLayout(flow)
        line.addWidget(label(self.tr("Chats:")))
        for chat_id, name in sheet.chats[:40]:
            button = text_button(literal(name))
            button.clicked.connect(partial(self._show_chat, chat_id))
            line.addWidget(button)
        self._rows.addWidget(flow)

    def _add_text(self, name: str, text: str, *, is_open: bool) -> None:
        fold = Fold(self._look, name, is_open=is_open)
        inside = column(fold.inner, 0, 0)
        inside.setContentsMargins(8, 0, 0, 8)
        body = label(text.strip(), wrap=True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(body)
        self._rows.addWidget(fold)

    def _texts(self, sheet: CharacterSheet) -> Iterator[tuple[str, str]]:
        character = sheet.character
        yield self.tr("Description"), character.description
        yield self.tr("Personality"), character.personality
        yield self.tr("Scenario"), character.scenario
        yield self.tr("First message"), character.first_mes
        for number, text in enumerate(character.alternate_greetings, 1):
            yield self.tr("Other first message {number}").format(number=number), text
        for number, text in enumerate(character.group_only_greetings, 1):
            yield self.tr("First message in groups {number}").format(number=number), text
        yield self.tr("Examples"), character.mes_example
        yield self.tr("Creator's notes"), character.creator_notes
        yield self.tr("System prompt"), character.system_prompt
        yield self.tr("After the chat"), character.post_history_instructions
        yield self.tr("Character's note"), character.depth_prompt

    def _select(self, character_id: str) -> None:
        self.list.blockSignals(True)
        for n in range(self.list.count()):
            if self.list.item(n).data(IdRole) == character_id:
                self.list.setCurrentRow(n)
        self.list.blockSignals(False)

    @Slot(str)
    def _filter(self, text: str) -> None:
        needle = text.strip().casefold()
        for n in range(self.list.count()):
            item = self.list.item(n)
            item.setHidden(needle not in item.text().casefold())

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None, _before: object) -> None:
        if item is not None:
            self._characters.show(str(item.data(IdRole)))

    def _show_chat(self, chat_id: str, _checked: object = None) -> None:
        self._characters.show_chat(chat_id)
        self.close()

    def _export(self, suffix: str, _checked: object = None) -> None:
        sheet = self._characters.sheet
        if sheet is None:
            return
        name, _filter = QFileDialog.getSaveFileName(
            self,
            self.tr("Export"),
            file_name(sheet.row.name, suffix),
            self.tr("Character card (*{suffix})").format(suffix=suffix),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            target = Path(name)
            is_right = target.suffix.lower() == suffix
            self._characters.export(target if is_right else Path(f"{name}{suffix}"))

    @Slot()
    def _delete_by_key(self) -> None:
        if self.delete_button.isEnabled():
            self._delete()

    def _delete(self) -> None:
        sheet = self._characters.sheet
        if sheet is None:
            return
        if not sheet.books and not sheet.scripts:
            self._characters.delete(worldbooks=False, scripts=False)
            return
        box = QuestionBox(
            self.tr("Remove the character"),
            self.tr("Take “{name}” out of the library?").format(name=sheet.row.name),
            self.tr("Its chats and their memory stay. Undo brings it back as it is."),
            destroy=self.tr("Remove"),
            parent=self,
        )
        # one box for all memory that came with the card: there is room for only one
        self.belongings = box.add_box(self._belongings(sheet))
        box.ask(partial(self._remove, self.belongings))

    def _belongings(self, sheet: CharacterSheet) -> str:
        if not sheet.scripts:
            return self.tr("Remove its world book, too")
        if not sheet.books:
            return self.tr("Remove its regex scripts, too")
        return self.tr("Remove its world book and regex scripts, too")

    def _remove(self, belongings: QCheckBox) -> None:
        both = belongings.isChecked()
        self._characters.delete(worldbooks=both, scripts=both)


def _face(image: QImage | None) -> QIcon:
    """Return the middle square of a picture as an icon; an empty icon without a picture."""
    if image is None or image.isNull():
        return QIcon()
    side = min(image.width(), image.height())
    square = QRect((image.width() - side) // 2, 0, side, side)  # faces are at the top of a picture
    pixmap = QPixmap.fromImage(image.copy(square))
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)  # a face is not tinted
    return icon
