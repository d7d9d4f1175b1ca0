"""The pages of the window, in the order of their tabs: a page is one line here, and its module.

Tabs, keys, ``--page``, pictures and tests read this list. The modules are only named: each is read
when its page is first shown (`engram_desktop.late`).
"""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.widgets.events import editor_panel, event_page
from engram_desktop.widgets.graph import entity_panel, graph_page
from engram_desktop.widgets.logs import log_page, log_panel
from engram_desktop.widgets.overview import overview_page
from engram_desktop.widgets.parts.pages.page import MakesPage, MakesPanel
from engram_desktop.widgets.play import play_page, turn_panel
from engram_desktop.widgets.reading import reading_page, reading_panel
from engram_desktop.widgets.recall import recall_page
from engram_desktop.widgets.serving import exchange_panel, serving_page
from engram_desktop.widgets.state import state_page, state_panel
from engram_desktop.widgets.worldbooks import worldbook_page, worldbook_panel

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True, eq=False)
class PageSpec:
    """One page. ``title`` is for "TopBar"; a page of the library undoes in its history.

    One that needs no chat has no tab: it stands at the foot of the library.
    """

    name: str
    icon: str
    title: str
    key: str
    page: MakesPage
    panel: MakesPanel | None = None
    is_of_library: bool = False
    needs_chat: bool = True


PAGES = (
    PageSpec("overview", "overview", _T("TopBar", "Overview"), "Ctrl+E", overview_page),
    PageSpec("events", "events", _T("TopBar", "Events"), "Ctrl+1", event_page, editor_panel),
    PageSpec("reading", "text", _T("TopBar", "Text"), "Ctrl+T", reading_page, reading_panel),
    PageSpec("graph", "graph", _T("TopBar", "Graph"), "Ctrl+2", graph_page, entity_panel),
    PageSpec("recall", "recall", _T("TopBar", "Recall"), "Ctrl+3", recall_page),
    PageSpec("logs", "logs", _T("TopBar", "Private logs"), "Ctrl+4", log_page, log_panel),
    PageSpec(
        "books",
        "books",
        _T("TopBar", "World books"),
        "Ctrl+5",
        worldbook_page,
        worldbook_panel,
        is_of_library=True,
    ),
    PageSpec("state", "state", _T("TopBar", "State"), "Ctrl+6", state_page, state_panel),
    PageSpec("play", "talk", _T("TopBar", "Play"), "Ctrl+7", play_page, turn_panel),
    PageSpec(
        "serving",
        "plug",
        _T("TopBar", "In the loop"),
        "Ctrl+8",
        serving_page,
        exchange_panel,
        is_of_library=True,
        needs_chat=False,
    ),
)
TABS = tuple(spec for spec in PAGES if spec.needs_chat)
START = "events"  # the page of a start; a chat that was just taken in shows its overview
BY_NAME = {spec.name: spec for spec in PAGES}
