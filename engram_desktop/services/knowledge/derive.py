"""Derive who knows what, where anything it depends on has changed.

First, who perceives which message, and what is heard by those who do not hear all of it; then, from
that, who knows which event, log and entity. A company is the set of those who perceive something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    AHEAD,
    Perceiver,
    Perception,
    PrivatePart,
    heard_text,
    named_people,
    perceived,
)
from engram_desktop.domain.knowledge.narrated import VoicedMessage, narrated_perceptions
from engram_desktop.domain.knowledge.presence import LOOKBACK, Scene, perceive
from engram_desktop.domain.knowledge.thoughts import Cast as PresentCast
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.cleaning import masked
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge import claims
from engram_desktop.services.knowledge.actors import People, beginning, present_cast
from engram_desktop.services.knowledge.claims import voices
from engram_desktop.services.knowledge.heard import Asides
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import ALL, NOBODY, HeardText, MessageAudience

_AT_ONCE = 500  # memories derived in one short transaction
_MOST_FLOORS = 10_000  # floors kept in memory between two transactions: some 30 MB
_QUOTED = 6  # characters of a private part that an event must repeat to be about it

Company = dict[str, Perceiver]  # by normalised name


@dataclass(frozen=True, slots=True)
class _Floor:
    """Who perceives the open text of a floor and its private parts, and whether a model said so."""

    audience: Company
    parts: tuple[PrivatePart, ...]
    text: str
    is_answered: bool

    @property
    def whole(self) -> Company:
        """Return who perceives all of the floor."""
        company = self.audience
        for part in self.parts:
            company = {n: p for n, p in company.items() if n in _company(part.audience)}
        return company

    @property
    def anybody(self) -> Company:
        """Return who perceives any of the floor."""
        company = dict(self.audience)
        for part in self.parts:
            company |= {n: p for n, p in _company(part.audience).items() if n not in company}
        return company


@dataclass
class MemoryDeriver:
    """Derives who knows the events, logs and entities of one chat, after the messages."""

    store: ChatStore
    people: People
    _floors: dict[tuple[str, int], _Floor | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._asides = Asides(self.store, self._floor_at)

    def derive(self, ctx: JobContext) -> None:
        """Derive what is due, and what depends on it: events, outlines, logs, entities."""
        self._branches_moved()
        self._events(ctx)
        self._logs(ctx)
        self._entities(ctx)

    def _branches_moved(self) -> None:
        """Mark the events of branches whose parent or fork changed as due."""
        moved = self.store.knowledge.due("branch")
        if moved:
            with self.store.database.writing():
                for branch_id in moved:
                    self.store.knowledge_sources.events_are_due(branch_id, 0, 1 << 60)
                self.store.knowledge.mark_derived("branch", moved)

    def _events(self, ctx: JobContext) -> None:
        """Derive events, then the outlines above them, level by level."""
        knowledge = self.store.knowledge
        while True:
            if knowledge.gone_events():
                ctx.write(self._mark_gone)
            here = knowledge.due_events()
            if not here:
                return
            for start in range(0, len(here), _AT_ONCE):
                ctx.check()
                ctx.report(start, len(here), "presence")
                self._some_events(ctx, here[start : start + _AT_ONCE])
                self._forget()

    def _mark_gone(self) -> None:
        with self.store.database.writing():
            gone = self.store.knowledge.gone_events()
            self.store.knowledge_sources.made_of_are_due(gone)
            self.store.knowledge.mark_derived("event", gone)

    def _forget(self) -> None:
        """Drop what was read for the events before, so that memory does not grow with the chat."""
        self._asides.forget()
        if len(self._floors) > _MOST_FLOORS:
            self._floors.clear()

    def _some_events(self, ctx: JobContext, ids: Sequence[str]) -> None:
        store = self.store
        for event in store.events.by_ids(ids):  # outside the transaction: 3 ms an event
            if not event.level:
                self._witnesses(event)

        def unit() -> None:
            with store.database.writing():
                events = store.events.by_ids(ids)  # read again, as they are now
                items = {i: item for i, (item, _key) in self._items(events).items()}
                before = store.audiences.of_items(list(items.values()))
                now = {items[e.id]: self._audience(e) for e in events if e.id in items}
                store.audiences.put(now)
                store.knowledge.mark_derived("event", ids)
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
        """Return who was there: the event's witnesses, else who perceives all of its floors."""
        floors = self._floors_of(event)
        said = event.raw_data.witnesses
        if said is not None and (not said or named_people(said)):
            named = self.people.named(Perceiver(n, "there", 0.9) for n in named_people(said))
            company = _company(named)
            if any(floor.is_answered for floor in floors):
                # somebody perceived on none of these floors is no witness
                there = {norm for floor in floors for norm in floor.anybody}
                names = {n: self.people.norms(p.name) for n, p in company.items()}
                company = {n: p for n, p in company.items() if names[n] & there}
            return self._who_heard_all(event, floors, company) if company else company
        if not floors:
            return {}
        is_quotation = event.extractor == "extractive"
        companies = [f.audience if is_quotation else f.whole for f in floors]
        if is_quotation:
            companies += [_company(p.audience) for p in self._quoted_parts(event, floors)]
        return _in_all(companies)

    def _who_heard_all(
        self, event: EventNode, floors: Sequence[_Floor], company: Company
    ) -> Company:
        """Return those of a company who heard what the event says about other scenes."""
        people = [p.name for p in company.values()]
        people += [e.name for e in event.raw_data.entities if e.type == "char"]
        heard = self._asides.hearers(event, (f.text for f in floors), people)
        names = {n: self.people.norms(p.name) for n, p in company.items()} if heard else {}
        return {n: p for n, p in company.items() if all(names[n] & norms for norms in heard)}

    def _floor_at(self, branch_id: str, floor: int) -> _Floor | None:
        if (branch_id, floor) not in self._floors:
            self._read_floors(branch_id, floor, floor)
        return self._floors.get((branch_id, floor))

    def _quoted_parts(self, event: EventNode, floors: Sequence[_Floor]) -> list[PrivatePart]:
        """Return the private parts of messages that an event quotes from."""
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
        """Return who knows an event, for outlines of it; a conditional event counts as secret."""
        if event.scope == "conditional" or event.condition:
            return NOBODY
        items = self.store.items.of_events([event.id])
        if event.id not in items:
            return NOBODY
        item_id = items[event.id][0]
        return self.store.audiences.of_items([item_id]).get(item_id, NOBODY)

    def _common(self, numbers: Iterable[int]) -> int:
        """Return the number of the company of those in all of these companies."""
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
                        if number != ALL:  # nobody is recorded as present for others
                            company |= _company(store.audiences.people([number]).get(number, ()))
                    audiences[item_id] = store.audiences.key(list(company.values()))
                store.audiences.put(audiences)
                store.knowledge.mark_derived("log", due)

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
                        numbers = store.knowledge_sources.audiences_about(entity_id, branch_id)
                        audiences[item_id] = self._common(numbers) if numbers else NOBODY
                    store.audiences.put(audiences)
                    store.knowledge.mark_derived("entity", some)

            ctx.check()
            ctx.write(unit)


