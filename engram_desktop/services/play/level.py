"""What a turn is taken for: by hand, by a light model, or by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.play import LevelBy
from engram_desktop.domain.recall.query import Level, Triage
from engram_desktop.domain.recall.triage_rules import triage_by_rules
from engram_desktop.domain.state.tree import StatePath
from engram_desktop.domain.values import dataclass

STATS = "interaction_stats"  # where routine turns are counted (design note 003 §2.1 C)
_MAX_NAME = 40  # characters of the name of a count
_NO_WORD = re.compile(r"[^\w]+")
_LOOP = re.compile(r"_(?:loop|repeat|action|interaction)$")


@dataclass(frozen=True, slots=True)
class Judged:
    """What a turn is taken for, and by whom."""

    triage: Triage
    by: LevelBy


def judge(
    text: str,
    recent: Sequence[str],
    *,
    level: Level | None,
    ask: Callable[[], Triage] | None,
) -> Judged:
    """Judge a turn. ``ask`` asks a light model; where it fails, rules decide and say so."""
    by_rules = triage_by_rules(text, recent)
    if level is not None:
        directives = by_rules.directives if by_rules.level == level else {}
        by_hand = replace(by_rules, level=level, reasoning="", directives=directives)
        return Judged(by_hand, "hand")
    if ask is None:
        return Judged(by_rules, "rules")
    try:
        return Judged(ask(), "model")
    except KnownError as e:  # a player waits for the reply; the note says who decided
        why = f"{by_rules.reasoning} ({e.phrase})"
        return Judged(replace(by_rules, reasoning=why), "rules")


def count_path(intent: str) -> StatePath:
    """Return where turns of this kind are counted: `headpat_loop` as `headpat_count`."""
    name = _NO_WORD.sub("_", intent.strip().casefold()).strip("_")
    name = _LOOP.sub("", name)[:_MAX_NAME].strip("_") or "routine"
    return (STATS, f"{name}_count")
