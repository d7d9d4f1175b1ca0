"""Fields that several dialogs share."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.widgets.parts.fields.floor_range import FloorRange


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
