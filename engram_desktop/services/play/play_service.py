"""Play: talk with a character, or several in one scene (design note 003 §3).

A turn is triage, a prompt by its level, a streamed reply, and what the reply leaves: a message, the
state, an event, flags. The player's message is stored before anything is asked of a model; the
reply once, when it ends or is stopped. Each action is one step that undo takes back.
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
from engram_desktop.services.pipeline import reflect
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
    """Playing chats. Floors count from 0; methods that take ``ctx`` may wait for a model.

    `send`, `reply`, `go_on` and `reroll` run on one thread and may be stopped from another by
    `stop`; a cancelled ``ctx`` stores what arrived as well, and then raises Cancelled. They raise
    LlmError (NotConfigured where there is no endpoint), NotFound, InputError; the player's message
    is stored all the same.
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
        """Return how a chat with these cards may begin, the card's own first; names filled in.

        With several cards it is what the first of them says to a group.
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
        """Begin a chat with one card of the library, or a scene with several.

        Its floor 0 is the greeting, all of the first card's greetings are its swipes, ``greeting``
        is chosen; a card without one begins with nothing. ``player`` is the player's name, empty
        for the last one used. ``speaker`` is who is to reply first, if that is somebody of these.
        Raises NotFound, InputError for no card.
        """
        library = self._session.library
        if speaker:
            rows = [library.characters.find(card) for card in card_ids]
            scene.member_named([SceneMember(row.name, row.id) for row in rows], speaker)
        beginning = scene.with_cards(library, card_ids, player, greeting)
        return scene.begin(library, ctx, beginning)

    def scripted_scenes(self) -> list[ScriptedScene]:
        """Scenes that play without a model, in every language they are written in."""
        return [written.scene for written in reply.scripts()]

    def start_scripted(
        self, ctx: JobContext, name: str, language: str, speaker: str = ""
    ) -> Started:
        """Begin a scene that plays without a model, as a chat of its own. Raises NotFound.

        So it does for a ``speaker`` who is not in it.
        """
        written = reply.script_named(name, language)
        if speaker:
            scene.member_named([SceneMember(written.character.name)], speaker)
        return scene.begin(self._session.library, ctx, scene.of_script(written))

    def scene(self, line: Line, text: str = "") -> PlayScene:
        """Say who plays in a chat, and who replies next to ``text``.

        Who is named in the text, or else in turn.
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
        """Raise NotFound for somebody who cannot reply in a chat."""
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
        """Say ``text`` as the player and let ``speaker`` reply, or whose turn it is.

        ``level`` None lets a light model or rules decide. An empty text lets somebody speak again,
        as `reply` does.
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
        """Let ``speaker`` reply to what stands there, without another word of the player.

        It is also how a turn is asked for again whose reply failed.
        """
        until = self._count(line) - 1
        text = self._turns.last_said(line, until)
        member = self._turns.speaker(line, speaker, "")
        return self._turns.make(ctx, ReplyRequest(line, member, text, until, level), on_piece)

    def go_on(self, ctx: JobContext, line: Line, *, on_piece: OnPiece | None = None) -> Turn:
        """Let the newest reply be continued where it ends; its swipe becomes longer.

        Pieces are of the new text only. Raises InputError where the newest message is no reply.
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
        """Ask for the newest reply again: it becomes another swipe, and is chosen.

        What the former one left (state, event, flags) is gone while it is not chosen. If nothing
        comes, the former one stays. Raises InputError where the newest message is no reply.
        """
        newest = self._newest_reply(line)
        member = self._turns.speaker(line, newest.name, "")
        text = self._turns.last_said(line, newest.seq - 1)
        asked = ReplyRequest(line, member, text, newest.seq - 1, level, newest)
        return self._turns.make(ctx, asked, on_piece)

    def stop(self, line: Line) -> bool:
        """Stop the reply that streams on a line, from any thread; False where none does.

        What has arrived becomes the message; nothing does where no text has.
        """
        return self._turns.stop(line)

    def swipes(self, line: Line, floor: int) -> Swipes:
        """Return all readings of a message. Raises NotFound."""
        parsed = self._turns.keeper(line).parsed(floor)
        return Swipes(*readings(parsed.raw, parsed.text))

    def swipe(self, line: Line, floor: int, number: int) -> Changes:
        """Choose another reading of a message, with what it left. Raises NotFound."""
        return turns.swipe(self._turns.keeper(line), floor, number)

    def edit(self, line: Line, floor: int, text: str) -> Changes:
        """Give a message another text; what the turn left stays, but for its event.

        The event is gone with the words it was made of. Raises NotFound.
        """
        return turns.edit(self._turns.keeper(line), floor, storable(text))

    def delete_last(self, line: Line, count: int = 1) -> Changes:
        """Delete the newest messages and what they left. Raises NotFound for too many."""
        return timeline.delete_last(self._session.chat(line.chat_id), count, line.branch_id)

    def fork(self, line: Line, at: int, name: str = "") -> Started:
        """Make a branch that shares floors up to ``at``, to play on from there.

        Raises InputError.
        """
        store = self._session.chat(line.chat_id)
        branch_id, changes = branching.fork(store, line.branch_id, at, name)
        return Started(Line(line.chat_id, branch_id), changes)

    def export_chat(self, ctx: JobContext, line: Line, target: Path) -> int:
        """Write a line as a SillyTavern chat, a new file; returns how many messages it holds.

        Raises FileExists, NotFound, StorageError.
        """
        store = self._session.chat(line.chat_id)
        return scene.write_chat(ctx, store, line.branch_id, target)

    def notes(self, line: Line, first: int, last: int) -> dict[int, TurnNote]:
        """Return notes of floors ``first``..``last``, both included, by floor.

        A message that was not made here has none. It reads these floors only.
        """
        return keeping.notes_of(self._session.chat(line.chat_id), line.branch_id, first, last)

    def correct_level(self, line: Line, floor: int, level: Level) -> Changes:
        """Say what a turn was; its counts in the state follow. Raises NotFound."""
        return turns.correct_level(self._turns.keeper(line), floor, level, self._would(line))

    def correct_state(self, line: Line, floor: int, ops: Sequence[StateOp]) -> Changes:
        """Put ``ops`` in place of what a reply changed; later floors follow. Raises NotFound."""
        return turns.correct_state(self._turns.keeper(line), floor, ops, self._would(line))

    def correct_event(self, line: Line, floor: int, event: RecordedEvent | None) -> Changes:
        """Put ``event`` in place of what a turn recorded; None: it recorded nothing.

        Raises NotFound.
        """
        return turns.correct_event(self._turns.keeper(line), floor, event, self._would(line))

    def close_session(self, ctx: JobContext, line: Line) -> ReflectionReport:
        """End a session: look back on all that is new, the newest floors too.

        Raises MemoryOff, NotConfigured.
        """
        first = reflect.cursor(self._session.chat(line.chat_id), line.branch_id)
        return self._pipeline.reflect(ctx, line, (first, self._count(line) - 1))

    def _count(self, line: Line) -> int:
        return self._session.chat(line.chat_id).messages.count(line.branch_id)

    def _newest_reply(self, line: Line) -> Message:
        """Return the newest message. Raises InputError where it is no reply."""
        messages = self._session.chat(line.chat_id).messages
        last = self._count(line) - 1
        newest = messages.slice(line.branch_id, last, last) if last >= 0 else []
        if not newest or newest[0].role != "assistant":
            raise InputError(Phrase(_T("reports", "The newest message is no reply.")))
        return newest[0]

    def _would(self, line: Line) -> turns.WouldChange:
        return lambda at, blocks: self._state.would_change(NullContext(), line, at, blocks)
