"""Puts a window in another language in the place of the one shown, a little in each turn.

A window holds its texts in one language, so another is made: 150 ms, in one turn a stumble. The old
one stays until the new one is ready to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.main_window import MainWindow

_OTHERS = {QEvent.Type.LanguageChange, QEvent.Type.ApplicationFontChange}


class WindowChange(QObject):
    """``make`` makes a window of which no page is shown yet."""

    changed = Signal(object)  # MainWindow that is shown now; the one before is freed

    def __init__(self, look: Look, make: Callable[[], MainWindow], parent: QObject) -> None:
        super().__init__(parent)
        self._look = look
        self._make = make
        self._unseen: MainWindow | None = None  # not shown yet, or not any more
        self._steps: Iterator[None] = iter(())
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._go_on)

    def begin(self, old: MainWindow) -> None:
        """Begin to change ``old`` for a new window; one that is half made is dropped."""
        self.stop()
        old.installEventFilter(self)
        self._steps = self._changing(old)
        self._turn.start()

    def stop(self) -> None:
        """Leave the window that is shown, and free the other."""
        self._turn.stop()
        self._steps = iter(())
        if self._unseen is not None:
            self._look.free(self._unseen)
            self._unseen = None

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep from the window that goes that language and faces are others.

        It would hand that on to all its widgets and be laid out and painted anew: 100 ms.
        """
        return event.type() in _OTHERS

    @Slot()
    def _go_on(self) -> None:
        if next(self._steps, self) is self:
            self._turn.stop()

    def _changing(self, old: MainWindow) -> Iterator[None]:
        old.models.editor.save()
        old.remember()
        new = self._unseen = self._make()
        yield
        new.stack.page(old.page)
        yield
        new.stack.panel(old.page)
        yield
        new.begin(old.page)
        yield
        while self._look.dress_next(new):
            yield
        old.models.editor.save()
        guide = old.first_steps.page
        new.setVisible(old.isVisible())
        new.show_page(old.page)
        if guide is not None:
            new.first_steps.open(guide.step)
        old.hide()
        self._unseen = old
        self.changed.emit(new)
        for model in old.models.findChildren(QObject):
            model.blockSignals(True)  # who would hear of it goes now, a part in each turn
        yield  # until the new one was painted
        for part in old.stack.unseen():
            yield
            self._look.free(part)
        yield
        self.stop()
