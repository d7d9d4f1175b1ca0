"""Regex scripts: generated scripts and texts, what the real one makes of them, and what ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.text.regex_script import StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.tavern.settings import read_scripts
from engram_desktop.services.prompts.native import Native
from tests.oracle.report import Report

Case = dict[str, Any]
# Where ours differs and means to, by the name a report gives it.
READ_AGAIN = "macros in what was found are not filled: what somebody said is never a template"
BROKEN = "a group that is none, of a script that trims: there the whole generation ends in an error"


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
