"""Volumes of a library: made from a chat, read by others, updated, exported as files.

A volume is collected from a line: what it remembers, and who knows each part of it, tested person
by person by the rule of access, as of the last floor.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import (
    ATTACH_VOLUME,
    DELETE_VOLUME,
    DETACH_VOLUME,
    IMPORT_VOLUME,
    MAKE_VOLUME,
    UPDATE_VOLUME,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, LlmError
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
    MAX_TITLE,
    VOLUME_KINDS,
    Volume,
    VolumeEntity,
    VolumeEvent,
    VolumeFact,
    VolumeInfo,
    VolumeKind,
    VolumePerson,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.domain.text.cleaning import in_a_row
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.volume_file import (
    is_volume_file,
    read_volume,
    read_volume_file,
    volume_bytes,
)
from engram_desktop.services.knowledge.heard import heard
from engram_desktop.services.knowledge.knowledge_service import actors_of
from engram_desktop.services.library.whole_file import write_new

if TYPE_CHECKING:
    from engram_desktop.domain.claims.claim import Finding, FindingKind
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.index_service import OpenVolumes
    from engram_desktop.storage.chat.chat_store import ChatStore

_READ_AT_ONCE = 500  # events
_NAME, _NAMES = 200, 500  # characters of a name, and names in one entry, that a file may hold
KnownBy = tuple[str, ...]
_PROMISES: tuple[FindingKind, ...] = ("promise",)


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    actor: Actor


class Collector:
    """Collects the contents of a volume from one line. Writes nothing but derived knowledge."""

    def __init__(
        self, store: ChatStore, line: Line, knowledge: KnowledgeService, findings: FindingsService
    ) -> None:
        self._store = store
        self._line = line
        self._knowledge = knowledge
        self._findings = findings

    def collect(self, ctx: JobContext, volume: Volume) -> Volume:
        """Return ``volume`` with everything the line remembers. Raises Cancelled."""
        self._knowledge.derive(ctx, self._line.chat_id)
        people = [
            _Person(name, self._knowledge.actor(ctx, self._line, name))
            for name in actors_of(self._store)[:MAX_PERSONS]
            if len(name) <= _NAME  # longer ones are no names, and no file may hold them
        ]
        left_out = self._store.items.stale()
        left_out |= {item.ref for item in self._store.items.muted()}
        events = self._events(ctx, people, left_out)
        entities, relations = self._graph(ctx, people, left_out, {event.id for event in events})
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
        self,
        ctx: JobContext,
        people: Sequence[_Person],
        left_out: Collection[str],
        events: Collection[str],
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
            # the names here would reveal more to somebody who knows another name only
            related[person.name] = {
                r.id for r in graph.current(known) if r.src in same and r.dst in same
            }
        named = self._store.entities.events_of(ids)  # an entity without a page is found by these
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
            if e.description or e.aliases or not named.get(e.id, set()).isdisjoint(events)
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
        """Return the promises open at the end of the line, with who made or heard them."""
        threads = []
        for finding in self._findings.findings(ctx, self._line, _PROMISES):
            if finding.status == "open" and finding.quotes:
                quote = finding.quotes[0]
                who = in_a_row(finding.who)
                text = f"{who}: {quote.text}" if who else quote.text
                names = tuple(p.name for p in people if self._hears(p, finding))
                threads.append(VolumeFact("thread", text[:MAX_TEXT], names, quote.floor))
        return threads

    def _hears(self, person: _Person, finding: Finding) -> bool:
        """Return whether a person made a promise, or perceived its words."""
        if any(norm_name(name) in person.actor.norms for name in finding.who):
            return True
        quote = finding.quotes[0]
        floor = quote.floor
        messages = heard(self._store, self._line.branch_id, person.actor, floor, floor)
        return any(quote.text in message.text for message in messages)

    def _state(self, ctx: JobContext, people: Sequence[_Person]) -> list[VolumeFact]:
        """Return the values of the state, with who perceived each one's present value."""
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


_NOBODY = Actor(frozenset())  # knows public memories only


def _known_by(key: str, knows: Mapping[str, Collection[str]], public: Collection[str]) -> KnownBy:
    names = tuple(name for name, keys in knows.items() if name != EVERYONE and key in keys)
    # what the user says a person does not know is not public
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
    """Return the id of a new volume."""
    return content_hash(chat_id, str(made_at), title)[:12]


_T = QT_TRANSLATE_NOOP


