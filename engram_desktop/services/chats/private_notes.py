"""Private notes: the user's own notes on a chat or a part of it. No model may ever see them.

They are read only by the window, `engram note`, `engram search`, backups, and the full export as
JSON. Code that composes prompts, serves programs or writes files for them must not read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.changes import DELETE_NOTE, WRITE_NOTE, Changes, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.private_note import MAX_NOTE, NotedParts
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.formats.json_values import storable

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.private_note import NoteKind, PrivateNote
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP
_NAMED = 24  # characters of an event or a message in the label of a step


class NoteService:
    """Private notes. Each write is one undoable step; edits of one field in a row are one step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self, chat_id: str) -> list[PrivateNote]:
        """Return every note of a chat: on the chat, on its parts by floor, on its entities."""
        return self._session.chat(chat_id).private_notes.all()

    def read(self, chat_id: str, kind: NoteKind, ref: str) -> str:
        """Return the note on an event, entity, message or chat; "" if there is none."""
        return self._session.chat(chat_id).private_notes.get(kind, ref)

    def parts(self, line: Line) -> NotedParts:
        """Return which parts of a line have a note, in one query."""
        store = self._session.chat(line.chat_id)
        notes = store.private_notes
        of_messages = notes.refs("message")
        floors = store.messages.floors_of(line.branch_id, of_messages) if of_messages else ()
        return NotedParts(
            frozenset(notes.refs("event")),
            frozenset(notes.refs("entity")),
            frozenset(floors),
            len(of_messages),
        )

    def write(self, chat_id: str, kind: NoteKind, ref: str, text: str) -> Changes:
        """Write the note on something; an empty text deletes it. Raises NotFound, InputError."""
        store = self._session.chat(chat_id)
        text = storable(text).strip()
        if len(text) > MAX_NOTE:
            raise InputError(
                Phrase(
                    _T(
                        "reports", "A private note has {count} characters: at most {most} are kept."
                    ),
                    most=MAX_NOTE,
                    count=len(text),
                )
            )
        name = self._name(store, kind, ref)
        if text == store.private_notes.get(kind, ref):
            return Changes(chat_id=chat_id)
        label = StepLabel(WRITE_NOTE if text else DELETE_NOTE, {"what": name})
        with store.step(label, typed=f"note {kind} {ref}"):
            store.private_notes.put(kind, ref, text, store.clock())
        return Changes(chat_id=chat_id, notes=True, undo_label=label)

    def _name(self, store: ChatStore, kind: NoteKind, ref: str) -> str:
        """Return the name of what a note is on, for the label of a step. Raises NotFound."""
        name = (
            self._session.library.chat_name(store.chat_id)
            if kind == "chat"
            else store.private_notes.name_of(kind, ref)
        )
        if name is None:
            raise NotFound(kind, ref)
        return " ".join(name.split())[:_NAMED]
