"""What a model's answer says of who perceives which floors, read tolerantly.

``presence`` is a list of spans: floors, and who perceives them. Spans may overlap; a whisper, a
letter or a thought is a span of its own with those who hear, read or think it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.perception import Perceiver, Perception, PrivatePart
from engram_desktop.domain.memory.extraction import MAX_NAME, MAX_SPANS, clean_text, floors_of
from engram_desktop.domain.values import dataclass

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
    distinct = list(dict.fromkeys(spans))
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
