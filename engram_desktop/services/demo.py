"""Import, summarise, consolidate and recall the bundled story. Needs no API key.

A second run adds and archives nothing.
"""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import JobContext
from engram_desktop.places import resource
from engram_desktop.services.memory import Memory

STORY = "story/月光酒馆.jsonl"
QUESTION = "爱丽丝的铜钥匙是从哪里来的？"
NEWEST = 24  # floors whose events stay in the buffer, so that both green and blue lamps can be seen


def run_demo(memory: Memory, ctx: JobContext) -> dict[str, Any]:
    """Run the demo; returns what it made."""
    report = memory.imports.import_file(ctx, resource(STORY))
    chat_id = str(report.chat_id)
    last = report.messages - 1
    older = memory.pipeline.summarise(ctx, Line.main(chat_id), (0, last - NEWEST), "extractive")
    archived = memory.pipeline.consolidate(ctx, Line.main(chat_id)).archived if older.floors else 0
    newer = memory.pipeline.summarise(
        ctx, Line.main(chat_id), (last - NEWEST + 1, last), "extractive"
    )
    memory.index.update(ctx, chat_id)
    result = memory.recall.ask(ctx, chat_id, RecallQuery(QUESTION, top_k=5))
    counts = memory.events.counts(Line.main(chat_id))
    graph = memory.graph.node_link(Line.main(chat_id))
    return {
        "library": str(memory.folder),
        "chat_id": chat_id,
        "name": memory.chats.name(chat_id),
        "messages": report.messages,
        "events_added": older.events_added + newer.events_added,
        "consolidated": archived,
        "events": counts.total,
        "buffer": counts.buffer,
        "archived": counts.archived,
        "entities": len(graph["nodes"]),
        "relations": len(graph["links"]),
        "query": QUESTION,
        "recalled": [
            {
                "kind": hit.item.kind,
                "start_index": hit.item.start_index,
                "end_index": hit.item.end_index,
                "text": " ".join(hit.item.content.split())[:120],
                "score": hit.score,
            }
            for hit in result.hits
        ],
    }
