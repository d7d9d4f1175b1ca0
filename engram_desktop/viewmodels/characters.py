"""Viewmodel of the characters dialog: list, show, export and delete the library's characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.cards import CharacterRow, CharacterSheet
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.transcript import faces_of_cards
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


@dataclass(frozen=True, slots=True)
class Gallery:
    rows: tuple[CharacterRow, ...] = ()
    faces: dict[str, QImage] = field(default_factory=dict)  # by id


class CharacterList(WorkspaceModel):
    """State and commands of the characters dialog. It reads nothing before `read` is called."""

    loaded = Signal(object)  # Gallery
    shown = Signal(object)  # CharacterSheet or None

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.sheet: CharacterSheet | None = None
        self._wanted_id = ""
        self._query = LiveQuery(
            workspace,
            "characters",
            self._ask,
            self._show,
            concerns=lambda changes: changes.worldbooks or changes.library,
            of_chat=False,
            parent=self,
        )
        self._query.set_active(False)
        self._showing = newest_answer(workspace, self._show_sheet, self)

    def set_active(self, *, active: bool) -> None:
        """Start or stop reading; called when the dialog opens and closes."""
        self._query.refresh()  # each opening makes a new dialog
        self._query.set_active(active)

    def show(self, character_id: str) -> None:
        """Show the sheet of a character."""
        self._wanted_id, memory = character_id, self._space.memory
        self._showing.ask(lambda ctx: memory.characters.sheet(ctx, character_id))

    def export(self, target: Path) -> None:
        """Write the shown card to a new file: JSON if the name ends in ``.json``, else PNG."""
        sheet, memory = self.sheet, self._space.memory
        if sheet is None:
            return

        def work(ctx: JobContext) -> Path:
            memory.characters.export(ctx, sheet.row.id, target)
            return target

        job = self._space.run(self.tr("Exporting a character card"), work)
        job.succeeded.connect(self._on_written)

    def delete(self, *, worldbooks: bool, scripts: bool) -> None:
        """Delete the shown character, on request with its worldbooks and scripts."""
        sheet, memory = self.sheet, self._space.memory
        if sheet is not None:
            job = self._space.change(
                self.tr("Removing a character"),
                lambda _ctx: memory.characters.delete(
                    sheet.row.id, worldbooks=worldbooks, scripts=scripts
                ),
            )
            text = self.tr("The character “{name}” was deleted").format(name=sheet.row.name)
            job.succeeded.connect(lambda changes: self._undo.offer(text, changes.undo_label))

    def show_chat(self, chat_id: str) -> None:
        """Show a chat in which the character takes part."""
        self._space.show_chat(chat_id)

    @Slot(object)
    def _on_written(self, target: Path) -> None:
        text = self.tr("Character card written to {file}").format(file=target.name)
        self._space.messages.tell(text, kind="success")

    def _ask(self) -> Callable[[JobContext], Gallery]:
        memory = self._space.memory
        return lambda ctx: _gallery(ctx, memory)

    def _show(self, gallery: Gallery) -> None:
        ids = [row.id for row in gallery.rows]
        character_id = self._wanted_id if self._wanted_id in ids else next(iter(ids), "")
        self.loaded.emit(gallery)
        if character_id:
            self.show(character_id)
        else:
            self._showing.drop()
            self._show_sheet(None)

    @Slot(object)
    def _show_sheet(self, sheet: CharacterSheet | None) -> None:
        self.sheet = sheet
        self.shown.emit(sheet)


def _gallery(ctx: JobContext, memory: Memory) -> Gallery:
    rows = tuple(memory.characters.all())
    faces = faces_of_cards(ctx, memory, rows)
    return Gallery(rows, faces)
