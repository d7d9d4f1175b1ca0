"""How the time to read an answer grows with its length: ``python -m benchmarks.answer_reading``.

Prints milliseconds of processor time and, for each step, how many times more ten times the text
costs: about 10 is linear, 100 quadratic. Sound answers, broken ones, and texts made to be hard.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from collections.abc import Callable

from engram_desktop.domain.errors import ModelLoops
from engram_desktop.llm.answers import read_json
from engram_desktop.llm.connection import check_loop, cleaned

EVENT = {
    "summary": "旅人在月光酒馆遇见爱丽丝。",
    "keywords": ["月光酒馆"],
    "entities": [{"name": "爱丽丝", "type": "char"}],
    "relations": [],
    "details": "“She smiled,” he said. " * 4,
}
SIZES = (10_000, 100_000, 1_000_000)


def sound(size: int) -> str:
    one = len(json.dumps(EVENT, ensure_ascii=False))
    return json.dumps({"events": [EVENT] * (size // one)}, ensure_ascii=False)


TEXTS: dict[str, Callable[[int], str]] = {
    "sound": sound,
    "in a fence": lambda n: f"Here:\n```json\n{sound(n)}\n```",
    "after a thought": lambda n: f"<think>{'Hm, {a: 1} [b]. ' * (n // 32)}</think>{sound(n // 2)}",
    "a comma too many": lambda n: sound(n)[:-1] + ",}",
    "half": lambda n: sound(n)[:-90],
    "a quote too many": lambda n: sound(n // 2)[:-2] + '" "x' + sound(n // 2),
    "{{{": lambda n: "{" * n,
    "[[[": lambda n: "[" * n,
    '{"a":{"a":': lambda n: '{"a":' * (n // 5),
    "{'a':'b',": lambda n: "{'a':'b'," * (n // 9),
    "<think>": lambda n: "<think>" * (n // 7),
    "</think>{": lambda n: '</think>{"a":1,' * (n // 15),
    'x["</think>["': lambda n: "x" + '["</think>["' * (n // 12),
    "fences": lambda n: '```json\n{"a":1}\n' * (n // 16),
    "backslashes": lambda n: '{"a":"' + "\\" * n,
    "blanks": lambda n: "{" + " " * n + "x",
    "a key again and again": lambda n: '{"events":[{' + '"a":1,' * (n // 6) + '"b":1}]}',
    "digits": lambda n: '{"a":' + "9" * n + "}",
}


def milliseconds(text: str) -> float:
    started = time.process_time()
    read_json(text)
    cleaned(text)
    with contextlib.suppress(ModelLoops):
        check_loop(text)
    return (time.process_time() - started) * 1000


def main() -> None:
    print(f"{'text':24}" + "".join(f"{size:>12,}" for size in SIZES) + "   grows by")
    for name, make in TEXTS.items():
        took = [max(0.01, milliseconds(make(size))) for size in SIZES]
        ratios = "  ".join(f"x{b / a:.0f}" for a, b in itertools.pairwise(took))
        print(f"{name:24}" + "".join(f"{ms:>12.1f}" for ms in took) + f"   {ratios}")


if __name__ == "__main__":
    main()
