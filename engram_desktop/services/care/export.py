"""Write a chat's memory to open formats. New files only: nothing of the user's is overwritten.

Events are read and written some at a time: all 100,000 of a long chat at once took 2.1 GB.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt.engram_file import engram_file
from engram_desktop.services.library.json_pieces import document
from engram_desktop.services.library.whole_file import write_new_parts
from engram_desktop.services.prompts.prompts import Language
from engram_desktop.services.worldbooks.chat_language import card_of, chat_language
from engram_desktop.services.worldbooks.memory_book import write_memory_book
from engram_desktop.storage.chat.chat_store import ChatStore

_LAMPS: dict[Language, dict[str, str]] = {
    "zh": {"outline": "大纲", "buffer": "常驻", "archived": "归档"},
    "en": {"outline": "outline", "buffer": "buffer", "archived": "archived"},
}
_PAGE = 200
ExportForm = Literal["markdown", "json", "worldbook", "engram"]


def event_fields(event: EventNode) -> dict[str, Any]:
    """Every field of an event, as the command line and JSON exports give it."""
    return {
        "pk": event.pk,
        "id": event.id,
        "branch_id": event.branch_id,
        "summary": event.summary,
        "structured_kv": event.structured_kv.to_json(),
        "raw_data": event.raw_data.to_json(),
        "display_text": event.display_text,
        "status": event.status,
        "is_archived": event.is_archived,
        "is_embedded": event.is_embedded,
        "level": event.level,
        "start_index": event.source_range.start_index,
        "end_index": event.source_range.end_index,
        "significance_score": event.significance_score,
        "timestamp": event.timestamp,
        "order_key": event.order_key,
        "parent_id": event.parent_id,
        "kind": event.kind,
        "source_hash": event.source_hash,
        "extractor": event.extractor,
        "confidence": event.confidence,
        "origin": event.origin,
        "scope": event.scope,
        "owner": event.owner,
        "condition": event.condition,
        "participants": list(event.participants),
        "is_locked": event.is_locked,
        "is_stale": event.is_stale,
        "is_deleted": event.is_deleted,
    }


def _event_pages(ctx: JobContext, store: ChatStore, branch_id: str) -> Iterator[list[EventNode]]:
    """Yield the events of a branch in story order, page by page. Raises Cancelled."""
    pks = store.events.find(EventQuery(branch_id=branch_id))
    for start in range(0, len(pks), _PAGE):
        ctx.report(start, len(pks), "export")
        page = pks[start : start + _PAGE]
        found = store.events.fetch(page)
        yield [found[pk] for pk in page if pk in found]


def graph_data(store: ChatStore, branch_id: str = MAIN_BRANCH) -> dict[str, Any]:
    """The whole graph as node-link data: what networkx reads with ``edges="links"``."""
    entities = store.entities.find("", 1_000_000, branch_id)
    ids = [e.id for e in entities]
    return {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [
            {
                "id": e.id,
                "name": e.name,
                "type": e.type,
                "aliases": list(e.aliases),
                "description": e.description,
                "events": e.event_count,
            }
            for e in entities
        ],
        "links": [
            {
                "source": r.src,
                "target": r.dst,
                "key": r.id,
                "predicate": r.predicate,
                "events": list(r.event_ids),
                "valid_from": r.valid_from,
                "valid_to": r.valid_to,
                "is_current": r.is_current,
                "superseded_by": r.superseded_by,
                "is_by_hand": r.is_by_hand,
            }
            for r in store.entities.relations_among(ids, branch_id)
        ],
    }


def graphml(store: ChatStore, branch_id: str = MAIN_BRANCH) -> str:
    """The whole graph as GraphML. Its lists are joined: the format knows none."""
    import networkx as nx  # noqa: PLC0415 - 0.1 s, for this one command

    data = graph_data(store, branch_id)
    for row in [*data["nodes"], *data["links"]]:
        row |= {key: "; ".join(value) for key, value in row.items() if isinstance(value, list)}
        for key in [key for key, value in row.items() if value is None]:
            del row[key]
    graph = nx.node_link_graph(data, edges="links")
    return "\n".join(nx.generate_graphml(graph))


def export(
    ctx: JobContext,
    store: ChatStore,
    name: str,
    target: Path,
    form: ExportForm,
    branch_id: str = MAIN_BRANCH,
) -> int:
    """Write ``target``; returns how many events or entries it holds. Raises InputError."""
    if form == "worldbook":
        return write_memory_book(ctx, store, name, target, branch_id)
    written = 0

    def wanted() -> Iterator[EventNode]:
        nonlocal written
        for page in _event_pages(ctx, store, branch_id):
            for event in page:
                if form != "engram" or event.scope == "global":
                    written += 1
                    yield event

    events = wanted()
    match form:
        case "markdown":
            parts = _markdown(name, events, chat_language(store, branch_id))
        case "engram":
            parts = engram_file(store, events, branch_id)
        case _:
            parts = _json(store, name, events, branch_id)
    write_new_parts(target, (part.encode("utf-8", "replace") for part in parts))
    return written


def _markdown(name: str, events: Iterator[EventNode], language: Language) -> Iterator[str]:
    yield f"# {name}"
    for event in events:
        source = event.source_range
        lamp = _LAMPS[language]["outline" if event.level else event.status]
        title = f"## {source.start_index}–{source.end_index} · {lamp}"
        yield f"\n\n{title}\n\n{card_of(event, language)}"
    yield "\n"


def _json(
    store: ChatStore, name: str, events: Iterator[EventNode], branch_id: str
) -> Iterator[str]:
    graph = graph_data(store, branch_id)
    yield from document(
        {
            "format": "engram",
            "version": 1,
            "chat": {"chat_id": store.chat_id, "name": name},
            "events": map(event_fields, events),
            "entities": iter(graph["nodes"]),
            "relations": iter(graph["links"]),
        }
    )
    yield "\n"
