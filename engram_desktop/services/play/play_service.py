"""Play: talk with a character, or with several in one scene (design note 003 §3).

A turn is triage, a prompt by its level, a streamed reply, and what the reply changes: a message,
the state, an event, flags. The player's message is stored before a model is asked; the reply once,
when it ends or is stopped. Each action is one undo step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import (
    OnPiece,
    PlayScene,
    RecordedEvent,
    SceneMember,
    ScriptedScene,
    Started,
    Swipes,
    Turn,
    TurnNote,
)
from engram_desktop.domain.state.tree import StateOp
from engram_desktop.formats.chats.played import readings
from engram_desktop.formats.json_values import storable
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.characters import character_of
from engram_desktop.services.chats import branching, timeline
from engram_desktop.services.play import keeping, reply, scene, turns
from engram_desktop.services.play.preparing import ReplyRequest
from engram_desktop.services.play.turns import Turns

if TYPE_CHECKING:
    from pathlib import Path

    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.recall.query import Level
    from engram_desktop.domain.reports import ReflectionReport
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.pipeline_service import PipelineService
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.state import StateService

_T = QT_TRANSLATE_NOOP


class PlayService:
    """Playing chats. Floors count from 0; methods with ``ctx`` may wait for a model.

    `send`, `reply`, `go_on` and `reroll` run on one thread and can be stopped from another by
    `stop`; cancelling ``ctx`` also stores what arrived, and then raises Cancelled. They raise
    LlmError (NotConfigured without an endpoint), NotFound, InputError; the player's message is
    stored even then.
    """

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        state: StateService,
        pipeline: PipelineService,
        knowledge: KnowledgeService,
        chat_prompts: ChatPrompts,
    ) -> None:
        self._session = session
        self._state = state
        self._pipeline = pipeline
        self._turns = Turns(session, inject, state, knowledge, chat_prompts)

    def greetings(self, card_ids: Sequence[str], player: str = "") -> list[str]:
        """Return the greetings a chat with these cards may begin with, the card's own first.

        Names are filled in. With several cards, the greetings are what the first one says to a
        group.
        """
        library = self._session.library
        if not card_ids:
            return []
        cards = [character_of(library, library.characters.find(card)) for card in card_ids]
        return scene.greetings_of(cards, player or scene.last_player(library))

    def start(
        self,
        ctx: JobContext,
        card_ids: Sequence[str],
        *,
        greeting: int = 0,
        player: str = "",
        speaker: str = "",
    ) -> Started:
        """Start a chat with one card of the library, or a scene with several.

        Floor 0 holds the greeting: all greetings of the first card are its swipes, and ``greeting``
        is chosen; without greetings the chat starts empty. ``player`` is the player's name, "" for
        the one used last. ``speaker`` replies first, if it is one of the cards. Raises NotFound,
        InputError without a card.
        """
        library = self._session.library
        if speaker:
            rows = [library.characters.find(card) for card in card_ids]
            scene.member_named([SceneMember(row.name, row.id) for row in rows], speaker)
        beginning = scene.with_cards(library, card_ids, player, greeting)
        return scene.begin(library, ctx, beginning)

    def scripted_scenes(self) -> list[ScriptedScene]:
        """Return the scenes that play without a model, in every language they are written in."""
        return [written.scene for written in reply.scripts()]

    def start_scripted(
        self, ctx: JobContext, name: str, language: str, speaker: str = ""
    ) -> Started:
        """Start a scene that plays without a model, as a new chat. Raises NotFound.

        Raises it also for a ``speaker`` who is not in the scene.
        """
        written = reply.script_named(name, language)
        if speaker:
            scene.member_named([SceneMember(written.character.name)], speaker)
        return scene.begin(self._session.library, ctx, scene.of_script(written))

    def scene(self, line: Line, text: str = "") -> PlayScene:
        """Return who plays in a chat, and who replies next to ``text``.

        That is who is named in the text, or else the next in turn.
        """
        store, library = self._session.chat(line.chat_id), self._session.library
        header = scene.play_header(store, line.branch_id)
        members = scene.members_of(library, store, header)
        member = scene.next_member(members, store, line.branch_id, text)
        suggestion = ""
        if header.script:
            said = store.messages.said_by_user(line.branch_id, store.messages.count(line.branch_id))
            turn = reply.script_named(header.script, header.language).turn(said)
            suggestion = turn.say if turn else ""
        return PlayScene(
            scene.player_of(store, header),
            tuple(members),
            member.name if member else "",
            header.script,
            suggestion,
        )

    def check_speaker(self, line: Line, name: str) -> None:
        """Raise NotFound if nobody of this name can reply in the chat."""
        self._turns.speaker(line, name, "")

    def send(
        self,
        ctx: JobContext,
        line: Line,
        text: str,
        *,
        speaker: str = "",
        level: Level | None = None,
        on_piece: OnPiece | None = None,
    ) -> Turn:
        """Send ``text`` as the player; ``speaker``, or the next in turn, replies.

        ``level`` None: a light model or rules decide. An empty text makes a character speak again,
        as in `reply`.
        """
        text = storable(text)
        if not text.strip():
            return self.reply(ctx, line, speaker=speaker, level=level, on_piece=on_piece)
        member = self._turns.speaker(line, speaker, text)
        group, changes = self._turns.say(ctx, line, text)
        until = self._count(line) - 1
        asked = ReplyRequest(line, member, text, until, level, group=group)
        turn = self._turns.make(ctx, asked, on_piece)
        return replace(turn, changes=changes | turn.changes)

    def reply(
        self,
        ctx: JobContext,
        line: Line,
        *,
        speaker: str = "",
        level: Level | None = None,
        on_piece: OnPiece | None = None,
    ) -> Turn:
        """Make ``speaker`` reply to the present messages, without a message of the player.

        Also used to repeat a turn whose reply failed.
        """
        until = self._count(line) - 1
        text = self._turns.last_said(line, until)
        member = self._turns.speaker(line, speaker, "")
        return self._turns.make(ctx, ReplyRequest(line, member, text, until, level), on_piece)

    def go_on(self, ctx: JobContext, line: Line, *, on_piece: OnPiece | None = None) -> Turn:
        """Continue the newest reply where it ends; its swipe becomes longer.

        ``on_piece`` gets the new text only. Raises InputError if the newest message is no reply.
        """
        newest = self._newest_reply(line)
        member = self._turns.speaker(line, newest.name, "")
        text = self._turns.last_said(line, newest.seq)
        asked = ReplyRequest(line, member, text, newest.seq, None, newest, goes_on=True)
        return self._turns.make(ctx, asked, on_piece)

    def reroll(
        self,
        ctx: JobContext,
        line: Line,
        *,
        level: Level | None = None,
        on_piece: OnPiece | None = None,
    ) -> Turn:
        """Ask for the newest reply again; the answer becomes a new swipe and is chosen.

        What the former swipe changed (state, event, flags) is undone while it is not chosen. If
        nothing arrives, the former swipe stays chosen. Raises InputError if the newest message is
        no reply.
        """
        newest = self._newest_reply(line)
        member = self._turns.speaker(line, newest.name, "")
        text = self._turns.last_said(line, newest.seq - 1)
        asked = ReplyRequest(line, member, text, newest.seq - 1, level, newest)
        return self._turns.make(ctx, asked, on_piece)

    def stop(self, line: Line) -> bool:
        """Stop the reply that streams on a line, from any thread; False if none does.

        What has arrived is stored as the message; nothing if no text has.
        """
        return self._turns.stop(line)

    def swipes(self, line: Line, floor: int) -> Swipes:
        """Return all readings (swipes) of a message. Raises NotFound."""
        parsed = self._turns.keeper(line).parsed(floor)
        return Swipes(*readings(parsed.raw, parsed.text))

    def swipe(self, line: Line, floor: int, number: int) -> Changes:
        """Choose another reading of a message, with what it changed. Raises NotFound."""
        return turns.swipe(self._turns.keeper(line), floor, number)

    def edit(self, line: Line, floor: int, text: str) -> Changes:
        """Change the text of a message; what the turn changed stays, except for its event.

        The event is deleted with the words it was made from. Raises NotFound.
        """
        return turns.edit(self._turns.keeper(line), floor, storable(text))

    def delete_last(self, line: Line, count: int = 1) -> Changes:
        """Delete the newest messages and what they changed. Raises NotFound if there are fewer."""
        return timeline.delete_last(self._session.chat(line.chat_id), count, line.branch_id)

    def fork(self, line: Line, at: int, name: str = "") -> Started:
        """Make a branch that shares the floors up to ``at``, to play on from there.

        Raises InputError.
        """
        store = self._session.chat(line.chat_id)
        branch_id, changes = branching.fork(store, line.branch_id, at, name)
        return Started(Line(line.chat_id, branch_id), changes)

    def export_chat(self, ctx: JobContext, line: Line, target: Path) -> int:
        """Write a line to a new SillyTavern chat file; returns how many messages it holds.

        Raises FileExists, NotFound, StorageError.
        """
        store = self._session.chat(line.chat_id)
        return scene.write_chat(ctx, store, line.branch_id, target)

    def notes(self, line: Line, first: int, last: int) -> dict[int, TurnNote]:
        """Return the turn notes of floors ``first``..``last``, both included, by floor.

        Messages that were not played here have none. Reads these floors only.
        """
        return keeping.notes_of(self._session.chat(line.chat_id), line.branch_id, first, last)

    def correct_level(self, line: Line, floor: int, level: Level) -> Changes:
        """Correct the level of a turn, and its counts in the state. Raises NotFound."""
        return turns.correct_level(self._turns.keeper(line), floor, level, self._would(line))

    def correct_state(self, line: Line, floor: int, ops: Sequence[StateOp]) -> Changes:
        """Replace the state changes of a reply by ``ops``; later floors follow. Raises NotFound."""
        return turns.correct_state(self._turns.keeper(line), floor, ops, self._would(line))

    def correct_event(self, line: Line, floor: int, event: RecordedEvent | None) -> Changes:
        """Replace the event that a turn recorded by ``event``; None: it recorded none.

        Raises NotFound.
        """
        return turns.correct_event(self._turns.keeper(line), floor, event, self._would(line))

    def close_session(self, ctx: JobContext, line: Line) -> ReflectionReport:
        """Close a session: look back on everything new, the newest floors included.

        Raises MemoryOff, NotConfigured.
        """
        first = self._session.chat(line.chat_id).floors_reflected(line.branch_id)
        return self._pipeline.reflect(ctx, line, (first, self._count(line) - 1))

    def _count(self, line: Line) -> int:
        return self._session.chat(line.chat_id).messages.count(line.branch_id)

    def _newest_reply(self, line: Line) -> Message:
        """Return the newest message. Raises InputError if it is no reply."""
        messages = self._session.chat(line.chat_id).messages
        last = self._count(line) - 1
        newest = messages.slice(line.branch_id, last, last) if last >= 0 else []
        if not newest or newest[0].role != "assistant":
            raise InputError(Phrase(_T("reports", "The newest message is no reply.")))
        return newest[0]

    def _would(self, line: Line) -> turns.WouldChange:
        return lambda at, blocks: self._state.would_change(NullContext(), line, at, blocks)
