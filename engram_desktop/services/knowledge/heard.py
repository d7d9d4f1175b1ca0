"""Messages as an actor perceives them. Reads only; knowledge must be up to date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Protocol

import numpy as np

from engram_desktop.domain.claims.wording import stem_of
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import PresentFloor, PrivatePart, heard_text
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.query import ItemFilter
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import KnowledgeFix, MessageAudience


def present(
    store: ChatStore, branch_id: str, first: int, last: int
) -> list[tuple[Message, MessageAudience | None]]:
    """Return messages with who perceives each; None if that is not derived yet."""
    return _with_audience(store, store.messages.slice(branch_id, first, last))


def _with_audience(
    store: ChatStore, messages: Sequence[Message]
) -> list[tuple[Message, MessageAudience | None]]:
    rows = store.presence.of([m.id for m in messages])
    return [(message, rows.get(message.id)) for message in messages]


def present_floors(store: ChatStore, branch_id: str, first: int, last: int) -> list[PresentFloor]:
    """Return who perceives each of these floors."""
    rows = present(store, branch_id, first, last)
    people = store.audiences.people({row.audience for _m, row in rows if row is not None})
    return [
        PresentFloor(m.seq, m.id, m.name, None)
        if row is None
        else PresentFloor(
            m.seq,
            m.id,
            m.name,
            people.get(row.audience, ()),
            tuple((part, m.text[part.start : part.end]) for part in row.parts),
            row.is_known,
            row.source,
        )
        for m, row in rows
    ]


def floors(store: ChatStore, branch_id: str, actor: Actor, first: int, last: int) -> frozenset[int]:
    """Return the floors whose open text ``actor`` perceives."""
    return sure_floors(store, branch_id, actor, first, last)[0]


def sure_floors(
    store: ChatStore, branch_id: str, actor: Actor, first: int, last: int
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the floors whose open text ``actor`` perceives, and the floors where that is certain.

    It is certain if a model or the user says who is present, or if the user says what ``actor``
    knows.
    """
    rows = present(store, branch_id, first, last)
    people = store.audiences.people({row.audience for _m, row in rows if row is not None})
    norms = {n: {norm_name(p.name) for p in company} for n, company in people.items()}
    fixes, of_groups = _fixes(store, rows, actor)
    perceived, settled = set(), set()
    for message, row in rows:
        fix, of_group = fixes.get(message.id), of_groups.get(message.id, [])
        if fix is not None or (row is not None and row.source != "rules"):
            settled.add(message.seq)
        if fix is not None:
            is_told = _is_told(fix, actor)
        else:
            own = actor.norms_on(message.seq) - {norm_name(f.name) for f in of_group}
            is_there = row is not None and bool(norms.get(row.audience, set()) & own)
            is_told = _is_said_of_group(actor, of_group) or is_there
        if is_told:
            perceived.add(message.seq)
    return frozenset(perceived), frozenset(settled)


def _fixes(
    store: ChatStore, rows: Sequence[tuple[Message, MessageAudience | None]], actor: Actor
) -> tuple[dict[str, KnowledgeFix], dict[str, list[KnowledgeFix]]]:
    """Return the user's corrections of these messages: for ``actor``, and all of its groups'."""
    said = store.knowledge.fixes([("turn", message.id) for message, _row in rows])
    own = {fix.ref: fix for fix in said if norm_name(fix.name) in actor.norms}
    of_groups: dict[str, list[KnowledgeFix]] = {}
    for one in said if actor.groups else ():
        of_groups.setdefault(one.ref, []).append(one)
    return own, of_groups


def _is_told(fix: KnowledgeFix, actor: Actor) -> bool:
    return fix.is_known and (actor.at is None or fix.from_floor <= actor.at)


def messages_heard(store: ChatStore, where: ItemFilter, first: int, last: int) -> list[Message]:
    """Return these floors as the actor of ``where`` heard them; without an actor, unchanged."""
    branch_id = where.branches[0][0]
    if where.actor is None:
        return store.messages.slice(branch_id, first, last)
    return heard(store, branch_id, where.asker, first, last)


def heard(store: ChatStore, branch_id: str, actor: Actor, first: int, last: int) -> list[Message]:
    """Return what ``actor`` perceives of these floors."""
    return _heard(store, actor, present(store, branch_id, first, last))


def messages_heard_at(store: ChatStore, where: ItemFilter, floors: Sequence[int]) -> list[Message]:
    """Return single floors, ascending, as the actor of ``where`` heard them."""
    messages = store.messages.at(where.branches[0][0], floors)
    if where.actor is None:
        return messages
    return _heard(store, where.asker, _with_audience(store, messages))


def floors_heard(store: ChatStore, where: ItemFilter, floors: Sequence[int]) -> frozenset[int]:
    """Return which of these floors the actor of ``where`` heard anything of."""
    return frozenset(message.seq for message in messages_heard_at(store, where, floors))


