"""Follow the recorded states of a folder with a library, and hold what it knows against them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line as MemoryLine
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.oracle.acts_expected import File, Identity, Line, Tracked
from tests.oracle.report import Report

if TYPE_CHECKING:
    from tests.oracle.acts import State

CTX = NullContext()
USER = Path("data") / "default-user"
GROUPED = 3  # floors an event of several tells
EXTRACTIVE_EVERY = 40  # states: making them takes most of the time


class Folder:
    """A SillyTavern folder that is put into one state after another."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user = root / USER
        self._files: dict[str, str] = {}
        self._writes = 0
        for name in ("chats", "characters", "group chats", "groups", "worlds"):
            (self.user / name).mkdir(parents=True)

    def put(self, files: dict[str, str]) -> None:
        """Write what changed, each file at a moment of its own; remove what is gone."""
        for path in self._files.keys() - files.keys():
            (self.user / path).unlink()
        for path, text in files.items():
            if self._files.get(path) != text:
                self._writes += 1
                target = self.user / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode())
                moment = 1_700_000_000_000_000_000 + self._writes * 10_000_000_000
                os.utime(target, ns=(moment, moment))
        self._files = dict(files)


class Watched:
    """A library that follows a folder, and what it is expected to know."""

    def __init__(self, root: Path, report: Report, label: str) -> None:
        self.folder = Folder(root / "tavern")
        self.memory = Memory.open(root / "library")
        self.report = report
        self.label = label
        self.events: list[Tracked] = []
        self.lines: dict[str, Line] = {}
        self.forks: dict[Line, int] = {}
        self.before: dict[Line, File] = {}
        self._following = self.memory.tavern.following(self.folder.root)

    def look(self) -> None:
        """Look as a watcher does, again where something waits."""
        self._following.look_through(CTX)
        for _again in range(2):
            if self._following.is_waiting:
                self._following.look_through(CTX)

    def rows(self) -> dict[str, Line]:
        """The line of each file that is followed, by its path in the user's folder."""
        user = self.folder.user.absolute()
        return {
            PurePath(row.path).relative_to(user).as_posix(): (row.chat_id, row.branch_id)
            for row in self.memory.tavern.followed()
            if row.is_followed and Path(row.path).exists()
        }

    def told(self, line: Line) -> list[tuple[str, str, bool, str]]:
        messages = self.memory.messages.slice(MemoryLine(*line), 0, 1_000_000)
        return [(m.name, m.text, m.is_hidden, m.role) for m in messages]

    def branches(self, chat_id: str) -> dict[str, tuple[str | None, int | None]]:
        return {b.id: (b.parent_id, b.fork_seq) for b in self.memory.branches.all(chat_id)}

    def first_own(self, line: Line) -> int:
        fork = self.branches(line[0])[line[1]][1]
        return 0 if fork is None else fork + 1


def replay(root: Path, states: list[State], report: Report, *, is_hasty: bool) -> None:
    """Follow ``states``; where ``is_hasty``, also what was seen while an act was writing."""
    watched = Watched(root, report, "every notice" if is_hasty else "after each act")
    try:
        for number, state in enumerate(states):
            if not (state.is_whole or is_hasty):
                continue
            watched.folder.put(state.files)
            watched.look()
            if state.is_whole:
                check(watched, state)
                remember(watched, state, number)
    finally:
        watched.memory.close()


def taken_afresh(root: Path, state: State, report: Report) -> None:
    """Take a folder in at once, and see that stories are main lines and branches are not."""
    watched = Watched(root, report, "taken in afresh")
    try:
        watched.folder.put(state.files)
        watched.look()
        rows = watched.rows()
        faults = list(_floors(watched, state, rows))
        chats = {path: File.of(text) for path, text in state.files.items() if _is_chat(path)}
        for path, file in chats.items():
            if path in rows and file.main_chat and rows[path][1] == "main":
                faults.append(f"{path} is a branch, and became a main line")
            is_whole = path in rows and rows[path][1] != "main" and not file.main_chat
            if is_whole and not _is_told_by_another(chats, path):
                faults.append(f"{path} is a story, and became a branch")
        _count(report, watched.label, state.act, faults)
    finally:
        watched.memory.close()


def check(watched: Watched, state: State) -> None:
    """Hold the library against the folder after one act."""
    rows = watched.rows()
    faults = [
        *_floors(watched, state, rows),
        *_identities(watched, state, rows),
        *_names(watched, rows),
        *_forks(watched, state, rows),
        *_events(watched, state, rows),
    ]
    watched.lines = rows
    _count(watched.report, watched.label, state.act, faults)


def _count(report: Report, label: str, act: str, faults: list[str]) -> None:
    if faults:
        report.differ.append(f"{label}, {act}: {'; '.join(faults[:4])}")
    else:
        report.agree += 1


def _floors(watched: Watched, state: State, rows: dict[str, Line]) -> Iterator[str]:
    lines = [watched.told(line) for line in set(rows.values())]
    for path, text in state.files.items():
        if not _is_chat(path):
            continue
        said = File.of(text).said
        if path not in rows:
            if not any(line[: len(said)] == said for line in lines):
                yield f"{path} is followed by nobody"
            continue
        told = watched.told(rows[path])
        wrong = [n for n in range(max(len(told), len(said))) if told[n : n + 1] != said[n : n + 1]]
        if wrong:
            at = slice(wrong[0], wrong[0] + 1)
            yield f"{path} is not what is known at {wrong[:3]}: {told[at]} for {said[at]}"


