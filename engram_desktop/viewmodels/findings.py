"""Findings of a line: filtered by kind and status, as of a floor, as a character; and answers.

Findings are computed on a lane; filtering works on what was read.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.claim import (
    FINDING_KINDS,
    STATUSES,
    Claim,
    Facet,
    Finding,
    FindingKind,
    How,
    Quote,
    answers_of,
)
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PagedListModel, PageModel
from engram_desktop.viewmodels.workspace.undo_actions import Decided
from engram_desktop.viewmodels.workspace.workspace import Workspace


def kind_names() -> dict[FindingKind, str]:
    """Return the display names of the kinds of findings."""
    return {
        "superseded": QCoreApplication.translate("Findings", "Superseded"),
        "lie": QCoreApplication.translate("Findings", "Lie"),
        "mistaken": QCoreApplication.translate("Findings", "Mistaken"),
        "contradiction": QCoreApplication.translate("Findings", "Contradiction"),
        "promise": QCoreApplication.translate("Findings", "Promise"),
    }


KIND_ROLES: dict[FindingKind, str] = {  # the colour of each kind, as a role of the theme
    "superseded": "grey",
    "lie": "red",
    "mistaken": "gold",
    "contradiction": "accent",
    "promise": "green",
}


def kind_meanings() -> dict[FindingKind, str]:
    """Return for each kind how its two quotes relate to each other."""
    return {
        "superseded": QCoreApplication.translate(
            "Findings", "The first was so until the second: what is newer holds."
        ),
        "lie": QCoreApplication.translate(
            "Findings", "The first is not so, and who said it knew: the second shows it."
        ),
        "mistaken": QCoreApplication.translate(
            "Findings", "The first is not so, but who said it believed it: the second shows it."
        ),
        "contradiction": QCoreApplication.translate(
            "Findings", "Both cannot be so, and nothing between them changed it. Which is true?"
        ),
        "promise": QCoreApplication.translate(
            "Findings", "A vow, an appointment, a threat or a riddle. What became of it?"
        ),
    }


def status_names() -> dict[str, str]:
    """Return the display names of the statuses."""
    return {
        "over": QCoreApplication.translate("Findings", "over"),
        "told": QCoreApplication.translate("Findings", "not found out"),
        "found_out": QCoreApplication.translate("Findings", "found out"),
        "held": QCoreApplication.translate("Findings", "still believed"),
        "corrected": QCoreApplication.translate("Findings", "corrected"),
        "open": QCoreApplication.translate("Findings", "open"),
        "answered": QCoreApplication.translate("Findings", "answered"),
        "kept": QCoreApplication.translate("Findings", "kept"),
        "broken": QCoreApplication.translate("Findings", "broken"),
        "given_up": QCoreApplication.translate("Findings", "given up"),
    }


def answer_names() -> dict[str, str]:
    """Return the display names of the answers."""
    return {
        "later": QCoreApplication.translate("Findings", "The later is true"),
        "earlier": QCoreApplication.translate("Findings", "The earlier is true"),
        "both": QCoreApplication.translate("Findings", "Both, time passed"),
        "lie": QCoreApplication.translate("Findings", "One lies"),
        "deliberate": QCoreApplication.translate("Findings", "Deliberate"),
        "open": QCoreApplication.translate("Findings", "Open"),
        "kept": QCoreApplication.translate("Findings", "Kept"),
        "broken": QCoreApplication.translate("Findings", "Broken"),
        "given_up": QCoreApplication.translate("Findings", "Given up"),
    }


def facet_name(facet: Facet) -> str:
    """Return the display name of the property a finding is about; "" if it would add nothing."""
    names: dict[Facet, str] = {
        "home": QCoreApplication.translate("Findings", "where one lives"),
        "place": QCoreApplication.translate("Findings", "where it is"),
        "owner": QCoreApplication.translate("Findings", "whose it is"),
        "work": QCoreApplication.translate("Findings", "work or rank"),
        "alive": QCoreApplication.translate("Findings", "alive or dead"),
        "bond": QCoreApplication.translate("Findings", "relationship"),
        "name": QCoreApplication.translate("Findings", "name"),
        "health": QCoreApplication.translate("Findings", "health"),
        "amount": QCoreApplication.translate("Findings", "amount"),
        "date": QCoreApplication.translate("Findings", "date"),
        "age": QCoreApplication.translate("Findings", "age"),
        "years": QCoreApplication.translate("Findings", "since when"),
        "origin": QCoreApplication.translate("Findings", "where one comes from"),
        "was_at": QCoreApplication.translate("Findings", "where one was"),
    }
    return names.get(facet, "")


def words_on_speaker(told: Claim | None) -> str:
    """Return who said a quote, and how; "" if unknown."""
    if told is None:
        return ""
    if told.how == "ooc":
        return QCoreApplication.translate("Findings", "out of character")
    if not told.speaker:
        return QCoreApplication.translate("Findings", "the narration")
    ways: dict[How, str] = {
        "said": QCoreApplication.translate("Findings", "{who} says"),
        "thought": QCoreApplication.translate("Findings", "{who} thinks"),
        "written": QCoreApplication.translate("Findings", "{who} writes"),
        "narrated": QCoreApplication.translate("Findings", "{who} tells"),
    }
    return ways[told.how].format(who=told.speaker)


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in the list. ``told`` holds for each quote who said it and how, where known."""

    key: int
    finding: Finding
    told: tuple[Claim | None, ...]

    @property
    def heading(self) -> str:
        """Return the heading: a subject and its property; of a promise, from whom to whom."""
        finding = self.finding
        if finding.kind == "promise" and finding.who:
            return " → ".join(finding.who[:2])
        names = finding.about or listed(finding.who)
        return " · ".join(part for part in (names, facet_name(finding.facet)) if part)

    @property
    def floors_text(self) -> str:
        return " → ".join(str(floor) for floor in self.finding.floors)


