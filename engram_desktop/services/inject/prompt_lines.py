"""How each memory reads in a prompt: one line, with the floors it can be looked up on.

Delimiters inside a memory are defused, so that a story cannot close the block it is quoted in.
"""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.inject.injection import KnownRelation, Part
from engram_desktop.domain.inject.telling import cut_short, sentences
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.visibility import story_key
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.prompts.prompts import Language

# What one memory may take of a prompt, so that others have room; not measured.
# Characters of a quotation, sentences around what matched, characters of a description.
SNIPPET_CHARS = 240
SNIPPET_SENTENCES = 3  # of one message
PROFILE_CHARS = 240  # of an entity
SHORT_TURN = 60  # characters, below which a message says little without its neighbours
WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "summaries": "以下是已经发生的剧情，均为既定事实，请保持一致：",
        "recalled": "此刻想起的往事：",
        "memories": "以下是与当前对话相关的记忆，均为既定事实：",
        "meant": "玩家这句话所指：",
        "snippets": "记忆片段",
        "entities": "关键实体",
        "relations": "关系",
        "floors": "第{0}–{1}楼",
        "floor": "第{0}楼",
        "until": "至第{0}楼止",
        "aliases": "又名{0}",
        "between": "、",
        "char": "人物",
        "loc": "地点",
        "item": "物品",
        "concept": "概念",
        "unknown": "",
    },
    "en": {
        "summaries": "What has happened so far. These are established facts; stay consistent:",
        "recalled": "From earlier, remembered now:",
        "memories": "Memories that bear on the present conversation; established facts:",
        "meant": "What the player's message refers to: ",
        "snippets": "Memory Snippets",
        "entities": "Key Entities",
        "relations": "Relations",
        "floors": "floors {0}–{1}",
        "floor": "floor {0}",
        "until": "until floor {0}",
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
    """One line of the text: which part it belongs to, when it happened, where it came from."""

    part: Part
    order: tuple[int, int, int, str]
    text: str
    hits: tuple[RecallHit, ...] = ()

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text) + 2


def event_line(
    part: Part,
    event: EventNode,
    words: dict[str, str],
    text: str = "",
    hits: tuple[RecallHit, ...] = (),
) -> PromptLine:
    """Tell an event; ``text`` in place of its whole summary."""
    source = event.source_range
    place = " ".join(p for p in (event.raw_data.timestamp, event.raw_data.location) if p)
    cite = cited(source.start_index, source.end_index, words)
    head = f"[{cite}{' · ' + place if place else ''}]"
    return PromptLine(part, story_key(event), f"- {head} {in_a_line(text or event.summary)}", hits)


def is_short(hit: RecallHit) -> bool:
    """Whether a message says too little by itself to be understood."""
    return hit.item.kind == "turn" and len(hit.item.content) < SHORT_TURN


def entity_line(rank: int, entity: EntityNode, words: dict[str, str]) -> PromptLine:
    notes = [words[entity.type]] if words[entity.type] else []
    if entity.aliases:
        notes.append(words["aliases"].format(words["between"].join(entity.aliases[:3])))
    aside = f" ({'; '.join(notes)})" if notes else ""
    profile = cut_short(" ".join(entity.description.split()), PROFILE_CHARS)
    profile_text = f": {profile}" if profile else ""
    return PromptLine(
        "entities", (rank, 0, 0, entity.id), f"- {in_a_line(entity.name + aside + profile_text)}"
    )


def relation_line(rank: int, relation: KnownRelation, words: dict[str, str]) -> PromptLine:
    notes = [cited(*relation.floors, words)] if relation.floors else []
    if relation.until is not None:
        notes.append(words["until"].format(relation.until))
    cite = f" [{' · '.join(notes)}]" if notes else ""
    sentence = f"{relation.src} {relation.predicate} {relation.dst}"
    return PromptLine("relations", (rank, 0, 0, sentence), f"- {in_a_line(sentence)}{cite}")


def cited(first: int, last: int, words: dict[str, str]) -> str:
    if first == last:
        return words["floor"].format(first)
    return words["floors"].format(first, last)


def snippet(text: str, matched: Sequence[str]) -> str:
    """Return the one to three sentences that hold most of what matched, else the first ones.

    Who speaks is told even where the beginning is left out.
    """
    flat = " ".join(text.split())
    speaker, colon, _said = flat.partition(": ")
    parts = sentences(flat)
    words = [word.casefold() for word in matched]
    best, most = _fitting(parts, 0), -1
    for start in range(len(parts)):
        excerpt = _fitting(parts, start)
        matches = sum(word in excerpt.casefold() for word in words)
        if matches > most:
            best, most = excerpt, matches
    best = cut_short((best or flat).strip(), SNIPPET_CHARS)
    if colon and len(speaker) <= 40 and not flat.startswith(best[:20]):
        return f"{speaker}: …{best}"
    return best


def _fitting(parts: Sequence[str], start: int) -> str:
    excerpt = ""
    for sentence in parts[start : start + SNIPPET_SENTENCES]:
        if excerpt and len(excerpt) + len(sentence) > SNIPPET_CHARS:
            break
        excerpt += sentence
    return excerpt


def in_a_line(text: str) -> str:
    """Return ``text`` on one line, unable to close the block it stands in."""
    return defused(" ".join(text.split()), "engram_", "relevant_")
