"""Derive who knows which event, log and entity, from who perceives the messages they tell of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.answer import named_people
from engram_desktop.domain.knowledge.perception import Perceiver, PrivatePart
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import People
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge.audiences import ALL, NOBODY

_AT_ONCE = 500  # memories derived in one short transaction
_QUOTED = 6  # characters of a private part that, found in an event, show that it tells of it

Company = dict[str, Perceiver]  # by `norm_name` of the name


@dataclass(frozen=True, slots=True)
class _Floor:
    """Who perceives the open text of a floor, its private parts, and who says so."""

    audience: Company
    parts: tuple[PrivatePart, ...]
    text: str
    is_answered: bool

    @property
    def whole(self) -> Company:
        """Return who perceives all of it."""
        company = self.audience
        for part in self.parts:
            company = {n: p for n, p in company.items() if n in _company(part.audience)}
        return company

    @property
    def anybody(self) -> Company:
        """Return who perceives any of it."""
        company = dict(self.audience)
        for part in self.parts:
            company |= {n: p for n, p in _company(part.audience).items() if n not in company}
        return company


@dataclass
class MemoryDeriver:
    """Derives events, logs and entities of one chat, after the messages."""

    store: ChatStore
    people: People
    _floors: dict[tuple[str, int], _Floor | None] = field(default_factory=dict)

    def derive(self, ctx: JobContext) -> None:
        """Derive what is due, and what is made of it: outlines, logs, entities."""
        self._branches_moved()
        self._events(ctx)
        self._logs(ctx)
        self._entities(ctx)

    def _branches_moved(self) -> None:
        """Let all that tells on branches that hang elsewhere now be derived."""
        moved = self.store.knowledge.due("branch")
        if moved:
            with self.store.database.writing():
                for branch_id in moved:
                    self.store.knowledge_sources.events_are_due(branch_id, 0, 1 << 60)
                self.store.knowledge.settle("branch", moved)

    def _events(self, ctx: JobContext) -> None:
        """Derive events, then the outlines above them, level by level."""
        store = self.store
        while due := store.knowledge.due("event"):
            events = store.events.by_ids(due)
            level = min((e.level for e in events), default=0)
            here = [e for e in events if e.level == level]
            self._settle_gone(ctx, set(due).difference(e.id for e in events))
            for start in range(0, len(here), _AT_ONCE):
                ctx.check()
                ctx.report(start, len(here), "presence")
                self._some_events(ctx, [e.id for e in here[start : start + _AT_ONCE]])

    def _settle_gone(self, ctx: JobContext, ids: Collection[str]) -> None:
        def unit() -> None:
            with self.store.database.writing():
                gone = set(ids).difference(e.id for e in self.store.events.by_ids(ids))
                self.store.knowledge_sources.made_of_are_due(sorted(gone))
                self.store.knowledge.settle("event", gone)

        if ids:
            ctx.write(unit)

    def _some_events(self, ctx: JobContext, ids: Sequence[str]) -> None:
        store = self.store

        def unit() -> None:
            with store.database.writing():
                events = store.events.by_ids(ids)  # as they are now
                items = {i: item for i, (item, _key) in self._items(events).items()}
                before = store.audiences.of_items(list(items.values()))
                now = {items[e.id]: self._audience(e) for e in events if e.id in items}
                store.audiences.put(now)
                store.knowledge.settle("event", ids)
                changed = [i for i, item in items.items() if before.get(item) != now[item]]
                store.knowledge_sources.made_of_are_due(changed)

        ctx.write(unit)

    def _items(self, events: Sequence[EventNode]) -> dict[str, tuple[int, str]]:
        return self.store.items.of_events([e.id for e in events])

    def _audience(self, event: EventNode) -> int:
        """Return the number of the company that knows an event."""
        if event.scope in ("global", "conditional"):
            return ALL
        if event.scope == "private":
            return self._key([event.owner] if event.owner else [])
        children = self.store.outlines.children(event.id) if event.level else []
        if children:
            return self._common([self._event_company(child) for child in children])
        company = self._witnesses(event)
        if event.owner:
            company |= _company([Perceiver(event.owner, "confirmed")])
        return self.store.audiences.key(list(company.values()))

    def _witnesses(self, event: EventNode) -> Company:
        """Return who lived through it: by its witnesses, else by who perceives all its floors."""
        floors = self._floors_of(event)
        said = event.raw_data.witnesses
        if said is not None and (not said or named_people(said)):
            named = self.people.named(Perceiver(n, "there", 0.9) for n in named_people(said))
            company = _company(named)
            if any(floor.is_answered for floor in floors):
                # who is said to be a witness and to have been nowhere near is none
                there = {norm for floor in floors for norm in floor.anybody}
                names = {n: self.people.norms(p.name) for n, p in company.items()}
                company = {n: p for n, p in company.items() if names[n] & there}
            return company
        if not floors:
            return {}
        is_quotation = event.extractor == "extractive"
        companies = [f.audience if is_quotation else f.whole for f in floors]
        if is_quotation:
            companies += [_company(p.audience) for p in self._quoted_parts(event, floors)]
        return _in_all(companies)

    def _quoted_parts(self, event: EventNode, floors: Sequence[_Floor]) -> list[PrivatePart]:
        """Return the private parts of messages that a quoting event repeats something of."""
        told = "\n".join([event.summary, event.raw_data.details, *event.keywords])
        told += "\n".join(e.name for e in event.raw_data.entities)
        parts = []
        for floor in floors:
            is_open = "".join(
                c if not any(p.start <= n < p.end for p in floor.parts) else "\x00"
                for n, c in enumerate(floor.text)
            )
            for part in floor.parts:
                text = floor.text[part.start : part.end]
                pieces = {text[n : n + _QUOTED] for n in range(max(1, len(text) - _QUOTED + 1))}
                words = [*event.keywords, *(e.name for e in event.raw_data.entities)]
                is_told = any(piece in told for piece in pieces if len(piece) == _QUOTED)
                if is_told or any(w in text and w not in is_open for w in words):
                    parts.append(part)
        return parts

    def _floors_of(self, event: EventNode) -> list[_Floor]:
        source = event.source_range
        key = (event.branch_id, source.start_index, source.end_index)
        missing = [
            floor for floor in range(key[1], key[2] + 1) if (key[0], floor) not in self._floors
        ]
        if missing:
            self._read_floors(event.branch_id, missing[0], missing[-1])
        floors = (self._floors.get((key[0], floor)) for floor in range(key[1], key[2] + 1))
        return [floor for floor in floors if floor is not None]

    def _read_floors(self, branch_id: str, first: int, last: int) -> None:
        store = self.store
        messages = store.messages.slice(branch_id, first, last)
        rows = store.presence.of([m.id for m in messages])
        people = store.audiences.people(row.audience for row in rows.values())
        for message in messages:
            row = rows.get(message.id)
            floor: _Floor | None = None
            if row is None:
                floor = _Floor({}, (), message.text, False)
            elif not message.is_notice and message.text.strip():
                company = _company(people.get(row.audience, ()))
                floor = _Floor(company, row.parts, message.text, row.source != "rules")
            self._floors[branch_id, message.seq] = floor

    def _event_company(self, event: EventNode) -> int:
        """Return who knows an event, for what is made of it; a condition guards only itself."""
        if event.scope == "conditional":
            return NOBODY
        items = self.store.items.of_events([event.id])
        if event.id not in items:
            return NOBODY
        item_id = items[event.id][0]
        return self.store.audiences.of_items([item_id]).get(item_id, NOBODY)

    def _common(self, numbers: Iterable[int]) -> int:
        """Return the company of those who are in all of these."""
        narrow = {number for number in numbers if number != ALL}
        if not narrow:
            return ALL
        people = self.store.audiences.people(narrow)
        company = _in_all([_company(people.get(number, ())) for number in narrow])
        return self.store.audiences.key(list(company.values()))

    def _key(self, names: Iterable[str]) -> int:
        people = self.people.named(Perceiver(name, "confirmed") for name in names)
        return self.store.audiences.key(people)

    def _logs(self, ctx: JobContext) -> None:
        store = self.store
        due = store.knowledge.due("log")

        def unit() -> None:
            with store.database.writing():
                audiences = {}
                for item_id, owner, scope, event_item in store.knowledge_sources.logs(due):
                    if scope in ("global", "conditional"):
                        audiences[item_id] = ALL
                        continue
                    company = _company(self.people.named([Perceiver(owner, "confirmed")]))
                    if scope == "shared" and event_item is not None:
                        number = store.audiences.of_items([event_item]).get(event_item, NOBODY)
                        if number != ALL:  # of what is public, or conditional, nobody was a part
                            company |= _company(store.audiences.people([number]).get(number, ()))
                    audiences[item_id] = store.audiences.key(list(company.values()))
                store.audiences.put(audiences)
                store.knowledge.settle("log", due)

        if due:
            ctx.write(unit)

    def _entities(self, ctx: JobContext) -> None:
        store = self.store
        ids = store.knowledge.due("entity")
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]

            def unit(some: Sequence[str] = some) -> None:
                with store.database.writing():
                    audiences = {}
                    for item_id, branch_id, entity_id in store.knowledge_sources.entity_items(some):
                        numbers = store.knowledge_sources.told_to(entity_id, branch_id)
                        audiences[item_id] = self._common(numbers) if numbers else NOBODY
                    store.audiences.put(audiences)
                    store.knowledge.settle("entity", some)

            ctx.check()
            ctx.write(unit)


def _company(people: Iterable[Perceiver]) -> Company:
    return {norm_name(person.name): person for person in people}


def _in_all(companies: Sequence[Mapping[str, Perceiver]]) -> Company:
    """Return those who are in every company; of none, nobody."""
    if not companies:
        return {}
    first, *rest = companies
    return {norm: p for norm, p in first.items() if all(norm in company for company in rest)}
