"""Messages to the user, and the list of running jobs.

Texts of errors are made here only, from the type of the exception. A `KnownError` becomes a message
with its next step; any other exception is a bug and is reported.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.errors import DamagedDatabase, DatabaseClosed, KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Progress
from engram_desktop.qtjobs.runner import JobHandle, Jobs
from engram_desktop.viewmodels.workspace.choice_texts import listed

if TYPE_CHECKING:
    from engram_desktop.domain.reports import CopyConflict


logger = logging.getLogger(__name__)

MAX_PAST = 200
_MOST_SPANS = 6  # ranges of floors in one line; the others are counted
Kind = Literal["info", "success", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One message, with up to two actions.

    Errors, warnings and messages with ``stays`` remain until dismissed; others disappear after a
    while. A message replaces the one with the same ``topic``. Actions that must survive a change of
    the window's language are methods of viewmodels, or partials of these.
    """

    kind: Kind
    text: str
    hint: str = ""
    action_text: str = ""
    action: Callable[[], object] | None = None
    other_text: str = ""
    other: Callable[[], object] | None = None
    stays: bool = False
    topic: str = ""

    @property
    def is_lasting(self) -> bool:
        """Return whether it remains until it is dismissed."""
        return self.stays or self.kind in ("error", "warning")

    def moved(self, owners: Mapping[QObject, QObject]) -> Notice:
        """Return the message for another window, its actions bound to the values of ``owners``.

        Actions of other objects are removed.
        """
        return replace(self, action=_moved(self.action, owners), other=_moved(self.other, owners))


def _moved(
    action: Callable[..., object] | None, owners: Mapping[QObject, QObject]
) -> Callable[..., object] | None:
    if isinstance(action, partial):
        function = _moved(action.func, owners)
        return None if function is None else partial(function, *action.args, **action.keywords)
    if not isinstance(action, MethodType) or not isinstance(action.__self__, QObject):
        return None
    follower = owners.get(action.__self__)
    return None if follower is None else getattr(follower, action.__name__)


def describe(error: KnownError) -> tuple[str, str]:
    """Return the translated text and hint of ``error``."""
    texts = (type(error).text, type(error).hint)
    params = {k: translated(v) if isinstance(v, str) else v for k, v in error.params.items()}
    return tuple(
        QCoreApplication.translate("errors", text).format_map(params) if text else ""
        for text in texts
    )  # type: ignore[return-value]  # two in, two out


def translated(text: str) -> str:
    """Translate a `Phrase`; other texts are returned unchanged."""
    if not isinstance(text, Phrase):
        return text
    params = {k: _param(v) for k, v in text.params.items()}
    return QCoreApplication.translate(text.context, text.template).format_map(params)


def _param(value: object) -> object:
    if isinstance(value, list | tuple):
        return listed(value)
    return translated(value) if isinstance(value, str) else value


def differing_floors(conflict: CopyConflict) -> str:
    """Return the floors that differ, with one line for each kind of difference."""
    lines = []
    if conflict.changed:
        text = QCoreApplication.translate("Conflict", "Floors that differ: {floors}")
        lines.append(text.format(floors=_floors(conflict.changed)))
    if conflict.gone:
        text = QCoreApplication.translate("Conflict", "Floors it does not have: {floors}")
        lines.append(text.format(floors=_floors(conflict.gone)))
    return "\n".join(lines)


def conflict_outcome(conflict: CopyConflict) -> str:
    """Return what was done with these floors."""
    if conflict.choice == "replace":
        return QCoreApplication.translate(
            "Conflict", "The chat is now the same as the copy; undo brings those floors back."
        )
    if conflict.choice == "skip":
        return QCoreApplication.translate("Conflict", "The copy was left out.")
    if conflict.is_newer:
        return QCoreApplication.translate(
            "Conflict", "The chat goes on with the copy; a branch keeps those floors as they were."
        )
    return QCoreApplication.translate(
        "Conflict", "The chat stays as it was; the copy is a branch of it."
    )


def _floors(spans: Sequence[tuple[int, int]]) -> str:
    shown = [str(a) if a == b else f"{a}–{b}" for a, b in spans[:_MOST_SPANS]]
    left = sum(b - a + 1 for a, b in spans[_MOST_SPANS:])
    if left:
        shown.append(QCoreApplication.translate("Conflict", "{count} more").format(count=left))
    return listed(shown)


