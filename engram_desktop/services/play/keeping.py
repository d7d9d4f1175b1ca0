"""Store turns of play: their messages, events and notes.

Everything of a turn is stored in one step. An event that a reply recorded belongs to that reading
of the message: it is deleted when another reading is chosen, the text is edited or the message is
deleted, and comes back with its reading.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.chats import EditScript
from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.graph.entity import cast_role
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction, StructuredKv
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import Recalled, TurnNote
from engram_desktop.domain.state.tree import StateChange
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import PLAYED, Played, played_of, readings
from engram_desktop.formats.json_values import row_of
from engram_desktop.services.events.blocks import make_event
from engram_desktop.storage.chat.messages import NoteRow

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
    from engram_desktop.domain.play import RecordedEvent
    from engram_desktop.storage.chat.chat_store import ChatStore


_T = QT_TRANSLATE_NOOP
SIGNIFICANCE = 0.7  # significance of an event that a reply records, above that of extracted events
_LOOKED_BACK = 8  # messages before a reply that may be the player's part of the same turn


@dataclass(frozen=True, slots=True)
class Keeper:
    """Stores turns of play on one branch of a chat."""

    store: ChatStore
    branch_id: str
    renderer: Callable[[str], StoryRenderer]
    player: str

    def add(
        self,
        label: StepLabel,
        message: ParsedMessage,
        played: Played,
        swipe: int,
        note: str,
        group: int | None,
    ) -> tuple[int, Changes]:
        """Append a reply; returns its floor and the changes."""
        store = self.store
        with store.step(label, group):
            floor = store.messages.count(self.branch_id)
            store.messages.append(self.branch_id, floor, [message])
            changes = self._settle(floor, (), played, swipe, note)
        return floor, replace(changes, undo_label=label)

    def put(
        self,
        label: StepLabel,
        read: Message,
        message: ParsedMessage,
        played: Played | None,
        swipe: int,
        note: str | None,
    ) -> Changes:
        """Replace a message by another reading of it.

        Raises Conflict if it has changed meanwhile.
        """
        store, floor = self.store, read.seq
        with store.step(label):
            old = self.message(floor)
            if (old.id, old.swipe_hash) != (read.id, read.swipe_hash):
                raise Conflict(Phrase(_T("reports", "the chat has other messages now")))
            gone = self._forget(old.id)
            tail = store.messages.count(self.branch_id) - floor - 1
            script = EditScript(((0, 0),), frozenset({0}))
            rewritten = store.rewrite(self.branch_id, floor, script, (message,), tail=tail)
            changes = self._settle(floor, gone, played, swipe, note)
        touched = rewritten.stale | rewritten.gone | rewritten.moved
        return replace(
            changes,
            events=changes.events | touched,
            entities=frozenset(rewritten.entities),
            counts=True,
            branches=bool(rewritten.branches),
            undo_label=label,
        )

    def correct(
        self, label: StepLabel, read: Message, raw: str, played: Played, swipe: int, note: str
    ) -> Changes:
        """Change what a turn left without its text. Raises InputError for a shared floor."""
        store = self.store
        if read.branch_id != self.branch_id:
            raise InputError(
                Phrase(
                    _T(
                        "reports",
                        "Floor {floor} belongs to the branch this one was forked from:"
                        " change it there.",
                    ),
                    floor=read.seq,
                )
            )
        with store.step(label):
            gone = self._forget(read.id)
            store.messages.put_raw(read.id, raw)
            changes = self._settle(read.seq, gone, played, swipe, note)
        return replace(changes, undo_label=label)

    def message(self, floor: int) -> Message:
        """Return a message. Raises NotFound."""
        messages = self.store.messages.slice(self.branch_id, floor, floor)
        if not messages:
            raise NotFound("message", floor)
        return messages[0]

    def parsed(self, floor: int) -> ParsedMessage:
        """Return a message with its JSON. Raises NotFound."""
        messages = self.store.messages.as_parsed(self.branch_id, floor, floor)
        if not messages:
            raise NotFound("message", floor)
        return messages[0]

    def _settle(
        self, floor: int, gone: Iterable[int], played: Played | None, swipe: int, note: str | None
    ) -> Changes:
        """Store note and event of the message that is on ``floor`` now."""
        store, message = self.store, self.message(floor)
        events = set(gone)
        if played is not None:
            event_id = ""
            if played.event is not None and played.level != "ROUTINE":
                pk, event_id = self._record(played.event, floor, played.speaker)
                events.add(pk)
            stored = store.turn_notes.of([message.id]).get(message.id, {}).get(swipe)
            text = note if note is not None else stored.note if stored else "{}"
            row = NoteRow(message.id, swipe, played.level, event_id, text)
            store.turn_notes.put(row)
            first = self._mark_said(floor, played)
            store.messages.update_turn_items(self.branch_id, first, floor)
        else:
            store.turn_notes.choose(message.id, swipe)
        is_any = bool(events)
        return Changes(
            chat_id=store.chat_id,
            events=frozenset(events),
            messages=True,
            state=True,
            rows=is_any,
            counts=is_any,
            graph=is_any,
        )

    def _mark_said(self, floor: int, played: Played) -> int:
        """Give the player's messages of this turn the turn's level; returns its first floor."""
        first = max(0, floor - _LOOKED_BACK)
        before = self.store.messages.slice(self.branch_id, first, floor - 1) if floor else []
        for message in reversed(before):
            if message.role != "user" or message.branch_id != self.branch_id:
                return message.seq + 1
            self.store.turn_notes.put(NoteRow(message.id, 0, played.level))
        return floor - len(before)

    def _record(self, event: RecordedEvent, floor: int, speaker: str) -> tuple[int, str]:
        """Store a recorded event in the buffer; returns its key and id."""
        store, names = self.store, self._people(event, speaker)
        data = PlotExtraction(
            event.summary,
            keywords=event.tags,
            location=event.location,
            entities=tuple(ExtractedEntity(name, "char") for name in names),
            structured_kv=StructuredKv(role=names, location=event.location, event=event.kind),
            significance_score=SIGNIFICANCE,
        )
        now = store.clock()
        node = make_event(
            data,
            SourceRange(floor, floor),
            now,
            "llm",
            self.renderer(event.summary),
            self.branch_id,
        )
        (pk,) = store.events.add([node], now)
        return pk, node.id

    def _people(self, event: RecordedEvent, speaker: str) -> tuple[str, ...]:
        """Return the participants by the names the story uses; “player” and “主角” become names."""
        by_role = {"user": self.player, "char": speaker}
        names = (by_role.get(cast_role(name) or "", name) for name in event.participants)
        return tuple(dict.fromkeys(name for name in names if name)) or (speaker, self.player)

    def _forget(self, message_id: str) -> set[int]:
        """Tombstone events recorded here by readings of a message; returns their keys."""
        store = self.store
        rows = store.turn_notes.of([message_id]).get(message_id, {}).values()
        events = store.events.by_ids([row.event_id for row in rows if row.event_id])
        pks = [event.pk for event in events if event.branch_id == self.branch_id]
        store.events.delete(pks, store.clock())
        store.entities.refresh_items(store.entities.of_events(pks))
        return set(pks)


def notes_of(store: ChatStore, branch_id: str, first: int, last: int) -> dict[int, TurnNote]:
    """Return the turn notes of floors ``first``..``last``, by floor; reads only these floors.

    A message that a branch copied has no note of its own; then the note holds what the message's
    JSON says.
    """
    messages = store.messages.slice(branch_id, first, last)
    raws = {i: raw for i, _hash, raw in store.messages.raws(branch_id, first, last)}
    stored = store.turn_notes.of([m.id for m in messages if PLAYED in raws[m.id]])
    ids = [row.event_id for notes in stored.values() for row in notes.values() if row.event_id]
    pks = {event.id: event.pk for event in store.events.by_ids(ids, branch_id)}
    notes = {}
    for message in messages:
        played = played_of(raws[message.id])
        if played is None:
            continue
        swipe = readings(raws[message.id], message.text)[1]
        row = stored.get(message.id, {}).get(swipe)
        event_pk = pks.get(row.event_id) if row else None
        place = (message.seq, message.id, swipe)
        notes[message.seq] = note_of(place, row.note if row else "", played, event_pk)
    return notes


def note_text(note: TurnNote) -> str:
    """Return the JSON of a note, without what the message itself holds."""
    return json.dumps(
        {
            "speaker": note.speaker,
            "level_by": note.level_by,
            "level_why": note.level_why,
            "intent": note.intent,
            "directives": note.directives,
            "recalled": [
                [r.kind, r.ref, r.text, r.start_index, r.end_index, r.rank] for r in note.recalled
            ],
            "state": [_change_row(change) for change in note.state],
            "notices": [_phrase_row(notice) for notice in note.notices],
            "expression": note.expression,
            "thought": note.thought,
            "ending": note.ending,
            "tool_way": note.tool_way,
            "model": note.model,
            "tokens": [note.prompt_tokens, note.completion_tokens],
        },
        ensure_ascii=False,
    )


def note_of(
    place: tuple[int, str, int], text: str, played: Played, event_pk: int | None
) -> TurnNote:
    """Parse a note. ``place`` is floor, message id and swipe; ``text`` may be empty."""
    row = row_of(text)
    floor, message_id, swipe = place
    tokens = row.get("tokens", [0, 0])
    return TurnNote(
        floor,
        message_id,
        swipe,
        speaker=row.get("speaker", played.speaker),
        level=played.level,
        level_by=row.get("level_by", "rules"),
        level_why=row.get("level_why", ""),
        intent=row.get("intent", ""),
        directives=row.get("directives", {}),
        recalled=tuple(Recalled(*fields) for fields in row.get("recalled", [])),
        state=tuple(_change(part) for part in row.get("state", [])),
        notices=tuple(_phrase(part) for part in row.get("notices", [])),
        event=played.event,
        event_pk=event_pk,
        flags=played.flags,
        expression=row.get("expression", ""),
        thought=row.get("thought", ""),
        ending=row.get("ending", "done"),
        tool_way=row.get("tool_way", "tags"),
        model=row.get("model", ""),
        prompt_tokens=tokens[0],
        completion_tokens=tokens[1],
    )


def _change_row(change: StateChange) -> list[Any]:
    fault = None if change.fault is None else _phrase_row(change.fault)
    return [list(change.path), change.old, change.new, change.reason, fault]


def _change(row: list[Any]) -> StateChange:
    path, old, new, reason, fault = row
    return StateChange(tuple(path), old, new, reason, None if fault is None else _phrase(fault))


def _phrase_row(phrase: Phrase) -> list[Any]:
    params = {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in phrase.params.items()
    }
    return [phrase.template, phrase.context, params]


def _phrase(row: list[Any]) -> Phrase:
    template, context, params = row
    return Phrase(template, context, **cast("dict[str, Any]", params))
