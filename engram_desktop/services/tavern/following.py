"""A SillyTavern folder that is followed: a look reads what changed and what belongs to it.

The one place that says what belongs to a look: the chats, then the cards, worldbooks and persona of
those that are new, then the memories of other tools that were taken over before.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.services.characters import tavern_user
from engram_desktop.services.tavern import follower, take

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import OnConflict
    from engram_desktop.domain.tavern.folder import SyncReport, Take
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.adopt.adopt_service import AdoptService
    from engram_desktop.services.library.session import Session


class Following:
    """One followed folder. Nothing in it is ever written."""

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
        self._follower = follower.Follower(lambda: session.library, folder, new, on_conflict)

    @property
    def is_waiting(self) -> bool:
        """Whether a file was not whole yet, and is to be looked at again soon."""
        return self._follower.is_waiting

    def look(self, ctx: JobContext) -> Generator[SyncReport, None, list[Changes]]:
        """Yield what each file brought, and return what came along. Raises NoTavern, Cancelled."""
        reports = []
        for report in self._follower.look(ctx):
            reports.append(report)
            yield report
        return [self._bring_along(ctx, reports), *self._adopt.renew(ctx, reports)]

    def look_through(self, ctx: JobContext) -> tuple[list[SyncReport], list[Changes]]:
        """As `look`, but returned at once when all is done."""
        along: list[Changes] = []

        def whole() -> Generator[SyncReport, None, None]:
            along.extend((yield from self.look(ctx)))

        return list(whole()), along

    def _bring_along(self, ctx: JobContext, reports: Collection[SyncReport]) -> Changes:
        """Take in the cards, worldbooks and persona of chats that were just imported.

        What the settings say of tags and variables is noted if it changed.
        """
        library = self._session.library
        changes = tavern_user.note_users(library, ctx, self.folder)
        new = [Path(r.path) for r in reports if any(h.what == "imported" for h in r.happened)]
        return changes | take.bring_along(library, ctx, self.folder, new) if new else changes