class FindingModel(PagedListModel[FindingRow]):
    @override
    def text(self, row: FindingRow) -> str:
        quotes = " / ".join(quote.text for quote in row.finding.quotes)
        return f"{row.heading}: {quotes}"

    @override
    def spoken_text(self, row: FindingRow) -> str:
        finding = row.finding
        words = (kind_names()[finding.kind], status_names()[finding.status])
        answer = answer_names().get(finding.answer, "")
        floors = self.tr("Floors {floors}").format(floors=row.floors_text)
        return ". ".join(part for part in (*words, answer, floors, self.text(row)) if part)


@dataclass(frozen=True, slots=True)
class _Answer:
    rows: tuple[FindingRow, ...]
    last: int  # newest floor of the line
    is_known: bool = True  # False: the line has no person with the name asked for


class FindingList(PageModel):
    """State and commands of the findings page. It reads only while active (`set_active`)."""

    found = Signal()  # the list was read or filtered
    shown = Signal(object)  # FindingRow or None: the chosen one

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.kind: FindingKind | None = None
        self.status = ""
        self.words = ""
        self.last = -1
        self.is_known = True
        self.current: FindingRow | None = None
        self.wanted: int | None = None  # key of a finding that another page asked to be shown
        self._at = workspace.at
        self._all: tuple[FindingRow, ...] = ()
        self._listed: dict[int, FindingRow] = {}
        self._waiting: set[int] = set()  # answered, and not read again yet
        self.decided = Decided(workspace, self)
        self.model = FindingModel(self._fetch, self)
        self._query = LiveQuery(
            workspace,
            "findings",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)

    @property
    def is_now(self) -> bool:
        return self._at is None

    @property
    def at(self) -> int:
        """Return the floor as of which the story is looked at."""
        return self.last if self._at is None else self._at

    @property
    def is_narrowed(self) -> bool:
        return bool(self.kind or self.status or self.words)

    @property
    def rows(self) -> Sequence[FindingRow]:
        """Return the listed findings."""
        return list(self._listed.values())

    def counts(self) -> Mapping[FindingKind, int]:
        """Count all findings by kind, ignoring the filter."""
        found = Counter(row.finding.kind for row in self._all)
        return {kind: found[kind] for kind in FINDING_KINDS}

    def statuses(self) -> Mapping[str, int]:
        """Count the findings of the listed kind by status, in the order of their life cycle."""
        of_kind = [r.finding for r in self._all if self.kind in (None, r.finding.kind)]
        found = Counter(finding.status for finding in of_kind)
        order = dict.fromkeys(status for names in STATUSES.values() for status in names)
        return {status: found[status] for status in order if found[status]}

    def show_at(self, floor: int) -> None:
        """Show the findings as of ``floor``, shortly after the last call."""
        self._at = None if floor >= self.last else floor
        self._query.read_soon()

    def filter_kind(self, kind: FindingKind | None) -> None:
        self.kind = kind
        if self.status not in self.statuses():
            self.status = ""
        self._narrow()

    def filter_status(self, status: str) -> None:
        self.status = status
        self._narrow()

    def search(self, text: str) -> None:
        self.words = text.strip().casefold()
        self._narrow()

    @Slot()
    def show_everything(self) -> None:
        """Clear the filter."""
        self.kind, self.status, self.words = None, "", ""
        self._narrow()

    def show_kind(self, kind: FindingKind, status: str) -> None:
        """Show the page, filtered by kind and status."""
        self.kind, self.status, self.words = kind, status, ""
        self._go_to_page()

    def go_to(self, finding_id: str) -> None:
        """Show the page with one finding chosen, whatever the filter."""
        self.kind, self.status, self.words = None, "", ""
        self.wanted = int(finding_id, 16)
        self._go_to_page()

    def _go_to_page(self) -> None:
        if self._at is not None:
            self._at = None
            self._query.read()
        self._space.page_wanted.emit("findings")
        if self._query.has_answer:
            self._narrow()

    def choose(self, key: int | None) -> None:
        """Show one finding with its quotes."""
        self.current = self._listed.get(key) if key is not None else None
        self.shown.emit(self.current)

    def choices(self) -> Sequence[str]:
        """Return the possible answers to the shown finding, in the order of the keys 1–5."""
        return answers_of(self.current.finding.kind) if self.current is not None else ()

    def answer(self, answer: str) -> bool:
        """Answer the shown finding; repeating its answer takes it back.

        Returns whether it was sent.
        """
        row = self.current
        if row is None or answer not in self.choices() or row.key in self._waiting:
            return False
        self._waiting.add(row.key)
        finding = row.finding
        given = "" if answer == finding.answer else answer
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Answering a finding"),
            lambda ctx: memory.findings.answer(ctx, line, finding.id, given, seen=finding.answer),
        )
        job.succeeded.connect(lambda changes: self.decided.note(row.key, changes))
        job.failed.connect(self._on_refused)
        return True

    def read_source(self, number: int) -> None:
        """Show the message of a quote of the shown finding."""
        if self.current is not None and number < len(self.current.finding.quotes):
            floor = self.current.finding.quotes[number].floor
            self._space.floor_wanted.emit(floor, floor)

    @Slot(object)
    def _on_refused(self, _error: BaseException) -> None:
        """Show the stored finding again: another program may have answered it."""
        self._waiting.clear()
        self.read()

    def _fetch(self, keys: Sequence[int]) -> dict[int, FindingRow]:
        return {key: self._listed[key] for key in keys if key in self._listed}

    def _ask(self) -> Callable[[JobContext], _Answer] | None:
        line, memory = self._space.line, self._space.memory
        actor, at = self._space.actor, self._at
        return (lambda ctx: _read(ctx, memory, line, actor, at)) if line.chat_id else None

    def _show(self, answer: _Answer) -> None:
        self._waiting.clear()
        self._all, self.last, self.is_known = answer.rows, answer.last, answer.is_known
        if self.status and self.status not in self.statuses():
            self.status = ""  # the last one was answered
        self._narrow()
        self.wanted = None  # the read is complete: the finding is listed, or it does not exist

    def _narrow(self) -> None:
        listed = [row for row in self._all if self._is_listed(row)]
        self._listed = {row.key: row for row in listed}
        keys = array("q", self._listed)
        if keys == self.model.keys():
            self.model.refresh()
        else:
            self.model.set_keys(keys)
        self.found.emit()
        self.choose(self.current.key if self.current is not None else None)

    def _is_listed(self, row: FindingRow) -> bool:
        finding = row.finding
        if self.kind not in (None, finding.kind) or self.status not in ("", finding.status):
            return False
        return not self.words or any(
            self.words in text.casefold()
            for text in (row.heading, *finding.who, *(quote.text for quote in finding.quotes))
        )

    def _forget(self) -> None:
        self._at, self.last, self.is_known = self._space.at, -1, True
        self._all, self.current, self.wanted = (), None, None
        self.kind, self.status, self.words = None, "", ""
        self._narrow()

    def _concerns(self, changes: Changes) -> bool:
        return concerns_findings(self._space, changes)


