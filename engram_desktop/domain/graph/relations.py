"""Relations between entities: their predicates, which ends another, and paths between entities."""

from __future__ import annotations

import unicodedata
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal

from engram_desktop.domain.graph.entity import EntityType, Relation
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Which facts can have only one value at a time, recognised by the words of a predicate. A short
# list of plain words: a predicate that is not listed never ends another fact.


Facet = Literal["presence", "residence", "status", "health", "mood", "occupation", "stage"]


def _words(**lists: str) -> dict[str, str]:
    return {word.strip(): name for name, text in lists.items() for word in text.split("|")}


_PLACE = _words(
    there="位于|在|身处|身在|所在|所在地|所在地点|当前位置|停留在|留在|待在|来到|到达|抵达|到|去"
    "|进入|走进|回到|返回|被关在|被困在|藏在|藏于|存放在|存放于|放在|放置于"
    "|located in|located at|located|in|at|inside|stays in|stays at|arrives at|arrives in"
    "|arrived at|arrived in|goes to|went to|comes to|came to|enters|entered|returns to"
    "|returned to|hidden in|kept in|stored in|held in|imprisoned in|current location",
    gone="离开|离去|走出|leaves|left|departs from|departed from|departed",
)
_SINGLE: dict[str, Facet] = {
    **dict.fromkeys(
        """住在 居住在 居住于 居住 住 定居 定居于 搬到 搬进 搬入 住址 居所""".split(), "residence"
    ),
    **dict.fromkeys(
        ("lives in", "lives at", "resides in", "resides at", "moves to", "moved to", "lived in"),
        "residence",
    ),
    **dict.fromkeys("状态 当前状态 处于 陷入 status state condition".split(), "status"),
    **dict.fromkeys("健康 健康状况 身体状况 伤势 health".split(), "health"),
    **dict.fromkeys("心情 情绪 mood".split(), "mood"),
    **dict.fromkeys("职业 现职 occupation profession".split(), "occupation"),
}
_STAGES = _words(
    stranger="陌生人|素不相识|stranger|strangers",
    acquaintance="认识|相识|熟人|结识|初识|acquaintance|acquaintances|knows|met|acquainted",
    friend="朋友|好友|挚友|密友|好朋友|友人|闺蜜|friend|friends|best friend|best friends"
    "|close friend|close friends|befriends|befriended",
    dating="暧昧|约会|dating|seeing",
    lover="恋人|情侣|情人|爱人|男友|女友|男朋友|女朋友|男女朋友|交往|相恋|恋爱|lover|lovers|couple|boyfriend"
    "|girlfriend|partners in love|in love",
    engaged="订婚|未婚夫|未婚妻|未婚夫妻|engaged|fiancé|fiancée|fiance|fiancee|betrothed",
    spouse="夫妻|夫妇|丈夫|妻子|老公|老婆|配偶|结婚|成婚|伴侣|married|marries|husband|wife|spouse|spouses",
    former="前任|前夫|前妻|前男友|前女友|分手|离婚|divorced|former lover|former lovers|separated"
    "|ex-husband|ex-wife|ex-boyfriend|ex-girlfriend|broke up|breaks up",
    enemy="敌人|仇人|死敌|宿敌|仇敌|敌对|为敌|反目|决裂|反目成仇|enemy|enemies|nemesis|foe|foes",
    ally="盟友|同盟|结盟|ally|allies|allied",
)
# Predicates that only say that two entities were mentioned together: useless in a prompt.
_EMPTY = frozenset(
    """对话 交谈 聊天 说话 谈话 交流 互动 提到 提及 相关 有关 关联
    talks_with talks_to speaks_with speaks_to chats_with converses_with mentions related_to
    interacts_with associated_with""".split()
)
# Predicates of a moment: the subject may have moved on since, without any text saying so.
_OF_A_MOMENT = frozenset("去 去了 去往 前往 来到 到 goes_to went_to arrives_at arrived_at".split())


def says_nothing(predicate: str) -> bool:
    """Return whether a predicate only says that two entities were mentioned together."""
    return _as_one_word(predicate) in _EMPTY


def predicate_alone(predicate: str) -> str:
    """Return a predicate for a place where no name stands right before it: 的父亲是 → 父亲是."""
    return predicate.removeprefix("的") or predicate


def is_of_a_moment(predicate: str) -> bool:
    """Return whether a predicate describes a single act rather than a lasting fact."""
    return _as_one_word(predicate) in _OF_A_MOMENT


def _as_one_word(predicate: str) -> str:
    return "_".join(predicate.casefold().split())


