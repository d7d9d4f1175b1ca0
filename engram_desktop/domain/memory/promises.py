"""Promises in a story (given, kept, broken), recognised by words in the fields of events.

No field of an event marks a promise. Its relations, keywords and logic are searched, in which a
model or a user wrote words of their own; never the prose of its summary. The word list is short:
words that are not in it are no promise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.values import dataclass

Deed = Literal["given", "kept", "broken"]

_GIVEN = re.compile(
    r"承诺|答应|许诺|允诺|应允|诺言|保证|发誓|立誓|起誓|宣誓|誓言|约定|约好|说好|誓约"
    r"|約束|誓い|誓う"
    r"|\b(?:promis(?:e|es|ed)|vow(?:s|ed)?|swear(?:s|ing)?|swore|sworn|oath|pledge[sd]?)\b"
)
_KEPT = re.compile(
    r"兑现|履行|履约|践约|守约|赴约|信守|遵守(?:了)?(?:约定|承诺|诺言|誓言)|实现(?:了)?(?:约定|承诺|诺言)"
    r"|完成(?:了)?(?:约定|承诺)|果たした|守った"
    r"|\b(?:fulfil(?:l|s|ls|led)?"
    r"|honou?r(?:s|ed)? (?:the |his |her |their )?(?:promise|vow|oath|word)"
    r"|(?:keeps?|kept) (?:the |his |her |their |a )?(?:promise|vow|oath|word)|promise kept)\b"
)
_BROKEN = re.compile(
    r"违背|食言|失约|爽约|毁约|背约|背弃(?:了)?(?:约定|承诺|诺言|誓言)|破誓|破った"
    r"|\b(?:br(?:eaks?|oke) (?:the |his |her |their |a )?(?:promise|vow|oath|word)"
    r"|promise broken)\b"
)


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise: its words, its event, and its outcome.

    ``answer`` is the event in which it was kept or broken; None while it is open, or if the user
    marked it as over.
    """

    words: str
    event: EventNode
    outcome: Deed = "given"
    answer: EventNode | None = None


@dataclass(frozen=True, slots=True)
class _Told:
    deed: Deed
    words: str
    people: frozenset[str]
    event: EventNode


def deed_of(words: str) -> Deed | None:
    """Return what a phrase says of a promise; None if it is not about one."""
    text = unicodedata.normalize("NFKC", words).casefold()
    if _KEPT.search(text):
        return "kept"
    if _BROKEN.search(text):
        return "broken"
    return "given" if _GIVEN.search(text) else None


def promises(
    events: Iterable[EventNode], names: Collection[str], over: Collection[str] = ()
) -> list[Promise]:
    """Return the promises of the person with ``names``: open ones first, then newest first.

    ``over`` are ids of events whose promise the user marked as over.
    """
    norms = frozenset(map(norm_name, names))
    told: list[_Told] = []
    for event in sorted(events, key=lambda e: (e.source_range, e.timestamp)):
        if event.level == 0:
            told += _deeds(event, norms)
    answers: dict[int, _Told] = {}
    waiting: list[int] = []
    for number, one in enumerate(told):
        if one.deed == "given":
            waiting.append(number)
            continue
        best = max(waiting, key=lambda n: (len(told[n].people & one.people), n), default=None)
        if best is not None and (told[best].people & one.people or not one.people):
            waiting.remove(best)
            answers[best] = one
    found = []
    for number, one in enumerate(told):
        if one.deed == "given":
            answer = answers.get(number)
            is_over = answer is None and one.event.id in over
            outcome: Deed = "kept" if is_over else answer.deed if answer else "given"
            found.append(Promise(one.words, one.event, outcome, answer.event if answer else None))
    newest = sorted(found, key=lambda p: p.event.source_range, reverse=True)
    return sorted(newest, key=lambda p: p.outcome != "given")


def _deeds(event: EventNode, norms: frozenset[str]) -> Iterator[_Told]:
    """Yield each deed of an event once: from its relations, or else its keywords and logic."""
    seen: set[Deed] = set()
    data = event.raw_data
    for relation in data.relations:
        ends = frozenset((norm_name(relation.subject), norm_name(relation.object)))
        deed = deed_of(relation.predicate)
        if deed is not None and ends & norms and deed not in seen:
            seen.add(deed)
            words = f"{relation.subject} {relation.predicate} {relation.object}"
            yield _Told(deed, words, ends - norms, event)
    people = frozenset(norm_name(e.name) for e in data.entities if e.type == "char") - norms
    for words in (*data.keywords, *event.keywords, *event.structured_kv.logic):
        deed = deed_of(words)
        if deed is not None and deed not in seen:
            seen.add(deed)
            yield _Told(deed, words, people, event)
