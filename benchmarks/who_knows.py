"""Who is told what: ``python -m benchmarks.who_knows [--held-back] [--model URL] [--show]``.

Stories in which one card speaks for several persons (`tests/omniscience/told`). Everybody is asked
about every secret at a few floors, on every road of the omniscience set: a forbidden answer leaks
where the words of the secret are shown, an allowed one is found where they are. With ``--model``
one behind an endpoint says who was there; all floors are read, as where the story has gone on.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from engram_desktop.services.memory import Memory
from tests.omniscience.asking import CTX, ask_everything, import_story
from tests.omniscience.reader import read_story, read_told_story, told_stories

AIMS = "aims: leaked .03, found .70"


def measure(name: str, *, show: bool, model: str = "") -> tuple[Counter[str], float, float]:
    """Return the counts of a story; prints what leaked and what was missed where ``show``."""
    story = read_story(name) if name in ("zh", "en") else read_told_story(name)
    with tempfile.TemporaryDirectory() as folder:
        environ = {"ENGRAM_LLM_BASE_URL": model, "ENGRAM_LLM_MODEL": "model"} if model else {}
        memory = Memory.open(Path(folder) / "library", environ=environ)
        memory.settings.set("keys.storage", "session")
        if model:
            memory.settings.set("llm.timeout", 1800)
            memory.settings.set("summary.newest", 0)
        memory.settings.set("embed.local", "hash")
        memory.settings.set("index.backend", "exact")
        main = import_story(memory, story, Path(folder))
        memory.pipeline.summarise(CTX, main)
        last = len(story.main) - 1
        tally = ask_everything(memory, story, main, [last // 2, None])
        if show:
            for row in sorted({(*row[1:4], row[5], row[0]) for row in tally.leaked}, key=str):
                print("  leaked:", *row)
            for question, actor, at in tally.not_found:
                print("  not found:", question, actor, at)
        memory.close()
    forbidden = tally.asked - tally.known
    wrong = len({row[1:] for row in tally.leaked})
    counts = Counter(forbidden=forbidden, leaked=wrong, allowed=tally.known, found=tally.found)
    return counts, wrong / max(1, forbidden), tally.found_share


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--held-back", action="store_true")
    parser.add_argument("--groups", action="store_true", help="the group chats instead")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--model", default="", metavar="URL")
    args = parser.parse_args()
    whole: Counter[str] = Counter()
    names = ["zh", "en"] if args.groups else told_stories(held_back=args.held_back)
    for name in names:
        counts, leaked, found = measure(name, show=args.show, model=args.model)
        whole += counts
        print(f"{name}: leaked {leaked:.3f}, found {found:.3f}", dict(counts))
    leaked = whole["leaked"] / max(1, whole["forbidden"])
    print(f"all: leaked {leaked:.3f}, found {whole['found'] / max(1, whole['allowed']):.3f}", AIMS)


if __name__ == "__main__":
    main()
