"""Who knows what: asked, explained, and corrected by hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, LibraryBusy
from engram_desktop.domain.labels import SAY_KNOWN, SAY_PRESENT, SAY_SECRET, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.text.words.occurrences import Needle, TextHits
from engram_desktop.services.knowledge import actors, derive, heard, who
from engram_desktop.storage.chat.knowledge.knowledge import KnowledgeFix

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.knowing import Knower, PresentFloor, Secret
    from engram_desktop.domain.knowledge.perception import PrivatePart
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.state.log import StateHistory
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.state.state_service import StateService

_T = QT_TRANSLATE_NOOP

Ref = tuple[str, str]  # kind (turn, event, entity, log) and id of a memory

SEARCHED_AT_ONCE = 500  # messages read together: some ms, after which it may be stopped


class KnowledgeService:
    """Knowledge is derived when it is asked for; only corrections are written by the user."""

    def __init__(self, session: Session, state: StateService) -> None:
        self._session = session
        self._state = state
        # by chat, with the revision they were read at: who speaks is asked of all messages
        self._people: dict[str, tuple[int, actors.People]] = {}
        session.on_leaving(self._forget)

    def derive(self, ctx: JobContext, chat_id: str) -> bool:
        """Bring who knows what up to date; returns whether anything was due. Raises Cancelled.

        Where nothing can be written, or another process writes, nobody knows what is due.
        """
        session, store = self._session, self._session.chat(chat_id)
        if not session.can_write or not store.knowledge.has_due():
            return False
        with session.claim_if_free() as is_mine:
            if not is_mine:
                return False
        try:  # the lock is taken again for each part: there may be minutes of work
            return derive.derive(ctx, store, session.settings(chat_id).presence_unknown)
        except LibraryBusy:
            return False

    def is_behind(self, chat_id: str) -> bool:
        """Whether anything is still to be derived, as while another process writes."""
        return self._session.chat(chat_id).knowledge.has_due()

    def actor(self, ctx: JobContext, line: Line, name: str, at: int | None = None) -> Actor:
        """Return who asks, at floor ``at``: its names, and the conditions that hold for it."""
        fulfilled = self._state.fulfilled_conditions(ctx, line, name, at)
        return Actor(self._norms(line, name), at, fulfilled)

    def askers(
        self, ctx: JobContext, line: Line, names: Sequence[str], at: int | None = None
    ) -> tuple[Actor, ...]:
        """Return who asks, with knowledge brought up to date; of several, what all know counts."""
        if names:
            self.derive(ctx, line.chat_id)
        return tuple(self.actor(ctx, line, name, at) for name in names)

    def state(
        self, ctx: JobContext, line: Line, names: Sequence[str], at: int | None = None
    ) -> StateHistory:
        """Return the state as all of ``names`` perceived it; without any, as it is."""
        if not names:
            return self._state.history(ctx, line, at)
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        last = store.messages.count(line.branch_id) - 1
        people = [Actor(self._norms(line, name)) for name in names]
        floors = [heard.floors(store, line.branch_id, one, 0, last) for one in people]
        return self._state.perceived(ctx, line, frozenset.intersection(*floors), at)

    def actors(self, ctx: JobContext, line: Line) -> list[str]:
        """Return the names of all who perceive anything, those who perceive most first."""
        self.derive(ctx, line.chat_id)
        return who.actors(self._session.chat(line.chat_id))

    def who(self, ctx: JobContext, line: Line, ref: Ref) -> list[Knower]:
        """Return who knows a memory, since which floor and how. Raises NotFound."""
        self.derive(ctx, line.chat_id)
        return who.who(self._session.chat(line.chat_id), line.branch_id, ref)

    def secrets(self, ctx: JobContext, line: Line, limit: int = 500) -> list[Secret]:
        """Return the events and logs that only some of the cast know, the newest first."""
        self.derive(ctx, line.chat_id)
        return who.secrets(self._session.chat(line.chat_id), line.branch_id, limit)

    def present(self, ctx: JobContext, line: Line, first: int, last: int) -> list[PresentFloor]:
        """Return who perceives each of these floors."""
        self.derive(ctx, line.chat_id)
        return heard.present_floors(self._session.chat(line.chat_id), line.branch_id, first, last)

    def find(self, line: Line, log_or_message_id: str) -> Ref | None:
        """Return the memory with this id, if it is one of a message or a private log."""
        items = self._session.chat(line.chat_id).items.of_refs([log_or_message_id])
        return next(((i.kind, i.ref) for i in items), None)

    def heard(
        self, ctx: JobContext, line: Line, actor: str, first: int, last: int
    ) -> list[Message]:
        """Return what ``actor`` perceives of these floors: messages without what it does not hear.

        Messages of which it perceives nothing are left out.
        """
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return heard.heard(store, line.branch_id, Actor(self._norms(line, actor)), first, last)

    def find_text(self, ctx: JobContext, line: Line, actor: str, needle: Needle) -> TextHits:
        """Look through what ``actor`` perceived of a line for a text; says how far it is."""
        count = self._session.chat(line.chat_id).messages.count(line.branch_id)
        found: list[tuple[int, int]] = []
        for first in range(0, count, SEARCHED_AT_ONCE):
            ctx.report(first, count)
            heard_now = self.heard(ctx, line, actor, first, first + SEARCHED_AT_ONCE - 1)
            found += [(m.seq, needle.count(m.text)) for m in heard_now]
        return TextHits.of(found)

    def private_parts(
        self, line: Line, first: int, last: int
    ) -> dict[int, tuple[PrivatePart, ...]]:
        """Return thoughts and whispers by floor, as far as they are derived; derives nothing."""
        store = self._session.chat(line.chat_id)
        floors = {m.id: m.seq for m, _n in store.messages.heads(line.branch_id, (first, last), 0)}
        rows = store.presence.of(list(floors))
        return {floors[key]: tuple(row.parts) for key, row in rows.items() if row.parts}

    def say_known(
        self, line: Line, refs: Collection[Ref], name: str, *, known: bool, from_floor: int = 0
    ) -> Changes:
        """Say that somebody knows memories from a floor on, or does not. Raises InputError."""
        name = _checked(name)
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_KNOWN, {"name": name, "count": len(refs)})
        with store.step(label):
            store.knowledge.fix([KnowledgeFix(*ref, name, known, from_floor) for ref in refs])
        return self._changed(line, label)

    def unsay_known(self, line: Line, refs: Collection[Ref], name: str) -> Changes:
        """Take back what was said of somebody and these memories."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_KNOWN, {"name": name, "count": len(refs)})
        with store.step(label):
            store.knowledge.unfix(list(refs), name)
        return self._changed(line, label)

    def keep_from(self, line: Line, refs: Collection[Ref], names: Sequence[str]) -> Changes:
        """Note who must not learn these memories, in place of what was noted."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_SECRET, {"count": len(refs)})
        with store.step(label):
            store.knowledge.keep_from(list(refs), [_checked(name) for name in names])
        return self._changed(line, label)

    def say_present(
        self, line: Line, message_ids: Sequence[str], names: Sequence[str] | None
    ) -> Changes:
        """Say who perceives messages; None lets rules and models say it again."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_PRESENT, {"count": len(message_ids)})
        people = None if names is None else [_checked(name) for name in names]
        with store.step(label):
            store.presence.say(message_ids, people)
        return self._changed(line, label)

    def _norms(self, line: Line, name: str) -> frozenset[str]:
        """Return all that ``name`` is called in a chat."""
        store = self._session.chat(line.chat_id)
        revision = store.items.revision()
        entry = self._people.get(line.chat_id)
        if entry is None or entry[0] != revision:
            entry = self._people[line.chat_id] = (revision, actors.People.of(store))
        return entry[1].norms(name)

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            self._people.clear()
        else:
            self._people.pop(chat_id, None)

    def _changed(self, line: Line, label: StepLabel) -> Changes:
        return Changes(chat_id=line.chat_id, knowledge=True, undo_label=label)


def _checked(name: str) -> str:
    if not name.strip() or len(name) > 80:
        raise InputError(Phrase(_T("reports", "A name is expected.")))
    return name.strip()
