"""The overview page of a chat: progress, story, best moments, cast and costs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.graph.relations import predicate_alone
from engram_desktop.domain.memory.event import EventNode, EventQuery, counts_of
from engram_desktop.domain.overview import CastMember, MemoryProgress, Overview, Spent
from engram_desktop.domain.pipeline.automation import blocks
from engram_desktop.domain.pipeline.usage import DayUsage, cost
from engram_desktop.services import characters
from engram_desktop.services.events import event_service
from engram_desktop.services.pipeline.automation import COMPLETION_TOKENS
from engram_desktop.services.pipeline.summary_request import prompt_tokens
from engram_desktop.services.prompts import macro_scope

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.domain.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore, KnownGraph


STORY_TOKENS = 1_600  # two minutes of reading; a prompt may hold ten times as much
MOST_MOMENTS = 8  # about a screenful
PLAIN_TOLD = 200  # events without an outline: 16,000 took 1.5 s, each second while they grow
NEWEST_TOLD = 2  # newest events told in full


class OverviewService:
    """Overviews. Only reads; no model is asked."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(
        self, ctx: JobContext, line: Line, actors: Sequence[Actor] = (), at: int | None = None
    ) -> Overview:
        """Return the overview of a line, as all ``actors`` know it, up to floor ``at``.

        Raises NotFound, Cancelled.
        """
        store, branch_id = self._session.chat(line.chat_id), line.branch_id
        settings = self._session.settings(line.chat_id)
        progress = _progress(store, branch_id, settings, actors, at)
        ctx.check()
        told = _story(store, branch_id, actors, at)
        ctx.check()
        best = _moments(store, line, actors, at)
        ctx.check()
        people = cast_of(self._session, store, branch_id, actors, at)
        has_model = self._session.clients.has_llm()
        spent = store.ledger.totals()
        here = DayUsage(spent["calls"], spent["prompt_tokens"], spent["completion_tokens"])
        return Overview(
            line,
            progress,
            told,
            best,
            people,
            _spent(settings, here),
            _spent(settings, self._session.library.usage_in_all()),
            settings.llm_currency,
            has_model,
            0 if has_model else _model_tokens(store, branch_id, settings),
            is_whole=not actors and at is None,
        )


def _progress(
    store: ChatStore,
    branch_id: str,
    settings: Settings,
    actors: Sequence[Actor],
    at: int | None,
) -> MemoryProgress:
    runs = tuple(event_service.coverage(store, branch_id))
    floors = store.messages.count(branch_id)
    if at is not None:
        floors = min(floors, at + 1)
        runs = tuple((a, min(b, at), state) for a, b, state in runs if a <= at)
    drafts = store.drafts.counts(branch_id)
    untold = sum(last - first + 1 for first, last, state in runs if state == "empty")
    fresh = 0
    if runs and runs[-1][2] == "empty":
        first, last, _state = runs[-1]
        length = last - first + 1
        # what automation leaves for later; nothing, in a chat that was never read
        is_tail = first > 0 and length < settings.summary_interval + settings.summary_newest
        fresh = length if is_tail else 0
    visible = store.events.always_visible(branch_id)
    query = EventQuery(branch_id=branch_id, until=at, actors=tuple(actors))
    return MemoryProgress(
        floors=floors,
        runs=runs,
        untold=untold,
        fresh=fresh,
        waiting=drafts.waiting + drafts.redo,
        failed=drafts.failed,
        events=counts_of(store.events.cube(query)),
        is_buffer_full=visible.waiting > settings.visible_newest
        and (
            0 < settings.buffer_events <= visible.waiting
            or 0 < settings.buffer_tokens <= visible.waiting_tokens
        ),
    )


def _model_tokens(store: ChatStore, branch_id: str, settings: Settings) -> int:
    todo = blocks(0, store.messages.count(branch_id) - 1, settings.summary_interval)
    return prompt_tokens(store, branch_id, todo) + COMPLETION_TOKENS * len(todo)


def _story(
    store: ChatStore, branch_id: str, actors: Sequence[Actor], at: int | None
) -> tuple[EventNode, ...]:
    """Return the story so far, as short as the page requires."""
    known = store.known_graph(branch_id, actors).event_ids if actors else None
    told = macro_scope.summary_events(
        store,
        branch_id,
        STORY_TOKENS,
        NEWEST_TOLD,
        until=at,
        allowed=lambda event: known is None or event.id in known,
        plain=None if actors else PLAIN_TOLD,
    )
    return tuple(told)


def _moments(
    store: ChatStore, line: Line, actors: Sequence[Actor], at: int | None
) -> tuple[EventNode, ...]:
    """Return the most important events, in story order."""
    query = EventQuery(
        level=0,
        kind="event",
        branch_id=line.branch_id,
        actors=tuple(actors),
        until=at,
        sort="significance",
    )
    keys = store.events.find(query)
    chosen = best_spread(
        keys, lambda key: store.events.fetch([key])[key].significance_score, MOST_MOMENTS
    )
    events = store.events.fetch(chosen)
    found = [events[key] for key in chosen if key in events]
    return tuple(sorted(found, key=lambda e: (e.source_range, e.pk)))


def _spent(settings: Settings, usage: DayUsage) -> Spent:
    money = cost(settings, usage.prompt_tokens, usage.completion_tokens)
    return Spent(usage.calls, usage.tokens, money if usage.calls else None)


