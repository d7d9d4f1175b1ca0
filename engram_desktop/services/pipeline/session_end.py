"""When a session is looked back on by itself: the buffer is full, or the session is over.

Design note 003 §3.3. What is due are the floors since the last look back. More than a few blocks
of them are a backlog, which is never begun unasked.
"""

from __future__ import annotations

from engram_desktop.domain.pipeline.triggers import blocks
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.pipeline import reflect
from engram_desktop.services.pipeline.desk import Desk

MOST_BLOCKS = 3  # as of summaries: what a player writes in an evening is less
FEWEST_FLOORS = 2  # of a session: a greeting alone, or a closing word, is none
MINUTE_MS = 60_000  # milliseconds


def due(desk: Desk, extractor: str, *, is_full: bool, ended: bool) -> list[Floors]:
    """Return blocks to look back on now. Without a model there are none.

    ``is_full``: the buffer is to be consolidated; floors that are not summarised yet then wait, and
    a backlog does not hold up the consolidation. ``ended``: the newest floors too.
    """
    if extractor != "llm" or not desk.settings.reflect_auto:
        return []
    if ended:
        reached = reflect.cursor(desk.store, desk.branch_id)
        last = desk.store.messages.count(desk.branch_id) - 1
        if last + 1 - reached < FEWEST_FLOORS:
            return []
        return blocks(reached, last, desk.settings.summary_interval)
    todo = reflect.todo(desk, None) if is_full else []
    return todo if len(todo) <= MOST_BLOCKS else []


def is_over(desk: Desk) -> bool:
    """Whether a session that was open when the program was closed has ended meanwhile.

    It is one where something is new since the last look back: a line that was never looked back on
    counts where it was played here.
    """
    store, branch_id = desk.store, desk.branch_id
    count, reached = store.messages.count(branch_id), reflect.cursor(store, branch_id)
    if not desk.settings.reflect_auto or count < reached + FEWEST_FLOORS:
        return False
    newest = store.messages.slice(branch_id, count - 2, count - 1)
    if reached == 0 and not store.turn_notes.of([message.id for message in newest]):
        return False
    silence = desk.settings.reflect_idle * MINUTE_MS
    return (newest[-1].sent_at or 0) + silence <= store.clock()
