"""The claims of a line: read from messages that are due, and otherwise from stored rows.

A stored row is valid for the text, the sender and the context it was read with; any other row is
read again. So edits, swipes, undo and branches need not report anything. If a name appears or
disappears, the messages that hold it become due.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.attribution import Attribution, Attributions
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.people import (
    FoundPeople,
    all_names,
    beside_each_other,
    candidates,
    short_forms,
    story_names,
    story_people,
)
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.referents import genders
from engram_desktop.domain.claims.speech import Context, MessageSender
from engram_desktop.domain.claims.subjects import TITLED, WOMAN
from engram_desktop.domain.claims.wording import index_words
from engram_desktop.domain.knowledge.narrated import Voice
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.text.cleaning import asserting, is_page
from engram_desktop.domain.values import dataclass
from engram_desktop.services.knowledge.line_claims import Basis, LineClaims, LineMark, StoryPeople
from engram_desktop.storage.chat.claims import (
    ClaimRow,
    packed,
    packed_names,
    unpacked,
    unpacked_names,
)

if TYPE_CHECKING:
    from engram_desktop.domain.chats import Saying
    from engram_desktop.domain.graph.entity import EntityType
    from engram_desktop.domain.knowledge.thoughts import NameFinder
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore

RULES = 24  # version of the rules: a higher one reads every message again
_LINES_KEPT = 3  # lines of a chat whose claims stay in memory: some 20 MB each at 10,000 floors
_AT_ONCE = 200  # messages read and written in one short transaction: about 150 ms
# First messages of a line, and at most this many characters of them, that show how each sender
# writes. A chat of pages shows it sooner, and each new message reads the whole sample again.
_SAMPLE, _SAMPLE_CHARACTERS = 200, 200_000
_FEW = 3  # senders of a sample; if there are more, a new sender is taken for a person
_LOOKED_AT = 4_000  # characters of a message that are searched for people
_MOST_PEOPLE = 300  # names in a chat: several times the cast of a long story


_Head = tuple[str, int, str, str, str]  # id, floor, name, role and swipe hash of a message
# Messages in which a person must speak, or act in a narrator's text, to count as narrated.
_NARRATED = 2


@dataclass(frozen=True, slots=True)
class Narrated:
    """The persons that senders speak for, the cards that are narrators, and genders (``m``, ``f``).

    ``unsure`` are cards that may be narrators or persons. ``plays`` gives the one person whom a
    card named by a role plays: The Innkeeper, Marrow.
    """

    names: tuple[str, ...] = ()
    narrators: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    genders: Mapping[str, str] = field(default_factory=dict)
    plays: Mapping[str, str] = field(default_factory=dict)

    def with_names(self, known: Mapping[str, EntityType]) -> dict[str, EntityType]:
        """Return ``known`` names together with these persons."""
        return {**dict.fromkeys(self.names, "char"), **known}


def narrated(store: ChatStore) -> Narrated:
    """Return the persons for whom a chat's senders speak, as far as its claims are read."""
    try:
        rules, _player, names, senders, known_as = json.loads(store.claims.people())
    except (ValueError, TypeError):
        return Narrated()
    if rules != RULES:
        return Narrated()  # read by other rules: they are read again first
    unseen = frozenset(n for n, (_own, is_narrator, _quotes) in senders.items() if is_narrator)
    plays = {name: own for name, (own, *_style) in senders.items() if own != name}
    counts = store.person_counts.there() if unseen else store.person_counts.speaking()
    persons = tuple(n for n in names if n not in senders and counts[n] >= _NARRATED)
    # a card that never acts and tells of nobody else speaks for itself
    narrators = frozenset(n for n in unseen if persons or n.casefold() in NARRATORS)
    by_title = {n: "f" if WOMAN.search(n) else "m" for n in names if TITLED.search(n)}
    return Narrated(persons, narrators, unseen - narrators, {**known_as, **by_title}, plays)


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
    """Return who says what in messages, as far as their claims are read."""
    by_message = {
        m.id: Attribution(
            m.text,
            rows[m.id].sentences(0, m.text),
            "" if m.name in told.narrators else told.plays.get(m.name, m.name),
        )
        for m in messages
        if m.name not in told.unsure and m.id in rows and rows[m.id].swipe_hash == m.swipe_hash
    }
    return Attributions(by_message)


