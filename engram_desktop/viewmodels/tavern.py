"""The SillyTavern dialogs: folder, followed chats, and memories taken over from extensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QImageReader

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.tavern import folder as tavern_folders
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.qtjobs.tavern_watcher import TavernWatcher
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import (
    Kind,
    Notice,
    conflict_outcome,
    describe,
    differing_floors,
    translated,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ImportReport
    from engram_desktop.domain.tavern.adopted import Adopted, AdoptPlan, AdoptReport


FACE = 64  # pixels; cards' own pictures are about a thousand
MAX_FACES = 2_000
FACES = 24
MAX_FAULTS = 8


@dataclass(frozen=True, slots=True)
class TavernView:
    """A folder as the dialog shows it. ``states`` are by path or key."""

    listing: tavern_folders.TavernFolder
    states: dict[str, tavern_folders.TavernState]

    def state(self, key: str) -> tavern_folders.TavernState:
        return self.states.get(key, "new")


@dataclass(slots=True)
class TakenFiles:
    """Result of importing a choice: how many files of each kind added something."""

    kinds: Counter[str] = field(default_factory=Counter)
    added: int = 0  # messages
    warnings: list[str] = field(default_factory=list)
    troubles: list[tuple[str, KnownError]] = field(default_factory=list)
    changes: Changes = field(default_factory=lambda: Changes(library=True))

    def add(self, report: ImportReport) -> None:
        if report.kind in ("chat", "card") or report.added:
            self.kinds[report.kind] += report.added if report.kind == "regex" else 1
        if report.kind == "chat":
            self.added += report.added
        name = Path(report.file).name
        self.warnings += [f"{name}: {translated(w.message)}" for w in report.warnings]
        if report.conflict is not None:
            words = f"{conflict_outcome(report.conflict)}\n{differing_floors(report.conflict)}"
            self.warnings.append(f"{name}: {' · '.join(words.splitlines())}")


def _face(path: str) -> QImage:
    """Read a card's picture small, from SillyTavern's thumbnail if possible; null if unreadable."""
    card = Path(path)
    small = card.parent.parent / "thumbnails" / "avatar" / card.name
    reader = QImageReader(str(small if small.is_file() else card))
    reader.setDecideFormatFromContent(True)  # thumbnails are JPEGs named PNG
    size = reader.size()
    if size.isValid():
        around = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        reader.setScaledSize(size.scaled(QSize(FACE, FACE), around))
    return reader.read()


def _read(ctx: JobContext, memory: Memory, folder: str) -> TavernView:
    listing = memory.tavern.list_folder(ctx, Path(folder))
    return TavernView(listing, memory.tavern.states(ctx, listing))


def _keys_of(listing: tavern_folders.TavernFolder) -> Iterator[str]:
    """Yield the keys of everything except presets and scripts, which change prompts."""
    for handle in listing.handles:
        yield from (chat.path for chat in handle.chats())
        yield from (character.avatar for character in handle.characters if character.avatar)
        yield from (item.key for item in handle.items if item.kind in ("world", "persona"))


def _faces(ctx: JobContext, paths: Sequence[str]) -> dict[str, QImage]:
    faces = {}
    for path in paths:
        ctx.check()
        faces[path] = _face(path)
    return faces


def _take(
    ctx: JobContext, memory: Memory, view: TavernView, choice: tavern_folders.TavernChoice
) -> TakenFiles:
    result = TakenFiles()
    result.changes = memory.tavern.take(
        ctx,
        view.listing,
        choice,
        result.add,
        lambda file, error: result.troubles.append((Path(file).name, error)),
    )
    return result


def _stop_following(ctx: JobContext, memory: Memory, paths: Collection[str]) -> Changes:
    for path in paths:
        ctx.write(partial(memory.tavern.unfollow, Path(path)))
    return Changes(library=True)


class TavernModel(WorkspaceModel):
    changed = Signal()  # `text`
    loaded = Signal(object)  # TavernView
    faced = Signal(object)  # pictures by path, as they are read
    progressed = Signal(object)  # Progress of the import
    refused = Signal(str)  # why a folder cannot be used
    applied = Signal()
    prompts_read = Signal(object)  # list of PresetPrompt

    def __init__(
        self, workspace: Workspace, watcher: TavernWatcher, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._watcher = watcher
        self._rows: list[tavern_folders.Followed] = []
        self._faces: dict[str, QImage] = {}
        self._waiting: list[str] = []  # pictures not read yet
        self._job: JobHandle | None = None
        watcher.changed.connect(self._read_rows)
        watcher.reported.connect(self._tell_kept)
        workspace.chat_changed.connect(self._read_rows)
        self._read_rows()

    @property
    def folder(self) -> str:
        return self._space.memory.settings.read().tavern_folder

    @property
    def follows_all(self) -> bool:
        return self._space.memory.settings.read().tavern_follow == "all"

    def look(self, folder: str = "") -> None:
        """List ``folder``, or the one in the settings; a valid new folder is stored there."""
        path, memory = folder or self.folder, self._space.memory
        if not path:
            return
        job = self._space.jobs.submit("", lambda ctx: _read(ctx, memory, path), lane="interactive")
        job.succeeded.connect(lambda view: self._on_read(view, path))
        job.failed.connect(self._on_refused)

    def read_preset(self, path: str) -> None:
        """Read the prompts of a preset."""
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.tavern.preset_prompts(Path(path)))
        job.succeeded.connect(self.prompts_read)

    def apply(self, view: TavernView, keys: Collection[str], *, follow: bool) -> None:
        """Import the ticked items with what belongs to them, and follow the chats in ``follow``."""
        choice = tavern_folders.TavernChoice(frozenset(keys), follow=follow)
        memory = self._space.memory
        if follow and memory.settings.read().tavern_follow == "off":
            self._set("tavern.follow", "chosen")
        job = self._space.change(
            self.tr("Importing from SillyTavern"),
            lambda ctx: _take(ctx, memory, view, choice),
            lane="follow",
        )
        job.progressed.connect(self.progressed)
        job.succeeded.connect(self._on_taken)
        job.finished.connect(self._on_changed)
        self._job = job

    def take_all(self, folder: str) -> None:
        """Import every chat of a folder with its characters and worldbooks, and follow it."""
        memory = self._space.memory
        job = self._space.jobs.submit(
            "", lambda ctx: _read(ctx, memory, folder), lane="interactive"
        )
        job.succeeded.connect(lambda view: self._take_all(view, folder))
        job.failed.connect(self._on_refused)

    def _take_all(self, view: TavernView, folder: str) -> None:
        self._set("tavern.folder", folder)
        keys = {key for key in _keys_of(view.listing) if view.state(key) in ("new", "newer")}
        self.apply(view, keys, follow=True)

    def cancel(self) -> None:
        """Cancel the import; finished files are kept."""
        if self._job is not None:
            self._job.cancel()

    def stop_following(self, paths: Collection[str]) -> None:
        """Stop following these chats; what was imported stays."""
        memory = self._space.memory
        job = self._space.change("", lambda ctx: _stop_following(ctx, memory, paths), lane="follow")
        job.finished.connect(self._on_changed)

    def set_follows_all(self, *, on: bool) -> None:
        self._set("tavern.follow", "all" if on else "chosen")

    @property
    def text(self) -> str:
        """Return whether the shown chat is followed, and when its file last changed."""
        line = self._space.line
        rows = [r for r in self._rows if r.chat_id == line.chat_id and r.is_followed]
        if not rows or not self._watcher.is_watching:
            return ""
        here = [r for r in rows if r.branch_id == line.branch_id] or rows
        changed = max(r.changed_at for r in here)
        moment = QDateTime.fromMSecsSinceEpoch(changed)
        is_today = moment.date() == QDateTime.currentDateTime().date()
        short = QLocale.FormatType.ShortFormat
        when = QLocale().toString(moment.time() if is_today else moment, short)
        return self.tr("Following SillyTavern · {when}").format(when=when)

    def _set(self, key: str, value: str) -> None:
        memory = self._space.memory
        self._space.change("", lambda _ctx: memory.settings.set(key, value))

    @Slot(object)
    def _tell_kept(self, reports: list[tavern_folders.SyncReport]) -> None:
        """Show which followed files would have removed floors, and that the floors were kept."""
        for report in reports:
            if report.conflict is not None:
                name = Path(report.path).name
                text = self.tr("Another copy of a chat: {file}").format(file=name)
                hint = f"{conflict_outcome(report.conflict)}\n{differing_floors(report.conflict)}"
                branch = Line(report.chat_id, report.conflict.branch)
                show = partial(self._space.show_line, branch) if branch.branch_id else None
                label = self.tr("Show the branch") if show else ""
                self._space.messages.show(Notice("warning", text, hint, label, show))

    @Slot()
    def _read_rows(self) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.tavern.followed(), lane="aside")
        job.succeeded.connect(self._on_rows)

    @Slot(object)
    def _on_rows(self, rows: list[tavern_folders.Followed]) -> None:
        self._rows = rows
        self.changed.emit()

    def _on_read(self, view: TavernView, folder: str) -> None:
        if folder != self.folder:
            self._set("tavern.folder", folder)
        self.loaded.emit(view)
        self.faced.emit(self._faces)
        characters = [c for h in view.listing.handles for c in h.characters if c.avatar]
        characters.sort(key=lambda c: not c.chats)
        self._waiting = [c.avatar for c in characters if c.avatar not in self._faces][:MAX_FACES]
        self._read_faces()

    def _read_faces(self) -> None:
        """Read the next pictures, a few per job, so that other jobs do not wait."""
        part, self._waiting = self._waiting[:FACES], self._waiting[FACES:]
        if part:
            job = self._space.look_up(lambda ctx: _faces(ctx, part))
            job.succeeded.connect(self._on_faces)

    @Slot(object)
    def _on_faces(self, faces: dict[str, QImage]) -> None:
        self._faces |= faces
        self.faced.emit(faces)
        self._read_faces()

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        if isinstance(error, KnownError):
            self.refused.emit(" ".join(describe(error)).strip())
        else:
            self._space.messages.show_error(error)

    @Slot()
    def _on_changed(self) -> None:
        self._job = None
        self._watcher.look()
        self._read_rows()
        self.applied.emit()

    @Slot(object)
    def _on_taken(self, result: TakenFiles) -> None:
        texts = {
            "chat": self.tr("%n chat(s)", "", result.kinds["chat"]),
            "card": self.tr("%n character card(s)", "", result.kinds["card"]),
            "worldbook": self.tr("%n world book(s)", "", result.kinds["worldbook"]),
            "regex": self.tr("%n regex script(s)", "", result.kinds["regex"]),
            "persona": self.tr("%n persona(s)", "", result.kinds["persona"]),
        }
        parts = [text for kind, text in texts.items() if result.kinds[kind]]
        if result.kinds["chat"]:
            parts.append(self.tr("%n message(s) added", "", result.added))
        faults = [
            *(f"{file}: {' '.join(describe(error)).strip()}" for file, error in result.troubles),
            *result.warnings,
        ]
        more = len(faults) - MAX_FAULTS
        if more > 0:
            faults = [*faults[:MAX_FAULTS], self.tr("and %n more", "", more)]
        text = " · ".join(parts) or self.tr("Nothing new was found")
        kind: Kind = "warning" if faults else "success"
        self._space.messages.show(Notice(kind, text, "\n".join(faults)))


@dataclass(frozen=True, slots=True)
class AdoptTarget:
    """The chat into which memories are imported."""

    line: Line
    name: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The memories found, in order, and the plan with the new ones.

    ``troubles``: unreadable files.
    """

    memories: tuple[Adopted, ...]
    plan: AdoptPlan
    troubles: tuple[tuple[str, KnownError], ...] = ()

    def of_tool(self, tool: str) -> list[Adopted]:
        return [one for one in self.memories if one.tool == tool]

    def new_of(self, tools: Collection[str]) -> list[Adopted]:
        return [one for one in self.plan.new if one.tool in tools]

    @property
    def tools(self) -> list[str]:
        return list(dict.fromkeys(one.tool for one in self.memories))

    @property
    def trouble_text(self) -> str:
        return "\n".join(
            f"{file}: {' '.join(describe(error)).strip()}" for file, error in self.troubles
        )


