"""What volumes add to a prompt: the earlier story, told before the chat's own and in its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.inject import PromptSentences
from engram_desktop.domain.memory.event import EventNode, story_key
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.recall.query import RecallHit, RecallQuery, RecallResult
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.prompt_contents import FACT_STEP, Offer
from engram_desktop.services.inject.prompt_lines import (
    PromptLine,
    entity_line,
    head_of,
    in_a_line,
    place_of,
)
from engram_desktop.services.prompts.macro_scope import told_so_far

if TYPE_CHECKING:
    from engram_desktop.services.volumes.layers import Layer

_STORY_SHARE = 3  # of what the story so far may take, one part in so many is kept for volumes
_HEADING = 12  # tokens of the line that names a volume
_HEAD = 8  # tokens of what stands before an event: when and where


@dataclass(frozen=True, slots=True)
class EarlierStory:
    """One volume in a prompt: what of its story is always told, and what was recalled of it."""

    layer: Layer
    story: tuple[EventNode, ...] = ()
    hits: tuple[RecallHit, ...] = ()


def room_beside(own: Sequence[EventNode], tokens: int) -> int:
    """Return how much of ``tokens``, kept for the story so far, volumes may take.

    That is what the chat's ``own`` story leaves, and a third at least.
    """
    return max(tokens // _STORY_SHARE, tokens - _cost(own))


def earlier_stories(
    layers: Sequence[Layer], query: RecallQuery, tokens: int, newest: int
) -> list[EarlierStory]:
    """Return what is always told of volumes in about ``tokens``, whatever is asked."""
    stories = []
    room = tokens // max(1, len(layers)) - _HEADING
    for layer in layers:
        allowed = layer.store.items.known_events(layer.where(query))
        story: list[EventNode] = []
        if room > 0:
            story = told_so_far(layer.store, MAIN_BRANCH, room, newest, allowed=allowed)
        stories.append(EarlierStory(layer, tuple(story)))
    return stories


def cost_of(stories: Sequence[EarlierStory]) -> int:
    """Return about what the stories take of the room for the story so far."""
    return sum(_HEADING + _cost(one.story) for one in stories if one.story)


def _cost(story: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(event.summary) + _HEAD for event in story)


def with_hits(
    stories: Sequence[EarlierStory], results: Sequence[RecallResult], *, unrelated: bool
) -> list[EarlierStory]:
    """Add what was recalled of each volume, where it has to do with the question."""
    filled = []
    for number, one in enumerate(stories):
        found = [result.earlier[number] for result in results if number < len(result.earlier)]
        is_related = unrelated or any(result.is_related for result in found)
        hits = tuple(hit for result in found for hit in result.hits) if is_related else ()
        filled.append(replace(one, hits=hits))
    return filled


def story_lines(stories: Sequence[EarlierStory]) -> list[PromptLine]:
    """Return the lines of what is always told, the newest first: the oldest give way."""
    lines = [
        PromptLine("earlier", (n, *story_key(event)[:2], event.id), _told(event), day=_title(one))
        for n, one in enumerate(stories)
        for event in one.story
    ]
    return sorted(lines, key=lambda line: line.order, reverse=True)


def offers(stories: Sequence[EarlierStory], words: dict[str, str]) -> list[Offer]:
    """Offer what was recalled of volumes; what their story tells already is left out."""
    made: list[Offer] = []
    for n, one in enumerate(stories):
        told = PromptSentences(event.summary for event in one.story)
        store = one.layer.store
        events = {e.id: e for e in store.events.by_ids(_refs(one.hits, "event"))}
        entities = {e.id: e for e in store.entities.fetch(_refs(one.hits, "entity"))}
        pages = 0
        for hit in one.hits:
            ref, worth = hit.item.ref, hit.score
            event, entity = events.get(ref), entities.get(ref)
            if event is not None and (text := told.new_of(event.summary)):
                line_text = _told(replace(event, summary=text))
                order = (n, *story_key(event)[:2], event.id)
            elif entity is not None:
                line_text = entity_line(0, entity, words).text
                order = (n, _LAST, pages, entity.id)
                worth -= FACT_STEP * pages
                pages += 1
            else:
                continue
            line = PromptLine("earlier_recalled", order, line_text, (hit,), _title(one))
            made.append(Offer(worth, line.cost, (hit,), line=line))
    return made


_LAST = 10**9  # a floor behind all: people and things follow what happened


def _refs(hits: Sequence[RecallHit], kind: str) -> list[str]:
    return [hit.item.ref for hit in hits if hit.item.kind == kind]


def _title(one: EarlierStory) -> str:
    return in_a_line(one.layer.volume.title)


def _told(event: EventNode) -> str:
    """Tell an event without its floors: they are those of another chat."""
    place = place_of(event)
    return (
        f"- {head_of(place)} {in_a_line(event.summary)}"
        if place
        else (f"- {in_a_line(event.summary)}")
    )