def are_current(store: ChatStore) -> bool:
    """Return whether the stored claims of a chat, if any, were read by the present rules."""
    read_by = store.claims.people()
    return not read_by or read_by.startswith(f"[{RULES},")


def load(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    *,
    most: int | None = None,
    keeps: bool = True,
) -> LineClaims:
    """Return the claims of a line, reading the messages that are due. Raises Cancelled.

    ``most`` limits how many messages are read now; if some are left, ``is_whole`` is False. With
    ``keeps`` False, or if the database is read-only, nothing is stored.
    """
    keeps = keeps and not store.database.is_read_only
    known: LineClaims | None = store.line_claims.get(branch_id)
    going_on = _continued(ctx, store, known, most, keeps=keeps) if known is not None else None
    line = going_on or _whole(ctx, store, branch_id, most, keeps=keeps)
    if keeps and line.unkept:
        rows = line.unkept
        ctx.write(lambda: _put(store, rows))
        line = replace(line, unkept=[])
    if line.is_whole:
        store.line_claims.pop(branch_id, None)  # re-insert the line as the one used last
        store.line_claims[branch_id] = line
        for other in list(store.line_claims)[:-_LINES_KEPT]:
            store.line_claims.pop(other, None)
    return line


def _whole(
    ctx: JobContext, store: ChatStore, branch_id: str, most: int | None, *, keeps: bool
) -> LineClaims:
    mark = LineMark.of(store, branch_id)
    found = FoundPeople.of(map(unpacked_names, store.claims.found()))
    unread = _Unread.of(ctx, store, branch_id, 0, most)
    found.add(unread.persons())
    basis = _basis(store, found)
    people = _people(_sample(store, branch_id), unread.senders, basis)
    loader = _Loader(ctx, store, branch_id, unread, people, most)
    loader.discard_outdated(keeps=keeps)
    answers = store.claims.answered()
    line = LineClaims(store, branch_id, mark, people, basis, found, answers)
    return _with_rows(line, loader, keeps=keeps)


def _continued(
    ctx: JobContext, store: ChatStore, known: LineClaims, most: int | None, *, keeps: bool
) -> LineClaims | None:
    """Return the claims of a line by continuing an earlier state of it.

    None if the whole line must be read again: names changed, or the user noted a thread.
    """
    branch_id = known.branch_id
    mark = LineMark.of(store, branch_id)
    answers = known.answers
    if mark.answered != known.mark.answered:
        answers = store.claims.answered()
    same = _same_floors(ctx, store, known, mark, answers)
    unread = _Unread.of(ctx, store, branch_id, same, most)
    if any(sender not in known.story.senders for sender in unread.senders):
        return None
    line = known.first(same)
    for heads in _heads(ctx, store, branch_id, same, unread.floors):
        rows = store.claims.rows([head[0] for head in heads])
        line.found.add(unpacked_names(row.found) for row in rows.values() if row.found)
    line.found.add(unread.persons())
    if not _basis(store, line.found).is_as(known.basis):
        return None
    sample = _sample(store, branch_id) if same < _SAMPLE else ()
    if same < len(sample):
        senders = [sender for _id, sender, _key in line.rows.heads()] + list(unread.senders)
        if not _people(sample, senders, known.basis).is_as(known.story):
            return None
    line.mark, line.answers = mark, answers
    loader = _Loader(ctx, store, branch_id, unread, known.story, most)
    return _with_rows(line, loader, keeps=keeps)


def _heads(
    ctx: JobContext, store: ChatStore, branch_id: str, first: int, end: int
) -> Iterator[list[_Head]]:
    """Yield the floors of a line from ``first`` to before ``end``, a few at a time.

    Raises Cancelled.
    """
    for floor in range(first, end, _AT_ONCE):
        ctx.check()
        yield store.messages.revisions(branch_id, floor, min(floor + _AT_ONCE, end) - 1)