def _company(people: Iterable[Perceiver]) -> Company:
    return {norm_name(person.name): person for person in people}


def _in_all(companies: Sequence[Mapping[str, Perceiver]]) -> Company:
    """Return those who are in every company; nobody if there is no company."""
    if not companies:
        return {}
    first, *rest = companies
    return {norm: p for norm, p in first.items() if all(norm in company for company in rest)}


_WINDOW = 300  # messages derived in one short transaction: about 30 ms
_AGREE = 8  # messages in a row that come out as before: the scene is the same again


@dataclass(slots=True)
class TurnDeriver:
    """Derives who perceives the messages of one chat. ``unknown`` as in `derive`."""

    store: ChatStore
    people: People
    cast: PresentCast
    unknown: str

    def derive(self, ctx: JobContext) -> None:
        """Derive every message that is due; a cancel keeps what was finished."""
        knowledge = self.store.knowledge
        if knowledge.gone_messages():
            ctx.write(self._mark_gone)
        due = {branch_id: knowledge.due_floors(branch_id) for branch_id in knowledge.due_branches()}
        total, count = sum(map(len, due.values())), 0
        for branch_id, floors in due.items():
            for first, last in _clusters(floors):
                start = max(0, first - self._ahead)
                for done in self._stretch(ctx, branch_id, start, last):
                    count += done
                    ctx.report(min(count, total), total, "presence")

    def _mark_gone(self) -> None:
        with self.store.database.writing():
            gone = self.store.knowledge.gone_messages()
            self.store.presence.forget(gone)
            self.store.knowledge.mark_derived("turn", gone)

    @property
    def _ahead(self) -> int:
        """Return how many later messages show who is present at one.

        For a narrator's message one: whether the player goes on from there.
        """
        return 1 if self.cast.is_narrated else 0 if self.cast.is_alone else AHEAD

    def _stretch(self, ctx: JobContext, branch_id: str, first: int, last: int) -> Iterator[int]:
        """Derive a range of floors, and go on as long as the results differ from before."""
        floor, until = first, last
        while floor <= until:
            ctx.check()
            end = min(floor + _WINDOW - 1, until)
            is_same, reached = self._window(ctx, branch_id, floor, end)
            if reached < floor:
                return
            yield reached - floor + 1
            if reached >= until and not is_same:
                until = reached + _AGREE
            floor = reached + 1

    def _window(self, ctx: JobContext, branch_id: str, first: int, last: int) -> tuple[bool, int]:
        """Derive some floors; returns whether the last ones are unchanged, and the last floor."""
        start = max(0, first - LOOKBACK)
        messages = self.store.messages.slice(branch_id, start, last + self._ahead)
        own = [m for m in messages if first <= m.seq <= last and m.branch_id == branch_id]
        if not own:
            return True, first - 1
        scene = beginning(self.store, self.cast) if start == 0 else None
        perceptions = self._perceive(messages, scene)
        judged = {m.id: p for m, p in zip(messages, perceptions, strict=True)}
        previous = [m for m in messages if m.seq == own[0].seq - 1]

        def unit() -> bool:
            with self.store.database.writing():
                now = set(self.store.messages.slice(branch_id, own[0].seq, own[-1].seq))
                unchanged = [m for m in own if m in now]  # others changed meanwhile and stay due
                ids = [m.id for m in unchanged]
                before = self.store.presence.of(ids)
                audiences = self._write(self._results(unchanged, judged), previous)
                self.store.knowledge.mark_derived("turn", ids)
                self._events_are_due(branch_id, own[0].seq, own[-1].seq)
                return all(
                    i in before and self._mark(before[i]) == self._mark(audiences[i])
                    for i in ids[-_AGREE:]
                )

        is_same = ctx.write(unit)
        return is_same, own[-1].seq

    def _perceive(self, messages: Sequence[Message], scene: Scene | None) -> list[Perception]:
        if not self.cast.is_narrated:
            stories = [replace(m, text=masked(m.text)) for m in messages]
            return perceive(stories, self.cast, scene)
        claims_of = self.store.claims.rows([m.id for m in messages])
        told = [
            VoicedMessage(m.name, text, m.role, voices(claims_of.get(m.id), text))
            for m in messages
            for text in [masked(m.text)]
        ]
        return [perception for perception, _scene in narrated_perceptions(told, self.cast, scene)]

    def _results(
        self, messages: Sequence[Message], judged: Mapping[str, Perception]
    ) -> list[tuple[Message, Perception, str]]:
        """Return who perceives each message, and the source: rules, a model or the user."""
        ids = [m.id for m in messages]
        answers, said = self.store.presence.answers(ids), self.store.presence.said(ids)
        results: list[tuple[Message, Perception, str]] = []
        for message in messages:
            perception, source = judged[message.id], "rules"
            answer = answers.get(message.id)
            told = perceived(answer[1], perception) if answer is not None else None
            if answer is not None and told is not None:
                is_same = answer[0] == message.swipe_hash
                by_rules = perception
                perception = told if is_same else both(told, by_rules)
                if self.cast.is_group:
                    perception = with_speaker(perception, by_rules)
                source = "model"
            if message.id in said:
                perception, source = Perception(said[message.id], perception.parts), "user"
            results.append((message, self._settled(perception), source))
        return results

    def _events_are_due(self, branch_id: str, first: int, last: int) -> None:
        """Mark the events of these floors as due, on all branches that see the floors."""
        below = [(branch_id, last), *self.store.branches.descendants(branch_id)]
        for here, limit in below:
            self.store.knowledge_sources.events_are_due(here, first, min(last, limit))

    def _mark(self, row: MessageAudience) -> tuple[object, ...]:
        parts = [(p.kind, p.start, p.end, self.store.audiences.key(p.audience)) for p in row.parts]
        return row.audience, row.is_known, parts

    def _settled(self, perception: Perception) -> Perception:
        """Replace role words by names, and apply ``unknown`` if nobody is known to be present."""
        audience = self.people.named(perception.audience)
        if not perception.is_known and self.unknown == "nobody":
            audience = ()
        parts = tuple(
            PrivatePart(p.kind, p.start, p.end, self.people.named(p.audience))
            for p in perception.parts
        )
        return Perception(audience, parts, perception.is_known)

    def _write(
        self, results: Sequence[tuple[Message, Perception, str]], previous: Sequence[Message]
    ) -> dict[str, MessageAudience]:
        store = self.store
        keys: dict[tuple[Perceiver, ...], int] = {}  # dropped with the transaction

        def key(people: Sequence[Perceiver]) -> int:
            company = tuple(people)
            if company not in keys:
                keys[company] = store.audiences.key(company)
            return keys[company]

        rows = {
            message.id: MessageAudience(key(p.audience), p.is_known, source, p.parts)
            for message, p, source in results
        }
        store.presence.put(rows.items())
        store.presence.unhear([message.id for message, _p, _s in results])
        turn_ids = store.items.turn_ids([message.id for message, _p, _s in results])
        before = _full_norms(store, previous[0]) if previous else None
        audiences: dict[int, int] = {}
        for message, perception, _source in results:
            full, heard = hearings(message, perception, before)
            if message.id in turn_ids:
                audiences[turn_ids[message.id]] = key(full)
            texts = [HeardText(text, key(people)) for text, people in heard]
            store.presence.store_heard(message.id, message.branch_id, message.seq, texts)
            before = _norms(_all_of(perception)) if message.text.strip() else None
        store.audiences.put(audiences)
        return rows


