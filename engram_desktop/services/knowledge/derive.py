"""Derive who knows what, as far as anything that it is derived from has changed."""

from __future__ import annotations

from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import People, present_cast
from engram_desktop.services.knowledge.memories import MemoryDeriver
from engram_desktop.services.knowledge.turns import TurnDeriver
from engram_desktop.storage.chat.chat_store import ChatStore

# How long one who asks waits for another who derives the same chat: several times what 100,000
# floors take. Who gives up knows nothing of what is due.
PATIENCE_S = 60.0


def derive(ctx: JobContext, store: ChatStore, unknown: str = "speakers") -> bool:
    """Bring knowledge up to date; returns whether there was anything to do. Raises Cancelled.

    Messages first, then what tells of them. Each part is committed as it is finished: a kill
    leaves the rest as due, and nobody knows that until it is derived. ``unknown`` says who knows
    a message of which nobody can tell who was there: ``speakers`` or ``nobody``.
    """
    if store.database.is_read_only or not store.knowledge.has_due():
        return False
    if not store.deriving.acquire(timeout=PATIENCE_S):
        return False
    try:
        _derive(ctx, store, unknown)
    finally:
        store.deriving.release()
    return True


def _derive(ctx: JobContext, store: ChatStore, unknown: str) -> None:
    people = People.of(store)
    TurnDeriver(store, people, present_cast(store), unknown).derive(ctx)
    MemoryDeriver(store, people).derive(ctx)
