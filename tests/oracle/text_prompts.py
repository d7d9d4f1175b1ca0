"""Whether a text completion prompt is put together as SillyTavern does, by many templates."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.oracle.macro_chats import opened
from tests.oracle.report import Report


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
