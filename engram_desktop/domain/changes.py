"""What an operation changed. Returned by every service that writes."""

from __future__ import annotations

from dataclasses import field
from typing import Protocol, Self

from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids touched, by kind, what became of them, and the label of the undo step that reverts it.

    ``events`` are event keys (`EventNode.pk`) whose rows are to be read again, ``entities`` entity
    ids. Each flag says one thing, so that nobody reads anew what is as it was: a lock touches a row
    and sets none. Views refresh from this record and from nothing else.
    """

    chat_id: str | None = None
    events: frozenset[int] = field(default_factory=frozenset)
    entities: frozenset[str] = field(default_factory=frozenset)
    messages: bool = False
    settings: bool = False
    library: bool = False  # the list of chats
    logs: bool = False  # private logs
    rows: bool = False  # events were added or removed
    order: bool = False  # events stand at other floors
    counts: bool = False  # events became archived, visible or stale: what is always in context
    texts: bool = False  # events say something else
    trust: bool = False  # who vouches for events
    graph: bool = False  # entities or relations came, went or were joined; which, may be unknown
    branches: bool = False  # branches were made, removed or renamed
    undo_label: StepLabel | None = None
    drafts: bool = False  # what waits for review, or failed
    worldbooks: bool = False  # worldbooks and characters
    volumes: bool = False  # volumes, or which chats read them
    state: bool = False  # the user changed the state by hand; messages change it too
    recall: bool = False  # what recall may not use, or is tried with
    index: bool = False  # what recall looks things up in was made anew
    knowledge: bool = False  # the user said who knows what, or who was there
    inbox: bool = False  # what was put away or off in the inbox
    apart: bool = False  # which events are known not to tell the same
    notes: bool = False  # private notes of the user

    @classmethod
    def of_memory(cls, chat_id: str | None) -> Self:
        """Whatever a pipeline may have done to a chat."""
        return cls(
            chat_id=chat_id,
            logs=True,
            rows=True,
            order=True,
            counts=True,
            texts=True,
            trust=True,
            graph=True,
            drafts=True,
        )

    @property
    def has_memory(self) -> bool:
        """Whether a chat may remember something else, or tell it otherwise."""
        of_events = self.rows or self.order or self.counts or self.texts
        return of_events or self.graph or bool(self.entities)

    @property
    def tells_otherwise(self) -> bool:
        """Whether other events may tell the same: what they say, where, or what is kept apart."""
        return self.rows or self.texts or self.order or self.apart

    def __or__(self, other: Self) -> Changes:
        return Changes(
            chat_id=self.chat_id or other.chat_id,
            events=self.events | other.events,
            entities=self.entities | other.entities,
            messages=self.messages or other.messages,
            settings=self.settings or other.settings,
            library=self.library or other.library,
            logs=self.logs or other.logs,
            rows=self.rows or other.rows,
            order=self.order or other.order,
            counts=self.counts or other.counts,
            texts=self.texts or other.texts,
            trust=self.trust or other.trust,
            graph=self.graph or other.graph,
            branches=self.branches or other.branches,
            undo_label=self.undo_label or other.undo_label,
            drafts=self.drafts or other.drafts,
            worldbooks=self.worldbooks or other.worldbooks,
            volumes=self.volumes or other.volumes,
            state=self.state or other.state,
            recall=self.recall or other.recall,
            index=self.index or other.index,
            knowledge=self.knowledge or other.knowledge,
            inbox=self.inbox or other.inbox,
            apart=self.apart or other.apart,
            notes=self.notes or other.notes,
        )


class HasChanges(Protocol):
    """A report of something that was done, with what it changed."""

    @property
    def changes(self) -> Changes: ...