def _same_floors(
    ctx: JobContext,
    store: ChatStore,
    known: LineClaims,
    mark: LineMark,
    answers: Mapping[tuple[str, str], str],
) -> int:
    """Return how many of the first floors have the same messages and the same model answers."""
    same = len(known.rows)
    if mark.rewritten != known.mark.rewritten or mark.floors < same:
        heads = chain.from_iterable(_heads(ctx, store, known.branch_id, 0, mark.floors))
        changed = (
            floor
            for floor, ((message_id, _seq, name, _role, key), row) in enumerate(
                zip(heads, known.rows.heads(), strict=False)
            )
            if (message_id, name, key) != row
        )
        same = next(changed, min(mark.floors, same))
    if answers is not known.answers:
        changed = (
            floor
            for floor, (message_id, _name, key) in enumerate(islice(known.rows.heads(), same))
            if answers.get((message_id, key)) != known.answers.get((message_id, key))
        )
        same = next(changed, same)
    return same


def _with_rows(line: LineClaims, loader: _Loader, *, keeps: bool) -> LineClaims:
    """Append the rows of a loader to a line."""
    first = len(line.rows)
    names: dict[str, tuple[str, ...]] = {}
    for floor, row in enumerate(loader.read(line.rows.context, keeps=keeps), first):
        answer = line.answers.get((row.message_id, row.swipe_hash))
        if answer:
            named = [_named(claim, line.story.finder) for claim in unpacked(floor, answer)]
            line.answered[floor] = named
        line.rows.append(row)
        if row.there not in names:
            names[row.there] = unpacked_names(row.there)
        line.there.append(names[row.there])
    line.is_whole = loader.is_whole
    line.unkept += loader.unkept
    noted = [claim for claim in noted_claims(line) if claim.floor >= first]
    line.add_noted(noted)
    return line


def _named(claim: Claim, names: NameFinder) -> Claim:
    """Return a model's claim with people's names as the rules write them."""
    return replace(
        claim,
        speaker=names.who(claim.speaker),
        about=names.who(claim.about),
        hearers=tuple(names.who(name) for name in claim.hearers),
    )


def _put(store: ChatStore, rows: Sequence[ClaimRow]) -> None:
    with store.database.writing():
        store.claims.put(rows)


@dataclass
class _Unread:
    """The floors of a line from ``first`` on: their senders, and possible persons in some."""

    first: int
    floors: int  # of the whole line
    senders: dict[str, None] = field(default_factory=dict)  # in the order of the floors
    # By floor from ``first`` on, packed: of messages whose stored row is not of their text.
    found: list[str | None] = field(default_factory=list)

    @classmethod
    def of(
        cls, ctx: JobContext, store: ChatStore, branch_id: str, first: int, most: int | None
    ) -> _Unread:
        """Search at most ``most`` messages from floor ``first`` on. Raises Cancelled."""
        unread = cls(first, store.messages.count(branch_id))
        left = unread.floors if most is None else most
        one = dict[str, str]().setdefault  # equal names are held once
        for heads in _heads(ctx, store, branch_id, first, unread.floors):
            unread.senders |= dict.fromkeys(head[2] for head in heads)
            keys = store.claims.hashes([head[0] for head in heads])
            due = [head[1] for head in heads if keys.get(head[0]) != head[4]][:left]
            left -= len(due)
            persons: list[str | None] = [None] * len(heads)
            if due:
                said = store.messages.sayings(branch_id, due[0], due[-1])
                for floor, saying in enumerate(said, due[0]):
                    if floor in due:
                        names = packed_names(_persons_in(saying.text))
                        persons[floor - heads[0][1]] = one(names, names)
            unread.found += persons
        return unread

    def persons(self) -> Iterator[tuple[str, ...]]:
        """Yield the possible persons of each message that was searched."""
        return (unpacked_names(names) for names in self.found if names is not None)

    def on(self, floor: int) -> str | None:
        """Return the packed possible persons of a floor; None if it was not searched."""
        return self.found[floor - self.first]


def _persons_in(text: str) -> tuple[str, ...]:
    """Return possible persons in a message: none of an assistant's page, where programs act."""
    return () if is_page(text) else tuple(sorted(candidates(asserting(text)[:_LOOKED_AT])))


def _basis(store: ChatStore, found: FoundPeople) -> Basis:
    noted = tuple(sorted(thread.id for thread in store.claims.noted()))
    players = store.messages.user_names()
    return Basis(players, tuple(store.entities.locked_names()), tuple(found.likely()), noted)


