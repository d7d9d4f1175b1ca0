"""Pictures of private logs: none yet, some, and one that is written."""

from __future__ import annotations

from collections.abc import Iterator

from pictured_dialogs import settle
from PySide6.QtWidgets import QWidget

from engram_desktop.app.desktop import Desktop
from engram_desktop.domain.memory.event import LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.logs import LogPage


def logs(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, memory, chat = desktop.window, desktop.workspace.memory, desktop.workspace.chat_id
    window.show_page("logs")
    settle(desktop)
    yield "logs-empty", window
    for owner, text, tags, floor in (
        (
            "爱丽丝",
            "企鹅们太可爱了。我想再和他去一次水族馆，可是不敢先开口。",
            ("开心", "期待"),
            24,
        ),
        ("凯尔", "她把钥匙藏起来了。我看见了，可我没有说。", ("怀疑", "不忍"), 31),
        ("爱丽丝", "父亲的字迹越来越不像他自己。", ("担忧",), 47),
    ):
        patch = LogPatch(owner, text, tags, source_range=SourceRange(floor, floor + 2))
        memory.logs.add(Line.main(chat), patch)
    memory.messages.edit(Line.main(chat), 31, "（改过的一句话）")
    window.models.logs.read()
    settle(desktop)
    window.stack.page_as("logs", LogPage).view.show_row(0)
    settle(desktop)
    yield "logs", window
    window.dialogs.open_log()
    settle(desktop)
    dialog = window.dialogs.shown[-1]
    yield "dialog-log", dialog
    dialog.close()
    window.models.undo.undo()  # the other pictures show the story as it is
    settle(desktop)
