"""Marks beside a chat's text: the memories of each floor, and the lines that findings quote.

Positions of events are read once on a lane, their texts when their floors are shown, so that a
tooltip is ready before the mouse rests on its mark. Also what a selection can become: an event, a
fact, a thread, an entity or a relation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.findings import (
    FindingList,
    concerns_findings,
    kind_names,
    status_names,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, Workspace, WorkspaceModel

PAGE = 64  # floors whose events are stored together
MOST_WORDS = 2_000  # events whose texts are held: many screens, but never a whole chat
MOST_AT_ONCE = 300  # events whose texts are read at once: floors with more events are rare
PAUSE_MS = 40  # milliseconds a screen must stay before texts are read: scrolling reads none
STATES = ("none", "archived", "buffer", "stale")  # a later one is shown before an earlier one
MOST_EVENTS = 6  # events listed in a tooltip
EVENT_CHARACTERS = 220  # of each event in a tooltip


@dataclass(frozen=True, slots=True)
class Span:
    """Floors of one event. ``state`` is archived, buffer or stale."""

    key: int
    first: int
    last: int
    state: str


@dataclass(frozen=True, slots=True)
class Spans:
    """All events of a line, by page of `PAGE` floors."""

    pages: dict[int, list[Span]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int, str]], known: set[int] | None) -> Spans:
        """Sort events into pages; with ``known``, only these events."""
        pages: dict[int, list[Span]] = {}
        for key, first, last, state in rows:
            if known is None or key in known:
                span = Span(key, first, last, state)
                for page in range(first // PAGE, last // PAGE + 1):
                    pages.setdefault(page, []).append(span)
        return cls(pages)

    def at(self, floor: int) -> list[Span]:
        """Return the events of a floor, the one whose state is shown at the end."""
        page = self.pages.get(floor // PAGE, ())
        here = [span for span in page if span.first <= floor <= span.last]
        return sorted(here, key=lambda span: STATES.index(span.state))

    def between(self, first: int, last: int) -> list[Span]:
        """Return the events of any of these floors, in their order."""
        seen: dict[int, Span] = {}
        for page in range(first // PAGE, last // PAGE + 1):
            for span in self.pages.get(page, ()):
                if span.first <= last and span.last >= first:
                    seen[span.key] = span
        return list(seen.values())


def state_words(state: str) -> str:
    """Return what a mark means, in words."""
    return {
        "buffer": QCoreApplication.translate("MemoryMarks", "Blue: always in context"),
        "archived": QCoreApplication.translate("MemoryMarks", "Green: archived, recalled"),
        "stale": QCoreApplication.translate("MemoryMarks", "Stale: its messages have changed"),
        "none": QCoreApplication.translate("MemoryMarks", "Nothing is remembered of this"),
    }[state]


class MemoryMarks(WorkspaceModel):
    """State of the margin. It reads only while active (`set_active`)."""

    changed = Signal()
    words_changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.spans = Spans()
        self.is_loaded = False
        self._words: OrderedDict[int, EventNode] = OrderedDict()
        self._seen = (0, -1)
        self._query = LiveQuery(
            workspace,
            "memory marks",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)
        self._reading = newest_answer(workspace, self._on_words, self)
        self._later = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._later.timeout.connect(self._read_words)
        workspace.hub.changed.connect(self._on_changed)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        self._query.set_active(active)

    def state_at(self, floor: int) -> str:
        here = self.spans.at(floor)
        return here[-1].state if here else "none"

    def keys_between(self, first: int, last: int) -> list[int]:
        return [span.key for span in self.spans.between(first, last)]

    def event_of(self, key: int) -> EventNode | None:
        """Return an event whose text has been read; None otherwise."""
        return self._words.get(key)

    def tip(self, floor: int) -> str:
        """Return the tooltip of a floor, from what has been read."""
        here = self.spans.at(floor)
        if not here:
            return state_words("none")
        lines = []
        for span in reversed(here[-MOST_EVENTS:]):
            event = self._words.get(span.key)
            words = event.summary[:EVENT_CHARACTERS] if event is not None else "…"
            lines.append(f"{state_words(span.state)}\n{words}")
        if len(here) > MOST_EVENTS:
            lines.append(self.tr("and %n more", "", len(here) - MOST_EVENTS))
        return "\n\n".join(lines)

    @Slot(int, int)
    def look_at(self, first: int, last: int) -> None:
        """Read the texts of the events of these floors after a short delay."""
        self._seen = (first, last)
        self._later.start()

    @Slot()
    def _read_words(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        first, last = self._seen
        if not chat or last < first:
            return
        spans = self.spans.between(max(0, first), last)[-MOST_AT_ONCE:]
        keys = [span.key for span in spans if span.key not in self._words]
        if keys:
            self._reading.ask(lambda _ctx: memory.events.fetch(chat, keys))

    @Slot(object)
    def _on_words(self, events: dict[int, EventNode]) -> None:
        self._words.update(events)
        while len(self._words) > MOST_WORDS:
            self._words.popitem(last=False)
        self.words_changed.emit()

    def _ask(self) -> Callable[[JobContext], Spans] | None:
        line, memory, names = self._space.line, self._space.memory, self._space.actors
        return (lambda ctx: _read(ctx, memory, line, names)) if line.chat_id else None

    def _show(self, spans: Spans) -> None:
        self.spans, self.is_loaded = spans, True
        self._later.start()
        self.changed.emit()

    def _forget(self) -> None:
        self._reading.drop()
        self.spans, self.is_loaded = Spans(), False
        self._words.clear()
        self.changed.emit()

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (
            changes.rows or changes.order or changes.counts or changes.messages or changes.knowledge
        )

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Drop the texts of changed events."""
        if changes.chat_id != self._space.chat_id or not (changes.events or changes.texts):
            return
        for key in changes.events or list(self._words):
            self._words.pop(key, None)
        self._later.start()


