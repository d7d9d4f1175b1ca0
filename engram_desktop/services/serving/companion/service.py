"""What a companion inside a SillyTavern is served: a part of `ServingService`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.serving.companion import CompanionLine
from engram_desktop.services.serving.companion import install, keeper, line, mirror, recall

if TYPE_CHECKING:
    from pathlib import Path

    from engram_desktop.domain.serving.companion import (
        CompanionMemory,
        CompanionQuestion,
        InstalledCompanion,
        Told,
        ToldChat,
        ToldReport,
    )
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.serving.corrections import Corrections
    from engram_desktop.services.serving.identify import Identifier


class CompanionServing:
    """Companions. Safe from any thread; nothing here waits for a model."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        identifier: Identifier,
        corrections: Corrections,
    ) -> None:
        self._session = session
        self._inject = inject
        self._identifier = identifier
        self._companions = keeper.CompanionKeeper(session, corrections)

    def told(self, ctx: JobContext, told: Told) -> ToldReport:
        """Keep what a companion tells of its chats. Raises InputError, StorageError."""
        return self._companions.take(ctx, told)

    def companion_line(self, chat: ToldChat) -> CompanionLine:
        """Return the line that a chat of a companion's SillyTavern is. Raises InputError."""
        library = self._session.library
        return line.find_line(library, mirror.Mirror(library.folder), chat)

    def remember(self, ctx: JobContext, question: CompanionQuestion) -> CompanionMemory:
        """Compose what a generation of a companion's SillyTavern is to remember.

        A chat that nobody told of is looked for by its newest messages.
        """
        where = self.companion_line(question.chat)
        if where.line is None and question.generation != "quiet":
            identity = self._identifier.identify(ctx, recall.request_of(question))
            if identity.line is not None:
                where = CompanionLine(identity.line, identity.how, identity.why)
                question = replace(question, until=identity.until, visible_from=None)
        return recall.remember(self._inject, ctx, where, question)

    def install_companion(self, folder: Path) -> tuple[InstalledCompanion, ...]:
        """Put the companion into a SillyTavern: into each user's extensions.

        An older one is replaced whole. Raises NoTavern, ForeignFolder, NotWritable.
        """
        return install.install(folder)

    def save_companion(self, folder: Path) -> InstalledCompanion:
        """Put the companion into a folder, to be copied. Raises ForeignFolder, NotWritable."""
        return install.save(folder)
