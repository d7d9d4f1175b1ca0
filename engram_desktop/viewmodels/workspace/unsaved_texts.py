"""Texts that are typed but not saved yet: stored by place as they are typed, back after a crash.

Only the GUI thread asks: a file of a few kilobytes, read once and then written at most once a
second, must not wait behind a job on a lane.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.values import dataclass
from engram_desktop.qtjobs.changes_hub import ChangeHub
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import Messages

Typed = str | list[str]  # a field of text, or one of words
SAVE_WITHIN_MS = 800  # of the first key: a crash takes less than a second of typing


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is typed; ``chat_id`` None is a place of the library."""

    name: str
    chat_id: str | None = None


class UnsavedTexts(QObject):
    def __init__(
        self, memory: Memory, hub: ChangeHub, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._messages = messages
        self._texts: dict[str | None, dict[str, dict[str, Typed]]] = {}
        self._has_failed = False
        hub.changed.connect(self._on_changed)

    def read(self, place: Place) -> dict[str, Typed]:
        """Return what was typed there, by field."""
        return self._texts_of(place.chat_id).get(place.name, {})

    def keep(self, place: Place, fields: Mapping[str, Typed]) -> None:
        """Store the texts of ``fields``; an empty mapping forgets the place."""
        texts = self._texts_of(place.chat_id)
        if texts.get(place.name, {}) == dict(fields):
            return
        try:
            self._memory.unsaved.keep(place.name, fields, place.chat_id)
        except KnownError as error:
            if not self._has_failed:  # a full disk is told once, not once a second
                self._has_failed = True
                self._messages.show_error(error)
            return
        texts.pop(place.name, None)
        if fields:
            texts[place.name] = dict(fields)

    def forget(self, place: Place) -> None:
        self.keep(place, {})

    def _texts_of(self, chat_id: str | None) -> dict[str, dict[str, Typed]]:
        if chat_id not in self._texts:
            try:
                self._texts[chat_id] = self._memory.unsaved.read(chat_id)
            except KnownError:  # a chat that is gone, and its texts with it
                return {}
        return self._texts[chat_id]

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.library:  # a chat may have gone, or come back, and its file with it
            self._texts.clear()
