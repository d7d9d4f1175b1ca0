"""Dialogs for import and export of chats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.reports import (
    Clash,
    CopyConflict,
    FileWarning,
    ImportPreview,
    OnConflict,
)
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.viewmodels.chats.chat_files import ChatExport, ImportCandidate, ImportPlan
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import differing_floors, translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.layouts import column, tall_area
from engram_desktop.widgets.parts.pieces import label, literal

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ExportForm


# Before an import: the content of each file, the chat it continues, the count of new messages.


MAX_WARNINGS = 8
MAX_SAMPLE = 90
REPLACES, MERGES = 3, 4  # numbers of the choices that exist only if a name is already used
REPLACES_FLOORS = 5  # exists only if the file has other texts for floors of its chat, or lacks them
NAME_WIDTH = 180  # pixels of a name in a one-line choice


class FileCard(QFrame):
    """One file of an import. `choice` says what to do with it; None leaves it out."""

    def __init__(self, candidate: ImportCandidate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.candidate = candidate
        self.name = LineField()
        self._group = QButtonGroup(self)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(16, 12, 16, 14)
        inner.setSpacing(6)
        self._is_chat = True
        inner.addWidget(label(candidate.path.name, "heading", wrap=True))
        if candidate.preview is None:
            inner.addWidget(label(candidate.trouble_text, "bad", wrap=True))
            return
        self._is_chat = candidate.preview.kind == "chat"
        self._show_contents(inner, candidate.preview)
        if candidate.preview.chats > 1:
            self._show_several(inner, candidate.preview)
        elif self._is_chat:
            self._show_choices(inner, candidate.preview)
        else:
            self._show_storing(inner, candidate.preview)

    def choice(self) -> tuple[str | None, str | None] | None:
        """Return (chat to continue, name of a new chat), or None to leave the file out."""
        preview = self.candidate.preview
        if preview is None:
            return None
        match self._group.checkedId():
            case number if number in (0, REPLACES_FLOORS):
                return (preview.chat_id, None)
            case 1 if preview.chats > 1:
                return (None, None)
            case 1:
                return (None, self.name.text().strip() or preview.name)
            case number if number in (REPLACES, MERGES):
                return (None, None)
        return None

    def _show_contents(self, inner: QVBoxLayout, preview: ImportPreview) -> None:
        facts = self._counts(preview)
        if preview.hidden:
            facts.append(self.tr("%n hidden", "", preview.hidden))
        if preview.swipes:
            facts.append(self.tr("%n other swipe(s), not used", "", preview.swipes))
        if preview.characters:
            facts.append(listed(preview.characters[:6]))
        if preview.first_at and preview.last_at:
            facts.append(f"{_day(preview.first_at)} – {_day(preview.last_at)}")
        inner.addWidget(label(" · ".join(facts), "quiet", wrap=True))
        for speaker, text in preview.sample[:3]:
            excerpt = " ".join(text.split())
            excerpt = excerpt if len(excerpt) <= MAX_SAMPLE else f"{excerpt[:MAX_SAMPLE]}…"
            inner.addWidget(label(f"{speaker}: {excerpt}", wrap=True))
        if preview.warnings:
            inner.addWidget(self._warnings(preview.warnings))

    def _counts(self, preview: ImportPreview) -> list[str]:
        if preview.kind == "chat":
            return [self.tr("%n message(s)", "", preview.messages)]
        kinds = {
            "worldbook": self.tr("World book"),
            "card": self.tr("Character card"),
            "regex": self.tr("Regex scripts"),
        }
        counts = [kinds.get(preview.kind, preview.kind)]
        if preview.kind == "regex":
            counts.append(self.tr("%n script(s)", "", preview.entries))
        elif preview.entries:
            counts.append(self.tr("%n world book entry(ies)", "", preview.entries))
        return counts

    def _warnings(self, warnings: tuple[FileWarning, ...]) -> QWidget:
        unread = sum(warning.line > 0 for warning in warnings)
        lines = (
            [self.tr("%n line(s) cannot be read; the rest is imported:", "", unread)]
            if self._is_chat and unread
            else []
        )
        lines += [
            self.tr("line {line}: {message}").format(line=w.line, message=translated(w.message))
            if w.line
            else translated(w.message)
            for w in warnings[:MAX_WARNINGS]
        ]
        if len(warnings) > MAX_WARNINGS:
            lines.append(self.tr("and %n more", "", len(warnings) - MAX_WARNINGS))
        return label("\n".join(lines), "bad", wrap=True)

    def _show_choices(self, inner: QVBoxLayout, preview: ImportPreview) -> None:
        if preview.conflict is not None:
            self._show_conflict(inner, preview, preview.conflict)
        elif preview.chat_id is not None:
            text = (
                self.tr("Continue “{name}”: %n new message(s)", "", preview.new_messages)
                if preview.new_messages
                else self.tr("Continue “{name}”: nothing new")
            )
            name = preview.chat_name or ""
            shown_name = self._short(name)
            self._radio(inner, 0, text.format(name=shown_name))
        self._radio(
            inner,
            1,
            self.tr("Keep both: a chat of its own")
            if preview.chat_id is not None
            else self.tr("A new chat"),
        )
        self._radio(inner, 2, self.tr("Leave it out"))
        if preview.clash and preview.chat_id is None:
            note = self.tr("Another chat here is called “{name}”: it stays as it is.")
            words = label(note.format(name=preview.clash), "quiet", wrap=True)
            inner.insertWidget(inner.count() - 2, words)
        self.name.setText(f"{preview.name} (2)" if preview.clash else preview.name)
        self.name.setCursorPosition(0)  # show the beginning of a long name
        self.name.setAccessibleName(self.tr("Name of the new chat"))
        self.name.setPlaceholderText(self.tr("Name of the new chat"))
        inner.insertWidget(inner.count() - 1, self.name)
        first = 0 if preview.chat_id is not None else 1
        self._group.button(first).setChecked(True)
        self._group.idToggled.connect(self._show_name_field)
        self._show_name_field()

    def _show_conflict(
        self, inner: QVBoxLayout, preview: ImportPreview, conflict: CopyConflict
    ) -> None:
        """Ask what to do with floors whose text in the file differs, or which the file lacks."""
        name = self._short(preview.chat_name or "")
        note = self.tr("It is another copy of “{name}”:").format(name=name)
        inner.addWidget(label(f"{note}\n{differing_floors(conflict)}", wrap=True))
        kept = (
            self.tr("Keep both: the chat goes on with the file, a branch keeps these floors")
            if conflict.is_newer
            else self.tr("Keep both: the file becomes a branch, the chat stays as it is")
        )
        self._radio(inner, 0, kept)
        text = self.tr("Replace: the chat becomes the same as the file; that can be taken back")
        self._radio(inner, REPLACES_FLOORS, text)

    def on_conflict(self) -> OnConflict:
        """Return what to do with floors whose text in the file differs, or which the file lacks."""
        return "replace" if self._group.checkedId() == REPLACES_FLOORS else "branch"

    def _show_several(self, inner: QVBoxLayout, preview: ImportPreview) -> None:
        """Offer to import a file of several chats whole: chats already known are only continued."""
        inner.addWidget(label(self.tr("This is the longest of them."), "quiet", wrap=True))
        self._radio(inner, 1, self.tr("Import %n chat(s), each on its own", "", preview.chats))
        self._radio(inner, 2, self.tr("Leave it out"))
        self._group.button(1).setChecked(True)

    def _show_storing(self, inner: QVBoxLayout, preview: ImportPreview) -> None:
        """Offer to store a file that is not a chat: worldbooks and cards get a name."""
        if preview.chat_name is not None:
            note = self.tr("In the library already, as “{name}”").format(name=preview.chat_name)
            inner.addWidget(label(note, "quiet", wrap=True))
            return
        if preview.clash:
            self._show_clash(inner, preview)
            if preview.kind == "card":
                self._group.button(1).setChecked(True)
                return  # a character has the name in its card
        else:
            self._radio(inner, 1, self.tr("Store it as"))
        self.name.setText(preview.name)
        self.name.setCursorPosition(0)
        self.name.setAccessibleName(self.tr("Name in the library"))
        inner.addWidget(self.name)
        if not preview.clash:
            self._radio(inner, 2, self.tr("Leave it out"))
        self._group.button(1).setChecked(True)
        self._group.idToggled.connect(self._show_name_field)

    def _show_clash(self, inner: QVBoxLayout, preview: ImportPreview) -> None:
        """Ask what to do with a file whose name is already used in the library."""
        note = self.tr("Something else here is called “{name}”. It is not touched unless you say.")
        inner.addWidget(label(note.format(name=preview.clash), "quiet", wrap=True))
        self._radio(inner, 1, self.tr("Keep both"))
        name = preview.clash
        shown_name = self._short(name)
        replace = self.tr("Put it in the place of “{name}”; that can be taken back")
        self._radio(inner, REPLACES, replace.format(name=shown_name))
        if preview.kind == "worldbook":
            merge = self.tr("Merge: add the entries that “{name}” has not")
            self._radio(inner, MERGES, merge.format(name=shown_name))
        self._radio(inner, 2, self.tr("Leave it out"))

    def on_clash(self) -> Clash | None:
        """Return what to do if the file's name is already used; None if it is free."""
        preview = self.candidate.preview
        if preview is None or not preview.clash or preview.kind == "chat":
            return None
        asked: dict[int, Clash] = {REPLACES: "replace", MERGES: "merge"}
        return asked.get(self._group.checkedId(), "both")

    def _short(self, name: str) -> str:
        return self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, NAME_WIDTH)

    def _radio(self, inner: QVBoxLayout, number: int, text: str) -> None:
        button = QRadioButton(literal(text))
        self._group.addButton(button, number)
        inner.addWidget(button)

    def _show_name_field(self) -> None:
        self.name.setVisible(self._group.checkedId() == 1)


