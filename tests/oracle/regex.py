"""Regex scripts: generated scripts and texts, what the real one makes of them, and what ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.text.regex_script import StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.tavern.settings import read_scripts
from engram_desktop.services.prompts.native import Native
from tests.oracle.report import Report, keep
from tests.oracle.tavern import Tavern

Case = dict[str, Any]
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
# Where ours differs and means to, by the name a report gives it.
READ_AGAIN = "macros in what was found are not filled: what somebody said is never a template"
BROKEN = "a group that is none, of a script that trims: there the whole generation ends in an error"


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


def judge(rows: Sequence[dict[str, Any]]) -> Report:
    """Hold ours against what the real one answered."""
    report = Report("regex")
    javascript = JavaScript()
    try:
        for row in rows:
            case, real = row["case"], row["answer"]
            mine = text(case, javascript)
            if mine == real.get("text"):
                report.agree += 1
            elif name := _name(case, real):
                report.known[name] += 1
            else:
                report.differ.append(f"{json.dumps(case)}: {json.dumps(real)}, ours {mine!r}")
    finally:
        javascript.close()
    return report


def text(case: Case, javascript: JavaScript) -> str:
    """What ours makes of the text of a case."""
    scripts = [
        StoredScript(str(n), script, "global", "", n, is_enabled=not script.disabled)
        for n, script in enumerate(read_scripts(json.dumps(case["scripts"]), "scripts"))
    ]
    scope = MacroScope({"user": "Anna", "char": "Seraphina"})
    native = Native([s for s in scripts if s.is_enabled], javascript, scope)
    told = native.for_prompts(with_programs=False)
    return told.text(case["text"], case["placement"], case["depth"])


def _name(case: Case, real: dict[str, Any]) -> str:
    if "error" in real:
        return BROKEN
    return READ_AGAIN if "{{" in case["text"] else ""
