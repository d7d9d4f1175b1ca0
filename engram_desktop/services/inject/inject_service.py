"""Injection: the text of a chat's memory for a prompt, composed for a reply or frozen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.inject import (
    MANNERS,
    Allowance,
)
from engram_desktop.domain.memory.event import CONFIDENCES, Confidence, EventNode
from engram_desktop.domain.memory.extraction import turn_content
from engram_desktop.domain.memory.line import Line, content_hash
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    Injection,
    ItemFilter,
    MemoryItem,
    NextPrompt,
    RecallHit,
    RecallQuery,
    RecallResult,
    Triage,
)
from engram_desktop.domain.recall.relevance import asked_in
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.cleaning import story
from engram_desktop.domain.text.sentences import is_idle, without_gestures
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.inject import prompt_contents
from engram_desktop.services.inject.composer import (
    Material,
    Need,
    asker_of,
    compose,
    cost_of_worldbook,
    first_entries,
    story_for,
)
from engram_desktop.services.inject.facts import READ_NOW, graph_of, marks_for
from engram_desktop.services.inject.prompt_contents import (
    BYTES_A_TOKEN,
    PASSAGE,
)
from engram_desktop.services.recall import searching
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.pipeline import FrozenRow

if TYPE_CHECKING:
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts, WorldbookTexts
    from engram_desktop.services.recall.searching import Searcher

# A preview is what a reply would get now, without writing; a trial ignores replies altogether.
_Use = Literal["reply", "preview", "trial"]
_Given = tuple[int | None, _Use, int | None]  # the budget, the use, the first visible floor
# Is given the writing of the log, to call it when nobody waits any more.
Later = Callable[[Callable[[], object]], object]
_SAID_BEFORE = 20  # newest messages searched for the player's last
# The triage of most messages, used where a reply waits and no model is asked.
USUAL = Triage("CHAT")
# `preload` reads the newest floors: an answer, and what it answered.
_PRELOADED_FLOORS, _PRELOADED_CHARS = 2, 400
_LEAST_RANKED = 40  # memories ranked however small the budget
_REPLIES = 3  # last replies whose memories are demoted in the next prompt
# Tokens of an event, and of a short message with its share of a line's head. A chat's chosen
# messages seldom take less than this share of its usual message, or than a passage of a long one.
_EVENT, _SHORT_MESSAGE, _SHORTER = 150, 14, 0.7
_NEWEST = 64  # newest messages that give the usual length


class InjectService:
    """Injections. A frozen one keeps its bytes, so that a prompt cache stays valid."""

    def __init__(
        self,
        session: Session,
        searcher: Searcher,
        chat_prompts: ChatPrompts,
        worldbooks: WorldbookTexts,
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
        logged: bool | Later = True,
    ) -> Injection:
        """Compose the memory text of a prompt, within ``budget`` tokens.

        ``visible_from``: first floor that the prompt still holds in full; by default the newest
        ``inject.recent_floors`` floors. ``expanded``: let the chat model first say what the
        question means; by default ``recall.expand``. ``said``: the triage of the message, if it is
        known. ``logged`` False makes a trial: nothing is written, and neither frozen texts nor the
        last prompts count. A function as ``logged`` is given the writing of the log, to call it
        later; until then the next prompt does not know of this one. Raises Cancelled.
        """
        use: _Use = "reply" if logged else "trial"
        later = _at_once if isinstance(logged, bool) else logged
        given = (budget, use, visible_from)
        with self._session.chat(chat_id).database.steady():
            return self._compose(ctx, chat_id, query, given, expanded, said, later)

    def preview(
        self, ctx: JobContext, line: Line, actor: str | None = None, at: int | None = None
    ) -> NextPrompt:
        """Compose the memory text of the next reply, for what the player said last.

        ``at`` is the floor it would answer. Frozen texts and the last prompts count. Nothing is
        written, and no model is asked.
        """
        store, settings = self._session.chat(line.chat_id), self._session.settings(line.chat_id)
        last = store.messages.count(line.branch_id) - 1
        last = last if at is None else min(last, at)
        newest = store.messages.slice(line.branch_id, max(0, last - _SAID_BEFORE), last)
        told = [message for message in newest if message.text.strip()]
        said = next((m for m in reversed(told) if m.role == "user"), told[-1] if told else None)
        text = story(said.text) if said is not None else ""
        query = RecallQuery(text, branch_id=line.branch_id, actor=actor, at=at)
        floor = said.seq if said is not None else -1
        window = last + 1 - settings.inject_recent_floors
        visible_from = min(window, floor) if floor >= 0 else None  # holds what is answered
        given: _Given = (None, "preview", visible_from)
        with store.database.steady():
            injection = self._compose(ctx, line.chat_id, query, given, False, USUAL, _at_once)
        return NextPrompt(replace(injection, triage=None), settings.inject_tokens, floor, text)

    def _compose(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        given: _Given,
        expanded: bool | None,  # noqa: FBT001 - as of `compose`
        said: Triage | None,
        later: Later,
    ) -> Injection:
        budget, use, visible_from = given
        store, settings = self._session.chat(chat_id), self._session.settings(chat_id)
        if settings.memory_mode == "off":
            return Injection("", {}, 0, ())
        query = search_query(store, self._asked(ctx, store, settings, query))
        where = _known_to_asker(store, query)
        read = self._searcher.volumes.key(chat_id)
        frozen = _frozen_text(store, where, read) if use != "trial" else None
        if frozen is not None:
            return frozen
        need = Need(said) if said else self._need(ctx, store, settings, query)
        allowance = _allowance(store, settings, query, budget, visible_from)
        expands = settings.recall_expand if expanded is None else expanded
        material = self._material(ctx, store, query, where, need, allowance, expanded=expands)
        if use != "trial" and settings.inject_rotate:
            material = replace(material, rested=_recently_used(store, query, where))
        tokens = allowance.tokens - cost_of_worldbook(material.worldbook)
        injection, why = compose(store, settings, material, replace(allowance, tokens=tokens))
        if use != "reply":
            return injection
        at = self._session.library.clock()
        with self._session.claim_if_free() as is_mine:
            if not is_mine:
                return injection
            later(lambda: self._searcher.log(store, material.query, material.results, why(), at))
            return _keep_frozen(store, where, injection, material.story, read)

    def preload(self, ctx: JobContext, chat_id: str, query: RecallQuery) -> None:
        """Load in advance what `compose` needs for the same asker and floor, whatever the question.

        Nothing is written, and no model is asked.
        """
        store, settings = self._session.chat(chat_id), self._session.settings(chat_id)
        if settings.memory_mode == "off":
            return
        text = f"{query.text} {_newest_words(store, query)}"
        query = self._asked(ctx, store, settings, replace(query, text=text))
        where = _known_to_asker(store, query)
        allowance = _allowance(store, settings, query, None, None)
        graph_of(store, where).make_ready()
        _recently_used(store, query, where)
        need = Need(USUAL)
        material = self._material(ctx, store, query, where, need, allowance, expanded=False)
        ctx.check()
        compose(store, settings, material, allowance)

    def preload_marks(self, ctx: JobContext, line: Line) -> None:
        """Compute in advance which lines a prompt marks as over or untrue. Raises Cancelled."""
        if self._findings is not None and self._session.settings(line.chat_id).memory_mode != "off":
            self._findings.near(ctx, line, READ_NOW, waits=True)

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
        need: Need,
        allowance: Allowance,
        *,
        expanded: bool,
    ) -> Material:
        worldbook = (
            self._worldbook_text(ctx, store, query, allowance) if need.reads_worldbooks else ""
        )
        allowance = replace(allowance, tokens=allowance.tokens - cost_of_worldbook(worldbook))
        settings = self._session.settings(store.chat_id)
        volumes, _missing = self._searcher.volumes.of(store.chat_id)
        story = story_for(store, settings, query, where, allowance)
        room = prompt_contents.room_beside(story, allowance.story)
        earlier_told = prompt_contents.earlier_stories(
            volumes, query, room, settings.visible_newest
        )
        if taken := prompt_contents.taken_from(story, earlier_told, allowance.story):
            story = story_for(store, settings, query, where, allowance, taken)
        outlines = store.events.outline_ids(query.branch_id)
        full = frozenset(e.id for e in story) | outlines
        full |= {e.id for one in earlier_told for e in one.story}
        query = replace(query, visible=full, stale=store.items.stale())
        results: list[RecallResult] = []
        if need.recalls:
            results = self._search(ctx, store, query, allowance, expanded=expanded)
        line = Line(store.chat_id, query.branch_id)
        marks = marks_for(ctx, self._findings, store, line, where)
        is_unmarked = self._findings is not None and self._findings.is_too_long(line)
        missing = ("findings",) if is_unmarked else ()
        unrelated = settings.inject_unrelated
        told = tuple(prompt_contents.with_hits(earlier_told, results, unrelated=unrelated))
        return Material(
            query,
            where,
            story,
            tuple(results),
            need,
            worldbook,
            marks=marks,
            missing=missing,
            earlier=told,
        )

    def triage(self, ctx: JobContext, line: Line, text: str, actor: str | None = None) -> Triage:
        """Ask the chat model how much memory a message needs. Raises LlmError.

        The model sees the messages before it as ``actor`` heard them, since its hints go into the
        prompt of that actor.
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
        return searching.triage(ctx, client, prompts, query.own_words, recent, native.rules)

    def freeze(self, line: Line, turns: int) -> Changes:
        """Freeze the next injection until there are ``turns`` more floors."""
        _freeze(self._session.chat(line.chat_id), line.branch_id, turns)
        return Changes(chat_id=line.chat_id)

    def unfreeze(self, line: Line) -> Changes:
        """End the freeze: compose injections again from now on."""
        self._session.chat(line.chat_id).frozen.remove(line.branch_id)
        return Changes(chat_id=line.chat_id)

    def _need(
        self, ctx: JobContext, store: ChatStore, settings: Settings, query: RecallQuery
    ) -> Need:
        """Return how much a message needs, if triage is on; as usual if no answer comes."""
        if not settings.inject_triage:
            return Need()
        try:
            branch_id = query.branch_id
            return Need(self._triage(ctx, Line(store.chat_id, branch_id), query))
        except KnownError as e:  # the player waits for the reply; the result says what was missing
            return Need(fault=e.phrase)

    def _worldbook_text(
        self, ctx: JobContext, store: ChatStore, query: RecallQuery, allowance: Allowance
    ) -> str:
        """Return as much of the worldbooks' text as fits into its share of the budget."""
        branch_id = query.branch_id
        floor = store.messages.count(branch_id) - 1 if query.at is None else query.at
        context = self._worldbooks.context(
            ctx, Line(store.chat_id, branch_id), floor, query.own_words
        )
        return first_entries(context, allowance.tokens)

    def _search(
        self,
        ctx: JobContext,
        store: ChatStore,
        query: RecallQuery,
        allowance: Allowance,
        *,
        expanded: bool,
    ) -> list[RecallResult]:
        """Rank as many memories as fit into the budget."""
        shortest = min(PASSAGE, max(_SHORT_MESSAGE, _SHORTER * _usual_tokens(store, query)))
        groups = []
        for kinds, cost in ((("event", "entity"), _EVENT), (("turn", "log"), shortest)):
            asked = tuple(kind for kind in query.kinds if kind in kinds)
            if asked:
                groups.append((asked, max(_LEAST_RANKED, int(allowance.tokens / cost))))
        deep = replace(query, is_deep=True, held_from=allowance.visible_from)
        return self._searcher.search(ctx, store, deep, groups, expanded=expanded)