class ImportDialog(FramedDialog):
    def __init__(
        self, plan: ImportPlan, candidates: list[ImportCandidate], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=600)
        self.set_title(self.tr("Import %n file(s)", "", len(candidates)))
        self._plan = plan
        self.body.addWidget(
            label(self.tr("The files themselves are only read, never changed."), "quiet", wrap=True)
        )
        scroll = tall_area()
        inside = QWidget()
        cards = column(inside, 0, 10)
        self.cards = [FileCard(candidate) for candidate in candidates]
        for card in self.cards:
            cards.addWidget(card)
        cards.addStretch(1)
        scroll.setWidget(inside)
        scroll.setMinimumHeight(min(520, 260 * len(candidates)))
        self.body.addWidget(scroll, 1)
        self.add_close(self.tr("Cancel"))
        self.import_button = self.add_button(self.tr("Import"), "main")
        self.import_button.setEnabled(any(card.choice() for card in self.cards))
        self.import_button.clicked.connect(self._run)
        self.typed = {str(card.candidate.path): card.name for card in self.cards}

    def _run(self) -> None:
        for card in self.cards:
            choice = card.choice()
            if choice is not None:
                into, name = choice
                self._plan.run(
                    card.candidate.path,
                    into=into,
                    name=name,
                    on_clash=card.on_clash(),
                    on_conflict=card.on_conflict(),
                )
        self.close()


