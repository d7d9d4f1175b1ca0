"""Compose an injection of search results: facts, lines, text, and why each is in it or not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.inject.injection import NO_FACTS, SHARES, Allowance
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.recall.explanation import Explanation, explain, injected
from engram_desktop.domain.recall.query import (
    Dropped,
    Injection,
    ItemFilter,
    RecallHit,
    RecallQuery,
    RecallResult,
)
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.by_need import Need, with_worldbook
from engram_desktop.services.inject.facts import beside_short_hits, known_facts
from engram_desktop.services.inject.inject import inject, meaning_line, with_meaning
from engram_desktop.services.prompts.prompts import language_of
from engram_desktop.services.prompts.story import told_so_far
from engram_desktop.storage.chat.chat_store import ChatStore


@dataclass(frozen=True, slots=True)
class Material:
    """What an injection is made of: the question, what its asker may know, what was found.

    ``story`` is the story so far; ``results`` are searches by kinds, ``worldbook`` what worldbooks
    say.
    """

    query: RecallQuery
    where: ItemFilter
    story: Sequence[EventNode]
    results: tuple[RecallResult, ...]
    need: Need
    worldbook: str = ""


def compose(
    store: ChatStore, settings: Settings, material: Material, allowance: Allowance
) -> tuple[Injection, Explanation]:
    """Return the text with what it holds, and the explanation of it."""
    query, results = material.query, material.results
    is_related = settings.inject_unrelated or any(r.is_related for r in results)
    hits = _interleave(results, query.top_k) if is_related else ()
    recalled = store.events.by_ids([h.item.ref for h in hits if h.item.kind == "event"])
    wants_facts = settings.memory_mode == "graph" and material.need.recalls and is_related
    facts = (
        known_facts(store, material.where, query.text, hits, allowance) if wants_facts else NO_FACTS
    )
    texts = [e.summary for e in material.story[:20]] + [h.item.content for h in hits[:10]]
    language = language_of([*texts, query.text])
    around = beside_short_hits(store, material.where, hits, allowance)
    output = next((r.output for r in results if r.output), "")
    meaning = meaning_line(output, language)
    allowance = replace(allowance, tokens=allowance.tokens - estimate_tokens(meaning))
    injection = inject(material.story, recalled, hits, allowance, language, facts, around)
    injection = with_worldbook(
        with_meaning(injection, meaning, output), material.worldbook, material.need
    )
    ranks = {hit.item.id: rank for rank, hit in enumerate(injection.hits, start=1)}
    dropped = dict(injection.dropped) if is_related else _unrelated(results)
    why = injected(explain(results), ranks, dropped, injection.text)
    missing = dict.fromkeys(part for result in results for part in result.degraded)
    return replace(injection, degraded=tuple(missing)), why


def story_for(
    store: ChatStore,
    settings: Settings,
    query: RecallQuery,
    where: ItemFilter,
    allowance: Allowance,
) -> list[EventNode]:
    """Return the story so far as the asker may know it, as much as a prompt has room for."""
    return told_so_far(
        store,
        query.branch_id or MAIN_BRANCH,
        min(settings.visible_tokens, int(allowance.tokens * SHARES["always"])),
        settings.visible_newest,
        until=query.at,
        allowed=store.items.known_events(where),
    )


def _unrelated(results: Sequence[RecallResult]) -> dict[int, Dropped]:
    return {hit.item.id: "unrelated" for result in results for hit in result.hits}


def _interleave(results: Sequence[RecallResult], top_k: int) -> tuple[RecallHit, ...]:
    """Mix what several searches found, the best of each first."""
    rounds = itertools.zip_longest(*(result.hits for result in results))
    interleaved = [hit for best in rounds for hit in best if hit is not None]
    return tuple(replace(hit, rank=n) for n, hit in enumerate(interleaved[:top_k], start=1))
