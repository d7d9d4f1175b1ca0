"""Who knows what: what a person perceived, and whether an answer may use it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from typing_extensions import override

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import MAX_NAME, MAX_SPANS, clean_text, floors_of
from engram_desktop.domain.values import dataclass

# What is perceived of a message, and by whom: values that rules, models and users all answer in.
#
# A message is not one piece. Its open text is perceived by those who are there; a thought or a
# whisper inside it is a private part, perceived by those who think or hear it.


# How somebody came to perceive something.
How = Literal["spoke", "there", "addressed", "overheard", "thought", "read", "confirmed"]
PartKind = Literal["thought", "whisper"]


@dataclass(frozen=True, slots=True, order=True)
class Perceiver:
    """One who perceives a message: ``name`` as the story writes it, ``confidence`` from 0 to 1."""

    name: str
    how: How = "there"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class PrivatePart:
    """A piece of a message, characters ``start``..``end`` (not included) of its text.

    ``audience`` are all who perceive it, the one who thinks or whispers among them.
    """

    kind: PartKind
    start: int
    end: int
    audience: tuple[Perceiver, ...] = ()


@dataclass(frozen=True, slots=True)
class Perception:
    """Who perceives the open text of a message, and its private parts in the order of the text.

    ``is_known``: whether it could be told who is there; else ``audience`` are only those who speak.
    """

    audience: tuple[Perceiver, ...] = ()
    parts: tuple[PrivatePart, ...] = ()
    is_known: bool = True


def heard_text(text: str, parts: Sequence[PrivatePart], heard: Collection[int] = ()) -> str:
    """Return a message without the private parts whose numbers are not in ``heard``.

    What a part leaves behind is closed up, and words stay apart. Of a message that is private but
    for its quotes and stars nothing is left.
    """
    hidden = [part for number, part in enumerate(parts) if number not in heard]
    if not hidden:
        return text
    pieces: list[str] = []
    at, last = 0, ""
    for start, end in [*((part.start, part.end) for part in hidden), (len(text), len(text))]:
        piece = text[at : max(at, start)]
        at = max(at, end)
        if pieces:
            bare = piece.lstrip()
            blanks = piece[: len(piece) - len(bare)]
            piece = _gap(last, blanks, bare) + bare
        bare = piece.rstrip()
        if bare:
            pieces.append(bare)
            last = piece
        elif piece and pieces and "\n" in piece:
            last = piece
    kept = "".join(pieces).strip()
    return kept if any(letter.isalnum() for letter in kept) else ""


def _gap(before: str, blanks: str, after: str) -> str:
    """Return what stands between two texts of which what was between is left out."""
    trailing = before[len(before.rstrip()) :]
    if not after:
        return ""
    if "\n" in trailing or "\n" in blanks:
        return max(trailing, blanks, key=lambda space: space.count("\n")).strip(" \t")
    left = before.rstrip()[-1:]
    if _is_latin(left) and _is_latin(after[0]):
        return " "
    if (trailing or blanks) and after[0].isascii() and left.isascii():
        return " " if after[0].isalnum() or after[0] in "\"'*(<[" else ""
    return ""


def _is_latin(letter: str) -> bool:
    return letter.isalnum() and letter < "\u2e80"  # where the Chinese blocks begin


# Who knows a memory, since when and how: values, and what of a memory a later telling repeats.


Knowing = Literal["there", "told", "overheard", "read", "thought", "confirmed", "unknown"]
# A telling repeats a memory where it holds so much of what is rare in it: of its words, weighed by
# how rare they are in the chat. Chosen on the stories in tests/omniscience.
TELLS = 0.3
TELLING_WORDS = 3  # different rare words at least: two names in one sentence repeat nothing


@dataclass(frozen=True, slots=True)
class Knower:
    """One who knows a memory from floor ``from_floor`` on.

    ``how`` as `Knowing`; ``told_by`` is the kind and id of the memory by which it was learned
    later, empty for who was there. ``is_said``: the user says so.
    """

    actor: str
    from_floor: int
    how: str
    told_by: tuple[str, str] = ("", "")
    confidence: float = 1.0
    is_said: bool = False


GridState = Literal["present", "knows", "kept", "unaware"]
GRID_STATES: tuple[GridState, ...] = get_args(GridState)


@dataclass(frozen=True, slots=True)
class GridCell:
    """What one person has to do with one event, in the grid of both.

    ``kept``: must not know it. ``how`` as `Knowing`, "everybody" for what is public, "condition"
    for what is known only while a condition holds; ``from_floor`` says since when, for who knows.
    ``is_said``: the user says so. ``is_leak``: must not know it, and does.
    """

    state: GridState = "unaware"
    how: str = ""
    from_floor: int = 0
    is_said: bool = False
    is_leak: bool = False


@dataclass(frozen=True, slots=True)
class GridPerson:
    """A column of the grid: a name, and all that the person is called as `norm_name` makes it."""

    name: str
    norms: frozenset[str]


@dataclass(frozen=True, slots=True)
class GridChange:
    """What the user says of one person and one event; ``state`` None: let it be worked out."""

    event_id: str
    name: str
    state: GridState | None
    from_floor: int = 0


@dataclass(frozen=True, slots=True)
class MemberNote:
    """Somebody joins a group at a floor, or leaves it; ``message_id`` is that of the floor."""

    floor: int
    group: str
    name: str
    is_member: bool
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """Who is of a group from floor ``joined`` on; from ``left`` on no longer, if not None.

    A member knows what the group knows, what it knew before too. Who left keeps what the group had
    learned on the floors before, and learns nothing of it later.
    """

    group: str
    name: str
    joined: int
    left: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"group": self.group, "name": self.name, "joined": self.joined, "left": self.left}


def memberships(notes: Iterable[MemberNote]) -> list[Membership]:
    """Return who is of which group and when, of notes in story order."""
    open_since: dict[tuple[str, str], MemberNote] = {}
    found: list[Membership] = []
    for note in notes:
        key = (norm_name(note.group), norm_name(note.name))
        if note.is_member:
            open_since.setdefault(key, note)
        elif (since := open_since.pop(key, None)) is not None:
            found.append(Membership(since.group, since.name, since.floor, note.floor))
    found += [Membership(n.group, n.name, n.floor) for n in open_since.values()]
    return sorted(found, key=lambda m: (norm_name(m.group), m.joined, norm_name(m.name)))


@dataclass(frozen=True, slots=True)
class Secret:
    """A memory that only some know: its kind, id, text and floors, who knows it, who must not."""

    kind: str
    ref: str
    text: str
    first: int
    last: int
    knowers: tuple[str, ...]
    kept_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresentFloor:
    """Who perceives one message: its open text, and its private parts with their text.

    ``audience`` None: it is not derived yet, and so nobody knows it. ``is_known``: whether it could
    be told who is there. ``source``: rules, model or user.
    """

    floor: int
    message_id: str
    speaker: str
    audience: tuple[Perceiver, ...] | None
    parts: tuple[tuple[PrivatePart, str], ...] = ()
    is_known: bool = True
    source: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON knows them."""
        return {
            "floor": self.floor,
            "id": self.message_id,
            "speaker": self.speaker,
            "present": None if self.audience is None else [_person(p) for p in self.audience],
            "is_known": self.is_known,
            "source": self.source,
            "parts": [
                {"kind": part.kind, "text": text, "present": [_person(p) for p in part.audience]}
                for part, text in self.parts
            ],
        }

    @override
    def __str__(self) -> str:
        names = "?" if self.audience is None else ", ".join(p.name for p in self.audience) or "–"
        parts = "".join(
            f" [{part.kind}: {', '.join(p.name for p in part.audience) or '–'}]"
            for part, _text in self.parts
        )
        return f"{self.floor:>6} {self.speaker}: {names}{parts}{'' if self.is_known else ' (?)'}"


