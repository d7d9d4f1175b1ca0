"""Keep the chats that a companion tells of: whole ones in pieces, then what changes in them.

What is told becomes a file of the library's own, which is followed as any chat file is: a step that
can be undone, with swipes, hidden messages, names and branches. A chat whose own file is followed
in a folder is left to that. Whatever does not fit what is known is answered by asking for all of
it again. A companion that fell silent and tells again takes nothing away: what was said meanwhile
stays as a branch.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.companion import (
    Told,
    ToldGone,
    ToldOffer,
    ToldPiece,
    ToldReport,
    ToldRows,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.sync_chat import sync_chat
from engram_desktop.services.serving.companion.line import file_in_folder, kept_file
from engram_desktop.services.serving.companion.mirror import ChatTooLarge, Mirror

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.serving.corrections import Corrections

_MOST_UPLOADS = 2  # at once, each of another SillyTavern: bounds what is held in memory
# Characters of a whole chat: one of 100,000 messages has 27 million, with swipes a few times that.
_MAX_CHAT = 200_000_000


class CompanionKeeper:
    """Takes what companions tell. Safe from any thread: one thing at a time."""

    def __init__(self, session: Session, corrections: Corrections) -> None:
        self._session = session
        self._corrections = corrections
        self._uploads: dict[str, _Upload] = {}  # by SillyTavern
        self._lock = threading.Lock()

    def take(self, ctx: JobContext, told: Told) -> ToldReport:
        """Make the library what was told. Raises InputError, StorageError, Cancelled."""
        with self._lock:
            return self._take(ctx, told)

    def _take(self, ctx: JobContext, told: Told) -> ToldReport:
        library = self._session.library
        mirror = Mirror(library.folder)
        path = mirror.path(told.chat)
        if isinstance(told, ToldGone):
            mirror.forget(path)
            return ToldReport("kept")
        if not library.settings().serve_keep:
            return ToldReport("off")
        own = file_in_folder(library, mirror, told.chat)
        if own is not None:
            mirror.forget(path)
        row = own or library.followed.get(path)
        if row is not None and not (own is None and row.is_followed):
            line = Line(row.chat_id, row.branch_id)
            return ToldReport("followed" if row.is_followed else "let_be", line)
        return self._kept(ctx, mirror, path, told)

    def _kept(
        self, ctx: JobContext, mirror: Mirror, path: Path, told: ToldOffer | ToldPiece | ToldRows
    ) -> ToldReport:
        match told:
            case ToldOffer():
                return self._offered(mirror, path, told)
            case ToldPiece():
                return self._piece(ctx, mirror, path, told)
            case ToldRows():
                return self._rows(ctx, mirror, path, told)

    def _offered(self, mirror: Mirror, path: Path, told: ToldOffer) -> ToldReport:
        """Say whether the state that a companion remembers is the one known here."""
        revision = mirror.revision(path)
        row = kept_file(self._session.library, mirror, told.chat)
        if not revision or revision != told.revision or row is None:
            return ToldReport("whole")
        line = Line(row.chat_id, row.branch_id)
        if self._corrections.is_silent(line.chat_id):  # it went on elsewhere: what stands there?
            return ToldReport("whole", line)
        return ToldReport("kept", line, revision)

    def _piece(self, ctx: JobContext, mirror: Mirror, path: Path, told: ToldPiece) -> ToldReport:
        tavern = told.chat.tavern
        if told.number == 0:
            self._uploads.pop(tavern, None)
            while len(self._uploads) >= _MOST_UPLOADS:
                self._uploads.pop(next(iter(self._uploads)))
            self._uploads[tavern] = _Upload(told.upload, path)
        upload = self._uploads.get(tavern)
        if upload is None or not upload.goes_on_with(told, path):
            self._uploads.pop(tavern, None)
            return ToldReport("whole")
        upload.add(told)
        if told.number + 1 < told.count:
            return ToldReport("more")
        del self._uploads[tavern]
        if not upload.rows:
            return ToldReport("empty")
        before = mirror.renamed_from(told.chat, upload.header)
        if before is not None:
            mirror.forget(before)
        mirror.note_group(told.chat)
        mirror.write(path, upload.header, upload.rows)
        return self._followed(ctx, mirror, path)

    def _rows(self, ctx: JobContext, mirror: Mirror, path: Path, told: ToldRows) -> ToldReport:
        is_known = bool(told.revision) and mirror.revision(path) == told.revision
        if not is_known or kept_file(self._session.library, mirror, told.chat) is None:
            return ToldReport("whole")
        count = mirror.splice(path, told.header, told.first, told.removed, told.rows)
        if count != told.total:
            mirror.forget(path)  # nobody knows what it is now
            return ToldReport("whole")
        if not count:
            return ToldReport("empty", revision=mirror.revision(path))
        return self._followed(ctx, mirror, path)

    def _followed(self, ctx: JobContext, mirror: Mirror, path: Path) -> ToldReport:
        """Make the library what the file tells now."""
        library = self._session.library
        report = sync_chat(library, ctx, path, is_newest=self._was_silent(path))
        if report.is_waiting:  # it was changed here at the same moment
            return ToldReport("whole")
        line = Line(report.chat_id, report.branch_id) if report.chat_id else None
        changes = report.changes
        changes = replace(changes, library=changes.library or bool(report.happened))
        if report.chat_id:
            ctx.write(lambda: self._corrections.set_silent(report.chat_id, silent=False))
        revision = mirror.revision(path)
        return ToldReport("kept", line, revision, report.messages, changes, report.conflict)

    def _was_silent(self, path: Path) -> bool:
        """Whether something was said in a chat while its companion was silent."""
        row = self._session.library.followed.get(path)
        return row is not None and self._corrections.is_silent(row.chat_id)


@dataclass
class _Upload:
    """A whole chat of which some pieces are here."""

    name: str
    path: Path
    header: str = ""
    next_number: int = 0
    size: int = 0

    def __post_init__(self) -> None:
        self.rows: list[str] = []

    def goes_on_with(self, piece: ToldPiece, path: Path) -> bool:
        is_next = piece.number == self.next_number and piece.upload == self.name
        return is_next and path == self.path and piece.number < piece.count

    def add(self, piece: ToldPiece) -> None:
        """Take the next piece. Raises ChatTooLarge."""
        self.header = self.header or piece.header
        self.size += sum(map(len, piece.rows))
        if self.size > _MAX_CHAT:
            raise ChatTooLarge
        self.rows += piece.rows
        self.next_number += 1
