"""A SillyTavern folder: list it, import from it, follow its files. It is never written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import OnConflict
from engram_desktop.domain.tavern.folder import (
    Followed,
    FoundTavern,
    Happening,
    PresetPrompt,
    SyncReport,
    Take,
    TavernChoice,
    TavernFolder,
    TavernState,
)
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.formats.tavern import texts as tavern_presets
from engram_desktop.jobs.context import JobContext
from engram_desktop.services import characters
from engram_desktop.services.chats import sync_chat
from engram_desktop.services.chats.match_chat import line_exists
from engram_desktop.services.tavern import survey as tavern_survey
from engram_desktop.services.tavern import take as tavern_take
from engram_desktop.services.tavern import worldbook_merge
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import ImportReport, OnConflict
    from engram_desktop.domain.worldbooks.merging import MergePlan, MergeReport, Side, Uid
    from engram_desktop.services.adopt import AdoptService
    from engram_desktop.services.library.session import Session


class Following:
    """One followed folder. A look reads what changed, and what belongs to it.

    That is the chats; then the cards, worldbooks and persona of new ones; then memories of other
    tools that were imported before. Nothing in the folder is written.
    """

    def __init__(
        self,
        session: Session,
        adopt: AdoptService,
        folder: Path,
        new: Take,
        on_conflict: OnConflict = "branch",
    ) -> None:
        self.folder = folder
        self._session = session
        self._adopt = adopt
        self._follower = Follower(lambda: session.library, folder, new, on_conflict)

    @property
    def is_waiting(self) -> bool:
        """Return whether a file was not complete yet, so that another look should follow soon."""
        return self._follower.is_waiting

    def look(self, ctx: JobContext) -> Generator[SyncReport, None, list[Changes]]:
        """Yield a report for each changed file; returns the changes of what belongs to them.

        Raises NoTavern, Cancelled.
        """
        reports = []
        for report in self._follower.look(ctx):
            reports.append(report)
            yield report
        return [self._bring_along(ctx, reports), *self._adopt.renew(ctx, reports)]

    def look_through(self, ctx: JobContext) -> tuple[list[SyncReport], list[Changes]]:
        """As `look`, but returns everything at the end."""
        along: list[Changes] = []

        def whole() -> Generator[SyncReport, None, None]:
            along.extend((yield from self.look(ctx)))

        return list(whole()), along

    def _bring_along(self, ctx: JobContext, reports: Collection[SyncReport]) -> Changes:
        """Import the cards, worldbooks and persona of chats that were just imported.

        Tags and variables of the settings are stored if they changed.
        """
        library = self._session.library
        changes = characters.note_users(library, ctx, self.folder)
        new = [Path(r.path) for r in reports if any(h.what == "imported" for h in r.happened)]
        return changes | tavern_take.bring_along(library, ctx, self.folder, new) if new else changes


Stamp = tuple[int, int]
_REWRITES = frozenset({"edited", "swiped", "deleted", "moved", "respoken", "hidden", "shown"})


class Follower:
    """Finds the changed chat files of a folder, by size and time. For one thread at a time.

    Only changed files are read, and nothing is held open between two looks.
    """

    def __init__(
        self,
        library: Callable[[], Library],
        folder: Path,
        new: Take,
        on_conflict: OnConflict,
    ) -> None:
        self.folder = folder
        self.new = new
        self._on_conflict: OnConflict = on_conflict
        self._library = library
        self._seen: dict[str, Stamp] = {}
        self._has_looked = False
        self._waiting: dict[str, Stamp] = {}
        self._copies: set[str] = set()
        self._troubles: dict[str, object] = {}  # by file: the trouble that was reported last

    @property
    def is_waiting(self) -> bool:
        """Return whether a file must be read again even if it does not change."""
        return bool(self._waiting)

    def look(self, ctx: JobContext) -> Iterator[SyncReport]:
        """Read what changed since the last look; yields a report for each file with news.

        What a cancelled look did not reach is read by the next one. Raises NoTavern if the folder
        is gone, StorageError.
        """
        files = {
            os.path.normcase(p): (p, stamp)
            for p, stamp in tavern_folder.chat_files(self.folder).items()
        }
        if not self._has_looked:
            rows = self._library().followed.all()
            self._seen = {row.path: (row.size, row.mtime_ns) for row in rows}
            self._has_looked = True
        vanished = [key for key in self._seen if key not in files and self._is_ours(key)]
        folders = None if vanished else self._near()  # a vanished file may be anywhere now
        todo = {
            Path(path): key
            for key, (path, stamp) in files.items()
            if (folders is None or Path(key).parent in folders)
            and (
                self._seen.get(key) != stamp
                or key in self._waiting
                or (vanished and key in self._copies)
            )
        }
        queue = [(todo[path], path) for path in self._parents_first(todo)]
        unsettled: set[Path] = set()  # folders with a file that is being written
        position = 0
        while position < len(queue):
            ctx.report(position, len(queue), "follow")
            key, path = queue[position]
            position += 1
            if Path(key).parent in unsettled and self._library().followed.get(path) is None:
                # It may branch from what is being written: read before that, it would look like
                # another story.
                self._seen[key] = self._waiting[key] = files[key][1]
                continue
            report = self._read(ctx, path, key, files[key][1])
            if report.is_waiting:
                unsettled.add(Path(key).parent)
            if _is_rewritten(report):
                later = {key for key, _path in queue[position:]}
                again = [*self._branches_of(report), *sorted(self._copies)]
                queue += [
                    (other, Path(files[other][0]))
                    for other in again
                    if other in files and other not in later
                ]
            if report.happened or report.warnings or report.is_noted:
                yield report
        for key in vanished:
            yield from self._vanished(key)

    def _near(self) -> set[Path] | None:
        """Return the folders to read; None: all. Branches lie beside their parents."""
        if self.new != "followed":
            return None
        rows = self._library().followed.all()
        return {Path(row.path).parent for row in rows if row.is_followed}

    def _is_ours(self, key: str) -> bool:
        """Return whether a file would lie in this folder: the library may follow others."""
        return Path(key).is_relative_to(os.path.normcase(self.folder.absolute()))

    def _parents_first(self, paths: Collection[Path]) -> list[Path]:
        """Order files so that lines come before their branches, and known files before new ones.

        The parent named in a file may not exist any more.
        """
        ordered = tavern_folder.parents_first(paths)
        if len(ordered) < 2:
            return ordered
        library = self._library()
        depths: dict[Path, int] = {}
        for path in ordered:
            row = library.followed.get(path)
            if row is not None and line_exists(library, row):
                depths[path] = len(library.chat(row.chat_id).branch_path(row.branch_id))
        return sorted(ordered, key=lambda path: (path not in depths, depths.get(path, 0)))

    def _branches_of(self, report: SyncReport) -> list[str]:
        """Return the files of the branches that share rewritten messages, parents first.

        In SillyTavern a branch is a copy; here it reads its parent's messages until they differ.
        """
        library = self._library()
        branches = library.chat(report.chat_id).branches.descendants(report.branch_id)
        order = {branch_id: n for n, (branch_id, _last) in enumerate(branches)}
        rows = library.followed.of_chat(report.chat_id)
        files = [row for row in rows if row.is_followed and row.branch_id in order]
        return [row.path for row in sorted(files, key=lambda row: order[row.branch_id])]

    def _read(self, ctx: JobContext, path: Path, key: str, stamp: Stamp) -> SyncReport:
        settled = stamp in (self._waiting.get(key), self._seen.get(key))
        try:
            report = sync_chat.sync_chat(
                self._library(),
                ctx,
                path,
                settled=settled,
                new=self.new,
                on_conflict=self._on_conflict,
            )
        except InputError as e:
            failed = Happening("failed", str(path), detail=e.phrase)
            is_new = self._is_new(key, str(e))
            report = SyncReport(str(path), happened=(failed,) if is_new else ())
        else:
            if not report.is_waiting and not self._is_new(key, report.warnings):
                report = replace(report, warnings=())
        self._seen[key] = stamp
        self._waiting.pop(key, None)
        self._copies.discard(key)
        if report.is_waiting:
            self._waiting[key] = stamp
        if report.is_copy:
            self._copies.add(key)
        return report

    def _is_new(self, key: str, trouble: object) -> bool:
        """Return whether a file's trouble differs from that of the last look: report it once."""
        before = self._troubles.get(key)
        self._troubles[key] = trouble
        return before != trouble

    def _vanished(self, key: str) -> Iterator[SyncReport]:
        """Forget a vanished file, and report it unless it was renamed. Nothing is deleted."""
        del self._seen[key]
        self._waiting.pop(key, None)
        self._copies.discard(key)
        row = self._library().followed.get(Path(key))
        if row is not None and row.is_followed:
            happened = Happening("vanished", key, row.chat_id, row.branch_id)
            yield SyncReport(key, row.chat_id, row.branch_id, (happened,))