def _day(stamp: int) -> str:
    return f"{local_moment(stamp):%Y-%m-%d}"


# Export a chat's memory: the format, and the readers: everyone, a character, or a scene.


LIST_HEIGHT = 180  # pixels: six names are visible, the others by scrolling
# an export refuses a file that exists, so the file dialog does not ask whether to replace it
NEVER_OVERWRITES = QFileDialog.Option.DontConfirmOverwrite


class ExportDialog(FramedDialog):
    """Dialog that asks for a file when it is accepted, and then closes."""

    def __init__(self, exports: ChatExport, chat_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._exports = exports
        self._chat_id = chat_id
        self.set_title(self.tr("Export {chat}").format(chat=exports.name(chat_id)))
        self._add_forms()
        self._add_people()
        self.add_close(self.tr("Cancel"))
        self.export_button = self.add_button(self.tr("Choose a file…"), "main")
        self.export_button.clicked.connect(self._choose_file)
        exports.names_read.connect(self._show_names)
        exports.read_names(chat_id)
        self._show_choice()

    def _add_forms(self) -> None:
        self.forms: dict[ExportForm, QRadioButton] = {
            "markdown": QRadioButton(self.tr("Markdown, for reading")),
            "json": QRadioButton(self.tr("JSON, everything, private notes too")),
            "worldbook": QRadioButton(self.tr("World book for SillyTavern")),
            "engram": QRadioButton(self.tr("Sync file of the Engram extension")),
        }
        group = QButtonGroup(self)
        self.body.addWidget(label(self.tr("As"), "section"))
        for button in self.forms.values():
            group.addButton(button)
            self.body.addWidget(button)
        self.forms["markdown"].setChecked(True)

    def _add_people(self) -> None:
        self.body.addWidget(label(self.tr("For"), "section"))
        group = QButtonGroup(self)
        self.all_button = QRadioButton(self.tr("Everything that is remembered"))
        self.some_button = QRadioButton(self.tr("Only what all of these know"))
        for button in (self.all_button, self.some_button):
            group.addButton(button)
            self.body.addWidget(button)
        self.list = QListWidget()
        self.list.setAccessibleName(self.some_button.text())
        self.list.setFixedHeight(LIST_HEIGHT)
        self.body.addWidget(self.list)
        self._hint = label(
            self.tr(
                "One name: what a character may know. Several: what everybody in a scene may know."
            ),
            "quiet",
            wrap=True,
        )
        self.body.addWidget(self._hint)
        (self.some_button if self._exports.actors(self._chat_id) else self.all_button).setChecked(
            True
        )
        self.some_button.toggled.connect(lambda _on: self._show_choice())
        self.list.itemChanged.connect(lambda _item: self._show_choice())

    @property
    def names(self) -> list[str]:
        """Return the names of those who must all know what is written; empty for no restriction."""
        if self.all_button.isChecked():
            return []
        items = [self.list.item(row) for row in range(self.list.count())]
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    @Slot(object)
    def _show_names(self, names: Sequence[str]) -> None:
        seen_as = self._exports.actors(self._chat_id)
        self.list.clear()
        for name in dict.fromkeys((*seen_as, *names)):
            item = QListWidgetItem(name, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_on = name in seen_as
            item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        self._show_choice()

    def _show_choice(self) -> None:
        self.list.setEnabled(self.some_button.isChecked())
        self.export_button.setEnabled(self.all_button.isChecked() or bool(self.names))

    def _choose_file(self) -> None:
        form = next(form for form, button in self.forms.items() if button.isChecked())
        kind = self.tr("Markdown (*.md)") if form == "markdown" else self.tr("JSON (*.json)")
        name, _filter = QFileDialog.getSaveFileName(
            self, self.tr("Export"), "", kind, options=NEVER_OVERWRITES
        )
        if name:
            self._exports.export(self._chat_id, Path(name), form, self.names)
            self.close()
