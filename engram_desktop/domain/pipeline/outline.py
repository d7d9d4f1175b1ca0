"""Outlines of a story, and the story so far that is made of them."""

from __future__ import annotations

import itertools
import re
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from engram_desktop.domain.memory.event import EventNode, SourceRange, story_key
from engram_desktop.domain.memory.extraction import MAX_KEYWORDS, PlotExtraction, StructuredKv
from engram_desktop.domain.memory.scope import is_ordinary
from engram_desktop.domain.text.late_pattern import late_pattern
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass

# Which visible events to merge next, and an outline of them without a model.
#
# An outline reads as a story: whole sentences in story order, time and place named where they
# change. It is made of the same parts again when outlines become outlines of outlines.


# Events told by one outline: every level is a tenth of the one below (ADR 29, costs.md).
MAX_GROUP = 10
NEWEST_KEPT = 2  # of each level: what just happened is not condensed (ADR 13)

_SPREAD = 0.6  # worth of lying far from all sentences chosen so far, beside significance (0 to 1)
_LONG = 45  # tokens from which on a sentence takes the room of others
_SAVED = 4  # tokens that putting a sentence together with others may save
_JOINED = 64  # characters that two sentences of one subject may have as one
_CJK = late_pattern("[\u3400-\u9fff]")
_HEAD = late_pattern(r"^([^：:。！？.!?“”\"‘’「」]{1,48})(?:：|: )\s*(?=\S)")
_SAYS = late_pattern(r"[说问道答写叫念喊]|\b(?:says?|asks?|tells?|said|asked|told|writes?)\b")
_TIME = late_pattern(
    r"\d|[天日月年晨早午晚夜昏夕]|第.|冬至|夏至|节|\b(?:day|morning|noon|evening|night|week|month"
    r"|spring|summer|autumn|winter|dawn|dusk)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"^(?P<who>[^，,。：:]{1,12}?)还(?P<does>说|告诉|叫|让|请|问|提议)"
)  # a match is asked whether it is of this
_AGAIN_EN = late_pattern(r"^(?P<who>[A-Z][^,.:;]{0,40}?) also (?P<does>says|asks|tells|suggests)\b")
_LEANS = late_pattern(
    r"^(?:[她他它这那此]|随后|然后|接着|于是|同时|(?:She|He|They|It|This|That|Then|But|And|So)\b)"
)
_NODS = late_pattern("[\u3400-\u9fff]{1,2}[。！]?")  # 皱眉, 点头: of whom is not said
_QUOTED = late_pattern('[“「『"]')


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a part, with when and where it plays."""

    text: str
    part: int
    time: str
    place: str
    worth: float


class Mergeable:
    """Visible events that may be merged, by level.

    Levels are merged among themselves, so that an outline of level n tells of about MAX_GROUP^n
    events, and the visible text grows with the logarithm of the story.
    """

    def __init__(self, visible: Sequence[EventNode]) -> None:
        self._levels: defaultdict[int, list[EventNode]] = defaultdict(list)
        for event in sorted(visible, key=story_key):
            if not event.is_locked and not event.is_stale:
                self._levels[event.level].append(event)

    def next_group(self) -> list[EventNode]:
        """Oldest neighbours of the level that costs most; empty if nothing can be merged."""
        levels = sorted(filter(None, self._levels.values()), key=lambda level: story_key(level[0]))
        groups = [level[: max(0, min(MAX_GROUP, len(level) - NEWEST_KEPT))] for level in levels]
        mergeable = [group for group in groups if len(group) >= 2]
        return max(mergeable, key=_cost, default=[])

    def merge(self, group: Sequence[EventNode], outlines: Sequence[EventNode]) -> None:
        """Put ``outlines`` in the place of the group that `next_group` gave."""
        del self._levels[group[0].level][: len(group)]
        for outline in outlines:
            insort(self._levels[outline.level], outline, key=story_key)


def condense(parts: Sequence[PlotExtraction], limit: int) -> PlotExtraction:
    """Tell ``parts``, in story order, in whole sentences of at most ``limit`` tokens.

    How it begins and how it ends is told first, then what matters most and lies far from what is
    told already. Only where not even one sentence fits is one shortened.
    """
    sentences = [sentence for n, part in enumerate(parts) for sentence in _sentences(n, part)]
    choice = _choose(sentences, parts, limit)
    summary = _assemble(choice, parts)
    keep = [parts[n] for n in sorted({sentence.part for sentence in choice})]
    when = _span([p.timestamp for p in parts if p.timestamp])
    places = [p.location for p in parts if p.location]
    where = max(places, key=places.count) if places else ""
    words = dict.fromkeys(chain.from_iterable(p.keywords for p in keep))
    keywords = sorted(words, key=lambda word: word not in summary)
    return PlotExtraction(
        summary,
        tuple(keywords)[:MAX_KEYWORDS],
        when,
        where,
        tuple(dict.fromkeys(chain.from_iterable(p.entities for p in keep))),
        tuple(dict.fromkeys(chain.from_iterable(p.relations for p in keep))),
        structured_kv=StructuredKv(time_anchor=when, location=where, event=summary),
        significance_score=max(p.significance_score for p in parts),
    )


def _sentences(n: int, part: PlotExtraction) -> Iterator[_Sentence]:
    """Take a part apart: an outline's headings are read back, never told as words."""
    names = {entity.name for entity in part.entities if entity.type == "char"}
    time, place = _ends(part.timestamp)[0], part.location
    sentences = split_sentences(part.summary) or [part.summary.strip()]
    last = len(sentences) - 1
    for at, sentence in enumerate(sentences):
        head = _HEAD.match(sentence)
        if head and head[1] not in names and not _SAYS.search(head[1]):
            time, place = _read_head(head[1], time)
        else:
            head = None
        text = sentence[head.end() if head else 0 :]
        if not text or (last and _NODS.fullmatch(text)):
            continue
        # beside significance, so that it decides between sentences of one event; set by hand
        worth = 0.1 * min(3, sum(word in text for word in part.keywords))
        worth += 0.05 * (at in {0, last}) + 0.15 * any(name in text for name in names)
        worth -= 0.004 * max(0, estimate_tokens(text) - _LONG)
        worth -= 0.25 * bool(_LEANS.match(text)) + 0.3 * bool(_QUOTED.search(text))
        yield _Sentence(text, n, time, place, part.significance_score + worth)


