"""Claims and findings: values, their JSON, and identities that survive a re-import."""

from __future__ import annotations

import marshal
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import field, fields
from itertools import chain, islice, takewhile
from operator import attrgetter, itemgetter
from typing import Any, Final, Literal, get_args

from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.values import dataclass

How = Literal["narrated", "said", "thought", "written", "ooc"]
Facet = Literal[
    "home",
    "place",
    "owner",
    "work",
    "alive",
    "bond",
    "name",
    "health",
    "amount",
    "date",
    "age",
    "years",
    "origin",
    "was_at",
    "will",
    "deed",
    "other",
]
FindingKind = Literal["superseded", "lie", "mistaken", "contradiction", "promise"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = get_args(FindingKind)
STATUSES: Final[dict[FindingKind, tuple[str, ...]]] = {
    "superseded": ("over",),
    "lie": ("told", "found_out"),
    "mistaken": ("held", "corrected"),
    "contradiction": ("open", "answered"),
    "promise": ("open", "kept", "broken", "given_up"),
}
# The kinds of findings that each answer of the user applies to.
PromiseAnswer = Literal["open", "kept", "broken", "given_up"]
FactAnswer = Literal["later", "earlier", "both", "lie", "deliberate"]
FindingAnswer = PromiseAnswer | FactAnswer
PROMISE_ANSWERS: Final[tuple[str, ...]] = get_args(PromiseAnswer)
FACT_ANSWERS: Final[tuple[str, ...]] = get_args(FactAnswer)
_PACKED = 64  # claims compressed together: a fifth of a millisecond to read
ID_LENGTH = 12  # hex digits: of 100,000 findings two share an id once in 50,000 chats


# Not frozen: the findings of a chat make eight of a message, and freezing doubled their cost.
@dataclass(slots=True, unsafe_hash=True)
class Claim:
    """What one sentence asserts.

    ``speaker`` is "" for the narration. ``value`` is empty if the sentence has no known facet;
    ``polarity`` False: it denies the value. ``start``..``end`` (not included) are the characters of
    ``quote`` in the text of the message. ``depth`` 1: a speech that another speech repeats.

    ``sign`` is a mark of the sentence: ``admits`` or ``untrue`` (it takes back an earlier
    statement), ``errs`` (it says that a belief was wrong), ``ends`` (the value is over),
    ``changes`` (it tells of a change), ``passes`` (for a moment), ``states`` (mentioned in passing:
    a change ends it, and it ends nothing), ``keeps``, ``breaks`` or ``drops`` (of a promise),
    ``clashes`` (both cannot be true), ``vow``, ``asked``; "" for none.

    ``of`` are the earlier words that a model says it ends, keeps, denies or clashes with: "" for
    none, None if no model was asked for them.
    """

    floor: int
    how: How
    speaker: str
    about: str
    facet: Facet
    value: str
    quote: str
    start: int
    end: int
    polarity: bool = True
    hearers: tuple[str, ...] = ()
    sign: str = ""
    depth: int = 0
    trigger: str = ""
    is_model: bool = False  # from a model, not from rules
    of: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "floor": self.floor,
            "how": self.how,
            "speaker": self.speaker or None,
            "hearers": list(self.hearers),
            "about": self.about,
            "facet": self.facet,
            "value": self.value,
            "polarity": self.polarity,
            "quote": self.quote,
            "span": [self.start, self.end],
            "origin": "model" if self.is_model else "rules",
        }


