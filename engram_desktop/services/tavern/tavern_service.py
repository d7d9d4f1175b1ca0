"""A SillyTavern folder: listed, taken in, and followed. Nothing in it is ever written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.folder import (
    Followed,
    PresetPrompt,
    SyncReport,
    Take,
    TavernChoice,
    TavernFolder,
    TavernState,
)
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.formats.tavern import presets as tavern_presets
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.characters import tavern_user
from engram_desktop.services.chats import sync_chat
from engram_desktop.services.tavern import folder_notices
from engram_desktop.services.tavern import follower as tavern_follower
from engram_desktop.services.tavern import survey as tavern_survey
from engram_desktop.services.tavern import take as tavern_take

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import ImportReport
    from engram_desktop.services.adopt.adopt_service import AdoptService
    from engram_desktop.services.library.session import Session


class TavernService:
    """A SillyTavern folder, and the files of it that are followed."""

    def __init__(self, session: Session, adopt: AdoptService) -> None:
        self._session = session
        self._adopt = adopt

    def list_folder(self, ctx: JobContext, folder: Path) -> TavernFolder:
        """List what is in a SillyTavern folder. Raises NoTavern."""
        return tavern_folder.list_folder(folder, check=ctx.check)

    def preset_prompts(self, path: Path) -> list[PresetPrompt]:
        """Return what a preset of SillyTavern's says, in its order. Raises InputError."""
        return tavern_presets.prompts_in(path)

    def chat_files(self, folder: Path) -> list[Path]:
        """Every chat file of a folder, branches after what they branched from. Raises NoTavern."""
        return tavern_folder.parents_first(map(Path, tavern_folder.chat_files(folder)))

    def sync_chat(self, ctx: JobContext, path: Path) -> SyncReport:
        """Make the library what a chat file tells, and follow it. Idempotent. Raises InputError."""
        report = sync_chat.follow_file(self._session.library, ctx, path)
        for changes in self._adopt.renew(ctx, [report]):
            report = replace(report, changes=report.changes | changes)
        return report

    def states(self, ctx: JobContext, found: TavernFolder) -> dict[str, TavernState]:
        """Say of everything in a folder whether the library has it, by path or key."""
        return tavern_survey.survey(self._session.library, ctx, found)

    def take(
        self,
        ctx: JobContext,
        found: TavernFolder,
        choice: TavernChoice,
        on_report: Callable[[ImportReport], object],
        on_trouble: Callable[[str, InputError], object],
    ) -> Changes:
        """Take in what was chosen, with what belongs to it; a cancel keeps what was finished.

        A file that cannot be read does not stop the others.
        """
        return tavern_take.take(self._session.library, ctx, found, choice, on_report, on_trouble)

    def let_be(self, path: Path) -> None:
        """Follow a file no more. What was read of it stays."""
        sync_chat.stop_following(self._session.library, path)

    def followed(self) -> list[Followed]:
        """Every file that is followed, or was and is let be."""
        return [
            Followed(row.path, row.chat_id, row.branch_id, row.is_followed, row.changed_at)
            for row in self._session.library.followed.all()
        ]

    def follower(self, folder: Path, new: Take = "all") -> tavern_follower.Follower:
        """Return what looks at ``folder`` whenever it is told to."""
        return tavern_follower.Follower(lambda: self._session.library, folder, new)

    def bring_along(
        self, ctx: JobContext, folder: Path, reports: Collection[SyncReport]
    ) -> Changes:
        """Take in the cards, books and persona of chats that following has just taken in.

        What the settings say of tags and variables is noted if it changed. Raises NoTavern.
        """
        library = self._session.library
        changes = tavern_user.note_users(library, ctx, folder)
        new = [Path(r.path) for r in reports if any(h.what == "imported" for h in r.happened)]
        return changes | tavern_take.bring_along(library, ctx, folder, new) if new else changes

    def _look(self, ctx: JobContext, follower: tavern_follower.Follower) -> Iterator[SyncReport]:
        """One look, and then what belongs to the chats that are new."""
        reports = []
        for report in follower.look(ctx):
            reports.append(report)
            yield report
        self.bring_along(ctx, follower.folder, reports)
        self._adopt.renew(ctx, reports)

    def catch_up(self, ctx: JobContext, folder: Path, new: Take = "all") -> Iterator[SyncReport]:
        """Follow a folder to where it stands now. Raises NoTavern."""
        follower = self.follower(folder, new)
        yield from self._look(ctx, follower)
        if follower.is_waiting:
            yield from self._look(ctx, follower)

    def watch(self, ctx: JobContext, folder: Path, new: Take = "all") -> Iterator[SyncReport]:
        """Follow a folder until ``ctx`` is cancelled. Raises NoTavern, Cancelled."""
        stop = threading.Event()
        ctx.on_cancel(stop.set)
        follower = self.follower(folder, new)
        yield from self._look(ctx, follower)
        ticks = 0
        for is_noticed in folder_notices.notices(folder, stop):
            ctx.check()
            ticks += 1
            if is_noticed or follower.is_waiting or ticks >= folder_notices.TICKS_PER_LOOK:
                ticks = 0
                yield from self._look(ctx, follower)
        ctx.check()