LOOKED_AT = 60  # entities looked at, best known first, since places and things are among them
MOST = 12  # people shown: more than a glance takes in
MOST_FACTS = 3  # profile facts shown in one line
MOST_ABOUT = 160  # characters of a card shown in one line
MOST_TIES = 2  # relations shown in one line
_PLAIN = str | int | float


def cast_of(
    session: Session,
    store: ChatStore,
    branch_id: str,
    actors: Sequence[Actor],
    at: int | None = None,
) -> tuple[CastMember, ...]:
    """Return the cast of a line up to a floor, as all ``actors`` know it, the most seen first."""
    graph = store.known_graph(branch_id, actors, at)
    people = _people(store, branch_id, graph, is_now=at is None)
    cards = _cards(session, store)
    # an actor knows what it heard about others, not how much they speak
    counts = [] if actors else store.messages.message_counts(at)
    about = {} if actors else _told_by_cards(session, cards)
    spoken = {norm_name(name): count for name, _role, count in counts}
    users = {norm_name(name) for name, role, _count in counts if role == "user"}
    ties = _ties(graph, people)
    members, named = [], set[str]()
    for entity in people:
        norms = {norm_name(name) for name in (entity.name, *entity.aliases)}
        named |= norms
        card = next((cards[norm] for norm in norms if norm in cards), "")
        members.append(
            CastMember(
                entity.name,
                entity.id,
                _facts(entity.profile) or about.get(card, "") or ties.get(entity.id, ""),
                entity.event_count,
                sum(spoken.get(norm, 0) for norm in norms),
                card,
                bool(norms & users),
            )
        )
    for name, role, count in counts:
        norm = norm_name(name)
        if norm not in named:
            named.add(norm)
            card = cards.get(norm, "")
            members.append(
                CastMember(
                    name,
                    about=about.get(card, ""),
                    messages=count,
                    card_id=card,
                    is_user=role == "user",
                )
            )
    return tuple(sorted(members, key=lambda m: (-m.events, -m.messages))[:MOST])


def _people(
    store: ChatStore, branch_id: str, graph: KnownGraph, *, is_now: bool
) -> list[EntityNode]:
    known = graph.known(store.entities.find("", LOOKED_AT, branch_id))
    if not is_now:  # those known by then, with the events up to then
        told = store.entities.events_of([e.id for e in known])
        counts = {e.id: len(graph.event_ids.intersection(told.get(e.id, ()))) for e in known}
        known = [replace(e, event_count=counts[e.id]) for e in known if counts[e.id]]
    return [entity for entity in known if entity.type == "char"]


def _cards(session: Session, store: ChatStore) -> dict[str, str]:
    """Return the ids of the cards that speak in a chat, by the characters' normalised names."""
    cards: dict[str, str] = {}
    for row in characters.characters_of_chat(session.library, store):
        for name in (row.name, row.nickname):
            if name:
                cards.setdefault(norm_name(name), row.id)
        for name, avatar in store.messages.characters():
            if avatar and avatar == row.avatar:
                cards.setdefault(norm_name(name), row.id)
    return cards


def _told_by_cards(session: Session, cards: Mapping[str, str]) -> dict[str, str]:
    """Return the first line of each card's description, by card id."""
    told = {}
    for card_id in set(cards.values()):
        row = session.library.characters.find(card_id)
        try:
            character = characters.character_of(session.library, row)
        except InputError:
            continue  # the picture of a card that cannot be read is used all the same
        text = character.description.replace("{{char}}", character.called)
        lines = (" ".join(line.split()) for line in text.splitlines())
        told[card_id] = next((line for line in lines if line), "")[:MOST_ABOUT]
    return told


def _ties(graph: KnownGraph, people: Sequence[EntityNode]) -> dict[str, str]:
    """Return the current relations of each person as one line, best evidenced first."""
    names = {entity.id: entity.name for entity in people}
    relations = graph.relations(list(names), among=True)
    current = sorted((r for r in relations if r.is_current), key=lambda r: -len(r.event_ids))
    lines: dict[str, list[str]] = {}
    for relation in current:
        told = lines.setdefault(relation.src, [])
        if len(told) < MOST_TIES:
            told.append(f"{predicate_alone(relation.predicate)} → {names.get(relation.dst, '')}")
    return {entity_id: " · ".join(told) for entity_id, told in lines.items()}


def _facts(profile: Mapping[str, Any]) -> str:
    """Return the first facts of a profile in one line."""
    facts = (str(value).strip() for value in _leaves(profile.values()))
    first = [" ".join(fact.split()) for fact in facts if fact][:MOST_FACTS]
    return " · ".join(first)


def _leaves(values: Iterable[object]) -> Iterable[_PLAIN]:
    for value in values:
        match value:
            case bool() | None:
                continue
            case dict():
                yield from _leaves(value.values())
            case list() | tuple():
                yield from _leaves(value)
            case str() | int() | float():
                yield value


def best_spread(keys: Sequence[int], score: Callable[[int], float], most: int) -> list[int]:
    """Choose ``most`` of ``keys``, which are sorted by falling score, then by story order.

    Of equal scores that do not all fit, keys spread over the whole story are chosen, not the first
    ones. ``score`` is called only a few times, however many keys there are.
    """
    if len(keys) <= most:
        return list(keys)
    edge = score(keys[most - 1])
    first = bisect_left(keys, -edge, key=lambda key: -score(key))
    end = bisect_right(keys, -edge, key=lambda key: -score(key))
    room = most - first
    alike = keys[first:end]
    chosen = [alike[(2 * n + 1) * len(alike) // (2 * room)] for n in range(room)]
    return [*keys[:first], *chosen]
