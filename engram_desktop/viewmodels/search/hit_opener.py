"""From a hit of the search to its place: the page, the chat, the branch, and the thing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.search.hit import SearchHit
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
    from engram_desktop.viewmodels.logs.log_list import LogList
    from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList


@dataclass(frozen=True, slots=True)
class Destinations:
    """The viewmodels of pages a hit may lead to, each made when it is first asked for."""

    graph: Callable[[], GraphPageModel]
    logs: Callable[[], LogList]
    worldbooks: Callable[[], WorldbookList]


class HitOpener(QObject):
    chat_opened = Signal()  # its page is to be shown, whichever was last

    def __init__(
        self, workspace: Workspace, destinations: Destinations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._to = destinations

    def show_line(self, chat_id: str, branch_id: str = "") -> None:
        """Show a chat, on this branch of it."""
        self._space.show_chat(chat_id)
        if branch_id:
            self._space.show_branch(branch_id)

    def open(self, hit: SearchHit) -> None:
        if hit.chat_id:
            self.show_line(hit.chat_id, hit.branch_id)
        match hit.kind:
            case "chat":
                self.chat_opened.emit()
            case "event":
                self._space.event_wanted.emit(int(hit.key))
            case "message" if hit.floors is not None:
                self._space.floor_wanted.emit(*hit.floors)
            case "entity":
                self._space.page_wanted.emit("graph")
                self._to.graph().show_entity(hit.ref)
            case "log":
                self._space.page_wanted.emit("logs")
                self._to.logs().find_entry(int(hit.key))
            case "book":
                self._space.page_wanted.emit("books")
                self._to.worldbooks().open_entry(hit.ref, hit.key)
