"""Tell the story so far of a line: to a prompt, to a macro, and to whoever summarises on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.visibility import story_key
from engram_desktop.domain.pipeline.story_so_far import story_so_far
from engram_desktop.storage.chat.chat_store import ChatStore

# Events that no outline tells of: 1,000 are what 20,000 floors give before they are archived, and
# take 0.7 s to condense; more would keep a prompt waiting.
PLAIN_READ = 1_000


def told_so_far(
    store: ChatStore,
    branch_id: str,
    limit: int,
    newest: int,
    *,
    until: int | None = None,
    allowed: Callable[[EventNode], bool] = lambda _event: True,
    recalled: Collection[str] = (),
    plain: int | None = None,
) -> list[EventNode]:
    """Return what `{{engramSummaries}}` tells, in story order, in about ``limit`` tokens.

    ``until`` is the last floor that may be told of: outlines that go beyond it are told by their
    parts. ``allowed`` keeps back what the reader must not know: of an outline that is kept back,
    what may be known of its parts is told. What is muted never is. ``recalled`` events are told
    too, whatever their lamp, if this branch sees them: another may have asked last. Of events that
    no outline tells of only the ``plain`` newest are read, unless that is None.
    """
    muted = {item.ref for item in store.items.muted()}

    @cache
    def parts_of(outline_id: str) -> tuple[EventNode, ...]:
        return tuple(_known(store.outlines.children(outline_id)))

    def _known(events: Sequence[EventNode]) -> Iterator[EventNode]:
        for event in events:
            if event.id in muted:
                continue
            if allowed(event):
                yield event
            elif event.level:  # a model's outline of what the user confirmed, for instance
                yield from parts_of(event.id)

    visible = list(_known(store.events.visible(branch_id, plain)))
    if until is not None:
        visible = _up_to(visible, parts_of, until)
    story = story_so_far(_bounded(visible), parts_of, limit, newest)
    ids = {e.id for e in story}
    more = [
        e
        for e in store.events.by_ids(recalled, branch_id)
        if e.id not in ids
        and not e.is_stale
        and e.id not in muted
        and allowed(e)
        and (until is None or e.source_range.end_index <= until)
    ]
    return sorted([*story, *more], key=story_key)


def _bounded(visible: list[EventNode]) -> list[EventNode]:
    """Leave out the oldest of a backlog that no outline tells of yet; too many to condense."""
    plain = [e for e in visible if not e.level]
    left_out = {e.pk for e in plain[: max(0, len(plain) - PLAIN_READ)]}
    return [e for e in visible if e.pk not in left_out]


def _up_to(
    events: Sequence[EventNode], parts_of: Callable[[str], Sequence[EventNode]], until: int
) -> list[EventNode]:
    events_before: list[EventNode] = []
    for event in events:
        if event.source_range.end_index <= until:
            events_before.append(event)
        elif event.level and event.source_range.start_index <= until:
            events_before += _up_to(parts_of(event.id), parts_of, until)
    return events_before
