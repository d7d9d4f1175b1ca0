"""Memory for other programs: which chat a request is of, what it gets, and keeping what is said."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.serving.texts.read_request import read_request
from engram_desktop.services.serving import filling
from engram_desktop.services.serving.companion.service import CompanionServing
from engram_desktop.services.serving.corrections import Corrections
from engram_desktop.services.serving.identify import Identifier
from engram_desktop.services.serving.keeping import RequestKeeper

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.recall.query import Injection
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.kept import Kept
    from engram_desktop.domain.serving.texts.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.play.play_service import PlayService
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.services.recall.searching import Searcher

_T = QT_TRANSLATE_NOOP


class ServingService(CompanionServing):
    """Serving. Safe from any thread; nothing here waits for a model."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        play: PlayService,
        chat_prompts: ChatPrompts,
        searcher: Searcher,
    ) -> None:
        corrections = Corrections(session)
        identifier = Identifier(session, chat_prompts, corrections)
        super().__init__(session, inject, identifier, corrections)
        self._play = play
        self._searcher = searcher
        self._keeper = RequestKeeper(session, corrections)

    def read(
        self,
        body: Mapping[str, Any],
        *,
        path_chat: str = "",
        header_chat: str = "",
        header_speaker: str = "",
        client: str = "",
    ) -> FrontRequest:
        """Read the parsed body of a chat or text completion. Raises TooManyMessages.

        ``path_chat`` may be ``NAME@BRANCH``.
        """
        return read_request(
            body,
            path_chat=path_chat,
            header_chat=header_chat,
            header_speaker=header_speaker,
            client=client,
        )

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines, and what the chats played last are searched by.

        So the first request need not wait for it. Raises Cancelled.
        """
        self._identifier.warm(ctx)
        filling.warm(ctx, self._session, self._inject)

    def revision(self, line: Line) -> int:
        """Return a number that grows with every change of what a line's chat remembers."""
        return self._session.chat(line.chat_id).items.revision()

    def warm_line(self, ctx: JobContext, line: Line, speaker: str, at: int) -> None:
        """Make ready what the next request of a line needs; ``at`` is its newest floor.

        Raises Cancelled, NotFound, StorageError.
        """
        self._identifier.warm(ctx)
        filling.warm_line(ctx, self._inject, line, speaker, at)

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Say which line of which chat a request is of, and where in it; none where unsure.

        Raises NotFound, Ambiguous for a path or header that names no chat, StorageError.
        """
        self._session.library.database.check_place()
        identity = self._identifier.identify(ctx, request)
        return filling.told_to_one(ctx, self._session, self._searcher, identity)

    def fill(
        self,
        ctx: JobContext,
        request: FrontRequest,
        identity: Identity,
        left_out: Collection[int] = (),
    ) -> Injection:
        """Compose the memory a request gets, as the one about to speak knows it.

        Nothing for a request of no chat, or of no story. ``left_out`` are indices of messages that
        will not be sent.
        """
        return filling.fill(ctx, self._inject, request, identity, left_out)

    def told_floors(self, ctx: JobContext, identity: Identity) -> frozenset[int]:
        """Return which of a request's floors memory tells the one about to speak."""
        return filling.told_floors(ctx, self._session, self._searcher, identity)

    def story_begins(self, identity: Identity, prompt: str) -> int | None:
        """Return which character of a text prompt the story begins at, where that is known."""
        return filling.story_begins(self._session, identity, prompt)

    def keep_request(self, ctx: JobContext, request: FrontRequest, identity: Identity) -> Kept:
        """Keep what a request shows of its chat; what it is to be a reply to stands there then.

        A line that is followed in a SillyTavern folder, one that a companion
        tells of (until it falls silent), a library
        that cannot be written and a setting that says so keep nothing. Raises Conflict,
        StorageError.
        """
        return self._keeper.keep_request(ctx, request, identity)

    def keep_reply(self, ctx: JobContext, kept: Kept, text: str) -> Kept:
        """Keep a reply that has arrived whole; ``kept`` is what its request gave.

        Raises Conflict, StorageError.
        """
        return self._keeper.keep_reply(ctx, kept, text)

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Note that a request was of ``line``, or of no chat: so are those that go on from it."""
        return self._identifier.correct(ctx, request, line)
