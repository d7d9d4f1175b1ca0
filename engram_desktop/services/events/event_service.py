"""The events of a chat: listed by key, fetched by page, and curated by hand."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.event_patch import patched
from engram_desktop.services.events import (
    coverage,
    curate,
    duplicates,
    edit_many,
    event_history,
    replacing,
    split,
)
from engram_desktop.services.events.renderer import renderer_of
from engram_desktop.services.graph import link

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.event_version import EventVersion
    from engram_desktop.domain.memory.edits.duplicates import DuplicateGroup
    from engram_desktop.domain.memory.edits.replacing import FindReplace, Replaced, ReplacePlan
    from engram_desktop.domain.memory.edits.shared_fields import SharedFields, SharedPatch
    from engram_desktop.domain.memory.event import (
        AlwaysVisible,
        EventCounts,
        EventNode,
        EventPatch,
        EventQuery,
        SourceRange,
    )
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.domain.memory.facets import FacetCube
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session


DELETED_SHOWN = 1_000  # events of a bin: more than anybody reads through


class EventService:
    """Events. Lists hold keys (`EventNode.pk`); every method that writes is one step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, chat_id: str, query: EventQuery) -> array[int]:
        """Return the keys of the events that ``query`` asks for, in its order."""
        return self._session.chat(chat_id).events.find(query)

    def cube(self, chat_id: str, query: EventQuery) -> FacetCube:
        """Count the events that ``query`` asks for by what they are."""
        return self._session.chat(chat_id).events.cube(query)

    def parents(self, chat_id: str) -> dict[int, int]:
        """Return the keys of outlines by the keys of what they were made of."""
        return self._session.chat(chat_id).outlines.parents()

    def fetch(self, chat_id: str, pks: Sequence[int]) -> dict[int, EventNode]:
        """Return events by key; those that are gone are left out."""
        return self._session.chat(chat_id).events.fetch(pks)

    def find_one(self, chat_id: str, event_id: str) -> EventNode | None:
        """Return the event with this id, unless it is deleted."""
        return next(iter(self._session.chat(chat_id).events.by_ids([event_id])), None)

    def counts(self, line: Line, text: str = "") -> EventCounts:
        """Count the events of a line, or those of them that a search for ``text`` finds."""
        return self._session.chat(line.chat_id).events.counts(line.branch_id, text)

    def always_visible(self, line: Line) -> AlwaysVisible:
        """What the text that is always in context costs."""
        return self._session.chat(line.chat_id).events.always_visible(line.branch_id)

    def at_floors(self, line: Line, first: int, last: int) -> list[EventNode]:
        """What was made of these floors, outlines too, in story order."""
        return self._session.chat(line.chat_id).events.at_floors(line.branch_id, first, last)

    def spans(self, line: Line) -> list[tuple[int, int, int, str]]:
        """Return (key, first floor, last floor, state) of events: archived, buffer or stale."""
        return self._session.chat(line.chat_id).events.spans(line.branch_id)

    def coverage(self, line: Line) -> list[tuple[int, int, str]]:
        """Return runs of floors (first, last, state): archived, buffer, stale, done or empty."""
        return coverage.coverage(self._session.chat(line.chat_id), line.branch_id)

    def history(self, chat_id: str, pk: int) -> list[EventVersion]:
        """Return what an event is and was, the newest version first. Raises NotFound."""
        return event_history.versions(self._session.chat(chat_id), pk)

    def update(self, chat_id: str, pk: int, patch: EventPatch) -> Changes:
        """Change fields of one event. Raises NotFound, InputError."""
        store = self._session.chat(chat_id)
        return curate.update_event(store, pk, patch, renderer_of(self._session, store))

    def shared(self, chat_id: str, pks: Sequence[int]) -> SharedFields:
        """Return what several events have in common."""
        return self._session.chat(chat_id).shared_fields(pks)

    def edit_many(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], patch: SharedPatch
    ) -> Changes:
        """Change several events alike, in one step; locked ones stay. Raises Cancelled."""
        store = self._session.chat(chat_id)
        renderer = renderer_of(self._session, store)
        return edit_many.edit_alike(store, ctx, pks, patch, renderer)

    def plan_replacing(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], asked: FindReplace
    ) -> ReplacePlan:
        """Return what find and replace would change. Raises ScriptFailed, Cancelled."""
        javascript = self._session.javascript
        return replacing.plan(self._session.chat(chat_id), javascript, ctx, pks, asked)

    def replace(
        self, ctx: JobContext, chat_id: str, changes: Sequence[Replaced], find: str
    ) -> Changes:
        """Write what `plan_replacing` found, or a part of it, in one step. Raises Cancelled."""
        store = self._session.chat(chat_id)
        renderer = renderer_of(self._session, store)
        return replacing.apply(store, ctx, changes, find, renderer)

    def duplicates(self, ctx: JobContext, line: Line) -> list[DuplicateGroup]:
        """Return groups of events that tell the same, the surest first. Raises Cancelled."""
        return duplicates.find(self._session.chat(line.chat_id), ctx, line.branch_id)

    def keep_apart(self, chat_id: str, pairs: Sequence[tuple[str, str]]) -> Changes:
        """Remember of pairs of events, by id, that they are not the same."""
        return duplicates.keep_apart(self._session.chat(chat_id), pairs)

    def join(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Make several events one, in place of the first of the story. Raises InputError."""
        store = self._session.chat(chat_id)
        return duplicates.join(store, ctx, pks, renderer_of(self._session, store))

    def split(self, chat_id: str, pk: int, floor: int, summaries: tuple[str, str]) -> Changes:
        """Make one event two; the second begins at ``floor``. Raises NotFound, InputError."""
        store = self._session.chat(chat_id)
        return split.split(store, pk, floor, summaries, renderer_of(self._session, store))

    def set_archived(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, archived: bool
    ) -> Changes:
        """Turn lamps green, which joins events to the graph, or blue again."""
        caps = link.Caps.of(self._session.settings(chat_id))
        return curate.set_archived(self._session.chat(chat_id), ctx, pks, caps, archived=archived)

    def set_locked(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, locked: bool
    ) -> Changes:
        """Let nothing but the user change these events, or allow it again."""
        return curate.set_locked(self._session.chat(chat_id), ctx, pks, locked=locked)

    def set_confirmed(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, confirmed: bool
    ) -> Changes:
        """Say that events were looked at and are right, or take that back."""
        return curate.set_confirmed(self._session.chat(chat_id), ctx, pks, confirmed=confirmed)

    def add(self, line: Line, data: PlotExtraction, span: SourceRange) -> tuple[int, Changes]:
        """Write an event or a fact by hand; returns its key. Raises InputError."""
        store = self._session.chat(line.chat_id)
        renderer = renderer_of(self._session, store, data.summary)
        return curate.add_event(store, data, span, renderer, line.branch_id)

    def delete(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Tombstone events; they leave every index in the same step."""
        return curate.delete_events(self._session.chat(chat_id), ctx, pks)

    def deleted(self, line: Line, limit: int = DELETED_SHOWN) -> list[EventNode]:
        """Return what was deleted from a line, the last first; `updated_at` says when."""
        return self._session.chat(line.chat_id).event_bin.deleted(line.branch_id, limit)

    def bring_back(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        """Make deleted events stand again. Raises Cancelled."""
        return curate.bring_back_events(self._session.chat(chat_id), ctx, pks)

    def render_card(self, chat_id: str, event: EventNode, patch: EventPatch) -> str:
        """Render the card ``event`` would have after ``patch``."""
        renderer = renderer_of(self._session, self._session.chat(chat_id))
        return patched(event, patch, renderer).display_text
