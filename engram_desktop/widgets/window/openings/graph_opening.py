"""The dialogs of the graph page: how each is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from engram_desktop.widgets.graph import entity_dialogs
from engram_desktop.widgets.graph.sheet import sheet_dialog
from engram_desktop.widgets.window.opening import Opening

if TYPE_CHECKING:
    from engram_desktop.viewmodels.graph.entity_editor import RelationRow
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.widgets.parts.look.look import Look


class GraphOpening(Opening):
    """A part of `Dialogs`, which sets what the dialogs are made of."""

    _look: Look
    _models: Pages

    @Slot()
    def open_entity(self) -> None:
        """Show all there is of the entity selected; the graph beside it stays usable."""
        models = self._models

        def make() -> sheet_dialog.SheetDialog:
            dialog = sheet_dialog.SheetDialog(
                self._look, models.graph, models.entity, models.sheets, self._window
            )
            dialog.relations.add_wanted.connect(self.open_add_relation)
            dialog.relations.reword_wanted.connect(self.open_reword)
            dialog.relations.end_wanted.connect(self.open_end)
            return dialog

        if models.graph.entity is not None:
            self._show("entity", make, modal=False)

    @Slot()
    def open_merge(self) -> None:
        self._show("merge", lambda: entity_dialogs.MergeDialog(self._models.entity, self._window))

    @Slot()
    def open_add_relation(self) -> None:
        editor = self._models.entity
        self._show(
            "relation",
            lambda: entity_dialogs.AddRelationDialog(editor, self._window),
            place=f"relation of {editor.entity.id if editor.entity else ''}",
        )

    @Slot(object)
    def open_reword(self, row: RelationRow) -> None:
        self._show(
            "reword",
            lambda: entity_dialogs.RewordDialog(self._models.entity, row, self._window),
            place=f"relation {row.relation.id}",
        )

    @Slot(object)
    def open_end(self, row: RelationRow) -> None:
        chat = self._models.chats.current
        last = max(0, chat.messages - 1) if chat else 0
        self._show(
            "end", lambda: entity_dialogs.EndDialog(self._models.entity, row, last, self._window)
        )
