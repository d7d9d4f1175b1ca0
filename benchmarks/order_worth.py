"""What is it worth to summarise a story in its order, and what does it cost in time?

    python -m benchmarks.order_worth

A scripted model reads the bundled story block by block and knows only what each request shows it.
For every block after the first two figures are taken: whether the block before it was told already,
and which of the names that earlier blocks brought up and this one mentions stand in the request.
Rounds are requests that have to wait for one another: the time it takes, in answers.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.pipeline.summarise import runs_of
from tests.factories import model_at, open_keyless
from tests.fake_openai import FakeOpenAI
from tests.scripted_model import STORY, answer, shown

CTX = NullContext()
NAMES = tuple("旅人 爱丽丝 凯尔 莉莉丝 铜钥匙 月光酒馆 灯塔 银铃 制图 霜桥镇 钟楼 地下室".split())
_FLOOR = re.compile(r"^\[(\d+)\] ", re.MULTILINE)


def requests(parallel: int) -> list[dict[str, Any]]:
    """Summarise the whole story; returns what was asked, in the order of the floors."""
    with FakeOpenAI(answer=answer) as server, tempfile.TemporaryDirectory() as folder:
        memory = open_keyless(
            Path(folder),
            settings={
                **model_at(server.url, "fake"),
                "llm.parallel": parallel,
                "summary.interval": 8,  # blocks enough for several runs
            },
        )
        chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id or ""
        memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
        memory.close()
        bodies = [b for b in server.bodies() if "<chat_history>" in b["messages"][-1]["content"]]
    return sorted(bodies, key=lambda body: int(_FLOOR.findall(shown(body))[0]))


def main() -> None:
    print("at once | blocks | rounds | block before told | names shown of those brought up before")
    for parallel in (1, 2, 4):
        bodies = requests(parallel)
        blocks = [shown(body) for body in bodies]
        numbers = [[int(n) for n in _FLOOR.findall(block)] for block in blocks]
        floors = [(those[0], those[-1]) for those in numbers]
        told = wanted = given = 0
        for n in range(1, len(bodies)):
            before = bodies[n]["messages"][-1]["content"].partition("<chat_history>")[0]
            facts = re.findall(r"^- (.+)$", before, re.MULTILINE)
            story = answer(bodies[n - 1])
            told += any(fact[:12] in story for fact in facts)
            earlier = "".join(blocks[:n])
            due = [name for name in NAMES if name in blocks[n] and name in earlier]
            wanted += len(due)
            given += sum(name in before for name in due)
        rounds = max(len(run) for run in runs_of(floors, parallel))
        print(
            f"{parallel:>7} | {len(bodies):>6} | {rounds:>6} | {told / (len(bodies) - 1):>17.2f} |"
            f" {given / max(1, wanted):.2f}"
        )


if __name__ == "__main__":
    main()
