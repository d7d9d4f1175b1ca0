"""Who knows what: what a person perceived, and whether an answer may use it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from typing_extensions import override

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import MAX_NAME, MAX_SPANS, clean_text, floors_of
from engram_desktop.domain.values import dataclass

# Who perceives which part of a message: values returned by rules, models and users alike. The open
# text of a message is perceived by everybody present; a thought or a whisper inside it is a private
# part, perceived by those who think or hear it.


# How somebody perceived something.
How = Literal["spoke", "there", "addressed", "overheard", "thought", "read", "confirmed"]
PartKind = Literal["thought", "whisper"]


@dataclass(frozen=True, slots=True, order=True)
class Perceiver:
    """A person who perceives a message: ``name`` as in the story, ``confidence`` from 0 to 1."""

    name: str
    how: How = "there"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class PrivatePart:
    """A part of a message, characters ``start``..``end`` (not included) of its text.

    ``audience`` are all who perceive it, including the one who thinks or whispers.
    """

    kind: PartKind
    start: int
    end: int
    audience: tuple[Perceiver, ...] = ()


@dataclass(frozen=True, slots=True)
class Perception:
    """Who perceives the open text of a message, and its private parts in text order.

    ``is_known``: it was possible to tell who is present; otherwise ``audience`` are the speakers
    only.
    """

    audience: tuple[Perceiver, ...] = ()
    parts: tuple[PrivatePart, ...] = ()
    is_known: bool = True


def heard_text(text: str, parts: Sequence[PrivatePart], heard: Collection[int] = ()) -> str:
    """Return a message without the private parts whose numbers are not in ``heard``.

    Gaps are closed, but words stay apart. A message of which only quotes and stars would remain
    becomes empty.
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
    """Return the blanks between two texts when what was between them is left out."""
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
    return letter.isalnum() and letter < "\u2e80"  # the Chinese blocks begin there


# Who knows a memory, since when and how; and what of a memory a later message repeats.


Knowing = Literal["there", "told", "overheard", "read", "thought", "confirmed", "unknown"]
# A message repeats a memory if it holds enough of its rare words, weighted by their rarity in the
# chat. Chosen on the stories in tests/omniscience.
TELLS = 0.3
TELLING_WORDS = 3  # least number of different rare words: two names in one sentence are not enough


@dataclass(frozen=True, slots=True)
class Knower:
    """A person who knows a memory from floor ``from_floor`` on.

    ``how`` as in `Knowing`; ``told_by`` is the kind and id of the memory from which it was learned
    later, empty for a witness. ``is_said``: the user says so.
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
    """The state of one person and one event in the grid of witnesses.

    ``kept``: must not know it. ``how`` as in `Knowing`, "everybody" for public memories,
    "condition" for those known only while a condition holds; ``from_floor`` is since when it is
    known. ``is_said``: the user says so. ``is_leak``: knows it although it must not.
    """

    state: GridState = "unaware"
    how: str = ""
    from_floor: int = 0
    is_said: bool = False
    is_leak: bool = False


@dataclass(frozen=True, slots=True)
class GridPerson:
    """A column of the grid: a name, and all names of the person in the form of `norm_name`."""

    name: str
    norms: frozenset[str]


@dataclass(frozen=True, slots=True)
class GridChange:
    """The user's statement on one person and one event; ``state`` None: compute it again."""

    event_id: str
    name: str
    state: GridState | None
    from_floor: int = 0


@dataclass(frozen=True, slots=True)
class MemberNote:
    """Somebody joins or leaves a group at a floor; ``message_id`` is that of the floor."""

    floor: int
    group: str
    name: str
    is_member: bool
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """A member of a group from floor ``joined`` on, until before ``left`` if not None.

    A member knows all that the group knows, also from before. After leaving, a person keeps what
    the group had learned on earlier floors, and learns nothing more from it.
    """

    group: str
    name: str
    joined: int
    left: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"group": self.group, "name": self.name, "joined": self.joined, "left": self.left}


