"""Write a chat's memory to open formats. New files only: nothing of the user's is overwritten.

Events are read and written some at a time: all 100,000 of a long chat at once took 2.1 GB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.event_fields import event_fields
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.scope import ORDINARY, Actor
from engram_desktop.domain.reports import ExportForm
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt.engram_file import engram_file
from engram_desktop.services.graph.node_link import graph_data
from engram_desktop.services.library.json_pieces import document
from engram_desktop.services.library.whole_file import write_new_parts
from engram_desktop.services.prompts.prompts import Language
from engram_desktop.services.worldbooks.chat_language import card_of, chat_language
from engram_desktop.services.worldbooks.memory_worldbook import write_memory_worldbook
from engram_desktop.storage.chat.chat_store import ChatStore

_LAMPS: dict[Language, dict[str, str]] = {
    "zh": {"outline": "大纲", "buffer": "常驻", "archived": "归档"},
    "en": {"outline": "outline", "buffer": "buffer", "archived": "archived"},
}
_PAGE = 200  # events read at once, so that a job can be cancelled in between


def _event_pages(
    ctx: JobContext, store: ChatStore, branch_id: str, actors: Sequence[Actor]
) -> Iterator[list[EventNode]]:
    """Yield the events of a branch in story order, page by page. Raises Cancelled."""
    pks = store.events.find(EventQuery(branch_id=branch_id, actors=tuple(actors)))
    for start in range(0, len(pks), _PAGE):
        ctx.report(start, len(pks), "export")
        page = pks[start : start + _PAGE]
        events = store.events.fetch(page)
        yield [events[pk] for pk in page if pk in events]


def export(
    ctx: JobContext,
    store: ChatStore,
    name: str,
    target: Path,
    form: ExportForm,
    branch_id: str = MAIN_BRANCH,
    actors: Sequence[Actor] = (),
) -> int:
    """Write ``target``; returns how many events or entries it holds. Raises InputError.

    With ``actors`` only what all of them know.
    """
    if form == "worldbook":
        return write_memory_worldbook(ctx, store, name, target, branch_id, actors=actors)
    count = 0

    def exported() -> Iterator[EventNode]:
        nonlocal count
        for page in _event_pages(ctx, store, branch_id, actors):
            for event in page:
                if form != "engram" or event.scope in ORDINARY:
                    count += 1
                    yield event

    events = exported()
    match form:
        case "markdown":
            parts = _markdown(name, events, chat_language(store, branch_id))
        case "engram":
            parts = engram_file(store, events, branch_id, actors)
        case _:
            parts = _json(store, name, events, branch_id, actors)
    write_new_parts(target, (part.encode("utf-8", "replace") for part in parts))
    return count


def _markdown(name: str, events: Iterator[EventNode], language: Language) -> Iterator[str]:
    yield f"# {name}"
    for event in events:
        source = event.source_range
        lamp = _LAMPS[language]["outline" if event.level else event.status]
        title = f"## {source.start_index}–{source.end_index} · {lamp}"
        yield f"\n\n{title}\n\n{card_of(event, language)}"
    yield "\n"


def _json(
    store: ChatStore,
    name: str,
    events: Iterator[EventNode],
    branch_id: str,
    actors: Sequence[Actor],
) -> Iterator[str]:
    graph = graph_data(store, branch_id, actors)
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
