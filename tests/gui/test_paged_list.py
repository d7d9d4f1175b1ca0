"""A list of 100,000 rows fetches what is looked at and nothing else."""

from array import array

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTableView
from typing_extensions import override

from engram_desktop.viewmodels.workspace.live_query import (
    MAX_PAGES,
    PAGE,
    KeyRole,
    PagedListModel,
    RowRole,
)

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
def model(qtbot, fetched):
    def fetch(keys):
        fetched.append(list(keys))
        return {key: f"row {key}" for key in keys}

    made = Numbers(fetch)
    made.tester = QAbstractItemModelTester(
        made, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    made.set_keys(array("q", range(N, 0, -1)))
    return made


def test_rows_read_in_the_order_of_the_keys(model):
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


def test_refresh_rereads_only_what_changed_and_resets_nothing(model, fetched, qtbot):
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


def test_a_row_that_is_gone_reads_as_nothing(qtbot):
    model = Numbers(lambda _keys: {})
    model.set_keys(array("q", [1]))
    assert model.index(0).data() is None
    assert model.index(0).data(RowRole) is None
    assert model.flags(model.index(0)) & Qt.ItemFlag.ItemIsSelectable
