"""A very long chat against a worldbook:

`python -m benchmarks.worldbook_scan` prints it.

100,000 messages of 65 characters, 1,000 entries, a tenth of them patterns, one of which never ends.
"""

from __future__ import annotations

import json
import random
import sys
import time

import pytest
from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.memory import Memory
from tests.factories import make_chat, make_message

pytestmark = pytest.mark.timeout(900)
MESSAGES, ENTRIES, STREETS = 100_000, 1_000, 3_000


class Limited(NullContext):
    """Cancels itself after some seconds."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    @override
    def check(self) -> None:
        if time.perf_counter() > self._end:
            raise Cancelled


@pytest.fixture(scope="module")
def long_chat(tmp_path_factory):
    chance = random.Random(1)
    folder = tmp_path_factory.mktemp("long")
    memory = Memory.open(folder / "library", environ={})
    memory.settings.set("embed.local", "hash")
    store = make_chat(memory.session.library, "长")
    lines = [
        "，".join(f"第{chance.randrange(STREETS)}条街的灯亮了，她慢慢走过" for _ in range(5))
        for _ in range(MESSAGES)
    ]
    with store.database.writing():
        store.messages.append("main", 0, [make_message(line) for line in lines])
    rows = {
        str(n): {"uid": n, "key": [f"第{n * 7}条街", f"钥匙{n}"], "content": f"内容{n}"}
        for n in range(ENTRIES)
    }
    for n in range(0, ENTRIES, 10):
        rows[str(n)]["key"] = [f"/第{n}[0-9]?条街.{{0,20}}亮了/"]
    rows["5"]["sticky"] = 30
    rows["6"]["key"] = ["/(她|慢|走)+过x/"]
    worldbook = folder / "街.json"
    worldbook.write_text(json.dumps({"entries": rows}), "utf-8")
    memory.imports.import_file(NullContext(), worldbook)
    yield memory, store.chat_id
    memory.close()


@pytest.mark.parametrize("depth", [2, 15_000, 1_000_000])
def test_a_scan_of(long_chat, depth):
    memory, chat = long_chat
    memory.settings.set("lore.depth", depth)
    start = time.perf_counter()
    found = memory.worldbooks.activate(NullContext(), Line.main(chat), ["街"])
    print(f"\ndepth {depth}: {time.perf_counter() - start:.1f} s, {len(found.fired)} fired")
    assert found.fired or depth == 2  # the last two messages need name no street of an entry


def test_cancelling_takes(long_chat):
    memory, chat = long_chat
    memory.settings.set("lore.depth", 1_000_000)
    start = time.perf_counter()
    with pytest.raises(Cancelled):
        memory.worldbooks.activate(Limited(1.0), Line.main(chat), ["街"])
    print(f"\ncancelled after 1 s: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