def both(told: Perception, own: Perception) -> Perception:
    """Combine a model's answer about a former text of a message with what the rules say now.

    An edit seldom changes who is present; if the rules can tell, only those named by both remain.
    """
    if not own.is_known:
        return told
    there = _norms(own.audience)
    audience = tuple(p for p in told.audience if norm_name(p.name) in there)
    return Perception(audience, told.parts, told.is_known)


def with_speaker(told: Perception, own: Perception) -> Perception:
    """Add the speaker to who perceives a message: in a group everybody writes for themselves.

    If one character writes for all of them, a speaker need not be present.
    """
    there = _norms(told.audience)
    speakers = [p for p in own.audience if p.how == "spoke" and norm_name(p.name) not in there]
    return Perception((*told.audience, *speakers), told.parts, told.is_known)


def hearings(
    message: Message, perception: Perception, before: frozenset[str] | None
) -> tuple[list[Perceiver], list[tuple[str, list[Perceiver]]]]:
    """Return who hears a whole message, and the text that each other company hears of it.

    ``before`` are those who hear the whole message before it; None if there is none. A message is
    searched together with the end of the one before, so anybody else gets the message without that
    end.
    """
    open_people = {norm_name(p.name): p for p in perception.audience}
    people = dict(open_people)
    for part in perception.parts:
        people |= {norm_name(p.name): p for p in part.audience if norm_name(p.name) not in people}
    full: list[Perceiver] = []
    companies: dict[str, list[Perceiver]] = {}
    for norm, person in people.items():
        heard = {
            n
            for n, part in enumerate(perception.parts)
            if any(norm_name(p.name) == norm for p in part.audience)
        }
        hears_all = norm in open_people and len(heard) == len(perception.parts)
        if hears_all and (before is None or norm in before):
            full.append(person)
        elif text := _heard(message, perception, heard, is_there=norm in open_people):
            companies.setdefault(turn_content(message.name, text), []).append(person)
    return full, list(companies.items())