def _at_once(note: Callable[[], object]) -> None:
    note()


def _recently_used(store: ChatStore, query: RecallQuery, where: ItemFilter) -> frozenset[int]:
    """Return the ids of the items in the prompts of the last replies."""
    asker = asker_of(where)

    def read() -> frozenset[int]:
        now = store.messages.count(where.branches[0][0]) - 1 if query.at is None else query.at
        return store.ledger.in_recent_prompts(asker, now, _REPLIES)

    return store.database.until_written.of((_recently_used, asker, query.at), read)


def _usual_tokens(store: ChatStore, query: RecallQuery) -> float:
    """Return the mean tokens of the newest messages, speakers included."""
    branch_id = query.branch_id

    def read() -> float:
        last = store.messages.count(branch_id) - 1 if query.at is None else query.at
        newest = store.messages.slice(branch_id, max(0, last - _NEWEST + 1), last)
        sizes = [len(turn_content(m.name, m.text).encode("utf-8", "replace")) for m in newest]
        return sum(sizes) / len(sizes) / BYTES_A_TOKEN if sizes else 0.0

    return store.database.until_written.of((_usual_tokens, branch_id, query.at), read)


def _newest_words(store: ChatStore, query: RecallQuery) -> str:
    """Return the ends of the last messages: the next question will use much the same words."""
    branch_id = query.branch_id
    last = store.messages.count(branch_id) - 1 if query.at is None else query.at
    said = store.messages.slice(branch_id, max(0, last - _PRELOADED_FLOORS + 1), last)
    return "\n".join(story(message.text)[-_PRELOADED_CHARS:] for message in said)


