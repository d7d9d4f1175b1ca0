"""Regex scripts: generated scripts and texts, and what the real one makes of them."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.oracle.kept import keep
from benchmarks.oracle.tavern import Tavern
from tests.oracle.regex import Case, judge
from tests.oracle.report import Report

FINDS = (
    "/ring/g",
    "/ring/",
    "ring",
    "/RING/gi",
    r"/(r)(i)?(x)?/g",
    r"/(?<first>\w+) (?<second>\w+)/",
    r"/(?<first>\w)(?<none>z)?/g",
    "/月光|酒馆/g",
    r"/\{\{user\}\}/g",
    "/{{user}}/g",
    "/{{char}}|moon/gi",
    "{{user}}",
    "/{{noop}}/g",
    "{{noop}}",
    "",
    "\n",
    "/",
    "//",
    "///g",
    "/(/g",
    "/ring/gg",
    "/ring/x",
    "/ring/gz",
    "/ring/G",
    "x/ring/g",
    "/ring/g and more",
    "/a/b/g",
    "/ring\nmoon/g",
    r"/^.*$/gm",
    "/./gs",
    "/./gu",
    "/$/g",
    "/(?:)/g",
    "/ring/y",
    "/ring/gy",
    r"/(?<=old )ring/g",
    r"/<think>[\s\S]*?<\/think>\s*/gi",
    r"/\p{Script=Han}/gu",
    r"/\*([^*]+)\*/g",
    "/(a)|(b)|(c)|(d)|(e)|(f)|(g)|(h)|(i)|(j)|(k)/g",
)
REPLACEMENTS = (
    "",
    "moon",
    "$0",
    "{{match}}",
    "[{{MATCH}}|$1|$2]",
    "$<first>-$<second>",
    "$<none>!",
    "$10 $11",
    "$01",
    "$$1",
    "$&",
    "$",
    "{{user}}",
    "{{char}}: $0",
    "{{newline}}$0",
    "{{unknown}} $0",
    "$3",
    "$1$5",
    "\\n$1",
    "<b>$1</b>",
    "{{reverse:$1}} {{user}}",
)
TEXTS = (
    "the ring and the old ring",
    "ring",
    "A Ring\nof the moon RING ring",
    "Anna said: {{user}} is here, {{char}} too",
    "月光 酒馆 月光",
    "Seraphina gave Anna a *ring*, 😀 and a*b*c",
    "<think>ring\nmoon</think>  a/b /ring/gg (x)",
    "",
    " ",
    "abcdefghijk",
    "A.*+?^${}()|[]\\/ Anna",
)
TRIMS: tuple[list[str], ...] = ([], [], [], ["r"], ["{{user}}"], ["ing", "i"], [""], ["*", "a"])
PLACEMENTS: tuple[list[int], ...] = ([1], [2], [1, 2], [1, 2, 3, 5, 6], [5], [6], [])


def cases(count: int = 700, seed: int = 7) -> list[Case]:
    """Draw cases; each pattern comes with some replacements alone, then scripts together."""
    chance = Random(seed)
    drawn: list[Case] = [
        {"scripts": [_script(chance, find)], "text": text, "placement": 2, "depth": None}
        for find in FINDS
        for text in chance.sample(TEXTS, 5)
    ]
    for one in drawn:
        one["scripts"][0] |= {"placement": [2], "promptOnly": True, "disabled": False}
    while len(drawn) < count:
        drawn.append(
            {
                "scripts": [_script(chance, chance.choice(FINDS)) for _n in range(3)],
                "text": chance.choice(TEXTS),
                "placement": chance.choice((1, 1, 2, 2, 3, 5, 6)),
                "depth": chance.choice((None, 0, 0, 1, 2, 5)),
            }
        )
    return drawn


def _script(chance: Random, find: str) -> dict[str, Any]:
    return {
        "scriptName": "script",
        "findRegex": find,
        "replaceString": chance.choice(REPLACEMENTS),
        "trimStrings": chance.choice(TRIMS),
        "placement": chance.choice(PLACEMENTS),
        "disabled": chance.random() < 0.1,
        "markdownOnly": chance.random() < 0.3,
        "promptOnly": chance.random() < 0.8,
        "runOnEdit": chance.random() < 0.5,
        "substituteRegex": chance.choice((0, 0, 1, 2)),
        "minDepth": chance.choice((None, None, -2, -1, 0, 1)),
        "maxDepth": chance.choice((None, None, -1, 0, 2)),
    }


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Ask the real one everything; ``is_kept`` writes its answers down for the suite."""
    drawn = cases()
    answers = tavern.ask("regex", drawn)
    rows = [{"case": c, "answer": a} for c, a in zip(drawn, answers, strict=True)]
    if is_kept:
        keep("regex", rows)
    return judge(rows)
