"""Injection: the text a prompt gets of a chat's memory, composed anew or held still.

Compose an injection of search results: what is offered, what is chosen, the text, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.inject import (
    MANNERS,
    NO_FACTS,
    RESTED,
    Allowance,
    KnownRelation,
    PromptSentences,
    select,
)
from engram_desktop.domain.memory.event import CONFIDENCES, Confidence, EventNode
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.explanation import Explanation, explain_injection
from engram_desktop.domain.recall.query import (
    ANSWERS,
    ITEM_KINDS,
    Dropped,
    Injection,
    ItemFilter,
    MemoryItem,
    RecallHit,
    RecallQuery,
    RecallResult,
    Triage,
)
from engram_desktop.domain.recall.relevance import TINY
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.inject import depth, earlier, freezing, prompt_contents
from engram_desktop.services.inject.claim_marks import ClaimMarks, marks_for, with_due
from engram_desktop.services.inject.depth import Need, with_worldbook
from engram_desktop.services.inject.earlier import EarlierStory
from engram_desktop.services.inject.facts import graph_of, known_facts, present_facts
from engram_desktop.services.inject.prompt_contents import (
    BYTES_A_TOKEN,
    PASSAGE,
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
    relation_line,
    text_of,
    with_meaning,
)
from engram_desktop.services.knowledge.heard import messages_heard
from engram_desktop.services.prompts.macro_scope import told_so_far
from engram_desktop.services.prompts.prompts import Language, language_of
from engram_desktop.services.recall import searching
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts, SaidByWorldbooks
    from engram_desktop.services.recall.searching import Searcher


_ASKED_FOR = 8  # of the best hits a question asks for each, however often it was told lately
_SLACK = 8  # tokens: less room than that is not filled once more
_PASSES = 4  # rounds of filling and measuring; the second is seldom needed


@dataclass(frozen=True, slots=True)
class Material:
    """What an injection is made of: the question, what its asker may know, what was found.

    ``story`` is the story so far; ``results`` are searches by kinds, ``worldbook`` what worldbooks
    say, ``earlier`` what volumes tell. ``rested`` are ids of the items that stood in the prompts of
    the last replies.
    """

    query: RecallQuery
    where: ItemFilter
    story: Sequence[EventNode]
    results: tuple[RecallResult, ...]
    need: Need
    worldbook: str = ""
    rested: frozenset[int] = frozenset()
    marks: ClaimMarks | None = None
    earlier: tuple[EarlierStory, ...] = ()


def compose(
    store: ChatStore, settings: Settings, material: Material, allowance: Allowance
) -> tuple[Injection, Explanation]:
    """Return the text with what it holds, and the explanation of it."""
    results = material.results
    is_related = settings.inject_unrelated or any(r.is_related for r in results)
    output = next((r.output for r in results if r.output), "")
    composer = _Composer(store, settings, material, allowance, is_related=is_related)
    meaning = meaning_line(output, composer.language)
    promises = composer.promises_due() if is_related else ""
    injection = composer.compose(allowance.tokens - estimate_tokens(meaning + promises))
    injection = with_worldbook(
        with_meaning(with_due(injection, promises), meaning, output),
        material.worldbook,
        material.need,
    )
    ranks = {hit.item.id: rank for rank, hit in enumerate(injection.hits, start=1)}
    dropped = {} if is_related else _unrelated(results)
    dropped |= dict(injection.dropped)
    answers = [hit for hit in injection.hits if ANSWERS in hit.why]
    every = [one for result in results for one in (result, *result.earlier)]
    why = explain_injection(every, ranks, dropped, injection.text, answers)
    told = tuple(hit.item.id for hit in injection.hits)
    why = replace(why, told=told, asker=asker_of(material.where), floor=composer.now)
    missing = dict.fromkeys(part for result in results for part in result.degraded)
    return replace(injection, degraded=tuple(missing)), why


def asker_of(where: ItemFilter) -> str:
    """Name the line and who asks, as the log of injections does."""
    return f"{where.branches[0][0]} {where.actor or ''}"


def story_for(
    store: ChatStore,
    settings: Settings,
    query: RecallQuery,
    where: ItemFilter,
    allowance: Allowance,
    taken: int = 0,
) -> list[EventNode]:
    """Return the story so far as the asker may know it, as much as a prompt has room for.

    ``taken`` tokens of that room hold what volumes tell.
    """
    return told_so_far(
        store,
        query.branch_id,
        min(settings.visible_tokens, allowance.story - taken),
        settings.visible_newest,
        until=query.at,
        allowed=store.items.known_events(where),
    )


def _unrelated(results: Sequence[RecallResult]) -> dict[int, Dropped]:
    return {hit.item.id: "unrelated" for result in results for hit in result.hits}


class _Composer:
    """Chooses what one prompt holds."""

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
        told = [e.summary for e in material.story[:20]]  # its language is not the question's
        told = told or [e.summary for one in material.earlier for e in one.story[:20]]
        texts = told or [*(h.item.content for h in self._hits[:10]), material.query.text]
        self.language: Language = language_of(texts)
        self._words = WORDS[self.language]
        self._calendar = Calendar(store, self._where, allowance.manner, self.language)
        self._present, self._facts = NO_FACTS, NO_FACTS
        if settings.memory_mode == "graph" and material.need.recalls:
            self._present = present_facts(store, self._where, self._calendar.now)
            if is_related:
                self._facts = known_facts(store, self._where, material.query.text, self._hits)
        self._quoting = Quoting({}, self._calendar, material.query.text, self._called)
        self._earlier = earlier.offers(material.earlier, self._words)
        self._muted = {item.ref for item in store.items.muted()}
        self._dropped: dict[int, Dropped] = {}
        self._on_floor: dict[int, Offer] = {}

    @property
    def now(self) -> int:
        return self._calendar.now

    def compose(self, tokens: int) -> Injection:
        """Fill ``tokens`` with what was offered, and write the text."""
        now = self._calendar.now_label()
        fixed = self._fixed_lines(tokens)
        page = PromptContents(
            self._calendar,
            PromptSentences(e.summary for e in self._material.story),
            self._quoting.quote,
            self._answer_on,
        )
        frame = frame_cost(self.language, self._allowance, now, has_story=bool(fixed))
        room = tokens - frame
        room -= sum(line.cost for line in fixed)
        left = self._offers()
        weak: list[Offer] = []
        sections: dict[str, str] = {}
        text = ""
        for _pass in range(_PASSES):
            chosen = select(left, room, page.take)
            weak += chosen.weak
            left = chosen.passed
            sections, text = self._written(fixed, page, now)
            while (room := tokens - estimate_tokens(text)) < 0:
                if not self._shorten(fixed, page, -room):
                    sections, text, room = {}, "", tokens
                    break
                sections, text = self._written(fixed, page, now)
            if room < _SLACK or not chosen.taken or not left:
                break
        lines = [*fixed, *page.lines()] if text else []
        return self._injection(lines, page.dropped, sections, text, left, weak)

    def _written(
        self, fixed: list[PromptLine], page: PromptContents, now: str
    ) -> tuple[dict[str, str], str]:
        lines = [*fixed, *page.lines()]
        if self._material.marks is not None:
            lines = self._material.marks.marked(lines, self.language, self.now)
        return text_of(lines, self.language, self._allowance, now)

    def promises_due(self) -> str:
        """Return one line of the open promises that the question brings up."""
        marks = self._material.marks
        return marks.due(self._material.query.text, self.language, self.now) if marks else ""

    def _shorten(self, fixed: list[PromptLine], page: PromptContents, over: int) -> bool:
        """Take back what was chosen last, else the oldest of the story; False if all is gone."""
        freed = 0.0
        while freed < over and (offer := page.take_back()) is not None:
            self._note(offer, "budget")
            freed += offer.cost
        if not freed and fixed:
            fixed.pop()
            return True
        return bool(freed)

    def _fixed_lines(self, tokens: int) -> list[PromptLine]:
        """Return the story so far and what is true of those present: they do not compete."""
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
        return [*lines, *present, *earlier.story_lines(self._material.earlier)]

    def _present_lines(self, room: int) -> list[PromptLine]:
        """Tell what holds of those present, as far as there is room; that is offered no more."""
        lines: list[PromptLine] = []
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
        hits = list(self._in_time(self._hits))
        turns = [hit for hit in hits if hit.item.kind == "turn"]
        logs = [hit for hit in hits if hit.item.kind == "log"]
        events = [hit for hit in hits if hit.item.kind == "event"]
        by_id = {e.id: e for e in self._store.events.by_ids([h.item.ref for h in events])}
        self._dropped |= {h.item.id: "gone" for h in events if h.item.ref not in by_id}
        spans = [e.source_range for e in by_id.values() if not e.raw_data.timestamp]
        self._calendar.read(floor for s in spans for floor in (s.start_index, s.end_index))
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

    def _in_time(self, hits: Iterable[RecallHit]) -> Iterable[RecallHit]:
        """Yield the hits that are not in the chat window; note the others as dropped."""
        window = self._allowance.visible_from
        for hit in hits:
            if hit.item.kind != "entity" and window is not None and hit.item.start_index >= window:
                self._dropped[hit.item.id] = "window"
            else:
                yield hit

    def _messages(self, turns: Sequence[RecallHit]) -> list[Offer]:
        self._quoting.senders |= self._store.messages.senders([hit.item.ref for hit in turns])
        made = self._quoting.offers(turns)
        if self.now < TINY:  # a prompt has room for the whole chat: nothing is left out as weak
            least = min((offer.worth for offer in made), default=0.0)
            for offer in made:
                offer.worth -= min(0.0, least)
        self._on_floor = {o.hits[0].item.start_index: o for o in made if o.form != "rest"}
        return made

    def _answer_on(self, floor: int) -> Offer | None:
        """Return the message on a floor as the asker heard it; None if it may not be used.

        That is one that is muted, that is still in the chat window, or that comes later.
        """
        known = self._on_floor.get(floor)
        window = self._allowance.visible_from
        is_held = floor > self._calendar.now or (window is not None and floor >= window)
        if known is not None or is_held:
            return known
        for message in messages_heard(self._store, self._where, floor, floor):
            item_id = self._store.items.turn_ids([message.id]).get(message.id)
            if item_id is not None and message.id not in self._muted:
                self._quoting.senders[message.id] = (message.name, message.sent_at)
                content = turn_content(message.name, message.text)
                place = (message.branch_id, content, floor, floor)
                item = MemoryItem(item_id, "turn", message.id, *place)
                return self._quoting.offers([RecallHit(0, item, 0.0, {ANSWERS: 0.0})])[0]
        return None

    def _called(self, name: str) -> str:
        """Return what a speaker is called, where lines say who said something."""
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
        )


# What a model would say of most messages, where a reply waits and nobody is asked.
USUAL = Triage("CHAT")
# What is said is rehearsed of the newest floors: an answer, and what it was an answer to.
_REHEARSED_FLOORS, _REHEARSED_CHARS = 2, 400
_LEAST_RANKED = 40  # memories ranked even for the smallest budget
_REPLIES = 3  # memories used in the prompts of this many last replies rest
# Tokens of an event, and of a short message with its share of a line's head. What is taken of a
# chat is seldom shorter than so much of its usual message, or than the passages of a long one.
_EVENT, _SHORT_MESSAGE, _SHORTER = 150, 14, 0.7
_NEWEST = 64  # messages that say how long a chat's messages are


class InjectService:
    """Injections. What is frozen stays the same bytes, so that a prompt cache stays good."""

    def __init__(
        self,
        session: Session,
        searcher: Searcher,
        chat_prompts: ChatPrompts,
        worldbooks: SaidByWorldbooks,
        findings: FindingsService | None = None,
    ) -> None:
        self._session = session
        self._searcher = searcher
        self._chat_prompts = chat_prompts
        self._worldbooks = worldbooks
        self._findings = findings

    def compose(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        budget: int | None = None,
        *,
        visible_from: int | None = None,
        expanded: bool | None = None,
        said: Triage | None = None,
        logged: bool = True,
    ) -> Injection:
        """Compose the text a prompt would get, within ``budget`` tokens.

        ``visible_from`` is the first floor that the prompt still holds as it was written; without
        it, so many of the newest as ``inject.recent_floors`` says. ``expanded`` lets the chat model
        say first what the question means; without it, ``recall.expand`` says whether.
        ``said`` is how much the message needs, where that is known already. Not ``logged``, it is
        a trial: nothing is written, and neither a frozen text nor the last prompts count.
        """
        store, settings = self._session.chat(chat_id), self._session.settings(chat_id)
        if settings.memory_mode == "off":
            return Injection("", {}, 0, ())
        query = self._asked(ctx, store, settings, query)
        where = _known_to_asker(store, query)
        read = self._searcher.volumes.key(chat_id)
        frozen = freezing.current(store, where, read) if logged else None
        if frozen is not None:
            return frozen
        need = depth.Need(said) if said else self._need(ctx, store, settings, query)
        allowance = _allowance(store, settings, query, budget, visible_from)
        expands = settings.recall_expand if expanded is None else expanded
        material = self._material(ctx, store, query, where, need, allowance, expanded=expands)
        if logged and settings.inject_rotate:
            material = replace(material, rested=_told_lately(store, query, where))
        tokens = allowance.tokens - depth.cost(material.worldbook)
        injection, why = compose(store, settings, material, replace(allowance, tokens=tokens))
        if not logged:
            return injection
        with self._session.claim_if_free() as is_mine:
            if not is_mine:
                return injection
            self._searcher.log(store, material.query, material.results, why)
            return freezing.keep(store, where, injection, material.story, read)

    def rehearse(self, ctx: JobContext, chat_id: str, query: RecallQuery) -> None:
        """Read what `compose` will need for the same asker and floor, whatever the question.

        Nothing is written, and no model is asked.
        """
        store, settings = self._session.chat(chat_id), self._session.settings(chat_id)
        if settings.memory_mode == "off":
            return
        text = f"{query.text} {_said_last(store, query)}"
        query = self._asked(ctx, store, settings, replace(query, text=text))
        where = _known_to_asker(store, query)
        allowance = _allowance(store, settings, query, None, None)
        graph_of(store, where).make_ready()
        need = depth.Need(USUAL)
        material = self._material(ctx, store, query, where, need, allowance, expanded=False)
        compose(store, settings, material, allowance)

    def _asked(
        self, ctx: JobContext, store: ChatStore, settings: Settings, query: RecallQuery
    ) -> RecallQuery:
        query = replace(query, confidence=_strictest(query.confidence, settings.inject_confidence))
        return self._searcher.as_asked(ctx, store, query)

    def _material(
        self,
        ctx: JobContext,
        store: ChatStore,
        query: RecallQuery,
        where: ItemFilter,
        need: depth.Need,
        allowance: Allowance,
        *,
        expanded: bool,
    ) -> Material:
        worldbook = (
            self._worldbook_text(ctx, store, query, allowance) if need.reads_worldbooks else ""
        )
        allowance = replace(allowance, tokens=allowance.tokens - depth.cost(worldbook))
        settings = self._session.settings(store.chat_id)
        volumes, _missing = self._searcher.volumes.of(store.chat_id)
        story = story_for(store, settings, query, where, allowance)
        room = earlier.room_beside(story, allowance.story)
        earlier_told = earlier.earlier_stories(volumes, query, room, settings.visible_newest)
        if taken := earlier.taken_from(story, earlier_told, allowance.story):
            story = story_for(store, settings, query, where, allowance, taken)
        outlines = store.events.outline_ids(query.branch_id)
        full = frozenset(e.id for e in story) | outlines
        full |= {e.id for one in earlier_told for e in one.story}
        query = replace(query, visible=full, stale=store.items.stale())
        results: list[RecallResult] = []
        if need.recalls:
            results = self._search(ctx, store, query, allowance.tokens, expanded=expanded)
        line = Line(store.chat_id, query.branch_id)
        marks = marks_for(ctx, self._findings, store, line, where)
        unrelated = settings.inject_unrelated
        told = tuple(earlier.with_hits(earlier_told, results, unrelated=unrelated))
        return Material(
            query, where, story, tuple(results), need, worldbook, marks=marks, earlier=told
        )

    def triage(self, ctx: JobContext, line: Line, text: str, actor: str | None = None) -> Triage:
        """Ask the chat model how much memory a message needs. Raises LlmError.

        What was said before is shown to it as ``actor`` heard it: its hints go into that one's
        prompt.
        """
        query = RecallQuery(text, branch_id=line.branch_id, actor=actor)
        store = self._session.chat(line.chat_id)
        return self._triage(ctx, line, self._searcher.as_asked(ctx, store, query))

    def _triage(self, ctx: JobContext, line: Line, query: RecallQuery) -> Triage:
        store, settings = self._session.chat(line.chat_id), self._session.settings(line.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        prompts = self._chat_prompts.prompts(ctx, store, settings, line.branch_id, native)
        client = self._searcher.model(store, "triage", prompts)
        recent = native.as_sent(searching.recent_turns(store, query))
        return depth.triage(ctx, client, prompts, query.text, recent, native.rules)

    def freeze(self, line: Line, turns: int) -> Changes:
        """Let the next injection stay as it is until ``turns`` more floors are told."""
        freezing.freeze(self._session.chat(line.chat_id), line.branch_id, turns)
        return Changes(chat_id=line.chat_id)

    def unfreeze(self, line: Line) -> Changes:
        """Compose injections anew from now on."""
        self._session.chat(line.chat_id).frozen.remove(line.branch_id)
        return Changes(chat_id=line.chat_id)

    def _need(
        self, ctx: JobContext, store: ChatStore, settings: Settings, query: RecallQuery
    ) -> depth.Need:
        """Ask how much a message needs, where that is wanted; without an answer it is as usual."""
        if not settings.inject_triage:
            return depth.Need()
        try:
            branch_id = query.branch_id
            return depth.Need(self._triage(ctx, Line(store.chat_id, branch_id), query))
        except KnownError as e:  # the player waits for a reply: the result says what was missing
            return depth.Need(fault=e.phrase)

    def _worldbook_text(
        self, ctx: JobContext, store: ChatStore, query: RecallQuery, allowance: Allowance
    ) -> str:
        """Return what worldbooks say to the question, as much as may stand beside memories."""
        branch_id = query.branch_id
        floor = store.messages.count(branch_id) - 1 if query.at is None else query.at
        context = self._worldbooks.context(ctx, Line(store.chat_id, branch_id), floor, query.text)
        return depth.first_entries(context, allowance.tokens)

    def _search(
        self, ctx: JobContext, store: ChatStore, query: RecallQuery, tokens: int, *, expanded: bool
    ) -> list[RecallResult]:
        """Rank as many memories as ``tokens`` could hold: no count ends before the budget."""
        shortest = min(PASSAGE, max(_SHORT_MESSAGE, _SHORTER * _usual_tokens(store, query)))
        groups = []
        for kinds, cost in ((("event", "entity"), _EVENT), (("turn", "log"), shortest)):
            asked = tuple(kind for kind in query.kinds if kind in kinds)
            if asked:
                groups.append((asked, max(_LEAST_RANKED, int(tokens / cost))))
        deep = replace(query, is_deep=True)
        return self._searcher.search(ctx, store, deep, groups, expanded=expanded)


def _told_lately(store: ChatStore, query: RecallQuery, where: ItemFilter) -> frozenset[int]:
    """Return the ids of the items that stood in the prompts of the last replies."""
    now = store.messages.count(where.branches[0][0]) - 1 if query.at is None else query.at
    return store.ledger.told_lately(asker_of(where), now, _REPLIES)


def _usual_tokens(store: ChatStore, query: RecallQuery) -> float:
    """Return about how many tokens the newest messages have, with their speakers."""
    branch_id = query.branch_id
    last = store.messages.count(branch_id) - 1 if query.at is None else query.at
    newest = store.messages.slice(branch_id, max(0, last - _NEWEST + 1), last)
    sizes = [len(f"{m.name}: {m.text}".encode("utf-8", "replace")) for m in newest]
    return sum(sizes) / len(sizes) / BYTES_A_TOKEN if sizes else 0.0


def _said_last(store: ChatStore, query: RecallQuery) -> str:
    """Return the end of what was said last: the next question is of much the same words."""
    branch_id = query.branch_id
    last = store.messages.count(branch_id) - 1 if query.at is None else query.at
    said = store.messages.slice(branch_id, max(0, last - _REHEARSED_FLOORS + 1), last)
    return "\n".join(message.text[-_REHEARSED_CHARS:] for message in said)


def _known_to_asker(store: ChatStore, query: RecallQuery) -> ItemFilter:
    return ItemFilter(
        ITEM_KINDS,
        store.branch_path(query.branch_id),
        query.at,
        query.actor,
        query.known_as,
        query.confidence,
        query.fulfilled,
    )


def _allowance(
    store: ChatStore,
    settings: Settings,
    query: RecallQuery,
    budget: int | None,
    visible_from: int | None,
) -> Allowance:
    if visible_from is None and settings.inject_recent_floors:
        floors = store.messages.count(query.branch_id)
        now = floors if query.at is None else min(floors, query.at + 1)
        visible_from = now - settings.inject_recent_floors
    return Allowance(
        settings.inject_tokens if budget is None else budget,
        "story" if settings.inject_order == "story" else "stable",
        next((m for m in MANNERS if m == settings.inject_manner), MANNERS[0]),
        visible_from,
    )


def _strictest(*levels: str) -> Confidence:
    return max((c for c in CONFIDENCES if c in levels), key=CONFIDENCES.index)
