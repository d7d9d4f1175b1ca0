"""A SillyTavern folder: listed, taken in, and followed. Nothing in it is ever written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.folder import (
    Followed,
    FoundTavern,
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
from engram_desktop.services.chats import sync_chat
from engram_desktop.services.tavern import following, survey, worldbook_merge
from engram_desktop.services.tavern import survey as tavern_survey
from engram_desktop.services.tavern import take as tavern_take

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import ImportReport, OnConflict
    from engram_desktop.domain.worldbooks.merging import (
        MergePlan,
        MergeReport,
        Side,
        Uid,
    )
    from engram_desktop.services.adopt.adopt_service import AdoptService
    from engram_desktop.services.library.session import Session


class TavernService:
    """A SillyTavern folder, and the files of it that are followed."""

    def __init__(self, session: Session, adopt: AdoptService) -> None:
        self._session = session
        self._adopt = adopt

    def find_installed(
        self, ctx: JobContext, places: Sequence[Path] | None = None
    ) -> list[FoundTavern]:
        """Return the installations on this computer, or among ``places``."""
        usual = survey.usual_places() if places is None else places
        return survey.find_installed(ctx, usual)

    def list_folder(self, ctx: JobContext, folder: Path) -> TavernFolder:
        """List what is in a SillyTavern folder. Raises NoTavern."""
        return tavern_folder.list_folder(folder, check=ctx.check)

    def preset_prompts(self, path: Path) -> list[PresetPrompt]:
        """Return what a preset of SillyTavern's says, in its order. Raises InputError."""
        return tavern_presets.prompts_in(path)

    def chat_files(self, folder: Path) -> list[Path]:
        """Every chat file of a folder, branches after what they branched from. Raises NoTavern."""
        return tavern_folder.parents_first(map(Path, tavern_folder.chat_files(folder)))

    def stories_first(self, files: Iterable[Path]) -> list[Path]:
        """Files in the order given, but branches after the stories they may be of."""
        return tavern_folder.stories_first(files)

    def sync_chat(self, ctx: JobContext, path: Path) -> SyncReport:
        """Make the library what a chat file tells, and follow it. Idempotent. Raises InputError."""
        report = sync_chat.follow_file(self._session.library, ctx, path)
        for changes in self._adopt.renew(ctx, [report]):
            report = replace(report, changes=report.changes | changes)
        return report

    def states(self, ctx: JobContext, folder: TavernFolder) -> dict[str, TavernState]:
        """Say of everything in a folder whether the library has it, by path or key."""
        return tavern_survey.survey(self._session.library, ctx, folder)

    def take(
        self,
        ctx: JobContext,
        folder: TavernFolder,
        choice: TavernChoice,
        on_report: Callable[[ImportReport], object],
        on_trouble: Callable[[str, InputError], object],
    ) -> Changes:
        """Take in what was chosen, with what belongs to it; a cancel keeps what was finished.

        A file that cannot be read does not stop the others.
        """
        return tavern_take.take(self._session.library, ctx, folder, choice, on_report, on_trouble)

    def let_be(self, path: Path) -> None:
        """Follow a file no more. What was read of it stays."""
        sync_chat.stop_following(self._session.library, path)

    def followed(self) -> list[Followed]:
        """Every file that is followed, or was until `let_be`."""
        return [
            Followed(row.path, row.chat_id, row.branch_id, row.is_followed, row.changed_at)
            for row in self._session.library.followed.all()
        ]

    def following(
        self, folder: Path, new: Take = "all", on_conflict: OnConflict = "branch"
    ) -> following.Following:
        """Return what looks at ``folder`` whenever it is told to."""
        return following.Following(self._session, self._adopt, folder, new, on_conflict)

    def catch_up(
        self,
        ctx: JobContext,
        folder: Path,
        new: Take = "all",
        on_conflict: OnConflict = "branch",
    ) -> Iterator[SyncReport]:
        """Follow a folder to where it stands now. Raises NoTavern."""
        followed = self.following(folder, new, on_conflict)
        yield from followed.look(ctx)
        if followed.is_waiting:
            yield from followed.look(ctx)

    def watch(
        self,
        ctx: JobContext,
        folder: Path,
        new: Take = "all",
        on_conflict: OnConflict = "branch",
    ) -> Iterator[SyncReport]:
        """Follow a folder until ``ctx`` is cancelled. Raises NoTavern, Cancelled."""
        stop = threading.Event()
        ctx.on_cancel(stop.set)
        followed = self.following(folder, new, on_conflict)
        yield from followed.look(ctx)
        ticks = 0
        for is_noticed in survey.notices(folder, stop):
            ctx.check()
            ticks += 1
            if is_noticed or followed.is_waiting or ticks >= survey.TICKS_PER_LOOK:
                ticks = 0
                yield from followed.look(ctx)
        ctx.check()

    def plan_merge(self, ctx: JobContext, file: Path) -> MergePlan:
        """Compare a worldbook that is kept in step with the memory it is made of.

        Raises NotFound for a file that is none, InputError.
        """
        return worldbook_merge.plan_merge(self._session, ctx, file)

    def merge_worldbook(
        self, ctx: JobContext, plan: MergePlan, choices: Mapping[Uid, Side]
    ) -> MergeReport:
        """Take the chosen entries of a kept file into the memory, and write it from that.

        What is taken is one step in the chat's history. Raises Conflict, NotFound, InputError.
        """
        return worldbook_merge.merge(self._session, ctx, plan, choices)

    def changes_in(self, folder: Path, stop: threading.Event) -> Iterator[None]:
        """Yield at once, and whenever something to be followed changed, until ``stop`` is set.

        Opens no file. Raises NoTavern.
        """
        return survey.changes_in(folder, stop)