def _is_rewritten(report: SyncReport) -> bool:
    """Return whether old messages of a line changed: files of its branches hold them unchanged."""
    for h in report.happened:
        if h.what in _REWRITES:
            return True
        if h.what == "added" and h.floors != (report.messages - h.count, report.messages - 1):
            return True
    return False


class TavernService:
    """A SillyTavern folder, and the files of it that are followed."""

    def __init__(self, session: Session, adopt: AdoptService) -> None:
        self._session = session
        self._adopt = adopt

    def find_installed(
        self, ctx: JobContext, places: Sequence[Path] | None = None
    ) -> list[FoundTavern]:
        """Return the installations on this computer, or those among ``places``."""
        usual = tavern_survey.usual_places() if places is None else places
        return tavern_survey.find_installed(ctx, usual)

    def list_folder(self, ctx: JobContext, folder: Path) -> TavernFolder:
        """Return what a SillyTavern folder holds. Raises NoTavern."""
        return tavern_folder.list_folder(folder, check=ctx.check)

    def check_folder(self, folder: Path) -> None:
        """Raise NoTavern if a folder is not SillyTavern's."""
        tavern_folder.find_handles(folder)

    def preset_prompts(self, path: Path) -> list[PresetPrompt]:
        """Return the prompts of a SillyTavern preset, in its order. Raises InputError."""
        return tavern_presets.prompts_in(path)

    def chat_files(self, folder: Path) -> list[Path]:
        """Return every chat file of a folder, branches after their parents. Raises NoTavern."""
        return tavern_folder.parents_first(map(Path, tavern_folder.chat_files(folder)))

    def stories_first(self, files: Iterable[Path]) -> list[Path]:
        """Return files in the given order, but branches after the chats they may branch from."""
        return tavern_folder.stories_first(files)

    def sync_chat(self, ctx: JobContext, path: Path) -> SyncReport:
        """Sync a chat file and follow it from now on. Idempotent. Raises InputError."""
        report = sync_chat.follow_file(self._session.library, ctx, path)
        for changes in self._adopt.renew(ctx, [report]):
            report = replace(report, changes=report.changes | changes)
        return report

    def states(self, ctx: JobContext, folder: TavernFolder) -> dict[str, TavernState]:
        """Return for everything in a folder whether the library has it, by path or key."""
        return tavern_survey.survey(self._session.library, ctx, folder)

    def take(
        self,
        ctx: JobContext,
        folder: TavernFolder,
        choice: TavernChoice,
        on_report: Callable[[ImportReport], object],
        on_trouble: Callable[[str, InputError], object],
    ) -> Changes:
        """Import what was chosen, with what belongs to it; a cancel keeps what was finished.

        A file that cannot be read does not stop the others.
        """
        return tavern_take.take(self._session.library, ctx, folder, choice, on_report, on_trouble)

    def unfollow(self, path: Path) -> None:
        """Stop following a file. The messages read from it stay."""
        sync_chat.stop_following(self._session.library, path)

    def followed(self) -> list[Followed]:
        """Return every file that is or was followed."""
        return [
            Followed(row.path, row.chat_id, row.branch_id, row.is_followed, row.changed_at)
            for row in self._session.library.followed.all()
        ]

    def following(
        self, folder: Path, new: Take = "all", on_conflict: OnConflict = "branch"
    ) -> Following:
        """Return an object that reads the changes in ``folder`` on each look."""
        return Following(self._session, self._adopt, folder, new, on_conflict)

    def catch_up(
        self, ctx: JobContext, folder: Path, new: Take = "all", on_conflict: OnConflict = "branch"
    ) -> Iterator[SyncReport]:
        """Read the changes in a folder up to now. Raises NoTavern."""
        followed = self.following(folder, new, on_conflict)
        yield from followed.look(ctx)
        if followed.is_waiting:
            yield from followed.look(ctx)

    def watch(
        self, ctx: JobContext, folder: Path, new: Take = "all", on_conflict: OnConflict = "branch"
    ) -> Iterator[SyncReport]:
        """Follow a folder until ``ctx`` is cancelled. Raises NoTavern, Cancelled."""
        stop = threading.Event()
        ctx.on_cancel(stop.set)
        followed = self.following(folder, new, on_conflict)
        yield from followed.look(ctx)
        ticks = 0
        for is_noticed in tavern_survey.notices(folder, stop):
            ctx.check()
            ticks += 1
            if is_noticed or followed.is_waiting or ticks >= tavern_survey.TICKS_PER_LOOK:
                ticks = 0
                yield from followed.look(ctx)
        ctx.check()

    def plan_merge(self, ctx: JobContext, file: Path) -> MergePlan:
        """Compare a kept worldbook with the memory it was written from.

        Raises NotFound for a file that is not kept, InputError.
        """
        return worldbook_merge.plan_merge(self._session, ctx, file)

    def merge_worldbook(
        self, ctx: JobContext, plan: MergePlan, choices: Mapping[Uid, Side]
    ) -> MergeReport:
        """Apply the chosen entries of a kept file to the memory, and write the file again.

        The changes to the memory are one undo step of the chat. Raises Conflict, NotFound,
        InputError.
        """
        return worldbook_merge.merge(self._session, ctx, plan, choices)

    def changes_in(self, folder: Path, stop: threading.Event) -> Iterator[None]:
        """Yield at once, and whenever a followed file changed, until ``stop`` is set.

        Opens no file. Raises NoTavern.
        """
        return tavern_survey.changes_in(folder, stop)
