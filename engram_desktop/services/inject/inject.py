"""The text a prompt would get: what is always visible and what was recalled, within a budget.

The stable block comes first so that prompt caches survive: what is always visible in story order,
then what was recalled, which changes from turn to turn, in story order too. The text says that
memories are established facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from engram_desktop.domain.inject.injection import NO_FACTS, SHARES, Allowance, Facts, Part
from engram_desktop.domain.inject.telling import PromptSentences
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.visibility import story_key
from engram_desktop.domain.recall.budget import pack
from engram_desktop.domain.recall.query import Dropped, Injection, RecallHit
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.inject.passages import passages
from engram_desktop.services.inject.prompt_lines import (
    WORDS,
    PromptLine,
    entity_line,
    event_line,
    in_a_line,
    relation_line,
)
from engram_desktop.services.prompts.prompts import Language

NOTHING_AROUND: Mapping[int, Sequence[Message]] = MappingProxyType({})
_VOLATILE: tuple[Part, ...] = ("snippets", "entities", "relations")


def inject(
    visible: Sequence[EventNode],
    recalled: Sequence[EventNode],
    hits: Sequence[RecallHit],
    allowance: Allowance,
    language: Language,
    facts: Facts = NO_FACTS,
    around: Mapping[int, Sequence[Message]] = NOTHING_AROUND,
) -> Injection:
    """Compose the text. ``recalled`` are the events among ``hits``.

    ``around`` are the messages beside a short hit, by item id.

    Every part has its share of the budget; what one leaves the others may use.
    """
    words = WORDS[language]
    always = [event_line("always", e, words) for e in sorted(visible, key=story_key)]
    always.reverse()  # the newest matter most, should they not all fit
    offered: dict[Part, list[PromptLine]] = {part: [] for part in SHARES} | {"always": always}
    visible_ids = {e.id for e in visible}
    events = {e.id: e for e in recalled}
    sentences = PromptSentences(e.summary for e in visible)
    dropped = _offer(offered, hits, events, visible_ids, allowance, words, sentences)
    quoted = [h for h in hits if h.item.kind in {"turn", "log"} and h.item.id not in dropped]
    lines, silent = passages(quoted, words, around, sentences)
    offered["snippets"] = lines[: allowance.snippets]
    dropped |= {hit.item.id: "duplicate" for hit in silent}
    dropped |= {hit.item.id: "limit" for line in lines[allowance.snippets :] for hit in line.hits}
    for rank, entity in enumerate(facts.entities[: allowance.entities]):
        offered["entities"].append(entity_line(rank, entity, words))
    for rank, relation in enumerate(facts.relations[: allowance.relations]):
        offered["relations"].append(relation_line(rank, relation, words))
    lines = _packed(offered, allowance.tokens - _overhead(words))
    sections, text = _compose(lines, words, allowance)
    while lines and estimate_tokens(text) > allowance.tokens:
        lines.pop()
        sections, text = _compose(lines, words, allowance)
    line_hits = tuple(hit for line in lines for hit in line.hits)
    ids = {hit.item.id for hit in line_hits}
    for hit in hits:
        if hit.item.id not in ids and hit.item.kind != "entity":
            dropped.setdefault(hit.item.id, "budget")
    entities = {line.order[3] for line in lines if line.part == "entities"}
    named = tuple(h for h in hits if h.item.kind == "entity" and h.item.ref in entities)
    return Injection(
        text, sections, estimate_tokens(text), (*line_hits, *named), tuple(dropped.items())
    )


def meaning_line(output: str, language: Language) -> str:
    """Return how a prompt says what a model takes the player's message to mean (note 001 §3)."""
    return f"{WORDS[language]['meant']}{in_a_line(output)}" if output else ""


def with_meaning(injection: Injection, line: str, output: str) -> Injection:
    """Add what the message means, as the last line: it changes with every message."""
    if not line:
        return injection
    text = f"{injection.text}\n\n{line}".strip()
    sections = {**injection.sections, "output": output}
    return replace(injection, text=text, sections=sections, tokens=estimate_tokens(text))


def _offer(
    offered: dict[Part, list[PromptLine]],
    hits: Sequence[RecallHit],
    events: dict[str, EventNode],
    visible_ids: set[str],
    allowance: Allowance,
    words: dict[str, str],
    sentences: PromptSentences,
) -> dict[int, Dropped]:
    """Make a line of every event that tells what the prompt does not hold; say why of the others.

    What the lines tell is added to ``sentences``.
    """
    dropped: dict[int, Dropped] = {}
    window = allowance.visible_from
    for hit in hits:
        item = hit.item
        if item.kind == "entity":
            continue  # it is told of among the facts
        event = events.get(item.ref)
        if item.kind == "event" and event is None:
            dropped[item.id] = "gone"
        elif item.kind == "event" and item.ref in visible_ids:
            dropped[item.id] = "visible"
        elif window is not None and item.start_index >= window:
            dropped[item.id] = "window"
        elif event is not None:
            text = sentences.new_of(event.summary)
            if text:
                sentences.add(text)
                offered["recalled"].append(event_line("recalled", event, words, text, (hit,)))
            else:
                dropped[item.id] = "duplicate"
    return dropped


def _packed(offered: dict[Part, list[PromptLine]], room: int) -> list[PromptLine]:
    """Choose each part's best lines within its share of ``room`` (tokens), then what else fits."""
    chosen: dict[Part, list[PromptLine]] = {}
    used = 0
    for part, share in SHARES.items():
        chosen[part] = pack([(line, line.cost) for line in offered[part]], int(room * share))
        used += sum(line.cost for line in chosen[part])
    for part in SHARES:
        rest = [line for line in offered[part] if line not in chosen[part]]
        more = pack([(line, line.cost) for line in rest], room - used)
        used += sum(line.cost for line in more)
        chosen[part] += more
    return [line for part in SHARES for line in chosen[part]]


def _compose(
    lines: Sequence[PromptLine], words: dict[str, str], allowance: Allowance
) -> tuple[dict[str, str], str]:
    def part_text(*parts: Part) -> str:
        part_lines = sorted((line for line in lines if line.part in parts), key=lambda x: x.order)
        return "\n".join(line.text for line in part_lines)

    if allowance.order == "story":
        summaries = part_text("always", "recalled")
    else:
        recalled = part_text("recalled")
        heading = f"{words['recalled']}\n" if recalled and part_text("always") else ""
        summaries = "\n".join(part for part in (part_text("always"), heading + recalled) if part)
    sections = {"summaries": summaries} | {part: part_text(part) for part in _VOLATILE}
    sections = {name: text for name, text in sections.items() if text}
    parts = []
    if summaries:
        parts.append(f"<engram_summaries>\n{words['summaries']}\n{summaries}\n</engram_summaries>")
    inner = "\n".join(f"{words[p]}:\n{sections[p]}" for p in _VOLATILE if p in sections)
    if inner:
        parts.append(f"<relevant_memories>\n{words['memories']}\n{inner}\n</relevant_memories>")
    return sections, "\n\n".join(parts)


def _overhead(words: dict[str, str]) -> int:
    frame = "<engram_summaries></engram_summaries><relevant_memories></relevant_memories>"
    headings = ("summaries", "recalled", "memories", *_VOLATILE)
    return estimate_tokens(frame + "".join(words[name] for name in headings)) + 8
