"""How the command line tells of a file that was taken in: one row of JSON, or one line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import ImportReport


def import_row(report: ImportReport) -> dict[str, Any]:
    """Return the row of JSON a file is told in."""
    return {
        "file": report.file,
        "kind": report.kind,
        "chat_id": report.chat_id,
        "also": report.also,
        "messages": report.messages,
        "added": report.added,
        "skipped": report.skipped,
        "changed": report.changed,
        "removed": report.removed,
        "memories": report.memories,
        "branch_id": report.branch_id,
        "name": report.name,
        "fork_floor": report.fork_floor,
        "warnings": [asdict(w) for w in report.warnings],
    }


def unreadable_row(file: str, error: InputError) -> dict[str, Any]:
    """Return the row of a file that could not be read."""
    warning = {"line": 0, "message": str(error)}
    return {
        "file": file,
        "kind": "unknown",
        "messages": 0,
        "added": 0,
        "skipped": 0,
        "warnings": [warning],
    }


def import_line(row: dict[str, Any]) -> str:
    """Say the same in words."""
    head = f"{row['file']}: {row['added']} added, {row['skipped']} already there"
    if row.get("name"):
        head += f" ({row['kind']} “{row['name']}”)"
    if row.get("changed") or row.get("removed"):
        head += f"; {row['changed']} changed in place, {row['removed']} removed"
    if row.get("fork_floor") is not None:
        head += f"; branch {row['branch_id']} from floor {row['fork_floor']}"
    if row.get("memories"):
        head += f"; {row['memories']} memories taken over"
    chat = f" (chat {row['chat_id']})" if row.get("chat_id") else ""
    if row.get("also"):
        chat = f" (chats {', '.join([row['chat_id'], *row['also']])})"
    return head + chat + "".join(map(_warning_line, row["warnings"]))


def _warning_line(warning: dict[str, Any]) -> str:
    return f"\n  {placed(warning['line'], warning['message'])}"


def placed(line: int, message: str) -> str:
    """Say of which line of a file a message is; 0 is the file as a whole."""
    return f"line {line}: {message}" if line else message
