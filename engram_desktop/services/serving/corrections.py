"""What the user said a conversation is of (“this was another chat”) holds for what goes on.

A conversation is known again by its newest messages, which move on with every request.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.storage.library.serving.served import CORRECTIONS_KEPT, Correction, ServedNotes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.services.library.session import Session

_PRINTED = 4  # newest messages that a conversation is known again by
_ALIKE = 3  # of them that must still stand there: one may have been edited or taken back


class Corrections:
    """Corrections, and the chats whose companion fell silent. Safe from any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._rows: list[Correction] | None = None
        self._silent: list[str] = []
        session.on_leaving(self._forget)

    def of(self, fingerprint: Sequence[str]) -> Correction | None:
        """Return what was said of the conversation a request goes on from."""
        seen = set(fingerprint)
        with self._lock:
            rows = self._read()
            for n in range(len(rows) - 1, -1, -1):
                prints = rows[n].prints
                if prints and len(seen.intersection(prints)) >= min(_ALIKE, len(prints)):
                    newest = tuple(fingerprint[-_PRINTED:])
                    if newest != prints:
                        rows.append(Correction(newest, rows.pop(n).line))
                        self._write()
                    return rows[n] if newest == prints else rows[-1]
        return None

    def note(self, fingerprint: Sequence[str], line: Line | None) -> None:
        """Note what a conversation is of, in the place of what was said of it before."""
        newest = tuple(fingerprint[-_PRINTED:])
        with self._lock:
            rows = self._read()
            rows[:] = [row for row in rows if row.prints != newest]
            rows.append(Correction(newest, line))
            del rows[:-CORRECTIONS_KEPT]
            self._write()

    def is_silent(self, chat_id: str) -> bool:
        """Whether the companion that told of a chat tells of it no more."""
        with self._lock:
            self._read()
            return chat_id in self._silent

    def set_silent(self, chat_id: str, *, silent: bool) -> None:
        """Note that the companion of a chat fell silent, or tells of it again."""
        with self._lock:
            self._read()
            if (chat_id in self._silent) == silent:
                return
            if silent:
                self._silent.append(chat_id)
            else:
                self._silent.remove(chat_id)
            self._write()

    def _read(self) -> list[Correction]:
        if self._rows is None:
            self._rows, self._silent = ServedNotes(self._session.folder).read()
        return self._rows

    def _write(self) -> None:
        if self._session.can_write and self._rows is not None:
            ServedNotes(self._session.folder).write(self._rows, self._silent)

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:  # another library may lie in the folder when it is opened again
            with self._lock:
                self._rows = None
