"""A bench: kill real commands at any moment and count what is lost and what is left behind.

python -m benchmarks.kills [KILLS [SEED]]     200 and 5 by default, about ten minutes

Each kill hits `import`, `backup`, `restore`, `reindex`, `trim`, `undo`, `export --keep`, `watch` or
a summary by a model, at a moment of its run chosen by a seeded chance. Afterwards the library is
opened and `doctor` looks at it. Counted: messages and events that were there before and are not,
databases that are not whole, chats too many or empty, folders the catalogue does not know, copies
left in backups/, blocks asked of the model twice, and floors of a followed chat that differ from
its file once `watch` ran to its end.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import BACKUP_ENDING
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.tavern import TavernChatFile, make_tavern

ROOT = Path(__file__).parents[1]
ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)
CODE = "import sys; from engram_desktop.cli.main import main; sys.exit(main(sys.argv[1:]))"


class Trial:
    """One library, and what happened to it."""

    def __init__(self, place: Path, url: str) -> None:
        self.place, self.library = place, place / "library"
        self.found: Counter[str] = Counter()
        self.longest: dict[str, float] = {}
        self.story = write_chat(place / "故事.jsonl", story_rows(600))
        self.other = write_chat(place / "另.jsonl", [(w, f"另{t}") for w, t in story_rows(4000)])
        self.run("import", str(self.story))
        self.run("summarise", "故事", "--extractor", "extractive", "--all")
        self.run("consolidate", "故事")
        self.backup = json.loads(self.run("backup", "--json"))["file"]
        user = make_tavern(place / "tavern")
        self.watch = ["watch", str(place / "tavern"), "--once"]
        self.played = TavernChatFile(user / "chats" / "露娜" / "露娜.jsonl", "露娜")
        self.played.say(*(text for _who, text in story_rows(1500)))
        self.run(*self.watch)
        for key, value in (("llm.base_url", url), ("llm.model", "m"), ("visible.tokens", "400")):
            self.run("settings", key, value)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", CODE, *words, "--library", str(self.library)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.place,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def run(self, *words: str) -> str:
        process = self.start(*words)
        out, err = process.communicate()
        self.note_failure(words, process, err)
        return out

    def note_failure(self, words: Sequence[str], process: subprocess.Popen[str], err: str) -> None:
        if process.returncode:
            self.found[f"failed ({words[0]})"] += 1
            print(words, process.returncode, err[-2000:], file=sys.stderr)

    def kill(self, words: list[str], chance: random.Random) -> None:
        """Run ``words`` and kill them somewhere; the first run of a kind says how long it takes."""
        started = time.monotonic()
        process = self.start(*words)
        limit = self.longest.get(words[0], 3.0)
        try:
            _out, err = process.communicate(timeout=0.4 + chance.random() * limit)
            self.note_failure(words, process, err)
            self.longest[words[0]] = time.monotonic() - started
            self.found["not killed: it was done"] += 1
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.found["killed"] += 1

    def play_on(self, chance: random.Random) -> None:
        """Rewrite the followed chat and begin another, as an evening of play does."""
        floor = chance.randrange(1, len(self.played.rows) - 10)
        self.played.edit(floor, f"改过的第{floor}句，第{self.played.saves}次。")
        self.played.delete(floor + 3)
        self.played.say(*(f"新的第{n}句，第{self.played.saves}次。" for n in range(60)))
        for old in self.played.path.parent.glob("另开*"):
            old.unlink()
        number = self.played.saves
        other = TavernChatFile(self.played.path.with_name(f"另开{number}.jsonl"), "露娜")
        other.say(*(f"另{number}：{text}" for _who, text in story_rows(2000)))

    def follow_to_the_end(self) -> None:
        """Let `watch` finish what was killed, and hold the library against the files."""
        self.run(*self.watch)
        memory = Memory.open(self.library, environ={})
        held = Counter(
            tuple(m.text for m in memory.messages.slice(Line(chat.chat_id, branch.id), 0, 100_000))
            for chat in memory.chats.all()
            for branch in memory.branches.all(chat.chat_id)
        )
        memory.close()
        for path in self.played.path.parent.iterdir():
            rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()][1:]
            if held[tuple(row["mes"] for row in rows)] != 1:
                self.found["files that are not one line of the library (watch)"] += 1

    def look(self, verb: str, messages: int, events: int) -> None:
        """Open the library as the next start does, and count."""
        memory = Memory.open(self.library, environ={})
        chats = memory.chats.all()
        named = Counter(chat.name for chat in chats)
        story = next((chat for chat in chats if chat.name == "故事"), None)
        folders = {path.name for path in (self.library / "chats").iterdir()}
        known = {chat.chat_id for chat in chats}
        left = [p.name for p in (self.library / "backups").iterdir() if p.suffix != BACKUP_ENDING]
        findings = memory.care.doctor(NullContext())
        self.found["settled at opening"] += len(memory.care.repaired_at_opening())
        for finding in findings:
            if not finding.is_ok and not finding.repaired:
                self.found[f"doctor: {finding.what}"] += 1
        memory.close()
        for what, count in (
            ("messages lost", max(0, messages - (story.messages if story else 0))),
            ("events lost", max(0, events - (story.events if story else 0))),
            ("chats of one name", sum(named.values()) - len(named)),
            ("empty chats", sum(not chat.messages for chat in chats)),
            ("chats half imported", sum(c.name == "另" and c.messages < 4000 for c in chats)),
            ("stray folders", len(folders - known)),
            ("left in backups", len([name for name in left if name not in known])),
            ("faults of doctor", sum(not f.is_ok and not f.repaired for f in findings)),
        ):
            if count:
                self.found[f"{what} ({verb})"] += count


def main(kills: int, seed: int) -> None:
    chance = random.Random(seed)
    place = Path(tempfile.mkdtemp())
    with FakeOpenAI(answer=lambda _body: ANSWER) as server:
        trial = Trial(place, server.url)
        whole = place / "whole"
        shutil.copytree(trial.library, whole)
        listed = json.loads(trial.run("chats", "--json"))
        before = next(chat for chat in listed if chat["name"] == "故事")
        works = [
            ["import", str(trial.other)],
            ["backup"],
            ["restore", trial.backup],
            ["reindex", "故事"],
            ["trim", "故事", "--extractor", "extractive"],
            ["undo", "故事"],
            ["export", "故事", "--format", "worldbook", "--keep", "-o", "book.json"],
            ["summarise", "故事", "--range", "0-599", "--extractor", "llm"],
            trial.watch,
        ]
        for number in range(kills):
            shutil.rmtree(trial.library)
            shutil.copytree(whole, trial.library)
            (place / "book.json").unlink(missing_ok=True)
            work = works[number % len(works)]
            asked = len(server.seen)
            if work is trial.watch:
                trial.play_on(chance)
            trial.kill(work, chance)
            is_model = work[0] == "summarise"
            takes_away = work[0] in {"undo", "trim", "summarise"}
            trial.look(work[0], before["messages"], 0 if takes_away else before["events"])
            if work is trial.watch:
                trial.follow_to_the_end()
            if is_model:
                trial.run(*work)
                bodies = Counter(json.dumps(b.body["messages"]) for b in server.seen[asked:])
                trial.found["blocks asked"] += len(bodies)
                trial.found["blocks asked twice"] += sum(n > 1 for n in bodies.values())
            if number % 25 == 24:
                print(number + 1, dict(trial.found), flush=True)
    print(json.dumps(trial.found, ensure_ascii=False, indent=1))
    shutil.rmtree(place)


if __name__ == "__main__":
    kills, seed = (*map(int, sys.argv[1:]), *(200, 5)[len(sys.argv) - 1 :])
    main(kills, seed)
