"""Derive who knows what, as far as anything that it is derived from has changed."""

from __future__ import annotations

from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import People, present_cast
from engram_desktop.services.knowledge.memories import MemoryDeriver
from engram_desktop.services.knowledge.turns import TurnDeriver
from engram_desktop.storage.chat.chat_store import ChatStore


def derive(ctx: JobContext, store: ChatStore, unknown: str = "speakers") -> bool:
    """Bring knowledge up to date; returns whether there was anything to do. Raises Cancelled.

    Messages first, then what tells of them. Each part is committed as it is finished: a kill
    leaves the rest as due, and nobody knows that until it is derived. ``unknown`` says who knows
    a message of which nobody can tell who was there: ``speakers`` or ``nobody``.
    """
    if store.database.is_read_only or not store.knowledge.has_due():
        return False
    people = People.of(store)
    TurnDeriver(store, people, present_cast(store), unknown).derive(ctx)
    MemoryDeriver(store, people).derive(ctx)
    return True
