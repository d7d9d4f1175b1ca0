"""A query whose answer is kept up to date while its view is seen: read again after changes.

A viewmodel says how to ask, what to do with an answer and which changes concern it; when to ask,
which answers count and which errors are shown is decided here for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import Lane
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

T = TypeVar("T")
Ask = Callable[[], Callable[[JobContext], T] | None]
TYPING_PAUSE_MS = 150  # a search follows the typing, but not each key of a quick writer


class LiveQuery(QObject, Generic[T]):
    """Reads while it is active, and once when it becomes so after it missed something.

    ``ask`` is called on the GUI thread and copies what it needs; the work it returns reads on
    ``lane``. None: there is nothing to read. What the reader wants replaces what is being read;
    what merely changed waits for it, so that a page is shown however often it changes.
    """

    busy_changed = Signal(bool)
    asked = Signal()

    def __init__(
        self,
        workspace: Workspace,
        name: str,
        ask: Ask[T],
        show: Callable[[T], object],
        *,
        concerns: Callable[[Changes], bool],
        forget: Callable[[], object] | None = None,
        of_chat: bool = True,
        parent: QObject | None = None,
    ) -> None:
        """``forget`` is called when another chat or branch is shown, unless not ``of_chat``.

        What ``parent`` changed itself is not followed. It begins as seen: what belongs to a page
        is switched off at once.
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._ask = ask
        self._show = show
        self._concerns = concerns
        self._forget = forget
        self._is_active = True
        self._is_old = True
        self.has_answer = False  # of the chat shown: until then nobody knows what there is
        self._last_trouble: tuple[type[BaseException], str] | None = None
        self._workspace = workspace
        self._messages = workspace.messages
        self.lane: Lane = "interactive"
        self.settle_ms = 0  # how long changes must have stopped before it reads again
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._read)
        self._newest = NewestAnswer(workspace.jobs, self)
        self._newest.answered.connect(self._on_answered)
        self._newest.failed.connect(self._on_failed)
        self._newest.ended.connect(self._on_ended)
        self._newest.busy_changed.connect(self.busy_changed)
        if of_chat:
            workspace.chat_changed.connect(self._on_chat_changed)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def is_active(self) -> bool:
        return self._is_active

    @property
    def is_busy(self) -> bool:
        return self._newest.is_busy

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - handed on by Qt slots
        """Say whether it is seen. What is not seen is not read, nor read to its end."""
        if active == self._is_active:
            return
        self._is_active = active
        if active and (self._is_old or self._last_trouble is not None):
            self._read()
        elif not active and (self.is_busy or self._later.isActive()):
            self._is_old = True
            self._later.stop()
            self._newest.drop()

    @Slot()
    def read(self) -> None:
        """Read now, in place of a read that is running; while inactive, when it becomes active."""
        self._last_trouble = None
        self._read()

    def read_soon(self) -> None:
        """Read when the typing pauses."""
        self._last_trouble = None
        self._later.start(TYPING_PAUSE_MS)

    def refresh(self) -> None:
        """Read again, since the answer is out of date; after a read that is running."""
        if not self._is_active or self.is_busy:
            self._is_old = True
        elif self.settle_ms:
            self._later.start(self.settle_ms)
        else:
            self._read()

    @Slot()
    def _read(self) -> None:
        self._later.stop()
        if not self._is_active:
            self._is_old = True
            return
        self._is_old = False
        work = self._ask()
        if work is None:
            self._newest.drop()
            self.has_answer = True  # there is nothing to wait for
            return
        self._newest.ask(work, lane=self.lane)
        self.asked.emit()

    @Slot(object)
    def _on_answered(self, answer: T) -> None:
        self._last_trouble = None
        self.has_answer = True
        self._show(answer)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        trouble = (type(error), str(error))
        if trouble != self._last_trouble:
            self._last_trouble = trouble
            self._messages.show_error(error)

    @Slot()
    def _on_ended(self) -> None:
        if self._is_old:
            self.refresh()

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self._newest.drop()
        self._last_trouble = None
        self.has_answer = False
        if self._forget is not None:
            self._forget()
        self._read()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        is_own = initiator is not None and initiator is self.parent()
        space = self._workspace
        is_known_anew = bool(space.actor) and changes.knowledge and changes.chat_id == space.chat_id
        if not is_own and (is_known_anew or self._concerns(changes)):
            self.refresh()
