"""Is the whole story told within its limit at any length of a chat?

    python -m benchmarks.story_at_scale [MESSAGES]

Imports the bundled story told again and again (100,000 messages unless said otherwise), summarises
it without a model in stretches, and consolidates after each, as automation does. Printed after each
stretch: events made, outlines by level, what the story so far costs, and the share of the floors it
covers.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.outline import cost_of
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.macro_scope import summary_events
from tests.factories import open_keyless, write_chat
from tests.scripted_model import STORY

CTX = NullContext()
STRETCH = 20_000
LIMIT = 4096
NEWEST = 3


def story(messages: int, memory: Memory, folder: Path) -> str:
    """Import a chat of so many messages; returns its id."""
    first = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id or ""
    told = [(m.name, m.text) for m in memory.messages.slice(Line.main(first), 0, 10_000)]
    rows = []
    for n in range(messages):
        name, text = told[n % len(told)]
        rows.append((name, f"{text}（第{n // len(told) + 1}轮）"))
    return memory.imports.import_file(CTX, write_chat(folder / "长篇.jsonl", rows)).chat_id or ""


def main() -> None:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as place:
        memory = open_keyless(
            Path(place) / "library",
            settings={
                "visible.tokens": LIMIT,
                "visible.newest": NEWEST,
            },
        )
        chat = story(messages, memory, Path(place))
        print(" floors | events | told, by level | tokens | covered | summarise | archive")
        failed = False
        for first in range(0, messages, STRETCH):
            last = min(messages, first + STRETCH) - 1
            began = time.perf_counter()
            memory.pipeline.summarise(CTX, Line.main(chat), (first, last), "extractive")
            made = time.perf_counter()
            memory.pipeline.consolidate(CTX, Line.main(chat), keep=NEWEST)
            done = time.perf_counter()
            told = summary_events(memory.session.chat(chat), "main", LIMIT, NEWEST)
            spans = [(e.source_range.start_index, e.source_range.end_index) for e in told]
            floors = {n for a, b in spans for n in range(a, b + 1)}
            covered = len(floors & set(range(last + 1))) / (last + 1)
            levels = dict(sorted(Counter(e.level for e in told).items()))
            print(
                f"{last + 1:>7,} | {memory.events.counts(Line.main(chat)).total:>6,} | {levels!s} |"
                f" {cost_of(told):>6,} | {covered:>7.3f}"
                f" | {made - began:>7.1f} s | {done - made:.1f} s",
                flush=True,
            )
            failed |= cost_of(told) > LIMIT
        memory.close()
    print(f"limit {LIMIT:,}: {'passed' if failed else 'kept'}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
