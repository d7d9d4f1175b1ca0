"""What a turn is taken for: by hand, by a light model, or by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.play.turn import LevelBy
from engram_desktop.domain.recall.triage import Level, Triage
from engram_desktop.domain.state.tree import StatePath
from engram_desktop.domain.values import dataclass

STATS = "interaction_stats"  # where routine turns are counted (design note 003 §2.1 C)
_MAX_NAME = 40  # characters of the name of a count
_NO_WORD = re.compile(r"[^\w]+")
_LOOP = re.compile(r"_(?:loop|repeat|action|interaction)$")
_SHORT = 60  # characters: longer ones are no mere gesture
_ROUTINE = {
    "headpat": re.compile(
        r"摸摸?头|摸摸|揉.{0,2}头|headpat|pats? (?:your|her|his|the|on)", re.IGNORECASE
    ),
    "gift": re.compile(r"送(?:给)?你|递给你|礼物|gift|present for", re.IGNORECASE),
    "hug": re.compile(r"抱抱|抱住|hugs?\b", re.IGNORECASE),
    "greeting": re.compile(r"早安|早上好|晚安|午安|good (?:morning|night|evening)", re.IGNORECASE),
}
_EVENT = re.compile(
    r"带你去|一起去|约会|告白|喜欢你|爱你|分手|吵架|离开|搬到|求婚|生气|决定"
    r"|\bdate\b|take you|let's go|i love you|confess|marry|break up|leave|move to",
    re.IGNORECASE,
)


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
        return Judged(replace(by_rules, level=level, reasoning=""), "hand")
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


def triage_by_rules(text: str, recent: Sequence[str]) -> Triage:
    """Say how much memory a message needs. ``recent`` are the messages before it."""
    del recent
    if _EVENT.search(text):
        return Triage("EVENT", "event", "words of a turning point")
    if len(text) <= _SHORT:
        for intent, pattern in _ROUTINE.items():
            if pattern.search(text):
                return Triage("ROUTINE", intent, "a short everyday gesture")
    return Triage("CHAT", "talk", "neither routine nor a turning point")
