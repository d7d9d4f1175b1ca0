"""The SillyTavern folder in the window: what is in it, and which of its chats are followed."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QImageReader

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.tavern import Followed, SyncReport, TavernFolder
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.tavern_watcher import TavernWatcher
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.messages import Kind, Notice, describe
from engram_desktop.viewmodels.workspace import Workspace

FACE = 64  # pixels; a card's picture has a thousand
MAX_FACES = 400


@dataclass(frozen=True, slots=True)
class TavernView:
    """A folder as the dialog shows it. ``followed`` and ``faces`` are by path."""

    found: TavernFolder
    followed: dict[str, Followed]
    faces: dict[str, QImage]

    def is_followed(self, path: str) -> bool:
        row = self.followed.get(os.path.normcase(path))
        return row is not None and row.is_followed


@dataclass(slots=True)
class Taken:
    """What applying a choice did."""

    files: int = 0
    added: int = 0
    warnings: int = 0
    troubles: list[KnownError] = field(default_factory=list)
    changes: Changes = field(default_factory=lambda: Changes(library=True))


def _face(path: str) -> QImage:
    """Read a picture small: empty where it is none."""
    reader = QImageReader(path)
    size = reader.size()
    if size.isValid():
        around = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        reader.setScaledSize(size.scaled(QSize(FACE, FACE), around))
    return reader.read()


def _read(ctx: JobContext, memory: Memory, folder: str) -> TavernView:
    found = memory.tavern(ctx, Path(folder))
    characters = [c for h in found.handles for c in h.characters if c.chats and c.avatar]
    faces = {}
    for character in characters[:MAX_FACES]:
        ctx.check()
        faces[character.avatar] = _face(character.avatar)
    return TavernView(found, {row.path: row for row in memory.followed()}, faces)


def _take(
    ctx: JobContext, memory: Memory, wanted: Collection[str], unwanted: Collection[str]
) -> Taken:
    taken = Taken()
    for path in unwanted:
        ctx.write(lambda path=path: memory.let_be(Path(path)))  # type: ignore[misc]  # bound now

    def on_report(report: SyncReport) -> None:
        taken.files += 1
        taken.added += report.added
        taken.warnings += len(report.warnings)

    def on_trouble(error: KnownError) -> None:
        taken.troubles.append(error)

    taken.changes = memory.sync_chats(ctx, [Path(p) for p in wanted], on_report, on_trouble)
    return taken


class TavernModel(QObject):
    loaded = Signal(object)  # TavernView
    refused = Signal(str)  # why a folder cannot be used
    applied = Signal()

    def __init__(
        self, workspace: Workspace, watcher: TavernWatcher, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._watcher = watcher
        self._rows: list[Followed] = []
        watcher.changed.connect(self._read_rows)
        workspace.chat_changed.connect(self._read_rows)
        self._read_rows()

    # --- the dialog ---

    @property
    def folder(self) -> str:
        return self._space.memory.settings().tavern_folder

    @property
    def follows_all(self) -> bool:
        return self._space.memory.settings().tavern_follow == "all"

    def look(self, folder: str = "") -> None:
        """List ``folder``, or the one chosen before; a new one is kept if it is one."""
        wanted, memory = folder or self.folder, self._space.memory
        if not wanted:
            return
        job = self._space.jobs.submit(
            "", lambda ctx: _read(ctx, memory, wanted), lane="interactive"
        )
        job.succeeded.connect(lambda view: self._on_read(view, wanted))
        job.failed.connect(self._on_refused)

    def apply(self, view: TavernView, ticked: Collection[str]) -> None:
        """Import and follow the chats that are ticked, let those be that are not any more."""
        wanted = [p for p in ticked if not view.is_followed(p)]
        paths = [c.path for c in view.found.chats()]
        unwanted = [p for p in paths if view.is_followed(p) and p not in ticked]
        memory = self._space.memory
        job = self._space.change(
            self.tr("Importing from SillyTavern"),
            lambda ctx: _take(ctx, memory, wanted, unwanted),
            lane="follow",
        )
        job.succeeded.connect(self._on_taken)

    def set_follows_all(self, *, on: bool) -> None:
        self._set("tavern.follow", "all" if on else "chosen")

    # --- the foot of the window ---

    @property
    def text(self) -> str:
        """Whether the chat shown is followed, and when its file changed last."""
        chat, branch = self._space.chat_id, self._space.branch_id
        rows = [r for r in self._rows if r.chat_id == chat and r.is_followed]
        if not rows or not self._watcher.is_watching:
            return ""
        here = [r for r in rows if r.branch_id == branch] or rows
        changed = max(r.changed_at for r in here)
        moment = QDateTime.fromMSecsSinceEpoch(changed)
        is_today = moment.date() == QDateTime.currentDateTime().date()
        short = QLocale.FormatType.ShortFormat
        when = QLocale().toString(moment.time() if is_today else moment, short)
        return self.tr("Following SillyTavern · {when}").format(when=when)

    changed = Signal()  # `text`

    # --- inside ---

    def _set(self, key: str, value: str) -> None:
        memory = self._space.memory
        self._space.change("", lambda _ctx: memory.set_setting(key, value))

    @Slot()
    def _read_rows(self) -> None:
        memory = self._space.memory
        self._space.look_up(lambda _ctx: memory.followed()).succeeded.connect(self._on_rows)

    @Slot(object)
    def _on_rows(self, rows: list[Followed]) -> None:
        self._rows = rows
        self.changed.emit()

    def _on_read(self, view: TavernView, folder: str) -> None:
        if folder != self.folder:
            self._set("tavern.folder", folder)
        self.loaded.emit(view)

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        if isinstance(error, KnownError):
            self.refused.emit(" ".join(describe(error)).strip())
        else:
            self._space.messages.show_error(error)

    @Slot(object)
    def _on_taken(self, taken: Taken) -> None:
        self._watcher.look()
        self._read_rows()
        self.applied.emit()
        for error in taken.troubles[:1]:
            self._space.messages.show_error(error)
        if taken.files:
            text = self.tr("%n chat(s) followed", "", taken.files)
            added = self.tr("%n message(s) added", "", taken.added)
            kind: Kind = "warning" if taken.warnings else "success"
            self._space.messages.show(Notice(kind, f"{text} · {added}"))
