"""Lists, dice and states: lines that differ in a word or a number, one of which is asked for."""

from __future__ import annotations

import random

import pytest

from engram_desktop.domain.recall.embedding import passage
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.recall.engine import Recaller
from tests.recall_reference import Line, ReferenceIndex

_DIGITS = "零一二三四五六七八九"
_GOODS = ("干粮", "绳索", "火把", "箭矢", "药水")
_CHAT = ("好的，继续。", "我们去别处看看。", "然后呢？", "这里有点冷。")
_ASKED = ("{}", "你还记得{}吗？", "When was it: {}")


def roll(dice: random.Random, _n: int) -> str:
    end = dice.choice(("hit", "miss"))
    return f"Roll {dice.randint(1, 20)} + {dice.randint(1, 6)} against {dice.randint(8, 18)}: {end}"


def throw(dice: random.Random, _n: int) -> str:
    end = dice.choice(("成功", "失败"))
    return f"掷骰：{dice.randint(1, 20)}+{dice.randint(1, 6)}，对抗{dice.randint(8, 18)}，{end}"


def entry(_dice: random.Random, n: int) -> str:
    number = _DIGITS[n // 10 % 10] + _DIGITS[n % 10]
    return f"清单第{number}项：已经准备好了{n // 100}个{_GOODS[n % 5]}"


def state(dice: random.Random, _n: int) -> str:
    place = dice.choice(("酒馆", "集市", "码头"))
    points = f"HP {dice.randint(1, 100)}/100 MP {dice.randint(1, 50)}/50"
    return f"{points} 好感度 {dice.randint(0, 99)} 位置 {place}"


def recaller_of(lines: list[str]) -> Recaller:
    said = [f"爱丽丝: {text}" for text in lines]
    passages = [
        passage(text, ("爱丽丝",), before) for text, before in zip(said, ["", *said], strict=False)
    ]
    embedder = LocalEmbedder()
    rows = embedder.embed_passages(passages, NullContext())
    index = ReferenceIndex([Line(t, n, speaker="爱丽丝") for n, t in enumerate(said)], rows)
    return Recaller(index, embedder, lambda _branch: (("main", None),))


@pytest.mark.parametrize("is_mixed", [False, True], ids=["in a row", "among talk"])
@pytest.mark.parametrize("make", [roll, throw, entry, state])
def test_the_very_line_asked_for_is_among_ten_of_many_like_it(make, is_mixed):
    dice = random.Random(1)
    wanted = list(dict.fromkeys(make(dice, n) for n in range(300)))[:200]
    lines = [
        text for line in wanted for text in ([dice.choice(_CHAT)] if is_mixed else []) + [line]
    ]
    recaller = recaller_of(lines)
    missed = []
    for line in dice.sample(wanted, 20):
        for form in _ASKED:
            query = RecallQuery(form.format(line), 10, ("turn",))
            found = [hit.item.content for hit in recaller.recall(NullContext(), query).hits]
            if f"爱丽丝: {line}" not in found:
                missed.append(query.text)
    assert missed == []
