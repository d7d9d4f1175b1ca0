"""Prepare a turn: triage, recall for the speaker, and the prompt (design note 003 §3.1.2).

The level is set by hand, by a light model, or by rules. A ROUTINE prompt holds the core of the card
and the last few turns; CHAT the card, the history and the state; EVENT worldbooks and recall as
well. What changes least stands first, so that a server's prompt cache stays valid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inject import defused
from engram_desktop.domain.knowledge.knowing import heard_text
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import LevelBy, SceneMember, ToolWay, tags_of
from engram_desktop.domain.recall.query import Injection, Level, RecallQuery, Triage
from engram_desktop.domain.recall.triage_rules import triage_by_rules
from engram_desktop.domain.state.tree import Leaf, State, StatePath, join_path, leaves
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import readings
from engram_desktop.jobs.context import JobContext
from engram_desktop.places import resource
from engram_desktop.services.knowledge.actors import present_cast
from engram_desktop.services.knowledge.heard import present
from engram_desktop.services.play import scene
from engram_desktop.services.play.reply import (
    EndpointVoice,
    ReplySource,
    Request,
    ScriptedTurn,
    ScriptVoice,
    script_named,
    tool_schemas,
)
from engram_desktop.services.prompts.macro_scope import ChatSays
from engram_desktop.services.prompts.prompts import language_of

if TYPE_CHECKING:
    from engram_desktop.domain.cards import Character
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.library.usage import CallRecorder
    from engram_desktop.services.play.reply import Messages
    from engram_desktop.services.prompts.prompts import ChatPrompts, Language
    from engram_desktop.services.state import StateService

STATS = "interaction_stats"  # state path of the counts of routine turns (design note 003 §2.1 C)
_MAX_NAME = 40  # characters of the name of a count
_NO_WORD = re.compile(r"[^\w]+")
_LOOP = re.compile(r"_(?:loop|repeat|action|interaction)$")


@dataclass(frozen=True, slots=True)
class Judged:
    """The triage of a turn, and who decided it."""

    triage: Triage
    by: LevelBy


def judge(
    text: str, recent: Sequence[str], *, level: Level | None, ask: Callable[[], Triage] | None
) -> Judged:
    """Judge a turn. ``ask`` asks a light model; if it fails, rules decide, with a remark."""
    by_rules = triage_by_rules(text, recent)
    if level is not None:
        directives = by_rules.directives if by_rules.level == level else {}
        by_hand = replace(by_rules, level=level, reasoning="", directives=directives)
        return Judged(by_hand, "hand")
    if ask is None:
        return Judged(by_rules, "rules")
    try:
        return Judged(ask(), "model")
    except KnownError as e:  # the player waits for the reply; the note says who decided
        why = f"{by_rules.reasoning} ({e.phrase})"
        return Judged(replace(by_rules, reasoning=why), "rules")


def count_path(intent: str) -> StatePath:
    """Return the state path that counts turns of an intent: `headpat_loop` as `headpat_count`."""
    name = _NO_WORD.sub("_", intent.strip().casefold()).strip("_")
    name = _LOOP.sub("", name)[:_MAX_NAME].strip("_") or "routine"
    return (STATS, f"{name}_count")


ROUTINE_MESSAGES = 6  # the last three turns: enough for a gesture
ROUTINE_ANSWER = 400  # tokens: a short reply, with room for a model's thoughts before it
MOST_MESSAGES = 400  # messages read for one prompt, whatever the budget
_CORE_CHARS = 1_500  # of a description in a ROUTINE prompt: its beginning says who it is
_LEAVES: dict[Level, int] = {"ROUTINE": 12, "CHAT": 60, "EVENT": 100}  # values told
_VALUE_CHARS = 200  # of one value or meaning, likewise
_TAGS: dict[Level, tuple[str, ...]] = {
    "ROUTINE": ("tag_update_vwd",),
    "CHAT": ("tag_update_vwd",),
    "EVENT": ("tag_update_vwd", "tag_record_event", "tag_trigger_flag"),
}


@dataclass(frozen=True, slots=True)
class PromptParts:
    """Everything a prompt may hold, restricted to what the speaker may know.

    ``said`` fills the macros of a card's text; ``last`` is an instruction after the history.
    """

    speaker: SceneMember
    player: str
    others: Sequence[str]
    card: Character
    said: Callable[[str], str]
    persona: str
    history: Sequence[Message]
    memory: str
    leaves: Sequence[Leaf]
    triage: Triage
    last: str = ""


@cache
def words(language: Language) -> Mapping[str, str]:
    """Return our own texts that prompts of play are composed of."""
    texts: dict[str, str] = json.loads(resource(f"play/{language}.json").read_text("utf-8"))
    return texts


def within(messages: Sequence[Message], level: Level, tokens: int) -> list[Message]:
    """Return the newest visible messages that fit into a prompt of this level."""
    some: list[Message] = []
    for message in reversed(messages):
        if message.is_hidden or not message.text.strip():
            continue
        tokens -= estimate_tokens(message.text) + 4
        is_full = tokens < 0 or (level == "ROUTINE" and len(some) >= ROUTINE_MESSAGES)
        if is_full and some:
            break
        some.append(message)
    return some[::-1]


def messages_for(told: PromptParts, language: Language, way: ToolWay) -> Messages:
    """Return the request as chat messages."""
    texts = words(language)
    history = _spoken(told)
    last = told.last or ("" if history and history[-1]["role"] == "user" else texts["speak"])
    if last:
        history.append({"role": "user", "content": told.said(last)})
    now = "\n\n".join(filter(None, _now(told, texts, way)))
    return [
        {"role": "system", "content": "\n\n".join(filter(None, _card(told, texts)))},
        *history[:-1],
        {"role": "system", "content": now},
        *history[-1:],
    ]


def that_matter(told: PromptParts) -> list[Leaf]:
    """Return the values of the state, those about the speaker, player or last words first."""
    near = {norm_name(name) for name in (told.speaker.name, told.card.called, told.player)}
    far = {norm_name(name) for name in told.others}
    said = told.history[-1].text.casefold() if told.history else ""

    def rank(leaf: Leaf) -> int:
        norms = {norm_name(part) for part in leaf.path}
        if norms & near or any(part.casefold() in said for part in leaf.path):
            return 0
        return 2 if norms & far else 1

    return sorted(told.leaves, key=rank)


def _card(told: PromptParts, texts: Mapping[str, str]) -> list[str]:
    """Return the first part of the prompt: who is played, by whom, where."""
    card, said, level = told.card, told.said, told.triage.level
    parts = [said(card.system_prompt) or said(texts["role"])]
    description = said(card.description)
    if level == "ROUTINE":
        description = description[:_CORE_CHARS]
    parts.append(_headed(said(texts["description"]), description))
    parts.append(_headed(texts["personality"], said(card.personality)))
    if told.others:
        parts.append(said(texts["group"]))
    if level != "ROUTINE":
        parts.append(_headed(texts["scenario"], said(card.scenario)))
        parts.append(_headed(said(texts["persona"]), told.persona))
        parts.append(_headed(texts["examples"], said(card.mes_example)))
    return parts


def _now(told: PromptParts, texts: Mapping[str, str], way: ToolWay) -> list[str]:
    """Return the part that holds for this turn only: memory, state, level and format."""
    level, said = told.triage.level, told.said
    leaves = [_leaf_line(leaf) for leaf in that_matter(told)[: _LEAVES[level]]]
    parts = [
        told.memory,
        _headed(texts["state"], defused("\n".join(leaves), *_OWN_TAGS)),
        texts[level.lower()],
        _directives(told.triage, texts),
    ]
    if level != "ROUTINE":
        parts.append(said(told.card.post_history_instructions))
    if way == "tools":
        parts.append(said(texts["tools"]))
    else:
        names = ("tags", *_TAGS[level], "tag_reply")
        parts.append("\n".join(said(texts[name]) for name in names))
    return parts


_OWN_TAGS = ("reply", "thought", "state_update", "record_event", "relevant_memories")


def _directives(triage: Triage, texts: Mapping[str, str]) -> str:
    lines = [
        f"- {texts.get(name, name)}: {defused(text, *_OWN_TAGS)}"
        for name, text in triage.directives.items()
    ]
    return "\n".join([texts["directives"], *lines]) if lines else ""


def _spoken(told: PromptParts) -> Messages:
    """Return the history: the speaker's messages as the assistant's, all others as the user's."""
    rows: Messages = []
    is_scene = bool(told.others)
    for message in told.history:
        text = message.text
        if message.role == "assistant" and "<" in text:
            text = tags_of(text).reply
        if not text.strip():
            continue
        is_own = message.role == "assistant" and (not is_scene or message.name == told.speaker.name)
        role = "assistant" if is_own else "user"
        if is_scene and not is_own:
            text = f"{message.name}: {text}"
        if rows and rows[-1]["role"] == role:
            rows[-1]["content"] += f"\n\n{text}"
        else:
            rows.append({"role": role, "content": text})
    return rows


