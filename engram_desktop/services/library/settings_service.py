"""The settings of a library and of its chats: read, and stored after a check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.settings.settings import declared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram_desktop.domain.settings.settings import Settings
    from engram_desktop.services.library.session import Session


class SettingsService:
    """Settings. Those of a chat hold there in place of the library's."""

    def __init__(self, session: Session) -> None:
        self._session = session

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
