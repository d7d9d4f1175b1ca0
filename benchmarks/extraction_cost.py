"""What summarising costs: calls and tokens per 1,000 messages of the bundled story.

    python -m benchmarks.extraction_cost

A scripted model on the loopback answers; nothing leaves this computer. Tokens are estimated with
the program's own counter (`domain.text.tokens`). The floor is the story itself: every message once.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from tests.factories import model_at, open_keyless
from tests.fake_openai import FakeOpenAI
from tests.scripted_model import STORY, answer

CTX = NullContext()


def measure(folder: Path, interval: int) -> tuple[int, int, int, int]:
    """Summarise the story; returns messages, calls, tokens asked, tokens of the messages alone."""
    with FakeOpenAI(answer=answer) as server:
        memory = open_keyless(
            folder,
            settings={
                **model_at(server.url, "fake"),
                "summary.interval": interval,
            },
        )
        chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id or ""
        memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
        told = memory.messages.slice(Line.main(chat), 0, 10_000)
        memory.close()
        asked = sum(
            estimate_tokens(m["content"]) for body in server.bodies() for m in body["messages"]
        )
        return len(told), len(server.bodies()), asked, sum(estimate_tokens(m.text) for m in told)


def main() -> None:
    print("floors per call | calls per 1,000 | prompt tokens per 1,000 | against the text alone")
    for interval in (15, 20, 25):
        with tempfile.TemporaryDirectory() as folder:
            messages, calls, asked, floor = measure(Path(folder), interval)
        print(
            f"{interval:>15} | {calls / messages * 1000:>15.1f} |"
            f" {asked / messages * 1000:>23,.0f} | {asked / floor:>22.2f}x"
        )


if __name__ == "__main__":
    main()
