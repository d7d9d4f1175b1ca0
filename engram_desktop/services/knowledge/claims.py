"""The claims of a line: read from messages where that is due, else as they were read before.

A row holds for the text, the sender and the context it was read with. What no longer fits is read
again, so nothing has to be told of edits, swipes, undo or branches. A name that came or went makes
the messages due that hold it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.answer import joined_claims, with_answers
from engram_desktop.domain.claims.attribution import Attribution, Attributions
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.parts import Context, MessageSender
from engram_desktop.domain.claims.people import (
    all_names,
    beside_each_other,
    candidates,
    genders,
    short_forms,
    story_names,
    story_people,
)
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.subjects import TITLED, WOMAN
from engram_desktop.domain.claims.wording import floors_with, index_words
from engram_desktop.domain.knowledge.narrated import Voice
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.values import dataclass
from engram_desktop.services.characters import read_cast
from engram_desktop.storage.chat.claims import (
    ClaimRow,
    packed,
    packed_names,
    unpacked,
    unpacked_names,
)

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.thoughts import NameFinder
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore

RULES = 4  # version of the rules: a higher one reads every message again
_AT_ONCE = 200  # messages read and written in one short transaction: about 150 ms
_SAMPLE = 200  # first messages of a line that show how each sender writes
_FEW = 3  # senders of a sample: where there are more, a new sender is a person
_LOOKED_AT = 4_000  # characters of a message in which people are looked for
_MOST_PEOPLE = 300  # names of a chat: several times the cast of a long story


@dataclass(frozen=True, slots=True)
class StoryPeople:
    """Who may speak in a chat, and how each sender writes."""

    names: tuple[str, ...]
    player: str
    senders: Mapping[str, MessageSender]
    genders: Mapping[str, str]
    found: Mapping[str, tuple[str, ...]]  # by message who may be a person, where just looked for

    def packed(self) -> str:
        senders = {n: [s.is_narrator, s.quotes] for n, s in sorted(self.senders.items())}
        return json.dumps(
            [RULES, self.player, list(self.names), senders, self.genders], ensure_ascii=False
        )


@dataclass
class LineClaims:
    """The claims of a line, and its sentences when they are asked for (see `Lines`).

    ``people``: whom all they are called; ``there``: who speaks or acts on each floor; ``answered``:
    what a model read, by floor.
    """

    store: ChatStore
    branch_id: str
    rows: list[ClaimRow]
    facts: list[Claim]
    people: Mapping[str, frozenset[str]]
    there: list[tuple[str, ...]]
    is_whole: bool = True
    answered: Mapping[int, Sequence[Claim]] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _floors: dict[str, list[int]] = field(default_factory=dict)
    _lines: dict[int, list[Claim]] = field(default_factory=dict)

    @property
    def last_floor(self) -> int:
        return len(self.rows) - 1

    def at(self, floor: int) -> Sequence[Claim]:
        if not 0 <= floor < len(self.rows):
            return ()
        if floor not in self._lines:
            if not self._texts:
                said = self.store.messages.sayings(self.branch_id, 0, self.last_floor)
                self._texts = [saying.text for saying in said]
            lines = self.rows[floor].sentences(floor, self._texts[floor])
            self._lines[floor] = list(with_answers(lines, self.answered.get(floor, ())))
        return self._lines[floor]

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]:
        if not self._floors:
            floors: defaultdict[str, list[int]] = defaultdict(list)
            for floor, row in enumerate(self.rows):
                for word in row.words.split():
                    floors[word].append(floor)
            self._floors = floors
        return floors_with(self._floors, first, last, words, least)


# Messages in which somebody speaks for whom another writes; by a narrator's hand, or acts.
_NARRATED = 2


@dataclass(frozen=True, slots=True)
class Narrated:
    """The persons for whom others speak, the cards that are nobody, and who is ``m`` or ``f``.

    ``unsure`` are cards of which claims cannot tell whether they are somebody.
    """

    names: tuple[str, ...] = ()
    narrators: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    genders: Mapping[str, str] = field(default_factory=dict)


def narrated(store: ChatStore) -> Narrated:
    """Return for whom the senders of a chat speak, as far as its claims are read."""
    try:
        _rules, _player, names, senders, known_as = json.loads(store.claims.people())
    except (ValueError, TypeError):
        return Narrated()
    unseen = frozenset(name for name, (is_narrator, _quotes) in senders.items() if is_narrator)
    found: Iterable[Iterable[str]] = store.claims.speakers()
    if unseen:
        found = map(unpacked_names, store.claims.there())
    counts = Counter(name for of_message in found for name in of_message)
    persons = tuple(n for n in names if n not in senders and counts[n] >= _NARRATED)
    # a card that is never seen to act, and tells of nobody else either, speaks for itself
    narrators = frozenset(n for n in unseen if persons or n.casefold() in NARRATORS)
    by_title = {n: "f" if WOMAN.search(n) else "m" for n in names if TITLED.search(n)}
    return Narrated(persons, narrators, unseen - narrators, {**known_as, **by_title})


def voices(row: ClaimRow | None, text: str) -> tuple[Voice, ...]:
    """Return who says or thinks which part of a message."""
    if row is None:
        return ()
    return tuple(
        Voice(line.start, line.end, line.speaker, line.how == "thought")
        for line in row.sentences(0, text)
        if line.speaker and not line.depth and line.how in ("said", "thought")
    )


def attributions(
    messages: Sequence[Message], rows: Mapping[str, ClaimRow], told: Narrated
) -> Attributions:
    """Return who says what in messages, as far as it is read."""
    by_message = {
        m.id: Attribution(
            m.text, rows[m.id].sentences(0, m.text), "" if m.name in told.narrators else m.name
        )
        for m in messages
        if m.name not in told.unsure and m.id in rows and rows[m.id].swipe_hash == m.swipe_hash
    }
    return Attributions(by_message)


def load(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    *,
    most: int | None = None,
    keeps: bool = True,
    known: Iterable[ClaimRow] = (),
) -> LineClaims:
    """Return the claims of a line, read where that is due. Raises Cancelled.

    ``most`` bounds how many messages are read now: what is beyond is left out, and ``is_whole``
    says so. Not ``keeps``, or where nothing can be written, what is read is not kept.
    ``known`` are rows that were read a moment ago.
    """
    keeps = keeps and not store.database.is_read_only
    heads = store.messages.revisions(branch_id)
    rows = store.claims.rows()
    rows.update((row.message_id, row) for row in known)
    found = _found(store, branch_id, heads, rows, most)
    people = _people(store, branch_id, heads, rows, found)
    loader = _Loader(ctx, store, branch_id, heads, rows, people, most, keeps=keeps)
    loader.settle_people()
    loader.read()
    return loader.result()


def _found(
    store: ChatStore,
    branch_id: str,
    heads: Sequence[tuple[str, int, str, str, str]],
    rows: Mapping[str, ClaimRow],
    most: int | None,
) -> dict[str, tuple[str, ...]]:
    """Return who may be a person, by the ids of messages that are to be read."""
    due = [
        head[1] for head in heads if (row := rows.get(head[0])) is None or row.swipe_hash != head[4]
    ][:most]
    if not due:
        return {}
    said = store.messages.sayings(branch_id, due[0], due[-1])
    ids = {head[1]: head[0] for head in heads}
    texts = {floor: saying.text for floor, saying in enumerate(said, start=due[0])}
    return {ids[n]: tuple(sorted(candidates(texts[n][:_LOOKED_AT]))) for n in due if n in texts}


def _people(
    store: ChatStore,
    branch_id: str,
    heads: Sequence[tuple[str, int, str, str, str]],
    rows: Mapping[str, ClaimRow],
    found_now: Mapping[str, tuple[str, ...]],
) -> StoryPeople:
    """Return who may speak: senders, cards, persons of the graph, and who is often said to."""
    cast = read_cast(store)
    said = store.messages.sayings(branch_id, 0, _SAMPLE - 1)
    messages = [(saying.name, saying.text) for saying in said]
    known = [entity.name for entity in store.entities.census() if entity.is_locked]
    found = [unpacked_names(row.found) for row in rows.values() if row.found]
    found += found_now.values()
    names, senders = story_people(messages, cast.user, known, found)
    for name in dict.fromkeys(head[2] for head in heads):
        senders.setdefault(name, MessageSender(name, len(senders) < _FEW))
    senders = beside_each_other(senders)
    player = cast.user[0] if cast.user else ""
    names = names[:_MOST_PEOPLE]
    persons = [name for name, sender in senders.items() if not sender.is_narrator]
    known_as = genders(
        messages, story_names(names, player), [name for name in persons if name != player]
    )
    return StoryPeople(names, player, senders, known_as, found_now)


class _Loader:
    def __init__(
        self,
        ctx: JobContext,
        store: ChatStore,
        branch_id: str,
        heads: Sequence[tuple[str, int, str, str, str]],
        rows: dict[str, ClaimRow],
        people: StoryPeople,
        most: int | None,
        *,
        keeps: bool,
    ) -> None:
        self.keeps = keeps
        self.ctx = ctx
        self.store = store
        self.branch_id = branch_id
        self.heads = heads
        self.rows = rows
        self.people = people
        self.names: NameFinder = story_names(people.names, people.player)
        self.most = most
        self.line: list[ClaimRow] = []
        self.is_whole = True
        self.count = 0  # messages read now

    def settle_people(self) -> None:
        """Take away what was read with other names, as far as they matter to it."""
        store, now = self.store, self.people.packed()
        before = store.claims.people()
        if before == now:
            return
        words = _changed_words(before, self.people)
        if words is None:
            self.rows.clear()
        elif words:
            low = [word.casefold() for word in words]
            said = store.messages.sayings(self.branch_id, 0, len(self.heads))
            for head, saying in zip(self.heads, said, strict=False):
                text = saying.text.casefold()
                if any(word in text for word in low):
                    self.rows.pop(head[0], None)

        def forget() -> None:
            with store.database.writing():
                if words is None:
                    store.claims.forget_all()
                elif words:
                    store.claims.forget_with(words)
                store.claims.put_people(now)

        if self.keeps:
            self.ctx.write(forget)

    def read(self) -> None:
        """Go along the line and read what does not fit what was read before."""
        context = ""
        pending: list[ClaimRow] = []
        self.line = []
        texts: dict[int, str] = {}
        for number, (message_id, floor, name, _role, key) in enumerate(self.heads):
            row = self.rows.get(message_id)
            if row is None or (row.swipe_hash, row.sender, row.before) != (key, name, context):
                if self.most is not None and self.count >= self.most:
                    self.is_whole = False
                    break
                if floor not in texts:
                    texts = self._texts(floor)
                row = self._read_one(number, texts[floor], context)
                pending.append(row)
                self.rows[message_id] = row
                self.count += 1
                if len(pending) >= _AT_ONCE:
                    self._keep(pending)
                    pending = []
                    self.ctx.check()
                    self.ctx.report(floor, len(self.heads), "claims")
            self.line.append(row)
            context = row.after
        self._keep(pending)

    def _texts(self, floor: int) -> dict[int, str]:
        said = self.store.messages.sayings(self.branch_id, floor, floor + _AT_ONCE - 1)
        return {floor + n: saying.text for n, saying in enumerate(said)}

    def _read_one(self, number: int, text: str, before: str) -> ClaimRow:
        message_id, floor, name, _role, key = self.heads[number]
        sender = self.people.senders.get(name) or MessageSender(name, not self.names.is_known(name))
        found = self.people.found.get(message_id)
        found = tuple(sorted(candidates(text[:_LOOKED_AT]))) if found is None else found
        got, after = read_message(
            floor, text, sender, self.names, _context(before), self.people.genders
        )
        there = dict.fromkeys(
            person
            for claim in got.lines
            if not claim.depth and claim.how in ("said", "narrated")
            for person in (claim.speaker, claim.about, *claim.hearers)
            if person
        )
        return ClaimRow(
            message_id,
            key,
            name,
            before,
            f"{packed_names(after.turns)}\x1f{packed_names(after.recent)}",
            packed_names(there),
            packed_names(found),
            " ".join(sorted(index_words(text))),
            packed(got.facts),
            packed(got.lines, is_line=True),
        )

    def _keep(self, pending: Sequence[ClaimRow]) -> None:
        def put() -> None:
            with self.store.database.writing():
                self.store.claims.put(pending)

        if pending and self.keeps:
            self.ctx.write(put)

    def result(self) -> LineClaims:
        answered = self._answered()
        facts: list[Claim] = []
        for (_id, floor, _n, _r, _k), row in zip(self.heads, self.line, strict=False):
            of_floor = row.claims(floor) if row.facts else []
            if floor in answered:
                of_floor = joined_claims(of_floor, answered[floor])
            facts += of_floor
        facts += noted_claims(self.store, self.branch_id, [h[0] for h in self.heads], facts)
        people = all_names([*self.people.names, self.people.player])
        there = [unpacked_names(row.there) for row in self.line]
        rows = self.line
        return LineClaims(
            self.store, self.branch_id, rows, facts, people, there, self.is_whole, answered
        )

    def _answered(self) -> dict[int, list[Claim]]:
        """Return what a model read of the messages as they are, with names as rules give them."""
        kept = self.store.claims.answered()
        found: dict[int, list[Claim]] = {}
        for message_id, floor, _name, _role, key in self.heads[: len(self.line)] if kept else ():
            text = kept.get((message_id, key))
            if text:
                found[floor] = [self._named(claim) for claim in unpacked(floor, text)]
        return found

    def _named(self, claim: Claim) -> Claim:
        return replace(
            claim,
            speaker=self.names.who(claim.speaker),
            about=self.names.who(claim.about),
            hearers=tuple(self.names.who(name) for name in claim.hearers),
        )


def noted_claims(
    store: ChatStore, branch_id: str, message_ids: Sequence[str], facts: Sequence[Claim]
) -> list[Claim]:
    """Return what the user noted as threads, as claims, where a line has the words.

    A message that was imported again is found by its words. What rules find too is left to them.
    """
    noted = store.claims.noted()
    if not noted:
        return []
    floors = {message_id: floor for floor, message_id in enumerate(message_ids)}
    found = {(c.floor, c.quote.strip()) for c in facts if c.facet == "will"}
    texts: list[str] = []
    claims_made = []
    for thread in noted:
        floor = floors.get(thread.message_id, -1)
        text = store.messages.sayings(branch_id, floor, floor)[0].text if floor >= 0 else ""
        if thread.quote not in text:
            texts = texts or [
                saying.text for saying in store.messages.sayings(branch_id, 0, len(message_ids) - 1)
            ]
            places = [n for n, other in enumerate(texts) if thread.quote in other]
            if not places:
                continue  # it was not told on this branch, or its words were edited away
            floor = min(places, key=lambda n: abs(n - thread.floor))
            text = texts[floor]
        if (floor, thread.quote) not in found:
            start = text.index(thread.quote)
            end = start + len(thread.quote)
            claims_made.append(
                Claim(floor, "said", thread.speaker, "", "will", "", thread.quote, start, end)
            )
    return claims_made


def _context(text: str) -> Context:
    turns, _, recent = text.partition("\x1f")
    return Context(unpacked_names(turns), unpacked_names(recent))


def _changed_words(before: str, now: StoryPeople) -> list[str] | None:
    """Return the names and short forms that came or went; None where all is to be read again."""
    try:
        rules, player, names, senders, known_as = json.loads(before)
    except (ValueError, TypeError):
        return None
    current = {n: [s.is_narrator, s.quotes] for n, s in now.senders.items()}
    is_same = all(senders.get(name, style) == style for name, style in current.items())
    if rules != RULES or player != now.player or not is_same:
        return None
    old = {form for name in names for form in (name, *short_forms(name))}
    new = {form for name in now.names for form in (name, *short_forms(name))}
    changed = {n for n in {*known_as, *now.genders} if known_as.get(n) != now.genders.get(n)}
    return sorted((old ^ new) | changed)
