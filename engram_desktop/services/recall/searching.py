"""Search a chat: reword the question, apply the asker's knowledge, recall, and log.

Also triage: how much memory a message needs at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadAnswer, KnownError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inject import defused
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import PromptTask
from engram_desktop.domain.recall.query import (
    LEVELS,
    Explanation,
    ItemKind,
    MemoryItem,
    PastRecall,
    RecallQuery,
    RecallResult,
    Triage,
    explain,
    parse_triage,
)
from engram_desktop.domain.recall.ranking import DEFAULT, Weights
from engram_desktop.domain.recall.relevance import points_back
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.cleaning import ALL_RULES, clean
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers import ask_json, formats_of, read_json
from engram_desktop.llm.client import CallRecord, Client, Retry
from engram_desktop.services.events import event_service
from engram_desktop.services.knowledge.heard import heard
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.prompts.prompts import Language, Prompts, chat_history, language_of
from engram_desktop.services.recall import engine
from engram_desktop.services.recall import index as chat_index
from engram_desktop.services.recall import index as generations
from engram_desktop.services.recall.legs import WordCounts
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram_desktop.domain.recall.query import Candidate
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.recall.index_service import OpenVolume, OpenVolumes


class Searcher:
    """Shared by recall and injection: one `Recaller` a chat, and access to the model."""

    def __init__(
        self,
        session: Session,
        chat_prompts: ChatPrompts,
        knowledge: Callable[[], KnowledgeService],
        volumes: OpenVolumes,
    ) -> None:
        """``knowledge`` is called only if there is an asker, since importing it takes .1 s."""
        self._session = session
        self._chat_prompts = chat_prompts
        self._knowledge = knowledge
        self.volumes = volumes
        # by chat, with the settings each was made for
        self._recallers: dict[str, tuple[object, engine.Recaller]] = {}
        session.on_leaving(self._forget)

    def update_knowledge(self, ctx: JobContext, chat_id: str) -> None:
        """Bring knowledge up to date in advance. Raises Cancelled."""
        self._knowledge().derive(ctx, chat_id)

    def as_asked(self, ctx: JobContext, store: ChatStore, query: RecallQuery) -> RecallQuery:
        """Return a query with its actor's names, groups and fulfilled conditions filled in.

        The curator sees everything, and so does a narrator's card, which becomes the curator.
        """
        if query.actor is None:
            return query
        knowledge = self._knowledge()
        knowledge.derive(ctx, store.chat_id)
        if knowledge.is_narrator(store.chat_id, query.actor):
            return replace(query, actor=None)
        branch_id = query.branch_id
        actor = knowledge.actor(ctx, Line(store.chat_id, branch_id), query.actor, query.at)
        return replace(query, known_as=actor.norms, fulfilled=actor.fulfilled, groups=actor.groups)

    def _recaller(self, store: ChatStore, *, is_exact: bool = False) -> engine.Recaller:
        settings = self._session.settings(store.chat_id)
        clients = self._session.clients
        embedder, reranker = generations.answering(store, clients), clients.reranker()
        weights = recall_weights(settings)
        is_wanted = embedder.model_id == clients.embedder().model_id
        # the index is being filled with new vectors: search the old ones exactly
        backend = settings.index_backend if is_wanted and not is_exact else "exact"
        made_of = (store, embedder, reranker, weights, settings.index_server, backend)
        entry = self._recallers.get(store.chat_id)
        if entry is None or entry[0] != made_of:
            index = chat_index.ChatIndex(store, embedder.model_id, settings.index_server, backend)
            recaller = engine.Recaller(
                index, embedder, store.branch_path, weights=weights, reranker=reranker
            )
            entry = (made_of, recaller)
            self._recallers[store.chat_id] = entry
        return entry[1]

    def search(
        self,
        ctx: JobContext,
        store: ChatStore,
        query: RecallQuery,
        groups: Sequence[tuple[tuple[ItemKind, ...], int]],
        *,
        expanded: bool,
    ) -> list[RecallResult]:
        """Recall each group (kinds, how many) separately, for example events and messages.

        Ranked together, the many messages would leave hardly any place for the few events. What
        volumes of the chat hold is in ``earlier`` of each result.
        """
        recaller = self._recaller(store)
        branch_id = query.branch_id
        settings = self._session.settings(store.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, branch_id)
        client = prompts = None
        if expanded and self._session.clients.has_llm():
            prompts = self._chat_prompts.prompts(ctx, store, settings, branch_id, native)
            client = self.model(store, "expand", prompts)
        expansion = expand(store, ctx, query, client, native, prompts)
        if expanded and client is None:
            expansion = replace(expansion, degraded=(*expansion.degraded, "expand"))
        query = replace(
            query, context=(*query.context, *expansion.context), told_from=expansion.told_from
        )
        if query.actor is not None and store.knowledge.has_due():
            expansion = replace(expansion, degraded=(*expansion.degraded, "knowledge"))
        volumes, missing = self.volumes.of(store.chat_id)
        if missing:
            expansion = replace(expansion, degraded=(*expansion.degraded, "volume"))
        own = (
            [recaller.counts(replace(query, kinds=kinds)) for kinds, _ in groups] if volumes else []
        )
        results: list[RecallResult] = []
        for kinds, top_k in groups:  # one group that is relevant to the question is enough
            is_judged = not any(result.is_related for result in results)
            of_kinds = replace(query, kinds=kinds, top_k=top_k)
            asked = [(v, self._asked(v, of_kinds)) for v in volumes if set(_IN_VOLUMES) & {*kinds}]
            others = [self._recaller(v.store, is_exact=True).counts(q) for v, q in asked]
            beside = WordCounts.of_all(others) if others else None
            result = recaller.recall(ctx, of_kinds, is_judged=is_judged, beside=beside)
            earlier = [
                self._earlier(ctx, v, q, WordCounts.of_all([*own, *others[:n], *others[n + 1 :]]))
                for n, (v, q) in enumerate(asked)
            ]
            result = replace(result, earlier=tuple(earlier)) if earlier else result
            results.append(result)
        return [
            replace(
                result,
                degraded=(*expansion.degraded, *result.degraded),
                searched=expansion.context,
                output=expansion.output,
            )
            for result in results
        ]

    def _asked(self, volume: OpenVolume, query: RecallQuery) -> RecallQuery:
        """Return a query as asked of a volume."""
        kinds = tuple(kind for kind in _IN_VOLUMES if kind in query.kinds)
        visible = query.visible | volume.store.events.outline_ids()
        return replace(volume.asked(query), kinds=kinds, visible=visible)

    def _earlier(
        self, ctx: JobContext, volume: OpenVolume, query: RecallQuery, beside: WordCounts
    ) -> RecallResult:
        """Recall from a volume what the asker may know of it."""
        recaller = self._recaller(volume.store, is_exact=True)
        result = recaller.recall(ctx, query, beside=beside)
        # if the chat was searched with turns of the conversation, so was the volume
        return volume.marked(replace(result, searched=query.context))

    def model(self, store: ChatStore, task: PromptTask, prompts: Prompts) -> Client:
        """Return the chat model; its calls are recorded in the chat's ledger.

        Raises NotConfigured.
        """

        def record(call: CallRecord) -> None:
            tokens = (call.prompt_tokens, call.completion_tokens)
            at = self._session.library.clock()
            with self._session.claim_if_free() as is_mine:
                if is_mine:
                    took = call.elapsed_ms
                    store.ledger.add_call(at, task, call.model, tokens, took, call.error)

        return self._session.clients.llm(task, record, prompts.override(task))

    def log(
        self,
        store: ChatStore,
        query: RecallQuery,
        results: Sequence[RecallResult],
        why: Explanation,
        at: int | None = None,
    ) -> None:
        """Store the candidates of a search for later explanation, unless another process writes.

        ``at`` is when it was asked, in milliseconds; None: now.
        """
        elapsed = sum(result.elapsed_ms for result in results)
        with self._session.claim_if_free() as is_mine:
            if is_mine:
                asked_at = self._session.library.clock() if at is None else at
                store.ledger.add_recall(asked_at, query.own_words, elapsed, why)

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            self._recallers.clear()
        else:
            self._recallers.pop(chat_id, None)


def recall_weights(settings: Settings) -> Weights:
    graph = DEFAULT.graph if settings.memory_mode == "graph" else 0.0
    return replace(DEFAULT, graph=graph, freshness=settings.recall_freshness)


_IN_VOLUMES: tuple[ItemKind, ...] = ("event", "entity")  # kinds of memories in a volume


def with_earlier(result: RecallResult, top_k: int) -> RecallResult:
    """Return one list of what a chat and its volumes recalled, the best ``top_k`` of both."""
    if not result.earlier:
        return result
    every = (result, *result.earlier)
    hits = sorted((hit for one in every for hit in one.hits), key=lambda hit: -hit.score)[:top_k]
    ranks = {hit.item.id: rank for rank, hit in enumerate(hits, start=1)}
    return replace(
        result,
        hits=tuple(replace(hit, rank=ranks[hit.item.id]) for hit in hits),
        candidates=tuple(_ranked((c for one in every for c in one.candidates), ranks)),
        elapsed_ms=sum(one.elapsed_ms for one in every),
        degraded=tuple(dict.fromkeys(part for one in every for part in one.degraded)),
        relevance=max(one.relevance for one in every),
        earlier=(),
    )


def _ranked(candidates: Iterable[Candidate], ranks: Mapping[int, int]) -> list[Candidate]:
    """Return candidates with their ranks among the hits; others are marked as dropped."""
    ranked = [
        replace(c, rank=ranks.get(c.item.id, 0), dropped=c.dropped or "below")
        if c.item.id not in ranks
        else replace(c, rank=ranks[c.item.id], dropped=None)
        for c in candidates
    ]
    return sorted(ranked, key=lambda candidate: -candidate.score)


class RecallService:
    """Recall. It reads a chat; only its log of recalls and the muting of memories are written."""

    def __init__(self, session: Session, searcher: Searcher) -> None:
        self._session = session
        self._searcher = searcher

    def ask(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        *,
        expanded: bool = False,
        logged: bool = True,
    ) -> RecallResult:
        """Rank memories by a question. Raises Cancelled.

        The embedder embeds the question; a reranker is asked if one is configured. ``expanded``:
        the chat model first says what the question means. ``logged`` False leaves no entry in the
        log of recalls.
        """
        store = self._session.chat(chat_id)
        query = self._searcher.as_asked(ctx, store, query)
        outlines = store.events.outline_ids(query.branch_id)
        query = replace(query, visible=outlines, stale=store.items.stale())
        (result,) = self._searcher.search(
            ctx, store, query, [(query.kinds, query.top_k)], expanded=expanded
        )
        result = with_earlier(result, query.top_k)
        if logged:
            self._searcher.log(store, query, [result], explain([result]))
        return result

    def past(self, chat_id: str, limit: int = 50) -> list[PastRecall]:
        """Return recalls and injections that can still be explained, the newest first."""
        return self._session.chat(chat_id).ledger.recalls(limit)

    def explanation(self, chat_id: str, recall_id: int) -> Explanation:
        """Return the explanation of a former recall. Raises NotFound."""
        explanation = self._session.chat(chat_id).ledger.explanation(recall_id)
        if explanation is None:
            raise NotFound("recall", str(recall_id))
        return explanation

    def set_muted(self, chat_id: str, refs: Sequence[str], *, muted: bool) -> Changes:
        """Mute memories, so that they are never used, or unmute them; undoable. Raises NotFound."""
        return event_service.set_muted(self._session.chat(chat_id), refs, muted=muted)

    def muted(self, chat_id: str) -> list[MemoryItem]:
        """Return the muted memories, in story order."""
        return self._session.chat(chat_id).items.muted()


_T = QT_TRANSLATE_NOOP

TIMEOUT_S = 12.0  # the player waits for the reply
TURNS_SHOWN = 6  # turns shown to a model
TURNS_SEARCHED = 3  # turns searched by without a model
TURN_CHARS = 400  # of each turn, its end: a question points at what was said last
SEARCH_TEXTS = 3  # of an answer, besides its rewording: each text is embedded
_QUERY_KEYS = ("query", "queries", "search", "keywords")
AskedWhileWaiting = Literal["expand", "triage"]
_TEXT = {"type": "string"}
_FORMATS = {
    "expand": formats_of(
        "search",
        {
            "type": "object",
            "properties": {"query": {"type": "array", "items": _TEXT}, "output": _TEXT},
            "required": ["query", "output"],
            "additionalProperties": False,
        },
    ),
    "triage": formats_of(
        "triage",
        {
            "type": "object",
            "properties": {
                "intent": _TEXT,
                "level": {"type": "string", "enum": list(LEVELS)},
                "reasoning": _TEXT,
                "directives": {"type": "object", "additionalProperties": _TEXT},
            },
            "required": ["intent", "level", "reasoning", "directives"],
            "additionalProperties": False,
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Expansion:
    """Texts to search by besides the question, and the question as the model reworded it."""

    context: tuple[str, ...] = ()
    output: str = ""
    degraded: tuple[str, ...] = ()
    told_from: int | None = None  # first floor of ``context``, if it was taken from the chat


def expand(
    store: ChatStore,
    ctx: JobContext,
    query: RecallQuery,
    client: Client | None,
    native: Native | None = None,
    prompts: Prompts | None = None,
) -> Expansion:
    """Return texts to search by for a question that only points: “that thing”, “her”, “there”.

    A model, if there is a ``client``, says what to look for. Without one, or if it fails, the
    recent turns are used, and only for a question that says nothing by itself. Raises Cancelled.
    """
    if client is None and not points_back(query.text):
        return Expansion()
    recent = recent_turns(store, query)
    if native is not None:
        recent = native.as_sent(recent)
    rules = ALL_RULES if native is None else native.rules
    if client is None:
        return _turns_meant(query, recent, rules)
    try:
        answer = _ask(ctx, client, prompts or Prompts(), "expand", query.own_words, recent, rules)
        return read_expansion(answer, query.text)
    except KnownError:  # recall goes on without it; the result says what was missing
        return replace(_turns_meant(query, recent, rules), degraded=("expand",))


def read_expansion(answer: str, question: str) -> Expansion:
    """Parse a model's answer leniently. Raises BadAnswer if it has nothing to search for."""
    value = read_json(answer).value
    if isinstance(value, list):
        value = {"query": value}
    if not isinstance(value, dict):
        raise BadAnswer(Phrase(_T("reports", "it holds no JSON object")), raw=answer)
    queries: object = next((value[key] for key in _QUERY_KEYS if value.get(key)), [])
    texts = [queries] if isinstance(queries, str) else queries if isinstance(queries, list) else []
    searched = [" ".join(t.split())[:TURN_CHARS] for t in texts if isinstance(t, str)]
    output = value.get("output")
    rewritten = output.strip() if isinstance(output, str) else ""
    if rewritten and rewritten != question.strip():
        searched.append(rewritten[:TURN_CHARS])
    texts_searched = tuple(dict.fromkeys(t for t in searched if t and t != question.strip()))
    if not texts_searched and not rewritten:
        raise BadAnswer(Phrase(_T("reports", "it names nothing to search for")), raw=answer)
    return Expansion(texts_searched[: SEARCH_TEXTS + 1], rewritten)


