"""Events and private logs of a chat: list their keys, fetch them by page, edit them by hand."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import (
    ADD_LOG,
    DELETE_LOGS,
    EDIT_LOG,
    MUTE,
    SPLIT_EVENT,
    UNMUTE,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import (
    EventPatch,
    LogPatch,
    LogQuery,
    PrivateLog,
    SourceRange,
)
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.patches import patched_event
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.recall.relative_time import StoryDay, day_of
from engram_desktop.domain.reports import EventVersion
from engram_desktop.services.events import curate
from engram_desktop.services.events.blocks import checked, renderer_of
from engram_desktop.services.graph import link
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.events.event_rows import event_of_columns

if TYPE_CHECKING:
    from engram_desktop.domain.memory.edits import (
        DuplicateGroup,
        FindReplace,
        Replaced,
        ReplacePlan,
        SharedFields,
        SharedPatch,
    )
    from engram_desktop.domain.memory.event import AlwaysVisible, EventCounts, EventNode, EventQuery
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.domain.memory.facets import FacetCube
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

DELETED_SHOWN = 1_000  # deleted events that are listed: more than a user reads through


class EventService:
    """Events. Lists hold keys (`EventNode.pk`); every method that writes is one undoable step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, chat_id: str, query: EventQuery) -> array[int]:
        """Return the keys of the events matching ``query``, in its order."""
        return self._session.chat(chat_id).events.find(query)

    def read_ahead(self, chat_id: str) -> None:
        """Load in advance what searching or archiving very many events needs."""
        events = self._session.chat(chat_id).events
        if events.has_many:
            events.of_words.read()
            for module in (curate, link):  # .25 s to import, mostly a dictionary of characters
                dir(module)

    def cube(self, chat_id: str, query: EventQuery) -> FacetCube:
        """Count the events matching ``query`` by each of their facets."""
        return self._session.chat(chat_id).events.cube(query)

    def by_day(
        self, line: Line, pks: Sequence[int], *, by_headings: bool = True
    ) -> dict[StoryDay | None, array[int]]:
        """Return the keys of events by the day of the story on which they happen, days in order.

        The day comes from the story time of an event; if that names no day, and ``by_headings``,
        from the last message before it whose heading names one. Events without a day are under
        None. Outlines span several days and are left out.
        """
        store = self._session.chat(line.chat_id)
        floors: list[int] = []
        days: list[int] = []
        if by_headings:
            highest = dict(store.branch_path(line.branch_id))
            marks = [
                (floor, day)
                for branch, floor, day in store.items.story_days()
                if branch in highest and ((last := highest[branch]) is None or floor <= last)
            ]
            for floor, day in sorted(marks):
                floors.append(floor)
                days.append(day)
        found: dict[StoryDay | None, array[int]] = {}
        for pk, _branch, time, first in store.events.story_times(pks):
            day_named = day_of(time)
            place = bisect_right(floors, first) - 1
            if day_named is None and place >= 0:
                day_named = StoryDay(number=days[place])
            found.setdefault(day_named, array("q")).append(pk)
        ordered = sorted(found, key=lambda d: (d is None, d.order if d is not None else ()))
        return {day: found[day] for day in ordered}

    def parents(self, chat_id: str) -> dict[int, int]:
        """Return the key of the outline that each merged event went into, by key of the event."""
        return self._session.chat(chat_id).outlines.parents()

    def fetch(self, chat_id: str, pks: Sequence[int]) -> dict[int, EventNode]:
        """Return events by key; deleted ones are left out."""
        return self._session.chat(chat_id).events.fetch(pks)

    def find_one(self, chat_id: str, event_id: str) -> EventNode | None:
        """Return the event with this id, None if it does not exist or is deleted."""
        return next(iter(self._session.chat(chat_id).events.by_ids([event_id])), None)

    def counts(self, line: Line, text: str = "") -> EventCounts:
        """Count the events of a line, or those of them that a search for ``text`` finds."""
        return self._session.chat(line.chat_id).events.counts(line.branch_id, text)

    def always_visible(self, line: Line) -> AlwaysVisible:
        """Return the cost of the text that is in every prompt."""
        return self._session.chat(line.chat_id).events.always_visible(line.branch_id)

    def at_floors(self, line: Line, first: int, last: int) -> list[EventNode]:
        """Return the events made of these floors, outlines included, in story order."""
        return self._session.chat(line.chat_id).events.at_floors(line.branch_id, first, last)

    def spans(self, line: Line) -> list[tuple[int, int, int, str]]:
        """Return (key, first floor, last floor, state) of events: archived, buffer or stale."""
        return self._session.chat(line.chat_id).events.spans(line.branch_id)

    def coverage(self, line: Line) -> list[tuple[int, int, str]]:
        """Return runs of floors (first, last, state) of a line; see the function `coverage`."""
        return coverage(self._session.chat(line.chat_id), line.branch_id)

    def history(self, chat_id: str, pk: int) -> list[EventVersion]:
        """Return the versions of an event, the newest first. Raises NotFound."""
        return versions(self._session.chat(chat_id), pk)

    def update(
        self, chat_id: str, pk: int, patch: EventPatch, expected: Mapping[str, object] | None = None
    ) -> Changes:
        """Change fields of one event. Raises NotFound, InputError.

        ``expected`` are the values, by field, that the editor was opened with: if a field of
        ``patch`` was changed elsewhere since, Conflict is raised.
        """
        store = self._session.chat(chat_id)
        return curate.update_event(store, pk, patch, renderer_of(self._session, store), expected)

    def shared(self, chat_id: str, pks: Sequence[int]) -> SharedFields:
        """Return the field values that several events have in common."""
        return self._session.chat(chat_id).shared_fields(pks)

    def edit_many(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], patch: SharedPatch
    ) -> Changes:
        """Change several events alike, as one step; locked ones are skipped. Raises Cancelled."""
        store = self._session.chat(chat_id)
        renderer = renderer_of(self._session, store)
        return curate.edit_alike(store, ctx, pks, patch, renderer)

    def plan_replacing(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], asked: FindReplace
    ) -> ReplacePlan:
        """Return what a find and replace would change. Raises ScriptFailed, Cancelled."""
        javascript = self._session.javascript
        return curate.plan_replacing(self._session.chat(chat_id), javascript, ctx, pks, asked)

    def replace(
        self, ctx: JobContext, chat_id: str, changes: Sequence[Replaced], find: str
    ) -> Changes:
        """Write changes that `plan_replacing` found, or some of them, as one step.

        Raises Cancelled.
        """
        store = self._session.chat(chat_id)
        renderer = renderer_of(self._session, store)
        return curate.apply_replacing(store, ctx, changes, find, renderer)

    def duplicates(self, ctx: JobContext, line: Line) -> list[DuplicateGroup]:
        """Return groups of events that say the same, the surest first. Raises Cancelled."""
        return curate.find_duplicates(self._session.chat(line.chat_id), ctx, line.branch_id)

    def keep_apart(self, chat_id: str, pairs: Sequence[tuple[str, str]]) -> Changes:
        """Store that these pairs of events, by id, are not duplicates."""
        return curate.keep_apart(self._session.chat(chat_id), pairs)

    def join(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Join several events into the first one of the story. Raises InputError."""
        store = self._session.chat(chat_id)
        return curate.join_events(store, ctx, pks, renderer_of(self._session, store))

    def split(self, chat_id: str, pk: int, floor: int, summaries: tuple[str, str]) -> Changes:
        """Split an event in two; the second begins at ``floor``. Raises NotFound, InputError."""
        store = self._session.chat(chat_id)
        return split(store, pk, floor, summaries, renderer_of(self._session, store))

    def set_archived(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, archived: bool
    ) -> Changes:
        """Archive events (green lamp), linking them to the graph, or make them blue again."""
        caps = link.Caps.of(self._session.settings(chat_id))
        return curate.set_archived(self._session.chat(chat_id), ctx, pks, caps, archived=archived)

    def set_locked(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, locked: bool
    ) -> Changes:
        """Lock events, so that only the user changes them, or unlock them."""
        return curate.set_locked(self._session.chat(chat_id), ctx, pks, locked=locked)

    def set_confirmed(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, confirmed: bool
    ) -> Changes:
        """Mark events as confirmed by the user, or take the mark back."""
        return curate.set_confirmed(self._session.chat(chat_id), ctx, pks, confirmed=confirmed)

    def add(self, line: Line, data: PlotExtraction, span: SourceRange) -> tuple[int, Changes]:
        """Write an event or a fact by hand; returns its key. Raises InputError."""
        store = self._session.chat(line.chat_id)
        renderer = renderer_of(self._session, store, data.summary)
        return curate.add_event(store, data, span, renderer, line.branch_id)

    def delete(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Tombstone events; the same step removes them from every index."""
        return curate.delete_events(self._session.chat(chat_id), ctx, pks)

    def deleted(self, line: Line) -> list[EventNode]:
        """Return the events deleted from a line, the last first; `updated_at` is when."""
        return self._session.chat(line.chat_id).event_bin.deleted(line.branch_id, DELETED_SHOWN)

    def bring_back(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Restore deleted events. Raises Cancelled."""
        return curate.bring_back_events(self._session.chat(chat_id), ctx, pks)

    def render_card(self, chat_id: str, event: EventNode, patch: EventPatch) -> str:
        """Return the card that ``event`` would have after ``patch``."""
        renderer = renderer_of(self._session, self._session.chat(chat_id))
        return patched_event(event, patch, renderer).display_text


# A later state overwrites an earlier one.
_STATES = ("empty", "failed", "drafted", "done", "archived", "buffer", "stale")
_SAME = re.compile(rb"(.)\1*", re.DOTALL)  # floors of one state, one byte each


def coverage(store: ChatStore, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str]]:
    """Return runs of floors (first, last, state), from the first floor to the last.

    ``done`` floors were summarised and gave no event; ``drafted`` ones wait for review; ``failed``
    ones have an answer that cannot be parsed.
    """
    count = store.messages.count(branch_id)
    if not count:
        return []
    ranges = [(start, end, "done") for start, end, *_rest in store.blocks(branch_id)]
    ranges += store.events.ranges(branch_id)
    drafts = checked(store, branch_id, store.drafts.find(branch_id))
    states = {"waiting": "drafted", "failed": "failed"}
    ranges += [(*d.floors, states[d.state]) for d in drafts if not d.is_outdated]
    floors = bytearray(count)  # one state rank a floor; higher ranks overwrite lower ones
    ranks = {state: rank for rank, state in enumerate(_STATES)}
    for start, end, state in sorted(ranges, key=lambda told: ranks[told[2]]):
        first, behind = max(0, start), max(0, min(end + 1, count))
        floors[first:behind] = bytes((ranks[state],)) * (behind - first)
    runs = _SAME.finditer(floors)
    return [(run.start(), run.end() - 1, _STATES[run[0][0]]) for run in runs]


def versions(store: ChatStore, pk: int) -> list[EventVersion]:
    """Return the versions of an event, newest first, rebuilt from the undo steps still kept.

    Steps that change nothing visible are left out. The last version is the event as it was made, or
    as it was before the oldest step kept. Raises NotFound.
    """
    row = store.event_bin.columns(pk)
    if row is None:
        raise NotFound("event", str(pk))
    states: list[EventVersion] = []
    label: StepLabel | None = None
    at, is_made = 0, False
    for change in store.journal.changes_of("event", pk):
        label, at = change.label, change.at
        _keep(states, EventVersion(event_of_columns(row), label, at))
        if change.op == "INSERT":
            is_made = True
            break
        row = {**row, **change.before}
    if not is_made:
        _keep(states, EventVersion(event_of_columns(row)))
    return states


def _keep(states: list[EventVersion], version: EventVersion) -> None:
    """Append an older version; if it looks like the one before, it replaces that."""
    if states and not states[-1].differs_from(version):
        states[-1] = version
    else:
        states.append(version)


def set_muted(store: ChatStore, refs: Sequence[str], *, muted: bool) -> Changes:
    """Mute (不要再用) or unmute the messages, events, entities or logs with these ids.

    Muted memories are not recalled or injected. Raises NotFound.
    """
    items = store.items.of_refs(refs)
    unknown = set(refs).difference(item.ref for item in items)
    if unknown:
        raise NotFound("memory", min(unknown))
    title = " ".join(items[0].content.split())[:40] if items else ""
    label = StepLabel(MUTE if muted else UNMUTE, {"what": title})
    with store.step(label):
        store.items.set_muted([item.id for item in items], muted=muted)
    return Changes(chat_id=store.chat_id, recall=True, undo_label=label)


_T = QT_TRANSLATE_NOOP


def split(
    store: ChatStore, pk: int, floor: int, summaries: tuple[str, str], renderer: StoryRenderer
) -> Changes:
    """Split an event in two at ``floor``; both keep the evidence. Raises NotFound, InputError."""
    event = store.events.fetch([pk]).get(pk)
    if event is None or event.is_deleted:
        raise NotFound("event", pk)
    if event.is_locked or event.level:
        text = _T("reports", "Only an event that is not locked, and no outline, can be split.")
        raise InputError(Phrase(text))
    span = event.source_range
    if not span.start_index < floor <= span.end_index:
        text = _T("reports", "The second part must begin inside the event's floors.")
        raise InputError(Phrase(text))
    first, second = (
        patched_event(event, EventPatch(summary=summary, confidence=event.confidence), renderer)
        for summary in summaries
    )
    first = replace(first, source_range=SourceRange(span.start_index, floor - 1))
    second = replace(
        second, id=new_id(), source_range=SourceRange(floor, span.end_index), is_embedded=False
    )
    label = StepLabel(SPLIT_EVENT, {"summary": event.summary[:24], "floor": floor})
    with store.step(label):
        now = store.clock()
        store.events.replace([first], now)
        (added,) = store.events.add([second], now)
        store.apart.give_evidence(event.id, second.id)
        store.apart.add([(event.id, second.id)])  # two parts of one event look like duplicates
        store.entities.put_off_items(store.entities.of_events([added]))
    store.catch_up()
    return Changes(
        chat_id=store.chat_id,
        events=frozenset((pk, added)),
        rows=True,
        order=True,
        counts=True,
        texts=True,
        graph=True,
        undo_label=label,
    )


class LogService:
    """Private logs. Every method that writes is one undoable step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, chat_id: str, query: LogQuery) -> array[int]:
        """Return the keys of the log entries matching ``query``, in story order."""
        return self._session.chat(chat_id).logs.find(query)

    def fetch(self, chat_id: str, pks: Sequence[int]) -> dict[int, PrivateLog]:
        return self._session.chat(chat_id).logs.fetch(pks)

    def find_one(self, chat_id: str, log_id: str) -> PrivateLog:
        """Return the log entry with this id or key. Raises NotFound."""
        store = self._session.chat(chat_id)
        pk = store.logs.key(log_id)
        if pk is None and log_id.isdecimal():
            pk = int(log_id)
        logs = store.logs.fetch([pk]) if pk is not None else {}
        if pk not in logs:
            raise NotFound("private log", log_id)
        return logs[pk]

    def owners(self, line: Line) -> list[tuple[str, int]]:
        """Return the owners of log entries with their counts, the highest first."""
        return self._session.chat(line.chat_id).logs.owners(line.branch_id)

    def add(self, line: Line, patch: LogPatch) -> tuple[int, Changes]:
        """Write a log entry by hand; returns its key. Raises InputError.

        ``patch`` must give ``owner``, ``content`` and ``source_range``.
        """
        store = self._session.chat(line.chat_id)
        if patch.source_range is None:
            raise InputError(Phrase(_T("reports", "The floors the entry covers are missing.")))
        blank = PrivateLog(0, new_id(), line.branch_id, "", "", patch.source_range)
        log = replace(_patched(store, blank, patch), timestamp=store.clock())
        label = StepLabel(ADD_LOG, {"name": log.owner})
        with store.step(label):
            (pk,) = store.logs.add([log], store.clock())
        return pk, _changes(store, label)

    def update(self, chat_id: str, pk: int, patch: LogPatch) -> Changes:
        """Change fields of a log entry, which then counts as the user's.

        Raises NotFound, InputError.
        """
        store = self._session.chat(chat_id)
        logs = store.logs.fetch([pk])
        if pk not in logs:
            raise NotFound("private log", str(pk))
        changed = _patched(store, logs[pk], patch)
        if changed == logs[pk]:
            return Changes(chat_id=chat_id)
        mine = replace(changed, extractor="manual", confidence="confirmed", is_stale=False)
        label = StepLabel(EDIT_LOG, {"name": changed.owner})
        typed = f"log {pk}" if patch == LogPatch(content=patch.content) else ""
        with store.step(label, typed=typed):
            store.logs.replace(mine, store.clock())
        return _changes(store, label)

    def delete(self, chat_id: str, pks: Sequence[int]) -> Changes:
        """Tombstone log entries; the same step removes them from every index."""
        store = self._session.chat(chat_id)
        label = StepLabel(DELETE_LOGS, {"count": len(pks)})
        with store.step(label):
            deleted = store.logs.delete(pks, store.clock())
        return _changes(store, label) if deleted else Changes(chat_id=chat_id)


def _patched(store: ChatStore, log: PrivateLog, patch: LogPatch) -> PrivateLog:
    """Return ``log`` with ``patch`` applied. Raises InputError, NotFound."""
    owner = (log.owner if patch.owner is None else patch.owner).strip()
    content = (log.content if patch.content is None else patch.content).strip()
    if not owner or not content:
        raise InputError(Phrase(_T("reports", "A private log needs an owner and a text.")))
    span = patch.source_range or log.source_range
    last = max(0, store.messages.count(log.branch_id) - 1)
    if not 0 <= span.start_index <= span.end_index <= last:
        raise InputError(Phrase(_T("reports", "The floors must be from 0 to {last}."), last=last))
    event_id = log.linked_event_id if patch.linked_event_id is None else patch.linked_event_id
    if event_id and not store.events.by_ids([event_id]):
        raise NotFound("event", event_id)
    scope = patch.scope or log.scope
    condition = log.condition if patch.condition is None else patch.condition.strip()
    if scope == "conditional" and not condition:
        raise InputError(Phrase(_T("reports", "A conditional memory needs its condition.")))
    tags = log.emotion_tags if patch.emotion_tags is None else patch.emotion_tags
    return replace(
        log,
        owner=owner,
        content=content,
        source_range=span,
        emotion_tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        linked_event_id=event_id or None,
        scope=scope,
        condition=condition or None,
    )


def _changes(store: ChatStore, label: StepLabel) -> Changes:
    return Changes(chat_id=store.chat_id, logs=True, undo_label=label)
