"""Keep a folder of Markdown files, one a memory of a line, in step with the line, both ways.

A file is written only while its hash is the one last synced. A memory that changed on both sides is
left as it is on both until the user decides. Private notes are in no file.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop import moving
from engram_desktop.domain.changes import ADD, EDIT_ENTITY, Changes, StepLabel
from engram_desktop.domain.errors import (
    FileExists,
    InputError,
    KeptForAnother,
    NotFound,
    StorageError,
    Unreadable,
)
from engram_desktop.domain.graph.profile import yaml_to_profile
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.memory_file import (
    BadMemoryFile,
    MemoryFile,
    completed,
    free_name,
    of_entity,
    of_event,
    parsed,
    rendered,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import (
    MAX_FILE,
    MAX_FILES,
    FolderFault,
    FolderLine,
    FolderReport,
    KeptFolder,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.plain_file import BAD_NAME, is_utf8, read_plain
from engram_desktop.moving import file_name
from engram_desktop.services.library.whole_file import hash_of, replace_file, write_new
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.followed import plain_path
from engram_desktop.storage.library.worldbooks import digest

if TYPE_CHECKING:
    from engram_desktop.domain.reports import Side
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.events.event_service import EventService
    from engram_desktop.services.graph.graph_service import GraphService
    from engram_desktop.services.library.session import Session

_T = QT_TRANSLATE_NOOP
_ROOMS = ("events", "entities")  # subfolders; files beside them are read too
_TITLE = 24  # characters of a summary used in the name of its file
_PAGE = 500  # events read in one query
_ASKED = 400  # characters of each side of a conflict that are shown
_FEW_GONE = 5  # vanished files always taken as deleted; of more, at most half
_BOTH = _T("reports", "it was changed in the file and here: choose which is to stand")
_GONE_HERE = _T("reports", "it was changed in the file and deleted here: choose which is to stand")
_GONE_THERE = _T("reports", "its file was deleted and it was changed here: choose which stands")
_LINK = _T("reports", "it is a link, which is not followed")
_LARGE = _T("reports", "it is larger than {limit} kB")
_UNREADABLE = _T("reports", "it cannot be read: {reason}")
_CLASH = _T("reports", "another file has the same name but for the case of its letters")
_TWICE = _T("reports", "another file is of the same memory ({file})")
_FIXED = _T("reports", "floors, people and what it is cannot be changed in the file: put them back")
_NO_ENTITY = _T("reports", "a file makes an event or a fact; entities come from the story")
_MANY = _T("reports", "more than {most} files: the others are not looked at")
_TOO_MANY = _T("reports", "This chat has {count} memories: a folder takes at most {most} files.")
_VANISHED = _T(
    "reports",
    "{count} of {all} files are gone at once: nothing was deleted here. Say that it was meant,"
    " or bring them back",
)


@dataclass(slots=True)
class _Look:
    """One sync of a folder: what was found, and what was done."""

    row: KeptFolder
    line: Line
    ours: dict[str, MemoryFile]  # by id
    names: dict[str, str]  # titles of new files, by id
    files: dict[str, Path]  # by name inside the folder
    marks: dict[str, tuple[str, str, str]]
    lines: list[FolderLine]
    changes: Changes
    seen: set[str] = field(default_factory=set)  # memories that have a file, in step or not
    hashes: dict[str, str] = field(default_factory=dict)  # of the files, as they were read
    is_partial: bool = False  # whether some files were not looked at
    written: int = 0
    edited: int = 0
    added: int = 0
    removed: int = 0

    def say(self, file: str, text: str | Phrase, *, is_conflict: bool = False) -> None:
        reason = text if isinstance(text, Phrase) else Phrase(text)
        self.lines.append(FolderLine(file, reason, is_conflict))

    def ask(
        self, file: str, text: str, *, here: MemoryFile | None, there: MemoryFile | None
    ) -> None:
        """Report that a file and its memory wait for the user's choice."""
        texts = ["" if one is None else one.text[:_ASKED] for one in (here, there)]
        self.lines.append(FolderLine(file, Phrase(text), True, *texts))