def _sample(store: ChatStore, branch_id: str) -> list[Saying]:
    """Return the first messages of a line, the sample that shows how each sender writes."""
    said = store.messages.sayings(branch_id, 0, _SAMPLE - 1)
    ends = list(accumulate(len(saying.text) for saying in said))
    return said[: bisect_left(ends, _SAMPLE_CHARACTERS) + 1]


def _people(sample: Iterable[Saying], said_by: Iterable[str], basis: Basis) -> StoryPeople:
    """Return who may speak: senders, cards, persons of the graph, and people often quoted."""
    messages = [(saying.name, asserting(saying.text)) for saying in sample]
    names, senders = story_people(messages, basis.players, basis.locked, basis.likely)
    for name in dict.fromkeys(said_by):
        senders.setdefault(name, MessageSender(name, len(senders) < _FEW))
    senders = beside_each_other(senders)
    player = basis.players[0] if basis.players else ""
    names = names[:_MOST_PEOPLE]
    persons = [sender.name for sender in senders.values() if not sender.is_narrator]
    finder = story_names(names, player)
    known_as = genders(messages, finder, [name for name in persons if name != player])
    return StoryPeople(names, player, senders, known_as, all_names([*names, player]), finder)


class _Loader:
    def __init__(
        self,
        ctx: JobContext,
        store: ChatStore,
        branch_id: str,
        unread: _Unread,
        people: StoryPeople,
        most: int | None,
    ) -> None:
        self.ctx = ctx
        self.store = store
        self.branch_id = branch_id
        self.unread = unread
        self.people = people
        self.names = people.finder
        self.most = most
        self.unkept: list[ClaimRow] = []
        self.is_whole = True
        self._left_out: set[str] = set()  # messages whose stored rows are not valid
        self._is_read_anew = False  # no stored row is valid

    def discard_outdated(self, *, keeps: bool) -> None:
        """Discard rows that were read with other names, if these matter to their texts."""
        store, now = self.store, packed_people(self.people)
        before = store.claims.people()
        if before == now:
            return
        words = _changed_words(before, self.people)
        if words is None:
            self._is_read_anew = True
        elif words:
            self._leave_out([word.casefold() for word in words])

        def forget() -> None:
            with store.database.writing():
                if words is None:
                    store.claims.forget_all()
                elif words:
                    store.claims.forget_with(words)
                store.claims.put_people(now)

        if keeps:
            self.ctx.write(forget)

    def _leave_out(self, words: Sequence[str]) -> None:
        """Discard rows whose texts or contexts hold one of these words; a pronoun may mean it."""
        for heads, rows in self._stored():
            said = self.store.messages.sayings(self.branch_id, heads[0][1], heads[-1][1])
            for head, saying in zip(heads, said, strict=False):
                row = rows.get(head[0])
                known = f"{saying.text}\n{row.before}".casefold() if row is not None else ""
                if any(word in known for word in words):
                    self._left_out.add(head[0])

    def _stored(self) -> Iterator[tuple[Sequence[_Head], dict[str, ClaimRow]]]:
        """Yield messages, a few at a time, and their stored rows by message id."""
        first, end = self.unread.first, self.unread.floors
        for heads in _heads(self.ctx, self.store, self.branch_id, first, end):
            ids = [head[0] for head in heads if head[0] not in self._left_out]
            yield heads, {} if self._is_read_anew else self.store.claims.rows(ids)

    def read(self, context: str, *, keeps: bool) -> Iterator[ClaimRow]:
        """Yield the rows of a line, reading each message whose stored row is not valid."""
        texts: dict[int, str] = {}
        count = 0
        for heads, rows in self._stored():
            for message_id, floor, name, _role, key in heads:
                row = rows.get(message_id)
                if row is None or (row.swipe_hash, row.sender, row.before) != (key, name, context):
                    if self.most is not None and count >= self.most:
                        self.is_whole = False
                        break
                    if floor not in texts:
                        texts = self._texts(floor)
                    row = self._read_one((message_id, floor, name, key), texts[floor], context)
                    self.unkept.append(row)
                    count += 1
                    if keeps and len(self.unkept) >= _AT_ONCE:
                        self._keep()
                        self.ctx.check()
                        self.ctx.report(floor, self.unread.floors, "claims")
                yield row
                context = row.after
            if not self.is_whole:
                break
        if keeps:
            self._keep()

    def _keep(self) -> None:
        rows = self.unkept
        if rows:
            self.ctx.write(lambda: _put(self.store, rows))
            self.unkept = []

    def _texts(self, floor: int) -> dict[int, str]:
        said = self.store.messages.sayings(self.branch_id, floor, floor + _AT_ONCE - 1)
        return {floor + n: saying.text for n, saying in enumerate(said)}

    def _read_one(self, head: tuple[str, int, str, str], text: str, before: str) -> ClaimRow:
        message_id, floor, name, key = head
        sender = self.people.senders.get(name) or MessageSender(name, not self.names.is_known(name))
        found = self.unread.on(floor)
        found = packed_names(_persons_in(text)) if found is None else found
        got, after = read_message(
            floor, asserting(text), sender, self.names, _context(before), self.people.genders
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
            "\x1f".join(
                (
                    packed_names(after.turns),
                    packed_names(after.recent),
                    after.called,
                    after.other,
                )
            ),
            packed_names(there),
            found,
            " ".join(sorted(index_words(text))),
            packed(got.facts),
            packed(got.lines, is_line=True),
        )


