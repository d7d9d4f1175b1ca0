"""Texts to search by for a question that only points: “that thing”, “her”, “there”.

A model, where one is wanted, says in words what to look for. Without one, the recent turns are
searched by too, and only for a question that says nothing by itself: whatever stands alone is asked
as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.errors import BadAnswer, KnownError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.prompt_template import PromptTask
from engram_desktop.domain.recall.cues import points_back
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers.loose_json import read_json
from engram_desktop.llm.answers.structured import ask_json, formats_of
from engram_desktop.llm.client.client import Client, Retry
from engram_desktop.services.knowledge.heard import heard
from engram_desktop.services.prompts.cleaning import ALL_RULES, clean
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.prompts.prompts import Language, Prompts, chat_history, language_of
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

TIMEOUT_S = 12.0  # a player waits for it
TURNS_SHOWN = 6  # to a model
TURNS_SEARCHED = 3  # without one
TURN_CHARS = 400  # of each turn, its end: what was said last is what is pointed at
SEARCH_TEXTS = 3  # of an answer, beside its rewording: each is embedded
_QUERY_KEYS = ("query", "queries", "search", "keywords")
_FORMATS = formats_of(
    "search",
    {
        "type": "object",
        "properties": {
            "query": {"type": "array", "items": {"type": "string"}},
            "output": {"type": "string"},
        },
        "required": ["query", "output"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Expansion:
    """Texts to search by beside the question, and the question as the model put it."""

    context: tuple[str, ...] = ()
    output: str = ""
    degraded: tuple[str, ...] = ()
    told_from: int | None = None  # first floor that ``context`` was taken from, if it was


def expand(
    store: ChatStore,
    ctx: JobContext,
    query: RecallQuery,
    client: Client | None,
    native: Native | None = None,
    prompts: Prompts | None = None,
) -> Expansion:
    """Ask ``client``; where it is None or fails, look at the turns before. Raises Cancelled."""
    recent = recent_turns(store, query)
    if native is not None:
        recent = native.as_sent(recent)
    rules = ALL_RULES if native is None else native.rules
    if client is None:
        return _turns_meant(query.text, recent, rules)
    short = replace(
        client,
        endpoint=replace(client.endpoint, timeout=min(TIMEOUT_S, client.endpoint.timeout)),
        retry=Retry(attempts=1),
    )
    try:
        answer = run_async(ctx, _ask(short, prompts or Prompts(), query.text, recent, rules))
        return read_expansion(answer, query.text)
    except KnownError:  # recall goes on without; the result says what was missing
        return replace(_turns_meant(query.text, recent, rules), degraded=("expand",))


def read_expansion(answer: str, question: str) -> Expansion:
    """Read what a model answered, tolerantly. Raises BadAnswer where nothing is to be searched."""
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
    """Return the request to look at what is about to be sent, and the language it is put in."""
    texts = [clean(m.text, rules)[-TURN_CHARS:] for m in recent]
    user_input = defused(question, "user_input")
    values = {"chatHistory": chat_history(recent, texts), "userInput": user_input}
    language = language_of([*texts, question])
    return prompts.request(task, language, values), language


async def _ask(
    client: Client,
    prompts: Prompts,
    question: str,
    recent: Sequence[Message],
    rules: frozenset[str],
) -> str:
    messages, language = request_of(prompts, question, recent, rules)
    async with client.session() as session:
        formats = prompts.formats("expand", language, _FORMATS)
        return (await ask_json(session, messages, formats)).text


def recent_turns(store: ChatStore, query: RecallQuery) -> Sequence[Message]:
    """Return the messages before a question, as its actor heard them."""
    branch_id = query.branch_id or MAIN_BRANCH
    end = store.messages.count(branch_id) - 1
    last = end if query.at is None else min(end, query.at)
    first = max(0, last - TURNS_SHOWN + 1)
    if query.actor is None:
        return store.messages.slice(branch_id, first, last)
    norms = query.known_as or {norm_name(query.actor)}
    return heard(store, branch_id, Actor(frozenset(norms), query.at), first, last)


def _turns_meant(question: str, recent: Sequence[Message], rules: frozenset[str]) -> Expansion:
    turns = [m for m in recent if m.text.strip() and m.text.strip() != question.strip()]
    latest = turns[-TURNS_SEARCHED:]
    if not latest or not points_back(question):
        return Expansion()
    texts = tuple(clean(m.text, rules)[-TURN_CHARS:] for m in latest)
    return Expansion(texts, told_from=latest[0].seq)