def _heard(message: Message, perception: Perception, heard: set[int], *, is_there: bool) -> str:
    text = masked(message.text)
    if is_there:
        return heard_text(text, perception.parts, heard).strip()
    pieces = [text[p.start : p.end] for n, p in enumerate(perception.parts) if n in heard]
    return "\n".join(piece.strip() for piece in pieces if piece.strip())


def _all_of(perception: Perception) -> list[Perceiver]:
    """Return who perceives a message and all of its private parts."""
    whole = _norms(perception.audience)
    for part in perception.parts:
        whole &= _norms(part.audience)
    return [p for p in perception.audience if norm_name(p.name) in whole]


def _norms(people: Sequence[Perceiver]) -> frozenset[str]:
    return frozenset(norm_name(person.name) for person in people)


def _full_norms(store: ChatStore, message: Message) -> frozenset[str] | None:
    """Return who hears the whole of a message outside the window; None for an empty message."""
    if not message.text.strip():
        return None
    row = store.presence.of([message.id]).get(message.id)
    if row is None:
        return frozenset()
    audience = store.audiences.people([row.audience]).get(row.audience, ())
    return _norms(_all_of(Perception(audience, row.parts)))


def _clusters(floors: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Join floors into runs, where the gap between two floors is no longer than `LOOKBACK`."""
    first = last = floors[0]
    for floor in floors[1:]:
        if floor > last + LOOKBACK:
            yield first, last
            first = floor
        last = floor
    yield first, last


# How long to wait for another thread that derives the same chat: several times what 100,000 floors
# take. A thread that gives up treats what is due as known to nobody.
PATIENCE_S = 60.0


def derive(ctx: JobContext, store: ChatStore, unknown: str = "speakers") -> bool:
    """Bring knowledge up to date; returns whether anything was due. Raises Cancelled.

    Messages first, then the memories derived from them. Each part is committed when it is finished;
    after a kill the rest stays due and counts as known to nobody until it is derived. ``unknown``
    says who knows a message if nobody can tell who is present: ``speakers`` or ``nobody``.
    """
    if store.database.is_read_only or not store.knowledge.has_due():
        return False
    if not store.deriving.acquire(timeout=PATIENCE_S):
        return False
    try:
        _derive(ctx, store, unknown)
    finally:
        store.deriving.release()
    return True


def _derive(ctx: JobContext, store: ChatStore, unknown: str) -> None:
    cast = possible_cast(ctx, store)
    people = People.of(store)
    TurnDeriver(store, people, cast, unknown).derive(ctx)
    MemoryDeriver(store, people).derive(ctx)


def possible_cast(ctx: JobContext, store: ChatStore) -> PresentCast:
    """Return who may be present, reading claims first if the chat's only card may be a narrator."""
    cast = present_cast(store)
    if cast.is_group:
        return cast
    for branch_id in store.knowledge.due_branches():
        claims.load(ctx, store, branch_id)
    return present_cast(store)


_SHORTEST = 3  # messages of a run: fewer give nothing worth an event of their own


def derive_for_cutting(ctx: JobContext, store: ChatStore, unknown: str) -> bool:
    """Bring knowledge up to date in a chat with several companies; returns whether it is one."""
    cast = possible_cast(ctx, store)
    if cast.is_alone:
        return False
    derive(ctx, store, unknown)
    return True


def same_company_runs(store: ChatStore, messages: Sequence[Message]) -> list[Sequence[Message]]:
    """Split messages where the audience changes, and separate what only some hear.

    An event must not mix what different companies perceive. Each run of one company is returned
    without its private parts, followed by those parts, one sequence for each set of hearers.
    """
    rows = store.presence.of([m.id for m in messages])
    people = store.audiences.people(row.audience for row in rows.values())
    runs: list[list[Message]] = []
    company: frozenset[str] | None = None
    for message in messages:
        row = rows.get(message.id)
        here = company
        if row is not None and row.is_known and not message.is_notice:
            here = frozenset(person.name for person in people.get(row.audience, ()))
        is_new = here is not None and company is not None and here != company
        if not runs or (is_new and not _goes_on(runs[-1], company or (), here or ())):
            runs.append([])
            company = here
        runs[-1].append(message)
        company = here if company is None else company
    return [part for run in runs for part in _apart(run, rows)]


def _goes_on(run: Sequence[Message], company: Collection[str], here: Collection[str]) -> bool:
    """Return whether a run is short and all of its company perceive the next message too."""
    return len(run) < _SHORTEST and all(name in here for name in company)


def _apart(
    run: Sequence[Message], rows: Mapping[str, MessageAudience]
) -> Iterator[Sequence[Message]]:
    """Yield a run without its private parts, then the parts of each set of hearers."""
    private: dict[frozenset[str], list[Message]] = {}
    shared: list[Message] = []
    for message in run:
        row = rows.get(message.id)
        parts = row.parts if row is not None else ()
        shared.append(replace(message, text=heard_text(message.text, parts)) if parts else message)
        texts: dict[frozenset[str], list[str]] = {}
        for part in parts:
            hearers = frozenset(norm_name(person.name) for person in part.audience)
            texts.setdefault(hearers, []).append(_cut_out(message.text, part.start, part.end))
        for hearers, pieces in texts.items():
            heard = replace(message, text="\n".join(pieces))
            private.setdefault(hearers, []).append(heard)
    yield shared
    yield from private.values()


def _cut_out(text: str, start: int, end: int) -> str:
    """Return a part of a message; a gesture in stars that it begins or ends in keeps both stars."""
    piece = text[start:end].strip()
    stars = text.count("*", text.rfind("\n", 0, start) + 1, start)
    piece = f"*{piece}" if stars % 2 else piece
    return f"{piece}*" if piece.count("*") % 2 else piece