_LEAD_ZH = late_pattern(
    r"^(?:如今|现在|目前|已经|已|正式|正|重新|再次|又)*"
    r"(?:成为了?|变成了?|变为|结为|结成|确立为?|确立了|发展为|升级为|沦为|是|为)?(?:彼此的?|对方的?)?"
)
_TAIL_ZH = late_pattern(r"(?:了|过|着|中|的)?(?:关系|身份)?$")
_LEAD_EN = late_pattern(
    r"^(?:(?:is|are|was|were|be|been|being|has|have|had|now|currently|still|again|becomes?|became"
    r"|turns? into|turned into|gets?|got|the|a|an|his|her|their) )+"
)
_TAIL_EN = late_pattern(r"(?: (?:of|with|to|from))+$")
_IS_ASCII_WORD = late_pattern(r"[a-z]")


def facet(predicate: str) -> tuple[Facet, str] | None:
    """Return what a predicate describes, and the value it contains itself.

    The value is the stage of a pair, or ``there`` or ``gone``; it is empty if the object of the
    relation is the value. None: the predicate ends no fact.
    """
    for word in _forms(predicate):
        if word in _PLACE:
            return "presence", _PLACE[word]
        if word in _SINGLE:
            return _SINGLE[word], ""
        if word in _STAGES:
            return "stage", _STAGES[word]
    return None


def _forms(predicate: str) -> Iterable[str]:
    """Yield the predicate as it is, then without wrapping words: 成为了恋人, is married to."""
    word = " ".join(unicodedata.normalize("NFKC", predicate).casefold().split())
    yield word
    if _IS_ASCII_WORD.search(word):
        bare = _LEAD_EN.sub("", word)
        yield bare
        yield _TAIL_EN.sub("", bare)
    else:
        bare = _LEAD_ZH.sub("", word)
        yield _TAIL_ZH.sub("", word)
        yield bare
        yield _TAIL_ZH.sub("", bare)


STILL_TRUE = -1  # as the floor of an end: the user says that it has not ended


@dataclass(frozen=True, slots=True, order=True)
class Telling:
    """One event that supports a relation; the order is the story's."""

    first: int
    last: int
    made_at: int = 0
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class DatedRelation:
    """A relation, the types of its ends, and the events that support it.

    ``ended_at`` is the floor at which the user says it ended, or `STILL_TRUE`.
    """

    id: str
    src: str
    predicate: str
    dst: str
    src_type: EntityType = "unknown"
    dst_type: EntityType = "unknown"
    tellings: tuple[Telling, ...] = ()
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Validity:
    """Floors ``first`` up to ``last``, not included; None is the beginning, or now.

    ``ended_by`` is the relation that replaced it.
    """

    first: int | None
    last: int | None = None
    ended_by: str | None = None


def spans(
    relations: Iterable[DatedRelation], at: int | None = None
) -> dict[str, tuple[Validity, ...]]:
    """Return by id when each relation held, by the events up to floor ``at``.

    A later event on a single-valued fact ends the earlier ones. This is computed at each read and
    never stored, so that edits, undo, branches and deleted evidence are right by themselves. The
    rule is narrow: only the same facet of the same subject (or pair), never within one event, never
    a place and the place it lies in. A relation without an event by then is left out; one without
    any events holds always.
    """
    known = [relation for relation in relations if _is_known(relation, at)]
    around = _Places(known)
    groups: dict[Hashable, list[tuple[DatedRelation, Hashable]]] = defaultdict(list)
    for relation in known:
        key, value = _subject_and_value(relation)
        groups[key].append((relation, value))
    by_id: dict[str, tuple[Validity, ...]] = {}
    for members in groups.values():
        by_id |= _Group(members, around, at).spans()
    return by_id


def _is_known(relation: DatedRelation, at: int | None) -> bool:
    return not relation.tellings or any(_is_told(t, at) for t in relation.tellings)


def _is_told(telling: Telling, at: int | None) -> bool:
    return at is None or telling.last <= at


def _subject_and_value(relation: DatedRelation) -> tuple[Hashable, Hashable]:
    """Return the subject of a relation (the key of its group), and its value.

    Two relations contradict each other only if their keys are equal and their values differ.
    """
    alone = (relation.id, None)
    meaning = facet(relation.predicate)
    if meaning is None:
        return alone
    kind, value = meaning
    if kind == "stage":
        ends = {relation.src_type, relation.dst_type}
        pair = frozenset((relation.src, relation.dst))
        return ((kind, pair), value) if ends <= {"char", "unknown"} else alone
    if kind == "presence" and (
        relation.src_type == "loc" or (relation.src_type == relation.dst_type == "char")
    ):
        return alone  # a house does not move; and being with somebody is not a place
    return (kind, relation.src), (value, relation.dst)


class _Places:
    """Which places lie within which, according to the relations."""

    def __init__(self, relations: Sequence[DatedRelation]) -> None:
        self._within: dict[str, set[str]] = defaultdict(set)
        self._around_known: dict[str, set[str]] = {}
        for relation in relations:
            meaning = facet(relation.predicate)
            if relation.src_type == "loc" and meaning is not None and meaning[0] == "presence":
                self._within[relation.src].add(relation.dst)

    def are_nested(self, one: str, other: str) -> bool:
        return other in self._around(one) or one in self._around(other)

    def _around(self, place: str) -> set[str]:
        places = self._around_known.get(place)
        if places is None:
            places = self._around_known[place] = set()
            work = [place]
            while work:
                new = self._within.get(work.pop(), set()) - places
                places |= new
                work += new
        return places


