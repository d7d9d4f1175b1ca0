"""Undo and redo, of the steps of a chat or of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import UndoStep
    from engram_desktop.services.library.session import Session


class HistoryService:
    """The steps of a chat, or the library's: of worldbooks, characters, scripts and prompts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def undo(self, chat_id: str | None = None) -> Changes:
        """Take back the newest step. Raises NothingToUndo, Conflict."""
        session = self._session
        return session.library.undo() if chat_id is None else session.chat(chat_id).undo()

    def redo(self, chat_id: str | None = None) -> Changes:
        """Do the oldest undone step again. Raises NothingToUndo, Conflict."""
        session = self._session
        return session.library.redo() if chat_id is None else session.chat(chat_id).redo()

    def steps(self, chat_id: str | None = None) -> list[UndoStep]:
        """Newest first. The first that is not undone is what `undo` takes back."""
        session = self._session
        journal = session.library.journal if chat_id is None else session.chat(chat_id).journal
        return journal.history()
