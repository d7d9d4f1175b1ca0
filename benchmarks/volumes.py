"""What a volume costs: made of a chat of 10,000 floors, and recall beside its 1,000 events.

    python -m benchmarks.volumes [FLOORS]
    python -m benchmarks.volumes --found

The story is made up, without a model: one event for ten floors, five persons. Times are those of
the processor: on a busy computer wall time says who else was running.
``--found``: of ten questions about the bundled story, read as a volume by a chat of 2,000 made-up
floors with much the same words, how many are answered by one of the first three memories recalled,
and how many by a prompt of 500, 1,500 and 4,000 tokens.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import require
from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, make_event, make_extraction

CTX = NullContext()
NAMES = ("爱丽丝", "旅人", "凯尔", "莉莉丝", "奥古斯")
KINDS = ("钥匙", "怀表", "戒指", "地图", "匕首", "酒杯")
THINGS = tuple(
    f"{a}{b}" for a in "铜银铁木石玉金瓷" for b in "钥匙 怀表 戒指 地图 匕首 酒杯".split()
)
PLACES = ("灯塔", "水族馆", "旧城墙", "图书馆", "码头", "药铺", "钟楼", "北门集市")
QUESTIONS = 60
ASKED = {
    "爱丽丝父亲的怀表是谁修好的？": "奥古斯先生修好的",
    "潮门的铁门上刻着什么？": "门上有XII",
    "诺亚是做什么的？": "饲养员",
    "莉莉丝为什么被医学院除名？": "除了名",
    "凯尔那天夜里被谁从水道口推上来？": "推上来",
    "银怀表花了几枚银币？": "七枚",
    "月见草长在哪里？": "石缝",
    "维克多给爱丽丝的信里说了什么？": "小爱丽丝：今晚",
    "铜钥匙最后放回了哪里？": "放回座钟",
    "小企鹅为什么不敢下水？": "不敢下水",
}  # the question, and words of the memory that answers it


def sentence(dice: random.Random) -> str:
    who, whom = dice.sample(NAMES, 2)
    place, thing, number = dice.choice(PLACES), dice.choice(THINGS), dice.randrange(9_999)
    return f"{who}在{place}把{thing}交给了{whom}，第{number}次。"


def story(memory: Memory, folder: Path, name: str, floors: int) -> str:
    """Import a chat with an event for every ten floors; returns its id."""
    dice = random.Random(floors)
    rows = [(NAMES[n % 2], sentence(dice)) for n in range(floors)]
    chat_id = import_chat(memory, folder / f"{name}.jsonl", rows)
    store = memory.session.chat(chat_id)
    events = []
    for first in range(0, floors - 10, 10):
        data = make_extraction(
            sentence(dice),
            entities=(ExtractedEntity(dice.choice(NAMES), "char"),),
            relations=(ExtractedRelation(dice.choice(NAMES), "信任", dice.choice(NAMES)),),
            witnesses=tuple(dice.sample(NAMES, 3)),
        )
        events.append(make_event(data.summary, first, first + 9, raw_data=data))
    with store.step(StepLabel(IMPORT, {"count": len(events)})):
        store.events.add(events, store.clock())
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def asked(
    memory: Memory, chat_id: str, actor: str | None = None, *, earlier: bool = False
) -> tuple[float, float]:
    """Return the median times of a recall and of a prompt, in milliseconds.

    ``earlier``: what a volume tells must be among what is found.
    """
    dice = random.Random(1)
    of_volumes = 0
    recalls, prompts = [], []
    for number in range(QUESTIONS + 5):
        text = f"{dice.choice(NAMES)}的{dice.choice(THINGS)}在{dice.choice(PLACES)}交给了谁？"
        query = RecallQuery(text, 10, actor=actor)
        begun = time.process_time()
        found = memory.recall.ask(CTX, chat_id, query, logged=False)
        between = time.process_time()
        made = memory.inject.compose(CTX, chat_id, query, logged=False)
        if number >= 5:  # the first ones read the indexes
            recalls.append((between - begun) * 1000)
            prompts.append((time.process_time() - between) * 1000)
        require(found.hits and made.text, f"{text}: nothing found, or nothing told")
        of_volumes += any(hit.item.volume for hit in found.hits)
    require(bool(of_volumes) == earlier, f"{of_volumes} answers came from a volume")
    return statistics.median(recalls), statistics.median(prompts)


def main(floors: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        memory = Memory.open(folder / "library", environ={})
        begun = time.process_time()
        first = story(memory, folder, "第一部", floors)
        print(f"a chat of {floors} floors made in {time.process_time() - begun:.1f} s")
        memory.knowledge.derive(CTX, first)
        begun = time.process_time()
        info, _changes = memory.volumes.make(CTX, Line.main(first), "第一卷")
        took = time.process_time() - begun
        print(f"volume made in {took:.2f} s: {dict(info.counts)}, {info.size / 1000:.0f} kB")
        second = story(memory, folder, "第二部", 2_000)
        for actor in (None, "爱丽丝"):
            recall, prompt = asked(memory, second, actor)
            print(f"without, as {actor}: recall {recall:.1f} ms, prompt {prompt:.1f} ms")
        begun = time.process_time()
        memory.volumes.attach(CTX, info.id, second)
        print(f"attached, with its database and vectors, in {time.process_time() - begun:.2f} s")
        for actor in (None, "爱丽丝"):
            recall, prompt = asked(memory, second, actor, earlier=True)
            print(f"with, as {actor}: recall {recall:.1f} ms, prompt {prompt:.1f} ms")
        memory.close()


def found(floors: int = 2_000) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        memory = Memory.open(folder / "library", environ={})
        first = str(run_demo(memory, CTX)["chat_id"])
        info, _changes = memory.volumes.make(CTX, Line.main(first), "第一卷")
        second = story(memory, folder, "第二部", floors)
        memory.volumes.attach(CTX, info.id, second)
        first_three, told = 0, dict.fromkeys((500, 1_500, 4_000), 0)
        for text, answer in ASKED.items():
            query = RecallQuery(text, 3)
            hits = memory.recall.ask(CTX, second, query, logged=False).hits
            first_three += any(answer in hit.item.content for hit in hits)
            for tokens in told:
                made = memory.inject.compose(CTX, second, query, tokens, logged=False)
                told[tokens] += answer in made.text
        print(f"of {len(ASKED)}: {first_three} among the first three, in prompts {told}")
        memory.close()


if __name__ == "__main__":
    if "--found" in sys.argv:
        found()
        sys.exit()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
