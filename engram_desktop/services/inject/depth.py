"""Triage: ask a model how much memory a message needs, and inject accordingly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.inject import defused
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.query import LEVELS, Injection, Triage, parse_triage
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers import ask_json, formats_of, read_json
from engram_desktop.llm.client import Client, Retry
from engram_desktop.services.prompts.prompts import Language, Prompts
from engram_desktop.services.recall import searching

_T = QT_TRANSLATE_NOOP

TIMEOUT_S = 12.0  # the player waits for the reply
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
    """Return the request about a message, and its language."""
    return searching.request_of(prompts, text, recent, rules, "triage")


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


WORLDBOOK_SHARE = 3  # of the budget, worldbooks get at most one part in this many
_OPEN, _CLOSE = "<world_info>", "</world_info>"


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


def cost(worldbook: str) -> int:
    """Return the tokens that worldbook entries take, with their frame."""
    return estimate_tokens(_block(worldbook)) + 1 if worldbook else 0


def with_worldbook(injection: Injection, worldbook: str, need: Need) -> Injection:
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
