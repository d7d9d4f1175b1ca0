"""Turns of play: judge, prompt, stream the reply, store its effects; revise them later."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import (
    EDIT_MESSAGE,
    PLAY_CORRECT,
    PLAY_GO_ON,
    PLAY_REPLY,
    PLAY_REROLL,
    PLAY_SAY,
    PLAY_SWIPE,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import BadAnswer, Conflict, InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message, ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import OnPiece, Recalled, SceneMember, Turn, TurnNote, event_of
from engram_desktop.domain.recall.query import Injection, Triage
from engram_desktop.domain.state.tree import StateChange, StateOp
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats import played as rows
from engram_desktop.formats.chats import state_updates
from engram_desktop.formats.chats.played import (
    Played,
    event_fields,
    played_of,
    readings,
    update_block,
    with_chosen,
    with_text,
)
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.services.chats import timeline
from engram_desktop.services.events.blocks import renderer_of
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.play import scene
from engram_desktop.services.play.keeping import Keeper, note_of, note_text, notes_of
from engram_desktop.services.play.preparing import Judged, Preparation, ReplyRequest, count_path
from engram_desktop.services.play.reply import (
    ReceivedReply,
    ReplySource,
    Stoppable,
    called,
    stream_reply,
)
from engram_desktop.services.play.scene import sent_at_text

if TYPE_CHECKING:
    from engram_desktop.domain.play import RecordedEvent
    from engram_desktop.domain.recall.query import Level
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.state import StateService
    from engram_desktop.storage.chat.chat_store import ChatStore


_T = QT_TRANSLATE_NOOP
FLAGS = "flags"  # state path of the flags that the story has set
_MAX_THOUGHT = 4_000  # characters stored of a thought
_MAX_SHOWN = 500  # characters stored of a recalled memory


@dataclass(frozen=True, slots=True)
class ReplyEffects:
    """The effects of a reply that are stored, and remarks on what could not be.

    Effects are changes of the state, an event and flags, depending on the level of the turn.
    """

    played: Played
    notices: tuple[Phrase, ...] = ()
    expression: str = ""
    thought: str = ""

    def counting(self, triage: Triage) -> ReplyEffects:
        """Add the count of a routine turn, unless the reply counts itself."""
        path = count_path(triage.intent)
        ops = state_updates.updates_in(self.played.update).ops
        if triage.level != "ROUTINE" or any(op.path == path for op in ops):
            return self
        block = update_block([StateOp("add", path, 1)])
        return replace(self, played=replace(self.played, counted=block))


def effects_of(answer: ReceivedReply, triage: Triage, speaker: str) -> ReplyEffects:
    """Combine what the tags and the tool calls of an answer say."""
    tags, calls = answer.tags, called(answer.calls)
    events = [*tags.events, *calls.events]
    flags = tuple(dict.fromkeys((*tags.flags, *calls.flags)))
    notices: list[Phrase] = []
    if events and triage.level == "ROUTINE":
        notices.append(Phrase(_T("reports", "a routine turn leaves no event")))
    if len(events) > 1:
        notices.append(
            Phrase(_T("reports", "only the first of {count} events is kept"), count=len(events))
        )
    ops = [*calls.ops, *(StateOp("set", (FLAGS, flag), True) for flag in flags)]
    update = "\n".join(part for part in (*tags.updates, update_block(ops)) if part)
    if answer.fault is not None:
        notices.append(answer.fault.phrase)
    played = Played(triage.level, update, "", events[0] if events else None, flags, speaker)
    thought = "\n".join(part for part in (answer.thought.strip(), tags.thought) if part)
    return ReplyEffects(played, tuple(notices), calls.expression, thought[:_MAX_THOUGHT])


def recalled_of(injection: Injection | None) -> tuple[Recalled, ...]:
    """Return the memories a prompt was given, best first."""
    if injection is None:
        return ()
    return tuple(
        Recalled(
            hit.item.kind,
            hit.item.ref,
            hit.item.content[:_MAX_SHOWN],
            -1 if hit.item.volume else hit.item.start_index,
            -1 if hit.item.volume else hit.item.end_index,
            rank,
        )
        for rank, hit in enumerate(injection.hits, start=1)
    )


def joined(before: Played | None, after: Played) -> Played:
    """Return the effects of a reply together with those of its continuation."""
    if before is None:
        return after
    update = "\n".join(part for part in (before.update, after.update) if part)
    return replace(
        before,
        update=update,
        event=before.event or after.event,
        flags=tuple(dict.fromkeys((*before.flags, *after.flags))),
    )


_LOOKED_BACK = 20  # messages before a reply searched for the player's last


class Turns:
    """Makes replies, one at a time on a line."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        state: StateService,
        knowledge: KnowledgeService,
        chat_prompts: ChatPrompts,
    ) -> None:
        self._session = session
        self._state = state
        self._preparation = Preparation(session, inject, state, knowledge, chat_prompts)
        self._streaming: dict[Line, Stoppable] = {}
        self._lock = threading.Lock()

    def stop(self, line: Line) -> bool:
        """Stop the reply that streams on a line; False if there is none."""
        with self._lock:
            current = self._streaming.get(line)
        if current is not None:
            current.stop()
        return current is not None

    def say(self, ctx: JobContext, line: Line, text: str) -> tuple[int, Changes]:
        """Store the player's message; returns the undo group and the changes."""
        store = self._session.chat(line.chat_id)
        player = scene.player_of(store, scene.play_header(store, line.branch_id))

        def unit() -> tuple[int, Changes]:
            now, floor = store.clock(), store.messages.count(line.branch_id)
            row = rows.new_row(player, text, sent_at_text(now), is_user=True)
            raw = json.dumps(row, ensure_ascii=False)
            message = ParsedMessage(player, "user", text, False, now, raw, 0)
            label = StepLabel(PLAY_SAY, {"floor": floor})
            with store.step(label) as group:
                store.messages.append(line.branch_id, floor, [message])
            return group, Changes(chat_id=line.chat_id, messages=True, undo_label=label)

        return ctx.write(unit)

    def speaker(self, line: Line, name: str, text: str) -> SceneMember:
        """Return who replies: by name, or the next in turn. Raises NotFound, InputError."""
        store, library = self._session.chat(line.chat_id), self._session.library
        header = scene.play_header(store, line.branch_id)
        members = scene.members_of(library, store, header)
        if name:
            return scene.member_named(members, name)
        member = scene.next_member(members, store, line.branch_id, text)
        if member is None:
            raise InputError(Phrase(_T("reports", "Nobody in this chat can reply.")))
        return member

    def last_said(self, line: Line, until: int) -> str:
        """Return the last text of the player, up to a floor."""
        messages = self._session.chat(line.chat_id).messages.slice(
            line.branch_id, max(0, until - _LOOKED_BACK), until
        )
        return next((m.text for m in reversed(messages) if m.role == "user"), "")

    def make(self, ctx: JobContext, asked: ReplyRequest, on_piece: OnPiece | None) -> Turn:
        """Make one reply and store it. Raises LlmError, InputError, Cancelled."""
        store = self._session.chat(asked.line.chat_id)
        recorder = CallRecorder(store, ctx, self._session.meter, "play")
        with self._held(ctx, asked.line) as switch, recorder.kept():
            prepare = self._preparation
            judged = prepare.judge(switch, asked)
            voice = prepare.voice(asked, recorder, is_watched=on_piece is not None)
            injection = prepare.recall(switch, asked, judged.triage)
            wanted = prepare.request(switch, asked, judged.triage, injection)
            answer = stream_reply(switch, voice, wanted, on_piece)
        turn = self._keep(ctx, asked, judged, injection, answer, (voice, recorder))
        if answer.is_cancelled:
            raise Cancelled
        return turn

    @contextmanager
    def _held(self, ctx: JobContext, line: Line) -> Iterator[Stoppable]:
        """Register the reply as the only one streaming on the line, so that `stop` finds it."""
        switch = Stoppable(ctx)
        with self._lock:
            if line in self._streaming:
                raise InputError(Phrase(_T("reports", "A reply is being written here already.")))
            self._streaming[line] = switch
        try:
            yield switch
        finally:
            with self._lock:
                del self._streaming[line]

    def keeper(self, line: Line) -> Keeper:
        """Return the `Keeper` that stores turns on a line."""
        store = self._session.chat(line.chat_id)
        player = scene.player_of(store, scene.play_header(store, line.branch_id))
        return Keeper(
            store, line.branch_id, lambda text: renderer_of(self._session, store, text), player
        )

    def _keep(
        self,
        ctx: JobContext,
        asked: ReplyRequest,
        judged: Judged,
        injection: Injection | None,
        answer: ReceivedReply,
        cost: tuple[ReplySource, CallRecorder],
    ) -> Turn:
        reply = answer.tags.reply
        left = effects_of(answer, judged.triage, asked.speaker.name)
        if not reply.strip():
            if answer.ending == "stopped":
                return Turn(Changes(chat_id=asked.line.chat_id))
            raise BadAnswer(Phrase(_T("reports", "it holds no reply")), raw=answer.tags.thought)
        voice, recorder = cost
        left = left.counting(judged.triage)
        changed, notices = self._state.would_change(
            ctx, asked.line, asked.until, left.played.updates
        )
        note = TurnNote(
            0,
            "",
            speaker=asked.speaker.name,
            level=judged.triage.level,
            level_by=judged.by,
            level_why=judged.triage.reasoning,
            intent=judged.triage.intent,
            directives=judged.triage.directives,
            recalled=recalled_of(injection),
            state=tuple(changed),
            notices=(*left.notices, *notices),
            expression=left.expression,
            thought=left.thought,
            ending=answer.ending,
            tool_way=answer.way,
            model=voice.model,
            prompt_tokens=recorder.prompt_tokens,
            completion_tokens=recorder.completion_tokens,
        )

        def unit() -> Turn:
            return self._stored(asked, answer, left.played, note)

        if answer.is_cancelled:  # a cancelled context would not write; the lock keeps the order
            return unit()
        return ctx.write(unit)

    def _stored(
        self, asked: ReplyRequest, answer: ReceivedReply, played: Played, note: TurnNote
    ) -> Turn:
        keeper, reply, name = self.keeper(asked.line), answer.tags.reply, asked.speaker.name
        if asked.reading is None:
            message = self._new_message(keeper.store, asked, reply, played)
            label = StepLabel(PLAY_REPLY, {"name": name, "floor": asked.until + 1})
            if keeper.store.messages.count(asked.line.branch_id) != asked.until + 1:
                raise Conflict(Phrase(_T("reports", "the chat has other messages now")))
            floor, changes = keeper.add(label, message, played, 0, note_text(note), asked.group)
            return self._told(keeper, floor, reply, changes)
        floor = asked.reading.seq
        before = keeper.parsed(floor)
        if asked.goes_on:
            played = joined(played_of(before.raw), played)
            text = before.text + answer.lead + reply
            message = rows.with_text(before, text, played)
            note = self._continued(keeper, asked.reading, before, note)
            label = StepLabel(PLAY_GO_ON, {"floor": floor})
        else:
            text = reply
            message = rows.with_reading(before, text, played)
            label = StepLabel(PLAY_REROLL, {"name": name, "floor": floor})
        swipe = readings(message.raw, text)[1]
        changes = keeper.put(label, asked.reading, message, played, swipe, note_text(note))
        return self._told(keeper, floor, text, changes)

    def _continued(
        self, keeper: Keeper, read: Message, before: ParsedMessage, note: TurnNote
    ) -> TurnNote:
        """Join the note of a continuation to the note of the reply it continues."""
        store = keeper.store
        swipe = readings(before.raw, before.text)[1]
        row = store.turn_notes.of([read.id]).get(read.id, {}).get(swipe)
        if row is None:
            return note
        old = note_of((read.seq, read.id, swipe), row.note, Played(row.level), None)
        return replace(
            note,
            recalled=old.recalled or note.recalled,
            state=(*old.state, *note.state),
            notices=(*old.notices, *note.notices),
            thought="\n".join(filter(None, (old.thought, note.thought))),
            prompt_tokens=old.prompt_tokens + note.prompt_tokens,
            completion_tokens=old.completion_tokens + note.completion_tokens,
        )

    def _new_message(
        self, store: ChatStore, asked: ReplyRequest, reply: str, played: Played
    ) -> ParsedMessage:
        now, name = store.clock(), asked.speaker.name
        avatar = ""
        if asked.speaker.card_id:
            avatar = self._session.library.characters.find(asked.speaker.card_id).avatar
        row = rows.new_row(name, "", sent_at_text(now)) | {"swipes": [""], "swipe_id": 0}
        if avatar:
            row["original_avatar"] = avatar
        raw = json.dumps(row, ensure_ascii=False)
        message = ParsedMessage(name, "assistant", "", False, now, raw, 0, avatar)
        return rows.with_text(message, reply, played)

    def _told(self, keeper: Keeper, floor: int, text: str, changes: Changes) -> Turn:
        return Turn(
            changes, floor, text, notes_of(keeper.store, keeper.branch_id, floor, floor).get(floor)
        )


# Returns what update blocks of a reply would change after a floor, and what is refused.
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
    """Change the text of a message; effects of its turn stay, except the event. Raises NotFound."""
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
    """Correct the level of a turn. Raises NotFound, InputError."""
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
    """Replace the state changes of a reply by ``ops``. Raises NotFound, InputError."""
    played, note = _left(keeper, floor)
    return _corrected(keeper, floor, replace(played, update=update_block(ops)), note, would)


def correct_event(
    keeper: Keeper, floor: int, event: RecordedEvent | None, would: WouldChange
) -> Changes:
    """Replace the event that a turn recorded by ``event``. Raises NotFound, InputError."""
    played, note = _left(keeper, floor)
    if event is not None:
        event = event_of(event_fields(event))  # normalise it like an event that a reply records
        if event is None:
            raise InputError(Phrase(_T("reports", "The summary must say what happened.")))
    return _corrected(keeper, floor, replace(played, event=event), note, would)


def _left(keeper: Keeper, floor: int) -> tuple[Played, TurnNote]:
    """Return effects and note of a turn. Raises NotFound, InputError if it was not played here."""
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
