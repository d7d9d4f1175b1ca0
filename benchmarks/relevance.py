"""How often would a prompt be told something that has nothing to do with the question?

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.relevance [CHATS]

DIR holds `questions.jsonl` and the chats it names. Every chat (at most CHATS of each set) is asked
questions it answers, questions of other chats of its own and of other sets, small talk, noise, and
whether somebody remembers what was in none of the chats.
Printed: of each kind the share that would put recalled memories into a prompt, and what the floor
costs of the evidence that is found for questions that have an answer.

The same of what asks nothing, where DIR holds `locomo_observations.jsonl` and
`zh4o_label_memories.jsonl`: what these note of a chat, as somebody in it would say it, put to that
chat, to another of its set and to other sets of its language, and what players of other sets say.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from engram_desktop.domain.recall.query import RecallQuery, RecallResult
from engram_desktop.domain.recall.relevance import states
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
# As a player asks a character, of what no chat tells.
REMEMBERED = [
    "你还记得我们坐潜水艇的那天吗？",
    "还记得我在北极科考站写给你的信吗？",
    "你记不记得那头从马戏团逃走的大象？",
    "你还记得我说过的火山喷发那年的事吗？",
    "我们挖到恐龙化石的那天，你还记得吗？",
    "你还记得滑翔伞教练叫什么名字吗？",
    "还记得我们在沙漠里修的那口井吗？",
    "你还记得我爷爷的木偶戏班吗？",
    "你忘了我把祖传的怀表当掉的事吗？",
    "那个卖糖人的老头后来怎么样了，你还有印象吗？",
    "你还记得那次我们差点被鲨鱼咬到吗？",
    "你还记得那天发生的海啸吗？",
    "Do you remember the day we took the submarine?",
    "Do you still remember the letter I wrote you from the Arctic station?",
    "Remember when the elephant escaped from the circus?",
    "Do you recall what I told you about the year the volcano erupted?",
    "Have you forgotten the night we dug up the dinosaur bones?",
    "Do you remember the name of my paragliding instructor?",
    "Do you remember the well we dug in the desert?",
    "Remember my grandfather's puppet theatre?",
    "You haven't forgotten how I pawned the family pocket watch, have you?",
    "Can you remember what happened to the old man who sold sugar figures?",
    "Do you still remember how the sharks nearly got us?",
    "Don't you remember the beekeeper who lent us his tractor?",
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


_STATED = ("stated here", "stated, same set", "stated, other sets", "players of other sets")
_CHINESE = ("memdaily", "memorybank_zh", "zh4o")


def in_first_person(text: str, who: str, whom: str) -> str:
    """Return what is noted of ``who`` as that person would say it to ``whom``."""
    if not who.isascii():
        return text.replace(who, "我").replace(whom, "你")
    for form, said in (("'s", "my"), (" is", "I am"), (" has", "I have"), (" was", "I was")):
        text = re.sub(rf"\b{who}{form}\b", said, text)
    return re.sub(rf"\b{who}\b", "I", text)


def noted(data: Path) -> dict[str, list[str]]:
    """Return what people noted of chats, by chat file, in the words of who is told of."""
    notes: dict[str, list[str]] = defaultdict(list)
    for name in ("locomo_observations.jsonl", "zh4o_label_memories.jsonl"):
        lines = (data / name).read_text("utf-8").splitlines() if (data / name).is_file() else []
        for row in map(json.loads, lines):
            card, player = Path(row["chat_file"]).stem.split("_", 1)[1].split("-")[-2:]
            who = row["who"].split()[0] if "who" in row else player
            text = row.get("observation") or row["memory"]
            notes[row["chat_file"]].append(in_first_person(text, who, card))
    return notes


def said_by_player(data: Path, file: str) -> list[str]:
    rows = map(json.loads, filter(None, (data / file).read_text("utf-8").split("\n")[1:]))
    lines = [row["mes"] for row in rows if row["is_user"]]
    return [line for line in lines if 8 < len(line) < 300 and states(line)]


def stated(
    data: Path, notes: dict[str, list[str]], sets: dict[str, list[str]], name: str, file: str
) -> dict[str, list[str]]:
    """Return what is told without a question, by its kind, for one chat of the set ``name``."""
    chance = random.Random(file)
    is_chinese = name in _CHINESE
    others = [s for s in sets if s[:6] != name[:6] and (s in _CHINESE) == is_chinese]
    texts = (
        notes.get(file, []),
        [text for f in sets[name] if f != file for text in notes.get(f, [])],
        [text for s in others for f in sets[s] for text in notes.get(f, [])],
        [text for s in others for f in sets[s] for text in said_by_player(data, f)],
    )
    return {
        kind: chance.sample(found, min(EACH, len(found)))
        for kind, found in zip(_STATED, texts, strict=True)
    }


def main() -> None:
    data, asked = questions()
    notes = noted(data)
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
                    "remembered": REMEMBERED,
                    "other sets": chance.sample(others, EACH),
                    "same set": chance.sample(near, min(EACH, len(near))),
                    **stated(data, notes, sets, name, file),
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
    print(
        "set            | evidence@10 | after the floor"
        " | same set | other sets | talk | noise | remembered"
    )
    shown = ("same set", "other sets", "small talk", "noise", "remembered")
    for name in sets:
        before, after = (sum(x) / len(lost[name]) for x in zip(*lost[name], strict=True))
        shares = " | ".join(f"{_share(told[name, kind]):.3f}" for kind in shown)
        print(f"{name:<14} | {before:>11.3f} | {after:>15.3f} | {shares}")
    for kind in (*shown, *_STATED):
        every = [was for name in sets for was in told[name, kind]]
        print(f"all, {kind}: {_share(every):.3f} of {len(every)}")


def _share(told: list[bool]) -> float:
    return sum(told) / max(1, len(told))


if __name__ == "__main__":
    main()
