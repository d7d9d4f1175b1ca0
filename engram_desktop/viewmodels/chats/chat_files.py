"""Files of chats: import with a preview, exports, and memories kept as Markdown folders.

An import first reads the file and shows what it would do. Nothing is overwritten unless the user
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FOLDER_FAULTS, FolderReport, KeptFolder, Side
from engram_desktop.domain.tavern import adopted
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle, Work
from engram_desktop.services import demo as demo_library
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.live_query import newest_answer
from engram_desktop.viewmodels.workspace.messages import (
    Notice,
    conflict_outcome,
    describe,
    differing_floors,
    translated,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import (
        Clash,
        ExportForm,
        ImportPreview,
        ImportReport,
        OnConflict,
        StoppedImport,
    )


@dataclass(frozen=True, slots=True)
class ImportCandidate:
    """A file with what was found in it, or the reason why it cannot be read."""

    path: Path
    preview: ImportPreview | None
    trouble: KnownError | None = None
    is_volume: bool = False

    @property
    def trouble_text(self) -> str:
        return " ".join(describe(self.trouble)).strip() if self.trouble else ""


@dataclass(frozen=True, slots=True)
class Demo:
    """What opening the demo changed."""

    changes: Changes


def _look(ctx: JobContext, memory: Memory, paths: Sequence[Path]) -> list[ImportCandidate]:
    candidates = []
    for path in paths:
        ctx.check()
        if memory.volumes.is_volume(path):
            candidates.append(ImportCandidate(path, None, is_volume=True))
            continue
        try:
            candidates.append(ImportCandidate(path, memory.imports.preview(ctx, path)))
        except KnownError as error:  # shown beside the file it concerns
            candidates.append(ImportCandidate(path, None, error))
    return candidates


def _topic(path: Path) -> str:
    """Return the topic that messages about a stopped import of ``path`` share."""
    return f"import {path}"


def _make_demo(ctx: JobContext, memory: Memory) -> Demo:
    chat_id = str(demo_library.run_demo(memory, ctx)["chat_id"])
    return Demo(Changes.of_memory(chat_id) | Changes(library=True, messages=True))


class ImportPlan(WorkspaceModel):
    looked = Signal(object)  # list[Candidate]
    memories_found = Signal(object)  # list[Path]: memory files, to be previewed
    volumes_found = Signal(object)  # list[Path]
    summarise_wanted = Signal()

    def look(self, paths: Sequence[Path]) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: _look(ctx, memory, paths))
        job.succeeded.connect(self._on_looked)

    def run(
        self,
        path: Path,
        *,
        into: str | None,
        name: str | None,
        on_clash: Clash | None = None,
        on_conflict: OnConflict = "branch",
    ) -> None:
        """Import ``path`` into the chat that it continues, or as a new chat."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Importing {name}").format(name=path.name),
            lambda ctx: memory.imports.import_file(
                ctx, path, into=into, name=name, on_conflict=on_conflict, on_clash=on_clash
            ),
            lane="network",
        )
        job.succeeded.connect(self._on_imported)
        job.succeeded.connect(lambda _report: self._space.messages.withdraw(_topic(path)))
        job.cancelled.connect(lambda: self._tell_stopped(path))

    def _tell_stopped(self, path: Path) -> None:
        """Show a message after a partial import, with a button that continues it."""
        text = self.tr("Importing {name} was stopped. What had come in is kept.")
        hint = self.tr("Imported again it goes on from there.")
        again, go_on = partial(self.look, [path]), self.tr("Go on…")
        self._space.messages.show(
            Notice(
                "info",
                text.format(name=path.name),
                hint,
                go_on,
                again,
                self.tr("Leave it so"),
                partial(self._let_be, path),
                stays=True,
                topic=_topic(path),
            )
        )

    def show_stopped_imports(self) -> None:
        """List imports that an earlier run did not finish, with a button that imports the rest."""
        memory = self._space.memory
        if memory.session.has_stopped_imports:
            job = self._space.look_up(memory.imports.stopped)
            job.succeeded.connect(self._on_stopped_found)

    @Slot(object)
    def _on_stopped_found(self, found: list[StoppedImport]) -> None:
        for stopped in found:
            take_in = partial(self.run, stopped.file, into=stopped.into, name=stopped.name)
            text = f"{stopped.file.name}: {translated(stopped.phrase)}"
            self._space.messages.show(
                Notice(
                    "warning",
                    text,
                    action_text=self.tr("Import it again") if stopped.is_readable else "",
                    action=take_in if stopped.is_readable else None,
                    other_text=self.tr("Leave it so"),
                    other=partial(self._let_be, stopped.file),
                    topic=_topic(stopped.file),
                )
            )

    def _let_be(self, path: Path) -> None:
        memory = self._space.memory
        self._space.run("", lambda _ctx: memory.imports.dismiss(path))

    @Slot()
    def open_demo(self) -> None:
        """Import the bundled demo story and run the main job on it, without a model."""
        memory = self._space.memory
        job = self._space.change(
            self.tr("Opening the demo"),
            lambda ctx: _make_demo(ctx, memory),
            lane="network",
        )
        job.succeeded.connect(self._on_demo_made)

    @Slot(object)
    def _on_demo_made(self, demo: Demo) -> None:
        self._show_whole(demo.changes.chat_id or "")

    @Slot(object)
    def _on_looked(self, candidates: list[ImportCandidate]) -> None:
        memories = [c for c in candidates if c.preview is not None and c.preview.kind == "memories"]
        volumes = [c.path for c in candidates if c.is_volume]
        others = [c for c in candidates if c not in memories and not c.is_volume]
        if volumes:
            self.volumes_found.emit(volumes)
        if memories and not self._space.chat_id:
            text = self.tr("These are memories of a chat. Open or import the chat first.")
            self._space.messages.show(Notice("info", text))
        elif memories:
            self.memories_found.emit([c.path for c in memories])
        if others:
            self.looked.emit(others)

    @Slot(object)
    def _on_imported(self, report: ImportReport) -> None:
        if report.kind != "chat":
            self._tell_stored(report)
            return
        chat = report.chat_id or ""
        text = self.tr("%n message(s) added", "", report.added)
        if not (report.added or report.changed or report.removed or report.conflict):
            name = self._space.memory.chats.name(chat)
            text = self.tr("“{name}”: nothing new").format(name=name)
        lines = [warning for warning in report.warnings if warning.line]
        notes = [translated(warning.message) for warning in report.warnings if not warning.line]
        if report.conflict is not None:
            notes = [conflict_outcome(report.conflict), differing_floors(report.conflict), *notes]
        if lines:
            text = self.tr("{added}; %n line(s) could not be read", "", len(lines)).format(
                added=text
            )
        branch = report.conflict.branch if report.conflict else ""
        is_longer = report.added and not branch  # only the shown line is summarised
        show = partial(self._space.show_line, Line(chat, branch))
        self._space.messages.show(
            Notice(
                "warning" if report.warnings else "success",
                text,
                "\n".join(notes),
                self.tr("Summarise…") if is_longer else "",
                self._ask_for_summary if is_longer else None,
                self.tr("Show the branch") if branch else "",
                show if branch else None,
            )
        )
        if chat:
            if chat != self._space.chat_id:  # do not switch the chat while the user reads in it
                self._show_whole(chat)
            self._look_for_memories(report)

    def _show_whole(self, chat_id: str) -> None:
        """Show a chat that was just imported completely; its page fills as memories are made."""
        self._space.show_chat(chat_id)
        self._space.page_wanted.emit("overview")

    def _look_for_memories(self, report: ImportReport) -> None:
        """Show a message if other tools left memories in an imported chat or in its file."""
        memory, line = self._space.memory, Line.main(report.chat_id or "")
        files = [Path(report.file)] if report.offered else []
        job = self._space.look_up(
            lambda ctx: memory.adopt.plan(line, memory.adopt.find(ctx, line, files))
        )
        job.succeeded.connect(lambda plan: self._offer_memories(plan, line.chat_id, files))

    def _offer_memories(self, plan: adopted.AdoptPlan, chat_id: str, files: list[Path]) -> None:
        if not plan.new or self._space.chat_id != chat_id:
            return
        tools = " · ".join(f"{tool} {count}" for tool, count in adopted.by_tool(plan.new).items())
        self._space.messages.show(
            Notice(
                "info",
                self.tr("Memories of other tools were found: {tools}").format(tools=tools),
                "",
                self.tr("Look at them…"),
                partial(self._show_memories, files),
                self.tr("Summarise…"),
                self._ask_for_summary,
                stays=True,
            )
        )

    def _show_memories(self, files: list[Path]) -> None:
        self.memories_found.emit(files)

    def _ask_for_summary(self) -> None:
        self.summarise_wanted.emit()

    def _tell_stored(self, report: ImportReport) -> None:
        """Show the result of importing a file that is not a chat."""
        if report.kind == "regex":
            text = self.tr("%n regex script(s) added", "", report.added)
            self._space.messages.show(Notice("success", text))
            return
        text = (
            self.tr("“{name}” is in the library: %n world book entry(ies) added", "", report.added)
            if report.added or report.changes.worldbooks
            else self.tr("“{name}” is in the library already")
        )
        details = "\n".join(translated(warning.message) for warning in report.warnings)
        self._space.messages.show(
            Notice(
                "warning" if report.warnings else "success", text.format(name=report.name), details
            )
        )


