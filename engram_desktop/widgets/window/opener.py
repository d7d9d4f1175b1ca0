"""Opens every dialog. Each is freed when it closes, and each is open at most once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from engram_desktop.viewmodels.chats.chat_files import ImportCandidate
from engram_desktop.viewmodels.events.event_edits import EventDuplicates, EventReplace
from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import AskedMemories, TypingPlace, Workspace
from engram_desktop.widgets import (
    characters,
    knowledge,
    library_health,
    logs,
    prompts,
    serving,
    settings,
    state,
    tavern,
)
from engram_desktop.widgets.chats import branches_dialog, import_dialog
from engram_desktop.widgets.events import dialogs, replace_dialog
from engram_desktop.widgets.parts import dialogs as name_dialog
from engram_desktop.widgets.parts.dialogs import KeptSizes
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.pipeline import review_dialog, step_dialogs, usage_dialogs
from engram_desktop.widgets.play import start_dialog
from engram_desktop.widgets.window import window_dialogs
from engram_desktop.widgets.window.openings import (
    BookOpening,
    DialogParts,
    GraphOpening,
    HelpOpening,
    Opening,
    VolumeOpening,
)

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.reports import ChatSummary, FailedRange
    from engram_desktop.viewmodels.reading.text_marks import Passage
    from engram_desktop.viewmodels.serving import Bodies


class Dialogs(Opening):
    import_wanted = Signal()

    def __init__(
        self,
        look: Look,
        workspace: Workspace,
        models: Pages,
        library: Path,
        sizes: KeptSizes,
        window: QWidget,
    ) -> None:
        parts = DialogParts(look, workspace, models, library, sizes, window)
        super().__init__(parts)
        self.graph = GraphOpening(parts)
        self.books = BookOpening(parts)
        self.help = HelpOpening(parts)
        self.volumes = VolumeOpening(parts)
        models.imports.looked.connect(self.open_import)
        models.imports.volumes_found.connect(self.volumes.offer)
        models.imports.memories_found.connect(self.open_memories)
        models.imports.summarise_wanted.connect(self.open_summarise)
        models.pipeline.failures_wanted.connect(self.open_failures)
        models.automation.failures_wanted.connect(self.open_failures)
        models.automation.review_wanted.connect(self.open_review)
        models.pipeline.review_wanted.connect(self.open_review)
        models.pipeline.trim_wanted.connect(self.open_trim)
        workspace.who_wanted.connect(self.open_who)
        models.health.wanted.connect(self.open_health)
        workspace.messages.health_wanted.connect(self.open_health)
        models.scripts.steps_wanted.connect(self.open_steps)
        models.scripts.wanted.connect(self.open_scripts)
        for undo in (models.undo, models.library_undo):
            undo.history_wanted.connect(partial(self.open_history, undo))

    @Slot()
    @Slot(object)
    def open_add(self, passage: Passage | None = None) -> None:
        """Open the dialog to write a memory, filled with ``passage``, words of a message."""
        floors, look = self._models.status.floors, self._look
        if passage is None:
            save, place = self._models.events.add, "event"
        else:
            save, place = self._models.passages.save, f"event of {passage}"
            self._close("add")  # it has another subject
        self._show(
            "add",
            lambda: dialogs.AddDialog(look, save, floors, self._window, passage=passage),
            place=place,
        )

    @Slot()
    def open_bin(self) -> None:
        events = self._models.event_bin
        self._show("bin", lambda: dialogs.BinDialog(self._look, events, self._window))

    @Slot()
    def open_replace(self) -> None:
        """Open find and replace for the selected or listed events; the list stays usable."""
        events, chosen = self._models.events, self._models.event_many.keys
        self._close("replace")  # it shows another selection
        self._show(
            "replace",
            lambda: replace_dialog.ReplaceDialog(
                self._look, EventReplace(self._space, events, chosen), self._window
            ),
            modal=False,
        )

    @Slot()
    def open_duplicates(self) -> None:
        """Show the duplicates among the events; the list stays usable."""
        self._show(
            "duplicates",
            lambda: dialogs.DuplicatesDialog(EventDuplicates(self._space), self._window),
            modal=False,
        )

    @Slot(object)
    def open_split(self, event: EventNode) -> None:
        """Open the dialog that splits an event."""
        events = self._models.events
        self._show(
            "split",
            lambda: dialogs.SplitDialog(events, event, self._window),
            place=f"split {event.id}",
        )

    def opener(self, name: str) -> Callable[..., object]:
        """Return the method that opens a dialog: `open_add` for ``add``."""
        parts: tuple[Opening, ...] = (self, self.graph, self.books, self.help, self.volumes)
        part = next(part for part in parts if hasattr(part, f"open_{name}"))
        opener: Callable[..., object] = getattr(part, f"open_{name}")
        return opener

    @Slot()
    def open_settings(self, page: str = "") -> None:
        def make() -> QDialog:
            dialog = settings.SettingsDialog(self._look, self._space, self._window)
            dialog.usage_wanted.connect(self.open_usage)
            dialog.dialog_wanted.connect(lambda name: self.opener(name)())
            if page:
                dialog.show_page(page)
            return dialog

        self._show("settings", make)

    @Slot()
    def open_texts(self) -> None:
        """Show the processing of messages before a model reads them, and the prompts."""
        models = self._models

        def make() -> QDialog:
            undo = models.library_undo
            return prompts.TextsDialog(
                self._look, models.scripts, models.prompts, models.completion, undo, self._window
            )

        self._show("texts", make, modal=False)

    @Slot()
    def open_scripts(self) -> None:
        """Show the scripts and rules."""
        self.open_texts()
        dialog = self._open["texts"]
        if isinstance(dialog, prompts.TextsDialog):
            dialog.tabs.show_page(1)

    @Slot(int)
    def open_steps(self, floor: int) -> None:
        scripts = self._models.scripts
        self._show("steps", lambda: prompts.StepsDialog(scripts, floor, self._window), modal=False)

    @Slot()
    def open_usage(self) -> None:
        def make() -> QDialog:
            dialog = usage_dialogs.UsageDialog(self._space, self._window)
            dialog.requests_wanted.connect(self.open_requests)
            return dialog

        self._show("usage", make)

    @Slot()
    def open_requests(self) -> None:
        requests = usage_dialogs.RequestsDialog
        self._show("requests", lambda: requests(self._space, self._window), modal=False)

    @Slot()
    def open_tavern(self, folder: str = "") -> None:
        """Show the SillyTavern folder: this one, or the one chosen last."""
        self._show(
            "tavern",
            lambda: tavern.TavernDialog(self._look, self._models.tavern, folder, self._window),
        )

    @Slot(str)
    def open_adopt(self, chat_id: str, files: Sequence[Path] = ()) -> None:
        """Show memories of other tools in a chat, and in these files."""
        dialog = self._open.get("adopt")
        if isinstance(dialog, tavern.AdoptDialog) and shiboken6.isValid(dialog):
            dialog.add_files(files)
        adoption = self._models.adoption
        self._show(
            "adopt",
            lambda: tavern.AdoptDialog(adoption, adoption.target(chat_id), files, self._window),
        )

    @Slot(object)
    def open_memories(self, files: Sequence[Path]) -> None:
        """Offer to import files of memories into the chat shown."""
        self.open_adopt(self._space.chat_id, files)

    @Slot()
    def open_health(self) -> None:
        def make() -> QDialog:
            dialog = library_health.HealthDialog(self._look, self._models.health, self._window)
            dialog.restore_wanted.connect(self.open_restore)
            return dialog

        self._show("health", make)

    @Slot()
    def open_restore(self, files: Sequence[Path] = ()) -> None:
        """Open the dialog to restore a backup; ``files`` are listed first."""
        folder, health = self._library / "backups", self._models.health
        dialog = self._open.get("restore")
        if isinstance(dialog, library_health.RestoreDialog) and shiboken6.isValid(dialog):
            dialog.offer(files)
        self._show(
            "restore",
            lambda: library_health.RestoreDialog(health, folder, files, self._window),
        )

    @Slot()
    def open_consolidate(self) -> None:
        self._show(
            "consolidate",
            lambda: step_dialogs.ConsolidateDialog(self._models.pipeline, self._window),
        )

    @Slot()
    def open_trim(self) -> None:
        self._show("trim", lambda: step_dialogs.TrimDialog(self._models.pipeline, self._window))

    @Slot()
    @Slot(object)
    def open_summarise(self, floors: Floors = None, *, redo: bool = False) -> None:
        messages = self._models.status.floors
        pipeline = self._models.pipeline
        self._show(
            "summarise",
            lambda: step_dialogs.SummariseDialog(
                pipeline, messages, floors, self._window, redo=redo
            ),
        )

    @Slot(object)
    def open_redo(self, floors: Floors) -> None:
        """Offer another summary of floors that already have one."""
        self.open_summarise(floors, redo=True)

    @Slot()
    def open_branches(self) -> None:
        self._show(
            "branches",
            lambda: branches_dialog.BranchesDialog(self._models.branches, self._window),
            place="branches",
        )

    @Slot()
    def open_characters(self) -> None:
        cast, undo = self._models.cast, self._models.library_undo

        def make() -> QDialog:
            dialog = characters.CharactersDialog(self._look, cast, undo, self._window)
            dialog.import_wanted.connect(self.import_wanted)
            return dialog

        self._show("characters", make)

    @Slot(object)
    def open_rename_chat(self, chat: ChatSummary | None = None) -> None:
        """Ask for a new name of a chat; by default, of the one shown."""
        chat = chat or self._models.chats.current
        if chat is None:
            return
        rename = partial(self._models.chats.rename, chat.chat_id)
        self._show(
            "rename chat",
            lambda: name_dialog.NameDialog(
                self.tr("Rename the chat"), chat.name, rename, self._window
            ),
            place=TypingPlace("name", chat.chat_id),
        )

    @Slot(str)
    def open_export(self, chat_id: str = "") -> None:
        """Ask for the format and the readers of an export of a chat's memory."""
        exports, chat = self._models.exports, chat_id or self._space.chat_id
        self._show("export", lambda: import_dialog.ExportDialog(exports, chat, self._window))

    @Slot(object)
    def open_bodies(self, bodies: Bodies) -> None:
        shown = (self._look, self._models.serving, bodies, self._window)
        self._show("bodies", lambda: serving.BodiesDialog(*shown))

    @Slot()
    def open_trash(self) -> None:
        self._show("trash", lambda: branches_dialog.TrashDialog(self._models.trash, self._window))

    def open_history(self, undo: UndoActions) -> None:
        """Show the undo steps of the chat shown, or of the library."""
        key = "library history" if undo.is_library else "history"
        self._show(key, lambda: window_dialogs.HistoryDialog(self._look, undo, self._window))

    @Slot()
    def open_log(self) -> None:
        models, floors = self._models, self._models.status.floors
        names = models.characters
        self._show(
            "log",
            lambda: logs.LogDialog(self._look, models.logs, names, floors, self._window),
            place="log",
        )

    @Slot()
    def open_play_start(self) -> None:
        """Offer characters and scenes with which a chat can start."""

        def make() -> QDialog:
            start = self._models.play_start
            dialog = start_dialog.StartDialog(self._look, start, self._window)
            dialog.import_wanted.connect(self.import_wanted)
            return dialog

        self._show("play start", make, place="play start", modal=False)

    @Slot()
    def open_state(self) -> None:
        self._show(
            "state",
            lambda: state.StateDialog(self._models.state, self._window),
            place="state",
        )

    @Slot()
    def open_reflect(self) -> None:
        floors = self._models.status.floors
        self._show(
            "reflect",
            lambda: step_dialogs.ReflectDialog(self._models.reflecting, floors, self._window),
        )

    @Slot()
    def open_messages(self) -> None:
        messages = self._space.messages
        self._show(
            "messages", lambda: window_dialogs.MessagesDialog(self._look, messages, self._window)
        )

    @Slot(object)
    def open_import(self, candidates: list[ImportCandidate]) -> None:
        self._show(
            "import",
            lambda: import_dialog.ImportDialog(self._models.imports, candidates, self._window),
            place=TypingPlace("import"),
        )

    @Slot(object)
    def open_failures(self, failed: Sequence[FailedRange] = ()) -> None:
        models = self._models
        self._show(
            "failures",
            lambda: usage_dialogs.FailuresDialog(
                models.pipeline, models.review, failed, self._window
            ),
        )

    @Slot()
    def open_review(self) -> None:
        """Open the review of drafts; the window stays usable."""
        self._show(
            "review",
            lambda: review_dialog.ReviewDialog(self._look, self._models.review, self._window),
            modal=False,
        )

    @Slot(object)
    def open_who(self, asked: AskedMemories) -> None:
        """Show who knows some memories."""
        self._close("who")  # it shows other memories
        who, undo = self._models.knowing.who, self._models.undo
        self._show(
            "who",
            lambda: knowledge.WhoDialog(
                self._look, who, undo, self.graph.open_groups, self._window
            ),
            modal=False,
        )
        who.ask(asked)

    @Slot()
    def open_secrets(self) -> None:
        secrets, undo = self._models.knowing.secrets, self._models.undo
        self._show(
            "secrets",
            lambda: knowledge.SecretsDialog(
                self._look, secrets, undo, self.graph.open_groups, self._window
            ),
            modal=False,
        )

    @Slot(int, int)
    def open_source(self, first: int, last: int) -> None:
        reader, scripts = self._models.messages, self._models.scripts
        self._close("source")  # it shows other floors
        self._show(
            "source",
            lambda: dialogs.SourceDialog(reader, scripts, first, last, self._window),
            modal=False,
        )


def settings_page(dialogs: Dialogs) -> str:
    """Return the page at which the settings are open; empty if they are closed."""
    pages = (d.page for d in dialogs.shown if isinstance(d, settings.SettingsDialog))
    return next(pages, "")