def _person(person: Perceiver) -> dict[str, Any]:
    return {"name": person.name, "how": person.how, "confidence": person.confidence}


def rarity(count: int, items: int) -> float:
    """Return how rare a word is that ``count`` of ``items`` memories hold; 0 for a common one."""
    return max(0.0, math.log(items / (1 + count)) - 1.0) if items else 0.0


# What a model's answer says of who perceives which floors, read tolerantly.
#
# ``presence`` is a list of spans: floors, and who perceives them. Spans may overlap; a whisper, a
# letter or a thought is a span of its own with those who hear, read or think it.


MAX_PRESENT = 60  # names of one span: several times what any scene holds
_SURE = 0.9  # confidence in what a model says it read; not measured
# Words for a crowd: they name nobody, and what nobody is named for nobody is said to know.
_CROWD = frozenset(
    norm_name(word)
    for word in (
        "*",
        "?",
        "all",
        "everyone",
        "everybody",
        "nobody",
        "none",
        "unknown",
        "others",
        "narrator",
        "所有人",
        "大家",
        "众人",
        "全员",
        "无",
        "无人",
        "未知",
        "其他人",
        "旁白",
    )
)


@dataclass(frozen=True, slots=True, order=True)
class PresenceSpan:
    """Floors ``first``..``last``, both included, and the names of all who perceive them."""

    first: int
    last: int
    names: tuple[str, ...]

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def named_people(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of persons among ``names``, each once; words for a crowd name nobody."""
    by_norm = {norm_name(name): name for name in names}
    return tuple(name for norm, name in by_norm.items() if norm and norm not in _CROWD)


def parse_presence(value: object, first: int, last: int) -> tuple[PresenceSpan, ...]:
    """Read the spans of an answer about the floors ``first``..``last``; what is unusable is left.

    A span that names only a crowd says nothing. One with an empty list says that nobody perceives
    it.
    """
    rows = value.get("presence") if isinstance(value, Mapping) else None
    spans = []
    for row in rows[:MAX_SPANS] if isinstance(rows, list) else ():
        floors = floors_of(row) if isinstance(row, Mapping) else None
        present = row.get("present") if isinstance(row, Mapping) else None
        if isinstance(present, str):
            present = list(present.replace("、", ",").replace("，", ",").split(","))
        if floors is None or not isinstance(present, list):
            continue
        texts = [clean_text(n, MAX_NAME) for n in present[:MAX_PRESENT] if isinstance(n, str)]
        people = named_people([text for text in texts if text])
        start, end = max(first, floors[0]), min(last, floors[1])
        if start <= end and (people or not texts):
            spans.append(PresenceSpan(start, end, people))
    return tuple(spans)


def perceived(spans: Sequence[PresenceSpan], own: Perception) -> Perception | None:
    """Return who perceives one floor, by the spans of an answer that cover it.

    ``own`` is what rules say of the message: its private parts. The scene is the span around the
    others; a span inside it is private, be it a part of the message that rules can point at (a
    thought of one, a whisper of several) or, where they cannot, the whole message. None where no
    span covers it.
    """
    if not spans:
        return None
    hidden = [_norms([p.name for p in part.audience]).keys() for part in own.parts]
    # of two companies alike in size the one that rules know a whisper of is not the scene
    distinct = sorted(dict.fromkeys(spans), key=lambda s: _norms(s.names).keys() in hidden)
    inner = [s for s in distinct if any(_is_inside(s, other) for other in distinct)]
    around = {(s.first, s.last): s for s in reversed(distinct) if s not in inner}
    # of two companies alike in size, on the same floors, the first is the scene
    inner += [s for s in distinct if s not in inner and around[s.first, s.last] is not s]
    scene = _norms([n for s in distinct if s not in inner for n in s.names])
    private: list[PresenceSpan] = []
    for span in sorted(inner, key=lambda s: s.length, reverse=True):
        people = _norms(span.names)
        if scene.keys() <= people.keys():
            scene = people  # somebody joins for these floors
        else:
            private.append(span)
    parts = dict(enumerate(own.parts))
    is_kept = False  # whether the whole message is some people's own
    for span in private:
        people = _norms(span.names)
        number = _matching(span, parts, own.parts)
        if number is None:  # it cannot be pointed at: only they perceive the message
            scene = {n: name for n, name in people.items() if not is_kept or n in scene}
            is_kept = True
        else:
            parts[number] = PrivatePart(
                own.parts[number].kind,
                own.parts[number].start,
                own.parts[number].end,
                tuple(Perceiver(name, "there", _SURE) for name in people.values()),
            )
    audience = tuple(Perceiver(name, "there", _SURE) for name in scene.values())
    return Perception(audience, tuple(parts[n] for n in sorted(parts)))


def _norms(names: Sequence[str]) -> dict[str, str]:
    return {norm_name(name): name for name in names}


def _is_inside(span: PresenceSpan, other: PresenceSpan) -> bool:
    """Whether ``span`` lies within ``other``; on the very same floors, whether it is the smaller.

    Of two alike in size neither is the scene of the other's secret.
    """
    if (span.first, span.last) == (other.first, other.last):
        return len(_norms(span.names)) < len(_norms(other.names))
    return other.first <= span.first and span.last <= other.last


def _matching(
    span: PresenceSpan, parts: Mapping[int, PrivatePart], own: Sequence[PrivatePart]
) -> int | None:
    """Return the number of the part of a message that a private span of one floor tells of."""
    if span.length > 1:
        return None
    kind = "thought" if len(span.names) == 1 else "whisper"
    free = [n for n, part in parts.items() if part is own[n] and part.kind == kind]
    if not free and kind == "thought":  # a letter that one reads alone
        free = [n for n, part in parts.items() if part is own[n] and len(part.audience) <= 1]
    return free[0] if len(free) == 1 else None