def concerns_findings(space: Workspace, changes: Changes) -> bool:
    """Return whether these changes may change the findings of the shown chat."""
    is_ours = changes.chat_id == space.chat_id
    return is_ours and (changes.messages or changes.knowledge or changes.has_memory)


def _read(ctx: JobContext, memory: Memory, line: Line, actor: str, at: int | None) -> _Answer:
    last = memory.messages.count(line) - 1
    floor = None if at is None or at >= last else at
    try:
        found = memory.findings.findings(ctx, line, (), actor, floor)
    except NotFound:
        return _Answer((), last, is_known=False)
    known = memory.findings.near(ctx, line, 0)
    rows: dict[int, FindingRow] = {}
    for finding in sorted(found, key=lambda f: f.floors):
        lines = known[1] if known is not None else None
        told = tuple(
            _teller(quote, lines.at(quote.floor) if lines is not None else ())
            for quote in finding.quotes
        )
        key = int(finding.id, 16)
        if key not in rows:
            rows[key] = FindingRow(key, finding, told)
    return _Answer(tuple(rows.values()), last)


def _teller(quote: Quote, lines: Sequence[Claim]) -> Claim | None:
    """Return the first claim whose sentence contains the quote or lies in it; None without one."""
    return next(
        (
            c
            for c in lines
            if (said := c.quote.strip()) and (said in quote.text or quote.text in said)
        ),
        None,
    )
