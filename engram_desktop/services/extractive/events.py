"""Make one event of each scene of a block. Deterministic; every word stands in the messages."""

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
from engram_desktop.services.extractive.cut_messages import CutMessage, cut_messages, total
from engram_desktop.services.extractive.keywords import keywords
from engram_desktop.services.extractive.names.names_en import english_names
from engram_desktop.services.extractive.names.names_zh import (
    is_kind_of_place,
    is_private,
    places,
    titles,
)
from engram_desktop.services.extractive.pick import pick, weigh
from engram_desktop.services.extractive.scenes import scenes
from engram_desktop.services.extractive.telling.narrated import narrated
from engram_desktop.services.extractive.telling.render import heart, quoted, tell
from engram_desktop.services.extractive.words.times import is_scene_of, opening_day, place_line

_MOST = 8  # units that are looked at for a summary
_SUMMARY_CHARS = {"zh": 160, "en": 380}  # two or three sentences; not measured
_IN_DETAILS = 4  # further units, quoted word for word
_GONE_TO = re.compile("(?:来到|走进|回到|抵达|到达|走出|离开)了?$")
_STRONG = re.compile(
    "[！!]|哭|泪|笑|怒|吻|抱|死|爱|恨|怕|惊|痛|cry|tear|love|hate|afraid|scream", re.IGNORECASE
)


def extract(
    messages: Sequence[Message], *, background: Background
) -> list[tuple[PlotExtraction, SourceRange]]:
    """Return the events of a block with their floors; none where nothing was said."""
    block = cut_messages(messages, background)
    events = []
    for first, last in scenes(block, background):
        scene = block[first : last + 1]
        event = _event(scene, block, background)
        if event is not None:
            source = SourceRange(scene[0].source.seq, scene[-1].source.seq)
            events.append((event, source))
    return events


def _event(
    scene: Sequence[CutMessage], block: Sequence[CutMessage], background: Background
) -> PlotExtraction | None:
    quotes = [quote for message in scene for quote in message.quotes]
    middle = total([message.vector for message in scene])
    scores = [weigh(quote, middle, background) for quote in quotes]
    best = [quotes[at] for at in pick(quotes, scores, _MOST + _IN_DETAILS)]
    if not best:
        return None
    summary, told_orders = tell(
        best[:_MOST], block, background, _SUMMARY_CHARS[background.language]
    )
    if not summary:
        return None
    people = _people(scene, background)
    place_counts = _places(scene, background)
    location = _location(scene, place_counts)
    time = _time(scene, background)
    entities = [ExtractedEntity(name, "char") for name in people]
    entities += [
        ExtractedEntity(name, "loc")
        for name, _ in place_counts.most_common(6)
        if not is_private(name)
        and not any(name != other and name in other for other in place_counts)
    ]
    entities += [ExtractedEntity(name, "item") for name in _items(scene, background)]
    return PlotExtraction(
        summary=summary,
        keywords=tuple(keywords(middle, scene, background)),
        timestamp=time,
        location=location,
        entities=tuple(dict.fromkeys(entities)),
        relations=tuple(_relations(scene, people, place_counts, background)),
        details=quoted(
            [q for q in best if q.order not in told_orders][:_IN_DETAILS], block, background
        ),
        structured_kv=StructuredKv(
            time_anchor=time,
            role=tuple(people),
            location=location,
            event=heart(best, block, background),
        ),
        significance_score=_significance(scene, max(scores), background),
    )


def _people(scene: Sequence[CutMessage], background: Background) -> list[str]:
    """Return who speaks, then who is spoken of, the most often named first."""
    speaking = Counter(message.source.name for message in scene if not message.is_narrator)
    everybody = background.people
    named = Counter(
        word.text
        for message in scene
        for quote in message.quotes
        for word in quote.words
        if word.text in everybody
    )
    if background.language == "en":
        for name in sorted(everybody):
            if " " in name and (count := sum(name in message.text for message in scene)):
                named[name] = count
    order = [*(n for n, _ in speaking.most_common()), *(n for n, _ in named.most_common())]
    return [name for name in dict.fromkeys(order) if name in everybody]


def _places(scene: Sequence[CutMessage], background: Background) -> Counter[str]:
    counts: Counter[str] = Counter()
    gazetteer = background.gazetteer
    for message in scene:
        for quote in message.quotes:
            if background.language == "zh":
                counts.update(places(quote.words, gazetteer))
            else:
                counts.update(
                    name
                    for name, before, _ in english_names(quote.words)
                    if background.named.get(name) == "loc" and before
                )
    return counts


def _location(scene: Sequence[CutMessage], place_counts: Counter[str]) -> str:
    """Return where the scene plays, if it is told: not every place that is talked about."""
    status_place = next((place for message in scene if (place := place_line(message.text))), "")
    if status_place:
        return status_place
    counts: Counter[str] = Counter()
    for message in scene:
        for quote in message.quotes:
            if not quote.unit.is_speech:
                counts.update(name for name in place_counts if is_scene_of(name, quote.unit.text))
    named = {
        name: count + 0.5 * (len(name) > 3 or not is_kind_of_place(name))
        for name, count in counts.items()
    }
    return max(named, key=lambda name: named[name], default="")


def _time(scene: Sequence[CutMessage], background: Background) -> str:
    """Return the story's day and hour, as the story tells it; the day of sending is none."""
    first, last = (background.day_at(message.source.seq) for message in (scene[0], scene[-1]))
    if first or last:
        return first or last
    for message in scene:
        if message.source.role != "user" and (hour := opening_day(message.text[:200])[1]):
            return hour
    return ""


def _items(scene: Sequence[CutMessage], background: Background) -> Iterable[str]:
    works = dict.fromkeys(name for message in scene for name in titles(message.text))
    return [
        *works,
        *sorted(t for t in background.things if any(t in message.text for message in scene)),
    ]


def _relations(
    scene: Sequence[CutMessage],
    people: Sequence[str],
    place_counts: Counter[str],
    background: Background,
) -> Iterable[ExtractedRelation]:
    """Yield what is certain: who talks with whom, and who came to which place."""
    talks, goes = ("对话", "去") if background.language == "zh" else ("talks with", "goes to")
    pairs: Counter[tuple[str, str]] = Counter()
    rank = {name: n for n, name in enumerate(people)}
    spoken = [message.source.name for message in scene if message.source.name in rank]
    for one, other in pairwise(spoken):
        if one != other:
            pairs[min(one, other), max(one, other)] += 1  # one edge, whoever began
    for (one, other), count in pairs.most_common(6):
        if count >= 2:
            yield ExtractedRelation(one, talks, other)
    narrations = [
        narrated(q, message, background)
        for message in scene
        for q in message.quotes
        if not q.unit.is_speech
    ]
    moves = {
        ExtractedRelation(name, goes, place)
        for text in narrations
        for place in place_counts
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


def _significance(scene: Sequence[CutMessage], best: float, background: Background) -> float:
    """Estimate from what was chosen, how much was said, and how strong the words are."""
    size = sum(len(message.text) for message in scene) / (
        1.0 if background.language == "zh" else 3.0
    )
    strong = sum(len(_STRONG.findall(message.text)) for message in scene) / (1 + len(scene))
    # From .2 to .9; the shares are set by hand, not measured.
    score = 0.2 + 0.25 * min(1.0, best / 1.6) + 0.25 * min(1.0, size / 1500)
    return round(min(0.95, score + 0.2 * min(1.0, strong / 2)), 2)