class ChatExport(WorkspaceModel):
    """Exports of whole chats; ``names`` are read only when `read_names` is called."""

    names_read = Signal(object)  # list[str], most events perceived first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._reading = newest_answer(workspace, self.names_read, self)

    def actors(self, chat_id: str) -> tuple[str, ...]:
        """Return as whom a chat is exported; empty unless ``chat_id`` is the shown chat."""
        return self._space.actors if chat_id == self._space.chat_id else ()

    def line(self, chat_id: str) -> Line:
        """Return the line of a chat to export: the shown one, else its main branch."""
        return self._space.line if chat_id == self._space.chat_id else Line.main(chat_id)

    def name(self, chat_id: str) -> str:
        return self._space.memory.chats.name(chat_id)

    def read_names(self, chat_id: str) -> None:
        """Read the names of the people in a chat's story; emits `names_read`."""
        line, memory = self.line(chat_id), self._space.memory
        self._reading.ask(lambda ctx: memory.knowledge.actors(ctx, line))

    def export(self, chat_id: str, target: Path, form: ExportForm, names: Sequence[str]) -> None:
        """Write a chat to the new file ``target``.

        With ``names`` only what all of them know is written.
        """
        memory, line = self._space.memory, self.line(chat_id)
        if not target.suffix:
            target = target.with_suffix(".md" if form == "markdown" else ".json")

        def work(ctx: JobContext) -> int:
            actors = memory.knowledge.askers(ctx, line, tuple(names))
            return memory.care.export(ctx, line, target, form, actors)

        title = self.tr("Exporting")
        if names:
            title = self.tr("Exporting what %1 knows").replace("%1", listed(names))
        job = self._space.run(title, work, lane="network")
        job.succeeded.connect(
            self._on_worldbook_exported if form == "worldbook" else self._on_exported
        )

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        self._space.messages.tell(self.tr("%n event(s) exported", "", count), kind="success")

    @Slot(object)
    def _on_worldbook_exported(self, count: int) -> None:
        text = self.tr("World book of %n entry(ies) written", "", count)
        where = self.tr(
            "Put the file into SillyTavern's “worlds” folder, or import it on its World Info page."
        )
        self._space.messages.show(Notice("success", text, where))


