"""Choose how much memory an injection holds by what a model said that the message needs (triage).

Worldbooks join only where everything is wanted, behind what changes less, and never take more than
a third of the budget.
"""

from __future__ import annotations

from dataclasses import replace

from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.recall.query import Injection
from engram_desktop.domain.recall.triage import Triage
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass

WORLDBOOK_SHARE = 3  # of the budget, at most one part in so many
_OPEN, _CLOSE = "<world_info>", "</world_info>"


@dataclass(frozen=True, slots=True)
class Need:
    """What a message needs. Without ``triage`` it is as usual; ``fault`` says why none was had."""

    triage: Triage | None = None
    fault: str = ""

    @property
    def recalls(self) -> bool:
        return self.triage is None or self.triage.level != "ROUTINE"

    @property
    def reads_worldbooks(self) -> bool:
        return self.triage is not None and self.triage.level == "EVENT"


def first_entries(worldbook: str, budget: int) -> str:
    """Return as many entries, from the first on, as may stand in a budget."""
    entries: list[str] = []
    room = budget // WORLDBOOK_SHARE - estimate_tokens(f"{_OPEN}\n\n{_CLOSE}")
    for entry in defused(worldbook, "world_info").split("\n\n"):
        room -= estimate_tokens(entry) + 1
        if room < 0:
            break
        entries.append(entry)
    return "\n\n".join(entries).strip()


def cost(worldbook: str) -> int:
    """Tokens that the entries take, with their frame."""
    return estimate_tokens(_block(worldbook)) + 1 if worldbook else 0


def with_worldbook(injection: Injection, worldbook: str, need: Need) -> Injection:
    """Return an injection with what worldbooks say, and with what was said of the message."""
    result = replace(injection, triage=need.triage, triage_fault=need.fault)
    if not worldbook:
        return result
    text = "\n\n".join(part for part in (injection.text, _block(worldbook)) if part)
    sections = {**injection.sections, "worldbook": worldbook}
    return replace(result, text=text, sections=sections, tokens=estimate_tokens(text))


def _block(worldbook: str) -> str:
    return f"{_OPEN}\n{worldbook}\n{_CLOSE}"
