"""The one rule of access, in SQL: which memory items an actor may know.

Every road out of a chat asks it before anything is ranked, counted or shown. It is the rule
`domain.memory.scope.can_access` over rows: the audience of an item holds what scope, witnesses and
presence come to; what the user says of who knows what comes before it; a conditional memory needs
its condition too. What is due to be derived anew is known to nobody until it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.memory.scope import Actor

EVERYBODY = "*"  # the member of the audience of what is public

# An item under the kind and id by which users and events speak of it.
KIND = "iif({i}.kind = 'heard', 'turn', {i}.kind)"
REF = "iif({i}.kind = 'heard', substr({i}.ref, 1, instr({i}.ref, '#') - 1), {i}.ref)"


def may_know(actor: Actor, item: str = "i") -> tuple[str, list[Any]]:
    """Return the condition that a row of `memory_item` called ``item`` meets, and its values."""
    kind, ref = KIND.format(i=item), REF.format(i=item)
    norms = json.dumps(sorted(actor.norms))
    names = "(SELECT value FROM json_each(?))"
    at = 1 << 60 if actor.at is None else actor.at
    fix = f"SELECT 1 FROM knowledge_fix f WHERE f.kind = {kind} AND f.ref = {ref} AND f.norm IN"
    has_audience = (
        f"{item}.id IN (SELECT a.item_id FROM item_audience a WHERE a.audience IN (SELECT"
        f" m.audience_id FROM audience_member m WHERE m.norm = '{EVERYBODY}' OR m.norm IN {names}))"
    )
    is_settled = (
        f"NOT EXISTS (SELECT 1 FROM knowledge_due d WHERE d.kind = {kind} AND d.ref = {ref})"
    )
    is_undisputed = f"NOT EXISTS ({fix} {names})"
    is_said = f"EXISTS ({fix} {names} AND f.is_known = 1 AND f.from_floor <= ?)"
    is_denied = f"EXISTS ({fix} {names} AND f.is_known = 0)"
    # of whom the user says that a message is known has all of it, and not what it heard of it too
    condition = (
        f"(({has_audience} AND {is_settled} AND {is_undisputed})"
        f" OR ({item}.kind <> 'heard' AND {is_said} AND NOT {is_denied}))"
        f" AND ({item}.scope <> 'conditional' OR {item}.ref IN {names})"
    )
    values: list[Any] = [norms, norms, norms, at, norms, json.dumps(sorted(actor.fulfilled))]
    return f"({condition})", values


def all_may_know(actors: Sequence[Actor], item: str = "i") -> tuple[str, list[Any]]:
    """Return the condition that all of ``actors`` may know an item; without any it always holds."""
    conditions = [may_know(actor, item) for actor in actors]
    values = [value for _condition, more in conditions for value in more]
    return " AND ".join(condition for condition, _more in conditions) or "1", values


def is_known_by(actors: Sequence[Actor], kind: str, table: str) -> tuple[str, list[Any]]:
    """Return the same condition for a row of ``table`` that has an item of this kind."""
    condition, values = all_may_know(actors, "known")
    return (
        f"EXISTS (SELECT 1 FROM memory_item known WHERE known.kind = '{kind}'"
        f" AND known.ref = {table}.id AND {condition})",
        values,
    )
