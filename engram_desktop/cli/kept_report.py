"""What became of a worldbook file that is kept in step: printed by `kept` and by `watch`."""

from __future__ import annotations

from engram_desktop.cli.verb import Call
from engram_desktop.domain.worldbooks.kept_worldbook import KeptReport


def print_kept_news(call: Call, report: KeptReport) -> None:
    """Print what became of a kept file, if there is news, as `watch` does."""
    if report.is_written or report.is_news:
        event = "kept" if not report.book.fault else "warning"
        row = {
            "event": event,
            "file": report.book.path,
            "chat_id": report.book.chat_id,
            "branch_id": report.book.branch_id,
            "count": report.book.entries,
            "start_index": None,
            "end_index": None,
            "detail": str(report.book.trouble or ""),
        }
        call.output.document(row, [kept_line(report)])


def kept_line(report: KeptReport) -> str:
    """Return one line of text about a kept file: its trouble, or what was written."""
    book = report.book
    if book.trouble:
        return f"{book.path}: {book.trouble}"
    action = "written" if report.is_written else "as it was"
    return f"{book.path}: {action}, {book.entries} entries"