def _identities(watched: Watched, state: State, rows: dict[str, Line]) -> Iterator[str]:
    came_from = {path: path for path in watched.lines}
    if state.what in ("renamed", "converted"):
        came_from[state.came_from] = state.open_file
    if state.what == "character":
        names = {PurePath(path).name: path for path in state.files}
        came_from = {path: names[PurePath(path).name] for path in watched.lines}
    for path, line in watched.lines.items():
        now = came_from[path]
        if now in state.files and rows.get(now) != line:
            yield f"{now} was {line} and is {rows.get(now)}"
    for path in rows.keys() - came_from.values():
        file = File.of(state.files[path])
        if file.main_chat and rows[path][1] == "main":
            yield f"{path} is a branch, and became a main line"
        if state.what == "new" and rows[path][1] != "main":
            yield f"{path} is a new story, and became a branch"


def _names(watched: Watched, rows: dict[str, Line]) -> Iterator[str]:
    for path, (chat_id, branch_id) in rows.items():
        name = watched.memory.chats.name(chat_id)
        if branch_id != "main":
            name = next(b.name for b in watched.memory.branches.all(chat_id) if b.id == branch_id)
        if not name.endswith(PurePath(path).stem):
            yield f"{path} is called {name}"


def _forks(watched: Watched, state: State, rows: dict[str, Line]) -> Iterator[str]:
    """A branch shares what it shared, as far as both files still say it alike."""
    by_line = {line: path for path, line in rows.items()}
    for line, path in by_line.items():
        parent, _fork = watched.branches(line[0])[line[1]]
        if parent is None or (line[0], parent) not in by_line:
            continue
        file = File.of(state.files[path])
        other = File.of(state.files[by_line[line[0], parent]])
        shared = watched.first_own(line)
        expected = min(watched.forks.get(line, file.alike(other)), file.alike(other))
        if shared != expected:
            yield f"{path} shares {shared} messages, not {expected}"
        watched.forks[line] = shared


def _events(watched: Watched, state: State, rows: dict[str, Line]) -> Iterator[str]:
    files = {line: File.of(state.files[path]) for path, line in rows.items()}
    by_chat: dict[str, list[int]] = {}
    for tracked in watched.events:
        by_chat.setdefault(tracked.line[0], []).append(tracked.pk)
    found: dict[tuple[str, int], EventNode] = {
        (chat_id, pk): event
        for chat_id, pks in by_chat.items()
        for pk, event in watched.memory.events.fetch(chat_id, pks).items()
    }
    left = []
    for tracked in watched.events:
        if tracked.line not in files:  # its file is gone, and takes nothing with it
            left.append(tracked)
            continue
        before, now = watched.before[tracked.line], files[tracked.line]
        place = tracked.expected(before.identities, now.identities)
        event = found.get((tracked.line[0], tracked.pk))
        is_fresh = event is not None and not event.is_stale and not event.is_deleted
        if place is None:
            if is_fresh:
                yield f"an event of {tracked.told[0][1][:20]!r} is fresh though it changed"
        elif not is_fresh or event is None:
            if place.is_certain:
                yield f"an event of {tracked} is lost or stale, not at {place}"
        elif (event.source_range.start_index, event.source_range.end_index) != (
            place.first,
            place.last,
        ):
            yield f"an event is at {event.source_range}, not at {place}"
        else:
            left.append(tracked)
    watched.events = left
    watched.before = watched.before | files


def remember(watched: Watched, state: State, number: int) -> None:
    """Make events of what none tells of: one of each floor, one of every three, extractive ones."""
    for path, line in watched.lines.items():
        identities = File.of(state.files[path]).identities
        known = {tracked.told[0] for tracked in watched.events if tracked.line[0] == line[0]}
        first = watched.first_own(line)
        new = [n for n in range(first, len(identities)) if identities[n] not in known]
        for floor in new:
            _add(watched, state, line, (floor, floor), identities)
            last = floor + GROUPED - 1
            if floor % GROUPED == 0 and last < len(identities):
                _add(watched, state, line, (floor, last), identities)
        if number % EXTRACTIVE_EVERY == 0:
            if first < len(identities):
                floors = (first, len(identities) - 1)
                watched.memory.pipeline.summarise(CTX, MemoryLine(*line), floors, "extractive")
            pks = {tracked.pk for tracked in watched.events if tracked.line[0] == line[0]}
            query = EventQuery(branch_id=line[1])
            made = [pk for pk in watched.memory.events.find(line[0], query) if pk not in pks]
            for pk, event in watched.memory.events.fetch(line[0], made).items():
                span = event.source_range
                told = identities[span.start_index : span.end_index + 1]
                if event.branch_id == line[1] and not event.is_stale:
                    watched.events.append(Tracked(pk, line, told, state.act))
        watched.before[line] = File.of(state.files[path])


def _add(
    watched: Watched, state: State, line: Line, floors: tuple[int, int], identities: list[Identity]
) -> None:
    told = identities[floors[0] : floors[1] + 1]
    data = PlotExtraction(summary=f"{told[0][1][:40]} ({floors[0]}–{floors[1]})")
    pk, _changes = watched.memory.events.add(MemoryLine(*line), data, SourceRange(*floors))
    watched.events.append(Tracked(pk, line, told, state.act))


def _is_chat(path: str) -> bool:
    return path.endswith(".jsonl")


def _is_told_by_another(chats: dict[str, File], path: str) -> bool:
    """Whether another file without a parent begins as this one: either may be the story."""
    file = chats[path]
    return any(
        other.alike(file) > 2
        for there, other in chats.items()
        if there != path and not other.main_chat
    )
