"""Which lines of a chat's text a finding quotes: the marks beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.findings import (
    FindingList,
    concerns_findings,
    kind_names,
    status_names,
)
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace

TIP_CHARACTERS = 160  # of a quote
MOST_TOLD = 4  # findings that a tip tells of


@dataclass(frozen=True, slots=True)
class QuoteMark:
    """A line that a finding quotes; ``number`` is that of the quote."""

    finding: Finding
    number: int

    @property
    def text(self) -> str:
        return self.finding.quotes[self.number].text

    @property
    def words(self) -> str:
        """Say what the finding is, and what else it quotes."""
        finding = self.finding
        head = kind_names()[finding.kind]
        if finding.kind != "superseded":
            head = f"{head} · {status_names()[finding.status]}"
        rows = [
            f"{floors_words(q.floor, q.floor)}: {' '.join(q.text.split())[:TIP_CHARACTERS]}"
            for number, q in enumerate(finding.quotes)
            if number != self.number or len(finding.quotes) == 1
        ]
        return "\n".join([head, *rows])


class FindingMarks(QObject):
    """What findings quote of each floor. It reads only while `set_active`."""

    changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        findings: Callable[[], FindingList],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._findings = findings
        self._marks: Mapping[int, tuple[QuoteMark, ...]] = {}
        self._query = LiveQuery(
            workspace,
            "finding marks",
            self._ask,
            self._show,
            concerns=lambda changes: concerns_findings(workspace, changes),
            forget=self._forget,
            parent=self,
        )
        self._query.lane = "follow"  # the first reading of a long chat takes seconds
        self._query.set_active(False)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        self._query.set_active(active)

    def at(self, floor: int) -> Sequence[QuoteMark]:
        return self._marks.get(floor, ())

    def between(self, first: int, last: int) -> Sequence[QuoteMark]:
        """Return the marks of some floors, each finding once."""
        found: dict[str, QuoteMark] = {}
        for floor in range(first, last + 1):
            for mark in self.at(floor):
                found.setdefault(mark.finding.id, mark)
        return list(found.values())

    def go_to(self, finding: Finding) -> None:
        """Show a finding on its page."""
        self._findings().go_to(finding.id)

    def _ask(self) -> Callable[[JobContext], Mapping[int, tuple[QuoteMark, ...]]] | None:
        line, memory, actor = self._space.line, self._space.memory, self._space.actor
        return (lambda ctx: _quoted(ctx, memory, line, actor)) if line.chat_id else None

    def _show(self, marks: Mapping[int, tuple[QuoteMark, ...]]) -> None:
        self._marks = marks
        self.changed.emit()

    def _forget(self) -> None:
        self._show({})


def tip_of(marks: Sequence[QuoteMark]) -> str:
    """Say what some marks stand for."""
    return "\n\n".join(mark.words for mark in marks[:MOST_TOLD])


def _quoted(
    ctx: JobContext, memory: Memory, line: Line, actor: str
) -> Mapping[int, tuple[QuoteMark, ...]]:
    try:
        found = memory.findings.findings(ctx, line, (), actor)
    except NotFound:
        return {}
    marks: dict[int, tuple[QuoteMark, ...]] = {}
    for finding in found:
        for number, quote in enumerate(finding.quotes):
            marks[quote.floor] = (*marks.get(quote.floor, ()), QuoteMark(finding, number))
    return marks
