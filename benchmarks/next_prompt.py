"""What a prompt costs in play, where claims are many: ``python -m benchmarks.next_prompt [N …]``.

The stories of `tests/findings_stories` one after the other, written by one narrator and one player,
up to N floors (2,000 and 10,000 unless said otherwise). Claims and who knows what are read; then a
prompt is made after each of twenty new messages, after each of twenty swipes of the newest reply,
for the curator and as one person, and once in a library that was just opened. The floor is the same
prompt asked again, when nothing is new. Times are of this process's processor, in ms.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from benchmarks import require
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import open_keyless, write_chat
from tests.findings_stories import stories

CTX = NullContext()
ROUNDS = 20
PLAYER, NARRATOR = "旅人", "说书人"
ASKED = "他答应过什么，后来怎么样了？"


def told(count: int) -> list[tuple[str, str]]:
    """Return the first ``count`` messages of the stories, told over and over."""
    rows = [
        (PLAYER if name == story.player else NARRATOR, text)
        for story in stories()
        for name, text in story.messages
    ]
    return list(islice(cycle(rows), count))


def spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def measure(count: int, folder: Path) -> None:
    memory = open_keyless(folder / "library")
    rows = told(count + ROUNDS)
    file = write_chat(folder / "story.jsonl", rows[:count], user=PLAYER)
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    read = spent(lambda: memory.findings.read(CTX, line))
    known = spent(lambda: memory.knowledge.derive(CTX, line.chat_id))

    def recalls(actor: str) -> bool:
        query = RecallQuery(ASKED, actor=actor or None)
        return bool(memory.inject.compose(CTX, line.chat_id, query).hits)

    def prompt(actor: str = "") -> None:
        require(recalls(actor), f"nothing was recalled for {actor or 'the curator'}")

    persons = [n for n in memory.knowledge.actors(CTX, line) if n not in (PLAYER, NARRATOR)]
    actor = next(
        filter(recalls, persons)
    )  # the question is Chinese, and so are half of the stories

    def rounds(change: Callable[[int], object], actor: str = "") -> list[float]:
        prompt(actor)
        times = []
        for number in range(ROUNDS):
            change(number)
            times.append(spent(lambda: prompt(actor)))
        return sorted(times)

    def goes_on(number: int) -> None:
        name, text = rows[count + number]
        memory.messages.append(line, name, "user" if name == PLAYER else "assistant", text)

    def swipe(number: int) -> None:
        memory.messages.edit(line, memory.messages.count(line) - 1, rows[number][1])

    print(f"{count:,} floors: claims {read / count:.2f}, who knows {known / count:.2f} a message")
    for label, change in (("nothing new", str), ("new message", goes_on), ("swipe", swipe)):
        for who in ("", actor):
            times = rounds(change, who)
            p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
            print(f"  {label:<12} {'as ' + who if who else 'curator':<10} {p50:6.0f} {p95:6.0f}")
    memory.close()
    memory = open_keyless(folder / "library")
    print(f"  just opened  curator    {spent(prompt):6.0f}")
    memory.close()


def main() -> None:
    for count in [int(n) for n in sys.argv[1:]] or [2_000, 10_000]:
        with tempfile.TemporaryDirectory() as folder:
            measure(count, Path(folder))


if __name__ == "__main__":
    main()
