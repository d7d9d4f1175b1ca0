"""Which floors are summarised, buffered, stale, drafted or empty: the coverage bar of a chat."""

from __future__ import annotations

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.services.events.blocks import checked
from engram_desktop.storage.chat.chat_store import ChatStore

# A later one covers an earlier one.
_STATES = ("empty", "failed", "drafted", "done", "archived", "buffer", "stale")


def coverage(store: ChatStore, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str]]:
    """Return runs of floors (first, last, state), from the first floor to the last.

    ``done`` floors were summarised and held nothing worth an event; ``drafted`` ones wait for
    review, ``failed`` ones have an answer that cannot be read.
    """
    count = store.messages.count(branch_id)
    floors = bytearray(count)
    ranges = [(start, end, "done") for start, end, *_rest in store.blocks(branch_id)]
    ranges += store.events.ranges(branch_id)
    drafts = checked(store, branch_id, store.drafts.find(branch_id))
    states = {"waiting": "drafted", "failed": "failed"}
    ranges += [(*d.floors, states[d.state]) for d in drafts if not d.is_outdated]
    for start, end, state in ranges:
        rank = _STATES.index(state)
        for floor in range(max(0, start), min(end, count - 1) + 1):
            floors[floor] = max(floors[floor], rank)
    runs: list[tuple[int, int, str]] = []
    for floor, rank in enumerate(floors):
        state = _STATES[rank]
        if runs and runs[-1][2] == state:
            runs[-1] = (runs[-1][0], floor, state)
        else:
            runs.append((floor, floor, state))
    return runs
