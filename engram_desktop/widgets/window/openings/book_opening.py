"""The dialogs of the page of worldbooks: how each is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from engram_desktop.viewmodels.workspace.unsaved_texts import Place
from engram_desktop.widgets.parts.dialogs import name_dialog
from engram_desktop.widgets.window.opening import Opening
from engram_desktop.widgets.worldbooks import large_editor, merge_dialog, sort_dialog

if TYPE_CHECKING:
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.widgets.parts.look.look import Look


class BookOpening(Opening):
    """A part of `Dialogs`, which sets what the dialogs are made of."""

    _look: Look
    _models: Pages

    @Slot()
    def open_rename_worldbook(self) -> None:
        """Ask for another name of the open worldbook."""
        worldbooks, row = self._models.worldbooks, self._models.worldbooks.row
        if row is not None:
            self._show(
                "rename book",
                lambda: name_dialog.NameDialog(
                    self.tr("Rename the world book"),
                    row.name,
                    worldbooks.rename_worldbook,
                    self._window,
                ),
                place=Place(f"name of {row.id}"),
            )

    @Slot(object)
    def open_merge_worldbook(self, file: Path) -> None:
        merging = self._models.worldbooks.memory.merging
        merge = merge_dialog.MergeWorldbookDialog
        self._show("merge book", lambda: merge(self._look, merging, file, self._window))

    @Slot()
    def open_sort_entries(self) -> None:
        """Show what making the sorting of entries their order would change."""
        worldbooks = self._models.worldbooks
        if worldbooks.row is not None:
            self._show("sort", lambda: sort_dialog.SortDialog(worldbooks, self._window))

    @Slot()
    def open_large_entry(self) -> None:
        """Show the entry that is being edited in a large window."""
        worldbooks, entry = self._models.worldbooks, self._models.worldbooks.current
        if entry is not None and worldbooks.row is not None:
            worldbooks.leaving.emit()
            self._show(
                "large entry", lambda: large_editor.LargeEditor(worldbooks, entry, self._window)
            )

    @Slot(object)
    def open_head_entries(self, uids: Sequence[int | str]) -> None:
        """Ask under which new heading entries shall stand."""
        arranging = self._models.worldbooks.arranging

        def make() -> name_dialog.NameDialog:
            dialog = name_dialog.NameDialog(
                self.tr("Put under a new heading"),
                "",
                partial(arranging.put_under, uids),
                self._window,
            )
            dialog.save_button.setText(self.tr("Put there"))
            return dialog

        self._show("heading", make, place=Place("heading"))

    @Slot(str)
    def open_rename_heading(self, heading: str) -> None:
        """Ask for another name of a heading."""
        arranging = self._models.worldbooks.arranging
        self._show(
            "rename heading",
            lambda: name_dialog.NameDialog(
                self.tr("Rename the heading"),
                heading,
                partial(arranging.rename, heading),
                self._window,
            ),
            place=Place(f"name of heading {heading}"),
        )
