"""The story so far: every floor told, within a limit, the newest in full and the old in outlines.

What consolidation archives is told by an outline, outlines by outlines of outlines, so the events
of a line form trees, and what is visible are their roots. `story_so_far` chooses which nodes to
tell; it stores nothing, and the same events always give the same text.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.scope import ORDINARY
from engram_desktop.domain.memory.visibility import story_key
from engram_desktop.domain.pipeline.outline import MAX_GROUP, NEWEST_KEPT, condense
from engram_desktop.domain.text.tokens import estimate_tokens

# Beside its summary each line names floors, time and place: 10 to 22 tokens in the bundled story.
LINE_TOKENS = 20
BRIEF_LINE = 90  # tokens of a line at least, where there is room for few
LEAST = 44  # tokens of one line with a short sentence
_CONDENSED_KEPT = 256  # the same lines are told in prompt after prompt
SQUEEZED_SHARE = 8  # a line made only for want of room takes at most this part of the limit

PartsOf = Callable[[str], Sequence[EventNode]]


def cost_of(events: Sequence[EventNode]) -> int:
    """About how many tokens these events take in a prompt, each as a line of its own."""
    return sum(estimate_tokens(e.summary) + LINE_TOKENS for e in events)


def grouped(events: Sequence[EventNode]) -> list[list[EventNode]]:
    """Cut events, in story order, into groups that one outline each can tell of.

    As few groups as MAX_GROUP allows, and as even as can be.
    """
    if not events:
        return []
    ordered = sorted(events, key=story_key)
    count = -(-len(ordered) // MAX_GROUP)
    edges = [len(ordered) * n // count for n in range(count + 1)]
    return [ordered[a:b] for a, b in itertools.pairwise(edges)]


def may_be_told(event: EventNode) -> bool:
    """Whether an outline, which everybody may know, may tell of an event."""
    return event.scope in ORDINARY and not event.is_stale and not event.is_deleted


def standing(events: Sequence[EventNode], parts_of: PartsOf) -> Iterator[EventNode]:
    """Give what is still true: of a stale outline its parts that are, of a stale event nothing.

    ``parts_of`` gives the parts of an outline by its id.
    """
    for event in events:
        if not event.is_stale:
            yield event
        elif event.level:
            yield from standing(parts_of(event.id), parts_of)


def story_so_far(
    visible: Sequence[EventNode], parts_of: PartsOf, limit: int, newest: int
) -> list[EventNode]:
    """Choose what to tell, in story order, in at most ``limit`` tokens (`cost_of`).

    At least the ``newest`` events are told in full while they fit. Above the limit the oldest are
    condensed, without a model and only for this text; under a small limit all of them are, each
    line telling of more. Nothing is told within fewer tokens than `LEAST`.
    """
    nodes = sorted(standing(visible, parts_of), key=story_key)
    told = _squeeze(_unfold(nodes, parts_of, limit, newest), limit)
    return told if cost_of(told) <= limit else _in_brief(told, limit)


def _in_brief(nodes: Sequence[EventNode], limit: int) -> list[EventNode]:
    """Tell everything in a few lines of whole sentences: the last one is the present scene's."""
    count = min(len(nodes), limit // BRIEF_LINE)
    if limit < LEAST:
        return []
    if count < 2:
        return [_told_within(nodes, limit - LINE_TOKENS)]
    before, newest = nodes[:-1], nodes[-1:]
    edges = [len(before) * n // (count - 1) for n in range(count)]
    groups = [*(before[a:b] for a, b in itertools.pairwise(edges)), newest]
    lines: list[EventNode] = []
    left = limit
    for n, group in enumerate(reversed(groups)):  # the newest first: what it leaves, others use
        room = left // (len(groups) - n)
        whole = len(group) == 1 and cost_of(group) <= room
        lines.append(group[0] if whole else _told_within(group, room - LINE_TOKENS))
        left -= cost_of(lines[-1:])
    return lines[::-1]


def _unfold(nodes: list[EventNode], parts_of: PartsOf, limit: int, newest: int) -> list[EventNode]:
    """Tell the last outlines by their parts until ``newest`` events stand at the end."""
    while True:
        last = next((n for n in reversed(range(len(nodes))) if nodes[n].level), None)
        if last is None or len(nodes) - 1 - last >= newest:
            return nodes
        parts = sorted(standing(parts_of(nodes[last].id), parts_of), key=story_key)
        unfolded = [*nodes[:last], *parts, *nodes[last + 1 :]]
        if not parts or cost_of(unfolded) > limit:
            return nodes
        nodes = unfolded


def _squeeze(nodes: list[EventNode], limit: int) -> list[EventNode]:
    """Condense the oldest neighbours of the dearest level, level after level, until all fits."""
    most = max(24, limit // SQUEEZED_SHARE)
    left = cost_of(nodes)
    while left > limit:
        lines, left_after = _fold(_dearest(nodes), most, left, limit)
        if left_after >= left:
            break
        folded_ids = {id(e) for group, _line in lines for e in group}
        others = (e for e in nodes if id(e) not in folded_ids)
        nodes = sorted([*others, *(line for _group, line in lines)], key=story_key)
        left = left_after
    return nodes


def _dearest(nodes: Sequence[EventNode]) -> list[EventNode]:
    """Return the level that takes most, without its newest; those alone in theirs stay."""
    by_level: dict[int, list[EventNode]] = defaultdict(list)
    for event in nodes:
        by_level[event.level].append(event)
    old = [level[:-NEWEST_KEPT] for level in by_level.values()]
    return max((level for level in old if len(level) >= 2), key=cost_of, default=[])


def _fold(
    level: Sequence[EventNode], most: int, left: int, limit: int
) -> tuple[list[tuple[Sequence[EventNode], EventNode]], int]:
    """Condense groups of a level, oldest first, until the limit is met; return what is left."""
    lines: list[tuple[Sequence[EventNode], EventNode]] = []
    for group in grouped(level):
        if left <= limit or len(group) < 2:
            break
        line = _condense_group(group, most)
        lines.append((group, line))
        left += cost_of([line]) - cost_of(group)
    return lines, left


def _condense_group(group: Sequence[EventNode], most: int) -> EventNode:
    return _told_within(group, min(most, max(24, cost_of(group) // 3)))


def _told_within(group: Sequence[EventNode], tokens: int) -> EventNode:
    """Condense a group into one event whose summary has at most ``tokens`` tokens."""
    data = _condensed(tuple(e.raw_data for e in group), tokens)
    last = max(e.source_range.end_index for e in group)
    return replace(
        group[0],
        id=f"~{group[0].id}",  # of no event: what was recalled of the first is still news
        summary=data.summary,
        raw_data=data,
        level=max(e.level for e in group) + 1,
        source_range=SourceRange(group[0].source_range.start_index, last),
    )


@lru_cache(maxsize=_CONDENSED_KEPT)
def _condensed(parts: tuple[PlotExtraction, ...], tokens: int) -> PlotExtraction:
    return condense(parts, tokens)