class EmptyVolume(InputError):
    """``chat`` remembers nothing of the chosen kinds."""

    text = _T("errors", "“{chat}” remembers nothing that could go into a volume.")
    hint = _T("errors", "Summarise it first, or choose more kinds of memories.")


class NoSource(InputError):
    """The chat that the volume ``title`` was made from is not in the library."""

    text = _T("errors", "The chat that the volume “{title}” was made of is not in this library.")
    hint = _T("errors", "Update it where that chat is, and import it again.")


class OwnVolume(InputError):
    """``chat`` is the chat that the volume ``title`` was made from."""

    text = _T("errors", "“{title}” was made of “{chat}”, which remembers all of it itself.")
    hint = _T("errors", "Choose another chat.")


class BadTitle(InputError):
    """A title that is empty or too long."""

    text = _T("errors", "A title of 1 to {most} characters is expected.")


class VolumeService:
    """Volumes. Every write is one undoable step of the library."""

    def __init__(
        self,
        session: Session,
        knowledge: KnowledgeService,
        findings: FindingsService,
        volumes: OpenVolumes,
    ) -> None:
        self._session = session
        self._knowledge = knowledge
        self._findings = findings
        self._volumes = volumes

    def all(self) -> list[VolumeInfo]:
        """Return every volume by title; deleted ones that chats still use come last."""
        return self._session.library.volumes.all()

    def of_chat(self, chat_id: str) -> list[VolumeInfo]:
        """Return the volumes a chat reads, in the order they were added."""
        by_id = {volume.id: volume for volume in self.all()}
        attached = self._session.library.volumes.attached_to(chat_id)
        return [by_id[volume.id] for volume in attached if volume.id in by_id]

    def find(self, key: str) -> VolumeInfo:
        """Return the volume with this id or title. Raises NotFound, Ambiguous."""
        return self._session.library.volumes.find(key)

    def read(self, key: str) -> Volume:
        """Return everything in a volume. Raises NotFound, DamagedDatabase, InputError."""
        info = self.find(key)
        return read_volume(self._session.library.volumes.content(info.id), info.title)

    def faults(self, chat_id: str) -> list[str]:
        """Return the titles of volumes that a chat uses and that cannot be read."""
        return self._volumes.of(chat_id)[1]

    def preview(self, ctx: JobContext, line: Line) -> Mapping[VolumeKind, int]:
        """Count what a volume of a line could hold. Raises NotFound, Cancelled."""
        return self._collected(ctx, line, Volume("", "", "", 0)).counts()

    def make(
        self, ctx: JobContext, line: Line, title: str, kinds: Sequence[VolumeKind] = VOLUME_KINDS
    ) -> tuple[VolumeInfo, Changes]:
        """Make a volume from a line. Raises NotFound, EmptyVolume, BadTitle, Cancelled."""
        library = self._session.library
        title = title.strip()
        if not title or len(title) > MAX_TITLE:
            raise BadTitle(most=MAX_TITLE)
        now = library.clock()
        volume_id = volume_key(line.chat_id, now, title)
        head = Volume(volume_id, title, library.chat_name(line.chat_id)[:MAX_TITLE], now)
        changes = self._store(ctx, line, head, kinds, MAKE_VOLUME)
        return self.find(volume_id), changes

    def update(self, ctx: JobContext, key: str) -> tuple[VolumeInfo, Changes]:
        """Rebuild a volume from its chat; its id, title and readers stay.

        Raises NotFound, NoSource, EmptyVolume, Cancelled.
        """
        library, info = self._session.library, self.find(key)
        chats = {chat_id for chat_id, *_rest in library.chat_rows()}
        if info.is_missing or info.chat_id not in chats:
            raise NoSource(title=info.title)
        line = Line(info.chat_id, info.branch_id)
        source = library.chat_name(info.chat_id)[:MAX_TITLE]
        head = Volume(info.id, info.title, source, library.clock())
        changes = self._store(ctx, line, head, info.kinds or VOLUME_KINDS, UPDATE_VOLUME)
        return self.find(info.id), changes

    def attach(self, ctx: JobContext, key: str, chat_id: str) -> Changes:
        """Let a chat read a volume; nothing changes if it does. Raises NotFound, OwnVolume."""
        library, info = self._session.library, self.find(key)
        name = library.chat_name(chat_id)
        if info.chat_id == chat_id:
            raise OwnVolume(title=info.title, chat=name)
        if info.is_missing:
            library.volumes.content(info.id)  # raises if it is missing
        label = StepLabel(ATTACH_VOLUME, {"name": info.title, "chat": name})
        if chat_id in info.users:
            self._make_ready(ctx, chat_id)
            return Changes(chat_id=chat_id)
        self._write(ctx, label, lambda: library.volumes.attach(info.id, chat_id, info.title))
        self._make_ready(ctx, chat_id)
        return Changes(chat_id=chat_id, volumes=True, recall=True, undo_label=label)

    def detach(self, ctx: JobContext, key: str, chat_id: str) -> Changes:
        """Stop a chat from reading a volume; nothing changes if it does not. Raises NotFound."""
        library, info = self._session.library, self.find(key)
        params = {"name": info.title, "chat": library.chat_name(chat_id)}
        label = StepLabel(DETACH_VOLUME, params)
        if chat_id not in info.users:
            return Changes(chat_id=chat_id)
        self._write(ctx, label, lambda: library.volumes.detach(info.id, chat_id))
        return Changes(chat_id=chat_id, volumes=True, recall=True, undo_label=label)

    def delete(self, ctx: JobContext, key: str) -> Changes:
        """Delete a volume. Chats that read it go on without it, and report that it is missing."""
        library, info = self._session.library, self.find(key)
        library.volumes.content(info.id)
        label = StepLabel(DELETE_VOLUME, {"name": info.title})
        self._write(ctx, label, lambda: library.volumes.delete(info.id))
        ctx.write(self._volumes.sweep)
        return Changes(volumes=True, recall=True, undo_label=label)

    def export(self, ctx: JobContext, key: str, target: Path) -> VolumeInfo:
        """Write a volume to a new file. Raises NotFound, FileExists, StorageError."""
        ctx.check()
        info = self.find(key)
        write_new(target, self._session.library.volumes.content(info.id))
        return info

    def is_volume(self, path: Path) -> bool:
        """Return whether a file looks like a volume."""
        return is_volume_file(path)

    def import_file(self, ctx: JobContext, path: Path) -> tuple[VolumeInfo, Changes]:
        """Import a volume. One that exists already is not imported twice.

        Another volume of the same id, such as an older state of it, is kept beside the new one.
        Raises BadVolume, NewerVolume, Unreadable.
        """
        library = self._session.library
        volume = read_volume_file(path)
        for info in self.all():
            if info.id == volume.id and not info.is_missing:
                if library.volumes.content(info.id) == volume_bytes(volume):
                    return info, Changes()
                volume = replace(volume, id=volume_key(volume.id, library.clock(), volume.title))
        label = StepLabel(IMPORT_VOLUME, {"name": volume.title})
        content = volume_bytes(volume)
        self._write(ctx, label, lambda: library.volumes.put(volume, content))
        return self.find(volume.id), Changes(volumes=True, undo_label=label)

    def _store(
        self, ctx: JobContext, line: Line, head: Volume, kinds: Sequence[VolumeKind], template: str
    ) -> Changes:
        volume = self._collected(ctx, line, head).only(kinds)
        if not (volume.events or volume.entities or volume.facts):
            raise EmptyVolume(chat=head.source)
        content = volume_bytes(volume)
        del volume  # two of a long chat are not held at once
        volume = read_volume(content, head.title)  # make sure that it can be imported again
        library = self._session.library
        label = StepLabel(template, {"name": volume.title})
        chosen = [kind for kind in VOLUME_KINDS if kind in kinds]

        def unit() -> None:
            library.volumes.put(
                volume, content, chat_id=line.chat_id, branch_id=line.branch_id, kinds=chosen
            )

        self._write(ctx, label, unit)
        ctx.write(self._volumes.sweep)
        for chat_id in self.find(volume.id).users:
            self._make_ready(ctx, chat_id)
        return Changes(volumes=True, recall=True, undo_label=label)

    def _collected(self, ctx: JobContext, line: Line, head: Volume) -> Volume:
        store = self._session.chat(line.chat_id)
        return Collector(store, line, self._knowledge, self._findings).collect(ctx, head)

    def _write(self, ctx: JobContext, label: StepLabel, do: Callable[[], object]) -> None:
        def unit() -> None:
            with self._session.library.step(label):
                do()

        ctx.write(unit)

    def _make_ready(self, ctx: JobContext, chat_id: str) -> None:
        """Build the databases of a chat's volumes; without vectors they are searched by words."""
        try:
            self._volumes.embed(ctx, chat_id)
        except LlmError:
            return
