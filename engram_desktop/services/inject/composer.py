"""Compose an injection from search results: what is offered, what is chosen, the text, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engram_desktop.domain.claims.marks import Tongue
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.inject import (
    NO_FACTS,
    RESTED,
    STATED_SHARE,
    WEAK,
    Allowance,
    KnownRelation,
    Part,
    PromptSentences,
    defused,
    select,
)
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.recall.query import (
    ANSWERS,
    Dropped,
    Explanation,
    Injection,
    ItemFilter,
    MemoryItem,
    RecallHit,
    RecallQuery,
    RecallResult,
    Triage,
    explain_injection,
)
from engram_desktop.domain.recall.relevance import TINY, states
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject import prompt_contents
from engram_desktop.services.inject.facts import (
    ClaimMarks,
    known_facts,
    present_facts,
    present_names,
    with_due,
)
from engram_desktop.services.inject.prompt_contents import (
    EarlierStory,
    Offer,
    PromptContents,
    Quoting,
)
from engram_desktop.services.inject.prompt_lines import (
    WORDS,
    Calendar,
    PromptLine,
    entity_line,
    event_line,
    frame_cost,
    meaning_line,
    names_line,
    relation_line,
    text_of,
    with_meaning,
)
from engram_desktop.services.knowledge.heard import messages_heard_at
from engram_desktop.services.prompts.macro_scope import summary_events
from engram_desktop.services.prompts.prompts import tongue_of
from engram_desktop.storage.chat.chat_store import ChatStore

_ASKED_FOR = 8  # best hits that repetition never demotes, since the question asks for them
WORLDBOOK_SHARE = 3  # of the budget, worldbooks get at most one part in this many
_OPEN, _CLOSE = "<world_info>", "</world_info>"
_PROMISES_SHARE = 12  # open promises take at most a twelfth of the budget
_SLACK = 8  # tokens: with less room left, no further pass is made
_MOST_UNFITTED = 20  # hits of a kind reported as left out for want of budget
# Order of the parts in the text: recalled events and quotes are sorted by time together.
_WRITTEN: dict[Part, int] = {
    "earlier": 0, "always": 1, "present": 2, "earlier_recalled": 3, "recalled": 4, "snippets": 4,
    "entities": 5, "relations": 6,
}  # fmt: skip
_PASSES = 4  # rounds of filling and measuring; the second is seldom needed


@dataclass(frozen=True, slots=True)
class Need:
    """How much memory a message needs. Without ``triage``: as usual; ``fault`` says why."""

    triage: Triage | None = None
    fault: str = ""

    @property
    def recalls(self) -> bool:
        return self.triage is None or self.triage.level != "ROUTINE"

    @property
    def reads_worldbooks(self) -> bool:
        return self.triage is not None and self.triage.level == "EVENT"


@dataclass(frozen=True, slots=True)
class Material:
    """The input of an injection: the question, what its asker may know, and what was found.

    ``story``: the story so far. ``results``: one search per group of kinds. ``worldbook``: text of
    the worldbooks. ``rested``: ids of the items in the prompts of the last replies. ``missing``:
    parts that could not take part. ``earlier``: what volumes hold.
    """

    query: RecallQuery
    where: ItemFilter
    story: Sequence[EventNode]
    results: tuple[RecallResult, ...]
    need: Need
    worldbook: str = ""
    rested: frozenset[int] = frozenset()
    marks: ClaimMarks | None = None
    missing: tuple[str, ...] = ()
    earlier: tuple[EarlierStory, ...] = ()


def compose(
    store: ChatStore, settings: Settings, material: Material, allowance: Allowance
) -> tuple[Injection, Callable[[], Explanation]]:
    """Return the injection, and a function that explains it, to be called later: it takes 1 ms."""
    results = material.results
    is_related = settings.inject_unrelated or any(r.is_related for r in results)
    output = next((r.output for r in results if r.output), "")
    composer = _Composer(store, settings, material, allowance, is_related=is_related)
    meaning = meaning_line(output, composer.language)
    promises = composer.promises_due() if is_related else ""
    injection = composer.compose(allowance.tokens - estimate_tokens(meaning + promises))
    injection = _with_worldbook(
        with_meaning(with_due(injection, promises), meaning, output),
        material.worldbook,
        material.need,
    )

    def explained() -> Explanation:
        ranks = {hit.item.id: rank for rank, hit in enumerate(injection.hits, start=1)}
        dropped = {} if is_related else _unrelated(results)
        dropped |= dict(injection.dropped)
        answers = [hit for hit in injection.hits if ANSWERS in hit.why]
        every = [one for result in results for one in (result, *result.earlier)]
        why = explain_injection(every, ranks, dropped, injection.text, answers)
        told = tuple(hit.item.id for hit in injection.hits)
        return replace(why, told=told, asker=asker_of(material.where), floor=composer.now)

    missing = dict.fromkeys(part for result in results for part in result.degraded)
    missing |= dict.fromkeys(material.missing)
    return replace(injection, degraded=tuple(missing)), explained


def asker_of(where: ItemFilter) -> str:
    """Return branch and asker in one string, as the log of injections stores them."""
    return f"{where.branches[0][0]} {where.actor or ''}"


def story_for(
    store: ChatStore,
    settings: Settings,
    query: RecallQuery,
    where: ItemFilter,
    allowance: Allowance,
    taken: int = 0,
) -> list[EventNode]:
    """Return the story so far that the asker may know, as much as a prompt has room for.

    ``taken`` tokens of that room are left to volumes.
    """
    most = min(settings.visible_tokens, allowance.story - taken)
    newest = settings.visible_newest
    return store.database.until_written.of(
        (summary_events, where, most, newest),
        lambda: summary_events(
            store,
            query.branch_id,
            most,
            newest,
            until=query.at,
            allowed=store.items.known_events(where),
        ),
    )


def first_entries(worldbook: str, budget: int) -> str:
    """Return the first entries of a worldbook text that fit into its share of the budget."""
    entries: list[str] = []
    room = budget // WORLDBOOK_SHARE - estimate_tokens(f"{_OPEN}\n\n{_CLOSE}")
    for entry in defused(worldbook, "world_info").split("\n\n"):
        room -= estimate_tokens(entry) + 1
        if room < 0:
            break
        entries.append(entry)
    return "\n\n".join(entries).strip()


def cost_of_worldbook(worldbook: str) -> int:
    """Return the tokens that worldbook entries take, with their frame."""
    return estimate_tokens(_block(worldbook)) + 1 if worldbook else 0


def _with_worldbook(injection: Injection, worldbook: str, need: Need) -> Injection:
    """Add a worldbook text and the result of triage to an injection.

    The text goes last, since it changes more often than what stands before it.
    """
    result = replace(injection, triage=need.triage, triage_fault=need.fault)
    if not worldbook:
        return result
    text = "\n\n".join(part for part in (injection.text, _block(worldbook)) if part)
    sections = {**injection.sections, "worldbook": worldbook}
    return replace(result, text=text, sections=sections, tokens=estimate_tokens(text))


def _block(worldbook: str) -> str:
    return f"{_OPEN}\n{worldbook}\n{_CLOSE}"


def _unrelated(results: Sequence[RecallResult]) -> dict[int, Dropped]:
    return {hit.item.id: "unrelated" for result in results for hit in result.hits}


class _Composer:
    """Chooses the contents of one prompt."""

    def __init__(
        self,
        store: ChatStore,
        settings: Settings,
        material: Material,
        allowance: Allowance,
        *,
        is_related: bool,
    ) -> None:
        self._store, self._material, self._allowance = store, material, allowance
        self._where = material.where
        results = material.results if is_related else ()
        self._hits = [hit for result in results for hit in result.hits]
        told = [e.summary for e in material.story[:20]]  # not always the question's
        told = told or [e.summary for one in material.earlier for e in one.story[:20]]
        texts = told or [*(h.item.content for h in self._hits[:10]), material.query.text]
        self.language: Tongue = tongue_of(texts)
        self._words = WORDS[self.language]
        self._calendar = Calendar(store, self._where, allowance.manner, self.language)
        self._present, self._facts = NO_FACTS, NO_FACTS
        self._there: tuple[str, ...] = ()
        now = self._calendar.now
        if material.need.recalls:
            self._there = store.database.until_written.of(
                (present_names, self._where, now), lambda: present_names(store, self._where, now)
            )
        if settings.memory_mode == "graph" and material.need.recalls:
            self._present = store.database.until_written.of(
                (present_facts, self._where, now), lambda: present_facts(store, self._where, now)
            )
            if is_related:
                self._facts = known_facts(store, self._where, material.query.text, self._hits)
        self._quoting = Quoting({}, self._calendar, material.query.text, self._called)
        self._earlier = prompt_contents.of_volumes(material.earlier, self._words)
        self._muted = {item.ref for item in store.items.muted()}
        self._dropped: dict[int, Dropped] = {
            c.item.id: "window" for r in results for c in r.candidates if c.dropped == "window"
        }
        self._on_floor: dict[int, Offer] = {}
        self._may_answer: set[int] = set()  # floors of possible answers, not yet read
        # Answers read and usable, with the ids of their items: only a few of them are quoted.
        self._answers: dict[int, tuple[int, Message]] = {}

    @property
    def now(self) -> int:
        return self._calendar.now

    def compose(self, tokens: int) -> Injection:
        """Fill ``tokens`` with offers, and write the text."""
        now = self._calendar.now_label()
        fixed = self._fixed_lines(tokens)
        page = PromptContents(
            self._calendar,
            PromptSentences(e.summary for e in self._material.story),
            self._quoting,
            self._answer_on,
            is_whole=self.now < TINY,
        )
        frame = frame_cost(self.language, self._allowance, now, has_story=bool(fixed))
        room = tokens - frame
        room -= sum(line.cost for line in fixed)
        left = self._offers()
        least = self._least(left)
        weak: list[Offer] = []
        lines: list[PromptLine] = []
        sections: dict[str, str] = {}
        text = ""
        for _pass in range(_PASSES):
            chosen = select(left, room, page.take, least)
            weak += chosen.weak
            left = chosen.passed
            lines, sections, text = self._written(fixed, page, now)
            while (room := tokens - estimate_tokens(text)) < 0:
                if not self._shorten(fixed, page, -room):
                    lines, sections, text, room = [], {}, "", tokens
                    break
                lines, sections, text = self._written(fixed, page, now)
            if room < _SLACK or not chosen.taken or not left:
                break
        return self._injection(lines if text else [], page.dropped, sections, text, left, weak)

    def _lines(self, fixed: list[PromptLine], page: PromptContents) -> list[PromptLine]:
        lines = [*fixed, *page.lines()]
        if self._material.marks is not None:
            lines = self._material.marks.marked(lines, self.language, self.now)
        return lines

    def _written(
        self, fixed: list[PromptLine], page: PromptContents, now: str
    ) -> tuple[list[PromptLine], dict[str, str], str]:
        lines = self._lines(fixed, page)
        return lines, *text_of(lines, self.language, self._allowance, now)

    def promises_due(self) -> str:
        """Return one line of the open promises that the question brings up; "" for none."""
        marks = self._material.marks
        room = self._allowance.tokens // _PROMISES_SHARE
        said = self._material.query.text
        return marks.due(said, self.language, self.now, room) if marks else ""

    def _shorten(self, fixed: list[PromptLine], page: PromptContents, over: int) -> bool:
        """Remove the offers chosen last, else the oldest story line; False if nothing is left."""
        freed = 0.0
        while freed < over and (offer := page.take_back()) is not None:
            self._note(offer, "budget")
            freed += offer.cost
        if not freed and fixed:
            fixed.pop()
            return True
        return bool(freed)

    def _fixed_lines(self, tokens: int) -> list[PromptLine]:
        """Return the lines that do not compete: the story so far, and facts about those present."""
        story = self._material.story
        untimed = [e.source_range for e in story if not e.raw_data.timestamp]
        self._calendar.read(floor for s in untimed for floor in (s.start_index, s.end_index))
        lines = [
            event_line(
                "always",
                e,
                self._words,
                when=""
                if e.raw_data.timestamp
                else self._calendar.span(e.source_range.start_index, e.source_range.end_index),
            )
            for e in reversed(story)
        ]
        present = self._present_lines(min(self._allowance.present, tokens))
        return [*lines, *present, *prompt_contents.story_lines(self._material.earlier)]

    def _present_lines(self, room: int) -> list[PromptLine]:
        """Return lines on who is present and what is known of them, as far as there is room.

        Facts written here are not offered again. Names are written only beside a story so far, and
        only of two persons or more.
        """
        lines: list[PromptLine] = []
        has_story = self._material.story or any(one.story for one in self._material.earlier)
        if len(self._there) > 1 and has_story:
            names = names_line(self._there, self._words)
            if names.cost <= room:
                room -= names.cost
                lines.append(names)
        facts: list[EntityNode | KnownRelation] = [*self._present.entities]
        facts += self._present.relations
        for fact in facts:
            rank = len(lines)
            if isinstance(fact, EntityNode):
                line = entity_line(rank, fact, self._words, "present")
            else:
                line = relation_line(rank, fact, self._words, "present")
            if line.cost <= room:
                room -= line.cost
                lines.append(line)
                self._facts = self._facts.without(fact)
        return lines

    def _offers(self) -> list[Offer]:
        hits = self._hits
        turns = [hit for hit in hits if hit.item.kind == "turn"]
        logs = [hit for hit in hits if hit.item.kind == "log"]
        events = [hit for hit in hits if hit.item.kind == "event"]
        by_id = {e.id: e for e in self._store.events.by_ids([h.item.ref for h in events])}
        self._dropped |= {h.item.id: "gone" for h in events if h.item.ref not in by_id}
        spans = [(e.raw_data.timestamp, e.source_range) for e in by_id.values()]
        self._calendar.expect(n for _told, s in spans for n in (s.start_index, s.end_index))
        self._calendar.read(
            n for told, s in spans if not told for n in (s.start_index, s.end_index)
        )
        of_messages = self._messages(turns)
        best = max((hit.score for hit in hits), default=0.0)
        every = [
            *of_messages,
            *prompt_contents.of_events(events, by_id),
            *prompt_contents.of_logs(logs, self._calendar),
            *prompt_contents.of_facts(self._facts, self._hits, self._words, best),
            *self._earlier,
        ]
        prompt_contents.rest(every, self._material.rested, _ASKED_FOR, RESTED)
        return every

    def _least(self, offers: Sequence[Offer]) -> float:
        """Return the worth below which an offer is left out."""
        if self.now < TINY or not states(self._material.query.text):
            return WEAK
        best = max((offer.worth for offer in offers if offer.line is None), default=0.0)
        return max(WEAK, best * STATED_SHARE)

    def _messages(self, turns: Sequence[RecallHit]) -> list[Offer]:
        senders = self._store.items.senders([hit.item.id for hit in turns])
        self._quoting.senders |= {
            hit.item.ref: senders[hit.item.id] for hit in turns if hit.item.id in senders
        }
        self._calendar.expect(hit.item.start_index for hit in turns)
        made = self._quoting.offers(turns)
        if self.now < TINY:  # the prompt has room for the whole chat: nothing is left out as weak
            least = min((offer.worth for offer in made), default=0.0)
            for offer in made:
                offer.worth -= min(0.0, least)
        self._on_floor = {o.hits[0].item.start_index: o for o in made if o.form != "rest"}
        asking = (hit.item for hit in turns if "?" in hit.item.content or "？" in hit.item.content)
        self._may_answer = {item.start_index + 1 for item in asking} - self._on_floor.keys()
        return made

    def _answer_on(self, floor: int) -> Offer | None:
        """Return the message on a floor as the asker heard it; None if it may not be quoted.

        Muted messages, messages still in the chat window and later ones may not be quoted.
        """
        known = self._on_floor.get(floor)
        window = self._allowance.visible_from
        is_held = floor > self._calendar.now or (window is not None and floor >= window)
        if known is not None or is_held:
            return known
        if floor in self._may_answer:
            self._read_answers()
        if floor not in self._answers:
            return None
        item_id, message = self._answers[floor]
        content = turn_content(message.name, message.text)
        place = (message.branch_id, content, floor, floor)
        item = MemoryItem(item_id, "turn", message.id, *place)
        return self._quoting.offers([RecallHit(0, item, 0.0, {ANSWERS: 0.0})])[0]

    def _read_answers(self) -> None:
        """Read the messages after hits that ask, in one query: a prompt quotes a dozen of them."""
        messages = messages_heard_at(self._store, self._where, sorted(self._may_answer))
        self._may_answer = set()
        item_ids = self._store.items.turn_ids([message.id for message in messages])
        for message in messages:
            item_id = item_ids.get(message.id)
            if item_id is not None and message.id not in self._muted:
                self._quoting.senders[message.id] = (message.name, message.sent_at)
                self._answers[message.seq] = item_id, message

    def _called(self, name: str) -> str:
        """Return the name of a speaker as the lines of this prompt write it."""
        if self._allowance.manner != "attributed" or not name:
            return name
        is_asker = self._where.actor is not None and norm_name(name) in self._where.asker.norms
        return self._words["said"].format(self._words["you"] if is_asker else name)

    def _note(self, offer: Offer, why: Dropped) -> None:
        for hit in offer.hits:
            self._dropped[hit.item.id] = "rested" if offer.is_rested else why

    def _injection(
        self,
        lines: Sequence[PromptLine],
        dropped: dict[int, Dropped],
        sections: dict[str, str],
        text: str,
        left: Sequence[Offer],
        weak: Sequence[Offer],
    ) -> Injection:
        for offer in left:
            self._note(offer, "budget")
        for offer in weak:
            self._dropped |= {hit.item.id: "weak" for hit in offer.hits}
        told = {hit.item.id: hit for line in lines for hit in line.hits}
        entities = {line.order[3] for line in lines if line.part in {"entities", "present"}}
        told |= {h.item.id: h for h in self._hits if h.item.ref in entities}
        of_entities = {h.item.id for h in self._hits if h.item.kind == "entity"}
        why = self._dropped | dropped
        unfitted = _best_of_each_kind(
            hit for offer in left for hit in offer.hits if hit.item.id not in told
        )
        hits = sorted(told.values(), key=lambda h: (-h.score, h.item.start_index, h.item.id))
        return Injection(
            text,
            sections,
            estimate_tokens(text),
            tuple(
                RecallHit(rank, hit.item, hit.score, hit.why, hit.matched)
                for rank, hit in enumerate(hits, start=1)
            ),
            tuple((i, w) for i, w in why.items() if i not in told and i not in of_entities),
            lines=tuple(line.injected() for line in sorted(lines, key=_as_written)),
            unfitted=unfitted,
        )


def _best_of_each_kind(hits: Iterable[RecallHit]) -> tuple[RecallHit, ...]:
    best, counts = list[RecallHit](), Counter[str]()
    for hit in sorted(hits, key=lambda hit: -hit.score):
        counts[hit.item.kind] += 1
        if counts[hit.item.kind] <= _MOST_UNFITTED:
            best.append(hit)
    return tuple(best)


def _as_written(line: PromptLine) -> tuple[int, tuple[int, int, int, str]]:
    return _WRITTEN[line.part], line.order