def memberships(notes: Iterable[MemberNote]) -> list[Membership]:
    """Return the memberships that notes in story order give."""
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
    """A memory known to some only: kind, id, text, floors, who knows it, and who must not."""

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

    ``audience`` None: not computed yet, so nobody knows it. ``is_known``: it was possible to tell
    who is present. ``source``: rules, model or user.
    """

    floor: int
    message_id: str
    speaker: str
    audience: tuple[Perceiver, ...] | None
    parts: tuple[tuple[PrivatePart, str], ...] = ()
    is_known: bool = True
    source: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
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
    """Return how rare a word in ``count`` of ``items`` memories is; 0 for a common one."""
    return max(0.0, math.log(items / (1 + count)) - 1.0) if items else 0.0


# A model's answer on who perceives which floors, read tolerantly. ``presence`` is a list of spans:
# floors, and who perceives them. Spans may overlap; a whisper, a letter or a thought is a span of
# its own with those who hear, read or think it.


MAX_PRESENT = 60  # names in one span: several times as many as in any scene
_SURE = 0.9  # confidence in a model's answer; not measured
# Words for a crowd: they name nobody, so nobody is taken to know by them.
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
    """Return the persons among ``names``, each once; words for a crowd are left out."""
    by_norm = {norm_name(name): name for name in names}
    return tuple(name for norm, name in by_norm.items() if norm and norm not in _CROWD)


def parse_presence(value: object, first: int, last: int) -> tuple[PresenceSpan, ...]:
    """Read the spans of an answer for the floors ``first``..``last``; invalid ones are skipped.

    A span with only a crowd is skipped. One with an empty list says that nobody perceives it.
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

    ``own`` is the result of rules for the message: its private parts. The scene is the outer span;
    a span inside it is private: either one of the parts found by rules (a thought of one, a whisper
    of several) or, if none matches, the whole message. None if no span covers the floor.
    """
    if not spans:
        return None
    hidden = [_norms([p.name for p in part.audience]).keys() for part in own.parts]
    # of two groups of equal size, one whose whisper the rules know is not the scene
    distinct = sorted(dict.fromkeys(spans), key=lambda s: _norms(s.names).keys() in hidden)
    inner = [s for s in distinct if any(_is_inside(s, other) for other in distinct)]
    around = {(s.first, s.last): s for s in reversed(distinct) if s not in inner}
    # of two groups of equal size on the same floors, the first is the scene
    inner += [s for s in distinct if s not in inner and around[s.first, s.last] is not s]
    scene = _norms([n for s in distinct if s not in inner for n in s.names])
    private: list[PresenceSpan] = []
    for span in sorted(inner, key=lambda s: s.length, reverse=True):
        people = _norms(span.names)
        if scene.keys() <= people.keys():
            scene = people  # somebody joins on these floors
        else:
            private.append(span)
    parts = dict(enumerate(own.parts))
    is_kept = False  # whether the whole message is private
    for span in private:
        people = _norms(span.names)
        number = _matching(span, parts, own.parts)
        if number is None:  # no part matches: only they perceive the message
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
    """Return whether ``span`` lies within ``other``, or on the same floors has fewer people.

    Of two with equally many people, neither is inside the other.
    """
    if (span.first, span.last) == (other.first, other.last):
        return len(_norms(span.names)) < len(_norms(other.names))
    return other.first <= span.first and span.last <= other.last


def _matching(
    span: PresenceSpan, parts: Mapping[int, PrivatePart], own: Sequence[PrivatePart]
) -> int | None:
    """Return the number of the part of a message that a private span of one floor means."""
    if span.length > 1:
        return None
    kind = "thought" if len(span.names) == 1 else "whisper"
    free = [n for n, part in parts.items() if part is own[n] and part.kind == kind]
    if not free and kind == "thought":  # a letter that one person reads alone
        free = [n for n, part in parts.items() if part is own[n] and len(part.audience) <= 1]
    return free[0] if len(free) == 1 else None


# Presence between two floors of one scene on both of which somebody was there. If somebody leaves
# and nobody is named, rules that go from floor to floor only know that the speaker is there.
# Later floors show more: a person who is there before and after, and was said neither to leave
# nor to come back, stayed. Whispers, thoughts and letters stay private.

_STRETCH = 8  # most floors from one on which somebody is there to the next; as long as silence
AHEAD = 2 * _STRETCH  # following floors that influence who was there
_SURELY_THERE = 0.8  # confidence of the later presence: acting or speaking
_PROBABLY_STAYED = 0.75  # confidence that they stayed; chosen by hand

# The effect of a floor on the scene: none, an unnamed person leaves, a new scene begins.
Break = Literal["", "left", "scene"]


@dataclass(frozen=True, slots=True)
class FloorSigns:
    """What a message says about coming and going. ``gone`` leave in it, ``comes`` come in.

    ``is_elsewhere``: it happens where the player is not, or where nobody else is.
    """

    speaker: str
    breaks: Break = ""
    gone: frozenset[str] = frozenset()
    comes: frozenset[str] = frozenset()
    is_elsewhere: bool = False


def with_those_between(
    perceptions: Sequence[Perception], signs: Sequence[FloorSigns], player: str
) -> list[Perception]:
    """Return who perceives consecutive messages, adding those who were there all along.

    If the ``player`` continues right after a scene began, the player was there from its beginning.
    """
    found = list(perceptions)
    for floor in range(len(found) - 1) if player else ():
        here, after = signs[floor], signs[floor + 1]
        goes_on = after.speaker == player and not after.breaks and player not in after.comes
        if goes_on and here.breaks == "scene" and not here.is_elsewhere:
            found[floor] = _with(found[floor], player)
    last_seen: dict[str, int] = {}  # the last floor on which each person was there
    for floor, perception in enumerate(perceptions):
        for person in perception.audience:
            name = person.name
            since = last_seen.get(name, floor)
            last_seen[name] = floor
            is_sure = person.confidence >= _SURELY_THERE and person.how in ("there", "spoke")
            if floor - since < 2 or floor - since > _STRETCH or not is_sure:
                continue
            if name not in signs[floor].comes and _stayed(name, since, floor, perceptions, signs):
                for between in range(since + 1, floor):
                    found[between] = _with(found[between], name)
    return found


def _stayed(
    name: str, first: int, last: int, perceptions: Sequence[Perception], signs: Sequence[FloorSigns]
) -> bool:
    """Return whether nothing between two floors contradicts a person's presence."""
    if any(name in signs[floor].gone for floor in range(first, last)):
        return False
    before = {person.name for person in perceptions[first].audience}
    for floor in range(first + 1, last + 1):
        sign = signs[floor]
        if sign.breaks == "scene" or (name in sign.comes and floor < last):
            return False
        before |= {person.name for person in perceptions[floor - 1].audience}
        others = before - {name, sign.speaker}
        if sign.breaks == "left" and not _is_one_gone(others, floor, perceptions, signs):
            return False
    return True


def _is_one_gone(
    others: Collection[str],
    floor: int,
    perceptions: Sequence[Perception],
    signs: Sequence[FloorSigns],
) -> bool:
    """Return whether any of these persons is absent from a floor on, or comes back later."""
    gone = set(others)
    for perception, sign in zip(
        perceptions[floor : floor + _STRETCH], signs[floor : floor + _STRETCH], strict=True
    ):
        seen = {person.name for person in perception.audience}
        if gone & seen & sign.comes:
            return True
        gone -= seen
    return bool(gone)


def _with(perception: Perception, name: str) -> Perception:
    if any(person.name == name for person in perception.audience):
        return perception
    audience = (*perception.audience, Perceiver(name, "there", _PROBABLY_STAYED))
    return replace(perception, audience=audience, is_known=True)
