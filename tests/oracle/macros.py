"""Whether we fill macros as SillyTavern does: what is shown, and the variables after."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.known import RUNNING
from engram_desktop.domain.macros.scope import MacroScope
from tests.oracle.report import Report

Case = dict[str, Any]
NOW = 1_715_007_849_000  # 2024-05-06 15:04:09 UTC
PARTS: dict[str, Any] = json.loads(Path(__file__).with_name("macro_cases.json").read_text("utf-8"))
WORLDS: list[dict[str, Any]] = PARTS["worlds"]
TRIES = 200  # of ours where chance plays: enough that none of a few results is missed


def against(rows: list[dict[str, Any]]) -> Report:
    """Hold ours against the recorded answers; the first row tells what the plain macros say."""
    report = Report("macros")
    values = rows[0]["values"]
    for row in rows[1:]:
        world = row["world"]
        ours, answer = ours_of(row, values[world]), row["answer"]
        if agrees(ours, answer):
            report.agree += 1
        elif reason := reason_for(row):
            report.known[reason] += 1
        else:
            report.differ.append(f"{row['text']!r} in {world}\n    real {answer}\n    ours {ours}")
    return report


def ours_of(case: Case, values: Mapping[str, str]) -> dict[str, Any]:
    """What we make of a case, in the shape of an answer."""
    if case.get("times"):
        return {"any": sorted({_filled(case, values, str(n))["text"] for n in range(TRIES)})}
    return _filled(case, values, "")


def _filled(case: Case, values: Mapping[str, str], seed: str) -> dict[str, Any]:
    world = WORLDS[case["world"]]
    scope = MacroScope(
        {n: v for n, v in values.items() if n.lower() not in RUNNING} | {"userInput": ""},
        dict(world["local"]),
        dict(world["shared"]),
        datetime.fromtimestamp(NOW / 1000, UTC),
        seed=seed,
        picks="4711",
    )
    text = fill(case["text"], scope).text
    return shown(case, text, scope.variables, scope.shared)


def shown(
    case: Case, text: str, local: Mapping[str, Any], shared: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is shown, and each variable that changed: null where it is gone."""
    world = WORLDS[case["world"]]
    row: dict[str, Any] = {"text": text}
    for sign, before, after in ((".", world["local"], local), ("$", world["shared"], shared)):
        for name in sorted({*before, *after}):
            old, new = ([_json(t[name])] if name in t else None for t in (before, after))
            if old != new:
                row.setdefault("changed", {})[sign + name] = new
    return row


def _json(value: Any) -> Any:
    """Return a value as JSON of JavaScript has it: no infinity, and one kind of number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return value


def agrees(ours: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    if "any" not in answer:
        return dict(ours) == dict(answer)
    return set(answer["any"]) <= set(ours["any"])


def reason_for(case: Case) -> str:
    """Name a difference that is meant; empty for one that is not."""
    words = set(re.findall(r"[\w-]+", case["text"].lower()))
    if words & {name for name in RUNNING if name != "original"}:
        return "a macro whose value only a running SillyTavern knows"
    if words & {"random", "roll"} and not case.get("times"):
        return "chance decides, and the case was asked once"
    return ""
