"""Who knows what: look it up, explain it, and correct it by hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.changes import (
    SAY_GRID,
    SAY_KNOWN,
    SAY_MEMBER,
    SAY_PRESENT,
    SAY_SECRET,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, LibraryBusy, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    TELLING_WORDS,
    TELLS,
    GridCell,
    GridChange,
    GridPerson,
    Knower,
    Membership,
    Secret,
    memberships,
    rarity,
)
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.scope import Actor, MemberOf
from engram_desktop.domain.memory.volume import matched_person
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, MemoryItem
from engram_desktop.domain.text.words import SearchedText, TextHits
from engram_desktop.services.knowledge import claims, derive, grid, heard
from engram_desktop.services.knowledge.actors import People
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import ALL, KnowledgeFix

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.knowing import PresentFloor, PrivatePart
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.state.tree import StateHistory
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.state import StateService


_T = QT_TRANSLATE_NOOP

Ref = tuple[str, str]  # kind (turn, event, entity, log) and id of a memory

SEARCHED_AT_ONCE = 500  # messages read together: some ms, after which a search may be cancelled


class KnowledgeService:
    """Knowledge is derived when it is asked for; only the user's corrections are stored."""

    def __init__(self, session: Session, state: StateService) -> None:
        self._session = session
        self._state = state
        # by chat, with the revision read: finding the speakers reads all messages
        self._people: dict[str, tuple[int, People]] = {}
        session.on_leaving(self._forget)

    def derive(self, ctx: JobContext, chat_id: str) -> bool:
        """Bring knowledge up to date; returns whether anything was due. Raises Cancelled.

        If nothing can be written, or another process writes, what is due counts as known to nobody.
        """
        session, store = self._session, self._session.chat(chat_id)
        if not session.can_write or not store.knowledge.has_due():
            return False
        with session.claim_if_free() as is_mine:
            if not is_mine:
                return False
        try:  # each part takes the lock again, since there may be minutes of work
            return derive.derive(ctx, store, session.settings(chat_id).presence_unknown)
        except LibraryBusy:
            return False

    def is_behind(self, chat_id: str) -> bool:
        """Return whether anything is still due, for example because another process writes."""
        return self._session.chat(chat_id).knowledge.has_due()

    def actor(self, ctx: JobContext, line: Line, name: str, at: int | None = None) -> Actor:
        """Return an asker at floor ``at``: its names, its groups and the conditions it fulfils."""
        fulfilled = self._state.fulfilled_conditions(ctx, line, name, at)
        return replace(self._perceiver(line, name, at), fulfilled=fulfilled)

    def is_narrator(self, chat_id: str, name: str) -> bool:
        """Return whether a card of this name only narrates others and never acts itself."""
        store = self._session.chat(chat_id)
        told = store.database.until_written.of(claims.narrated, lambda: claims.narrated(store))
        return norm_name(name) in {norm_name(narrator) for narrator in told.narrators}

    def _perceiver(self, line: Line, name: str, at: int | None = None) -> Actor:
        """Return a person's names and groups, without the conditions it fulfils."""
        norms = self.actor_norms(line, name)
        groups: list[MemberOf] = []
        for one in self.memberships(line):
            if norm_name(one.name) in norms and (at is None or one.joined <= at):
                until = None if one.left is None else one.left - 1
                groups += [(norm, until) for norm in sorted(self.actor_norms(line, one.group))]
        return Actor(norms, at, groups=tuple(groups))

    def memberships(self, line: Line) -> list[Membership]:
        """Return all memberships in groups, with the floors of joining and leaving."""
        store = self._session.chat(line.chat_id)
        return memberships(store.knowledge.member_notes(store.branch_path(line.branch_id)))

    def say_member(
        self, line: Line, group: str, name: str, *, is_member: bool, floor: int
    ) -> Changes:
        """Store that somebody joins or leaves a group at a floor. Raises InputError, NotFound."""
        group, name = _checked(group), _checked(name)
        if norm_name(group) in self.actor_norms(line, name):
            raise InputError(Phrase(_T("reports", "A group is no member of itself.")))
        store = self._session.chat(line.chat_id)
        messages = store.messages.slice(line.branch_id, floor, floor) if floor >= 0 else []
        if not messages:
            raise NotFound("message", f"#{floor}")
        label = StepLabel(SAY_MEMBER, {"name": name, "group": group})
        with store.step(label):
            store.knowledge.say_member(messages[0].id, group, name, is_member=is_member)
        return self._changed(line, label)

    def unsay_member(self, line: Line, group: str, name: str) -> Changes:
        """Delete what was said on this line about a person's membership in a group."""
        store = self._session.chat(line.chat_id)
        pair = (norm_name(group), norm_name(name))
        notes = store.knowledge.member_notes(store.branch_path(line.branch_id))
        ids = [n.message_id for n in notes if (norm_name(n.group), norm_name(n.name)) == pair]
        if not ids:
            return Changes(chat_id=line.chat_id)
        label = StepLabel(SAY_MEMBER, {"name": name, "group": group})
        with store.step(label):
            store.knowledge.unsay_member(ids, group, name)
        return self._changed(line, label)

    def askers(
        self, ctx: JobContext, line: Line, names: Sequence[str], at: int | None = None
    ) -> tuple[Actor, ...]:
        """Return the askers of these names, with knowledge up to date. Raises Cancelled.

        For several askers, only what all of them know counts.
        """
        if names:
            self.derive(ctx, line.chat_id)
        return tuple(self.actor(ctx, line, name, at) for name in names)

    def state(
        self, ctx: JobContext, line: Line, names: Sequence[str], at: int | None = None
    ) -> StateHistory:
        """Return the state as all of ``names`` perceived it; without names, the whole state."""
        if not names:
            return self._state.history(ctx, line, at)
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        last = store.messages.count(line.branch_id) - 1
        people = [self._perceiver(line, name) for name in names]
        floors = [heard.floors(store, line.branch_id, one, 0, last) for one in people]
        return self._state.perceived(ctx, line, frozenset.intersection(*floors), at)

    def actors(self, ctx: JobContext, line: Line) -> list[str]:
        """Return the names of all who perceive anything, those who perceive most first.

        Groups and their members follow.
        """
        self.derive(ctx, line.chat_id)
        names = actors_of(self._session.chat(line.chat_id))
        known = {norm for name in names for norm in self.actor_norms(line, name)}
        of_groups = [n for one in self.memberships(line) for n in (one.name, one.group)]
        more = {norm_name(n): n for n in reversed(of_groups) if norm_name(n) not in known}
        return [*names, *reversed(more.values())]

    def check_person(self, ctx: JobContext, line: Line, name: str) -> None:
        """Raise NotFound if a chat and the volumes it reads know no person of this name.

        Does nothing while knowledge is not up to date.
        """
        self.derive(ctx, line.chat_id)
        store, people = self._session.chat(line.chat_id), self._people_of(line.chat_id)
        norms = people.norms(name)
        owners = {norm_name(owner) for owner, _count in store.logs.owners(line.branch_id)}
        volumes = self._session.library.volumes.attached_to(line.chat_id)
        is_known = (
            bool(norms & (people.aliases.keys() | owners | NARRATORS))
            or people.cast.speaks(name)
            or store.knowledge.is_named(norms)
            or any(matched_person(volume.persons, norms, name) for volume in volumes)
        )
        if not is_known and not store.knowledge.has_due():
            raise NotFound("known person", _checked(name), self.actors(ctx, line))

    def who(self, ctx: JobContext, line: Line, ref: Ref) -> list[Knower]:
        """Return who knows a memory, since which floor and how. Raises NotFound."""
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return who(store, line.branch_id, ref, self.memberships(line))

    def secrets(self, ctx: JobContext, line: Line, limit: int = 500) -> list[Secret]:
        """Return the events that only some of the cast know, the newest first."""
        self.derive(ctx, line.chat_id)
        return secrets(self._session.chat(line.chat_id), line.branch_id, limit)

    def grid_people(self, ctx: JobContext, line: Line) -> list[GridPerson]:
        """Return the columns of the grid: who perceives anything, then persons of the graph."""
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return grid.people(store, actors_of(store))

    def grid_rows(
        self,
        ctx: JobContext,
        line: Line,
        keys: Sequence[int],
        people: Sequence[GridPerson],
        at: int | None = None,
    ) -> dict[int, tuple[GridCell, ...]]:
        """Return a cell for each person of each event, as of floor ``at``, by event key.

        Those who learned of it later are found by `grid_learned_later`, which takes longer.
        """
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return grid.rows(store, keys, people, at, self.memberships(line))

    def grid_learned_later(
        self,
        ctx: JobContext,
        line: Line,
        keys: Sequence[int],
        people: Sequence[GridPerson],
        at: int | None,
    ) -> dict[int, dict[int, GridCell]]:
        """Return the cells of persons who learned of events later, by event key and person.

        They may include persons who were present, as others repeat an event to them; the cell of
        `grid_rows` then takes precedence.
        """
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return grid.learned_later(ctx, store, Tellings(store, line.branch_id), keys, people, at)

    def say_grid(self, line: Line, changes: Sequence[GridChange]) -> Changes:
        """Store who was present, knows or must not know events, as one step. Raises InputError."""
        store = self._session.chat(line.chat_id)
        named = {change.name: self.actor_norms(line, _checked(change.name)) for change in changes}
        label = StepLabel(SAY_GRID, {"count": len(changes)})
        with store.step(label):
            grid.say(store, changes, named)
        return self._changed(line, label)

    def present(self, ctx: JobContext, line: Line, first: int, last: int) -> list[PresentFloor]:
        """Return who perceives each of these floors."""
        self.derive(ctx, line.chat_id)
        return heard.present_floors(self._session.chat(line.chat_id), line.branch_id, first, last)

    def find(self, line: Line, log_or_message_id: str) -> Ref | None:
        """Return the message or private log with this id; None for any other id."""
        items = self._session.chat(line.chat_id).items.of_refs([log_or_message_id])
        return next(((i.kind, i.ref) for i in items), None)

    def heard(
        self, ctx: JobContext, line: Line, actor: str, first: int, last: int
    ) -> list[Message]:
        """Return what ``actor`` perceives of these floors: messages without what it does not hear.

        Messages it perceives nothing of are left out.
        """
        self.derive(ctx, line.chat_id)
        store = self._session.chat(line.chat_id)
        return heard.heard(store, line.branch_id, self._perceiver(line, actor), first, last)

    def find_text(self, ctx: JobContext, line: Line, actor: str, needle: SearchedText) -> TextHits:
        """Search what ``actor`` perceived of a line for a text; reports its progress."""
        count = self._session.chat(line.chat_id).messages.count(line.branch_id)
        found: list[tuple[int, int]] = []
        for first in range(0, count, SEARCHED_AT_ONCE):
            ctx.report(first, count)
            heard_now = self.heard(ctx, line, actor, first, first + SEARCHED_AT_ONCE - 1)
            found += [(m.seq, needle.count(m.text)) for m in heard_now]
        return TextHits.of(found)

    def private_parts(
        self, line: Line, first: int, last: int
    ) -> dict[int, tuple[PrivatePart, ...]]:
        """Return thoughts and whispers by floor, as far as they are derived; derives nothing."""
        store = self._session.chat(line.chat_id)
        floors = {m.id: m.seq for m, _n in store.messages.heads(line.branch_id, (first, last), 0)}
        rows = store.presence.of(list(floors))
        return {floors[key]: tuple(row.parts) for key, row in rows.items() if row.parts}

    def say_known(
        self, line: Line, refs: Collection[Ref], name: str, *, known: bool, from_floor: int = 0
    ) -> Changes:
        """Store that a person knows memories from a floor on, or does not. Raises InputError."""
        name = _checked(name)
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_KNOWN, {"name": name, "count": len(refs)})
        with store.step(label):
            store.knowledge.fix([KnowledgeFix(*ref, name, known, from_floor) for ref in refs])
        return self._changed(line, label)

    def unsay_known(self, line: Line, refs: Collection[Ref], name: str) -> Changes:
        """Delete what was said about a person's knowledge of these memories."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_KNOWN, {"name": name, "count": len(refs)})
        with store.step(label):
            store.knowledge.unfix(list(refs), name)
        return self._changed(line, label)

    def keep_from(self, line: Line, refs: Collection[Ref], names: Sequence[str]) -> Changes:
        """Store who must not learn these memories, replacing former names."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_SECRET, {"count": len(refs)})
        with store.step(label):
            store.knowledge.keep_from(list(refs), [_checked(name) for name in names])
        return self._changed(line, label)

    def say_present(
        self, line: Line, message_ids: Sequence[str], names: Sequence[str] | None
    ) -> Changes:
        """Store who perceives messages; None returns to what rules and models say."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(SAY_PRESENT, {"count": len(message_ids)})
        people = None if names is None else [_checked(name) for name in names]
        with store.step(label):
            store.presence.say(message_ids, people)
        return self._changed(line, label)

    def actor_norms(self, line: Line, name: str) -> frozenset[str]:
        """Return all names of the person called ``name``, normalised by `norm_name`."""
        return self._people_of(line.chat_id).norms(name)

    def _people_of(self, chat_id: str) -> People:
        store = self._session.chat(chat_id)
        revision = store.items.revision()
        entry = self._people.get(chat_id)
        if entry is None or entry[0] != revision:
            entry = self._people[chat_id] = (revision, People.of(store))
        return entry[1]

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            self._people.clear()
        else:
            self._people.pop(chat_id, None)

    def _changed(self, line: Line, label: StepLabel) -> Changes:
        return Changes(chat_id=line.chat_id, knowledge=True, undo_label=label)


def _checked(name: str) -> str:
    if not name.strip() or len(name) > 80:
        raise InputError(Phrase(_T("reports", "A name is expected.")))
    return name.strip()


_WORDS_READ = 80  # rare words of a memory that are searched for in later ones; limits the search


def actors_of(store: ChatStore) -> list[str]:
    """Return the names of all who perceive anything, each person once."""
    people = People.of(store)
    names: dict[str, str] = {}
    for name in store.audiences.members():
        if not any(norm in names for norm in people.norms(name)):
            names[norm_name(name)] = name
    return list(names.values())


def who(
    store: ChatStore, branch_id: str, ref: tuple[str, str], members: Sequence[Membership] = ()
) -> list[Knower]:
    """Return who knows a memory: those present, those told later, and those the user names.

    What a group knows, its members know from the floor they joined on. Knowledge must be up to
    date. Raises NotFound.
    """
    kind, ref_id = ref
    items = [i for i in store.items.of_refs([ref_id]) if i.kind == kind]
    if not items:
        raise NotFound("memory", ref_id)
    item = next((i for i in items if i.branch_id == branch_id), items[0])
    people = People.of(store)
    knowers: dict[str, Knower] = {}
    numbers = store.audiences.of_items([item.id, *store.items.heard_whole(item)])
    number = numbers.get(item.id)
    for company in store.audiences.people(numbers.values()).values():
        knowers |= {
            norm_name(p.name): Knower(p.name, item.end_index, p.how, ("", ""), p.confidence)
            for p in company
        }
    tellings = Tellings(store, branch_id)
    found = tellings.repeating(item) if number != ALL else None
    for name in actors_of(store) if found is not None and found[0].size else ():
        norms = people.norms(name)
        if found is not None and not norms & knowers.keys():
            told = tellings.first(found, name, tellings.known(name, norms))
            if told is not None:
                knowers[norm_name(name)] = told
    said: set[str] = set()
    for fix in store.knowledge.fixes([ref]):
        norms = people.norms(fix.name)
        said |= norms
        for norm in norms:
            knowers.pop(norm, None)
        if fix.is_known:
            knowers[norm_name(fix.name)] = Knower(fix.name, fix.from_floor, fix.how, is_said=True)
    _add_members(knowers, members, people, said)
    return sorted(knowers.values(), key=lambda k: (k.from_floor, norm_name(k.actor)))


def _add_members(
    knowers: dict[str, Knower], members: Sequence[Membership], people: People, said: set[str]
) -> None:
    """Add the members of groups; a person the user ``said`` something about stays as it is."""
    for one in members:
        groups = [knowers[norm] for norm in people.norms(one.group) if norm in knowers]
        norms = people.norms(one.name)
        if not groups or norms & said:
            continue
        group = min(groups, key=lambda k: k.from_floor)
        since = max(one.joined, group.from_floor)
        known = [knowers[norm].from_floor for norm in norms if norm in knowers]
        is_late = one.left is not None and group.from_floor >= one.left
        if is_late or min(known, default=since + 1) <= since:
            continue
        for norm in norms:
            knowers.pop(norm, None)
        knowers[norm_name(one.name)] = Knower(one.name, since, "member", ("group", group.actor))


class Tellings:
    """Finds the later memory by which somebody learned of an event: it repeats its rare words."""

    def __init__(self, store: ChatStore, branch_id: str) -> None:
        self._store = store
        self._path = store.branch_path(branch_id)
        ids, starts = store.items.tellings(self._path)
        self._floors = np.full(int(ids.max(initial=0)) + 1, -1, np.int64)  # by item id
        self._floors[ids] = starts

    def repeating(self, item: MemoryItem) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the later items that repeat ``item``, the earliest first, and their shares."""
        weights = _rare_words(self._store, item)
        shares = np.zeros(self._floors.size)
        counts = np.zeros(self._floors.size, np.int64)
        for word, ids in zip(weights, self._store.items.postings(list(weights)), strict=True):
            here = ids[ids < self._floors.size]
            here = here[self._floors[here] > item.end_index]
            shares[here] += weights[word]
            counts[here] += 1
        whole = sum(weights.values())
        found = np.flatnonzero((counts >= TELLING_WORDS) & (shares >= TELLS * whole))
        order = np.lexsort((-shares[found], self._floors[found]))
        return found[order], shares[found[order]] / max(whole, 1e-9)

    def known(self, name: str, norms: frozenset[str]) -> NDArray[np.bool_]:
        """Return a mask by item id: whether a person knows the item."""
        where = ItemFilter(ITEM_KINDS, self._path, actor=name, known_as=norms)
        ids = self._store.items.known(where)
        mask = np.zeros(self._floors.size, np.bool_)
        mask[ids[ids < mask.size]] = True
        return mask

    def first(
        self,
        found: tuple[NDArray[np.int64], NDArray[np.float64]],
        name: str,
        known: NDArray[np.bool_],
    ) -> Knower | None:
        """Return how a person first learned from the items ``found``; None if from none of them."""
        heard_ones = np.flatnonzero(known[found[0]])
        if not heard_ones.size:
            return None
        first, share = int(found[0][heard_ones[0]]), float(found[1][heard_ones[0]])
        telling = self._store.items.fetch([first])[first]
        floor = int(self._floors[first])
        return Knower(name, floor, "told", (telling.kind, telling.ref), round(share, 2))