def _read_head(head: str, time: str) -> tuple[str, str]:
    """Return time and place of a heading; one without a time goes on in the time before."""
    pieces = re.split("(, |，)", head.strip())
    times = 0
    while times < len(pieces) and _TIME.search(pieces[times]):
        times += 2
    if not times:
        return time, head.strip()
    return "".join(pieces[: times - 1]), "".join(pieces[times:])


def _choose(
    sentences: Sequence[_Sentence], parts: Sequence[PlotExtraction], limit: int
) -> list[_Sentence]:
    """Choose sentences while they fit: how it begins, how it ends, then the turning points."""
    if not sentences:
        return []
    order = list(_by_worth(sentences))
    costs = [estimate_tokens(sentence.text) for sentence in sentences]
    positions: set[int] = set()
    spent = 0
    for n in order:
        if positions and spent + costs[n] > limit + _SAVED * len(positions):
            continue  # too long, however it is put together
        some = [sentences[k] for k in sorted(positions | {n})]
        if estimate_tokens(_assemble(some, parts)) <= limit:
            positions.add(n)
            spent += costs[n]
    if positions:
        return [sentences[n] for n in sorted(positions)]
    shortest = min(sentences, key=lambda sentence: estimate_tokens(sentence.text))
    bare = replace(shortest, text=_shorten(shortest.text, limit), time="", place="")
    return [bare]


