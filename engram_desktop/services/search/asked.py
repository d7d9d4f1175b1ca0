"""From what was typed to what the index of a chat is asked, and whether a text holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.search.matching import expression, folded, holds_folded, is_settled
from engram_desktop.domain.search.query import Clause, State
from engram_desktop.storage.chat.recall.found import Called, ItemClause

_NAMES = 50  # names of one entity filter that texts are searched for: bounds the SQL

Naming = Callable[[str], tuple[tuple[str, ...], tuple[str, ...]]]


def item_clause(clause: Clause, naming: Naming | None) -> ItemClause:
    """Return what the index is asked. ``naming`` gives ids and names of entities so called.

    Without it an entity is looked for under the name that was typed alone: whoever looks may not
    know who else goes by it.
    """
    asked = [(word, expression(word)) for word in clause.words]
    wanted, unwanted = states(clause)
    return ItemClause(
        tuple(text for _word, text in asked if text),
        tuple(expression(word) for word in clause.without if is_settled(word)),
        tuple(word.text for word, text in asked if not text),
        wanted,
        unwanted,
        tuple(
            _called(value, naming, is_excluded=chosen.is_excluded)
            for chosen in clause.of("entity")
            for value in chosen.values
        ),
    )


def states(clause: Clause) -> tuple[frozenset[State], frozenset[State]]:
    """Return the states a hit must have, and those it must not."""
    chosen = clause.of("is")
    wanted = {value for f in chosen if not f.is_excluded for value in f.values}
    unwanted = {value for f in chosen if f.is_excluded for value in f.values}
    return cast("frozenset[State]", frozenset(wanted)), cast(
        "frozenset[State]", frozenset(unwanted)
    )


def has_states(clause: Clause, own: Iterable[State]) -> bool:
    wanted, unwanted = states(clause)
    return wanted <= frozenset(own) and unwanted.isdisjoint(own)


def is_of_chat(clause: Clause, name: str) -> bool:
    """Whether a clause asks for what lies in a chat of this name."""
    chosen = clause.of("chat")
    side = folded(name).text
    among = [f for f in chosen if not f.is_excluded]
    excluded = [f for f in chosen if f.is_excluded]

    def named(values: Iterable[str]) -> bool:
        return any(folded(value).text in side for value in values)

    return (not among or any(named(f.values) for f in among)) and not any(
        named(f.values) for f in excluded
    )


def tells_of(clause: Clause, texts: Sequence[str]) -> bool:
    """Whether one of ``texts`` names each entity that is asked for, and none that is not."""
    sides = [folded(text).text for text in texts]
    return all(
        any(folded(value).text in side for value in chosen.values for side in sides)
        is not chosen.is_excluded
        for chosen in clause.of("entity")
    )


def is_settled_by_index(clauses: Sequence[Clause]) -> bool:
    """Whether what the index finds need not be read to know that it is what was asked for."""
    return all(
        is_settled(word) or (is_asked and not expression(word))
        for clause in clauses
        for words, is_asked in ((clause.words, True), (clause.without, False))
        for word in words
    )


def holds_any(clauses: Sequence[Clause], text: str) -> bool:
    sides = (folded(text),)
    return any(holds_folded(clause, sides) for clause in clauses)


def _called(value: str, naming: Naming | None, *, is_excluded: bool) -> Called:
    if naming is None:
        return Called((value,), (), is_excluded)
    ids, names = naming(norm_name(value))
    told = [name for name in names if len(name) > 1]  # 他 is a name that everything holds
    return Called(tuple(dict.fromkeys([value, *told[:_NAMES]])), ids, is_excluded)
