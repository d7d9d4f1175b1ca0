"""What a prompt says besides recalled memories: facts of the graph, and findings.

Only what the asker may know at that floor of that branch: facts pass the same filter as recall.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.claims.marks import PromptMarks, day_come, days_pass, due
from engram_desktop.domain.graph.entity import EntityNode, Relation, is_entity_name, norm_name
from engram_desktop.domain.graph.relations import is_of_a_moment, says_nothing
from engram_desktop.domain.inject import Facts, KnownRelation
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import InjectedLine, Injection, ItemFilter, RecallHit
from engram_desktop.domain.recall.relevance import asks_for_bond, asks_for_past, named_entities
from engram_desktop.domain.text.cleaning import story
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.prompt_lines import OF_VOLUMES, PromptLine, in_a_line
from engram_desktop.services.knowledge.heard import floors_heard, messages_heard, present_floors
from engram_desktop.storage.chat.chat_store import ChatStore, KnownGraph

if TYPE_CHECKING:
    from engram_desktop.domain.claims.marks import Tongue
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.line_claims import LineClaims
    from engram_desktop.storage.chat.chat_store import ChatStore

_ENDS_READ = 24  # entities whose relations are read
_PAST_READ = 4  # entities whose past relations are read, if the question asks for the past
PAIR_TOLD = 3  # relations written between the same two
_NAMED = 2.0  # weight of an entity the question names; one of a recalled event weighs 1/rank
_SCENE = 6  # last floors whose speakers are present
# Ways of perceiving that mean presence; overhearing or reading a message does not.
_SEEN = frozenset(("there", "spoke", "addressed"))
_HITS_READ = 24  # best events and entities read: links of others are seldom related


def present_facts(store: ChatStore, where: ItemFilter, now: int) -> Facts:
    """Return the speakers of the last floors up to ``now``, and the relations between them.

    They are sorted by name.
    """
    aliases = store.entities.aliases()
    speakers = {norm_name(m.name) for m in messages_heard(store, where, now - _SCENE + 1, now)}
    present = {aliases[name]: 1.0 for name in sorted(speakers) if name in aliases}
    return _facts(store, where, _Cues("", frozenset(), frozenset(), present))


def present_names(store: ChatStore, where: ItemFilter, now: int) -> tuple[str, ...]:
    """Return the names of those present on floor ``now``, sorted.

    For the curator: those present on the newest of the last floors whose presence is known, and
    those who spoke after it; else all speakers of these floors. For an actor: only speakers the
    actor heard. Role words (User) are left out.
    """
    first = max(0, now - _SCENE + 1)
    spoken = [m for m in messages_heard(store, where, first, now) if m.role != "system"]
    names: list[str] = []
    if where.actor is None:
        for floor in reversed(present_floors(store, where.branches[0][0], first, now)):
            if floor.audience and floor.is_known:
                names = [p.name for p in floor.audience if p.how in _SEEN]
                spoken = [m for m in spoken if m.seq > floor.floor]
                break
    by_norm = {norm_name(name): name for name in (*(m.name for m in spoken), *names)}
    return tuple(by_norm[norm] for norm in sorted(by_norm) if is_entity_name(by_norm[norm]))


def is_telling(entity: EntityNode) -> bool:
    """Return whether an entity line says more than its name, which alone tells a prompt nothing."""
    return bool(entity.description or entity.aliases)


def known_facts(
    store: ChatStore, where: ItemFilter, question: str, hits: Sequence[RecallHit]
) -> Facts:
    """Return the entities that were found or that the question names, and their relations."""
    weights: dict[str, float] = defaultdict(float)
    for entity_id in named_entities(question, store.entities.aliases()):
        weights[entity_id] += _NAMED
    linked = (hit for hit in hits if hit.item.kind in {"event", "entity"})
    hits = sorted(linked, key=lambda hit: -hit.score)[:_HITS_READ]
    recalled = frozenset(h.item.ref for h in hits if h.item.kind == "event")
    of_events = store.items.entities_of(sorted(recalled))
    for rank, hit in enumerate(hits, start=1):
        entity_ids = of_events.get(hit.item.ref, ()) if hit.item.kind == "event" else ()
        for entity_id in (hit.item.ref,) if hit.item.kind == "entity" else entity_ids:
            weights[entity_id] += 1 / rank
    words = frozenset(query_tokens(question))
    return _facts(store, where, _Cues(question, words, recalled, weights))


def _facts(store: ChatStore, where: ItemFilter, cues: _Cues) -> Facts:
    graph = graph_of(store, where)
    candidates = list(cues.weights)
    if where.actor is None:  # known by then, from trusted memories
        candidates = list(store.items.known_entities(candidates, where))
    ranked = sorted(candidates, key=lambda i: (-cues.weights[i], i))
    entities = graph.entities(ranked, is_counted=False)
    telling = tuple(entity for entity in entities if is_telling(entity))
    return Facts(telling, tuple(_relations(store, where, graph, cues, entities)))


def graph_of(store: ChatStore, where: ItemFilter) -> KnownGraph:
    """Return the graph as the asker knows it; the curator sees all of it."""
    asker = () if where.actor is None else (where.asker,)
    return store.known_graph(where.branches[0][0], asker, where.at)


@dataclass(frozen=True, slots=True)
class _Cues:
    """What relations are chosen by: question, its words, recalled events, weights of entities."""

    question: str
    tokens: frozenset[str]
    recalled: frozenset[str]
    weights: Mapping[str, float]


def _relations(
    store: ChatStore,
    where: ItemFilter,
    graph: KnownGraph,
    cues: _Cues,
    entities: Sequence[EntityNode],
) -> list[KnownRelation]:
    """Return relations of ``entities``, those closest to the question and newest first.

    Ended relations are included if the question asks for the past. Each relation is returned once,
    and at most PAIR_TOLD between the same two entities.
    """
    edges = graph.current(e.id for e in entities[:_ENDS_READ])
    if asks_for_past(cues.question):
        current_ids = {edge.id for edge in edges}
        of_all = graph.relations(e.id for e in entities[:_PAST_READ])
        edges += [r for r in of_all if not r.is_current and r.id not in current_ids]
    edges = [e for e in {e.id: e for e in edges}.values() if not says_nothing(e.predicate)]
    degree = Counter(end for edge in edges for end in (edge.src, edge.dst))
    floors_by_edge = _last_floors(store, where, edges)
    names = {e.id: e.name for e in entities}
    others = {i for r in edges for i in (r.src, r.dst)}.difference(names)
    names |= {e.id: e.name for e in graph.entities(sorted(others), is_counted=False)}
    weighed = []
    for edge in edges:
        floors = floors_by_edge.get(edge.id)
        weight = _nearness(edge, cues, degree)
        if not weight or edge.src not in names or edge.dst not in names:
            continue
        if floors or not edge.event_ids:
            until = None if edge.is_current else edge.valid_to
            ends = (names[edge.src], edge.predicate, names[edge.dst])
            asked = not edge.event_ids or _is_asked(ends, cues)
            if asked or not is_of_a_moment(edge.predicate) or _names_both(ends, cues):
                weighed.append((weight, KnownRelation(*ends, floors, until, asked)))
    weighed.sort(
        key=lambda pair: (-pair[0], pair[1].floors is None, -(pair[1].floors or (0, 0))[1])
    )
    return _each_once(relation for _weight, relation in weighed)


def _nearness(edge: Relation, cues: _Cues, degree: Mapping[str, int]) -> float:
    """Return how close a relation is to the question; 0 if it is unrelated.

    An end counts for its weight, divided by the logarithm of its number of relations: a relation to
    the hero, whom everybody is linked to, says little. A relation also counts if a recalled event
    holds it, or if it shares words with the question. One that only has a named end is unrelated.
    """
    ends = sum(
        cues.weights.get(end, 0.0) / math.log2(1 + degree[end]) for end in (edge.src, edge.dst)
    )
    shared_words = cues.tokens.intersection(index_tokens(edge.predicate))
    is_recalled = bool(cues.recalled.intersection(edge.event_ids))
    both = edge.src in cues.weights and edge.dst in cues.weights
    if not (shared_words or is_recalled or both):
        return 0.0
    return ends + 2.0 * len(shared_words) + is_recalled + both


def _is_asked(ends: tuple[str, str, str], cues: _Cues) -> bool:
    """Return whether a relation holds words of the question other than its ends' whole names."""
    src, predicate, dst = (frozenset(query_tokens(part)) for part in ends)
    named = frozenset[str]().union(*(end for end in (src, dst) if end <= cues.tokens))
    return bool((src | predicate | dst) & cues.tokens - named) or asks_for_bond(cues.question)