def noted_claims(line: LineClaims) -> list[Claim]:
    """Return the threads noted by the user as claims, where the line holds their words.

    After an import the message is found again by its words. Threads that the rules find as well are
    left out.
    """
    store, branch_id = line.store, line.branch_id
    noted = store.claims.noted()
    ids = {thread.message_id for thread in noted}
    heads = line.rows.heads() if noted else ()
    floors = {head[0]: floor for floor, head in enumerate(heads) if head[0] in ids}
    claims_made = []
    for thread in noted:
        floor = floors.get(thread.message_id, -1)
        text = store.messages.sayings(branch_id, floor, floor)[0].text if floor >= 0 else ""
        if thread.quote not in text:
            places = _floors_with(line, thread.quote)
            floor = min(places, key=lambda n: abs(n - thread.floor), default=-1)
            if floor < 0:
                continue  # it is not on this branch, or its words were edited away
            text = store.messages.sayings(branch_id, floor, floor)[0].text
        facts = line.facts_of(floor, floor)
        if not any(c.facet == "will" and c.quote.strip() == thread.quote for c in facts):
            start = text.index(thread.quote)
            end = start + len(thread.quote)
            claims_made.append(
                Claim(floor, "said", thread.speaker, "", "will", "", thread.quote, start, end)
            )
    return claims_made


def _floors_with(line: LineClaims, words: str) -> Iterator[int]:
    """Yield the floors of a line whose messages hold some words."""
    for first in range(0, len(line.rows), _AT_ONCE):
        last = min(line.last_floor, first + _AT_ONCE - 1)
        for floor, saying in enumerate(
            line.store.messages.sayings(line.branch_id, first, last), first
        ):
            if words in saying.text:
                yield floor


def packed_people(people: StoryPeople) -> str:
    """Return the people that rows are read with, as the JSON stored beside the rows."""
    senders = {n: [s.name, s.is_narrator, s.quotes] for n, s in sorted(people.senders.items())}
    return json.dumps(
        [RULES, people.player, list(people.names), senders, people.genders], ensure_ascii=False
    )


def _context(text: str) -> Context:
    turns, recent, *rest = (*text.split("\x1f"), "", "", "")[:4]
    return Context(unpacked_names(turns), unpacked_names(recent), *rest)


def _changed_words(before: str, now: StoryPeople) -> list[str] | None:
    """Return names and short forms that appeared or disappeared; None if all must be read again."""
    try:
        rules, player, names, senders, known_as = json.loads(before)
    except (ValueError, TypeError):
        return None
    current = {n: [s.name, s.is_narrator, s.quotes] for n, s in now.senders.items()}
    is_same = all(senders.get(name, style) == style for name, style in current.items())
    if rules != RULES or player != now.player or not is_same:
        return None
    old = {form for name in names for form in (name, *short_forms(name))}
    new = {form for name in now.names for form in (name, *short_forms(name))}
    changed = {n for n in {*known_as, *now.genders} if known_as.get(n) != now.genders.get(n)}
    return sorted((old ^ new) | changed)
