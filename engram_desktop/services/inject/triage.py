"""Ask a model, in one small request, how much memory a message needs. Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.triage import LEVELS, Triage, parse_triage
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers.loose_json import read_json
from engram_desktop.llm.answers.structured import ask_json, formats_of
from engram_desktop.llm.client.client import Client, Retry
from engram_desktop.services.prompts.prompts import Language, Prompts
from engram_desktop.services.recall import expand

_T = QT_TRANSLATE_NOOP

TIMEOUT_S = 12.0  # a player waits for it
_FORMATS = formats_of(
    "triage",
    {
        "type": "object",
        "properties": {
            "intent": {"type": "string"},
            "level": {"type": "string", "enum": list(LEVELS)},
            "reasoning": {"type": "string"},
            "directives": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["intent", "level", "reasoning", "directives"],
        "additionalProperties": False,
    },
)


def request_of(
    prompts: Prompts, text: str, recent: Sequence[Message], rules: frozenset[str]
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a message, and the language it is put in."""
    return expand.request_of(prompts, text, recent, rules, "triage")


def triage(
    ctx: JobContext,
    client: Client,
    prompts: Prompts,
    text: str,
    recent: Sequence[Message],
    rules: frozenset[str],
) -> Triage:
    """Ask. Raises LlmError, InputError for a prompt that cannot be made, Cancelled."""
    timeout = min(TIMEOUT_S, client.endpoint.timeout)
    short = replace(
        client, endpoint=replace(client.endpoint, timeout=timeout), retry=Retry(attempts=1)
    )
    messages, language = request_of(prompts, text, recent, rules)
    formats = prompts.formats("triage", language, _FORMATS)

    async def ask() -> str:
        async with short.session() as session:
            return (await ask_json(session, messages, formats)).text

    answer = run_async(ctx, ask())
    verdict = parse_triage(read_json(answer).value)
    if verdict is None:
        raise BadAnswer(Phrase(_T("reports", "it names no level")), raw=answer)
    return verdict
