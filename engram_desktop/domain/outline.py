"""Which visible events to merge next, and an outline of them without a model."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from engram_desktop.domain.event import EventNode
from engram_desktop.domain.extraction import MAX_KEYWORDS, PlotExtraction, StructuredKv
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.domain.visibility import story_key

MAX_GROUP = 10
NEWEST_KEPT = 2  # of each level: what just happened is not boiled down

_SENTENCE = re.compile(r"[^。！？!?.…]+(?:[。！？!?…]+|\.(?=\s|$)|$)[”」』\"]?")


def next_group(visible: Sequence[EventNode]) -> list[EventNode]:
    """Oldest unlocked neighbours of the level that costs most; empty if nothing can be merged.

    Levels are merged among themselves, so that an outline of level n tells of about MAX_GROUP^n
    events, and the visible text grows with the logarithm of the story.
    """
    by_level: dict[int, list[EventNode]] = defaultdict(list)
    for event in sorted(visible, key=story_key):
        if not event.is_locked and not event.is_stale:
            by_level[event.level].append(event)
    groups = [level[:-NEWEST_KEPT][:MAX_GROUP] for level in by_level.values()]
    mergeable = [group for group in groups if len(group) >= 2]
    return max(mergeable, key=_cost, default=[])


def condense(parts: Sequence[PlotExtraction], limit: int) -> PlotExtraction:
    """Choose the first sentence of the most significant events until ``limit`` tokens are used.

    At least one sentence is kept, cut if need be; sentences stay in story order.
    """
    chosen: set[int] = set()
    firsts = [_first_sentence(part.summary) for part in parts]
    left = limit
    for n in sorted(range(len(parts)), key=lambda n: (-parts[n].significance_score, n)):
        cost = estimate_tokens(firsts[n])
        if cost <= left or not chosen:
            chosen.add(n)
            left -= cost
    summary = " ".join(firsts[n] for n in sorted(chosen))
    if estimate_tokens(summary) > limit:
        summary = summary[: max(12, int(len(summary) * limit / estimate_tokens(summary)))].rstrip()
    times = [p.timestamp for p in parts if p.timestamp]
    places = [p.location for p in parts if p.location]
    when = times[0] if len(set(times)) == 1 else f"{times[0]} – {times[-1]}" if times else ""
    where = max(places, key=places.count) if places else ""
    keep = [parts[n] for n in sorted(chosen)]
    words = dict.fromkeys(chain.from_iterable(p.keywords for p in keep))
    return PlotExtraction(
        summary,
        tuple(words)[:MAX_KEYWORDS],
        when,
        where,
        tuple(dict.fromkeys(chain.from_iterable(p.entities for p in keep))),
        tuple(dict.fromkeys(chain.from_iterable(p.relations for p in keep))),
        structured_kv=StructuredKv(time_anchor=when, location=where, event=summary),
        significance_score=max(p.significance_score for p in parts),
    )


def _first_sentence(text: str) -> str:
    found = _SENTENCE.match(text.strip())
    return found[0].strip() if found else text.strip()


def _cost(group: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(e.summary) for e in group)
