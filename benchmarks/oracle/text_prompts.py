"""Text completion prompts as SillyTavern puts them together, by many templates."""

from __future__ import annotations

from typing import Any

from benchmarks.oracle.kept import keep
from benchmarks.oracle.tavern import Tavern
from tests.oracle.macro_chats import PARTS, write_folder, write_settings
from tests.oracle.macros import NOW
from tests.oracle.report import Report
from tests.oracle.text_prompts import against

CASES: dict[str, Any] = PARTS["prompts"]


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    tavern.stop_server()
    write_folder(tavern.user)
    write_settings(tavern.user)
    tavern.start()
    question = {name: CASES[name] for name in ("instructs", "contexts", "pairs")}
    chats = [PARTS["chats"][n] for n in CASES["chats"]]
    told = tavern.ask("text_prompts", question | {"chats": chats, "now": NOW})
    rows = [
        {"chat": n, "pair": pair, "answer": answer}
        for n, answers in zip(CASES["chats"], told, strict=True)
        for pair, answer in zip(CASES["pairs"], answers, strict=True)
    ]
    if is_kept:
        keep("text_prompts", rows)
    return against(rows)