class MemoryFolders(WorkspaceModel):
    """Commands on kept folders. They share one lane, so that two looks never run at once."""

    changed = Signal()  # the list of kept folders changed, or a look found something

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.rows: list[KeptFolder] = []
        self.reports: dict[str, FolderReport] = {}  # last look by folder
        workspace.folders.synced.connect(self._on_synced)

    def of_chat(self, chat_id: str) -> KeptFolder | None:
        """Return the folder that a chat is kept in; None if it has none."""
        return next((row for row in self.rows if row.chat_id == chat_id), None)

    def read(self) -> None:
        """Read the list of kept folders, and look at each."""
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.care.folders.all())
        job.succeeded.connect(self._on_rows)

    def keep(self, chat_id: str, folder: Path) -> None:
        """Keep a chat in step with a new or empty folder from now on."""
        branch = self._space.branch_id if chat_id == self._space.chat_id else MAIN_BRANCH
        line, memory = Line(chat_id, branch), self._space.memory
        self._run(lambda ctx: memory.care.folders.keep(ctx, line, folder))

    def sync(self, folder: str, *, with_deletions: bool = False) -> None:
        """Look at a folder now. ``with_deletions`` also deletes the memories of deleted files."""
        memory = self._space.memory
        self._run(
            lambda ctx: memory.care.folders.sync(ctx, Path(folder), with_deletions=with_deletions)[
                0
            ]
        )

    def choose(self, folder: str, file: str, side: Side) -> None:
        """Resolve a conflict: keep the version of one side."""
        memory = self._space.memory
        self._run(lambda ctx: memory.care.folders.choose(ctx, Path(folder), file, side))

    def stop(self, folder: str) -> None:
        """Stop keeping a folder in step; its files stay."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Stopping to keep a folder"),
            lambda _ctx: memory.care.folders.stop(Path(folder)),
        )
        job.succeeded.connect(self._on_stopped)

    def trouble(self, row: KeptFolder) -> str:
        """Return why a folder is not in step; empty if it is."""
        return translated(Phrase(FOLDER_FAULTS[row.fault])) if row.fault else ""

    def _run(self, work: Work) -> JobHandle:
        job = self._space.run(self.tr("Keeping a folder in step"), work, lane="follow")
        job.succeeded.connect(self._on_looked)
        return job

    @Slot(object)
    def _on_rows(self, rows: list[KeptFolder]) -> None:
        self.rows = rows
        self.changed.emit()

    @Slot(object)
    def _on_looked(self, report: FolderReport) -> None:
        if report.edited + report.added + report.removed:
            self._space.hub.publish(report.changes, None)
        self._take([report])
        self._space.folders.look()
        self.read()

    @Slot(object)
    def _on_stopped(self, row: KeptFolder) -> None:
        self.reports.pop(row.path, None)
        self._space.folders.look()
        self.read()

    @Slot(object)
    def _on_synced(self, reports: list[FolderReport]) -> None:
        self._take(reports)
        for report in reports:
            self._tell(report)
        self.changed.emit()

    def _take(self, reports: list[FolderReport]) -> None:
        for report in reports:
            self.reports[report.folder.path] = report

    def _tell(self, report: FolderReport) -> None:
        """Show which files changed memories, and which conflicts wait for an answer."""
        name = Path(report.folder.path).name
        taken = report.edited + report.added + report.removed
        if taken:
            text = self.tr("%n memory(s) changed by files of {folder}", "", taken)
            self._space.messages.tell(text.format(folder=name))
        waiting = len(report.conflicts)
        if waiting or report.folder.fault:
            text = self.tr("%n file(s) of {folder} wait for your choice", "", waiting)
            text = text.format(folder=name) if waiting else f"{name}: {self.trouble(report.folder)}"
            hint = self.tr("See the chat's menu, Markdown folder.")
            topic = f"folder {report.folder.path}"
            self._space.messages.show(Notice("warning", text, hint, topic=topic))
