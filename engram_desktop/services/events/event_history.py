"""What an event was: the undo steps that are kept, read back from what it is now."""

from __future__ import annotations

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.event_version import EventVersion
from engram_desktop.domain.labels import StepLabel
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.events.event_rows import event_of_columns


def versions(store: ChatStore, pk: int) -> list[EventVersion]:
    """Return an event as it is, then as it was before each step that is kept, newest first.

    Steps that a reader sees nothing of are left out. The last is as it was made, or as it was
    before the oldest step that is kept. Raises NotFound.
    """
    row = store.event_bin.columns(pk)
    if row is None:
        raise NotFound("event", str(pk))
    states: list[EventVersion] = []
    label: StepLabel | None = None
    at, is_made = 0, False
    for change in store.journal.changes_of("event", pk):
        label, at = change.label, change.at
        _keep(states, EventVersion(event_of_columns(row), label, at))
        if change.op == "INSERT":
            is_made = True
            break
        row = {**row, **change.before}
    if not is_made:
        _keep(states, EventVersion(event_of_columns(row)))
    return states


def _keep(states: list[EventVersion], version: EventVersion) -> None:
    """Add an older version; one that reads as the newer one takes its place: it came first."""
    if states and not states[-1].differs_from(version):
        states[-1] = version
    else:
        states.append(version)
