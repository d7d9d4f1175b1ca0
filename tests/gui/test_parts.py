"""Parts of pages: fields, filters, lists."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import subprocess
import sys
from array import array
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import (
    QApplication,
    QCompleter,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)
from typing_extensions import override

from engram_desktop import widgets
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.viewmodels.workspace.live_query import (
    MAX_PAGES,
    PAGE,
    KeyRole,
    LiveQuery,
    PagedListModel,
    RowRole,
)
from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.knowledge import WhoDialog
from engram_desktop.widgets.overview.overview_cards import ROWS_A_TURN
from engram_desktop.widgets.parts.answer_page import AnswerPage
from engram_desktop.widgets.parts.fields.filtered import ElidedBox, FilteredBox
from engram_desktop.widgets.parts.fields.mixed_fields import FloorRange, NumberField
from engram_desktop.widgets.parts.fields.text_fields import Completions
from engram_desktop.widgets.parts.layouts import FittedArea, FlowLayout, column, laid_out_once
from engram_desktop.widgets.parts.pages import Page, SearchedPage
from engram_desktop.widgets.settings import EndpointForm, SettingsDialog
from engram_desktop.widgets.window.page_stack import BY_NAME, PAGES
from tests.gui.places import open_dialog_as
from tests.gui.waiting import commit, open_page, press_key

# Fields that several dialogs share.


def test_a_floor_is_told_when_it_is_typed_to_the_end(qtbot):
    fields = FloorRange()
    qtbot.addWidget(fields)
    fields.show_span(SourceRange(0, 900))
    told = []
    fields.changed.connect(lambda: told.append(fields.span))
    fields.last.selectAll()
    QTest.keyClicks(fields.last, "125")
    assert told == []
    QTest.keyClick(fields.last, Qt.Key.Key_Return)
    assert told == [SourceRange(0, 125)]


def test_the_last_floor_is_never_before_the_first(qtbot):
    fields = FloorRange(last=50)
    qtbot.addWidget(fields)
    fields.show_span(SourceRange(3, 9))
    fields.first.setValue(20)
    assert fields.span == SourceRange(20, 20)
    fields.last.setValue(70)
    assert fields.span == SourceRange(20, 50)


@pytest.mark.parametrize(("typed", "value"), [("none", None), ("0", 0), ("7", 7)])
def test_a_number_that_may_be_none_is_typed_as_it_is_shown(qtbot, typed, value):
    field = NumberField(0, 10, "none")
    qtbot.addWidget(field)
    field.show_values({3})
    told: list[object] = []
    field.changed.connect(told.append)
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert told == [value]
    assert field.text() == typed


def test_a_number_of_several_that_differ_is_blank_and_nothing_is_saved_of_it(qtbot):
    field = NumberField(0, 10, "none")
    qtbot.addWidget(field)
    told: list[object] = []
    field.changed.connect(told.append)
    field.show_values({3, None})
    assert field.text() == ""
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert told == []
    field.show_values({None})
    assert field.text() == "none"


@pytest.mark.parametrize("name", ["first", "last"])
def test_enter_in_either_floor_says_that_the_field_was_left(qtbot, name):
    fields = FloorRange()
    qtbot.addWidget(fields)
    with qtbot.waitSignal(fields.left, timeout=1000):
        QTest.keyClick(getattr(fields, name), Qt.Key.Key_Return)


# Drop-downs that narrow to what is typed.

NAMES = ["爱丽丝", "爱德华", "旅人", "Marlowe", "Mary"]


@pytest.fixture
def box(qtbot, desktop):
    around = QWidget(desktop.window)
    rows = column(around)
    field = FilteredBox(around)
    field.addItems(NAMES)
    rows.addWidget(field)
    rows.addWidget(QLineEdit(around))
    around.resize(300, 90)
    around.show()
    desktop.window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.line.hasFocus)
    return field


def offered(field):
    model = field.offers.completionModel()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_list_that_the_arrow_opens_narrows_as_well(qtbot, box):
    box.showPopup()
    popup = QApplication.activePopupWidget()
    assert popup is box.offers.list
    assert offered(box) == NAMES
    qtbot.keyClicks(popup, "mary")
    assert offered(box) == ["Mary"]
    with qtbot.waitSignal(box.activated):
        qtbot.keyClick(popup, Qt.Key.Key_Down)
        qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert box.currentText() == "Mary"
    box.showPopup()
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert box.currentText() == "Mary"


def test_what_is_typed_narrows_the_list_anywhere_in_the_name(qtbot, box):
    box.line.selectAll()
    qtbot.keyClicks(box.line, "AR")
    assert offered(box) == ["Marlowe", "Mary"]
    box.line.selectAll()
    commit(box.line, "丽")
    assert offered(box) == ["爱丽丝"]


def test_down_and_enter_choose_one_that_is_offered(qtbot, box):
    chosen = []
    box.activated.connect(lambda row: chosen.append(box.itemText(row)))
    box.line.selectAll()
    qtbot.keyClicks(box.line, "ar")
    popup = box.offers.list
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert chosen == ["Mary"]
    assert box.currentText() == "Mary"


def test_a_filter_with_one_answer_is_taken_when_the_field_is_left(qtbot, box):
    box.line.selectAll()
    qtbot.keyClicks(box.line, "low")
    box.offers.list.hide()
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert box.currentText() == "Marlowe"
    assert box.currentIndex() == NAMES.index("Marlowe")


def test_a_filter_without_an_answer_changes_nothing(qtbot, box):
    box.setCurrentIndex(2)
    box.line.selectAll()
    qtbot.keyClicks(box.line, "zz")
    assert box.currentIndex() == 2
    qtbot.keyClick(box.line, Qt.Key.Key_Tab)
    assert box.currentText() == "旅人"
    box.setFocus()
    qtbot.keyClicks(box.line, "q")
    box.offers.list.hide()
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)
    assert box.currentText() == "旅人"


def test_enter_while_composing_chooses_nothing(qtbot, box):
    box.line.is_composing = True
    box.line.setText("low")
    box.line.setModified(True)
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert box.currentIndex() == 0


def test_the_wheel_over_it_chooses_nothing(box):
    box.line.clearFocus()
    box.clearFocus()
    for part in (box, box.line):
        event = QWheelEvent(
            QPointF(5, 5),
            QPointF(part.mapToGlobal(QPoint(5, 5))),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(part, event)
    assert box.currentIndex() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_offered_stands_on_an_opaque_ground(qtbot, open_desktop, memory, theme):
    desktop = open_desktop(memory, theme=theme)
    field = FilteredBox(desktop.window)
    field.addItems(NAMES)
    field.show()
    field.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, "ar")
    popup = field.offers.list
    assert popup.isVisible()
    room = popup.viewport().geometry()
    picture = popup.grab(room).toImage()
    panel = QColor(desktop.look.theme.roles["panel"])
    ground = picture.pixelColor(picture.width() - 6, picture.height() // 2)
    assert ground.alpha() == 255
    assert ground == panel
    popup.hide()


def test_long_lists_of_the_program_can_be_filtered(qtbot, desktop):
    """Models, entities, relations; every list that is offered while typing looks the same."""
    settings = open_dialog_as(qtbot, desktop, "settings", SettingsDialog)
    assert isinstance(settings.findChildren(EndpointForm)[0].model, FilteredBox)
    who = open_dialog_as(qtbot, desktop, "who", WhoDialog)
    assert isinstance(who.name, FilteredBox)
    open_page(desktop, "graph")
    assert isinstance(
        desktop.window.stack.page_as("graph", GraphPage).filters.predicate, FilteredBox
    )
    lines = [w for w in QApplication.allWidgets() if isinstance(w, QLineEdit)]
    offering = [line for line in lines if isinstance(line.completer(), QCompleter)]
    assert len(offering) >= 3
    assert all(isinstance(line.completer(), Completions) for line in offering)


def test_both_ends_of_a_long_choice_are_read_and_its_tip_has_all(qtbot):
    box = ElidedBox()
    qtbot.addWidget(box)
    box.setFixedWidth(240)
    box.addItem("短的")
    box.addItem("旅人在那一年冬天的月光酒馆里遇见的所有人 → 爱丽丝")
    box.show()
    assert box.shown_text == "短的"
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.shown_text.startswith("旅人")
    assert box.shown_text.endswith("爱丽丝")
    assert "…" in box.shown_text
    assert box.toolTip() == box.currentText()


def test_a_choice_fits_into_a_box_that_is_as_wide_as_it_asks_for(qtbot):
    box = FilteredBox()
    qtbot.addWidget(box)
    box.setSizeAdjustPolicy(FilteredBox.SizeAdjustPolicy.AdjustToContents)
    box.addItem("轮到：凯尔")
    box.resize(box.sizeHint())
    box.show()
    margins = box.line.textMargins().left() + box.line.textMargins().right() + 4
    assert box.line.fontMetrics().horizontalAdvance("轮到：凯尔") + margins <= box.line.width()


def test_a_choice_longer_than_its_field_is_seen_from_its_beginning(qtbot):
    box = FilteredBox()
    qtbot.addWidget(box)
    box.setFixedWidth(120)
    box.show()
    box.line.clearFocus()
    for name in ("轮到谁说话：那一年冬天在月光酒馆里的旅人", "Whose turn it is: the traveller"):
        box.addItem(name)
        box.setCurrentText(name)
        assert box.line.text() == name
        assert box.line.cursorPosition() == 0


def test_a_model_is_found_in_the_middle_of_its_name_and_any_can_be_written(qtbot, desktop, memory):
    settings = open_dialog_as(qtbot, desktop, "settings", SettingsDialog)
    form = settings.findChildren(EndpointForm)[0]
    form._endpoint.models_read.emit(["deepseek-chat", "deepseek-reasoner", "qwen-max"])
    form.model.hidePopup()
    form.model.setFocus()
    form.model.line.selectAll()
    qtbot.keyClicks(form.model.line, "reason")
    assert offered(form.model) == ["deepseek-reasoner"]
    form.model.offers.list.hide()
    form.model.line.selectAll()
    qtbot.keyClicks(form.model.line, "my-own")
    press_key(desktop, form.model.line, Qt.Key.Key_Return)
    assert memory.settings.read().llm_model == "my-own"


# A list of 100,000 rows fetches what is looked at and nothing else.

N = 100_000


class Numbers(PagedListModel[str]):
    tester: QAbstractItemModelTester  # kept for as long as what it watches

    @override
    def text(self, row):
        return row


@pytest.fixture
def fetched():
    return []


@pytest.fixture
def numbers(qtbot, fetched):
    def fetch(keys):
        fetched.append(list(keys))
        return {key: f"row {key}" for key in keys}

    return Numbers(fetch)


@pytest.fixture
def model(numbers):
    numbers.set_keys(array("q", range(N, 0, -1)))
    return numbers


@pytest.fixture
def tested_model(numbers):
    """The same, watched by Qt's own tester, which takes a second to ask for every row."""
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    numbers.tester = QAbstractItemModelTester(numbers, mode)
    numbers.set_keys(array("q", range(N, 0, -1)))
    return numbers


