"""What volumes add to a prompt: the earlier story, before the chat's own and within its budget."""

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
from engram_desktop.services.inject.facts import is_telling
from engram_desktop.services.inject.prompt_contents import FACT_STEP, Offer
from engram_desktop.services.inject.prompt_lines import (
    PromptLine,
    entity_line,
    head_of,
    in_a_line,
    place_of,
)
from engram_desktop.services.prompts.macro_scope import summary_events

if TYPE_CHECKING:
    from engram_desktop.services.recall.open_volumes import OpenVolume

_STORY_SHARE = 3  # at least a third of the room for the story so far is kept for volumes
_HEADING = 12  # tokens of the line that names a volume
_HEAD = 8  # tokens of time and place before an event


@dataclass(frozen=True, slots=True)
class EarlierStory:
    """One volume in a prompt: its story, which is in every prompt, and what was recalled of it."""

    volume: OpenVolume
    story: tuple[EventNode, ...] = ()
    hits: tuple[RecallHit, ...] = ()


def room_beside(own: Sequence[EventNode], tokens: int) -> int:
    """Return how much of ``tokens``, the room for the story so far, volumes may take.

    That is what the chat's ``own`` story leaves, and a third at least. It changes in steps of a
    tenth, so that the text of volumes stays the same for a while as the chat grows.
    """
    step = max(1, tokens // 10)
    return max(tokens // _STORY_SHARE, (tokens - _cost(own)) // step * step)


def earlier_stories(
    volumes: Sequence[OpenVolume], query: RecallQuery, tokens: int, newest: int
) -> list[EarlierStory]:
    """Return the story of each volume for every prompt, in about ``tokens`` altogether."""
    stories = []
    room = tokens // max(1, len(volumes)) - _HEADING
    for volume in volumes:
        story = _story(volume, query, room, newest) if room > 0 else ()
        stories.append(EarlierStory(volume, story))
    return stories


def _story(volume: OpenVolume, query: RecallQuery, room: int, newest: int) -> tuple[EventNode, ...]:
    where = volume.where(query)

    def make() -> list[EventNode]:
        allowed = volume.store.items.known_events(where)
        return summary_events(volume.store, MAIN_BRANCH, room, newest, allowed=allowed)

    key = (where.actor is not None and where.asker, where.confidence, room, newest)
    return volume.story(key, make)


def taken_from(own: Sequence[EventNode], stories: Sequence[EarlierStory], tokens: int) -> int:
    """Return how many of ``tokens`` the ``own`` story must leave to ``stories``; 0 if all fits."""
    taken = sum(_HEADING + _cost(one.story) for one in stories if one.story)
    return taken if taken + _cost(own) > tokens else 0


def _cost(story: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(event.summary) + _HEAD for event in story)


def with_hits(
    stories: Sequence[EarlierStory], results: Sequence[RecallResult], *, unrelated: bool
) -> list[EarlierStory]:
    """Add what was recalled of each volume, if it is related to the question."""
    filled = []
    for number, one in enumerate(stories):
        found = [result.earlier[number] for result in results if number < len(result.earlier)]
        is_related = unrelated or any(result.is_related for result in found)
        hits = tuple(hit for result in found for hit in result.hits) if is_related else ()
        filled.append(replace(one, hits=hits))
    return filled


def story_lines(stories: Sequence[EarlierStory]) -> list[PromptLine]:
    """Return the lines of the volumes' stories, the newest first: the oldest are dropped first."""
    lines = [
        PromptLine("earlier", (n, *story_key(event)[:2], event.id), _told(event), day=_title(one))
        for n, one in enumerate(stories)
        for event in one.story
    ]
    return sorted(lines, key=lambda line: line.order, reverse=True)


def offers(stories: Sequence[EarlierStory], words: dict[str, str]) -> list[Offer]:
    """Offer what was recalled of volumes, except what their stories say already."""
    made: list[Offer] = []
    for n, one in enumerate(stories):
        told = PromptSentences(event.summary for event in one.story)
        store = one.volume.store
        events = {e.id: e for e in store.events.by_ids(_refs(one.hits, "event"))}
        entities = {e.id: e for e in store.entities.fetch(_refs(one.hits, "entity"))}
        pages = 0
        for hit in one.hits:
            ref, worth = hit.item.ref, hit.score
            event, entity = events.get(ref), entities.get(ref)
            if event is not None and (text := told.new_of(event.summary)):
                line_text = _told(replace(event, summary=text))
                order = (n, *story_key(event)[:2], event.id)
            elif entity is not None and is_telling(entity):
                line_text = entity_line(0, entity, words).text
                order = (n, _LAST, pages, entity.id)
                worth -= FACT_STEP * pages
                pages += 1
            else:
                continue
            line = PromptLine("earlier_recalled", order, line_text, (hit,), _title(one))
            made.append(Offer(worth, line.cost, (hit,), line=line))
    return made


_LAST = 10**9  # a floor after all others: people and things come after the events


def _refs(hits: Sequence[RecallHit], kind: str) -> list[str]:
    return [hit.item.ref for hit in hits if hit.item.kind == kind]


def _title(one: EarlierStory) -> str:
    return in_a_line(one.volume.row.title)


def _told(event: EventNode) -> str:
    """Write an event without its floors, which are those of another chat."""
    place = place_of(event)
    return (
        f"- {head_of(place)} {in_a_line(event.summary)}"
        if place
        else (f"- {in_a_line(event.summary)}")
    )
