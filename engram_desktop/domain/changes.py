"""What an operation changed. Returned by every service that writes."""

from __future__ import annotations

from dataclasses import field
from typing import Self

from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids touched, by kind, and the label of the undo step that reverts them.

    ``events`` are event keys (`EventNode.pk`), ``entities`` entity ids. Views refresh from this
    record and from nothing else.
    """

    chat_id: str | None = None
    events: frozenset[int] = field(default_factory=frozenset)
    entities: frozenset[str] = field(default_factory=frozenset)
    messages: bool = False
    settings: bool = False
    library: bool = False  # the list of chats
    logs: bool = False  # private logs
    structure: bool = False  # event rows were added, removed or reordered
    undo_label: StepLabel | None = None
    drafts: bool = False  # what waits for review, or failed
    books: bool = False  # world books and characters
    state: bool = False  # the user changed the state by hand; messages change it too

    def __or__(self, other: Self) -> Changes:
        return Changes(
            self.chat_id or other.chat_id,
            self.events | other.events,
            self.entities | other.entities,
            self.messages or other.messages,
            self.settings or other.settings,
            self.library or other.library,
            self.logs or other.logs,
            self.structure or other.structure,
            self.undo_label or other.undo_label,
            self.drafts or other.drafts,
            self.books or other.books,
            self.state or other.state,
        )
