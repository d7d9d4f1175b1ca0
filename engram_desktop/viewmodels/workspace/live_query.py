"""Queries in the background whose answers stay up to date, and list models that read by page.

A newer request cancels the older one, whose answer or error is dropped. A viewmodel says how to
ask, what to do with an answer and which changes concern it; `LiveQuery` decides when to ask, which
answers count and which errors are shown.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle, Jobs, Lane, Work
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


class NewestAnswer(QObject):
    """A request of which only the newest is answered.

    Work runs on a lane, signals come on the GUI thread. The parent may be freed at any time.
    """

    answered = Signal(object)  # what the work returned
    failed = Signal(object)  # Exception
    busy_changed = Signal(bool)
    ended = Signal()  # the newest request ended: answered, failed or cancelled

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: JobHandle | None = None

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def ask(self, work: Work, *, lane: Lane = "interactive") -> None:
        """Start this request in place of the running one."""
        was_busy = self.is_busy
        self._let_go()
        job = self._job = self._jobs.submit("", work, lane=lane)
        job.succeeded.connect(self._on_succeeded)
        job.failed.connect(self._on_failed)
        job.finished.connect(self._on_finished)
        if not was_busy:
            self.busy_changed.emit(True)

    @Slot()
    def drop(self) -> None:
        """Cancel the request; its answer is dropped."""
        if self.is_busy:
            self._let_go()
            self.busy_changed.emit(False)

    def _let_go(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.succeeded.disconnect(self._on_succeeded)
            job.failed.disconnect(self._on_failed)
            job.finished.disconnect(self._on_finished)
            job.cancel()

    @Slot(object)
    def _on_succeeded(self, answer: object) -> None:
        self.answered.emit(answer)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self.busy_changed.emit(False)
        self.ended.emit()


def newest_answer(
    workspace: Workspace, show: Callable[..., object] | SignalInstance, parent: QObject
) -> NewestAnswer:
    """Make a query that passes its answers to ``show``; errors are shown as messages."""
    query = NewestAnswer(workspace.jobs, parent)
    query.answered.connect(show)
    query.failed.connect(workspace.messages.show_error)
    return query


T = TypeVar("T")
Ask = Callable[[], Callable[[JobContext], T] | None]
TYPING_PAUSE_MS = 150  # milliseconds without a key before a search starts


class LiveQuery(QObject, Generic[T]):
    """Query that reads while active, and on activation if it missed changes.

    ``ask`` is called on the GUI thread and copies what it needs; the work it returns reads on
    ``lane``. It returns None if there is nothing to read. `read` replaces a running read; `refresh`
    waits for it, so that a page is shown even while changes keep coming.
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
        """Create an active query; the owner of a page switches it off until the page is shown.

        ``forget`` is called when another chat or branch is shown, unless ``of_chat`` is False.
        Changes made by ``parent`` itself are ignored.
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._ask = ask
        self._show = show
        self._concerns = concerns
        self._forget = forget
        # ``forget`` leads to one state: no call for a hidden page that read nothing since the last
        self.forgets_once = False
        self._forgotten_at: tuple[int | None] | None = None  # the floor; None: it was read since
        self._is_active = True
        self._is_old = True
        self.has_answer = False  # whether there is an answer for the shown chat
        self._last_trouble: tuple[type[BaseException], str] | None = None
        self._workspace = workspace
        self._messages = workspace.messages
        self.lane: Lane = "interactive"
        self.settle_ms = 0  # milliseconds without changes before it reads again
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

    @property
    def is_settled(self) -> bool:
        """Return whether the answer is up to date: no read is running or pending."""
        return not (self.is_busy or self._is_old or self._later.isActive())

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - handed on by Qt slots
        """Set whether the view is shown.

        While it is hidden nothing is read; a running read is dropped.
        """
        if active == self._is_active:
            return
        self._is_active = active
        if active:
            self._forgotten_at = None
        if active and (self._is_old or self._last_trouble is not None):
            self._read()
        elif not active and (self.is_busy or self._later.isActive()):
            self._is_old = True
            self._later.stop()
            self._newest.drop()

    @Slot()
    def read(self) -> None:
        """Read now, in place of a running read; while inactive, read on activation."""
        self._last_trouble = None
        self._read()

    def read_soon(self) -> None:
        """Read when the typing pauses."""
        self._last_trouble = None
        self._later.start(TYPING_PAUSE_MS)

    def refresh(self) -> None:
        """Read again because the answer is out of date; a running read ends first."""
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
        self._forgotten_at = None
        work = self._ask()
        if work is None:
            self._newest.drop()
            self.has_answer = True  # the answer is complete
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
        self._forget_chat()
        self._read()

    def _forget_chat(self) -> None:
        here = (self._workspace.at,)
        if self._forget is not None and not (self.forgets_once and self._forgotten_at == here):
            self._forgotten_at = here
            self._forget()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        is_own = initiator is not None and initiator is self.parent()
        space = self._workspace
        is_known_anew = bool(space.actor) and changes.knowledge and changes.chat_id == space.chat_id
        if not is_own and (is_known_anew or self._concerns(changes)):
            self.refresh()


class PageModel(WorkspaceModel):
    """Base of viewmodels whose page is read by ``_query`` while it is shown."""

    _query: LiveQuery[Any]

    @property
    def is_loaded(self) -> bool:
        """Return whether the shown chat has been read."""
        return self._query.has_answer

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Set whether the page is shown."""
        self._query.set_active(active)

    @Slot()
    def read(self) -> None:
        self._query.read()