def _by_worth(sentences: Sequence[_Sentence]) -> Iterator[int]:
    """Yield positions in the order in which they are to be told, if there is room."""
    left = set(range(len(sentences)))
    first, last = sentences[0].part, sentences[-1].part
    positions: list[int] = []
    for part in dict.fromkeys((first, last)):
        own = (n for n in left if sentences[n].part == part)
        best = max(own, key=lambda n: (sentences[n].worth, -n))
        positions.append(best)
        left.discard(best)
        yield best
    far = {n: min(abs(n - other) for other in positions) for n in left}
    while left:
        best = max(left, key=lambda n: (sentences[n].worth + _SPREAD * far[n] / len(sentences), -n))
        left.discard(best)
        yield best
        for n in left:
            far[n] = min(far[n], abs(n - best))


def _assemble(sentences: Sequence[_Sentence], parts: Sequence[PlotExtraction]) -> str:
    """Put sentences together, with headings where time or place change."""
    is_zh = any(_CJK.search(sentence.text) for sentence in sentences)
    glue, comma, colon = ("", "，", "：") if is_zh else (" ", ", ", ": ")
    pieces: list[str] = []
    time = place = ""
    before: _Sentence | None = None
    for sentence in sentences:
        same = before is not None and before.part == sentence.part
        who = _subject(sentence, parts)
        text = _without_again(sentence.text, before.text if same and before else "")
        heading = _heading(sentence, text, time, place)
        if heading or sentence.time:
            time, place = sentence.time or time, sentence.place
        both = _join(pieces[-1], text, who) if same and pieces and not heading else ""
        if both and is_zh:
            pieces[-1] = both
        else:
            head = comma.join(heading) + colon if heading else ""
            pieces.append(head + _with_end(text, is_zh=is_zh))
        before = sentence
    return glue.join(pieces)


def _heading(sentence: _Sentence, text: str, time: str, place: str) -> list[str]:
    """Words of the heading that ``text`` needs after what plays at ``time`` and ``place``.

    A place is named only beside a time, and a time again where a place is left for nowhere said:
    else what follows would seem to play there.
    """
    if not sentence.time or (sentence.time, sentence.place) == (time, place):
        return []
    is_new = sentence.time != time
    words = [sentence.time] if is_new or not sentence.place else []
    if sentence.place:
        words.append(sentence.place)
    return [word for word in words if word not in text]


def _subject(sentence: _Sentence, parts: Sequence[PlotExtraction]) -> str:
    """Name that a sentence begins with, if it does."""
    names = [e.name for e in parts[sentence.part].entities if e.type == "char"]
    leading = [name for name in names if sentence.text.startswith(name)]
    return max(leading, key=len, default="")


def _join(before: str, text: str, who: str) -> str:
    """Return two sentences of one subject as one (爱丽丝锁上门；藏了钥匙), or an empty text."""
    is_same = bool(who) and before.startswith(who) and before.endswith("。")
    rest = text[len(who) :].removeprefix("还")
    if not is_same or len(before) + len(rest) > _JOINED or "；" in before or not rest.strip():
        return ""
    return f"{before[:-1]}；{rest}"


def _without_again(text: str, before: str) -> str:
    """Remove “also” (还) where the sentence it refers back to is left out: 凯尔还说 → 凯尔说."""
    match = _AGAIN.match(text) or _AGAIN_EN.match(text)
    if match is None or (before and before.startswith(match["who"])):
        return text
    blank = "" if match.re is _AGAIN else " "
    return f"{match['who']}{blank}{match['does']}{text[match.end() :]}"


def _with_end(text: str, *, is_zh: bool) -> str:
    bare = text.rstrip(" ，,、；;：:—-")
    is_ended = bare.rstrip("”’」』》）)\"'").endswith(("。", "！", "？", "!", "?", ".", "…"))
    return bare if is_ended else bare + ("。" if is_zh else ".")