def request_of(
    prompts: Prompts,
    question: str,
    recent: Sequence[Message],
    rules: frozenset[str],
    task: PromptTask = "expand",
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a message that is about to be sent, and its language."""
    texts = [clean(m.text, rules)[-TURN_CHARS:] for m in recent]
    user_input = defused(question, "user_input")
    values = {"chatHistory": chat_history(recent, texts), "userInput": user_input}
    language = language_of([*texts, question])
    return prompts.request(task, language, values), language


def _ask(
    ctx: JobContext,
    client: Client,
    prompts: Prompts,
    task: AskedWhileWaiting,
    text: str,
    recent: Sequence[Message],
    rules: frozenset[str],
) -> str:
    """Ask a model once about a message that is about to be sent. Raises LlmError, Cancelled.

    Also InputError, for a prompt that cannot be made.
    """
    endpoint = replace(client.endpoint, timeout=min(TIMEOUT_S, client.endpoint.timeout))
    short = replace(client, endpoint=endpoint, retry=Retry(attempts=1))
    messages, language = request_of(prompts, text, recent, rules, task)
    formats = prompts.formats(task, language, _FORMATS[task])

    async def ask() -> str:
        async with short.session() as session:
            return (await ask_json(session, messages, formats)).text

    return run_async(ctx, ask())


def triage(
    ctx: JobContext,
    client: Client,
    prompts: Prompts,
    text: str,
    recent: Sequence[Message],
    rules: frozenset[str],
) -> Triage:
    """Ask a model how much memory a message needs. Writes nothing.

    Raises LlmError, InputError for a prompt that cannot be made, Cancelled.
    """
    answer = _ask(ctx, client, prompts, "triage", text, recent, rules)
    verdict = parse_triage(read_json(answer).value)
    if verdict is None:
        raise BadAnswer(Phrase(_T("reports", "it names no level")), raw=answer)
    return verdict


def recent_turns(store: ChatStore, query: RecallQuery) -> Sequence[Message]:
    """Return the messages before a question, as its actor heard them."""
    branch_id = query.branch_id
    end = store.messages.count(branch_id) - 1
    last = end if query.at is None else min(end, query.at)
    first = max(0, last - TURNS_SHOWN + 1)
    if query.actor is None:
        return store.messages.slice(branch_id, first, last)
    norms = query.known_as or {norm_name(query.actor)}
    return heard(store, branch_id, Actor(frozenset(norms), query.at), first, last)


def _turns_meant(query: RecallQuery, recent: Sequence[Message], rules: frozenset[str]) -> Expansion:
    own = query.own_words.strip()
    turns = [m for m in recent if m.text.strip() and m.text.strip() != own]
    latest = turns[-TURNS_SEARCHED:]
    if not latest or not points_back(query.text):
        return Expansion()
    texts = tuple(clean(m.text, rules)[-TURN_CHARS:] for m in latest)
    return Expansion(texts, told_from=latest[0].seq)
