"""What the key for editing edits on each page."""

from __future__ import annotations

from engram_desktop.widgets.events.editor_panel import EditorPanel
from engram_desktop.widgets.graph import entity_panel
from engram_desktop.widgets.logs import log_panel
from engram_desktop.widgets.reading import reading_page
from engram_desktop.widgets.window.opener import Dialogs
from engram_desktop.widgets.window.page_stack import PageStack
from engram_desktop.widgets.worldbooks import worldbook_page

IN_THE_PANEL = ("events", "graph", "logs")  # pages whose panel is to be seen for it


def edit(stack: PageStack, dialogs: Dialogs) -> None:
    """Edit, or rename, what the page shows."""
    match stack.shown.name:
        case "events":
            stack.panel_as("events", EditorPanel).edit_summary()
        case "graph":
            stack.panel_as("graph", entity_panel.EntityPanel).edit_by_key()
        case "logs":
            stack.panel_as("logs", log_panel.LogPanel).edit_by_key()
        case "books":
            page = stack.page_as("books", worldbook_page.WorldbookPage)
            if not page.edit_current():
                dialogs.open_rename_worldbook()
        case "reading":
            stack.page_as("reading", reading_page.ReadingPage).edit_current()
