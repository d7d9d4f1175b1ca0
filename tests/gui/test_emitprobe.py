"""PySide6 6.12 on Python 3.11 loses a reference at every emit, and the process dies of it."""

import sys

from PySide6.QtCore import QObject, Signal


class Emitter(QObject):
    told = Signal(bool)


def test_emitting_keeps_the_reference_counts(qtbot):
    emitter = Emitter()
    before = sys.getrefcount(True)
    for _ in range(500):
        emitter.told.emit(True)
    assert abs(sys.getrefcount(True) - before) < 50
