"""Notes of turns: read of a page of floors and nothing but that page, and written as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play.turn import Recalled, TurnNote
from engram_desktop.domain.state.tree import StateChange
from engram_desktop.formats.chats.played import PLAYED, Played, played_of, readings
from engram_desktop.formats.json_values import row_of

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore


def notes_of(store: ChatStore, branch_id: str, first: int, last: int) -> dict[int, TurnNote]:
    """Return notes by floor; a branch's own copy of a message knows what the message holds."""
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
    """Write what only a note knows; what the message holds too is read from there."""
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
    """Read a note back. ``place`` is floor, message id and swipe; an empty text knows little."""
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
