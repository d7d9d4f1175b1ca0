"""Openers of the dialogs of one part of the program: volumes, worldbooks, graph, help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.search.key_map import KeyMap
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, Workspace
from engram_desktop.widgets import knowledge
from engram_desktop.widgets.chats import folder_dialog, volumes_dialog
from engram_desktop.widgets.graph import entity_dialogs, entity_sheet
from engram_desktop.widgets.parts import dialogs
from engram_desktop.widgets.parts.dialogs import FramedDialog, KeptSizes
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.window import window_dialogs
from engram_desktop.widgets.worldbooks import merge_dialog, worldbook_panel

if TYPE_CHECKING:
    from engram_desktop.viewmodels.graph.entity_editor import RelationRow
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.viewmodels.reading.text_marks import RelationPassage


# How dialogs are opened: each once at a time, freed when it closes, typed text restored.


@dataclass(frozen=True, slots=True, eq=False)
class DialogParts:
    """Shared parts of the dialogs of one window. ``open`` holds the open dialogs, by name."""

    look: Look
    workspace: Workspace
    models: Pages
    library: Path
    sizes: KeptSizes
    window: QWidget
    open: dict[str, QDialog] = field(default_factory=dict)


class Opening(QObject):
    """Base of openers. Subclasses make the dialogs; those of one window share their parts."""

    def __init__(self, parts: DialogParts) -> None:
        super().__init__(parts.window)
        self._look = parts.look
        self._space = parts.workspace
        self._models = parts.models
        self._library = parts.library
        self._sizes = parts.sizes
        self._window = parts.window
        self._open = parts.open

    @property
    def shown(self) -> list[QDialog]:
        return [d for d in self._open.values() if shiboken6.isValid(d)]

    def _show(
        self,
        name: str,
        make: Callable[[], QDialog],
        *,
        modal: bool = True,
        place: str | TypingPlace = "",
    ) -> None:
        """Open a dialog, or bring the open one to the front.

        ``place`` is the key of its unsaved texts; a str means a place of the chat shown.
        """
        current = self._open.get(name)
        if current is not None and shiboken6.isValid(current):
            current.raise_()
            current.activateWindow()
            return
        with self._look.unwatched():
            dialog = make()
            self._open[name] = dialog
            if place and isinstance(dialog, FramedDialog):
                where = TypingPlace(place, self._space.chat_id) if isinstance(place, str) else place
                dialog.keep_typing(self._space.unsaved, where)
            self._sizes.follow(dialog)
            self._look.style_window(dialog)
            if modal:
                dialog.open()
            else:
                dialog.show()

    def _close(self, name: str) -> None:
        """Close a dialog that will be opened for another subject."""
        dialog = self._open.pop(name, None)
        if dialog is not None and shiboken6.isValid(dialog):
            dialog.close()


# The dialogs of volumes.


class VolumeOpening(Opening):
    @Slot(str)
    def open_make_volume(self, chat_id: str) -> None:
        """Open the dialog that makes a volume of a chat."""
        volumes = self._models.volumes
        self._show(
            "make volume",
            lambda: volumes_dialog.MakeVolumeDialog(volumes, chat_id, self._window),
            place=TypingPlace("volume", chat_id),
        )

    @Slot(object)
    def offer(self, files: Sequence[Path]) -> None:
        """Offer to import files that are volumes, each by a message with a button."""
        for file in files:
            self._space.messages.show(
                Notice(
                    "info",
                    self.tr("“{name}” is a volume: what a chat remembers.").format(name=file.name),
                    "",
                    self.tr("Take it in"),
                    partial(self._models.volumes.import_file, file),
                    stays=True,
                    topic=f"volume {file}",
                )
            )

    @Slot()
    @Slot(str)
    def open_volumes(self, chat_id: str = "") -> None:
        """Show all volumes; a chat, by default the one shown, is offered as a reader."""
        volumes, undo = self._models.volumes, self._models.library_undo
        reader = chat_id or self._space.chat_id

        def make() -> volumes_dialog.VolumesDialog:
            dialog = volumes_dialog.VolumesDialog(self._look, volumes, undo, reader, self._window)
            dialog.make_wanted.connect(self.open_make_volume)
            return dialog

        self._show("volumes", make)

    @Slot()
    @Slot(str)
    def open_folder(self, chat_id: str = "") -> None:
        """Open the dialog that keeps a chat (by default the one shown) as Markdown files."""
        chat, folders = chat_id or self._space.chat_id, self._models.folders
        self._show(
            "folder",
            lambda: folder_dialog.FolderDialog(self._look, folders, chat, self._window),
        )


# The dialogs of the page of worldbooks: how each is made.


class BookOpening(Opening):
    @Slot()
    def open_rename_worldbook(self) -> None:
        """Ask for a new name of the open worldbook."""
        worldbooks, row = self._models.worldbooks, self._models.worldbooks.row
        if row is not None:
            self._show(
                "rename book",
                lambda: dialogs.NameDialog(
                    self.tr("Rename the world book"),
                    row.name,
                    worldbooks.rename_worldbook,
                    self._window,
                ),
                place=TypingPlace(f"name of {row.id}"),
            )

    @Slot(object)
    def open_merge_worldbook(self, file: Path) -> None:
        merging = self._models.worldbooks.memory.merging
        merge = merge_dialog.MergeWorldbookDialog
        self._show("merge book", lambda: merge(self._look, merging, file, self._window))

    @Slot()
    def open_sort_entries(self) -> None:
        """Show the changes if the sorting of entries becomes their order."""
        worldbooks = self._models.worldbooks
        if worldbooks.row is not None:
            self._show("sort", lambda: merge_dialog.SortDialog(worldbooks, self._window))

    @Slot()
    def open_large_entry(self) -> None:
        """Show the entry being edited in a large window."""
        worldbooks, entry = self._models.worldbooks, self._models.worldbooks.current
        if entry is not None and worldbooks.row is not None:
            worldbooks.leaving.emit()
            self._show(
                "large entry", lambda: worldbook_panel.LargeEditor(worldbooks, entry, self._window)
            )

    @Slot(object)
    def open_head_entries(self, uids: Sequence[int | str]) -> None:
        """Ask for the new heading above entries."""
        arranging = self._models.worldbooks.arranging

        def make() -> dialogs.NameDialog:
            dialog = dialogs.NameDialog(
                self.tr("Put under a new heading"),
                "",
                partial(arranging.put_under, uids),
                self._window,
            )
            dialog.save_button.setText(self.tr("Put there"))
            return dialog

        self._show("heading", make, place=TypingPlace("heading"))

    @Slot(str)
    def open_rename_heading(self, heading: str) -> None:
        """Ask for a new name of a heading."""
        arranging = self._models.worldbooks.arranging
        self._show(
            "rename heading",
            lambda: dialogs.NameDialog(
                self.tr("Rename the heading"),
                heading,
                partial(arranging.rename, heading),
                self._window,
            ),
            place=TypingPlace(f"name of heading {heading}"),
        )


# The dialogs of the graph page: how each is made.


class GraphOpening(Opening):
    @Slot()
    def open_groups(self) -> None:
        """Show the groups and their members."""
        groups, undo = self._models.knowing.groups, self._models.undo
        self._show(
            "groups",
            lambda: knowledge.GroupsDialog(self._look, groups, undo, self._window),
            modal=False,
            place="group",
        )

    @Slot()
    def open_entity(self) -> None:
        """Open the large view of the selected entity; the graph stays usable."""
        models = self._models

        def make() -> entity_sheet.SheetDialog:
            dialog = entity_sheet.SheetDialog(
                self._look,
                models.graph,
                models.entity,
                models.sheets,
                models.gaps.of_one,
                self._window,
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
    def open_passage_relation(self, passage: RelationPassage) -> None:
        """Open the dialog for a relation from words of a message."""
        editor, relate = self._models.entity, partial(self._models.passages.relate, passage)
        self._close("passage_relation")  # it has another subject
        self._show(
            "passage_relation",
            lambda: entity_dialogs.PassageRelationDialog(editor, passage, relate, self._window),
            place=f"relation of {passage}",
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


# Dialogs about the program: keys, help, version, report of a bug or a crash.


class HelpOpening(Opening):
    safe_mode_wanted = Signal()

    def __init__(self, parts: DialogParts) -> None:
        super().__init__(parts)
        self._keys: KeyMap | None = None

    def take_keys(self, keys: KeyMap) -> None:
        """Set the keys, which are made after the dialogs that their actions open."""
        self._keys = keys

    def key_words(self) -> list[tuple[str, str]]:
        """Return the keys of the window with the text of each action."""
        keys = self._keys
        if keys is None:
            return []
        words = [(keys.words(b.name), b.words) for b in keys.bound if "page." not in b.name]
        return [(key, text) for key, text in words if key]

    @Slot()
    def open_keys(self) -> None:
        """Show all keys, which can be changed."""
        keys = self._keys
        if keys is not None:
            self._show("keys", lambda: window_dialogs.KeysDialog(self._look, keys, self._window))

    @Slot()
    def open_help(self) -> None:
        """Show the guide; the window stays usable."""

        def make() -> QDialog:
            dialog = window_dialogs.HelpDialog(self._look, self._space, self._window)
            dialog.keys_wanted.connect(self.open_keys)
            dialog.about_wanted.connect(self.open_about)
            return dialog

        self._show("help", make, modal=False)

    @Slot()
    def open_about(self) -> None:
        def make() -> QDialog:
            releases = self._models.releases
            keys = self.key_words()
            dialog = window_dialogs.AboutDialog(self._library, releases, keys, self._window)
            dialog.keys_wanted.connect(self.open_keys)
            dialog.notices_wanted.connect(self.open_notices)
            dialog.changelog_wanted.connect(self.open_changelog)
            return dialog

        self._show("about", make)

    @Slot()
    def open_changelog(self) -> None:
        """Show the changes of each version."""
        self._show("changelog", lambda: window_dialogs.ChangelogDialog(self._space, self._window))

    @Slot()
    def open_notices(self) -> None:
        """Show the packages of the program and their licences."""
        self._show(
            "notices",
            lambda: window_dialogs.NoticesDialog(self._look, self._space, self._window),
        )

    def open_report(self, report: str, *, is_crash: bool = False) -> None:
        """Show the report; ``is_crash``: about the previous run."""
        offers_safe_mode = is_crash and not self._space.memory.session.is_safe

        def make() -> window_dialogs.ReportDialog:
            dialog = window_dialogs.ReportDialog(
                report, self._window, is_crash=is_crash, offers_safe_mode=offers_safe_mode
            )
            dialog.safe_mode_wanted.connect(self.safe_mode_wanted)
            return dialog

        self._show("report", make)
