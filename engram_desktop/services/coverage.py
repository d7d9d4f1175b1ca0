"""Which floors are summarised, buffered, stale or still empty: the coverage bar of a chat."""

from __future__ import annotations

from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.storage.chat_store import ChatStore

_STATES = ("empty", "done", "archived", "buffer", "stale")  # a later one covers an earlier one


def coverage(store: ChatStore, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str]]:
    """Return runs of floors (first, last, state), from the first floor to the last.

    ``done`` floors were summarised and held nothing worth an event.
    """
    count = store.messages.count(branch_id)
    floors = bytearray(count)
    ranges = [(start, end, "done") for start, end, *_rest in store.blocks(branch_id)]
    ranges += store.events.ranges(branch_id)
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
