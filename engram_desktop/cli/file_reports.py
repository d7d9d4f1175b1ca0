"""Reports of files on the command line: of imported files, and of files kept in sync.

An imported file is one row of JSON, or one line. Reports of a kept worldbook file are printed by
`kept` and by `watch`.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any, get_args

from engram_desktop.cli.verb import Call
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import CopyConflict, ImportPreview, ImportReport, OnConflict
from engram_desktop.domain.tavern.folder import TavernChoice, TavernFolder
from engram_desktop.domain.worldbooks.merging import KeptReport


def conflict_argument(parser: argparse.ArgumentParser, note: str = "") -> None:
    """Add --on-conflict. Its default is None: branch, except for `import --exact`."""
    parser.add_argument(
        "--on-conflict",
        choices=get_args(OnConflict),
        help="where a copy tells floors of a chat otherwise, or lacks them: keep both, one of them"
        f" as a branch (default); replace those floors; or skip the copy{note}",
    )


def import_row(report: ImportReport) -> dict[str, Any]:
    """Return the JSON row that reports an imported file."""
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
        "conflict": _conflict(report.conflict),
        "warnings": [asdict(w) for w in report.warnings],
    }


def preview_row(preview: ImportPreview) -> dict[str, Any]:
    """Return the row of a file that would be imported."""
    is_chat = preview.kind == "chat"
    return {
        "file": preview.file,
        "kind": preview.kind,
        "chat_id": preview.chat_id,
        "chats": preview.chats,
        "messages": preview.messages,
        "added": preview.new_messages if is_chat else preview.entries,
        "skipped": preview.messages - preview.new_messages if is_chat else 0,
        "changed": preview.changed,
        "removed": preview.removed,
        "branch_id": preview.branch_id,
        "name": preview.name,
        "fork_floor": preview.fork_floor,
        "conflict": _conflict(preview.conflict),
        "warnings": [asdict(w) for w in preview.warnings],
        "dry_run": True,
    }


def _conflict(conflict: CopyConflict | None) -> dict[str, object] | None:
    return conflict.to_json() if conflict else None


def unreadable_row(file: str, error: InputError) -> dict[str, Any]:
    """Return the row of an unreadable file."""
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
    """Return the row as a line of text."""
    skipped = f"{row['skipped']} already there"
    if (row.get("conflict") or {}).get("choice") == "skip":
        skipped = f"{row['skipped']} left out"
    would = "would be " if row.get("dry_run") else ""
    head = f"{row['file']}: {row['added']} {would}added, {skipped}"
    if row["kind"] == "card":
        head = f"{row['file']}: the card “{row['name']}” {would or 'is '}in the library"
        if row["added"] or row["skipped"]:
            head += f"; of its world book {row['added']} {would}added, {skipped}"
    elif row["kind"] == "unknown":
        head = f"{row['file']}: not imported"
    elif row.get("name") and row["kind"] != "chat":
        head += f" ({row['kind']} “{row['name']}”)"
    if row.get("changed") or row.get("removed"):
        head += f"; {row['changed']} {would}changed in place, {row['removed']} {would}removed"
    if row.get("fork_floor") is not None:
        branch = f"branch {row['branch_id']}" if row["branch_id"] else "a new branch"
        at = f"from floor {row['fork_floor']}" if row["fork_floor"] >= 0 else "from the beginning"
        head += f"; {branch} {at}"
    if row.get("memories"):
        head += f"; {row['memories']} memories taken over"
    chat = f" (chat {row['chat_id']})" if row.get("chat_id") else ""
    if row.get("also"):
        chat = f" (chats {', '.join([row['chat_id'], *row['also']])})"
    conflict = conflict_line(row["conflict"]) if row.get("conflict") else ""
    return head + chat + conflict + "".join(map(_warning_line, row["warnings"]))


def conflict_line(conflict: dict[str, Any]) -> str:
    """Return a line on the floors that a copy changes or lacks, and what becomes of them."""
    changed, gone = (_floors(conflict[name]) for name in ("changed", "gone"))
    parts = [f"tells floors {changed} otherwise"] if changed else []
    parts += [f"lacks floors {gone}"] if gone else []
    outcome = {
        "replace": "the line becomes what the copy tells",
        "skip": "the copy is left out",
        "copy": "the line stays, and the copy is a branch",
        "former": "the line goes on with the copy, and a branch keeps those floors",
    }[conflict["branch_holds"] or conflict["choice"]]
    return f"\n  it {' and '.join(parts)}: {outcome}"


def _floors(spans: list[list[int]]) -> str:
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def _warning_line(warning: dict[str, Any]) -> str:
    return f"\n  {placed(warning['line'], warning['message'])}"


def placed(line: int, message: str) -> str:
    """Put the line of a file before a message; line 0 is the file as a whole."""
    return f"line {line}: {message}" if line else message


# Import selected files of a SillyTavern folder, with a row for each file: `import`, `tavern`.


def take_folder(
    call: Call, folder: TavernFolder, choice: TavernChoice
) -> tuple[list[dict[str, Any]], list[InputError]]:
    """Import the selected files of a folder; returns a row for each file, and all errors."""
    rows: list[dict[str, Any]] = []
    troubles: list[InputError] = []

    def on_trouble(file: str, error: InputError) -> None:
        rows.append(unreadable_row(file, error))
        troubles.append(error)

    call.memory.tavern.take(
        call.ctx, folder, choice, lambda report: rows.append(import_row(report)), on_trouble
    )
    return rows, troubles


def print_kept_news(call: Call, report: KeptReport) -> None:
    """Print the report of a kept file if there is news, as `watch` does."""
    if report.is_written or report.is_news:
        event = "kept" if not report.worldbook.fault else "warning"
        row = {
            "event": event,
            "file": report.worldbook.path,
            "chat_id": report.worldbook.chat_id,
            "branch_id": report.worldbook.branch_id,
            "count": report.worldbook.entries,
            "start_index": None,
            "end_index": None,
            "detail": str(report.worldbook.trouble or ""),
        }
        call.output.document(row, [kept_line(report)])


def kept_line(report: KeptReport) -> str:
    """Return one line of text on a kept file: its error, or what was written."""
    worldbook = report.worldbook
    if worldbook.trouble:
        return f"{worldbook.path}: {worldbook.trouble}"
    action = "written" if report.is_written else "as it was"
    return f"{worldbook.path}: {action}, {worldbook.entries} entries"