def _names_both(ends: tuple[str, str, str], cues: _Cues) -> bool:
    """Return whether the question holds the whole names of both ends."""
    return all(cues.tokens.issuperset(query_tokens(name)) for name in (ends[0], ends[2]))


def _each_once(relations: Iterable[KnownRelation]) -> list[KnownRelation]:
    pairs: Counter[frozenset[str]] = Counter()
    stated: set[tuple[frozenset[str], str]] = set()
    chosen = []
    for relation in relations:
        pair = frozenset((relation.src, relation.dst))
        if (pair, relation.predicate) not in stated and pairs[pair] < PAIR_TOLD:
            stated.add((pair, relation.predicate))
            pairs[pair] += 1
            chosen.append(relation)
    return chosen


def _last_floors(
    store: ChatStore, where: ItemFilter, edges: Sequence[Relation]
) -> dict[str, tuple[int, int]]:
    """Return, by edge, the last floor of events that state it and that the asker may use."""
    known = store.items.known_event_ids(where)
    unusable = store.items.stale() | {item.ref for item in store.items.muted()}
    floors = {}
    for edge in edges:
        told = zip(edge.event_ids, edge.floors, strict=True)
        usable = (floor for i, floor in told if i in known and i not in unusable)
        last = max(usable, default=None)
        if last is not None:
            floors[edge.id] = last
    return floors


