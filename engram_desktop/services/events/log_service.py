"""Private logs: what characters keep to themselves, read and written by hand."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import ADD_LOG, DELETE_LOGS, EDIT_LOG, Changes, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import LogPatch, LogQuery, PrivateLog
from engram_desktop.domain.memory.line import Line, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP


class LogService:
    """Private logs. Every method that writes is one step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, chat_id: str, query: LogQuery) -> array[int]:
        """Keys of the entries ``query`` names, in story order."""
        return self._session.chat(chat_id).logs.find(query)

    def fetch(self, chat_id: str, pks: Sequence[int]) -> dict[int, PrivateLog]:
        return self._session.chat(chat_id).logs.fetch(pks)

    def find_one(self, chat_id: str, log_id: str) -> PrivateLog:
        """Return the entry with this id or key. Raises NotFound."""
        store = self._session.chat(chat_id)
        pk = store.logs.key(log_id)
        if pk is None and log_id.isdecimal():
            pk = int(log_id)
        logs = store.logs.fetch([pk]) if pk is not None else {}
        if pk not in logs:
            raise NotFound("private log", log_id)
        return logs[pk]

    def owners(self, line: Line) -> list[tuple[str, int]]:
        """Whose entries there are, and how many, the most first."""
        return self._session.chat(line.chat_id).logs.owners(line.branch_id)

    def add(self, line: Line, patch: LogPatch) -> tuple[int, Changes]:
        """Write an entry by hand; returns its key. Raises InputError.

        ``owner``, ``content`` and ``source_range`` of ``patch`` must be given.
        """
        store = self._session.chat(line.chat_id)
        if patch.source_range is None:
            raise InputError(Phrase(_T("reports", "The floors the entry tells of are missing.")))
        blank = PrivateLog(0, new_id(), line.branch_id, "", "", patch.source_range)
        log = replace(_patched(store, blank, patch), timestamp=store.clock())
        label = StepLabel(ADD_LOG, {"name": log.owner})
        with store.step(label):
            (pk,) = store.logs.add([log], store.clock())
        return pk, _changes(store, label)

    def update(self, chat_id: str, pk: int, patch: LogPatch) -> Changes:
        """Change fields of an entry, which is then the user's own. Raises NotFound, InputError."""
        store = self._session.chat(chat_id)
        logs = store.logs.fetch([pk])
        if pk not in logs:
            raise NotFound("private log", str(pk))
        changed = _patched(store, logs[pk], patch)
        if changed == logs[pk]:
            return Changes(chat_id=chat_id)
        mine = replace(changed, extractor="manual", confidence="confirmed", is_stale=False)
        label = StepLabel(EDIT_LOG, {"name": changed.owner})
        typed = f"log {pk}" if patch == LogPatch(content=patch.content) else ""
        with store.step(label, typed=typed):
            store.logs.replace(mine, store.clock())
        return _changes(store, label)

    def delete(self, chat_id: str, pks: Sequence[int]) -> Changes:
        """Tombstone entries; they leave every index in the same step."""
        store = self._session.chat(chat_id)
        label = StepLabel(DELETE_LOGS, {"count": len(pks)})
        with store.step(label):
            deleted = store.logs.delete(pks, store.clock())
        return _changes(store, label) if deleted else Changes(chat_id=chat_id)


def _patched(store: ChatStore, log: PrivateLog, patch: LogPatch) -> PrivateLog:
    """Return ``log`` with ``patch`` applied. Raises InputError, NotFound."""
    owner = (log.owner if patch.owner is None else patch.owner).strip()
    content = (log.content if patch.content is None else patch.content).strip()
    if not owner or not content:
        raise InputError(Phrase(_T("reports", "A private log needs an owner and a text.")))
    span = patch.source_range or log.source_range
    last = max(0, store.messages.count(log.branch_id) - 1)
    if not 0 <= span.start_index <= span.end_index <= last:
        raise InputError(Phrase(_T("reports", "The floors must be from 0 to {last}."), last=last))
    event_id = log.linked_event_id if patch.linked_event_id is None else patch.linked_event_id
    if event_id and not store.events.by_ids([event_id]):
        raise NotFound("event", event_id)
    scope = patch.scope or log.scope
    condition = log.condition if patch.condition is None else patch.condition.strip()
    if scope == "conditional" and not condition:
        raise InputError(Phrase(_T("reports", "A conditional memory needs its condition.")))
    tags = log.emotion_tags if patch.emotion_tags is None else patch.emotion_tags
    return replace(
        log,
        owner=owner,
        content=content,
        source_range=span,
        emotion_tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        linked_event_id=event_id or None,
        scope=scope,
        condition=condition or None,
    )


def _changes(store: ChatStore, label: StepLabel) -> Changes:
    return Changes(chat_id=store.chat_id, logs=True, undo_label=label)