def _find(ctx: JobContext, memory: Memory, target: AdoptTarget, files: Sequence[Path]) -> Findings:
    """Search a chat and each file; an unreadable file does not stop the search."""
    troubles: list[tuple[str, KnownError]] = []
    readable = []
    for file in files:
        try:
            memory.adopt.preview_file(file)
        except KnownError as error:
            troubles.append((file.name, error))
        else:
            readable.append(file)
    memories = memory.adopt.find(ctx, target.line, readable)
    plan = memory.adopt.plan(target.line, memories)
    return Findings(tuple(memories), plan, tuple(troubles))


class Adoption(WorkspaceModel):
    found = Signal(object)  # Findings
    applied = Signal()

    def target(self, chat_id: str) -> AdoptTarget:
        """Return the target for a chat: its shown branch if it is shown, else its main branch."""
        branch = self._space.branch_id if chat_id == self._space.chat_id else MAIN_BRANCH
        return AdoptTarget(Line(chat_id, branch), self._space.memory.chats.name(chat_id))

    def find(self, target: AdoptTarget, files: Sequence[Path] = ()) -> None:
        """Search the messages of a chat, and files; emits `found`."""
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: _find(ctx, memory, target, files))
        job.succeeded.connect(self.found)

    def run(self, target: AdoptTarget, memories: Sequence[Adopted]) -> None:
        memory = self._space.memory
        job = self._space.change(
            self.tr("Taking over memories"),
            lambda ctx: memory.adopt.take_over(ctx, target.line, memories),
        )
        job.succeeded.connect(self._on_adopted)

    @Slot(object)
    def _on_adopted(self, report: AdoptReport) -> None:
        parts = [self.tr("%n memory(s) taken over", "", report.added)]
        if report.replaced:
            parts.append(self.tr("%n outdated one(s) replaced", "", report.replaced))
        if report.skipped:
            parts.append(self.tr("%n known already", "", report.skipped))
        self._space.messages.show(
            Notice("success", " · ".join(parts), self.tr("One undo takes it back."))
        )
        self.applied.emit()
