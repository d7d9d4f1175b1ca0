"""How often would a prompt be told something that has nothing to do with the question?

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.relevance [CHATS]

DIR holds `questions.jsonl` and the chats it names. Every chat (at most CHATS of each set) is asked
questions it answers, questions of other chats of its own and of other sets, small talk, and noise.
Printed: of each kind the share that would put recalled memories into a prompt, and what the floor
costs of the evidence that is found for questions that have an answer.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from engram_desktop.domain.recall.query import RecallQuery, RecallResult
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory

CTX = NullContext()
EACH = 40
NOISE = [
    "asdfghjkl",
    "。",
    "hi",
    "……",
    "???",
    "lol",
    "qwerty",
    "啊啊啊啊",
    "233333",
    "123456",
    "👍",
    "hmm",
    "嗯",
    "哦",
    "x",
    "!!!",
    "zxcv zxcv",
    "哈哈哈哈",
    "ok",
    "{}[]",
    "lkjhg fdsa",
    "\u200b",
    "1",
    "草",
    "^_^",
    "emmm",
]
TALK = [
    "你好呀",
    "今天天气怎么样？",
    "晚安",
    "谢谢你",
    "讲个笑话吧",
    "1+1等于几？",
    "你是谁？",
    "我有点无聊",
    "随便聊聊吧",
    "早上好",
    "好的，继续",
    "在吗",
    "法国的首都是哪里？",
    "推荐一部电影",
    "what's up",
    "good morning",
    "thank you!",
    "tell me a joke",
    "what's the weather like today?",
    "how are you?",
    "let's continue",
    "good night",
    "what is the capital of France?",
    "who won the world cup in 2018?",
    "what time is it?",
    "can you help me with python?",
    "写一段关于秋天的话",
    "3的平方是多少",
    "帮我数到十",
    "sing me a song",
]


def found(question: dict[str, Any], result: RecallResult) -> float:
    """Share of the evidence among the hits, as the sets count it."""
    floors = {hit.item.start_index for hit in result.hits}
    if window := question.get("evidence_window"):
        return float(any(window[0] <= floor <= window[1] for floor in floors))
    evidence = set(question["evidence"])
    if question["dataset"].startswith("memdaily"):
        return float(bool(evidence.union(question.get("evidence_alt") or ()) & floors))
    return len(evidence & floors) / max(1, len(evidence))


def questions() -> tuple[Path, dict[str, list[dict[str, Any]]]]:
    """Return the folder and its questions by chat file."""
    data = Path(os.environ.get("ENGRAM_EVAL_DATA", ""))
    if not (data / "questions.jsonl").is_file():
        sys.exit("ENGRAM_EVAL_DATA must name a folder with questions.jsonl")
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (data / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        asked[question["chat_file"]].append(question)
    return data, asked


def main() -> None:
    data, asked = questions()
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sets: dict[str, list[str]] = defaultdict(list)
    for file in sorted(asked):
        sets[file.split("/")[0]].append(file)
    chance = random.Random(7)
    told: dict[tuple[str, str], list[bool]] = defaultdict(list)
    lost: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.open(Path(folder), environ={})
        memory.settings.set("keys.storage", "session")
        for name, files in sets.items():
            others = [
                q["question"] for s in sets if s[:6] != name[:6] for f in sets[s] for q in asked[f]
            ]
            for file in chance.sample(files, min(most, len(files))):
                chat = memory.imports.import_file(CTX, data / file).chat_id or ""
                memory.index.embed_pending(CTX, chat)
                near = [q["question"] for f in files if f != file for q in asked[f]]
                kinds = {
                    "small talk": TALK,
                    "noise": NOISE,
                    "other sets": chance.sample(others, EACH),
                    "same set": chance.sample(near, min(EACH, len(near))),
                }
                for kind, texts in kinds.items():
                    for text in texts:
                        result = memory.recall.ask(
                            CTX, chat, RecallQuery(text, 10, kinds=("turn",))
                        )
                        told[name, kind].append(bool(result.hits) and result.is_related)
                answered = [q for q in asked[file] if not q.get("expect_abstain")]
                for question in chance.sample(answered, min(EACH, len(answered))):
                    query = RecallQuery(question["question"], 10, kinds=("turn",))
                    result = memory.recall.ask(CTX, chat, query)
                    share = found(question, result)
                    lost[name].append((share, share if result.is_related else 0.0))
        memory.close()
    print("set            | evidence@10 | after the floor | same set | other sets | talk | noise")
    shown = ("same set", "other sets", "small talk", "noise")
    for name in sets:
        before, after = (sum(x) / len(lost[name]) for x in zip(*lost[name], strict=True))
        shares = " | ".join(f"{_share(told[name, kind]):.3f}" for kind in shown)
        print(f"{name:<14} | {before:>11.3f} | {after:>15.3f} | {shares}")
    for kind in shown:
        every = [was for name in sets for was in told[name, kind]]
        print(f"all, {kind}: {_share(every):.3f} of {len(every)}")


def _share(told: list[bool]) -> float:
    return sum(told) / len(told)


if __name__ == "__main__":
    main()
