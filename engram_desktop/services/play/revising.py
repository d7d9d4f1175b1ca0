"""Change what was played: another reading, another text, other things that a turn left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.labels import EDIT_MESSAGE, PLAY_CORRECT, PLAY_SWIPE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play.event_block import event_of
from engram_desktop.domain.state.tree import StateChange, StateOp
from engram_desktop.formats.chats.played import (
    Played,
    event_fields,
    played_of,
    readings,
    update_block,
    with_chosen,
    with_text,
)
from engram_desktop.services.chats import timeline
from engram_desktop.services.play.level import count_path
from engram_desktop.services.play.notes import note_text, notes_of

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.play.pieces import RecordedEvent
    from engram_desktop.domain.play.turn import TurnNote
    from engram_desktop.domain.recall.triage import Level
    from engram_desktop.services.play.keeping import Keeper

_T = QT_TRANSLATE_NOOP
# What blocks of a reply would change after a floor, and what of them not.
WouldChange = Callable[[int, str], tuple[Sequence[StateChange], Sequence[Phrase]]]


def swipe(keeper: Keeper, floor: int, number: int) -> Changes:
    """Choose another reading of a message. Raises NotFound, InputError."""
    read, before = keeper.message(floor), keeper.parsed(floor)
    texts, chosen = readings(before.raw, before.text)
    if not 0 <= number < len(texts):
        raise InputError(Phrase(_T("reports", "There is no reading {number}."), number=number + 1))
    message = with_chosen(before, number)
    label = StepLabel(PLAY_SWIPE, {"number": number + 1, "floor": floor})
    if number == chosen:
        return timeline.edit_message(keeper.store, floor, before.text, keeper.branch_id)
    return keeper.put(label, read, message, played_of(message.raw), number, None)


def edit(keeper: Keeper, floor: int, text: str) -> Changes:
    """Give a message another text; what its turn left stays, but for the event. Raises NotFound."""
    read, before = keeper.message(floor), keeper.parsed(floor)
    played = played_of(before.raw)
    if played is None or text == before.text:
        return timeline.edit_message(keeper.store, floor, text, keeper.branch_id)
    played = replace(played, event=None)
    chosen = readings(before.raw, before.text)[1]
    label = StepLabel(EDIT_MESSAGE, {"floor": floor})
    message = with_text(before, text, played)
    return keeper.put(label, read, message, played, chosen, None)


def correct_level(keeper: Keeper, floor: int, level: Level, would: WouldChange) -> Changes:
    """Say what a turn was. Raises NotFound, InputError."""
    played, note = _left(keeper, floor)
    counted = ""
    if level == "ROUTINE":
        path = count_path(note.intent)
        if not any(change.path == path for change in would(floor - 1, played.update)[0]):
            counted = update_block([StateOp("add", path, 1)])
    played = replace(played, level=level, counted=counted)
    return _corrected(keeper, floor, played, replace(note, level=level, level_by="hand"), would)


def correct_state(
    keeper: Keeper, floor: int, ops: Sequence[StateOp], would: WouldChange
) -> Changes:
    """Put ``ops`` in place of what a reply changed. Raises NotFound, InputError."""
    played, note = _left(keeper, floor)
    return _corrected(keeper, floor, replace(played, update=update_block(ops)), note, would)


def correct_event(
    keeper: Keeper, floor: int, event: RecordedEvent | None, would: WouldChange
) -> Changes:
    """Put ``event`` in place of what a turn recorded. Raises NotFound, InputError."""
    played, note = _left(keeper, floor)
    if event is not None:
        event = event_of(event_fields(event))  # as one that a reply records
        if event is None:
            raise InputError(Phrase(_T("reports", "The summary must say what happened.")))
    return _corrected(keeper, floor, replace(played, event=event), note, would)


def _left(keeper: Keeper, floor: int) -> tuple[Played, TurnNote]:
    """Return what a turn left. Raises NotFound, InputError for a message that was not played."""
    played = played_of(keeper.parsed(floor).raw)
    note = notes_of(keeper.store, keeper.branch_id, floor, floor).get(floor)
    if played is None or note is None:
        raise InputError(Phrase(_T("reports", "Floor {floor} was not played here."), floor=floor))
    return played, note


def _corrected(
    keeper: Keeper, floor: int, played: Played, note: TurnNote, would: WouldChange
) -> Changes:
    read, before = keeper.message(floor), keeper.parsed(floor)
    changes, notices = would(floor - 1, played.updates)
    note = replace(note, state=tuple(changes), notices=tuple(notices))
    message = with_text(before, before.text, played)
    swipe_number = readings(before.raw, before.text)[1]
    label = StepLabel(PLAY_CORRECT, {"floor": floor})
    return keeper.correct(label, read, message.raw, played, swipe_number, note_text(note))
