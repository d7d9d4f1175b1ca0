"""Does what answers a question stand in the prompt, and how much of the budget does it take?

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.prompt_evidence [--sets locomo,zh4o] [--chats 3]
        [--questions 60] [--budgets 500,1000,2000,6000] [--library FOLDER] [--model URL --floors N]

DIR holds `questions.jsonl` (and `questions_beam.jsonl`) and the chats they name. Of every set some
chats are imported, summarised without a model and consolidated, all at default settings; then the
questions are injected with each budget. Beside that, what the simplest thing gives: whole messages
ranked by BM25 (SQLite FTS5), by the built-in embedder, and by both (reciprocal rank fusion), that
fill the same tokens. Printed for each set and budget:

* evidence: mean share of a question's evidence messages that stands in the text, by sentences;
* (words): mean share of the words of the right answer that stand in it;
* tokens used, and milliseconds for one injection.

``--library`` keeps the library between runs. ``--model`` lets a model behind an endpoint summarise
and consolidate; ``--floors N`` takes the first N messages of each chat, and their questions.
``--marked-up`` and ``--headed`` write every reply as many cards ask for it: in markup, with a
thought before it, the story in <content> and a status bar after it; under a line with the day, the
hour and the place of the scene.

``--line`` says how a question is put: as it is, as a role-player writes it (``gestured``: with what
the player does before it), or by the character, so that the player only ``nodded``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from engram_desktop.domain.inject import sentences
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.memory import Memory
from tests.factories import make_message

CTX = NullContext()
BUDGETS = (500, 1000, 2000, 6000)
SETS = ("locomo", "zh4o", "memdaily", "memorybank_zh", "memorybank_en", "beam")
_SILENT = re.compile(r"[\W_]+")
# What findings add within a quoted sentence: the words of the message stand all the same.
_MARK = re.compile(r" ?\[(?:until floor \d+|a lie|mistaken)\]|〔[^〕]{1,12}〕")
MARKED_UP = """<thinking>
先想一想：这一楼要承接上文，语气自然。
Keep the tone of the scene; do not speak for the user.
- 第一步：回顾设定与人物关系
- 第二步：安排动作与对白
</thinking>
<content>
{text}
</content>
<status>
楼层：{floor}
好感度：{floor}
心情：平静
</status>
<!-- 下一楼记得呼应 -->"""
HEADED = "【2024年3月{day}日 {hour}:{minute:02} {place}】\n{text}"
_PLACES = ("月光酒馆", "北门集市", "旧磨坊", "灯塔")
_RRF = 60  # Cormack et al., SIGIR 2009


@dataclass
class Cell:
    """What was measured of one set at one budget in one way."""

    evidence: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)


def bare(text: str) -> str:
    return _SILENT.sub("", text).casefold()


def share_of(message: str, told: str) -> float:
    """Return which share of a message (characters, by sentences) stands in ``told`` (bare)."""
    whole = bare(message)
    if not whole or whole in told:
        return 1.0
    parts = [bare(part) for part in sentences(message)]
    return sum(len(part) for part in parts if part and part in told) / len(whole)


def words_of(answer: object, told: set[str]) -> float:
    tokens = query_tokens(str(answer))
    return sum(token in told for token in tokens) / len(tokens) if tokens else 1.0


def questions(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the questions with evidence that can be answered, by chat file."""
    by_chat: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in ("questions.jsonl", "questions_beam.jsonl"):
        if (data / name).is_file():
            for line in (data / name).read_text("utf-8").splitlines():
                question = json.loads(line)
                if question["evidence"] and not question.get("expect_abstain"):
                    by_chat[question["chat_file"]].append(question)
    return by_chat


def read_chat(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[1:] if line]


