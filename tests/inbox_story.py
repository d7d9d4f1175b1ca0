"""A story in whose inbox every kind of thing waits."""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.changes import ADD, StepLabel
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line, new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.draft import Draft
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.events.blocks import source_hash
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, make_event, make_extraction
from tests.findings_stories import stories

STORY = next(story for story in stories() if story.name == "kuiniu")
DUE = "我们到了木卫二。"  # what one of the promises of the story waits for
UNBORNE = "厨师在甲板上种了三亩西瓜，还请来一支铜管乐队。"


def fill_inbox(memory: Memory, folder: Path, *, stale: int = 1, drafts: int = 1) -> str:
    """Make the chat; return its id. ``stale`` and ``drafts`` say how many there are of those."""
    rows = [*STORY.messages, (STORY.messages[-1][0], DUE)]
    chat_id = import_chat(memory, folder / "夔牛号.jsonl", rows)
    store = memory.session.chat(chat_id)
    last = len(rows) - 1
    events = [
        make_event(
            f"第{n}件事，早就改过原文了。", n % last, n % last, is_stale=True, extractor="llm"
        )
        for n in range(stale)
    ]
    twin = "大副把备用钥匙交给了轮机长。"
    events += [make_event(twin, n, n, confidence="confirmed") for n in (3, 4)]
    events.append(make_event(UNBORNE, 5, 6, extractor="llm", confidence="model"))
    with store.step(StepLabel(ADD, {"summary": "…"})):
        store.events.add(events, 1)
        ids = [new_id(), new_id()]
        store.entity_writes.add([(ids[0], "林晓", "char"), (ids[1], "林曉", "char")], 1)
        why = Phrase("described alike: {facts}", "suggestions", facts="姓名")
        store.suggestions.add([(ids[0], ids[1], 0.8, (why,))], 1)
    for n in range(drafts):
        _draft(memory, chat_id, n % (last - 1), f"第{n}份草稿说的事。")
    _draft(memory, chat_id, last - 1, "")
    return chat_id


def _draft(memory: Memory, chat_id: str, floor: int, summary: str) -> None:
    """Keep a draft of one floor: one that waits, or without a summary one that failed."""
    store = memory.session.chat(chat_id)
    span = SourceRange(floor, floor)
    store.drafts.keep(
        Draft(
            new_id(),
            MAIN_BRANCH,
            span,
            source_hash(store, MAIN_BRANCH, (floor, floor)),
            "",
            "new",
            "waiting" if summary else "failed",
            "llm",
            "m",
            "" if summary else "Sorry.",
            ((make_extraction(summary), span),) if summary else (),
            "" if summary else "The answer is no JSON.",
        )
    )


def kinds(memory: Memory, chat_id: str) -> list[str]:
    """Return the kinds of what waits, in its order."""
    listed, _every = memory.inbox.waiting(NullContext(), Line.main(chat_id))
    return [item.kind for item in listed.waiting]
