"""The inbox: what of a chat waits for a decision, and what can be decided of each kind."""

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
# What becomes of an item: the first two columns of the table below, and what is put off.
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
# What accepting and dismissing do, by kind. The memory is changed, or the item is put away.
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
ID_LENGTH = 12  # hex digits, as of findings
PUT_OFF_HOURS = 24  # after which what was put off waits again
MOST_OF_A_KIND = 1_000  # listed at once: several days of work; the next follow as these are done
MOST_CHECKED = 200  # newest events whose sentences are looked up: some seconds of work


def effect_of(kind: InboxKind, action: InboxAction) -> Effect:
    """Look up what an action does."""
    if action == "later":
        return "put_off"
    return EFFECTS[kind][0 if action == "accept" else 1]


@dataclass(frozen=True, slots=True)
class InboxPart:
    """Words that are to be judged, and the floors they are of; ``first`` -1: of none."""

    text: str
    first: int = -1
    last: int = -1


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One thing that waits. ``ref`` names what it is about: a draft, finding, suggestion, event.

    ``id`` is made of kind and ``ref``, ``seen`` is a hash of how it reads now. ``floors`` are the
    first and the last, none where it is of none. ``title`` names who or what it is about, ``keys``
    are the events concerned, ``why`` says why it is asked: words of the story, or a `Phrase`.
    ``beside`` are lines that the parts are to be compared with.
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
        """Return the fields as the command line hands them on."""
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
    """Make an item. ``state`` is what else it is about: it waits again when that changes."""
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
    """An item that was put off until a time (milliseconds), or put away: 0."""

    seen: str
    until: int = 0

    def holds(self, item: InboxItem, now: int) -> bool:
        """Whether an item does not wait now: it reads as it did, and is not due again."""
        return item.seen == self.seen and (self.until == 0 or now < self.until)


@dataclass(frozen=True, slots=True)
class InboxItems:
    """Items, those put away or off among them, and how many more there are of a kind."""

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
    """Leave out what was put away; what waits comes by kind, then in the order of the story."""
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
