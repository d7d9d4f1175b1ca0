"""Drop-downs that narrow to what is typed."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication, QCompleter, QLineEdit, QWidget

from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.knowledge import WhoDialog
from engram_desktop.widgets.parts.fields.filtered import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import Completions
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.settings.settings_dialog import EndpointForm, SettingsDialog
from tests.gui.places import open_dialog_as
from tests.gui.waiting import commit, settle

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


def test_the_wheel_over_it_chooses_nothing(qtbot, box):
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
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    assert isinstance(
        desktop.window.stack.page_as("graph", GraphPage).filters.predicate, FilteredBox
    )
    lines = [w for w in QApplication.allWidgets() if isinstance(w, QLineEdit)]
    offering = [line for line in lines if isinstance(line.completer(), QCompleter)]
    assert len(offering) >= 3
    assert all(isinstance(line.completer(), Completions) for line in offering)


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
    qtbot.keyClick(form.model.line, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert memory.settings.read().llm_model == "my-own"
