"""Messages as somebody perceives them. Reads only; knowledge is up to date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import PresentFloor, heard_text
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.recall.query import ItemFilter
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import KnowledgeFix, MessageAudience


def present(
    store: ChatStore, branch_id: str, first: int, last: int
) -> list[tuple[Message, MessageAudience | None]]:
    """Return messages, each with who perceives it; None where that is not derived yet."""
    return _with_audience(store, store.messages.slice(branch_id, first, last))


def _with_audience(
    store: ChatStore, messages: Sequence[Message]
) -> list[tuple[Message, MessageAudience | None]]:
    rows = store.presence.of([m.id for m in messages])
    return [(message, rows.get(message.id)) for message in messages]


def present_floors(store: ChatStore, branch_id: str, first: int, last: int) -> list[PresentFloor]:
    """Return who perceives each of these floors of a line."""
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
    """Return the floors whose open text ``actor`` perceives, and those of which that is settled.

    It is settled where a model or the user says who is there, or that ``actor`` knows of it.
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
    """Return what the user says of these messages: of ``actor``, and, for a member, of all."""
    said = store.knowledge.fixes([("turn", message.id) for message, _row in rows])
    own = {fix.ref: fix for fix in said if norm_name(fix.name) in actor.norms}
    of_groups: dict[str, list[KnowledgeFix]] = {}
    for one in said if actor.groups else ():
        of_groups.setdefault(one.ref, []).append(one)
    return own, of_groups


def _is_told(fix: KnowledgeFix, actor: Actor) -> bool:
    return fix.is_known and (actor.at is None or fix.from_floor <= actor.at)


def messages_heard(store: ChatStore, where: ItemFilter, first: int, last: int) -> list[Message]:
    """Return these floors as the actor of ``where`` heard them; without one, as they are."""
    branch_id = where.branches[0][0]
    if where.actor is None:
        return store.messages.slice(branch_id, first, last)
    return heard(store, branch_id, where.asker, first, last)


def heard(store: ChatStore, branch_id: str, actor: Actor, first: int, last: int) -> list[Message]:
    """Return what ``actor`` perceives of these floors of a line."""
    return _heard(store, actor, present(store, branch_id, first, last))


def messages_heard_at(store: ChatStore, where: ItemFilter, floors: Sequence[int]) -> list[Message]:
    """Return some floors, in ascending order, as the actor of ``where`` heard them."""
    messages = store.messages.at(where.branches[0][0], floors)
    if where.actor is None:
        return messages
    return _heard(store, where.asker, _with_audience(store, messages))


def floors_heard(store: ChatStore, where: ItemFilter, floors: Sequence[int]) -> frozenset[int]:
    """Return those of some floors of which the actor of ``where`` heard anything."""
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
    """Whether the user says that a group knows it by when ``actor`` is or was of that."""
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