def _shorten(text: str, limit: int) -> str:
    """Cut a sentence where a clause ends; in the middle of one only if that is all there is."""
    clauses = re.split("(?<=[，,；;])", text)
    while len(clauses) > 1:
        clauses.pop()
        shorter = _with_end("".join(clauses), is_zh=bool(_CJK.search(text)))
        if estimate_tokens(shorter) <= limit:
            return shorter
    cut = max(8, int(len(text) * limit / max(1, estimate_tokens(text))) - 1)
    return text if cut >= len(text) else f"{text[:cut].rstrip()}…"


def _span(times: Sequence[str]) -> str:
    """Return the span from the first time to the last; outlines hold such spans themselves."""
    if not times:
        return ""
    first, last = _ends(times[0])[0], _ends(times[-1])[1]
    return first if first == last else f"{first} – {last}"


def _ends(time: str) -> tuple[str, str]:
    first, _, last = time.partition(" – ")
    return first, last or first


def _cost(group: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(e.summary) for e in group)


# The story so far: every floor told, within a limit, the newest in full and the old in outlines.
#
# What consolidation archives is told by an outline, outlines by outlines of outlines, so the
# events of a line form trees, and what is visible are their roots. `story_so_far` chooses which
# nodes to tell; it stores nothing, and the same events always give the same text.


# Beside its summary each line names floors, time and place: 10 to 22 tokens in the bundled story.
LINE_TOKENS = 20
BRIEF_LINE = 90  # tokens of a line at least, where there is room for few
LEAST = 44  # tokens of one line with a short sentence
_CONDENSED_KEPT = 256  # the same lines are told in prompt after prompt
SQUEEZED_SHARE = 8  # a line made only for want of room takes at most this part of the limit

PartsOf = Callable[[str], Sequence[EventNode]]


def cost_of(events: Sequence[EventNode]) -> int:
    """About how many tokens these events take in a prompt, each as a line of its own."""
    return sum(estimate_tokens(e.summary) + LINE_TOKENS for e in events)


