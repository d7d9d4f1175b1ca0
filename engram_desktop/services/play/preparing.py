"""Prepare a turn: judge it, recall for who speaks, and make its prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.knowledge.knowing import heard_text
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import SceneMember
from engram_desktop.domain.recall.query import Injection, Level, RecallQuery, Triage
from engram_desktop.domain.state.tree import State, leaves
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import readings
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import present_cast
from engram_desktop.services.knowledge.heard import present
from engram_desktop.services.play import level, reply, reply_request, scene
from engram_desktop.services.play.level import Judged
from engram_desktop.services.play.reply import (
    EndpointVoice,
    ReplySource,
    Request,
    ScriptVoice,
    tool_schemas,
)
from engram_desktop.services.prompts.macro_scope import ChatSays
from engram_desktop.services.prompts.prompts import language_of

if TYPE_CHECKING:
    from engram_desktop.domain.cards import Character
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.library.usage import CallRecorder
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.services.state.state_service import StateService


_T = QT_TRANSLATE_NOOP
_BEFORE = 6  # messages that a turn is judged by besides its own


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """One reply that is wanted: by whom, to what, after which floor.

    ``reading`` is the message that it becomes a reading of, or continues; None: a new one.
    """

    line: Line
    speaker: SceneMember
    text: str
    until: int
    level: Level | None = None
    reading: Message | None = None
    goes_on: bool = False
    group: int | None = None


class Preparation:
    """Makes what a reply is asked for with; writes nothing."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        state: StateService,
        knowledge: KnowledgeService,
        chat_prompts: ChatPrompts,
    ) -> None:
        self._session = session
        self._inject = inject
        self._state = state
        self._knowledge = knowledge
        self._chat_prompts = chat_prompts

    def judge(self, ctx: JobContext, asked: ReplyRequest) -> Judged:
        """Say what a turn is taken for. Raises Cancelled."""
        line, store = asked.line, self._session.chat(asked.line.chat_id)
        turn = self._scripted(asked)
        if turn is not None and asked.level is None:
            return Judged(turn.triage, "scene")
        settings = self._session.settings(line.chat_id)
        by_model = settings.play_triage == "model" or settings.inject_triage
        recent = store.messages.slice(
            line.branch_id, max(0, asked.until - _BEFORE), max(0, asked.until - 1)
        )
        return level.judge(
            asked.text,
            [m.text for m in recent if m.seq < asked.until],
            level=asked.level,
            ask=(lambda: self._inject.triage(ctx, line, asked.text, asked.speaker.name))
            if by_model
            else None,
        )

    def _scripted(self, asked: ReplyRequest) -> reply.ScriptedTurn | None:
        store = self._session.chat(asked.line.chat_id)
        header = scene.play_header(store, asked.line.branch_id)
        if not header.script:
            return None
        written = reply.script_named(header.script, header.language)
        said = store.messages.said_by_user(asked.line.branch_id, asked.until)
        turn = written.turn(max(0, said - 1))
        if turn is None:
            raise InputError(Phrase(_T("reports", "The written scene ends here.")))
        return turn

    def voice(
        self, asked: ReplyRequest, recorder: CallRecorder, *, is_watched: bool
    ) -> ReplySource:
        """Return who replies: the endpoint, or a written scene. Raises NotConfigured."""
        turn = self._scripted(asked)
        if turn is None:
            settings = self._session.settings(asked.line.chat_id)
            client = self._session.clients.llm("play", recorder.record)
            return EndpointVoice(client, settings.play_tools)
        number = 0
        if asked.reading is not None:
            store = self._session.chat(asked.line.chat_id)
            parsed = store.messages.as_parsed(
                asked.line.branch_id, asked.reading.seq, asked.reading.seq
            )[0]
            number = len(readings(parsed.raw, parsed.text)[0])
        return ScriptVoice(turn.replies[number % len(turn.replies)], is_watched=is_watched)

    def recall(self, ctx: JobContext, asked: ReplyRequest, triage: Triage) -> Injection | None:
        """Compose memory as the speaker knows it; a routine turn needs none."""
        if triage.level == "ROUTINE":
            return None
        query = RecallQuery(
            asked.text,
            actor=asked.speaker.name,
            branch_id=asked.line.branch_id,
            at=max(0, asked.until),
        )
        history = self._history(ctx, asked, triage)
        first = history[0].seq if history else None
        if self._scripted(asked) is not None:  # what was written beforehand has read no history
            first = asked.until
        return self._inject.compose(ctx, asked.line.chat_id, query, visible_from=first, said=triage)

    def _history(self, ctx: JobContext, asked: ReplyRequest, triage: Triage) -> Sequence[Message]:
        first = max(0, asked.until - reply_request.MOST_MESSAGES + 1)
        settings = self._session.settings(asked.line.chat_id)
        messages = heard_history(
            ctx,
            self._session,
            self._knowledge,
            asked.line,
            asked.speaker.name,
            first,
            asked.until,
        )
        return reply_request.within(messages, triage.level, settings.play_history)

    def request(
        self, ctx: JobContext, asked: ReplyRequest, triage: Triage, injection: Injection | None
    ) -> Request:
        """Return what the reply is asked for with. Raises Cancelled."""
        session, line = self._session, asked.line
        store, settings = session.chat(line.chat_id), session.settings(line.chat_id)
        header = scene.play_header(store, line.branch_id)
        members = scene.members_of(session.library, store, header)
        card = self._card(asked.speaker, header)
        player = scene.player_of(store, header)
        says = ChatSays(session.library, store, settings, line.branch_id)
        group = ", ".join(member.name for member in members)
        names = {"char": card.called, "user": player, "group": group}
        names["engramSummaries"] = ""  # what a card would be told as the curator: not as who speaks
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        tree = self._known_state(ctx, asked) if asked.until >= 0 else {}
        told = reply_request.PromptParts(
            asked.speaker,
            player,
            [m.name for m in members if m != asked.speaker],
            card,
            lambda text: says.of_card(text, names),
            says.of_card(settings.persona_text, names),
            native.as_sent(self._history(ctx, asked, triage)),
            injection.text if injection else "",
            list(leaves(tree)),
            triage,
        )
        language = language_of([card.description, card.first_mes, asked.text])
        texts = reply_request.words(language)
        if asked.goes_on:
            told = replace(told, last=texts["go_on"])
        elif asked.reading is None and not asked.text:
            told = replace(told, last=texts["speak"])
        options = {"max_tokens": reply_request.ROUTINE_ANSWER} if triage.level == "ROUTINE" else {}
        return Request(
            lambda way: reply_request.messages_for(told, language, way),
            tool_schemas(triage.level, texts),
            options,
        )

    def _known_state(self, ctx: JobContext, asked: ReplyRequest) -> State:
        return known_state(
            ctx,
            self._session,
            self._knowledge,
            self._state,
            asked.line,
            asked.speaker.name,
            asked.until,
        )

    def _card(self, member: SceneMember, header: scene.PlayHeader) -> Character:
        if header.script:
            return reply.script_named(header.script, header.language).character
        return scene.card_of_member(self._session.library, member)