def test_rows_read_in_the_order_of_the_keys(tested_model):
    model = tested_model
    assert model.rowCount() == N
    assert model.index(0).data() == f"row {N}"
    assert model.index(N - 1).data(RowRole) == "row 1"
    assert model.index(7).data(KeyRole) == N - 7


def test_painting_a_screen_fetches_one_page(model, fetched, qtbot):
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(400, 300)
    view.show()
    view.grab()
    fetched.clear()
    view.scrollTo(model.index(N // 2))
    view.grab()
    assert len(fetched) == 1
    assert len(fetched[0]) == PAGE


def test_a_first_page_that_came_with_its_keys_is_not_fetched(numbers, fetched):
    numbers.set_keys(array("q", range(N)), {key: f"row {key}" for key in range(PAGE)})
    assert numbers.index(PAGE - 1).data() == f"row {PAGE - 1}"
    assert fetched == []
    numbers.refresh([3])
    assert numbers.index(3).data() == "row 3"
    assert fetched == [[3]]
    numbers.set_keys(array("q", range(N)))
    assert numbers.index(0).data() == "row 0"
    assert len(fetched) == 2


def test_selecting_everything_fetches_nothing(model, fetched, qtbot):
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    fetched.clear()
    view.selectAll()
    selection = view.selectionModel().selection()
    assert selection.count() == 1
    assert len(model.keys(selection.at(0).top(), selection.at(0).bottom())) == N
    assert fetched == []


def test_pages_are_forgotten_when_there_are_too_many(model, fetched):
    for page in range(MAX_PAGES + 1):
        model.row_at(page * PAGE)
    fetched.clear()
    model.row_at(MAX_PAGES * PAGE)
    assert fetched == []
    model.row_at(0)
    assert len(fetched) == 1


def test_the_page_looked_at_last_is_forgotten_last(model, fetched):
    for page in range(MAX_PAGES):
        model.row_at(page * PAGE)
    model.row_at(0)
    model.row_at(MAX_PAGES * PAGE)
    fetched.clear()
    model.row_at(0)
    assert fetched == []
    model.row_at(PAGE)
    assert len(fetched) == 1


def test_refresh_rereads_only_what_changed_and_resets_nothing(tested_model, fetched, qtbot):
    model = tested_model
    model.row_at(0)
    model.row_at(PAGE)
    fetched.clear()
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    with qtbot.waitSignal(model.dataChanged) as told:
        model.refresh([N])
    assert (told.args[0].row(), told.args[1].row()) == (0, 0)
    model.row_at(0)
    model.row_at(PAGE)
    assert len(fetched) == 1
    assert resets == []


def test_a_key_is_found_and_an_unknown_one_is_not(model):
    assert model.row_of(1) == N - 1
    assert model.row_of(N + 1) is None
    assert model.rows_of([1, N + 1, N, 5]) == [0, N - 5, N - 1]
    assert model.rows_of([]) == []


def test_what_reads_otherwise_is_told_from_its_first_row_to_its_last(qtbot, model):
    with qtbot.waitSignal(model.dataChanged) as told:
        model.refresh([1, N + 1, N - 3])
    assert [index.row() for index in told.args[:2]] == [3, N - 1]
    model.set_keys(array("q", [5, 7]))
    with qtbot.assertNotEmitted(model.dataChanged):
        model.refresh([1, N - 3])


def test_a_row_that_is_gone_reads_as_nothing(qtbot):
    model = Numbers(lambda _keys: {})
    model.set_keys(array("q", [1]))
    assert model.index(0).data() is None
    assert model.index(0).data(RowRole) is None
    assert model.flags(model.index(0)) & Qt.ItemFlag.ItemIsSelectable


# The pages of the window are enumerated in one place.


def named(module: Any) -> str:
    """The name of a page's module, which its type, the way to make a page, does not tell."""
    return str(module.__name__)


def test_every_page_is_in_the_list_exactly_once():
    for module in pkgutil.walk_packages(widgets.__path__, f"{widgets.__name__}."):
        vars(importlib.import_module(module.name))  # reads it
    bases = (SearchedPage, AnswerPage)
    kinds = {kind for base in (Page, *bases) for kind in base.__subclasses__()}.difference(bases)
    there = sorted(kind.__module__ for kind in kinds)
    assert sorted(named(spec.page) for spec in PAGES) == there
    panels = [named(spec.panel) for spec in PAGES if spec.panel is not None]
    assert len(panels) == len(set(panels))


def test_names_icons_titles_and_keys_are_each_of_one_page():
    assert len(BY_NAME) == len(PAGES)
    for field in ("icon", "title", "key"):
        assert len({getattr(spec, field) for spec in PAGES}) == len(PAGES), field


def test_the_window_shows_every_page_of_the_list_and_no_other(desktop):
    window = desktop.window
    assert list(window.top.page_buttons) == [spec.name for spec in PAGES if spec.needs_chat]
    for spec in PAGES:
        open_page(desktop, spec.name)
        shown = window.stack.pages.currentWidget()
        assert type(shown).__module__ == named(spec.page)
        assert window.panel.isHidden() == (spec.panel is None)
        if spec.panel is not None:
            assert type(window.panel.currentWidget()).__module__ == named(spec.panel)
        window.setFocus()
        shown.focus_search()
        assert shown.isAncestorOf(window.focusWidget()), spec.name
    assert window.stack.pages.count() == len(PAGES)


def test_only_the_page_that_is_seen_reads(desktop):
    """Each page of a chat has something that reads while it is seen, and only then."""
    window = desktop.window
    for spec in PAGES:
        open_page(desktop, spec.name)
    reads = {}
    for spec in PAGES:
        open_page(desktop, spec.name)
        reads[spec.name] = {
            q.objectName() for q in window.models.findChildren(LiveQuery) if q.is_active
        }
    always = set.intersection(*reads.values())
    own = {name: names - always for name, names in reads.items()}
    assert own == {
        "overview": {"overview", "overview findings"},
        "events": {"event rows"},
        "reading": {"reading", "memory marks", "finding marks"},
        "graph": {"graph"},
        "recall": {"muted", "lab"},
        "logs": {"logs"},
        "books": {"books"},
        "state": {"state"},
        "findings": {"findings"},
        "inbox": set(),  # its number is told beside every page
        "play": {"play", "turn"},
        "serving": set(),  # the server tells it
    }


@pytest.mark.e2e
def test_arguments_are_read_without_reading_a_page():
    """A second start only hands its files to the first: it is not to read what it never shows."""
    code = (
        "import sys\n"
        "from engram_desktop.app.main import read_arguments\n"
        "from engram_desktop.late import UnreadModule\n"
        "from engram_desktop.widgets.window.page_stack import PAGES\n"
        "assert read_arguments(['--page', PAGES[-1].name]).page == PAGES[-1].name\n"
        "parts = [part for spec in PAGES for part in (spec.page, spec.panel) if part]\n"
        "sys.exit(any(type(part) is not UnreadModule for part in parts))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Words in lines, of which the height is asked for at every turn of a layout.


def test_parts_shown_together_are_laid_out_once_and_all_of_them(qtbot):
    class CountedPlaces(FlowLayout):
        times = 0

        @override
        def setGeometry(self, rect):
            self.times += 1
            super().setGeometry(rect)

    page = QWidget()
    qtbot.addWidget(page)
    rows = column(page)
    tools = QWidget()
    flow = CountedPlaces(tools)
    buttons = [QPushButton(f"button {n}") for n in range(6)]
    for button in buttons:
        flow.addWidget(button)
        button.hide()
    rows.addWidget(tools)
    page.resize(260, 300)
    page.show()
    QApplication.processEvents()
    flow.times = 0
    with laid_out_once(flow):
        for button in buttons:
            button.show()
    assert flow.times == 0
    QApplication.processEvents()
    assert flow.times <= 2  # the second: its own height has changed
    assert tools.height() >= flow.heightForWidth(tools.width())
    places = {(button.x(), button.y()) for button in buttons}
    assert len(places) == len(buttons)
    assert all(button.isVisible() for button in buttons)


class CountedFlow(FlowLayout):
    placed = 0

    @override
    def _place(self, rect, *, move):
        self.placed += not move
        return super()._place(rect, move=move)


def test_lines_of_words_are_measured_once_until_one_changes(qtbot):
    outer = QWidget()
    qtbot.addWidget(outer)
    flow = CountedFlow(outer)
    words = [QLabel(f"word {n}") for n in range(9)]
    for word in words:
        flow.addWidget(word)
    outer.resize(150, 200)
    outer.show()
    first = {width: flow.heightForWidth(width) for width in (100, 150, 900)}
    flow.placed = 0
    for _ in range(20):
        assert {width: flow.heightForWidth(width) for width in first} == first
    assert flow.placed == 0
    words[1].setMinimumHeight(80)
    assert flow.heightForWidth(900) == 80
    taller = QLabel()
    taller.setMinimumHeight(120)
    flow.addWidget(taller)
    taller.show()
    assert flow.heightForWidth(900) == 120
    words[1].hide()
    taller.hide()
    assert flow.heightForWidth(900) == first[900]
    assert first[100] >= first[150] > first[900]


def test_a_card_of_the_overview_is_filled_a_few_rows_a_turn(desktop):
    page = open_page(desktop, "overview")
    current = desktop.window.models.overview.current
    for card, shown, told in (
        (page.story, current.overview.story, current.overview.story),
        (page.cast, current.overview.cast, current),
    ):
        assert sum(row.isVisible() for row in card.rows) == len(shown) > ROWS_A_TURN
        for fill in card.fills(None):
            fill()
        assert not any(row.isVisible() for row in card.rows)
        counts = [0]
        for fill in card.fills(told):
            fill()
            counts.append(sum(row.isVisible() for row in card.rows))
        assert counts[-1] == len(shown)
        steps = [after - before for before, after in itertools.pairwise(counts)]
        assert max(steps) == ROWS_A_TURN


def test_what_follows_a_fitted_area_stands_right_below_its_content(qtbot):
    """It scrolls only when the room is less than its content, and grows with it."""
    window, body = QWidget(), QWidget()
    rows, content = column(window), column(body)
    area, below = FittedArea(), QLabel("below")
    area.setWidget(body)
    rows.addWidget(area)
    rows.addWidget(below)
    rows.addStretch(1)
    for height in (30, 40):
        part = QWidget()
        part.setFixedHeight(height)
        content.addWidget(part)
    qtbot.addWidget(window)
    window.resize(300, 400)
    window.show()
    assert below.y() < 120
    part = QWidget()
    part.setFixedHeight(100)
    content.addWidget(part)
    qtbot.waitUntil(lambda: 180 < below.y() < 230)
    window.resize(300, 120)
    qtbot.waitUntil(lambda: below.y() + below.height() <= 120)
    assert area.verticalScrollBar().maximum() > 0
