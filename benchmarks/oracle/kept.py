"""The answers of the real one, written down for the suite."""

from __future__ import annotations

import json
from typing import Any

from tests.oracle.report import ANSWERS


def keep(kind: str, rows: list[dict[str, Any]]) -> None:
    """Write the recorded answers of a kind, one JSON object a line: the case and ``answer``."""
    text = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    # half a character, which JavaScript may leave, becomes what JSON writes for one
    (ANSWERS / f"{kind}.jsonl").write_text(text, "utf-8", errors="backslashreplace")