def _rare_words(store: ChatStore, item: MemoryItem) -> dict[str, float]:
    """Return the rarest words of a memory, with their rarity."""
    tokens = list(dict.fromkeys(index_tokens(item.content)))
    counts = store.items.document_frequency(tokens)
    size = store.items.count()
    weights = {token: rarity(counts.get(token, 0), size) for token in tokens}
    rare = sorted((t for t in tokens if weights[t] > 0), key=lambda t: -weights[t])
    return {token: weights[token] for token in rare[:_WORDS_READ]}


def secrets(store: ChatStore, branch_id: str, limit: int) -> list[Secret]:
    """Return the events that somebody of the cast does not know, the newest first."""
    cast = {norm_name(name) for name in actors_of(store)}
    keys = store.events.find(EventQuery(branch_id=branch_id, level=0, sort="newest"))
    kept = store.knowledge.kept_from()
    hidden: list[Secret] = []
    for start in range(0, len(keys), limit):
        if len(hidden) >= limit:
            break
        page: Sequence[int] = keys[start : start + limit]
        events = store.events.fetch(page)
        items = store.items.of_events([e.id for e in events.values()])
        numbers = store.audiences.of_items([item for item, _key in items.values()])
        people = store.audiences.people(numbers.values())
        for pk in page:
            event = events[pk]
            number = numbers.get(items[event.id][0]) if event.id in items else None
            if number is None or number == ALL:
                continue
            knowers = tuple(p.name for p in people.get(number, ()))
            if cast - {norm_name(n) for n in knowers}:
                source = event.source_range
                kept_names = kept.get(("event", event.id), ())
                hidden.append(
                    Secret(
                        "event",
                        event.id,
                        event.summary,
                        source.start_index,
                        source.end_index,
                        knowers,
                        kept_names,
                    )
                )
    return hidden[:limit]
