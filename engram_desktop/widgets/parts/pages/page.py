"""The interface of a page of the window: how it is made, and what the window calls.

A page and its panel are modules with a function `make`. They are named in
`engram_desktop.widgets.window.page_list` and nowhere else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.viewmodels.graph.entity_editor import RelationRow
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.viewmodels.pipeline.commands import Floors
    from engram_desktop.viewmodels.serving.bodies import Bodies
    from engram_desktop.widgets.parts.look.look import Look


class Page(QWidget):
    """One page: Ctrl+F goes to its search, and it reads while it is seen.

    ``foot`` is a part at its lower edge that messages do not cover.
    """

    foot: QWidget | None = None

    @abstractmethod
    def focus_search(self) -> None:
        """Go to the field in which the page is searched."""

    @abstractmethod
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - seen or not
        """Say whether it is seen."""


class Doors(Protocol):
    """The dialogs that pages and panels open."""

    def open_add(self) -> None: ...
    def open_bin(self) -> None: ...
    def open_replace(self) -> None: ...
    def open_duplicates(self) -> None: ...
    def open_split(self, event: EventNode) -> None: ...
    def open_summarise(self, floors: Floors = None) -> None: ...
    def open_consolidate(self) -> None: ...
    def open_redo(self, floors: Floors) -> None: ...
    def open_entity(self) -> None: ...
    def open_merge(self) -> None: ...
    def open_add_relation(self) -> None: ...
    def open_reword(self, row: RelationRow) -> None: ...
    def open_end(self, row: RelationRow) -> None: ...
    def open_log(self) -> None: ...
    def open_reflect(self) -> None: ...
    def open_characters(self) -> None: ...
    def open_rename_worldbook(self) -> None: ...
    def open_merge_worldbook(self, file: Path) -> None: ...
    def open_sort_entries(self) -> None: ...
    def open_large_entry(self) -> None: ...
    def open_head_entries(self, uids: Sequence[int | str]) -> None: ...
    def open_rename_heading(self, heading: str) -> None: ...
    def open_state(self) -> None: ...
    def open_play_start(self) -> None: ...
    def open_settings(self, page: str = "") -> None: ...
    def open_bodies(self, bodies: Bodies) -> None: ...


@dataclass(frozen=True, slots=True)
class PageParts:
    """What pages and panels are made from."""

    look: Look
    models: Pages
    doors: Doors
    choose_files: Callable[[], None]


class MakesPage(Protocol):
    """The module of a page."""

    @property
    def make(self) -> Callable[[PageParts, QWidget], Page]: ...


class MakesPanel(Protocol):
    """The module of a panel beside a page."""

    @property
    def make(self) -> Callable[[PageParts, QWidget], QWidget]: ...
