"""A story that tells of facts, one in each ten messages, as the graph has them."""

from __future__ import annotations

from collections.abc import Mapping

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.chat.chat_store import ChatStore
from tests.factories import make_event, make_extraction, make_message


def tell_facts(
    store: ChatStore, *facts: tuple[str, str, str], kinds: Mapping[str, EntityType] | None = None
) -> None:
    """Tell (subject, predicate, object) in messages of their own, and consolidate them.

    The subject is a person; what ``kinds`` names is an entity of that kind as well.
    """
    with store.database.writing():
        messages = [make_message(f"第{n}句") for n in range(len(facts) * 10)]
        store.messages.append("main", 0, messages)
    events = []
    for n, fact in enumerate(facts):
        told = [ExtractedEntity(fact[0], "char")]
        told += [ExtractedEntity(fact[2], kind) for kind in [(kinds or {}).get(fact[2])] if kind]
        data = make_extraction(
            f"事{n}", entities=tuple(told), relations=(ExtractedRelation(*fact),)
        )
        events.append(make_event(f"事{n}", n * 10, n * 10 + 9, raw_data=data))
    with store.step(StepLabel(IMPORT, {"count": len(facts)})):
        store.events.add(events, store.clock())
    consolidate(store, NullContext(), HashEmbedder(16), None)
