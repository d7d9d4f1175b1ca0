"""Volumes of a library: made of a chat, read by others, updated, and handed on as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, LlmError
from engram_desktop.domain.labels import (
    ATTACH_VOLUME,
    DELETE_VOLUME,
    DETACH_VOLUME,
    IMPORT_VOLUME,
    MAKE_VOLUME,
    UPDATE_VOLUME,
    StepLabel,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.volume import (
    MAX_TITLE,
    VOLUME_KINDS,
    Volume,
    VolumeInfo,
    VolumeKind,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.formats.volume_file import (
    is_volume_file,
    read_volume,
    read_volume_file,
    volume_bytes,
)
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.services.volumes.collect import Collector, volume_key

if TYPE_CHECKING:
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.open_volumes import OpenVolumes

_T = QT_TRANSLATE_NOOP


class EmptyVolume(InputError):
    """``chat`` remembers nothing of what was chosen."""

    text = _T("errors", "“{chat}” remembers nothing that could go into a volume.")
    hint = _T("errors", "Summarise it first, or choose more kinds of memories.")


class NoSource(InputError):
    """The chat that the volume ``title`` was made of is not in the library."""

    text = _T("errors", "The chat that the volume “{title}” was made of is not in this library.")
    hint = _T("errors", "Update it where that chat is, and import it again.")


class OwnVolume(InputError):
    """``chat`` is the chat that the volume ``title`` was made of."""

    text = _T("errors", "“{title}” was made of “{chat}”, which remembers all of it itself.")
    hint = _T("errors", "Choose another chat.")


class BadTitle(InputError):
    """A title that is empty or too long."""

    text = _T("errors", "A title of 1 to {most} characters is expected.")


class VolumeService:
    """Volumes. What writes is one undoable step of the library."""

    def __init__(
        self,
        session: Session,
        knowledge: KnowledgeService,
        findings: FindingsService,
        volumes: OpenVolumes,
    ) -> None:
        self._session = session
        self._knowledge = knowledge
        self._findings = findings
        self._volumes = volumes

    def all(self) -> list[VolumeInfo]:
        """Return every volume by title; last those that are gone and that chats have on."""
        return self._session.library.volumes.all()

    def of_chat(self, chat_id: str) -> list[VolumeInfo]:
        """Return the volumes a chat reads, in the order in which it was given them."""
        by_id = {volume.id: volume for volume in self.all()}
        attached = self._session.library.volumes.attached_to(chat_id)
        return [by_id[volume.id] for volume in attached if volume.id in by_id]

    def find(self, key: str) -> VolumeInfo:
        """Return the volume of this id or title. Raises NotFound, Ambiguous."""
        return self._session.library.volumes.find(key)

    def read(self, key: str) -> Volume:
        """Return all that a volume holds. Raises NotFound, DamagedDatabase, InputError."""
        info = self.find(key)
        return read_volume(self._session.library.volumes.content(info.id), info.title)

    def faults(self, chat_id: str) -> list[str]:
        """Return the titles of volumes that a chat has on and that cannot be read."""
        return self._volumes.of(chat_id)[1]

    def preview(self, ctx: JobContext, line: Line) -> Mapping[VolumeKind, int]:
        """Count what could go into a volume of a line. Raises NotFound, Cancelled."""
        return self._collected(ctx, line, Volume("", "", "", 0)).counts()

    def make(
        self, ctx: JobContext, line: Line, title: str, kinds: Sequence[VolumeKind] = VOLUME_KINDS
    ) -> tuple[VolumeInfo, Changes]:
        """Make a volume of a line. Raises NotFound, EmptyVolume, BadTitle, Cancelled."""
        library = self._session.library
        title = title.strip()
        if not title or len(title) > MAX_TITLE:
            raise BadTitle(most=MAX_TITLE)
        now = library.clock()
        volume_id = volume_key(line.chat_id, now, title)
        head = Volume(volume_id, title, library.chat_name(line.chat_id)[:MAX_TITLE], now)
        changes = self._store(ctx, line, head, kinds, MAKE_VOLUME)
        return self.find(volume_id), changes

    def update(self, ctx: JobContext, key: str) -> tuple[VolumeInfo, Changes]:
        """Make a volume again from its chat; its id, title and readers stay.

        Raises NotFound, NoSource, EmptyVolume, Cancelled.
        """
        library, info = self._session.library, self.find(key)
        chats = {chat_id for chat_id, *_rest in library.chat_rows()}
        if info.is_missing or info.chat_id not in chats:
            raise NoSource(title=info.title)
        line = Line(info.chat_id, info.branch_id)
        source = library.chat_name(info.chat_id)[:MAX_TITLE]
        head = Volume(info.id, info.title, source, library.clock())
        changes = self._store(ctx, line, head, info.kinds or VOLUME_KINDS, UPDATE_VOLUME)
        return self.find(info.id), changes

    def attach(self, ctx: JobContext, key: str, chat_id: str) -> Changes:
        """Let a chat read a volume from now on. Raises NotFound, OwnVolume."""
        library, info = self._session.library, self.find(key)
        name = library.chat_name(chat_id)
        if info.chat_id == chat_id:
            raise OwnVolume(title=info.title, chat=name)
        if info.is_missing:
            library.volumes.content(info.id)  # says that it is not there
        label = StepLabel(ATTACH_VOLUME, {"name": info.title, "chat": name})
        if chat_id not in info.users:
            self._write(ctx, label, lambda: library.volumes.attach(info.id, chat_id, info.title))
        self._make_ready(ctx, chat_id)
        return Changes(chat_id=chat_id, volumes=True, recall=True, undo_label=label)

    def detach(self, ctx: JobContext, key: str, chat_id: str) -> Changes:
        """Let a chat no longer read a volume. Raises NotFound."""
        library, info = self._session.library, self.find(key)
        params = {"name": info.title, "chat": library.chat_name(chat_id)}
        label = StepLabel(DETACH_VOLUME, params)
        if chat_id in info.users:
            self._write(ctx, label, lambda: library.volumes.detach(info.id, chat_id))
        return Changes(chat_id=chat_id, volumes=True, recall=True, undo_label=label)

    def delete(self, ctx: JobContext, key: str) -> Changes:
        """Delete a volume. Chats that read it go on without, and say that it is missing."""
        library, info = self._session.library, self.find(key)
        library.volumes.content(info.id)
        label = StepLabel(DELETE_VOLUME, {"name": info.title})
        self._write(ctx, label, lambda: library.volumes.delete(info.id))
        ctx.write(self._volumes.sweep)
        return Changes(volumes=True, recall=True, undo_label=label)

    def export(self, ctx: JobContext, key: str, target: Path) -> VolumeInfo:
        """Write a volume to a new file. Raises NotFound, FileExists, StorageError."""
        ctx.check()
        info = self.find(key)
        write_new(target, self._session.library.volumes.content(info.id))
        return info

    def is_volume(self, path: Path) -> bool:
        """Whether a file looks like a volume."""
        return is_volume_file(path)

    def import_file(self, ctx: JobContext, path: Path) -> tuple[VolumeInfo, Changes]:
        """Take a volume in. One that is here already is not taken in twice.

        Another volume of the same id, such as an older state of it, stays beside the new one.
        Raises BadVolume, NewerVolume, Unreadable.
        """
        library = self._session.library
        volume = read_volume_file(path)
        for info in self.all():
            if info.id == volume.id and not info.is_missing:
                if library.volumes.content(info.id) == volume_bytes(volume):
                    return info, Changes()
                volume = replace(volume, id=volume_key(volume.id, library.clock(), volume.title))
        label = StepLabel(IMPORT_VOLUME, {"name": volume.title})
        content = volume_bytes(volume)
        self._write(ctx, label, lambda: library.volumes.put(volume, content))
        return self.find(volume.id), Changes(volumes=True, undo_label=label)

    def _store(
        self,
        ctx: JobContext,
        line: Line,
        head: Volume,
        kinds: Sequence[VolumeKind],
        template: str,
    ) -> Changes:
        volume = self._collected(ctx, line, head).only(kinds)
        if not (volume.events or volume.entities or volume.facts):
            raise EmptyVolume(chat=head.source)
        content = volume_bytes(volume)
        read_volume(content, volume.title)  # what is made can be taken in again
        library = self._session.library
        label = StepLabel(template, {"name": volume.title})
        chosen = [kind for kind in VOLUME_KINDS if kind in kinds]

        def unit() -> None:
            library.volumes.put(
                volume, content, chat_id=line.chat_id, branch_id=line.branch_id, kinds=chosen
            )

        self._write(ctx, label, unit)
        ctx.write(self._volumes.sweep)
        for chat_id in self.find(volume.id).users:
            self._make_ready(ctx, chat_id)
        return Changes(volumes=True, recall=True, undo_label=label)

    def _collected(self, ctx: JobContext, line: Line, head: Volume) -> Volume:
        store = self._session.chat(line.chat_id)
        return Collector(store, line, self._knowledge, self._findings).collect(ctx, head)

    def _write(self, ctx: JobContext, label: StepLabel, do: Callable[[], object]) -> None:
        def unit() -> None:
            with self._session.library.step(label):
                do()

        ctx.write(unit)

    def _make_ready(self, ctx: JobContext, chat_id: str) -> None:
        """Make the databases of a chat's volumes; without vectors they are searched by words."""
        try:
            self._volumes.embed(ctx, chat_id)
        except LlmError:
            return