class FolderService:
    """Markdown folders of a library. Both the files and the memories may change at any time."""

    def __init__(self, session: Session, events: EventService, graph: GraphService) -> None:
        self._session = session
        self._events = events
        self._graph = graph

    def all(self, chat_id: str | None = None) -> list[KeptFolder]:
        """Return every folder that is kept in step, or those of one chat."""
        return self._session.library.kept_folders.rows(chat_id)

    def keep(self, ctx: JobContext, line: Line, folder: Path) -> FolderReport:
        """Write a chat's memories into a folder and keep it in step from now on.

        The folder is made if it does not exist; one that is kept for this line already is synced.
        Raises FileExists where the folder belongs to another line or is not empty, NotFound where
        its parent does not exist, StorageError.
        """
        path = plain_path(folder)
        for row in self.all():
            if os.path.normcase(row.path) == os.path.normcase(path):
                if (row.chat_id, row.branch_id) != (line.chat_id, line.branch_id):
                    raise KeptForAnother(path=path)
                return self._sync(ctx, row)
        if not path.parent.is_dir():
            raise NotFound("folder", path.parent)
        if not is_utf8(path):
            raise Unreadable(Phrase(BAD_NAME), path=path)
        with file_errors(path):
            if path.is_symlink() or (path.exists() and not path.is_dir()):
                raise FileExists(path=path)
            if path.is_dir() and any(path.iterdir()):
                raise FileExists(path=path)
            path.mkdir(exist_ok=True)
        row = KeptFolder(str(path), line.chat_id, line.branch_id)
        ctx.write(lambda: self._session.library.kept_folders.put(row))
        return self._sync(ctx, row)

    def sync(
        self, ctx: JobContext, folder: Path | None = None, *, with_deletions: bool = False
    ) -> list[FolderReport]:
        """Sync every kept folder, or only ``folder``. Raises NotFound.

        ``with_deletions``: delete the memories of vanished files even if they are many.
        """
        rows = self.all() if folder is None else [self._session.library.kept_folders.find(folder)]
        return [self._sync(ctx, row, with_deletions=with_deletions) for row in rows]

    def stop(self, folder: Path) -> KeptFolder:
        """Stop keeping a folder in step; its files stay. Raises NotFound."""
        row = self._session.library.kept_folders.find(folder)
        self._session.library.kept_folders.remove(row.path)
        return row

    def choose(self, ctx: JobContext, folder: Path, file: str, side: Side) -> FolderReport:
        """Resolve a conflict by taking one side. Raises NotFound if the file has no conflict."""
        find = self._session.library.kept_folders.find
        report = self._sync(ctx, find(folder))
        if file not in {line.file for line in report.conflicts}:
            raise NotFound("conflict", file)
        chosen = self._sync(ctx, find(folder), chosen=(file, side))
        return replace(chosen, changes=report.changes | chosen.changes)

    def stamp(self, folder: KeptFolder) -> tuple[tuple[str, int, int], ...]:
        """Return names, sizes and times of the files: another value means a sync is worthwhile."""
        try:
            return tuple(
                (name, status.st_size, status.st_mtime_ns)
                for name, status in sorted(_entries(Path(folder.path)))
            )
        except OSError:
            return ()

    def _sync(
        self,
        ctx: JobContext,
        row: KeptFolder,
        *,
        with_deletions: bool = False,
        chosen: tuple[str, Side] | None = None,
    ) -> FolderReport:
        root = Path(row.path)
        if not root.is_dir():
            return self._left(ctx, row, "missing")
        try:
            look = self._look(ctx, row, root)
        except NotFound:
            return self._left(ctx, row, "lost")
        try:
            with file_errors(root):
                theirs = self._read(ctx, look)
                self._take_files(ctx, look, theirs, chosen)
                self._take_missing(ctx, look, with_deletions, chosen)
                self._write_new(ctx, look)
        except StorageError:
            return replace(self._finish(ctx, look, "busy"), changes=look.changes)
        return self._finish(ctx, look, "")

    def _left(self, ctx: JobContext, row: KeptFolder, fault: FolderFault) -> FolderReport:
        new = replace(row, fault=fault)
        if new != row:
            ctx.write(lambda: self._session.library.kept_folders.put(new))
        return FolderReport(new)

    def _finish(self, ctx: JobContext, look: _Look, fault: FolderFault) -> FolderReport:
        row = replace(look.row, marks=look.marks, fault=fault)
        if row != look.row:
            row = replace(row, synced_at=self._session.library.clock())
            ctx.write(lambda: self._session.library.kept_folders.put(row))
        return FolderReport(
            row,
            look.written,
            look.edited,
            look.added,
            look.removed,
            tuple(sorted(look.lines, key=lambda one: (not one.is_conflict, one.file))),
            look.changes,
        )

    def _look(self, ctx: JobContext, row: KeptFolder, root: Path) -> _Look:
        line = Line(row.chat_id, row.branch_id)
        ours, names = self._memories(ctx, line)
        look = _Look(row, line, ours, names, {}, dict(row.marks), [], Changes(row.chat_id))
        folded: dict[str, str] = {}
        for name, status in sorted(_entries(root)):
            if stat.S_ISLNK(status.st_mode):
                look.say(name, _LINK)
            elif folded.setdefault(name.casefold(), name) != name:
                look.say(name, _CLASH)
            elif len(look.files) >= MAX_FILES:
                look.say(name, Phrase(_MANY, most=MAX_FILES))
                look.is_partial = True
                break
            else:
                look.files[name] = root / name
        return look

    def _memories(
        self, ctx: JobContext, line: Line
    ) -> tuple[dict[str, MemoryFile], dict[str, str]]:
        """Return every memory of a line by id, and the titles that new files are named after."""
        store = self._session.chat(line.chat_id)
        if line.branch_id not in {row[0] for row in store.branches.rows()}:
            raise NotFound("branch", line.branch_id)
        ours: dict[str, MemoryFile] = {}
        names: dict[str, str] = {}
        pks = store.events.find(EventQuery(branch_id=line.branch_id))
        for start in range(0, len(pks), _PAGE):
            ctx.check()
            for event in store.events.fetch(pks[start : start + _PAGE]).values():
                ours[event.id] = memory = of_event(event)
                first, last = memory.floors or (0, 0)
                title = " ".join(memory.text.split())[:_TITLE]
                names[event.id] = f"events/{file_name(f'{first:05}-{last:05} {title}', '')}"
        for entity in store.entities.find("", MAX_FILES, line.branch_id):
            ours[entity.id] = of_entity(entity)
            names[entity.id] = f"entities/{file_name(entity.name, '')}"
        if len(ours) > MAX_FILES:
            raise InputError(Phrase(_TOO_MANY, count=len(ours), most=MAX_FILES))
        return ours, names

    def _read(self, ctx: JobContext, look: _Look) -> dict[str, tuple[MemoryFile | None, str]]:
        """Return parsed memory and hash of each file; the memory is None for an unchanged file."""
        known = {name: digest_ for name, digest_, _rendered in look.marks.values()}
        found: dict[str, tuple[MemoryFile | None, str]] = {}
        for name, path in look.files.items():
            ctx.check()
            try:
                content = read_plain(path, MAX_FILE)
            except FileNotFoundError:
                look.say(name, Phrase(_UNREADABLE, reason=os.strerror(errno.ENOENT)))
                continue
            except OSError as error:
                if path.lstat().st_size > MAX_FILE:
                    look.say(name, Phrase(_LARGE, limit=MAX_FILE // 1_000))
                else:
                    look.say(name, Phrase(_UNREADABLE, reason=error.strerror or str(error)))
                continue
            hash_ = digest(content)
            look.hashes[name] = hash_
            if known.get(name) == hash_:
                found[name] = (None, hash_)
                continue
            try:
                found[name] = (parsed(content), hash_)
            except BadMemoryFile as error:
                look.say(name, error.reason)
        return found

    def _take_files(
        self,
        ctx: JobContext,
        look: _Look,
        theirs: dict[str, tuple[MemoryFile | None, str]],
        chosen: tuple[str, Side] | None,
    ) -> None:
        """Go through the files: take over changed ones, rewrite outdated ones."""
        ids = {name: memory_id for memory_id, (name, _file, _made) in look.marks.items()}
        for name, (memory, hash_) in theirs.items():
            memory_id = ids.get(name, "")
            if not memory_id and memory is not None:
                known = self._known_as(look, name, memory)
                if known is None:
                    continue
                memory_id = known
            side = chosen[1] if chosen is not None and chosen[0] == name else None
            try:
                self._settle(ctx, look, name, memory_id, memory, hash_, side)
            except InputError as error:
                look.say(name, error.phrase)

    def _known_as(self, look: _Look, name: str, memory: MemoryFile) -> str | None:
        """Return the id of the memory an unknown file is of: "" for a new one, None to skip it."""
        mark = look.marks.get(memory.id)
        if mark is None:
            return memory.id if memory.id in look.ours else ""
        if mark[0] in look.files:
            look.say(name, Phrase(_TWICE, file=mark[0]))
            return None
        look.marks[memory.id] = (name, mark[1], mark[2])  # the file was renamed
        return memory.id

    def _settle(
        self,
        ctx: JobContext,
        look: _Look,
        name: str,
        memory_id: str,
        memory: MemoryFile | None,
        hash_: str,
        side: Side | None,
    ) -> None:
        """Sync one file with its memory. ``memory`` is None if the file is unchanged."""
        here = look.ours.get(memory_id)
        if here is None:
            self._settle_gone(ctx, look, name, memory_id, memory, side)
            return
        look.seen.add(memory_id)
        mark = look.marks.get(memory_id)
        made = rendered(here)
        is_same_here = mark is not None and mark[2] == digest(made)
        if memory is not None:
            memory = completed(memory, here)
        if memory is None and not is_same_here:
            self._write(ctx, look, name, memory_id, made)
        elif memory is None or memory == here:
            look.marks[memory_id] = (name, hash_, digest(made))
        elif side == "here":
            self._write(ctx, look, name, memory_id, made)
        elif is_same_here or side == "there":
            self._edit(ctx, look, memory_id, here, memory)
            look.marks[memory_id] = (name, hash_, digest(rendered(look.ours[memory_id])))
        else:
            look.ask(name, _BOTH, here=here, there=memory)

    def _settle_gone(
        self,
        ctx: JobContext,
        look: _Look,
        name: str,
        memory_id: str,
        memory: MemoryFile | None,
        side: Side | None,
    ) -> None:
        """Sync a file whose memory does not exist: the file is new, or the memory was deleted."""
        if not memory_id:
            if memory is not None:
                self._add(ctx, look, name, memory)
        elif memory is None or side == "here":
            moving.delete(look.files.pop(name))
            del look.marks[memory_id]
            look.written += 1
        elif side == "there":
            del look.marks[memory_id]
            self._add(ctx, look, name, memory)
        else:
            look.ask(name, _GONE_HERE, here=None, there=memory)

    def _edit(
        self, ctx: JobContext, look: _Look, memory_id: str, here: MemoryFile, there: MemoryFile
    ) -> None:
        """Apply what a file says to a memory, as one step. Raises InputError."""
        if there.fixed != here.fixed:
            raise BadMemoryFile(Phrase(_FIXED))
        chat_id = look.line.chat_id
        store = self._session.chat(chat_id)
        if here.is_entity:
            profile = yaml_to_profile(there.text) if there.text != here.text else None

            def change() -> Changes:
                with store.step(StepLabel(EDIT_ENTITY, {"name": here.name})):
                    done = Changes(chat_id)
                    if there.name != here.name or there.kind != here.kind or profile is not None:
                        done |= self._graph.update_entity(
                            chat_id,
                            memory_id,
                            name=there.name or None,
                            kind=there.entity_type,
                            profile=profile,
                        )
                    if there.tags != here.tags:
                        done |= self._graph.set_aliases(chat_id, memory_id, there.tags)
                return done

        else:
            (event,) = store.events.by_ids([memory_id])
            patch = EventPatch(
                summary=_if_new(there.text, here.text),
                keywords=there.tags if there.tags != here.tags else None,
                details=_if_new(there.details, here.details),
                is_archived=there.lamp == "green" if there.lamp != here.lamp else None,
                kind="fact" if there.kind == "fact" else ("event" if here.kind == "fact" else None),
            )

            def change() -> Changes:
                return self._events.update(chat_id, event.pk, patch)

        look.changes |= ctx.write(change)
        look.edited += 1
        look.ours[memory_id] = self._fresh(look, memory_id)

    def _add(self, ctx: JobContext, look: _Look, name: str, memory: MemoryFile) -> None:
        """Make an event or a fact from a new file, as one step. Raises InputError."""
        if memory.is_entity or memory.kind == "outline":
            raise BadMemoryFile(Phrase(_NO_ENTITY))
        store = self._session.chat(look.line.chat_id)
        last = max(0, store.messages.count(look.line.branch_id) - 1)
        data = PlotExtraction(
            memory.text,
            memory.tags,
            details=memory.details,
            entities=tuple(ExtractedEntity(person, "char") for person in memory.people),
            kind="fact" if memory.kind == "fact" else "event",
        )
        span = SourceRange(*(memory.floors or (last, last)))

        def add() -> tuple[int, Changes]:
            with store.step(StepLabel(ADD, {"summary": memory.text[:_TITLE]})):
                pk, changes = self._events.add(look.line, data, span)
                if memory.lamp == "green":
                    patch = EventPatch(is_archived=True)
                    changes |= self._events.update(look.line.chat_id, pk, patch)
            return pk, changes

        pk, changes = ctx.write(add)
        look.changes |= changes
        event = store.events.fetch([pk])[pk]
        look.ours[event.id] = of_event(event)
        look.added += 1
        self._write(ctx, look, name, event.id, rendered(look.ours[event.id]))

    def _fresh(self, look: _Look, memory_id: str) -> MemoryFile:
        store = self._session.chat(look.line.chat_id)
        events = store.events.by_ids([memory_id])
        if events:
            return of_event(events[0])
        return of_entity(store.entities.fetch([memory_id], look.line.branch_id)[0])

    def _take_missing(
        self,
        ctx: JobContext,
        look: _Look,
        with_deletions: bool,  # noqa: FBT001 - handed on
        chosen: tuple[str, Side] | None,
    ) -> None:
        """Delete the memories whose files were deleted."""
        if look.is_partial:
            return
        listed = {line.file for line in look.lines}
        gone = [
            (memory_id, name, made)
            for memory_id, (name, _hash, made) in look.marks.items()
            if name not in look.files and not listed & {name, name.partition("/")[0]}
        ]
        in_step = [one for one in gone if one[0] in look.ours]
        if len(in_step) > max(_FEW_GONE, len(look.marks) // 2) and not with_deletions:
            count, everything = len(in_step), len(look.marks)
            look.say("", Phrase(_VANISHED, count=count, all=everything), is_conflict=True)
            return
        for memory_id, name, made in gone:
            here = look.ours.get(memory_id)
            side = chosen[1] if chosen is not None and chosen[0] == name else None
            if here is None:
                del look.marks[memory_id]
            elif side == "here":
                del look.marks[memory_id]  # without a mark, its file is written again
            elif digest(rendered(here)) == made or side == "there":
                self._remove(ctx, look, memory_id, here)
                del look.marks[memory_id]
            else:
                look.ask(name, _GONE_THERE, here=here, there=None)

    def _remove(self, ctx: JobContext, look: _Look, memory_id: str, here: MemoryFile) -> None:
        """Delete an event or hide an entity, as one step, as the user would."""
        chat_id = look.line.chat_id
        if here.is_entity:
            done = ctx.write(lambda: self._graph.update_entity(chat_id, memory_id, hidden=True))
        else:
            (event,) = self._session.chat(chat_id).events.by_ids([memory_id])
            done = self._events.delete(ctx, chat_id, [event.pk])
        look.changes |= done
        look.removed += 1
        del look.ours[memory_id]

    def _write_new(self, ctx: JobContext, look: _Look) -> None:
        """Write files for the memories that have none yet."""
        if look.is_partial:
            return
        taken = {name.casefold() for name in look.files}
        taken |= {name.casefold() for name, _hash, _made in look.marks.values()}
        for number, (memory_id, memory) in enumerate(look.ours.items()):
            if memory_id in look.marks or memory_id in look.seen or memory_id not in look.names:
                continue
            ctx.report(number, len(look.ours))
            name = f"{free_name(look.names[memory_id], memory_id, taken)}.md"
            taken.add(name.casefold())
            self._write(ctx, look, name, memory_id, rendered(memory))

    def _write(
        self, ctx: JobContext, look: _Look, name: str, memory_id: str, content: bytes
    ) -> None:
        """Write one file atomically, inside the folder."""
        ctx.check()
        path = Path(look.row.path) / name
        path.parent.mkdir(exist_ok=True)
        if path.parent.is_symlink():
            look.say(name, _LINK)
            return
        if name in look.files:
            if hash_of(path) != look.hashes.get(name):
                look.say(name, _BOTH, is_conflict=True)  # it changed after it was read
                return
            replace_file(path, content)
        else:
            write_new(path, content)
            look.files[name] = path
        hash_ = digest(content)
        look.marks[memory_id] = (name, hash_, hash_)
        look.written += 1


def _if_new(there: str, here: str) -> str | None:
    return there if there != here else None


def _entries(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield a folder's Markdown files and those of its subfolders, never links. Raises OSError."""
    for room in ("", *_ROOMS):
        place = root / room if room else root
        if room and (place.is_symlink() or not place.is_dir()):
            if place.is_symlink():
                yield room, place.lstat()
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.name.lower().endswith(".md"):
                    continue
                if not is_utf8(Path(entry.name)) or entry.is_dir(follow_symlinks=False):
                    continue
                name = f"{room}/{entry.name}" if room else entry.name
                yield name, entry.stat(follow_symlinks=False)