def reply(text: str, floor: int, options: argparse.Namespace) -> str:
    """Return a reply as a card asks for it: a scene lasts 40 floors, a day 80."""
    if options.marked_up:
        text = MARKED_UP.format(text=text, floor=floor)
    if options.headed:
        place = _PLACES[floor // 40 % len(_PLACES)]
        day, hour, minute = floor // 80 % 28 + 1, 8 + floor % 80 // 8, floor % 8 * 7
        text = HEADED.format(day=day, hour=hour, minute=minute, place=place, text=text)
    return text


def rewritten(file: Path, folder: Path, options: argparse.Namespace) -> Path:
    """Write a chat again with each reply as a card asks for it, or cut; return that file."""
    header, *rows = file.read_text("utf-8").rstrip("\n").split("\n")
    rows = rows[: options.floors]
    lines = [header]
    for floor, line in enumerate(rows):
        row = json.loads(line)
        if not row.get("is_user"):
            row["mes"] = reply(row["mes"], floor, options)
            row.pop("swipes", None)
        lines.append(json.dumps(row, ensure_ascii=False))
    made = folder / "rewritten" / file.parent.name / file.name
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text("\n".join(lines) + "\n", "utf-8")
    return made


class Raw:
    """Whole messages, ranked by words, by meaning, and by both."""

    def __init__(self, texts: Sequence[str], embedder: LocalEmbedder) -> None:
        self._texts = texts
        self._costs = [estimate_tokens(text) for text in texts]
        self._embedder = embedder
        self._vectors = embedder.embed(texts, CTX)
        self._db = apsw.Connection(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE f USING fts5(tokens)")
        with self._db:
            self._db.executemany(
                "INSERT INTO f(rowid, tokens) VALUES (?, ?)",
                [(n, " ".join(index_tokens(text))) for n, text in enumerate(texts)],
            )

    def rankings(self, question: str) -> dict[str, list[int]]:
        terms = " OR ".join(f'"{token}"' for token in query_tokens(question))
        sql = "SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f)"
        by_words = [row[0] for row in self._db.execute(sql, (terms,))] if terms else []
        query = self._embedder.embed([question], CTX, query=True)[0]
        by_meaning = np.argsort(-(self._vectors @ query), kind="stable").tolist()
        fused: dict[int, float] = defaultdict(float)
        for ranking in (by_words, by_meaning):
            for rank, floor in enumerate(ranking, start=1):
                fused[floor] += 1 / (_RRF + rank)
        both = sorted(fused, key=lambda floor: -fused[floor])
        return {"bm25": by_words, "dense": by_meaning, "rrf": both}

    def filled(self, ranking: Sequence[int], budget: int) -> str:
        """Return the first messages of a ranking that fit, one after another."""
        left, chosen = budget, []
        for floor in ranking:
            if self._costs[floor] <= left:
                left -= self._costs[floor]
                chosen.append(floor)
            if left < 4:
                break
        return "\n".join(self._texts[floor] for floor in chosen)


_CJK = re.compile("[\u4e00-\u9fff]")
_NODS = {"zh": "（看着你，点了点头）", "en": "*looks at you and nods*"}


@contextmanager
def said_last(memory: Memory, chat_id: str, messages: Sequence[ParsedMessage]) -> Iterator[None]:
    """Let messages be the last of a chat for a while."""
    store = memory.session.chat(chat_id)
    first = store.messages.count("main")
    with store.database.writing():
        store.messages.append("main", first, messages)
    yield
    ids = [m.id for m in store.messages.slice("main", first, first + len(messages) - 1)]
    with store.database.writing():
        store.messages.remove(ids)


def ways(
    memory: Memory, chat_id: str, raw: Raw, question: str, budgets: Sequence[int], line: str
) -> Iterator[tuple[str, int, str, int, float]]:
    """Yield (way, budget, text, tokens, milliseconds)."""
    nod = _NODS["zh" if _CJK.search(question) else "en"]
    said = {"question": question, "gestured": f"{nod}{question}", "nodded": nod}[line]
    first = memory.messages.slice(Line.main(chat_id), 0, 40)
    name = next((m.name for m in first if m.role == "assistant"), "")
    rows = [] if line == "question" else [make_message(said, "旅人")]
    if line == "nodded":
        rows.insert(0, make_message(question, name))
    with said_last(memory, chat_id, rows):
        for budget in budgets:
            began = time.perf_counter()
            injection = memory.inject.compose(CTX, chat_id, RecallQuery(said), budget)
            took = (time.perf_counter() - began) * 1000
            yield "engram", budget, injection.text, injection.tokens, took
    for way, ranking in raw.rankings(question).items():
        for budget in budgets:
            text = raw.filled(ranking, budget)
            yield way, budget, text, estimate_tokens(text), 0.0


def library(folder: Path, files: Sequence[Path], model: str = "") -> tuple[Memory, dict[Path, str]]:
    """Open a library with these chats in it, each summarised and consolidated."""
    environ = {"ENGRAM_LLM_BASE_URL": model, "ENGRAM_LLM_MODEL": "model"} if model else {}
    extractor: ExtractorChoice = "llm" if model else "extractive"
    memory = Memory.open(folder, environ=environ)
    memory.settings.set("keys.storage", "session")
    memory.settings.set("llm.timeout", 1800)
    known_path = folder / "prompt_evidence.json"
    known = json.loads(known_path.read_text("utf-8")) if known_path.is_file() else {}
    for file in files:
        if str(file) not in known:
            chat_id = memory.imports.import_file(CTX, file).chat_id or ""
            memory.pipeline.summarise(CTX, Line.main(chat_id), None, extractor)
            memory.pipeline.consolidate(CTX, Line.main(chat_id))
            memory.index.embed_pending(CTX, chat_id)
            known[str(file)] = chat_id
            known_path.write_text(json.dumps(known), "utf-8")
    return memory, {file: known[str(file)] for file in files}


def measure(
    data: Path, folder: Path, options: argparse.Namespace
) -> dict[tuple[str, str, int], Cell]:
    by_chat = questions(data)
    if options.floors is not None:
        by_chat = {
            file: [q for q in asked if max(q["evidence"]) < options.floors]
            for file, asked in by_chat.items()
        }
    chance = random.Random(options.seed)
    asked: list[tuple[str, Path, dict[str, Any]]] = []
    for name in options.sets:
        files = sorted(file for file in by_chat if file.split("/")[0] == name)
        chosen = chance.sample(files, min(options.chats, len(files)))
        of_set = [(name, data / file, q) for file in chosen for q in by_chat[file]]
        asked += chance.sample(of_set, min(options.questions, len(of_set)))
    used = sorted({file for _name, file, _q in asked})
    is_as_asked = options.marked_up or options.headed or options.floors is not None
    told_by = {f: rewritten(f, folder, options) if is_as_asked else f for f in used}
    memory, known = library(folder, list(told_by.values()), options.model)
    chats = {file: known[told_by[file]] for file in used}
    embedder = LocalEmbedder()
    rows = {file: read_chat(file) for file in chats}
    raws = {
        file: Raw([f"{r['name']}: {r['mes']}" for r in read_chat(told_by[file])], embedder)
        for file in chats
    }
    cells: dict[tuple[str, str, int], Cell] = defaultdict(Cell)
    for name, file, question in asked:
        for way, budget, text, tokens, took in ways(
            memory, chats[file], raws[file], question["question"], options.budgets, options.line
        ):
            told, cell = bare(_MARK.sub("", text)), cells[name, way, budget]
            shares = [share_of(rows[file][floor]["mes"], told) for floor in question["evidence"]]
            cell.evidence.append(sum(shares) / len(shares))
            cell.words.append(words_of(question["answer"], set(index_tokens(text))))
            cell.tokens.append(tokens)
            cell.elapsed.append(took)
    memory.close()
    return cells


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def table(cells: dict[tuple[str, str, int], Cell]) -> str:
    lines = [
        "set            | budget | n   | evidence (words) | best raw        | used  | ms p50/p95"
    ]
    for (name, way, budget), cell in cells.items():
        if way != "engram":
            continue
        raws = {w: cells[name, w, budget] for w in ("bm25", "dense", "rrf")}
        best = max(raws, key=lambda w: mean(raws[w].evidence))
        words = max(mean(raw.words) for raw in raws.values())
        shown = f"{mean(raws[best].evidence):.3f} ({words:.3f}) {best}"
        p50, p95 = (np.percentile(cell.elapsed, p) for p in (50, 95))
        mark = " " if mean(cell.evidence) >= mean(raws[best].evidence) else "<"
        lines.append(
            f"{name:<14} | {budget:>6} | {len(cell.evidence):>3} |"
            f" {mean(cell.evidence):.3f} ({mean(cell.words):.3f}) {mark} | {shown:<20} |"
            f" {mean(cell.tokens):>5.0f} | {p50:.0f}/{p95:.0f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    parser.add_argument("--chats", type=int, default=3)
    parser.add_argument("--questions", type=int, default=60, help="of each set")
    budgets_of = lambda text: tuple(int(part) for part in text.split(","))  # noqa: E731
    parser.add_argument("--budgets", type=budgets_of, default=BUDGETS)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--library", type=Path, help="kept between runs")
    parser.add_argument("--model", default="", metavar="URL", help="summarises and consolidates")
    parser.add_argument("--floors", type=int, help="of each chat, the first")
    parser.add_argument("--marked-up", action="store_true", help="each reply stands in markup")
    parser.add_argument("--headed", action="store_true", help="each reply has a scene heading")
    parser.add_argument("--line", choices=("question", "gestured", "nodded"), default="question")
    options = parser.parse_args()
    data = Path(os.environ.get("ENGRAM_EVAL_DATA", ""))
    if not (data / "questions.jsonl").is_file():
        sys.exit("ENGRAM_EVAL_DATA must name a folder with questions.jsonl")
    with tempfile.TemporaryDirectory() as temporary:
        cells = measure(data, options.library or Path(temporary), options)
    print(table(cells))


if __name__ == "__main__":
    main()
