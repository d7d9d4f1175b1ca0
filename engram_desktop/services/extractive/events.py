"""A block of messages to one event a scene. Deterministic; every word stands in the messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
)
from engram_desktop.domain.memory.message import Message
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.keywords import keywords
from engram_desktop.services.extractive.lines import Line, read_lines, total
from engram_desktop.services.extractive.names import (
    is_kind_of_place,
    is_private,
    places,
    titles,
)
from engram_desktop.services.extractive.names_en import english_names
from engram_desktop.services.extractive.narrated import narrated
from engram_desktop.services.extractive.pick import pick, weigh
from engram_desktop.services.extractive.render import heart, quoted, tell
from engram_desktop.services.extractive.scenes import scenes
from engram_desktop.services.extractive.times import is_scene_of, opening_day, place_line

_MOST = 8  # units that are looked at for a summary
_SUMMARY_CHARS = {"zh": 160, "en": 380}
_IN_DETAILS = 4
_GONE_TO = re.compile("(?:来到|走进|回到|抵达|到达|走出|离开)了?$")
_STRONG = re.compile(
    "[！!]|哭|泪|笑|怒|吻|抱|死|爱|恨|怕|惊|痛|cry|tear|love|hate|afraid|scream", re.IGNORECASE
)


def extract(
    messages: Sequence[Message], *, background: Background
) -> list[tuple[PlotExtraction, SourceRange]]:
    """Return the events of a block with their floors; none where nothing was said."""
    lines = read_lines(messages, background)
    found = []
    for first, last in scenes(lines, background):
        scene = lines[first : last + 1]
        event = _event(scene, lines, background)
        if event is not None:
            source = SourceRange(scene[0].message.seq, scene[-1].message.seq)
            found.append((event, source))
    return found


def _event(
    scene: Sequence[Line], lines: Sequence[Line], known: Background
) -> PlotExtraction | None:
    quotes = [quote for line in scene for quote in line.quotes]
    middle = total([line.vector for line in scene])
    scores = [weigh(quote, middle, known) for quote in quotes]
    chosen = [quotes[at] for at in pick(quotes, scores, _MOST + _IN_DETAILS)]
    if not chosen:
        return None
    summary, told = tell(chosen[:_MOST], lines, known, _SUMMARY_CHARS[known.language])
    if not summary:
        return None
    people = _people(scene, known)
    where = _places(scene, known)
    location = _location(scene, where)
    time = _time(scene, known)
    entities = [ExtractedEntity(name, "char") for name in people]
    entities += [
        ExtractedEntity(name, "loc")
        for name, _ in where.most_common(6)
        if not is_private(name) and not any(name != other and name in other for other in where)
    ]
    entities += [ExtractedEntity(name, "item") for name in _items(scene, known)]
    return PlotExtraction(
        summary=summary,
        keywords=tuple(keywords(middle, scene, known)),
        timestamp=time,
        location=location,
        entities=tuple(dict.fromkeys(entities)),
        relations=tuple(_relations(scene, people, where, known)),
        details=quoted([q for q in chosen if q.order not in told][:_IN_DETAILS], lines, known),
        structured_kv=StructuredKv(
            time_anchor=time,
            role=tuple(people),
            location=location,
            event=heart(chosen, lines, known),
        ),
        significance_score=_significance(scene, max(scores), known),
    )


def _people(scene: Sequence[Line], known: Background) -> list[str]:
    """Return who speaks, then who is spoken of, the most often named first."""
    speaking = Counter(line.message.name for line in scene if not line.is_narrator)
    everybody = known.people
    named = Counter(
        word.text
        for line in scene
        for quote in line.quotes
        for word in quote.words
        if word.text in everybody
    )
    if known.language == "en":
        for name in sorted(everybody):
            if " " in name and (count := sum(name in line.text for line in scene)):
                named[name] = count
    order = [*(n for n, _ in speaking.most_common()), *(n for n, _ in named.most_common())]
    return [name for name in dict.fromkeys(order) if name in everybody]


def _places(scene: Sequence[Line], known: Background) -> Counter[str]:
    found: Counter[str] = Counter()
    gazetteer = known.gazetteer
    for line in scene:
        for quote in line.quotes:
            if known.language == "zh":
                found.update(places(quote.words, gazetteer))
            else:
                found.update(
                    name
                    for name, before, _ in english_names(quote.words)
                    if known.named.get(name) == "loc" and before
                )
    return found


def _location(scene: Sequence[Line], where: Counter[str]) -> str:
    """Return where the scene plays, if it is told: not every place that is talked about."""
    headed = next((place for line in scene if (place := place_line(line.text))), "")
    if headed:
        return headed
    told: Counter[str] = Counter()
    for line in scene:
        for quote in line.quotes:
            if not quote.unit.is_speech:
                told.update(name for name in where if is_scene_of(name, quote.unit.text))
    named = {
        name: count + 0.5 * (len(name) > 3 or not is_kind_of_place(name))
        for name, count in told.items()
    }
    return max(named, key=lambda name: named[name], default="")


def _time(scene: Sequence[Line], known: Background) -> str:
    """Return the story's day and hour, as the story tells it; the day of sending is none."""
    first, last = (known.day_at(line.message.seq) for line in (scene[0], scene[-1]))
    if first or last:
        return first or last
    for line in scene:
        if line.message.role != "user" and (hour := opening_day(line.text[:200])[1]):
            return hour
    return ""


def _items(scene: Sequence[Line], known: Background) -> Iterable[str]:
    works = dict.fromkeys(name for line in scene for name in titles(line.text))
    return [*works, *sorted(t for t in known.things if any(t in line.text for line in scene))]


def _relations(
    scene: Sequence[Line], people: Sequence[str], where: Counter[str], known: Background
) -> Iterable[ExtractedRelation]:
    """Yield what is certain: who talks with whom, and who came to which place."""
    talks, goes = ("对话", "去") if known.language == "zh" else ("talks with", "goes to")
    pairs: Counter[tuple[str, str]] = Counter()
    rank = {name: n for n, name in enumerate(people)}
    spoken = [line.message.name for line in scene if line.message.name in rank]
    for one, other in pairwise(spoken):
        if one != other:
            pairs[min(one, other), max(one, other)] += 1  # one edge, whoever began
    for (one, other), count in pairs.most_common(6):
        if count >= 2:
            yield ExtractedRelation(one, talks, other)
    told = [narrated(q, line, known) for line in scene for q in line.quotes if not q.unit.is_speech]
    moves = {
        ExtractedRelation(name, goes, place)
        for text in told
        for place in where
        if place in text
        for name in people
        if _went(text, name, place)
    }
    yield from sorted(moves, key=lambda move: (rank[move.subject], move.object))


def _went(text: str, name: str, place: str) -> bool:
    if not text.startswith(name):
        return False
    between = text[len(name) : text.index(place)]
    return len(between) <= 6 and bool(_GONE_TO.search(between))


def _significance(scene: Sequence[Line], best: float, known: Background) -> float:
    """Estimate from what was chosen, how much was said, and how strong the words are."""
    size = sum(len(line.text) for line in scene) / (1.0 if known.language == "zh" else 3.0)
    strong = sum(len(_STRONG.findall(line.text)) for line in scene) / (1 + len(scene))
    score = 0.2 + 0.25 * min(1.0, best / 1.6) + 0.25 * min(1.0, size / 1500)
    return round(min(0.95, score + 0.2 * min(1.0, strong / 2)), 2)
