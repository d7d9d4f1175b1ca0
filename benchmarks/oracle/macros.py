"""Macros: generated texts, what SillyTavern shows of them, and the variables after."""

from __future__ import annotations

from benchmarks.oracle import macro_chats, text_prompts
from benchmarks.oracle.kept import keep
from benchmarks.oracle.macro_cases import cases
from benchmarks.oracle.tavern import Tavern
from engram_desktop.domain.macros.known import FUNCTIONS
from tests.oracle.macros import NOW, WORLDS, against, shown
from tests.oracle.report import Report

# What works something out, or is the clock: asked of the engine, not given to ours as a value.
OWN = sorted({*FUNCTIONS, "if"} - {"charfirstmessage", "greeting", "input", "idleduration"})


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