# Add findings to a prompt: marks on lines that are over or untrue, and promises that are due. A
# line is marked as a lie or a mistake for the curator and for characters that know so, not for
# the deceived.

READ_NOW = 64  # messages read before a prompt: as many as come in between two summaries
# A word on more floors than this identifies no promise: names, “know”, “help”, 一起. Set by hand.
_EVERYDAY_LEAST, _EVERYDAY_SHARE = 6, 25
_ITS_DAY = 12  # floors for which a promise is recalled after its day has come: about a scene
_RECENT = 2  # last floors that may mention what a promise waits for


class ClaimMarks:
    """Marks for the prompts of one asker."""

    def __init__(
        self, store: ChatStore, where: ItemFilter, findings: Sequence[Finding], line: LineClaims
    ) -> None:
        self._store = store
        self._where = where
        self._line = line
        self._findings = findings
        self._marked: dict[tuple[str, int, int], str] = {}
        self._by_language: dict[Tongue, PromptMarks] = {}

    def marked(self, lines: Sequence[PromptLine], language: Tongue, now: int) -> list[PromptLine]:
        """Return the lines, with marks on what is over or untrue at floor ``now``."""
        marks = self._by_language.get(language)
        if marks is None:
            known = [f for f in self._findings if self._is_known(f, now)]
            marks = self._by_language[language] = PromptMarks(known, language)
        if not marks:
            return list(lines)
        told = []
        for line in lines:
            if line.part in OF_VOLUMES:  # findings are about this chat only
                told.append(line)
                continue
            first, last = line.order[:2] if line.part not in _UNDATED else (0, now)
            key = (line.text, first, last)
            text = self._marked.get(key)
            if text is None:  # the same lines are composed again in each filling pass
                text = self._marked[key] = marks.marked(line.text, first, last)
            told.append(line if text == line.text else replace(line, text=text))
        return told

    def due(self, said: str, language: Tongue, now: int, room: int) -> str:
        """Return one line with the promises that ``said`` or the last floors bring up; "" for none.

        Promises of the last floors themselves are left out: they are still in the prompt.
        """
        last = self._store.messages.texts_at(
            self._where.branches[0][0], list(range(max(0, now - _RECENT + 1), now + 1))
        )
        known = [
            f
            for f in self._findings
            if f.kind == "promise" and f.floors[0] <= now - _RECENT and self._is_known(f, now)
        ]
        spoken = "\n".join(map(story, [said, *last]))
        most = max(_EVERYDAY_LEAST, now // _EVERYDAY_SHARE)

        @cache
        def is_everyday(word: str) -> bool:
            return len(list(self._line.with_words(0, now, {word}))) > most

        come: list[str] = []
        if days_pass(self._line, now - _ITS_DAY + 1, now):  # otherwise no day can have come
            come = [f.id for f in known if f.status == "open" and self._is_day_of(f, now)]
        return in_a_line(due(known, spoken, language, room, is_everyday, come))

    def _is_day_of(self, promise: Finding, now: int) -> bool:
        """Return whether the day a promise waits for came within the last `_ITS_DAY` floors."""
        by = day_come(promise, self._line, now)
        return by is not None and now - by.floor < _ITS_DAY

    def _is_known(self, finding: Finding, now: int) -> bool:
        """Return whether the asker knows a finding at floor ``now``.

        Its last floor must lie in the past, and the asker must have heard that floor. A lie not
        revealed yet is known to the curator and to the liar; a mistake, to those it names as
        knowing it.
        """
        if finding.kind == "promise":
            is_told = finding.floors[0] <= now
            if finding.known_to and self._where.actor is not None:  # a silent vow
                return is_told and self._knows(finding)
            return is_told and self._hears(finding, finding.floors[0])
        is_later = finding.floors[-1] > now
        if finding.kind == "lie" and (is_later or finding.status == "told"):
            is_told = finding.floors[0] <= now
            return is_told and (self._where.actor is None or self._is_of(finding))
        if is_later:
            return False
        if (
            finding.kind == "mistaken"
            and finding.status == "held"
            and self._where.actor is not None
        ):
            return self._knows(finding)  # what only the narration says is known to no character
        return self._hears(finding, finding.floors[-1])

    def _knows(self, finding: Finding) -> bool:
        norms = self._where.asker.norms
        return any(norm_name(name) in norms for name in finding.known_to)

    def _is_of(self, finding: Finding) -> bool:
        norms = self._where.asker.norms
        return any(norm_name(name) in norms for name in finding.who)

    def _hears(self, finding: Finding, floor: int) -> bool:
        if self._where.actor is None or self._is_of(finding):
            return True
        norms = self._where.asker.norms
        people = self._line.there[floor] if floor < len(self._line.there) else ()
        return any(norm_name(p) in norms for p in people) or floor in self._floors_heard

    @cached_property
    def _floors_heard(self) -> frozenset[int]:
        """Return the floors of findings that the asker heard anything of, in one query."""
        floors = {floor for f in self._findings for floor in (f.floors[0], f.floors[-1])}
        return floors_heard(self._store, self._where, sorted(floors))


_UNDATED = frozenset(("entities", "relations", "present"))


def marks_for(
    ctx: JobContext,
    findings: FindingsService | None,
    store: ChatStore,
    line: Line,
    where: ItemFilter,
) -> ClaimMarks | None:
    """Return the marks for a prompt; None if more messages are unread than a prompt waits for."""
    near = findings.near(ctx, line, READ_NOW) if findings is not None else None
    return ClaimMarks(store, where, *near) if near is not None and near[0] else None


def with_due(injection: Injection, line: str) -> Injection:
    """Append the line of due promises to an injection."""
    if not line or not injection.text:
        return injection
    text = f"{injection.text}\n\n{line}"
    sections = {**injection.sections, "promises": line}
    told = InjectedLine("promises", line, estimate_tokens(line))
    return replace(
        injection,
        text=text,
        sections=sections,
        tokens=estimate_tokens(text),
        lines=(*injection.lines, told),
    )