def grouped(events: Sequence[EventNode]) -> list[list[EventNode]]:
    """Cut events, in story order, into groups that one outline each can tell of.

    As few groups as MAX_GROUP allows, and as even as can be. All of a group are of one branch, so
    that its outline is seen wherever they are.
    """
    groups: list[list[EventNode]] = []
    for _branch, run in itertools.groupby(sorted(events, key=story_key), lambda e: e.branch_id):
        ordered = list(run)
        count = -(-len(ordered) // MAX_GROUP)
        edges = [len(ordered) * n // count for n in range(count + 1)]
        groups += [ordered[a:b] for a, b in itertools.pairwise(edges)]
    return groups


def may_be_told(event: EventNode) -> bool:
    """Whether an outline, which everybody may know, may tell of an event."""
    is_told = is_ordinary(event.scope, event.condition)
    return is_told and not event.is_stale and not event.is_deleted


def standing(events: Sequence[EventNode], parts_of: PartsOf) -> Iterator[EventNode]:
    """Give what is still true: of a stale outline its parts that are, of a stale event nothing.

    ``parts_of`` gives the parts of an outline by its id.
    """
    for event in events:
        if not event.is_stale:
            yield event
        elif event.level:
            yield from standing(parts_of(event.id), parts_of)


def story_so_far(
    visible: Sequence[EventNode], parts_of: PartsOf, limit: int, newest: int
) -> list[EventNode]:
    """Choose what to tell, in story order, in at most ``limit`` tokens (`cost_of`).

    At least the ``newest`` events are told in full while they fit. Above the limit the oldest are
    condensed, without a model and only for this text; under a small limit all of them are, each
    line telling of more. Nothing is told within fewer tokens than `LEAST`.
    """
    nodes = sorted(standing(visible, parts_of), key=story_key)
    told = _squeeze(_unfold(nodes, parts_of, limit, newest), limit)
    return told if cost_of(told) <= limit else _in_brief(told, limit)


def _in_brief(nodes: Sequence[EventNode], limit: int) -> list[EventNode]:
    """Tell everything in a few lines of whole sentences: the last one is the present scene's."""
    count = min(len(nodes), limit // BRIEF_LINE)
    if limit < LEAST:
        return []
    if count < 2:
        return [_told_within(nodes, limit - LINE_TOKENS)]
    before, newest = nodes[:-1], nodes[-1:]
    edges = [len(before) * n // (count - 1) for n in range(count)]
    groups = [*(before[a:b] for a, b in itertools.pairwise(edges)), newest]
    lines: list[EventNode] = []
    left = limit
    for n, group in enumerate(reversed(groups)):  # the newest first: what it leaves, others use
        room = left // (len(groups) - n)
        whole = len(group) == 1 and cost_of(group) <= room
        lines.append(group[0] if whole else _told_within(group, room - LINE_TOKENS))
        left -= cost_of(lines[-1:])
    return lines[::-1]


def _unfold(nodes: list[EventNode], parts_of: PartsOf, limit: int, newest: int) -> list[EventNode]:
    """Tell the last outlines by their parts until ``newest`` events stand at the end."""
    while True:
        last = next((n for n in reversed(range(len(nodes))) if nodes[n].level), None)
        if last is None or len(nodes) - 1 - last >= newest:
            return nodes
        parts = sorted(standing(parts_of(nodes[last].id), parts_of), key=story_key)
        unfolded = [*nodes[:last], *parts, *nodes[last + 1 :]]
        if not parts or cost_of(unfolded) > limit:
            return nodes
        nodes = unfolded


def _squeeze(nodes: list[EventNode], limit: int) -> list[EventNode]:
    """Condense the oldest neighbours of the dearest level, level after level, until all fits."""
    most = max(24, limit // SQUEEZED_SHARE)
    left = cost_of(nodes)
    while left > limit:
        lines, left_after = _fold(_dearest(nodes), most, left, limit)
        if left_after >= left:
            break
        folded_ids = {id(e) for group, _line in lines for e in group}
        others = (e for e in nodes if id(e) not in folded_ids)
        nodes = sorted([*others, *(line for _group, line in lines)], key=story_key)
        left = left_after
    return nodes


def _dearest(nodes: Sequence[EventNode]) -> list[EventNode]:
    """Return the level that takes most, without its newest; those alone in theirs stay."""
    by_level: dict[int, list[EventNode]] = defaultdict(list)
    for event in nodes:
        by_level[event.level].append(event)
    old = [level[:-NEWEST_KEPT] for level in by_level.values()]
    return max((level for level in old if len(level) >= 2), key=cost_of, default=[])


def _fold(
    level: Sequence[EventNode], most: int, left: int, limit: int
) -> tuple[list[tuple[Sequence[EventNode], EventNode]], int]:
    """Condense groups of a level, oldest first, until the limit is met; return what is left."""
    lines: list[tuple[Sequence[EventNode], EventNode]] = []
    for group in grouped(level):
        if left <= limit or len(group) < 2:
            break
        line = _condense_group(group, most)
        lines.append((group, line))
        left += cost_of([line]) - cost_of(group)
    return lines, left


def _condense_group(group: Sequence[EventNode], most: int) -> EventNode:
    return _told_within(group, min(most, max(24, cost_of(group) // 3)))


def _told_within(group: Sequence[EventNode], tokens: int) -> EventNode:
    """Condense a group into one event whose summary has at most ``tokens`` tokens."""
    data = _condensed(tuple(e.raw_data for e in group), tokens)
    last = max(e.source_range.end_index for e in group)
    return replace(
        group[0],
        id=f"~{group[0].id}",  # of no event: what was recalled of the first is still news
        summary=data.summary,
        raw_data=data,
        level=max(e.level for e in group) + 1,
        source_range=SourceRange(group[0].source_range.start_index, last),
    )


@lru_cache(maxsize=_CONDENSED_KEPT)
def _condensed(parts: tuple[PlotExtraction, ...], tokens: int) -> PlotExtraction:
    return condense(parts, tokens)
