"""World info: what fires of generated worldbooks, in which order and where, beside ours."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engram_desktop.domain.worldbooks.scan import PatternTest
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.services.worldbooks.scan import pattern_test
from tests.oracle.lore import ours
from tests.oracle.lore.staged import Stages
from tests.oracle.report import Report

Answer = dict[str, Any]
# A share of 2,000 repetitions and one of 600 of ours differ by 2.3 % (one sigma) at most; four
# sigmas are allowed, since some dozens of shares are compared.
TOLERANCE = 0.093
# What is known to differ, and why: a key of an answer with what it must look like there.
NO_DEPTH = "an entry at a depth that its file does not say: there it fires and is shown nowhere"


def judge(rows: Sequence[dict[str, Any]]) -> Report:
    """Hold ours against what the real one answered."""
    report = Report("worldinfo")
    javascript = JavaScript()
    try:
        with tempfile.TemporaryDirectory() as folder:
            stages = Stages(Path(folder), javascript)
            _judge_scenes([row for row in rows if "scene" in row], stages, report)
            stages.close()
        _judge([row for row in rows if "case" in row], pattern_test(javascript), report)
    finally:
        javascript.close()
    return report


def _judge_scenes(rows: Sequence[dict[str, Any]], stages: Stages, report: Report) -> None:
    for number, row in enumerate(rows):
        real, mine = row["answer"], stages.answer(row["scene"])
        if all(sorted(real.get(key, ["error"])) == sorted(mine[key]) for key in mine):
            report.agree += 1
        else:
            report.differ.append(f"scene {number}: {real}, ours {mine}")


def _judge(rows: Sequence[dict[str, Any]], is_in: PatternTest, report: Report) -> None:
    for number, row in enumerate(rows):
        case, real = row["case"], row["answer"]
        differences = list(_differences(real, ours.answer(case, is_in)))
        unnamed = [line for name, line in differences if not name]
        if unnamed:
            report.differ.append(f"case {number}, {case['kind']}: {unnamed[0]}")
        elif differences:
            report.known[differences[0][0]] += 1
        else:
            report.agree += 1


def _differences(real: Sequence[Answer], mine: Sequence[Answer]) -> Iterator[tuple[str, str]]:
    """Yield name, or nothing, and words of each difference."""
    for step, (theirs, own) in enumerate(zip(real, mine, strict=True)):
        if "counts" in theirs:
            yield from _unlike(theirs["counts"], own["counts"])
            continue
        for key, value in _comparable(theirs).items():
            if value != (other := _comparable(own)[key]):
                name = NO_DEPTH if key == "depth" and _has_no_depth(value) else ""
                yield name, f"step {step}: {key} is {json.dumps(value)}, ours {json.dumps(other)}"


def _comparable(answer: Answer) -> Answer:
    """Leave out in which order entries fired: what of it matters, the texts show."""
    return answer | {"fired": sorted(answer["fired"], key=str)} if "fired" in answer else answer


def _has_no_depth(rows: Sequence[Sequence[Any]]) -> bool:
    return any(row[0] is None for row in rows)


def _unlike(real: dict[str, int], mine: dict[str, int]) -> Iterator[tuple[str, str]]:
    for outcome in sorted({*real, *mine}):
        share = real.get(outcome, 0) / sum(real.values())
        other = mine.get(outcome, 0) / sum(mine.values())
        if abs(share - other) > TOLERANCE:
            yield "", f"{outcome} comes in {share:.1%}, ours in {other:.1%}"
