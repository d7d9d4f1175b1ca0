"""The prompt of a turn, by its level (design note 003 §3.1.2).

ROUTINE gets the core of the card and the last few turns; CHAT the card, the history and the state;
EVENT worldbooks and recall as well. What changes least stands first, so that a server's prompt
cache stays good.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inject import defused
from engram_desktop.domain.play import SceneMember, ToolWay, tags_of
from engram_desktop.domain.recall.query import Level, Triage
from engram_desktop.domain.state.tree import Leaf, join_path
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.shipped import resource

if TYPE_CHECKING:
    from engram_desktop.domain.cards import Character
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.services.play.reply import Messages
    from engram_desktop.services.prompts.prompts import Language


ROUTINE_MESSAGES = 6  # the last three turns: enough for a gesture
ROUTINE_ANSWER = 400  # tokens: a short reply, with room for what a model thinks before it
MOST_MESSAGES = 400  # read for one prompt, whatever the budget
_CORE_CHARS = 1_500  # of a description in a ROUTINE prompt: its beginning says who it is
_LEAVES: dict[Level, int] = {"ROUTINE": 12, "CHAT": 60, "EVENT": 100}  # values told: bounds tokens
_VALUE_CHARS = 200  # of one value or meaning, likewise
_TAGS: dict[Level, tuple[str, ...]] = {
    "ROUTINE": ("tag_update_vwd",),
    "CHAT": ("tag_update_vwd",),
    "EVENT": ("tag_update_vwd", "tag_record_event", "tag_trigger_flag"),
}


@dataclass(frozen=True, slots=True)
class PromptParts:
    """Everything a prompt may hold, already as the speaker may know it.

    ``said`` fills macros of a card's text; ``last`` is an instruction behind the history.
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
    """Return the texts of our own that prompts of play are made of."""
    texts: dict[str, str] = json.loads(resource(f"play/{language}.json").read_text("utf-8"))
    return texts


def within(messages: Sequence[Message], level: Level, tokens: int) -> list[Message]:
    """Return the newest messages that a prompt of this level has room for, as they are told.

    Thoughts and blocks of other tools are taken out: they are no part of what was said.
    """
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
    """Return values of the state, those first that are of the two who speak or are spoken of."""
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
    """Return what stands first: who is played, by whom, where."""
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
    """Return what holds for this turn only: memory, state, what it is and what is asked for."""
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
    """Return the history: the speaker's own words as the assistant's, all others' as the user's."""
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
