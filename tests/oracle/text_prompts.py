"""Whether a text completion prompt is put together as SillyTavern does, by many templates."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.oracle.macro_cases import NOW
from tests.oracle.macro_chats import PARTS, opened, write_folder, write_settings
from tests.oracle.report import Report, keep
from tests.oracle.tavern import Tavern

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


def against(rows: list[dict[str, Any]]) -> Report:
    """Hold the prompts we make of the same folder against the recorded ones."""
    report = Report("text completion prompts")
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as chats:
        for row in rows:
            said = chats[row["chat"]].prompt(row["pair"])
            if said == row["answer"]:
                report.agree += 1
            else:
                chat, pair = row["chat"], row["pair"]
                report.differ.append(f"{chat} {pair}\n    {row['answer']!r}\n    {said!r}")
    return report