class Messages(QObject):
    """Sends messages to the message bar and the bug dialog. Lives on the GUI thread.

    ``past`` holds all messages since the window opened, oldest first, with their local time.
    """

    posted = Signal(object)  # Notice
    withdrawn = Signal(str)  # topic of a message that no longer applies
    bug_found = Signal(object)  # BaseException
    health_wanted = Signal()  # the health dialog is wanted

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.past: deque[tuple[datetime, Notice]] = deque(maxlen=MAX_PAST)

    def show(self, notice: Notice) -> None:
        self.past.append((datetime.now(UTC).astimezone(), notice))
        self.posted.emit(notice)

    def withdraw(self, topic: str) -> None:
        """Remove a message from the bar because it no longer applies; ``past`` keeps it."""
        self.withdrawn.emit(topic)

    def tell(self, text: str, *, kind: Kind = "info") -> None:
        self.show(Notice(kind, text))

    @Slot(object)
    def show_error(
        self,
        error: BaseException,
        action_text: str = "",
        action: Callable[[], object] | None = None,
    ) -> None:
        """Show a `KnownError` with its next step, and report any other exception as a bug.

        A read that failed because its chat was deleted is only logged. Damage leads to the health
        dialog.
        """
        if isinstance(error, DamagedDatabase) and action is None:
            action_text, action = self.tr("Library health…"), self._ask_for_health
        if isinstance(error, DatabaseClosed):
            logger.info("%s", error)
        elif isinstance(error, KnownError):
            text, hint = describe(error)
            logger.warning("%s: %s", type(error).__name__, error)
            self.show(Notice("error", text, hint, action_text, action))
        else:
            logger.error("A job failed", exc_info=error)
            self.bug_found.emit(error)

    def _ask_for_health(self) -> None:
        self.health_wanted.emit()


MIN_ELAPSED_FOR_ETA_S = 2.0
_T = QT_TRANSLATE_NOOP
# Units of progress by the label that jobs give; any other label is a name of the user's.
_COUNTED = {
    "import": _T("JobList", "messages"),
    "embed": _T("JobList", "memories indexed"),
    "claims": _T("JobList", "floors read"),
    "presence": _T("JobList", "floors read"),
    "summary": _T("JobList", "blocks summarised"),
    "reflect": _T("JobList", "blocks read again"),
    "trim": _T("JobList", "events merged"),
    "consolidate": _T("JobList", "events archived"),
    "link": _T("JobList", "events linked"),
    "entities": _T("JobList", "events read"),
    "events": _T("JobList", "events"),
    "adopt": _T("JobList", "memories"),
    "drafts": _T("JobList", "drafts"),
    "lab": _T("JobList", "questions"),
    "follow": _T("JobList", "chats"),
    "files": _T("JobList", "files"),
    "backup": _T("JobList", "files"),
    "export": _T("JobList", "written"),
}


@dataclass(frozen=True, slots=True)
class JobRow:
    job_id: int
    title: str
    started_at: float | None = None  # monotonic; None while it waits
    progress: Progress | None = None

    @property
    def fraction(self) -> float | None:
        """Return the finished fraction, 0..1; None while the total is unknown."""
        if self.progress is None or not self.progress.total:
            return None
        return min(1.0, self.progress.done / self.progress.total)

    def seconds_left(self, now: float) -> float | None:
        fraction = self.fraction
        if self.started_at is None or not fraction:
            return None
        elapsed = now - self.started_at
        return elapsed / fraction - elapsed if elapsed >= MIN_ELAPSED_FOR_ETA_S else None


class JobList(QObject):
    """List of all jobs with a title: progress, time left, cancel. Lives on the GUI thread."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[int, JobRow] = {}
        self._handles: dict[int, JobHandle] = {}
        jobs.submitted.connect(self._on_submitted)

    @property
    def rows(self) -> tuple[JobRow, ...]:
        return tuple(self._rows.values())

    def cancel(self, job_id: int) -> None:
        if job_id in self._handles:
            self._handles[job_id].cancel()

    def time_left(self, row: JobRow) -> str:
        seconds = row.seconds_left(time.monotonic())
        if seconds is None:
            return ""
        if seconds < 60:
            return self.tr("about %n second(s) left", "", max(1, round(seconds)))
        return self.tr("about %n minute(s) left", "", round(seconds / 60))

    def done_so_far(self, row: JobRow) -> str:
        """Return the progress in words: done, total and unit, or the label alone."""
        if row.progress is None:
            return ""
        label = row.progress.label
        label = self.tr(_COUNTED[label]) if label in _COUNTED else label
        total = row.progress.total
        return f"{row.progress.done:,} / {total:,} {label}".strip() if total else label

    @Slot(object)
    def _on_submitted(self, handle: JobHandle) -> None:
        if not handle.title:
            return
        number = handle.job_id
        self._rows[number] = JobRow(number, handle.title)
        self._handles[number] = handle
        handle.started.connect(lambda: self._update(number, started_at=time.monotonic()))
        handle.progressed.connect(lambda progress: self._update(number, progress=progress))
        handle.finished.connect(lambda: self._remove(number))
        self.changed.emit()

    def _update(self, number: int, **values: object) -> None:
        self._rows[number] = replace(self._rows[number], **values)  # type: ignore[arg-type]  # fields of JobRow
        self.changed.emit()

    def _remove(self, number: int) -> None:
        del self._rows[number], self._handles[number]
        self.changed.emit()