Row = TypeVar("Row")
AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()

PAGE = 128
MAX_PAGES = 64
MANY = 1024  # rows; above it, reading the screen again is quicker than looking up every row
KeyRole = Qt.ItemDataRole.UserRole
RowRole = Qt.ItemDataRole.UserRole + 1


class PagedListModel(QAbstractListModel, Generic[Row]):
    """List model over 100,000 rows that holds keys, not rows.

    Subclasses give the text of a row; ``fetch`` returns rows by key. Rows are fetched by page when
    they are painted; sorting and filtering happen where the keys come from. Only `data` may fetch:
    `flags` and `rowCount` are called for every row by Ctrl+A.
    """

    def __init__(
        self, fetch: Callable[[Sequence[int]], Mapping[int, Row]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._keys: array[int] = array("q")
        self._pages: OrderedDict[int, Mapping[int, Row]] = OrderedDict()
        self._old: dict[int, set[int]] = {}  # changed keys of each page
        self.times_refreshed = 0

    def text(self, row: Row) -> str:
        raise NotImplementedError

    def spoken_text(self, row: Row) -> str:
        """Return the text for a screen reader: the row's text, and in words what is only drawn."""
        return self.text(row)

    def set_keys(self, keys: array[int], first_page: Mapping[int, Row] | None = None) -> None:
        """Set the listed keys, in this order. The query ran on another thread.

        ``first_page``: the first `PAGE` rows, if they were read there too.
        """
        self.beginResetModel()
        self._keys = keys
        self._forget_pages()
        if first_page is not None:
            self._pages[0] = first_page
        self.endResetModel()

    def _forget_pages(self) -> None:
        self._pages.clear()
        self._old.clear()

    def refresh(self, keys: Collection[int] | None = None) -> None:
        """Read changed rows again; order and number are unchanged."""
        self.times_refreshed += 1
        if not self._keys:
            return
        if keys is None or len(keys) > MANY:
            rows = [0, len(self._keys) - 1]
            self._forget_pages()
        else:
            rows = self.rows_of(keys)
            for row in rows:
                self._old.setdefault(row // PAGE, set()).add(self._keys[row])
        if rows:
            self.dataChanged.emit(self.index(rows[0]), self.index(rows[-1]))

    def keys(self, first: int = 0, last: int | None = None) -> array[int]:
        """Return the keys of the rows ``first``..``last``, both included."""
        return self._keys[first : len(self._keys) if last is None else last + 1]

    def row_of(self, key: int) -> int | None:
        rows = self.rows_of((key,))
        return rows[0] if rows else None

    def rows_of(self, keys: Collection[int]) -> list[int]:
        """Return the rows of those of ``keys`` that are listed, in order.

        The list is walked: 1 ms at 100,000 rows for one key; a table of all keys takes 10 ms to
        build.
        """
        if len(keys) == 1:
            (key,) = keys
            try:
                return [self._keys.index(key)]
            except ValueError:
                return []
        wanted = set(keys)
        return [row for row, key in enumerate(self._keys) if key in wanted]

    def row_at(self, row: int) -> Row | None:
        """Return a row, fetching its page if needed. None if the row is gone meanwhile."""
        number = row // PAGE
        page = self._pages.get(number)
        old = self._old.pop(number, None)
        if page is None:
            page = self._fetch(self._keys[number * PAGE : (number + 1) * PAGE])
            self._pages[number] = page
            if len(self._pages) > MAX_PAGES:
                self._pages.popitem(last=False)
        else:
            if old is not None:  # a page takes 3 ms of the GUI thread, a row a tenth of that
                kept = {key: known for key, known in page.items() if key not in old}
                page = self._pages[number] = {**kept, **self._fetch(list(old))}
            self._pages.move_to_end(number)
        return page.get(self._keys[row])

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._keys)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == KeyRole:
            return self._keys[index.row()]
        if role not in (
            RowRole,
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return None  # other roles never fetch
        row = self.row_at(index.row())
        if row is None or role == RowRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row)
        return self.spoken_text(row)

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemNeverHasChildren
        )


PORTION = 500  # rows freed per turn, in about a millisecond


class SlowRelease(QObject):
    """Frees rows in portions, the newest first: 10,000 freed at once block the window for 30 ms."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[object] = []
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._free_some)

    def take(self, rows: Iterable[object]) -> None:
        """Hold these rows, and free them in portions."""
        self._rows.extend(rows)
        if len(self._rows) <= PORTION:
            self._rows.clear()
        elif not self._turn.isActive():
            self._turn.start()

    @Slot()
    def _free_some(self) -> None:
        del self._rows[-PORTION:]
        if not self._rows:
            self._turn.stop()
