"""What became of a worldbook file that is kept in step: printed by `kept` and by `watch`."""

from __future__ import annotations

from engram_desktop.cli.verb import Call
from engram_desktop.domain.worldbooks.merging import KeptReport


def print_kept_news(call: Call, report: KeptReport) -> None:
    """Print what became of a kept file, if there is news, as `watch` does."""
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
    """Return one line of text about a kept file: its trouble, or what was written."""
    worldbook = report.worldbook
    if worldbook.trouble:
        return f"{worldbook.path}: {worldbook.trouble}"
    action = "written" if report.is_written else "as it was"
    return f"{worldbook.path}: {action}, {worldbook.entries} entries"
