"""Settings of a library, undo and redo, and unsaved texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.settings import declared
from engram_desktop.storage.library import trash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram_desktop.domain.reports import UndoStep
    from engram_desktop.domain.settings import Settings
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.library.trash import Typed


class SettingsService:
    """Settings. Those of a chat override the library's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.unsaved = UnsavedService(session)

    def read(self, chat_id: str | None = None) -> Settings:
        """Return every setting, as it holds in the library or in one chat."""
        return self._session.settings(chat_id)

    def stored(self) -> Settings:
        """Return the library's stored settings; in safe mode some of them are not in effect."""
        return self._session.library.stored_settings()

    def chosen(self, chat_id: str | None = None) -> dict[str, Any]:
        """Return the settings the user set, by key; defaults are left out."""
        return self._session.library.chosen_settings(chat_id)

    def set(self, key: str, value: object, chat_id: str | None = None) -> Changes:
        """Store one setting. Raises NotFound, BadSetting, and errors of moving keys."""
        parsed = declared(key).check(value)
        if key == "keys.storage":
            self._session.clients.keys.move_to(parsed)
        self._session.library.set_setting(key, parsed, chat_id)
        return Changes(chat_id=chat_id, settings=True)

    def restore(self, keys: Iterable[str]) -> Changes:
        """Reset settings of the library to their defaults. Raises NotFound, and errors of `set`."""
        declarations = [declared(key) for key in keys]
        for one in declarations:
            if one.key == "keys.storage":
                self._session.clients.keys.move_to(one.default)
        self._session.library.forget_settings(one.key for one in declarations)
        return Changes(settings=True)


class HistoryService:
    """Undo steps of a chat, or of the library (worldbooks, characters, scripts, prompts)."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def undo(self, chat_id: str | None = None, expected: int | None = None) -> Changes:
        """Undo the newest step; see `Journal.undo` for ``expected``.

        Raises NothingToUndo, Conflict.
        """
        session = self._session
        store = session.library if chat_id is None else session.chat(chat_id)
        return store.undo(expected)

    def redo(self, chat_id: str | None = None) -> Changes:
        """Redo the step undone last. Raises NothingToUndo, Conflict."""
        session = self._session
        return session.library.redo() if chat_id is None else session.chat(chat_id).redo()

    def steps(self, chat_id: str | None = None) -> list[UndoStep]:
        """Return the steps, newest first; `undo` takes back the first one not undone."""
        session = self._session
        journal = session.library.journal if chat_id is None else session.chat(chat_id).journal
        return journal.history()


class UnsavedService:
    """Unsaved texts of the window, stored against a crash. Fast enough for any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, chat_id: str | None = None) -> dict[str, dict[str, Typed]]:
        """Return the unsaved texts of a chat, or of the library, by place and field."""
        return self._texts(chat_id).read()

    def keep(self, place: str, fields: Mapping[str, Typed], chat_id: str | None = None) -> None:
        """Store the texts being typed at ``place``; without fields they are forgotten.

        Raises NotFound, StorageError, DiskFull.
        """
        if self._session.can_write:
            self._texts(chat_id).keep(place, fields)

    def _texts(self, chat_id: str | None) -> trash.UnsavedFile:
        session = self._session
        folder = session.folder if chat_id is None else session.chat(chat_id).folder
        return trash.UnsavedFile(folder)