def search_query(store: ChatStore, query: RecallQuery) -> RecallQuery:
    """Return the query to search by: the player's line without asides that only nod or look.

    If nothing else is left, the questions of the last reply; if it asks none, the whole line.
    """
    text = without_gestures(query.text)
    if is_idle(text):
        replies = (
            asked_in(story(m.text))
            for m in reversed(searching.recent_turns(store, query))
            if m.role != "user" and not is_idle(without_gestures(story(m.text)))
        )
        text = next(replies, "")
        text = "" if is_idle(text) else text
    if not text or text == query.text:
        return query
    return replace(query, text=text, said=query.own_words)


def _known_to_asker(store: ChatStore, query: RecallQuery) -> ItemFilter:
    return ItemFilter(
        ITEM_KINDS,
        store.branch_path(query.branch_id),
        query.at,
        query.actor,
        query.known_as,
        query.confidence,
        query.fulfilled,
        query.groups,
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


# Freeze an injection for some turns: the same bytes, so that a prompt cache stays valid. It ends
# early if a memory in it is edited, deleted, muted or made stale. It is given only to the actor
# it was made for, and only while that actor may know all of it.


def _freeze(store: ChatStore, branch_id: str, turns: int) -> None:
    """Freeze the next injection for ``turns`` floors from now on."""
    floor = store.messages.count(branch_id)
    store.frozen.put(branch_id, FrozenRow(floor, turns, {}))


def _frozen_until(store: ChatStore, branch_id: str) -> int | None:
    """Return the first floor after the freeze; None if nothing is frozen now."""
    row = store.frozen.get(branch_id)
    if row is None:
        return None
    end = row.floor + row.turns
    return end if row.floor <= store.messages.count(branch_id) < end else None


def _frozen_text(store: ChatStore, where: ItemFilter, volumes: str) -> Injection | None:
    """Return what is frozen for the actor of ``where``; None if there is nothing or it is outdated.

    ``where`` says what the actor may know now, on the first of its branches; ``volumes`` is a mark
    of the volumes the chat reads.
    """
    branch_id = where.branches[0][0]
    row = store.frozen.get(branch_id)
    end = _frozen_until(store, branch_id)
    if row is None or end is None or not row.data or row.data["actor"] != where.actor:
        return None
    if _marks_of(store, where, row.data["shown"]) != row.data["marks"]:
        return None
    if row.data.get("volumes", "") != volumes:
        return None
    hits = tuple(_hit_of(value) for value in row.data["hits"])
    return Injection(row.data["text"], row.data["sections"], row.data["tokens"], hits, (), end)


def _keep_frozen(
    store: ChatStore,
    where: ItemFilter,
    injection: Injection,
    story: Sequence[EventNode],
    volumes: str,
) -> Injection:
    """Store ``injection`` if a freeze waits for its text; end a freeze whose text is outdated.

    ``story`` are the events of its story so far.
    """
    branch_id = where.branches[0][0]
    row, end = store.frozen.get(branch_id), _frozen_until(store, branch_id)
    if row is None or end is None or (row.data and row.data["actor"] != where.actor):
        return injection
    if row.data:  # what it showed has changed: end the freeze
        store.frozen.remove(branch_id)
        return injection
    shown = sorted(
        {("event", e.id) for e in story} | {(h.item.kind, h.item.ref) for h in injection.hits}
    )
    data: dict[str, Any] = {
        "actor": where.actor,
        "text": injection.text,
        "sections": injection.sections,
        "tokens": injection.tokens,
        "hits": [_row_of(hit) for hit in injection.hits],
        "shown": shown,
        "marks": _marks_of(store, where, shown),
        "volumes": volumes,
    }
    store.frozen.put(branch_id, replace(row, data=data))
    return replace(injection, frozen_until=end)


def _marks_of(store: ChatStore, where: ItemFilter, shown: Sequence[tuple[str, str]]) -> str:
    """Return a hash that changes if any of ``shown`` changes or may no longer be known."""
    items = store.items.of_refs([ref for _kind, ref in shown])
    allowed_ids = store.items.allowed([item.id for item in items], where)
    refs = {item.ref for item in items if item.id in allowed_ids}
    events = {e.id: e for e in store.events.by_ids([ref for kind, ref in shown if kind == "event"])}
    contents = store.items.marks([ref for _kind, ref in shown], where.branches[0][0])
    parts = []
    for kind, ref in shown:
        event = events.get(ref)
        stale = "stale" if event is not None and event.is_stale else ""
        parts.append(f"{kind} {ref} {contents.get((kind, ref), '')} {stale} {ref in refs}")
    return content_hash(*parts)


def _row_of(hit: RecallHit) -> dict[str, Any]:
    item = hit.item
    return {
        "rank": hit.rank,
        "score": hit.score,
        "why": hit.why,
        "matched": hit.matched,
        "item": [
            item.id, item.kind, item.ref, item.branch_id, item.content,
            item.start_index, item.end_index, item.volume,
        ],
    }  # fmt: skip


def _hit_of(row: dict[str, Any]) -> RecallHit:
    item = MemoryItem(*row["item"])
    return RecallHit(row["rank"], item, row["score"], row["why"], tuple(row["matched"]))
