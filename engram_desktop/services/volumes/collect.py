"""Collect a volume from a line of a chat: what it remembers, and who knows each part of it.

Who knows what is asked of the one rule of access, person by person, as of the last floor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.graph.relations import says_nothing
from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.line import Line, content_hash
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.memory.volume import (
    EVERYONE,
    MAX_ENTITIES,
    MAX_PERSONS,
    MAX_TEXT,
    Volume,
    VolumeEntity,
    VolumeEvent,
    VolumeFact,
    VolumePerson,
)
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.domain.values import dataclass
from engram_desktop.services.knowledge.heard import heard
from engram_desktop.services.knowledge.knowledge_service import actors_of

if TYPE_CHECKING:
    from engram_desktop.domain.claims.claim import Finding, FindingKind
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.storage.chat.chat_store import ChatStore

_READ_AT_ONCE = 500  # events
_NAME, _NAMES = 200, 500  # characters of a name, and names of one entry, as a file may hold them
KnownBy = tuple[str, ...]
_PROMISES: tuple[FindingKind, ...] = ("promise",)


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    actor: Actor


class Collector:
    """Reads one line of a chat. Nothing is written but who knows what, where that is due."""

    def __init__(
        self, store: ChatStore, line: Line, knowledge: KnowledgeService, findings: FindingsService
    ) -> None:
        self._store = store
        self._line = line
        self._knowledge = knowledge
        self._findings = findings

    def collect(self, ctx: JobContext, volume: Volume) -> Volume:
        """Return ``volume`` with all that the line remembers. Raises Cancelled."""
        self._knowledge.derive(ctx, self._line.chat_id)
        people = [
            _Person(name, self._knowledge.actor(ctx, self._line, name))
            for name in actors_of(self._store)[:MAX_PERSONS]
            if len(name) <= _NAME  # a longer one is no name, and no file may hold it
        ]
        left_out = self._store.items.stale()
        left_out |= {item.ref for item in self._store.items.muted()}
        events = self._events(ctx, people, left_out)
        entities, relations = self._graph(ctx, people, left_out)
        facts = (*relations, *self._threads(ctx, people), *self._state(ctx, people))
        return replace(
            volume,
            persons=tuple(_person(person) for person in people),
            events=events,
            entities=entities,
            facts=facts,
        )

    def _events(
        self, ctx: JobContext, people: Sequence[_Person], left_out: Collection[str]
    ) -> tuple[VolumeEvent, ...]:
        knows = {p.name: self._known_graph(p.actor).event_ids for p in people}
        public = self._known_graph(_NOBODY).event_ids
        keys = self._store.events.find(EventQuery(branch_id=self._line.branch_id))
        found: list[VolumeEvent] = []
        for start in range(0, len(keys), _READ_AT_ONCE):
            ctx.report(start, len(keys), "events")
            page = keys[start : start + _READ_AT_ONCE]
            events = self._store.events.fetch(page)
            told = [events[pk] for pk in page if pk in events]
            found += [
                _event(event, _known_by(event.id, knows, public))
                for event in told
                if event.id not in left_out
            ]
        levels = {event.id: event.level for event in found}
        return tuple(
            event
            if levels.get(event.parent_id or "", 0) > event.level
            else replace(event, parent_id=None)
            for event in found
        )

    def _graph(
        self, ctx: JobContext, people: Sequence[_Person], left_out: Collection[str]
    ) -> tuple[tuple[VolumeEntity, ...], tuple[VolumeFact, ...]]:
        found = self._store.entities.find("", MAX_ENTITIES, self._line.branch_id)
        entities = [e for e in found if e.id not in left_out and not e.is_hidden]
        ids = [e.id for e in entities]
        relations = [
            r
            for r in self._known_graph().current(ids)
            if not says_nothing(r.predicate) and {r.src, r.dst} <= set(ids)
        ]
        whole: dict[str, set[str]] = {}
        related: dict[str, set[str]] = {}
        by_id = {e.id: e for e in entities}
        askers = [*people, _Person(EVERYONE, _NOBODY)]
        for person in askers:
            ctx.check()
            graph = self._known_graph(person.actor)
            known = {e.id: e for e in graph.known(entities)}
            same = {i for i, e in known.items() if e.name == by_id[i].name}
            whole[person.name] = {i for i in same if _is_whole(known[i], by_id[i])}
            # of whom somebody knows another name only, the names here would tell more
            related[person.name] = {
                r.id for r in graph.current(known) if r.src in same and r.dst in same
            }
        pages = [
            VolumeEntity(
                e.id,
                e.name[:_NAME],
                e.type,
                _known_by(e.id, whole, whole[EVERYONE]),
                _short(a for a in e.aliases if a != e.name),
                e.description[:MAX_TEXT],
            )
            for e in entities
            if e.description or e.aliases
        ]
        edges = [
            VolumeFact(
                "relation",
                f"{by_id[r.src].name} {r.predicate} {by_id[r.dst].name}"[:MAX_TEXT],
                _known_by(r.id, related, related[EVERYONE]),
                max((floors[1] for floors in r.floors), default=0),
            )
            for r in relations
        ]
        return tuple(pages), tuple(edges)

    def _threads(self, ctx: JobContext, people: Sequence[_Person]) -> list[VolumeFact]:
        """Return promises that are open where the line ends, with who made or heard them."""
        threads = []
        for finding in self._findings.findings(ctx, self._line, _PROMISES):
            if finding.status == "open" and finding.quotes:
                quote = finding.quotes[0]
                who = "、".join(finding.who)
                text = f"{who}: {quote.text}" if who else quote.text
                names = tuple(p.name for p in people if self._hears(p, finding))
                threads.append(VolumeFact("thread", text[:MAX_TEXT], names, quote.floor))
        return threads

    def _hears(self, person: _Person, finding: Finding) -> bool:
        """Whether somebody made a promise, or perceived the words of it."""
        if any(norm_name(name) in person.actor.norms for name in finding.who):
            return True
        quote = finding.quotes[0]
        floor = quote.floor
        messages = heard(self._store, self._line.branch_id, person.actor, floor, floor)
        return any(quote.text in message.text for message in messages)

    def _state(self, ctx: JobContext, people: Sequence[_Person]) -> list[VolumeFact]:
        """Return the values of the state, with who perceived each as it is now."""
        floor = max(0, self._store.messages.count(self._line.branch_id) - 1)
        now = list(leaves(self._knowledge.state(ctx, self._line, ()).tree))
        perceived = {
            person.name: {
                leaf.path: leaf.value
                for leaf in leaves(self._knowledge.state(ctx, self._line, [person.name]).tree)
            }
            for person in people
            if now
        }
        values = []
        for leaf in now:
            meaning = f" ({leaf.meaning})" if leaf.meaning else ""
            names = tuple(
                name
                for name, tree in perceived.items()
                if leaf.path in tree and tree[leaf.path] == leaf.value
            )
            text = f"{join_path(leaf.path)}: {leaf.value}{meaning}"[:MAX_TEXT]
            values.append(VolumeFact("state", text, names, floor))
        return values

    def _known_graph(self, *actors: Actor) -> Any:
        return self._store.known_graph(self._line.branch_id, actors)


_NOBODY = Actor(frozenset())  # knows what is public, and nothing else


def _known_by(key: str, knows: Mapping[str, Collection[str]], public: Collection[str]) -> KnownBy:
    names = tuple(name for name, keys in knows.items() if name != EVERYONE and key in keys)
    # what the user says that one person does not know is public no more
    is_public = key in public and len(names) == len(knows.keys() - {EVERYONE})
    return (EVERYONE,) if is_public else names


def _is_whole(known: EntityNode, entity: EntityNode) -> bool:
    return known.description == entity.description and set(known.aliases) == set(entity.aliases)


def _person(person: _Person) -> VolumePerson:
    own = norm_name(person.name)
    return VolumePerson(person.name, _short(sorted(person.actor.norms - {own, EVERYONE})))


def _short(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name[:_NAME] for name in names if name.strip())[:_NAMES]


def _event(event: EventNode, known_by: KnownBy) -> VolumeEvent:
    data = event.raw_data
    return VolumeEvent(
        event.id,
        event.summary[:MAX_TEXT] or "…",
        known_by,
        max(0, event.source_range.start_index),
        max(0, event.source_range.end_index),
        event.level,
        event.parent_id,
        event.status,
        event.kind,
        data.timestamp[:_NAME],
        data.location[:_NAME],
        data.details[:MAX_TEXT],
        _short(data.keywords),
        tuple(replace(n, name=n.name[:_NAME]) for n in data.entities if n.name.strip())[:_NAMES],
        min(1.0, max(0.0, event.significance_score)),
        event.extractor,
        event.confidence,
    )


def volume_key(chat_id: str, made_at: int, title: str) -> str:
    """Return an id for a new volume."""
    return content_hash(chat_id, str(made_at), title)[:12]
