"""The inbox: items of a chat that wait for a decision, and the possible decisions by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Literal, get_args

from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.values import dataclass

InboxKind = Literal[
    "failed", "draft", "contradiction", "promise", "doubt", "stale", "same", "duplicate"
]
INBOX_KINDS: Final[tuple[InboxKind, ...]] = get_args(InboxKind)
InboxAction = Literal["accept", "dismiss", "later"]
# The effects of actions: the first two columns of the table below, and putting off.
Effect = Literal[
    "ask_again",
    "save_draft",
    "discard_draft",
    "later_is_true",
    "promise_kept",
    "confirm",
    "still_right",
    "merge",
    "keep_two",
    "join",
    "keep_apart",
    "put_away",
    "put_off",
]
# What accepting and dismissing do, by kind: change the memory, or put the item away.
EFFECTS: Final[Mapping[InboxKind, tuple[Effect, Effect]]] = {
    "failed": ("ask_again", "discard_draft"),
    "draft": ("save_draft", "discard_draft"),
    "contradiction": ("later_is_true", "put_away"),
    "promise": ("promise_kept", "put_away"),
    "doubt": ("confirm", "put_away"),
    "stale": ("still_right", "put_away"),
    "same": ("merge", "keep_two"),
    "duplicate": ("join", "keep_apart"),
}
ID_LENGTH = 12  # hex digits, as for findings
PUT_OFF_HOURS = 24  # after which an item put off waits again
MOST_OF_A_KIND = 1_000  # listed at once: several days of work; more follow as these are done
MOST_CHECKED = 200  # newest events whose sentences are checked: some seconds of work


def effect_of(kind: InboxKind, action: InboxAction) -> Effect:
    """Return the effect of an action."""
    if action == "later":
        return "put_off"
    return EFFECTS[kind][0 if action == "accept" else 1]


@dataclass(frozen=True, slots=True)
class InboxPart:
    """A text to judge, and its floors; ``first`` is -1 if it has none."""

    text: str
    first: int = -1
    last: int = -1


@dataclass(frozen=True, slots=True)
class InboxItem:
    """An item that waits. ``ref`` names its subject: a draft, finding, suggestion or event.

    ``id`` is made of kind and ``ref``, ``seen`` is a hash of its current text. ``floors`` are the
    first and the last, empty if it has none. ``title`` names its subject, ``keys`` are the events
    concerned, ``why`` is the reason: words of the story, or a `Phrase`. ``beside`` are lines to
    compare the parts with.
    """

    id: str
    seen: str
    kind: InboxKind
    ref: str
    parts: tuple[InboxPart, ...]
    floors: tuple[int, ...] = ()
    title: str = ""
    keys: tuple[int, ...] = ()
    why: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    beside: tuple[InboxPart, ...] = ()

    @property
    def key(self) -> int:
        return int(self.id, 16)

    @property
    def text(self) -> str:
        return " / ".join(" ".join(part.text.split()) for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        """Return the fields for the command line."""
        return {
            "id": self.id,
            "kind": self.kind,
            "floors": list(self.floors),
            "text": self.text,
            "why": [str(why) for why in self.why],
        }


def make_item(
    kind: InboxKind,
    ref: str,
    parts: Sequence[InboxPart],
    title: str = "",
    *,
    keys: Sequence[int] = (),
    why: Sequence[str] = (),
    state: str = "",
    entities: Sequence[str] = (),
) -> InboxItem:
    """Make an item, which waits again when its text or ``state`` changes."""
    placed = [part for part in parts if part.first >= 0]
    span = (min(p.first for p in placed), max(p.last for p in placed)) if placed else ()
    return InboxItem(
        content_hash(kind, ref)[:ID_LENGTH],
        content_hash(state, *(part.text for part in parts))[:ID_LENGTH],
        kind,
        ref,
        tuple(parts),
        span,
        title,
        tuple(keys),
        tuple(why),
        tuple(entities),
    )


@dataclass(frozen=True, slots=True)
class InboxAnswer:
    """An answer to an item: put off until a time in milliseconds, or put away (0)."""

    seen: str
    until: int = 0

    def holds(self, item: InboxItem, now: int) -> bool:
        """Return whether the answer still applies: the item is unchanged and not due again."""
        return item.seen == self.seen and (self.until == 0 or now < self.until)


@dataclass(frozen=True, slots=True)
class InboxItems:
    """Items, including answered ones, and how many more there are of each kind."""

    items: tuple[InboxItem, ...] = ()
    more: Mapping[InboxKind, int] = field(default_factory=dict)

    def __add__(self, other: InboxItems) -> InboxItems:
        more = {kind: self.more.get(kind, 0) + other.more.get(kind, 0) for kind in INBOX_KINDS}
        return InboxItems(self.items + other.items, {k: n for k, n in more.items() if n})


@dataclass(frozen=True, slots=True)
class SortedItems:
    """Items that wait, and those that were put off."""

    waiting: tuple[InboxItem, ...] = ()
    put_off: tuple[InboxItem, ...] = ()


def sorted_out(
    items: Iterable[InboxItem], answers: Mapping[str, InboxAnswer], now: int
) -> SortedItems:
    """Sort items by kind, then by story order, leaving out those that were put away."""
    waiting, put_off = [], []
    for item in items:
        answer = answers.get(item.id)
        if answer is None or not answer.holds(item, now):
            waiting.append(item)
        elif answer.until:
            put_off.append(item)
    return SortedItems(_in_order(waiting), _in_order(put_off))


def _in_order(items: Sequence[InboxItem]) -> tuple[InboxItem, ...]:
    rank = {kind: number for number, kind in enumerate(INBOX_KINDS)}
    return tuple(sorted(items, key=lambda item: (rank[item.kind], item.floors, item.id)))
