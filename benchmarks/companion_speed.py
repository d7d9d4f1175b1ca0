"""How long the server takes to be told of one more message, in a chat of 10,000 and of 100,000.

    python -m benchmarks.companion_speed [MESSAGES ...]

Rows are made up and as long as a story's; what is timed is all that the library does for it.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import require
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests import companion

_TIMES = 9  # changes that are timed, of which the median is told
_PER_PIECE = 800  # rows of one piece: about as much as the companion sends at once


def main(sizes: list[int]) -> None:
    companion.PER_PIECE = _PER_PIECE
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            memory = Memory.open(Path(name) / "library", environ={})
            try:
                print(f"{size} messages: {_measured(memory, size)}", flush=True)
            finally:
                memory.close()


def _measured(memory: Memory, size: int) -> str:
    ctx = NullContext()
    teller = companion.Teller(lambda event: memory.serving.told(ctx, event))
    chat = teller.chat("Mira.png", "long", slip="1")
    rows = [
        json.dumps({"name": "Mira", "mes": f"{n} " + "她把铜钥匙放回抽屉。" * 20})
        for n in range(size)
    ]
    begun = time.perf_counter()
    teller.tell(chat, {"chat_metadata": {"integrity": "1"}}, rows)
    whole = time.perf_counter() - begun
    changes = []
    for n in range(_TIMES):
        rows.append(json.dumps({"name": "Anna", "is_user": True, "mes": f"And then, {n}?"}))
        begun = time.perf_counter()
        teller.tell(chat, {"chat_metadata": {"integrity": "1", "n": n}}, rows)
        changes.append(time.perf_counter() - begun)
    kept = memory.chats.all()[0].messages
    require(kept == len(rows), f"of {len(rows)} messages that were told {kept} are kept")
    return f"whole {whole:.2f} s, one more {statistics.median(changes) * 1000:.0f} ms"


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [10_000, 100_000])
