"""Settings of a library, the history of its changes, and unsaved texts."""

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


# The settings of a library and of its chats: read, and stored after a check.


class SettingsService:
    """Settings. Those of a chat hold there in place of the library's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.unsaved = UnsavedService(session)

    def read(self, chat_id: str | None = None) -> Settings:
        """Return every setting, as it holds in the library or in one chat."""
        return self._session.settings(chat_id)

    def stored(self) -> Settings:
        """Return the library's settings as they are stored: in safe mode some do not hold."""
        return self._session.library.stored_settings()

    def chosen(self, chat_id: str | None = None) -> dict[str, Any]:
        """Return the settings somebody set, by key; those left at their default are not there."""
        return self._session.library.chosen_settings(chat_id)

    def set(self, key: str, value: object, chat_id: str | None = None) -> Changes:
        """Store one setting. Raises NotFound, BadSetting, and for keys.storage what it meets."""
        parsed = declared(key).check(value)
        if key == "keys.storage":
            self._session.clients.keys.move_to(parsed)
        self._session.library.set_setting(key, parsed, chat_id)
        return Changes(chat_id=chat_id, settings=True)

    def restore(self, keys: Iterable[str]) -> Changes:
        """Let the defaults of the library hold again. Raises NotFound, and what `set` meets."""
        declarations = [declared(key) for key in keys]
        for one in declarations:
            if one.key == "keys.storage":
                self._session.clients.keys.move_to(one.default)
        self._session.library.forget_settings(one.key for one in declarations)
        return Changes(settings=True)


# Undo and redo, of the steps of a chat or of the library.


class HistoryService:
    """The steps of a chat, or the library's: of worldbooks, characters, scripts and prompts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def undo(self, chat_id: str | None = None, expected: int | None = None) -> Changes:
        """Take back the newest step; see `Journal.undo` for ``expected``.

        Raises NothingToUndo, Conflict.
        """
        session = self._session
        store = session.library if chat_id is None else session.chat(chat_id)
        return store.undo(expected)

    def redo(self, chat_id: str | None = None) -> Changes:
        """Do the oldest undone step again. Raises NothingToUndo, Conflict."""
        session = self._session
        return session.library.redo() if chat_id is None else session.chat(chat_id).redo()

    def steps(self, chat_id: str | None = None) -> list[UndoStep]:
        """Newest first. The first that is not undone is what `undo` takes back."""
        session = self._session
        journal = session.library.journal if chat_id is None else session.chat(chat_id).journal
        return journal.history()


# What was typed in the window and is saved nowhere yet, kept against a crash.


class UnsavedService:
    """Texts that are still being typed. Quick enough for any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, chat_id: str | None = None) -> dict[str, dict[str, Typed]]:
        """Return what was typed in a chat, or elsewhere in the library: by place, by field."""
        return self._texts(chat_id).read()

    def keep(self, place: str, fields: Mapping[str, Typed], chat_id: str | None = None) -> None:
        """Keep what is being typed at ``place``; no fields forget it.

        Raises NotFound, StorageError, DiskFull.
        """
        if self._session.can_write:
            self._texts(chat_id).keep(place, fields)

    def _texts(self, chat_id: str | None) -> trash.UnsavedFile:
        session = self._session
        folder = session.folder if chat_id is None else session.chat(chat_id).folder
        return trash.UnsavedFile(folder)