def _read(ctx: JobContext, memory: Memory, line: Line, names: Sequence[str]) -> Spans:
    known = None
    if names:
        actors = memory.knowledge.askers(ctx, line, names)
        query = replace(EventQuery(branch_id=line.branch_id), actors=actors)
        known = set(memory.events.find(line.chat_id, query))
    return Spans.of(memory.events.spans(line), known)


MOST_FLOORS = 400  # larger selections are summarised in blocks instead


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed event; ``has_model``: a model could be asked for a better text."""

    data: PlotExtraction | None
    has_model: bool = False


class Remembering(WorkspaceModel):
    """State and commands of the form that makes an event of selected floors (记住这段).

    ``span`` None: no event is being written.
    """

    begun = Signal(object)  # SourceRange or None
    proposed = Signal(object)  # Proposal
    busy_changed = Signal(bool)

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.span: SourceRange | None = None
        self._data = PlotExtraction("")
        self._asking = newest_answer(workspace, self._on_proposed, self)
        self._asking.busy_changed.connect(self.busy_changed)
        workspace.chat_changed.connect(self.leave)

    @property
    def place(self) -> TypingPlace:
        """Return the typing place of the text being written."""
        line, span = self._space.line, self.span or SourceRange(0, 0)
        return TypingPlace(
            f"remember {line.branch_id} {span.start_index} {span.end_index}", line.chat_id
        )

    def begin(self, first: int, last: int) -> None:
        """Open the form for some floors, and ask for a proposal without a model."""
        if self._space.actor or not self._space.chat_id or first < 0:
            return
        self.span = SourceRange(first, min(last, first + MOST_FLOORS - 1))
        self._data = PlotExtraction("")
        self.begun.emit(self.span)
        self._space.panel_wanted.emit()
        self._ask(by_model=False)

    @Slot()
    def ask_model(self) -> None:
        """Ask the model for the text; it costs as much as one summary."""
        self._ask(by_model=True)

    def save(self, summary: str, keywords: tuple[str, ...]) -> None:
        """Store the event in the buffer."""
        span, line, memory = self.span, self._space.line, self._space.memory
        if span is None or not summary.strip():
            return
        data = replace(self._data, summary=summary, keywords=keywords)
        job = self._space.change(
            self.tr("Adding a memory"), lambda _ctx: memory.events.add(line, data, span)[1]
        )
        job.succeeded.connect(lambda changes: self._on_saved(span, changes))
        self.leave()

    @Slot()
    def leave(self) -> None:
        """Close the form without storing anything."""
        self._asking.drop()
        if self.span is not None:
            self.span = None
            self.begun.emit(None)

    def _ask(self, *, by_model: bool) -> None:
        span, line, memory = self.span, self._space.line, self._space.memory
        if span is None:
            return
        floors = (span.start_index, span.end_index)
        self._asking.ask(
            lambda ctx: Proposal(
                memory.pipeline.propose(ctx, line, floors, by_model=by_model),
                memory.endpoints.has_model(),
            ),
            lane="network" if by_model else "interactive",
        )

    @Slot(object)
    def _on_proposed(self, proposal: Proposal) -> None:
        if self.span is not None:
            self._data = proposal.data or PlotExtraction("")
            self.proposed.emit(proposal)

    def _on_saved(self, span: SourceRange, changes: Changes) -> None:
        floors = floors_words(span.start_index, span.end_index)
        self._undo.offer(self.tr("Remembered: {floors}").format(floors=floors), changes.undo_label)


QUOTE_CHARACTERS = 160  # characters of a quote in a tooltip
MOST_FINDINGS = 4  # findings listed in a tooltip


@dataclass(frozen=True, slots=True)
class QuoteMark:
    """A line that a finding quotes; ``number`` is the index of the quote."""

    finding: Finding
    number: int

    @property
    def text(self) -> str:
        return self.finding.quotes[self.number].text

    @property
    def words(self) -> str:
        """Return a description of the finding with its other quotes."""
        finding = self.finding
        head = kind_names()[finding.kind]
        if finding.kind != "superseded":
            head = f"{head} · {status_names()[finding.status]}"
        rows = [
            f"{floors_words(q.floor, q.floor)}: {' '.join(q.text.split())[:QUOTE_CHARACTERS]}"
            for number, q in enumerate(finding.quotes)
            if number != self.number or len(finding.quotes) == 1
        ]
        return "\n".join([head, *rows])


class FindingMarks(WorkspaceModel):
    """The quotes of findings by floor. It reads only while active (`set_active`)."""

    changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        findings: Callable[[], FindingList],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
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
        """Return the marks of some floors, one for each finding."""
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
    """Return the tooltip of some marks."""
    return "\n\n".join(mark.words for mark in marks[:MOST_FINDINGS])


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


PassageUse = Literal["event", "fact", "thread", "entity", "relation"]
LONGEST_NAME = 80  # characters of an entity's name; the limit for names given by a model


@dataclass(frozen=True, slots=True)
class Passage:
    """Selected words of one message; ``speaker`` is "" for the narration."""

    floor: int
    words: str
    speaker: str = ""
    is_fact: bool = False


@dataclass(frozen=True, slots=True)
class RelationPassage:
    """Selected words that relate two entities; ``names`` are the entities, the speaker last."""

    floor: int
    words: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddedEntity:
    """An entity made by hand, or the existing one with that name."""

    entity_id: str
    changes: Changes


class PassageUses(WorkspaceModel):
    """Commands that make something of a passage; for the curator only."""

    memory_wanted = Signal(object)  # Passage: to be written as an event or a fact
    entity_wanted = Signal(str)  # id of an entity to be shown
    relation_wanted = Signal(object)  # RelationPassage: the relation is to be entered

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo

    @property
    def is_allowed(self) -> bool:
        """Return whether commands are allowed: what a character perceives is read-only."""
        return bool(self._space.chat_id) and not self._space.actor

    def use(self, use: PassageUse, floor: int, words: str) -> None:
        """Start the chosen command on some words of a floor."""
        words = words.strip()
        if not words or not self.is_allowed:
            return
        if use == "thread":
            self._note_thread(floor, words)
        elif use == "entity":
            self._add_entity(words)
        elif use == "relation":
            self._ask_relation(floor, words)
        else:
            self._write(floor, words, is_fact=use == "fact")

    def save(self, data: PlotExtraction, span: SourceRange) -> None:
        """Store an event or a fact; the reading position stays."""
        line, memory = self._space.line, self._space.memory
        floors = floors_words(span.start_index, span.end_index)
        self._change(
            self.tr("Adding a memory"),
            self.tr("Remembered: {floors}").format(floors=floors),
            lambda _ctx: memory.events.add(line, data, span)[1],
        )

    def relate(self, passage: RelationPassage, src: str, predicate: str, dst: str) -> None:
        """Store a relation that holds from the floor of the passage on."""
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Adding a relation"),
            self.tr("Related, from floor {floor} on").format(floor=passage.floor),
            lambda _ctx: memory.graph.add_relation(line, src, predicate, dst, passage.floor),
        )

    def noted(self, floor: int, words: str) -> list[str]:
        """Return the ids of the threads that were noted from these words."""
        if not words.strip() or not self.is_allowed:
            return []
        return self._space.memory.findings.noted_at(self._space.line, floor, words)

    def forget(self, ids: list[str]) -> None:
        """Delete noted threads."""
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Forgetting a thread"),
            self.tr("No longer a thread"),
            lambda _ctx: memory.findings.forget_threads(line, ids),
        )

    def _write(self, floor: int, words: str, *, is_fact: bool) -> None:
        line, memory = self._space.line, self._space.memory

        def look(ctx: JobContext) -> Passage:
            speaker = memory.findings.speaker_of(ctx, line, floor, words)
            return Passage(floor, words, speaker, is_fact)

        self._space.look_up(look).succeeded.connect(self.memory_wanted)

    def _ask_relation(self, floor: int, words: str) -> None:
        """Find the entities in the words, persons first, the speaker last; ask for the relation."""
        line, memory = self._space.line, self._space.memory

        def look(ctx: JobContext) -> RelationPassage:
            named = memory.graph.named_in(line, words)
            persons = sorted(named, key=lambda entity: entity.type != "char")
            speaker = memory.findings.speaker_of(ctx, line, floor, words)
            known = memory.graph.named(line.chat_id, speaker) if speaker else None
            ends = [entity.name for entity in (*persons, *filter(None, [known]))]
            return RelationPassage(floor, words, tuple(dict.fromkeys(ends)))

        self._space.look_up(look).succeeded.connect(self.relation_wanted)

    def _note_thread(self, floor: int, words: str) -> None:
        line, memory = self._space.line, self._space.memory
        self._change(
            self.tr("Noting a thread"),
            self.tr("Noted as an open thread: it stands on the page of findings"),
            lambda ctx: memory.findings.note_thread(ctx, line, floor, words),
        )

    def _change(self, title: str, done: str, work: Callable[[JobContext], Changes]) -> None:
        job = self._space.change(title, work)
        job.succeeded.connect(lambda changes: self._undo.offer(done, changes.undo_label))

    def _add_entity(self, words: str) -> None:
        line, memory = self._space.line, self._space.memory
        name = " ".join(words.split())[:LONGEST_NAME]
        job = self._space.change(
            self.tr("Adding an entity"),
            lambda _ctx: AddedEntity(*memory.graph.add_entity(line, name)),
        )
        job.succeeded.connect(self._on_added)

    def _on_added(self, added: AddedEntity) -> None:
        self._space.page_wanted.emit("graph")
        self._space.panel_wanted.emit()
        self.entity_wanted.emit(added.entity_id)