class ClaimList:
    """Claims in the order of their floors. Those before the newest are held compressed.

    It is never changed: `with_more` returns another list, which shares what is compressed.
    """

    __slots__ = ("_newest", "_parts")

    def __init__(
        self, parts: tuple[tuple[int, int, bytes], ...] = (), newest: tuple[Claim, ...] = ()
    ) -> None:
        self._parts = parts  # first and last floor of some claims, and the claims
        self._newest = newest

    def __iter__(self) -> Iterator[Claim]:
        for _first, _last, part in self._parts:
            yield from _unpacked(part)
        yield from self._newest

    def __reversed__(self) -> Iterator[Claim]:
        yield from reversed(self._newest)
        for _first, _last, part in reversed(self._parts):
            yield from reversed(_unpacked(part))

    def with_more(self, claims: Sequence[Claim]) -> ClaimList:
        """Return the claims together with later ones."""
        parts, newest = self._parts, (*self._newest, *claims)
        while len(newest) >= 2 * _PACKED:
            rows, newest = newest[:_PACKED], newest[_PACKED:]
            parts = (*parts, (rows[0].floor, rows[-1].floor, _packed(rows)))
        return ClaimList(parts, newest)

    def on(self, floor: int) -> list[Claim]:
        """Return the claims on a floor."""
        first = bisect_left(self._parts, floor, key=itemgetter(1))
        near = takewhile(lambda part: part[0] <= floor, islice(self._parts, first, None))
        claims = chain(chain.from_iterable(_unpacked(part[2]) for part in near), self._newest)
        return [claim for claim in claims if claim.floor == floor]


_values_of = attrgetter(*(one.name for one in fields(Claim)))


def _packed(claims: Sequence[Claim]) -> bytes:
    return zlib.compress(marshal.dumps([_values_of(claim) for claim in claims]), 1)


def _unpacked(claims: bytes) -> list[Claim]:
    values = marshal.loads(zlib.decompress(claims))  # noqa: S302 - our own bytes
    return [Claim(*values_of_one) for values_of_one in values]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a floor on which a finding is based."""

    floor: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What follows from claims. ``quotes`` has one or two claims, in the order of the story.

    ``trigger`` are the words that recall a promise. ``answer`` is the user's answer, "" for none.
    ``known_to`` are the names of characters who know the truth about a lie or mistake, or a silent
    vow.
    """

    kind: FindingKind
    status: str
    who: tuple[str, ...]
    about: str
    facet: Facet
    quotes: tuple[Quote, ...]
    trigger: str = ""
    answer: str = ""
    known_to: tuple[str, ...] = ()
    _id: str = field(default="", init=False, repr=False, compare=False)

    @property
    def id(self) -> str:
        """Return the identity: made of kind and words, so that it is the same after a re-import."""
        if not self._id:  # computed once: a long chat has thousands of findings
            words = "\n".join(bare(quote.text) for quote in self.quotes[: self._own_quotes])
            name = content_hash(self.kind, self.about, words)[:ID_LENGTH]
            object.__setattr__(self, "_id", name)
        return self._id

    @property
    def floors(self) -> tuple[int, ...]:
        return tuple(quote.floor for quote in self.quotes)

    @property
    def _own_quotes(self) -> int:
        """Return how many quotes make the identity: the outcome of a promise may change later."""
        return 2 if self.kind in ("contradiction", "superseded") else 1

    def to_json(self) -> dict[str, Any]:
        """Return the fields as the command line and the servers output them."""
        return {
            "id": self.id,
            "kind": self.kind,
            "floors": list(self.floors),
            "status": self.status,
            "who": list(self.who),
            "about": self.about,
            "facet": self.facet,
            "trigger": self.trigger,
            "quotes": [{"floor": q.floor, "text": q.text} for q in self.quotes],
            "answer": self.answer,
            "deliberate": self.answer == "deliberate",
        }


@dataclass(frozen=True, slots=True)
class DuePromise:
    """An open promise, and the line that recalls it."""

    promise: Finding
    by: Quote


@dataclass(frozen=True, slots=True)
class WaitingFindings:
    """Unanswered findings and open promises; ``due`` are the promises among them that are due."""

    contradictions: tuple[Finding, ...] = ()
    promises: tuple[Finding, ...] = ()
    due: tuple[DuePromise, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.contradictions or self.promises)


def answers_of(kind: FindingKind) -> Sequence[str]:
    """Return the possible answers to a finding of a kind."""
    return PROMISE_ANSWERS if kind == "promise" else FACT_ANSWERS
