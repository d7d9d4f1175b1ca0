"""Play: talk with a character, or several in one scene (design note 003 §3).

A turn is triage, a prompt by its level, a streamed reply, and what the reply leaves: a message, the
state, an event, flags. The player's message is stored before anything is asked of a model; the
reply once, when it ends or is stopped. Each action is one step that undo takes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.play.pieces import OnPiece, RecordedEvent
from engram_desktop.domain.play.turn import Scene, ScriptedScene, Started, Swipes, Turn, TurnNote
from engram_desktop.domain.state.tree import StateOp

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.recall.triage import Level
    from engram_desktop.domain.reports import ReflectionReport
    from engram_desktop.domain.state.rules import StateRule
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.pipeline_service import PipelineService
    from engram_desktop.services.state.state_service import StateService


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
    ) -> None:
        self._session = session
        self._inject = inject
        self._state = state
        self._pipeline = pipeline

    def greetings(self, card_ids: Sequence[str], player: str = "") -> list[str]:
        """Return how a chat with these cards may begin, the card's own first; names filled in.

        With several cards it is what the first of them says to a group.
        """
        raise NotImplementedError

    def start(
        self,
        ctx: JobContext,
        card_ids: Sequence[str],
        *,
        greeting: int = 0,
        player: str = "",
        name: str = "",
    ) -> Started:
        """Begin a chat with one card of the library, or a scene with several.

        Its floor 0 is the greeting, all of the first card's greetings are its swipes, ``greeting``
        is chosen; a card without one begins with nothing. ``player`` is the player's name, empty
        for the last one used. Raises NotFound, InputError for no card.
        """
        raise NotImplementedError

    def scripted_scenes(self) -> list[ScriptedScene]:
        """Scenes that play without a model, in every language they are written in."""
        raise NotImplementedError

    def start_scripted(self, ctx: JobContext, name: str, language: str) -> Started:
        """Begin a scene that plays without a model, as a chat of its own. Raises NotFound."""
        raise NotImplementedError

    def scene(self, line: Line, text: str = "") -> Scene:
        """Say who plays in a chat, and who replies next to ``text``.

        Who is named in the text, or else in turn.
        """
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError

    def go_on(self, ctx: JobContext, line: Line, *, on_piece: OnPiece | None = None) -> Turn:
        """Let the newest reply be continued where it ends; its swipe becomes longer.

        Pieces are of the new text only. Raises InputError where the newest message is no reply.
        """
        raise NotImplementedError

    def reroll(
        self,
        ctx: JobContext,
        line: Line,
        *,
        level: Level | None = None,
        on_piece: OnPiece | None = None,
    ) -> Turn:
        """Ask for the newest reply anew: it becomes another swipe, and is chosen.

        What the former one left (state, event, flags) is gone while it is not chosen. If nothing
        comes, the former one stays. Raises InputError where the newest message is no reply.
        """
        raise NotImplementedError

    def stop(self, line: Line) -> bool:
        """Stop the reply that streams on a line, from any thread; False where none does.

        What has arrived becomes the message; nothing does where no text has.
        """
        raise NotImplementedError

    def is_streaming(self, line: Line) -> bool:
        """Whether a reply streams on a line. Safe from any thread."""
        raise NotImplementedError

    def swipes(self, line: Line, floor: int) -> Swipes:
        """Return all readings of a message. Raises NotFound."""
        raise NotImplementedError

    def swipe(self, line: Line, floor: int, number: int) -> Changes:
        """Choose another reading of a message, with what it left. Raises NotFound."""
        raise NotImplementedError

    def edit(self, line: Line, floor: int, text: str) -> Changes:
        """Give a message another text; what the turn left stays, but for its event.

        The event is gone with the words it was made of. Raises NotFound.
        """
        raise NotImplementedError

    def delete_last(self, line: Line, count: int = 1) -> Changes:
        """Delete the newest messages and what they left. Raises NotFound for too many."""
        raise NotImplementedError

    def fork(self, line: Line, at: int, name: str = "") -> Started:
        """Make a branch that shares floors up to ``at``, to play on from there.

        Raises InputError.
        """
        raise NotImplementedError

    def notes(self, line: Line, first: int, last: int) -> dict[int, TurnNote]:
        """Return notes of floors ``first``..``last``, both included, by floor.

        A message that was not made here has none. It reads these floors only.
        """
        raise NotImplementedError

    def correct_level(self, line: Line, floor: int, level: Level) -> Changes:
        """Say what a turn was; its counts in the state follow. Raises NotFound."""
        raise NotImplementedError

    def correct_state(self, line: Line, floor: int, ops: Sequence[StateOp]) -> Changes:
        """Put ``ops`` in place of what a reply changed; later floors follow. Raises NotFound."""
        raise NotImplementedError

    def correct_event(self, line: Line, floor: int, event: RecordedEvent | None) -> Changes:
        """Put ``event`` in place of what a turn recorded; None: it recorded nothing.

        Raises NotFound.
        """
        raise NotImplementedError

    def rules(self, line: Line) -> list[StateRule]:
        """Return what values of the state may be: by hand, else as the card says."""
        raise NotImplementedError

    def set_rule(self, line: Line, rule: StateRule) -> Changes:
        """Say what a value may be, in the place of what was said of it before."""
        raise NotImplementedError

    def remove_rule(self, line: Line, path: Sequence[str]) -> Changes:
        """Take back what was said by hand of a value."""
        raise NotImplementedError

    def close_session(self, ctx: JobContext, line: Line) -> ReflectionReport:
        """End a session: look back on what is new (`PipelineService.reflect`).

        Raises MemoryOff, NotConfigured.
        """
        return self._pipeline.reflect(ctx, line)
