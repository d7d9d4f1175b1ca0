"""A second hop counts where the question needs it: who is meant by a relation it names."""

from __future__ import annotations

from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import make_event, story_rows, write_chat

CTX = NullContext()


def event(summary, floor, *names, relation=None):
    entities = tuple(ExtractedEntity(name, "char") for name in names)
    relations = (ExtractedRelation(*relation),) if relation else ()
    data = PlotExtraction(summary, entities=entities, relations=relations)
    return make_event(summary, floor, floor + 1, raw_data=data)


def test_the_master_of_somebody_is_found_by_what_is_told_of_the_master(open_memory, tmp_path):
    memory = open_memory(**{"embed.local": "use"})
    chat = memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(60))
    ).chat_id
    store = memory.session.chat(chat)
    told = [
        event(
            "林晚拜老陈为师，从此称他师父。", 0, "林晚", "老陈", relation=("林晚", "师父", "老陈")
        ),
        event("老陈在北边的灯塔里度过了整个冬天。", 2, "老陈"),
        *[event(f"林晚在集市上买下第{n}件旧货。", 4 + n * 2, "林晚") for n in range(12)],
        *[event(f"众人谈起第{n}场雨。", 30 + n * 2, "众人") for n in range(12)],
    ]
    with store.database.writing():
        store.events.add(told, 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)

    def place(text):
        hits = memory.recall.ask(CTX, chat, RecallQuery(text, 10, kinds=("event",))).hits
        return next((h.rank for h in hits if "灯塔" in h.item.content), 99)

    assert place("林晚的师父过得怎么样？") <= 2
    assert place("林晚的旧货") > 2
