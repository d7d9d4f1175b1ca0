"""Fields that several dialogs share."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.widgets.parts.fields.floors import FloorRange
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField


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
