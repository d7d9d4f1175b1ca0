"""How each memory reads in a prompt: one line, with the floors it can be looked up on.

What was chosen for the question stands under its day, each line behind bare numbers of floors: said
in every line, day and words for floors took a third of a chat of short messages, and brackets alone
two tokens of each line.

Delimiters inside a memory are defused, so that a story cannot close the block it is quoted in.
"""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.inject.injection import KnownRelation, Part
from engram_desktop.domain.inject.quotes import QuotedMessage, words_of
from engram_desktop.domain.inject.telling import cut_short
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.visibility import story_key
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.prompts.prompts import Language

PROFILE_CHARS = 240  # of an entity's description, so that others have room; not measured
WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "summaries": "此前剧情，请保持一致：",
        "present": "此刻在场：",
        "now": "现在是{0}。",
        "before": "以下是往事，行首是楼层。",
        "plain": "",
        "attributed": "写明了是多久以前、谁说的：当作往事提起，不要当成眼前的事。",
        "light": "让这些自然地影响回复，不要复述，也不要逐条提起。",
        "meant": "玩家这句话所指：",
        "entities": "关键实体",
        "relations": "关系",
        "floors": "第{0}–{1}楼",
        "floor": "第{0}楼",
        "until": "至第{0}楼止",
        "day": "第{0}天",
        "said": "{0}说",
        "you": "你",
        "aliases": "又名{0}",
        "between": "、",
        "char": "人物",
        "loc": "地点",
        "item": "物品",
        "concept": "概念",
        "unknown": "",
    },
    "en": {
        "summaries": "The story so far; stay consistent with it:",
        "present": "Present now:",
        "now": "Now is {0}.",
        "before": " What follows happened before, by floor.",
        "plain": "",
        "attributed": " It says how long ago and by whom: speak of it as of the past.",
        "light": " Let these colour the reply where they fit; do not recite or list them.",
        "meant": "What the player's message refers to: ",
        "entities": "Key Entities",
        "relations": "Relations",
        "floors": "floors {0}–{1}",
        "floor": "floor {0}",
        "until": "until floor {0}",
        "day": "Day {0}",
        "said": "{0} said",
        "you": "you",
        "aliases": "also {0}",
        "between": ", ",
        "char": "character",
        "loc": "place",
        "item": "thing",
        "concept": "concept",
        "unknown": "",
    },
}


@dataclass(frozen=True, slots=True)
class PromptLine:
    """One line of the text: which part it belongs to, when it happened, where it came from.

    ``day`` is the heading it stands under.
    """

    part: Part
    order: tuple[int, int, int, str]
    text: str
    hits: tuple[RecallHit, ...] = ()
    day: str = ""

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text) + 2


def event_line(
    part: Part, event: EventNode, words: dict[str, str], *, when: str = ""
) -> PromptLine:
    """Tell an event of the story so far; ``when`` where the story says no time."""
    source = event.source_range
    head = head_of(cited(source.start_index, source.end_index, words), when, _place_of(event))
    return PromptLine(part, story_key(event), f"- {head} {in_a_line(event.summary)}")


def recalled_line(event: EventNode, text: str, hits: tuple[RecallHit, ...], day: str) -> PromptLine:
    """Tell ``text`` of a recalled event, under its ``day``."""
    source = event.source_range
    floors = floors_of(source.start_index, source.end_index)
    place = f"{head_of(_place_of(event))} " if _place_of(event) else ""
    return PromptLine("recalled", story_key(event), f"{floors} {place}{in_a_line(text)}", hits, day)


def quotes_line(quotes: list[QuotedMessage], hits: Sequence[RecallHit]) -> PromptLine:
    """Quote messages that share a line: floors, then who says what."""
    first, last = quotes[0].floor, quotes[-1].floor
    text = f"{floors_of(first, last)} {words_of(quotes)}"
    order = (first, last, 0, quotes[0].ref)
    return PromptLine("snippets", order, text, tuple(hits), quotes[0].when)


def log_line(hit: RecallHit, day: str) -> PromptLine:
    """Tell what a character keeps to itself, with the floors it is about."""
    item = hit.item
    text = f"{floors_of(item.start_index, item.end_index)} {in_a_line(item.content)}"
    return PromptLine(
        "snippets", (item.start_index, item.end_index, 1, item.ref), text, (hit,), day
    )


def head_of(*notes: str) -> str:
    return f"[{' · '.join(note for note in notes if note)}]"


def _place_of(event: EventNode) -> str:
    """Return the time and place that the story itself gives."""
    return " ".join(p for p in (event.raw_data.timestamp, event.raw_data.location) if p)


def floors_of(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


def entity_line(
    rank: int, entity: EntityNode, words: dict[str, str], part: Part = "entities"
) -> PromptLine:
    notes = [words[entity.type]] if words[entity.type] else []
    if entity.aliases:
        notes.append(words["aliases"].format(words["between"].join(entity.aliases[:3])))
    aside = f" ({'; '.join(notes)})" if notes else ""
    profile = cut_short(" ".join(entity.description.split()), PROFILE_CHARS)
    profile_text = f": {profile}" if profile else ""
    told = in_a_line(entity.name + aside + profile_text)
    return PromptLine(part, (rank, 0, 0, entity.id), f"- {told}")


def relation_line(
    rank: int, relation: KnownRelation, words: dict[str, str], part: Part = "relations"
) -> PromptLine:
    notes = [cited(*relation.floors, words)] if relation.floors else []
    if relation.until is not None:
        notes.append(words["until"].format(relation.until))
    cite = f" [{' · '.join(notes)}]" if notes else ""
    sentence = f"{relation.src} {relation.predicate} {relation.dst}"
    return PromptLine(part, (rank, 0, 0, sentence), f"- {in_a_line(sentence)}{cite}")


def cited(first: int, last: int, words: dict[str, str]) -> str:
    if first == last:
        return words["floor"].format(first)
    return words["floors"].format(first, last)


def in_a_line(text: str) -> str:
    """Return ``text`` on one line, unable to close the block it stands in."""
    return defused(" ".join(text.split()), "engram_", "relevant_")
