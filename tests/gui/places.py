"""Every place of the window, by name, taken from the program: pages, tabs, dialogs, menus."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QMenu,
    QToolButton,
    QWidget,
)

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import FailedRange
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.viewmodels.reading.text_marks import RelationPassage
from engram_desktop.viewmodels.serving import Bodies
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import Tabs
from engram_desktop.widgets.window.opener import Dialogs
from engram_desktop.widgets.window.openings import (
    BookOpening,
    GraphOpening,
    HelpOpening,
    VolumeOpening,
)
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.waiting import open_page, settle

D = TypeVar("D", bound=FramedDialog)
FAILED = (FailedRange(3, 9, "not JSON", "当然可以！<b>以下</b>是总结"),)


def dialog_names() -> list[str]:
    """What the opener can open, by the names of its methods."""
    return [
        name.removeprefix("open_")
        for part in (Dialogs, BookOpening, GraphOpening, HelpOpening, VolumeOpening)
        for name, _ in inspect.getmembers(part, inspect.isfunction)
        if name.startswith("open_")
    ]


def open_dialog(qtbot, desktop, name: str, failed=FAILED) -> FramedDialog:
    """Open a dialog by the name of its opener, with something in it; return it."""
    window, space = desktop.window, desktop.workspace
    dialogs = window.dialogs

    def rename_a_worldbook():
        a_worldbook(desktop)
        dialogs.books.open_rename_worldbook()

    def an_entry(act):
        a_worldbook(desktop)
        window.models.worldbooks.show_entry(0)
        act()

    def of_an_entity(act):
        an_entity(qtbot, desktop)
        act()

    def merge_a_worldbook():
        file = Path(tempfile.mkdtemp(dir=space.memory.session.folder)) / "书.json"
        space.memory.kept.keep(NullContext(), Line.main(space.chat_id), file)
        row = json.loads(file.read_text("utf-8"))
        row["entries"].popitem()
        file.write_text(json.dumps(row), "utf-8")
        dialogs.books.open_merge_worldbook(file)

    before = {id(d) for d in dialogs.shown}
    with_argument = {
        "steps": lambda: dialogs.open_steps(3),
        "adopt": lambda: dialogs.open_adopt(space.chat_id),
        "bin": dialogs.open_bin,
        "requests": dialogs.open_requests,
        "split": lambda: dialogs.open_split(window.models.events.model.row_at(0)),
        "make_volume": lambda: dialogs.volumes.open_make_volume(space.chat_id),
        "export": lambda: dialogs.open_export(space.chat_id),
        "bodies": lambda: dialogs.open_bodies(Bodies.of('{"a": 1}', '{"a": 2}')),
        "memories": lambda: dialogs.open_memories([]),
        "passage_relation": lambda: dialogs.graph.open_passage_relation(
            RelationPassage(3, "爱丽丝把钥匙交给旅人。", ("爱丽丝", "旅人"))
        ),
        "redo": lambda: dialogs.open_redo((0, 20)),
        "history": lambda: dialogs.open_history(window.models.undo),
        "reword": lambda: dialogs.graph.open_reword(a_relation(qtbot, desktop)),
        "end": lambda: dialogs.graph.open_end(a_relation(qtbot, desktop)),
        "import": lambda: window.import_files([resource("story/月光酒馆.jsonl")]),
        "failures": lambda: dialogs.open_failures(failed),
        "source": lambda: dialogs.open_source(0, 4),
        "rename_chat": lambda: dialogs.open_rename_chat(window.models.chats.current),
        "rename_worldbook": rename_a_worldbook,
        "merge_worldbook": merge_a_worldbook,
        "sort_entries": lambda: an_entry(dialogs.books.open_sort_entries),
        "large_entry": lambda: an_entry(dialogs.books.open_large_entry),
        "head_entries": lambda: an_entry(lambda: dialogs.books.open_head_entries([0])),
        "rename_heading": lambda: an_entry(lambda: dialogs.books.open_rename_heading("地方")),
        "who": lambda: window.models.play.ask_who(0),
        "report": lambda: dialogs.help.open_report("Traceback"),
        "merge": lambda: of_an_entity(dialogs.graph.open_merge),
        "entity": lambda: of_an_entity(dialogs.graph.open_entity),
        "add_relation": lambda: of_an_entity(dialogs.graph.open_add_relation),
    }
    with_argument.get(name, dialogs.opener(name))()
    settle(desktop)
    made = [d for d in dialogs.shown if id(d) not in before]
    assert made, f"{name} did not open"
    assert isinstance(made[-1], FramedDialog)
    return made[-1]


def open_dialog_as(qtbot, desktop, name: str, kind: type[D], failed=FAILED) -> D:
    """Open a dialog by the name of its opener; return it as what it is."""
    dialog = open_dialog(qtbot, desktop, name, failed)
    assert isinstance(dialog, kind)
    return dialog


def best_connected(desktop):
    """Return the first entity that has a relation."""
    memory, line = desktop.workspace.memory, Line.main(desktop.workspace.chat_id)
    return next(
        e for e in memory.graph.find_entities(line) if memory.graph.relations_of(line, e.id)
    )


def an_entity(qtbot, desktop) -> None:
    """Show the best connected entity, unless it is shown."""
    shown = desktop.window.models.graph.entity
    if shown is None or shown.id != best_connected(desktop).id:
        a_relation(qtbot, desktop)


def a_relation(qtbot, desktop):
    """Show the best connected entity; return one of its relations."""
    window = desktop.window
    shown = window.page
    open_page(desktop, "graph")
    with qtbot.waitSignal(window.models.entity.relations_read, timeout=20_000) as read:
        window.models.graph.show_entity(best_connected(desktop).id)
    settle(desktop)
    window.show_page(shown)
    qtbot.wait(1)  # a turn of its own, not that of what is opened now
    return read.args[0][0]


def a_worldbook(desktop) -> None:
    """Open a worldbook, the one there is or one made for it, unless it is open."""
    window, memory = desktop.window, desktop.workspace.memory
    shown = window.models.worldbooks.row
    if shown is not None and shown.id == memory.worldbooks.all()[0].id:
        return
    if not memory.worldbooks.all():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "设定.json"
            entry = {"key": ["海"], "comment": "海", "content": "海很蓝。"}
            file.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
            memory.imports.import_file(NullContext(), file)
    shown = window.page
    open_page(desktop, "books")
    window.models.worldbooks.read()
    window.models.worldbooks.open(memory.worldbooks.all()[0].id)
    settle(desktop)
    window.show_page(shown)


def places(
    qtbot,
    desktop,
    *,
    skip: tuple[str, ...] = (),
    failed=FAILED,
    opened: Callable[[str, FramedDialog], object] = lambda _name, _dialog: None,
) -> Iterator[tuple[str, QWidget]]:
    """Bring up one page, tab or dialog after the other.

    Each dialog is handed to ``opened`` as it opens, before something is chosen in it.
    """
    window = desktop.window
    for page in (spec.name for spec in PAGES):
        open_page(desktop, page)
        choose_something(window)
        settle(desktop)
        yield page, window
        for name in turn_tabs(window):
            settle(desktop)
            yield f"{page}, {name}", window
    for step in range(4):
        window.first_steps.open(step)
        settle(desktop)
        yield f"first steps, {step + 1}", window
    window.first_steps.leave()
    window.finding.search()
    settle(desktop)
    yield "search", window.finding.panel
    window.finding.panel.leave()
    for name in dialog_names():
        if name in skip:
            continue
        dialog = open_dialog(qtbot, desktop, name, failed)
        opened(name, dialog)
        choose_something(dialog)
        settle(desktop)
        yield name, dialog
        for tab in turn_tabs(dialog):
            settle(desktop)
            yield f"{name}, {tab}", dialog
        if shiboken6.isValid(dialog):
            dialog.close()
        qtbot.waitUntil(lambda d=dialog: not shiboken6.isValid(d), timeout=20_000)


def choose_something(place: QWidget) -> None:
    for view in place.findChildren(QAbstractItemView):
        model = view.model()
        if (
            view.isVisible()
            and model is not None
            and model.rowCount()
            and not (view.currentIndex().isValid() and view.selectionModel().hasSelection())
        ):
            view.setCurrentIndex(model.index(0, 0))


def turn_tabs(place: QWidget) -> Iterator[str]:
    """Show each page of every row of tabs, and of the list of pages of a dialog."""
    for tabs in place.findChildren(Tabs):
        for number in range(tabs.pages.count()):
            if tabs.isVisible():
                tabs.show_page(number)
                yield f"tab {number}"
    pages = getattr(place, "pages", None)
    if isinstance(pages, QAbstractItemView):
        for number in range(pages.model().rowCount()):
            pages.setCurrentIndex(pages.model().index(number, 0))
            yield f"page {number}"


def menus(place: QWidget) -> Iterator[tuple[str, QMenu]]:
    """Open every menu that hangs on a button, and every one a right click brings."""
    for button in place.findChildren(QToolButton):
        if button.menu() is not None:
            button.menu().aboutToShow.emit()
            yield from with_submenus(button.accessibleName() or button.text(), button.menu())
    for part in place.findChildren(QWidget):
        if part.contextMenuPolicy() != Qt.ContextMenuPolicy.CustomContextMenu:
            continue
        if not part.isVisible():
            continue
        at = QPoint(20, 20)
        if isinstance(part, QAbstractItemView) and part.currentIndex().isValid():
            at = part.visualRect(part.currentIndex()).center()
        part.customContextMenuRequested.emit(at)
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            yield from with_submenus(part.accessibleName() or type(part).__name__, popup)
            popup.close()


def with_submenus(name: str, menu: QMenu) -> Iterator[tuple[str, QMenu]]:
    yield name, menu
    for action in menu.actions():
        below = action.menu()
        if below is not None:
            assert isinstance(below, QMenu)
            below.aboutToShow.emit()
            yield from with_submenus(f"{name} › {action.text()}", below)
