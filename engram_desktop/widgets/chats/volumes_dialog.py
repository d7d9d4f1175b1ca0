"""Dialogs to make a volume of a chat and to choose the chats that read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.memory.volume import (
    EVERYONE,
    MAX_TEXT,
    MAX_TITLE,
    VOLUME_KINDS,
    Volume,
    VolumeEntity,
    VolumeInfo,
    VolumeKind,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.moving import file_name
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.widgets.chats.import_dialog import NEVER_OVERWRITES
from engram_desktop.widgets.parts.dialogs import FramedDialog, QuestionBox, UndoStrip
from engram_desktop.widgets.parts.fields.filtered import ElidedBox
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField
from engram_desktop.widgets.parts.pieces import label, text_button

if TYPE_CHECKING:
    from engram_desktop.viewmodels.chats.volumes import Volumes
    from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
    from engram_desktop.widgets.parts.look import Look

_T = QT_TRANSLATE_NOOP
_ID = Qt.ItemDataRole.UserRole
_KIND_NAMES: dict[VolumeKind, str] = {
    "outlines": _T("VolumeKinds", "Story so far (outlines)"),
    "events": _T("VolumeKinds", "Events"),
    "people": _T("VolumeKinds", "People, places and things"),
    "relations": _T("VolumeKinds", "Relations"),
    "threads": _T("VolumeKinds", "Open promises"),
    "state": _T("VolumeKinds", "State at the end"),
}


def kind_name(kind: VolumeKind) -> str:
    return QCoreApplication.translate("VolumeKinds", _KIND_NAMES[kind])


# The kinds of memory for a new volume, with the count of each.


class MakeVolumeDialog(FramedDialog):
    def __init__(self, volumes: Volumes, chat_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=480)
        self._volumes = volumes
        self._chat_id = chat_id
        name = volumes.name(chat_id)
        self.set_title(self.tr("Make a volume of “{chat}”").format(chat=name))
        hint = self.tr(
            "A volume holds what this chat remembers, with who knows it. Other chats read it as "
            "their earlier story; this chat stays as it is. Of a text of more than {most} "
            "characters the beginning is taken."
        ).format(most=f"{MAX_TEXT:,}")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.body.addWidget(label(self.tr("Title"), "section"))
        self.title_field = LineField(self.tr("Title of the volume"))
        self.title_field.setAccessibleName(self.tr("Title of the volume"))
        self.title_field.setMaxLength(MAX_TITLE)
        self.title_field.setText(name[:MAX_TITLE])
        self.title_field.setCursorPosition(0)  # show the beginning of a long name
        self.body.addWidget(self.title_field)
        self.body.addWidget(label(self.tr("Take along"), "section"))
        self.boxes: dict[VolumeKind, QCheckBox] = {}
        for kind in VOLUME_KINDS:
            box = self.boxes[kind] = QCheckBox(kind_name(kind))
            box.setChecked(True)
            box.toggled.connect(self._update_button)
            self.body.addWidget(box)
        self._state = label("", "quiet", wrap=True)
        self._state.hide()
        self.body.addWidget(self._state)
        self.add_close(self.tr("Cancel"))
        self.make_button = self.add_button(self.tr("Make the volume"), "main")
        self.make_button.clicked.connect(self._make)
        self.title_field.textChanged.connect(self._update_button)
        self.typed = {"title": self.title_field}
        self._counts: Mapping[VolumeKind, int] = {}
        volumes.counted.connect(self._show_counts)
        volumes.count(chat_id)
        self._update_button()

    @Slot(object)
    def _show_counts(self, counts: Mapping[VolumeKind, int]) -> None:
        self._counts = counts
        for kind, box in self.boxes.items():
            number = QLocale().toString(counts[kind])
            box.setText(f"{kind_name(kind)} · {number}")
            box.setEnabled(bool(counts[kind]))
            box.setChecked(box.isChecked() and bool(counts[kind]))
        nothing = self.tr("This chat remembers nothing yet: summarise it first.")
        self._state.setText("" if any(counts.values()) else nothing)
        self._state.setVisible(not any(counts.values()))
        self._update_button()

    def chosen(self) -> list[VolumeKind]:
        return [kind for kind, box in self.boxes.items() if box.isChecked()]

    @Slot()
    def _update_button(self) -> None:
        has_some = any(self._counts.get(kind) for kind in self.chosen())
        self.make_button.setEnabled(has_some and bool(self.title_field.text().strip()))

    def _make(self) -> None:
        self._volumes.make(self._chat_id, self.title_field.text(), self.chosen())
        self.close()


# All volumes: the content of each, and the chats that read it.


MOST_READ = 400  # lines of each kind shown, so that the window stays quick


def volume_text(volume: Volume) -> str:
    """Return the content of a volume as text, by kind, each line with who knows it."""
    facts = {"relations": "relation", "threads": "thread", "state": "state"}
    parts = []
    for kind in VOLUME_KINDS:
        if kind == "people":
            rows = [(_page_text(one), one.known_by) for one in volume.entities]
        elif kind in facts:
            rows = [(f.text, f.known_by) for f in volume.facts if f.origin == facts[kind]]
        else:
            is_outline = kind == "outlines"
            rows = [(e.summary, e.known_by) for e in volume.events if bool(e.level) is is_outline]
        if rows:
            lines = [f"· {text}{_knowers(known_by)}" for text, known_by in rows[:MOST_READ]]
            if len(rows) > MOST_READ:
                more = QCoreApplication.translate("VolumesDialog", "… and {count} more")
                lines.append(more.format(count=f"{len(rows) - MOST_READ:,}"))
            parts.append("\n".join((f"{kind_name(kind)} · {len(rows):,}", *lines)))
    return "\n\n".join(parts)


def _page_text(entity: VolumeEntity) -> str:
    names = listed((entity.name, *(name for name in entity.aliases if name != entity.name)))
    described = " ".join(entity.description.split())
    return f"{names}: {described}" if described else names


def _knowers(known_by: Sequence[str]) -> str:
    if EVERYONE in known_by:
        return ""
    if not known_by:
        return " " + QCoreApplication.translate("VolumesDialog", "(nobody knows all of it)")
    text = QCoreApplication.translate("VolumesDialog", "(known to {names})")
    return " " + text.format(names=listed(known_by))


class VolumesDialog(FramedDialog):
    """``chat_id``: the chat that is selected first as a reader."""

    make_wanted = Signal(str)  # id of the chat to make a volume of

    def __init__(
        self,
        look: Look,
        volumes: Volumes,
        undo: UndoActions,
        chat_id: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=760)
        self._volumes = volumes
        self._first_chat = chat_id
        self.set_title(self.tr("Volumes"))
        hint = self.tr(
            "A chat that reads a volume gets it as the earlier story, before its own and within "
            "the same budget. A character gets only what it knows. Nothing is copied or changed."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.tree = self._make_tree()
        self.body.addWidget(self.tree, 1)
        self._empty = label(
            self.tr("There is no volume yet. Make one of the chat below, or import a file."),
            "quiet",
            wrap=True,
        )
        self.body.addWidget(self._empty)
        self.held = label("", "quiet", wrap=True)
        self.body.addWidget(self.held)
        self.told = TextField(self.tr("What the volume says"))
        self.told.setReadOnly(True)
        self.told.setMinimumHeight(120)
        self.body.addWidget(self.told, 1)
        self._told_id = ""  # id of the volume that is read
        volumes.opened.connect(self._show_told)
        self.body.addLayout(self._make_readers())
        self.body.addLayout(self._make_commands())
        self.add_left(UndoStrip(look, undo, self))
        self.add_close(self.tr("Close"))
        volumes.listed.connect(self._fill)
        volumes.set_active(True)
        self.finished.connect(lambda _result: volumes.set_active(False))
        self._fill()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Volumes"))
        tree.setRootIsDecorated(False)
        tree.setHeaderLabels([self.tr("Title"), self.tr("Made of"), self.tr("Read by")])
        tree.setMinimumHeight(120)
        for column in range(3):
            tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        tree.itemSelectionChanged.connect(self._update_buttons)
        return tree

    def _make_readers(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.addWidget(label(self.tr("Chat"), "quiet"))
        self.chat_box = ElidedBox()
        self.chat_box.setAccessibleName(self.tr("Chat that reads the volume"))
        self.chat_box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.chat_box.currentIndexChanged.connect(self._update_buttons)
        line.addWidget(self.chat_box, 1)
        self.attach_button = self._command(line, self.tr("Attach"), self._attach, "main")
        self.detach_button = self._command(line, self.tr("Detach"), self._detach)
        return line

    def _make_commands(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.make_button = self._command(line, self.tr("Make one…"), self._make)
        self.update_button = self._command(line, self.tr("Update from its chat"), self._update)
        self.export_button = self._command(line, self.tr("Export…"), self._export)
        self.import_button = self._command(line, self.tr("Import…"), self._import)
        line.addStretch(1)
        self.delete_button = self._command(line, self.tr("Delete…"), self._delete, "danger")
        return line

    def _command(
        self, line: QHBoxLayout, text: str, slot: Callable[[], None], role: str = ""
    ) -> QWidget:
        button = text_button(text, role)
        button.clicked.connect(slot)
        line.addWidget(button)
        return button

    @Slot()
    def _fill(self) -> None:
        chosen = self._chosen()
        chosen_id = chosen.id if chosen is not None else ""
        self.tree.clear()
        for row in self._volumes.rows:
            source = self.tr("deleted") if row.is_missing else row.source
            item = QTreeWidgetItem([row.title, source, self._readers(row)])
            item.setData(0, _ID, row.id)
            for column in range(3):
                item.setToolTip(column, item.text(column))
            self.tree.addTopLevelItem(item)
            if row.id == chosen_id:
                self.tree.setCurrentItem(item)
        first = self.tree.topLevelItem(0)
        if self.tree.currentItem() is None and first is not None:
            self.tree.setCurrentItem(first)
        self._empty.setVisible(not self._volumes.rows)
        self._fill_chats()
        self._update_buttons()

    def _fill_chats(self) -> None:
        shown = self.chat_box.currentData() or self._first_chat
        self.chat_box.blockSignals(True)
        self.chat_box.clear()
        for chat in self._volumes.chats:
            self.chat_box.addItem(chat.name, chat.chat_id)
        self.chat_box.setCurrentIndex(max(0, self.chat_box.findData(shown)))
        self.chat_box.blockSignals(False)

    def _held(self, row: VolumeInfo | None) -> str:
        """Return a text that says what a volume contains and since when."""
        if row is None or row.is_missing:
            return ""
        parts = [
            f"{kind_name(kind)} {QLocale().toString(number)}"
            for kind in VOLUME_KINDS
            if (number := row.counts.get(kind, 0))
        ]
        made = QDateTime.fromMSecsSinceEpoch(row.made_at)
        when = QLocale().toString(made, QLocale.FormatType.ShortFormat)
        return " · ".join([*parts, QLocale().formattedDataSize(row.size), when])

    def _readers(self, row: VolumeInfo) -> str:
        return listed(self._volumes.name(chat_id) for chat_id in row.users)

    def _chosen(self) -> VolumeInfo | None:
        item = self.tree.currentItem()
        wanted = item.data(0, _ID) if item is not None else None
        return next((row for row in self._volumes.rows if row.id == wanted), None)

    @Slot()
    def _update_buttons(self) -> None:
        row, chat_id = self._chosen(), self.chat_box.currentData()
        is_there = row is not None and not row.is_missing
        is_read = row is not None and chat_id in row.users
        is_own = row is not None and row.chat_id == chat_id
        self.attach_button.setEnabled(is_there and bool(chat_id) and not is_read and not is_own)
        self.detach_button.setEnabled(is_read)
        has_source = row is not None and row.chat_id in {c.chat_id for c in self._volumes.chats}
        self.update_button.setEnabled(is_there and has_source)
        self.export_button.setEnabled(is_there)
        self.delete_button.setEnabled(is_there)
        own = self.tr("It was made of this chat: choose another one to read it.")
        self.held.setText("\n".join(filter(None, (self._held(row), own if is_own else ""))))
        self.held.setVisible(is_there)
        self.make_button.setEnabled(bool(chat_id))
        self._read(row if is_there else None)

    def _read(self, row: VolumeInfo | None) -> None:
        """Read the content of the chosen volume, and again after the volume was updated."""
        self.told.setVisible(row is not None)
        wanted = f"{row.id} {row.made_at}" if row is not None else ""
        if wanted != self._told_id:
            self._told_id = wanted
            self.told.clear()
            if row is not None:
                self._volumes.open(row)

    @Slot(object)
    def _show_told(self, volume: Volume) -> None:
        if self._told_id.partition(" ")[0] == volume.id:
            self.told.setPlainText(volume_text(volume))

    def _make(self) -> None:
        self.make_wanted.emit(self.chat_box.currentData())

    def _attach(self) -> None:
        if (row := self._chosen()) is not None:
            self._volumes.attach(row, self.chat_box.currentData())

    def _detach(self) -> None:
        if (row := self._chosen()) is not None:
            self._volumes.detach(row, self.chat_box.currentData())

    def _update(self) -> None:
        if (row := self._chosen()) is not None:
            self._volumes.update(row)

    def _export(self) -> None:
        row = self._chosen()
        if row is None:
            return
        name, _filter = QFileDialog.getSaveFileName(
            self,
            self.tr("Export"),
            file_name(row.title, ".json"),
            self.tr("JSON (*.json)"),
            options=NEVER_OVERWRITES,
        )
        if name:
            self._volumes.export(row, Path(name))

    def _import(self) -> None:
        name, _filter = QFileDialog.getOpenFileName(
            self, self.tr("Import"), "", self.tr("JSON (*.json)")
        )
        if name:
            self._volumes.import_file(Path(name))

    def _delete(self) -> None:
        row = self._chosen()
        if row is None:
            return
        readers = self._readers(row)
        hint = self.tr("Undo brings it back.")
        if readers:
            told = self.tr("These chats read it and go on without it: {chats}.")
            hint = f"{told.format(chats=readers)} {hint}"
        box = QuestionBox(
            self.tr("Delete the volume"),
            self.tr("Delete the volume “{title}”?").format(title=row.title),
            hint,
            destroy=self.tr("Delete"),
            parent=self,
        )
        box.ask(lambda: self._volumes.delete(row))
