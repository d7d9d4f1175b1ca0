"""What is said becomes memory: a request and its reply, kept in the order in which they were said.

It happens beside the reply, never before it: whatever fails here is shown and costs nothing else.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.kept import Kept
from engram_desktop.jobs.context import Cancelled
from engram_desktop.llm.overheard import overheard

if TYPE_CHECKING:
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.texts.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.server.desk import Desk

_T = QT_TRANSLATE_NOOP
_TOO_MUCH = _T("reports", "It was not kept: too much waits for the disk.")
_READ_ONLY = _T("reports", "It was not kept: another program has this library open.")
_MOST_WAITING = 200  # exchanges that wait to be kept, with their texts: an hour of anybody's play
_NO_REPLY = {"tool_calls", "function_call"}  # ends after which the model says nothing of a story


class Keeping:
    """Keeps one exchange: first what its request shows, then its reply once that is whole."""

    def __init__(self, desk: Desk, number: int) -> None:
        self._desk = desk
        self._number = number
        self._kept: Future[Kept] | None = None

    def request(self, request: FrontRequest, identity: Identity | None) -> None:
        """Keep what a request shows; identify it first where that was not done in time.

        One of no chat is looked at again: its chat may have been begun a moment ago.
        """
        serving = self._desk.memory.serving
        is_open = identity is None or (identity.line is None and identity.wanted != "quiet")

        def keep(ctx: JobContext) -> Kept:
            known = identity
            if known is None or is_open:
                known = serving.identify(ctx, request)
            if known != identity:
                self._desk.exchanges.change(self._number, identity=known)
            kept = serving.keep_request(ctx, request, known)
            self._tell(kept)
            return kept

        if not self._desk.memory.can_write:
            self._refuse(Phrase(_READ_ONLY))
            return
        if self._desk.waiting_to_be_kept >= _MOST_WAITING:
            self._refuse(Phrase(_TOO_MUCH))
            return
        self._kept = self._desk.keep(keep)
        self._kept.add_done_callback(self._report)

    def reply(self, body: bytes, kind: str, packing: str) -> None:
        """Keep the reply of an answer that came to its end; one that is none is left alone."""
        before, serving = self._kept, self._desk.memory.serving
        if before is None:
            return

        def keep(ctx: JobContext) -> Kept | None:
            if before.exception() is not None:  # told already; it ran before this on one thread
                return None
            heard = overheard(body, kind, packing)
            if not heard.is_whole or not heard.text.strip() or heard.finish in _NO_REPLY:
                return None
            kept = serving.keep_reply(ctx, before.result(), heard.text)
            self._tell(kept)
            if kept.line is not None and kept.what:
                self._desk.ahead.played(kept.line, kept.speaker, kept.floor)
            return kept

        self._desk.keep(keep).add_done_callback(self._report)

    def _refuse(self, why: Phrase) -> None:
        self._desk.exchanges.change(self._number, failure=why)
        self._desk.trouble = why

    def _tell(self, kept: Kept) -> None:
        if kept.what:
            self._desk.exchanges.change(self._number, kept=kept.what)
        if kept.changes.chat_id is not None:
            self._desk.on_changes(kept.changes)
        if kept.line is not None and kept.changes.messages:
            self._desk.on_grown(kept.line)

    def _report(self, future: Future[Kept] | Future[Kept | None]) -> None:
        """Show why something was not kept. On the thread that keeps."""
        error = None if future.cancelled() else future.exception()
        if error is None:
            kept = None if future.cancelled() else future.result()
            if kept is not None and kept.what:
                self._desk.trouble = ""
        elif not isinstance(error, Cancelled) and not self._desk.is_closed:
            trouble = self._desk.note_trouble(error)
            self._desk.exchanges.change(self._number, failure=trouble)
