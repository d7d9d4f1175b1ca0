"""The request about one block of messages: its text, and what is known of the story before it."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.macros.values import Value
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.ids import content_hash
from engram_desktop.domain.memory.message import Message
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.prompts.cleaning import clean
from engram_desktop.services.prompts.prompts import Language, chat_history, language_of
from engram_desktop.services.prompts.story import told_so_far

PROMPT_TOKENS = 1_500  # what a prompt costs besides the messages and the story before them
STORY_TOKENS = 600  # of the story before a block: outlines, and the newest events in full
STORY_NEWEST = 4  # events told in full: what a block goes on from
ENTITIES_SHOWN = 40  # names, those of the messages first: bounds the request
NAMES_READ = 30  # events before a block whose names are shown though the graph does not hold them


def request_of(
    desk: Desk, messages: Sequence[Message], floors: Floors
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a block, and the language it is put in; notices are left out."""
    messages = [m for m in messages if not m.is_untold]
    before = told_so_far(
        desk.store, desk.branch_id, STORY_TOKENS, STORY_NEWEST, until=floors[0] - 1
    )
    cleaned = _cleaned(desk, messages)
    values: dict[str, Value] = {
        "knownEntities": "、".join(_known_names(desk, floors[0], cleaned)) or "—",
        "engramSummaries": "\n".join(f"- {e.summary}" for e in before) or "—",
        "first": str(floors[0]),
        "last": str(floors[1]),
        "chatHistory": chat_history(messages, cleaned),
        "lastMessage": cleaned[-1] if cleaned else "",
        "worldbookContext": lambda: desk.worldbook(floors[1]) or "—",
    }
    language = language_of(cleaned)
    return desk.prompts.request("summary", language, values), language


def question_hash(desk: Desk, messages: Sequence[Message], language: Language) -> str:
    """Name what is asked: the model, the prompt and the messages, whatever came before them.

    The story before a block grows while others are answered; an answer that was paid for stays the
    answer to the same question.
    """
    messages = [m for m in messages if not m.is_untold]
    template = desk.prompts.template("summary", language)
    history = chat_history(messages, _cleaned(desk, messages))
    return content_hash(desk.model("summary"), template.system, template.user, history)


def _cleaned(desk: Desk, messages: Sequence[Message]) -> list[str]:
    native = desk.native
    return [clean(m.text, native.rules) for m in native.as_sent(messages)]


def _known_names(desk: Desk, floor: int, texts: Sequence[str]) -> list[str]:
    """Names to be used again: those a block mentions first, then the best known.

    Events before the block name some that the graph does not hold yet, since it is made of what is
    consolidated.
    """
    store = desk.store
    names = [e.name for e in store.entities.find("", ENTITIES_SHOWN, desk.branch_id)]
    names += _names_in(store.events.before(floor, NAMES_READ, desk.branch_id))
    by_norm = {norm_name(name): name for name in reversed(names)}
    text = norm_name("\n".join(texts))
    mentioned = [name for norm, name in by_norm.items() if norm in text]
    others = [name for name in reversed(by_norm.values()) if name not in set(mentioned)]
    return [*mentioned, *others][:ENTITIES_SHOWN]


def _names_in(events: Sequence[EventNode]) -> list[str]:
    """Names that events give, the newest first."""
    return [entity.name for event in reversed(events) for entity in event.raw_data.entities]