def _heard(
    store: ChatStore, actor: Actor, rows: Sequence[tuple[Message, MessageAudience | None]]
) -> list[Message]:
    people = store.audiences.people({row.audience for _m, row in rows if row is not None})
    there = {n: {norm_name(person.name) for person in company} for n, company in people.items()}
    fixes, of_groups = _fixes(store, rows, actor)
    messages = []
    for message, row in rows:
        fix = fixes.get(message.id)
        if fix is not None:
            if _is_told(fix, actor):
                messages.append(message)
            continue
        norms = actor.norms_on(message.seq)
        if actor.groups:
            group_fixes = of_groups.get(message.id, [])
            if _is_said_of_group(actor, group_fixes):
                messages.append(message)
                continue
            norms -= {norm_name(f.name) for f in group_fixes}
        if row is None:
            continue
        parts = {
            n
            for n, part in enumerate(row.parts)
            if any(norm_name(p.name) in norms for p in part.audience)
        }
        if norms & there.get(row.audience, set()):
            text = heard_text(message.text, row.parts, parts)
        else:
            text = "\n".join(message.text[row.parts[n].start : row.parts[n].end] for n in parts)
        if text.strip():
            messages.append(replace(message, text=text))
    return messages


def _is_said_of_group(actor: Actor, fixes: Sequence[KnowledgeFix]) -> bool:
    """Return whether the user says that a group of ``actor`` knew it before the actor left."""
    for group, until in actor.groups:
        limits = [floor for floor in (until, actor.at) if floor is not None]
        for fix in fixes:
            if (
                norm_name(fix.name) == group
                and fix.is_known
                and fix.from_floor <= min(limits, default=fix.from_floor)
            ):
                return True
    return False


# Newest messages looked at that hold a word. Somebody who heard only older ones counts as not
# having heard it; if all of these are on other branches, the word counts as said nowhere.
_LOOKED_AT = 64
_LATIN = re.compile(r"[^\W\d_]{4,}|\d{2,}")  # shorter words identify nothing; numbers do
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")


class HeardFloor(Protocol):
    """A floor, with who perceives its open text and its private parts."""

    @property
    def audience(self) -> Mapping[str, object]: ...
    @property
    def parts(self) -> Sequence[PrivatePart]: ...
    @property
    def text(self) -> str: ...


@dataclass
class Asides:
    """Finds who heard the words of a model's summary that its own floors do not hold.

    A model reads the whole story and may add what it knows from other scenes: “she did not mention
    the two millions”. Somebody present in this scene may never have heard of them. So each word
    that stands only on other floors is known only to those who perceived one of these. Computed
    once for each wording of an event.
    """

    store: ChatStore
    floor_at: Callable[[str, int], HeardFloor | None]  # by branch and floor
    _known: dict[tuple[str, str], list[frozenset[str]]] = field(default_factory=dict)

    def hearers(
        self, event: EventNode, own_texts: Iterable[str], names: Iterable[str]
    ) -> list[frozenset[str]]:
        """Return, for each word only other floors hold, who perceived it (names by `norm_name`).

        ``names`` are people's names, which everybody may know.
        """
        told = f"{event.summary}\n{event.raw_data.details}".casefold()
        key = (event.id, told)
        if key not in self._known:
            self._known[key] = list(self._heard(event.branch_id, told, own_texts, names))
        return self._known[key]

    def forget(self) -> None:
        """Drop what was found so far."""
        self._known.clear()

    def _heard(
        self, branch_id: str, told: str, own_texts: Iterable[str], names: Iterable[str]
    ) -> Iterator[frozenset[str]]:
        is_own = _holds("\n".join(own_texts))
        people = "\n".join(names).casefold()
        for word in _words(told):
            if word in people or is_own(word):
                continue
            floors = (self.floor_at(branch_id, floor) for floor in self._floors_with(word))
            heard = [_who_heard(f, word) for f in floors if f is not None and _holds(f.text)(word)]
            if heard:
                yield frozenset[str]().union(*heard)

    def _floors_with(self, word: str) -> list[int]:
        """Return the floors of messages, on any branch, that hold all tokens of a word."""
        tokens = [token for token in index_tokens(word) if len(token) > 1]
        counts = self.store.items.document_frequency(tokens)
        if not tokens or len(counts) < len(set(tokens)):
            return []
        rarest, *others = sorted(counts, key=lambda token: counts[token])
        (ids,) = self.store.items.postings([rarest])
        for token in others:
            if ids.size <= _LOOKED_AT:
                break
            (other,) = self.store.items.postings([token])
            ids = np.intersect1d(ids, other, assume_unique=True)
        items = self.store.items.fetch([int(item_id) for item_id in ids[-_LOOKED_AT:]])
        return sorted({item.start_index for item in items.values() if item.kind == "turn"})


def _who_heard(floor: HeardFloor, word: str) -> frozenset[str]:
    hidden = [p for p in floor.parts if _holds(floor.text[p.start : p.end])(word)]
    if not hidden:
        return frozenset(floor.audience)
    return frozenset(norm_name(person.name) for part in hidden for person in part.audience)


def _holds(text: str) -> Callable[[str], bool]:
    """Return a test whether ``text`` holds a word, in any of its forms."""
    folded = text.casefold()
    stems = {stem_of(word) for word in _LATIN.findall(folded)}
    return lambda word: word in folded or (word.isascii() and stem_of(word) in stems)


def _words(text: str) -> list[str]:
    words = _LATIN.findall(text)
    if _HAN.search(text):
        import rjieba  # noqa: PLC0415  # a word list of 5 MB that an English story does not need

        words += [word for word in rjieba.cut(text) if _HAN.fullmatch(word)]
    return list(dict.fromkeys(words))
