"""Derive who perceives which message, and what is heard of it by those who do not hear all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.answer import perceived
from engram_desktop.domain.knowledge.names import Cast as PresentCast
from engram_desktop.domain.knowledge.perception import (
    Perceiver,
    Perception,
    PrivatePart,
    heard_text,
)
from engram_desktop.domain.knowledge.presence import LOOKBACK, perceive
from engram_desktop.domain.memory.memory_item import turn_content
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import People, beginning
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge.presence import HeardText, MessageAudience

_WINDOW = 300  # messages derived in one short transaction: about 30 ms
_AGREE = 8  # messages after the last due one that come out as before: the scene is the same again


@dataclass(slots=True)
class TurnDeriver:
    """Derives the messages of one chat. ``unknown``: who knows what it cannot tell of."""

    store: ChatStore
    people: People
    cast: PresentCast
    unknown: str

    def derive(self, ctx: JobContext) -> None:
        """Derive every message that is due; what was finished is kept on a cancel."""
        due = self.store.knowledge.due("turn")
        if not due:
            return
        places = self.store.messages.places(due)
        gone = [message_id for message_id in due if message_id not in places]

        def forget() -> None:
            with self.store.database.writing():
                self.store.presence.forget(gone)
                self.store.knowledge.settle("turn", gone)

        if gone:
            ctx.write(forget)
        by_branch: dict[str, list[int]] = {}
        for branch_id, floor in places.values():
            by_branch.setdefault(branch_id, []).append(floor)
        total, count = len(places), 0
        for branch_id, floors in by_branch.items():
            floors.sort()
            for first, last in _clusters(floors):
                for done in self._stretch(ctx, branch_id, first, last):
                    count += done
                    ctx.report(min(count, total), total, "presence")

    def _stretch(self, ctx: JobContext, branch_id: str, first: int, last: int) -> Iterator[int]:
        """Derive from one floor to another, and on while the scene is another than before."""
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
        """Derive some floors; returns whether the end came out as before, and the last floor."""
        start = max(0, first - LOOKBACK)
        messages = self.store.messages.slice(branch_id, start, last)
        own = [m for m in messages if m.seq >= first and m.branch_id == branch_id]
        if not own:
            return True, first - 1
        scene = beginning(self.store, self.cast) if start == 0 else None
        perceptions = perceive(messages, self.cast, scene)
        judged = {m.id: p for m, p in zip(messages, perceptions, strict=True)}
        previous = [m for m in messages if m.seq == own[0].seq - 1]

        def unit() -> bool:
            with self.store.database.writing():
                now = set(self.store.messages.slice(branch_id, own[0].seq, own[-1].seq))
                unchanged = [m for m in own if m in now]  # others are due again, and stay it
                ids = [m.id for m in unchanged]
                before = self.store.presence.of(ids)
                audiences = self._write(self._results(unchanged, judged), previous)
                self.store.knowledge.settle("turn", ids)
                self._events_are_due(branch_id, own[0].seq, own[-1].seq)
                return all(
                    i in before and self._mark(before[i]) == self._mark(audiences[i])
                    for i in ids[-_AGREE:]
                )

        is_same = ctx.write(unit)
        return is_same, own[-1].seq

    def _results(
        self, messages: Sequence[Message], judged: Mapping[str, Perception]
    ) -> list[tuple[Message, Perception, str]]:
        """Return who perceives each message, and who says so: rules, a model or the user."""
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
        """Let what tells of these floors be derived next, on the branches that see them too."""
        below = [(branch_id, last), *self.store.branches.descendants(branch_id)]
        for here, limit in below:
            self.store.knowledge_sources.events_are_due(here, first, min(last, limit))

    def _mark(self, row: MessageAudience) -> tuple[object, ...]:
        parts = [(p.kind, p.start, p.end, self.store.audiences.key(p.audience)) for p in row.parts]
        return row.audience, row.is_known, parts

    def _settled(self, perception: Perception) -> Perception:
        """Put names where roles stand, and decide who knows what cannot be told of."""
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
        keys: dict[tuple[Perceiver, ...], int] = {}  # of this transaction: it may be taken back

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
            store.presence.hear(message.id, message.branch_id, message.seq, texts)
            before = _norms(_all_of(perception)) if message.text.strip() else None
        store.audiences.put(audiences)
        return rows


def both(told: Perception, own: Perception) -> Perception:
    """Return who perceives a message that was changed since a model said who does.

    Who is there seldom changes with the words; where rules can tell, it is those whom both name.
    """
    if not own.is_known:
        return told
    there = _norms(own.audience)
    audience = tuple(p for p in told.audience if norm_name(p.name) in there)
    return Perception(audience, told.parts, told.is_known)


def with_speaker(told: Perception, own: Perception) -> Perception:
    """Return a perception in which whoever speaks perceives it: in a group everybody writes alone.

    Where one character writes for all of them, who speaks need not be there.
    """
    there = _norms(told.audience)
    speakers = [p for p in own.audience if p.how == "spoke" and norm_name(p.name) not in there]
    return Perception((*told.audience, *speakers), told.parts, told.is_known)


def hearings(
    message: Message, perception: Perception, before: frozenset[str] | None
) -> tuple[list[Perceiver], list[tuple[str, list[Perceiver]]]]:
    """Return who has a whole message, and what each other company has of it.

    ``before`` are those who have the message before it whole, None where there is none: a message
    is searched with the end of the one before, so who lacks that has the message without it.
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
    if is_there:
        return heard_text(message.text, perception.parts, heard).strip()
    pieces = [message.text[p.start : p.end] for n, p in enumerate(perception.parts) if n in heard]
    return "\n".join(piece.strip() for piece in pieces if piece.strip())


def _all_of(perception: Perception) -> list[Perceiver]:
    """Return who perceives a message with all of its parts."""
    whole = _norms(perception.audience)
    for part in perception.parts:
        whole &= _norms(part.audience)
    return [p for p in perception.audience if norm_name(p.name) in whole]


def _norms(people: Sequence[Perceiver]) -> frozenset[str]:
    return frozenset(norm_name(person.name) for person in people)


def _full_norms(store: ChatStore, message: Message) -> frozenset[str] | None:
    """Return who has a message of another stretch whole; None where it says nothing."""
    if not message.text.strip():
        return None
    row = store.presence.of([message.id]).get(message.id)
    if row is None:
        return frozenset()
    audience = store.audiences.people([row.audience]).get(row.audience, ())
    return _norms(_all_of(Perception(audience, row.parts)))


def _clusters(floors: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Join floors into runs, where no gap between two is worth a window of its own."""
    first = last = floors[0]
    for floor in floors[1:]:
        if floor > last + LOOKBACK:
            yield first, last
            first = floor
        last = floor
    yield first, last