@dataclass(slots=True)
class _Open:
    """A relation that holds at the point of the story reached."""

    first: int | None
    relation: DatedRelation
    value: Hashable


@dataclass(slots=True)
class _Group:
    """Relations of which only one value can be true at a time."""

    members: Sequence[tuple[DatedRelation, Hashable]]
    around: _Places
    at: int | None
    _open: dict[str, _Open] = field(default_factory=dict)
    _closed: dict[str, list[Validity]] = field(default_factory=lambda: defaultdict(list))

    def spans(self) -> Mapping[str, tuple[Validity, ...]]:
        if len(self.members) == 1 and self.members[0][0].ended_at is None:
            return self._uncontested(self.members[0][0])
        batches: dict[Telling, list[tuple[DatedRelation, Hashable]]] = defaultdict(list)
        ends: list[tuple[int, DatedRelation]] = []
        for relation, value in self.members:
            if not relation.tellings:
                self._open[relation.id] = _Open(None, relation, value)
            for telling in relation.tellings:
                if _is_told(telling, self.at):
                    batches[telling].append((relation, value))
            end = relation.ended_at
            if end is not None and end != STILL_TRUE and (self.at is None or end <= self.at):
                ends.append((end, relation))
        ends.sort(key=lambda e: (e[0], e[1].id), reverse=True)
        for telling in sorted(batches):
            while ends and ends[-1][0] < telling.first:
                self._end(*ends.pop())
            self._take_in(telling.first, batches[telling])
        while ends:
            self._end(*ends.pop())
        ids = {*self._open, *self._closed}
        return {i: (*self._closed.get(i, ()), *self._open_span(i)) for i in ids}

    def _uncontested(self, relation: DatedRelation) -> Mapping[str, tuple[Validity, ...]]:
        """Return the span of a relation that nothing contradicts, from its first event on.

        Most relations are of this kind.
        """
        at = self.at  # not `_is_told`: a hero's friend may have 10,000 events
        floors = [t.first for t in relation.tellings if at is None or t.last <= at]
        return {relation.id: (Validity(min(floors, default=None)),)}

    def _open_span(self, relation_id: str) -> tuple[Validity, ...]:
        current = self._open.get(relation_id)
        return () if current is None else (Validity(current.first),)

    def _take_in(self, floor: int, batch: Sequence[tuple[DatedRelation, Hashable]]) -> None:
        """Apply one event: it ends relations with other values, and begins its own."""
        values = {value for _relation, value in batch}
        for current in list(self._open.values()):
            if current.value in values or current.relation.ended_at == STILL_TRUE:
                continue
            if any(self._agree(current.relation, new) for new, _value in batch):
                continue
            rivals = (new.id for new, _value in batch if _contradicts(new, current.relation))
            ended_by = next(rivals, None)
            if ended_by is not None:
                self._close(current, floor, ended_by)
        for relation, value in batch:
            self._open.setdefault(relation.id, _Open(floor, relation, value))

    def _agree(self, old: DatedRelation, new: DatedRelation) -> bool:
        """Return whether one of the two places lies within the other."""
        kinds = {facet(old.predicate), facet(new.predicate)}
        return kinds <= {("presence", "there"), ("residence", "")} and self.around.are_nested(
            old.dst, new.dst
        )

    def _end(self, floor: int, relation: DatedRelation) -> None:
        current = self._open.get(relation.id)
        if current is not None and (current.first is None or current.first <= floor):
            self._close(current, floor, None)

    def _close(self, current: _Open, floor: int, ended_by: str | None) -> None:
        del self._open[current.relation.id]
        self._closed[current.relation.id].append(Validity(current.first, floor, ended_by))


def _contradicts(new: DatedRelation, old: DatedRelation) -> bool:
    """Return whether the new relation excludes the old; ``gone`` excludes only the same place."""
    return facet(new.predicate) != ("presence", "gone") or new.dst == old.dst


# The shortest path between two entities over their relations.


def shortest(relations: Iterable[Relation], start: str, goal: str) -> list[Relation] | None:
    """Return the fewest relations from start to goal, in either direction; None without a path."""
    around: dict[str, list[tuple[str, Relation]]] = defaultdict(list)
    for relation in relations:
        around[relation.src].append((relation.dst, relation))
        around[relation.dst].append((relation.src, relation))
    came: dict[str, tuple[str, Relation] | None] = {start: None}
    waiting = deque([start])
    while waiting and goal not in came:
        here = waiting.popleft()
        for there, relation in around[here]:
            if there not in came:
                came[there] = (here, relation)
                waiting.append(there)
    if goal not in came:
        return None
    way: list[Relation] = []
    step = came[goal]
    while step is not None:
        here, relation = step
        way.append(relation)
        step = came[here]
    return way[::-1]