def _leaf_line(leaf: Leaf) -> str:
    value: object = leaf.value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    meaning = f" ({leaf.meaning[:_VALUE_CHARS]})" if leaf.meaning else ""
    return " ".join(f"- {join_path(leaf.path)}: {text[:_VALUE_CHARS]}{meaning}".split())


def _headed(heading: str, text: str) -> str:
    return f"{heading}\n{text}" if text.strip() else ""


_T = QT_TRANSLATE_NOOP
_BEFORE = 6  # messages before its own that a turn is judged by


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """A reply to make: by whom, to which text, after which floor.

    ``reading`` is the message that it becomes a new reading of, or continues; None: a new message.
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
    """Prepares replies: triage, memory and request. Writes nothing."""

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
        """Judge the turn of a reply. Raises Cancelled."""
        line, store = asked.line, self._session.chat(asked.line.chat_id)
        turn = self._scripted(asked)
        if turn is not None and asked.level is None:
            return Judged(turn.triage, "scene")
        settings = self._session.settings(line.chat_id)
        by_model = settings.play_triage == "model" or settings.inject_triage
        recent = store.messages.slice(
            line.branch_id, max(0, asked.until - _BEFORE), max(0, asked.until - 1)
        )
        return judge(
            asked.text,
            [m.text for m in recent if m.seq < asked.until],
            level=asked.level,
            ask=(lambda: self._inject.triage(ctx, line, asked.text, asked.speaker.name))
            if by_model
            else None,
        )

    def _scripted(self, asked: ReplyRequest) -> ScriptedTurn | None:
        store = self._session.chat(asked.line.chat_id)
        header = scene.play_header(store, asked.line.branch_id)
        if not header.script:
            return None
        written = script_named(header.script, header.language)
        said = store.messages.said_by_user(asked.line.branch_id, asked.until)
        turn = written.turn(max(0, said - 1))
        if turn is None:
            raise InputError(Phrase(_T("reports", "The written scene ends here.")))
        return turn

    def voice(
        self, asked: ReplyRequest, recorder: CallRecorder, *, is_watched: bool
    ) -> ReplySource:
        """Return what replies: the endpoint, or a written scene. Raises NotConfigured."""
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
        """Compose the memory the speaker may know; a routine turn needs none."""
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
        if self._scripted(asked) is not None:  # a scripted reply has no use for memory
            first = asked.until
        return self._inject.compose(ctx, asked.line.chat_id, query, visible_from=first, said=triage)

    def _history(self, ctx: JobContext, asked: ReplyRequest, triage: Triage) -> Sequence[Message]:
        first = max(0, asked.until - MOST_MESSAGES + 1)
        settings = self._session.settings(asked.line.chat_id)
        messages = heard_history(
            ctx, self._session, self._knowledge, asked.line, asked.speaker.name, first, asked.until
        )
        return within(messages, triage.level, settings.play_history)

    def request(
        self, ctx: JobContext, asked: ReplyRequest, triage: Triage, injection: Injection | None
    ) -> Request:
        """Return the request for the reply. Raises Cancelled."""
        session, line = self._session, asked.line
        store, settings = session.chat(line.chat_id), session.settings(line.chat_id)
        header = scene.play_header(store, line.branch_id)
        members = scene.members_of(session.library, store, header)
        card = self._card(asked.speaker, header)
        player = scene.player_of(store, header)
        says = ChatSays(session.library, store, settings, line.branch_id)
        group = ", ".join(member.name for member in members)
        names = {"char": card.called, "user": player, "group": group}
        names["engramSummaries"] = ""  # this macro tells what the curator knows, not the speaker
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        tree = self._known_state(ctx, asked) if asked.until >= 0 else {}
        told = PromptParts(
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
        texts = words(language)
        if asked.goes_on:
            told = replace(told, last=texts["go_on"])
        elif asked.reading is None and not asked.text:
            told = replace(told, last=texts["speak"])
        options = {"max_tokens": ROUTINE_ANSWER} if triage.level == "ROUTINE" else {}
        return Request(
            lambda way: messages_for(told, language, way),
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
            return script_named(header.script, header.language).character
        return scene.card_of_member(self._session.library, member)


def heard_history(
    ctx: JobContext,
    session: Session,
    knowledge: KnowledgeService,
    line: Line,
    actor: str,
    first: int,
    last: int,
) -> Sequence[Message]:
    """Return floors ``first``..``last``, both included, as ``actor`` heard them.

    The last message is always heard, except for thoughts and whispers in it: the character who is
    asked to reply is present. Together with `known_state`, this is the only place that decides
    which messages and state a prompt of play may hold; for memories, `RecallQuery.actor` does.
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
    """Return the state at a floor as ``actor`` knows it; alone with the player, all of it."""
    if present_cast(session.chat(line.chat_id)).is_alone:
        return state.tree(ctx, line, at)
    return knowledge.state(ctx, line, [actor], at).tree
