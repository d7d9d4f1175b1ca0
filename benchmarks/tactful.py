"""Who is told the truth, and who the lie: ``python -m benchmarks.tactful FILE …``.

FILE holds conversations of TactfulToM: two of four persons go out, the others agree on a lie
(part 2), one comes back and is told (part 3), then the other, who hears the lie (part 4). Prints,
in keyless chats made of them, what each hears of parts 2 and 3, and what stands in prompts.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import write_chat

CTX = NullContext()
_TURN = re.compile(r"^\**(?P<name>\w[\w .'-]{0,30}?):?\**:? +(?P<text>\S.+)", re.MULTILINE)
_PARTS = ("part_1", "part_2", "part_3", "part_4")
_BUDGET = 1500
_LEAST = 2  # words of the question that a line about the lie or its reason shares with it


def measure(memory: Memory, folder: Path, row: dict[str, Any], count: Counter[str]) -> None:
    """Add the figures of one conversation."""
    liar, target = row["characters"]["liar"], row["characters"]["target"]
    accomplice, observer = row["characters"]["accomplice"], row["characters"]["observer"]
    people = [name for name in (liar, target, accomplice, observer) if name]
    turns = [
        (part, m["name"], m["text"])
        for part in _PARTS
        for m in _TURN.finditer(row[part] or "")
        if m["name"] in people
    ]
    messages = [(who, text) for _part, who, text in turns]
    file = write_chat(folder / f"{row['set_id']}.jsonl", messages, "")
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    parts = [part for part, _who, _text in turns]
    gone = max(
        n for n, (p, who, _t) in enumerate(turns) if p < "part_3" and who in (target, observer)
    )
    secret = [n for n, part in enumerate(parts) if part == "part_2" and n > gone]
    told = [n for n, part in enumerate(parts) if part == "part_3"][1:]
    for name in people:
        heard = {m.seq for m in memory.knowledge.heard(CTX, line, name, 0, len(turns) - 1)}
        for floors, who in ((secret, (liar, accomplice)), (told, (liar, accomplice, observer))):
            kind = "allowed" if name in who else "forbidden"
            count[f"{kind} turns"] += len(floors)
            count[f"{kind} turns heard"] += len(heard.intersection(floors))
    memory.pipeline.summarise(CTX, line)
    last = [text for part, _who, text in turns if part == "part_4"]
    for name, asked in ((target, row["lie"]["lie_q"]), (accomplice, row["lie"]["real_reason_q"])):
        if not name or not asked:
            continue
        prompt = memory.inject.compose(
            CTX, line.chat_id, RecallQuery(asked, actor=name), _BUDGET
        ).text
        hidden = [turns[n][2] for n in secret + told]
        if name == target:
            count["prompts of the deceived"] += 1
            count["that hold words kept from them"] += any(_holds(prompt, text) for text in hidden)
            lies = [t for t in last if words_of(t).shared(words_of(asked)) >= _LEAST]
            count["that could tell the lie"] += bool(lies)
            is_told = any(_holds(prompt, text) for text in lies) and "[a lie]" not in prompt
            count["that tell the lie as true"] += is_told
        else:
            count["prompts of the accomplice"] += 1
            count["that hold what was agreed"] += any(_holds(prompt, text) for text in hidden)


def _holds(prompt: str, text: str) -> bool:
    """Whether a prompt holds a whole sentence of a text, of four words or more."""
    sentences = [s.strip() for s in re.split(r"(?<=[.!?]) ", text)]
    return any(s in prompt for s in sentences if len(s.split()) > 3)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    count: Counter[str] = Counter()
    for file in parser.parse_args().files:
        for row in json.loads(file.read_text("utf-8")):
            with tempfile.TemporaryDirectory() as folder:
                memory = Memory.open(Path(folder) / "library", environ={})
                memory.settings.set("embed.local", "hash")
                measure(memory, Path(folder), row, count)
                memory.close()
    for name, number in count.items():
        print(f"{name}: {number}")


if __name__ == "__main__":
    main()
