"""Whether we fill macros as SillyTavern does: what is shown, and the variables after."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.known import FUNCTIONS, RUNNING
from engram_desktop.domain.macros.scope import MacroScope
from tests.oracle import macro_chats, text_prompts
from tests.oracle.macro_cases import NOW, WORLDS, Case, cases
from tests.oracle.report import Report, keep
from tests.oracle.tavern import Tavern

# What works something out, or is the clock: asked of the engine, not given to ours as a value.
OWN = sorted({*FUNCTIONS, "if"} - {"charfirstmessage", "greeting", "input", "idleduration"})
TRIES = 200  # of ours where chance plays: enough that none of a few results is missed


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Ask about every case."""
    asked = cases()
    told = tavern.ask("macros", {"worlds": WORLDS, "cases": asked, "now": NOW, "own": OWN})
    rows = [{"values": told["values"]}]
    for case, answer in zip(asked, told["answers"], strict=True):
        told_of = answer if "any" in answer else shown(case, **answer)
        rows.append(case | {"answer": told_of})
    if is_kept:
        keep("macros", rows)
    report = against(rows)
    for part in (macro_chats, text_prompts):
        of_part = part.compare(tavern, is_kept=is_kept)
        report.agree += of_part.agree
        report.known += of_part.known
        report.differ += of_part.differ
    return report


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