# What a character heard and knows of a chat, for the prompt it speaks from.
#
# This is the one place where it is decided what of messages and state a prompt of play may hold.
# Memories are decided where they are recalled: `RecallQuery.actor`.


def heard_history(
    ctx: JobContext,
    session: Session,
    knowledge: KnowledgeService,
    line: Line,
    actor: str,
    first: int,
    last: int,
) -> Sequence[Message]:
    """Return floors ``first``..``last`` of a line, both included, as ``actor`` heard them.

    What is to be answered is heard in any case, but for what is only thought or whispered in it:
    whoever is asked to reply stands there.
    """
    messages = knowledge.heard(ctx, line, actor, first, last)
    if messages and messages[-1].seq == last:
        return messages
    rows = present(session.chat(line.chat_id), line.branch_id, last, last)
    for message, row in rows:
        text = message.text if row is None else heard_text(message.text, row.parts)
        if message.role == "user" and text.strip():
            messages.append(replace(message, text=text))
    return messages


def known_state(
    ctx: JobContext,
    session: Session,
    knowledge: KnowledgeService,
    state: StateService,
    line: Line,
    actor: str,
    at: int,
) -> State:
    """Return the state at a floor as ``actor`` knows it; who is alone with the player knows all."""
    if present_cast(session.chat(line.chat_id)).is_alone:
        return state.tree(ctx, line, at)
    return knowledge.state(ctx, line, [actor], at).tree
