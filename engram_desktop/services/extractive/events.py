"""A block of messages to one event a scene. Deterministic; every word stands in the messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engram_desktop.domain.event import SourceRange
from engram_desktop.domain.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
)
from engram_desktop.domain.message import Message
from engram_desktop.services.extractive.background import Background, noun_pairs
from engram_desktop.services.extractive.lines import Line, Quote, read_lines, total
from engram_desktop.services.extractive.names import english_names, is_private, places, titles
from engram_desktop.services.extractive.pick import pick, weigh
from engram_desktop.services.extractive.render import narrated, tell
from engram_desktop.services.extractive.scenes import scenes
from engram_desktop.services.extractive.times import calendar_day
from engram_desktop.services.extractive.words import Word

_FEWEST, _MOST = 4, 6  # units in a summary: more of them where they are short
_SUMMARY_CHARS = {"zh": 120, "en": 330}
_IN_DETAILS = 4
_MAX_KEYWORDS = 8
_GONE_TO = re.compile("(?:来到|走进|回到|抵达|到达|走出|离开)了?$")
_NO_KEYWORD = re.compile("^[一整这那几每太]|[我你他她]|[着了的地得们]$")
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
    count = _how_many(chosen, known)
    summary = tell(chosen[:count], lines, known)
    people = _people(scene, known)
    where = _places(scene, known)
    location = _location(scene, where)
    time = _time(scene, known)
    keywords = _keywords(middle, scene, known)
    entities = [ExtractedEntity(name, "char") for name in people]
    entities += [
        ExtractedEntity(name, "loc")
        for name, _ in where.most_common(6)
        if not is_private(name) and not any(name != other and name in other for other in where)
    ]
    entities += [ExtractedEntity(name, "item") for name in _items(scene, known)]
    return PlotExtraction(
        summary=summary,
        keywords=tuple(keywords),
        timestamp=time,
        location=location,
        entities=tuple(dict.fromkeys(entities)),
        relations=tuple(_relations(scene, people, where, known)),
        details=tell(chosen[count : count + _IN_DETAILS], lines, known),
        structured_kv=StructuredKv(
            time_anchor=time,
            role=tuple(people),
            location=location,
            event=_short(chosen[0], lines, known),
        ),
        significance_score=_significance(scene, max(scores), known),
    )


def _how_many(chosen: Sequence[Quote], known: Background) -> int:
    room = _SUMMARY_CHARS[known.language]
    for count, quote in enumerate(chosen[:_MOST]):
        room -= len(quote.unit.text)
        if count >= _FEWEST and room < 0:
            return count
    return min(len(chosen), _MOST)


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
    """Return where the scene plays: what narration says first, else what is named most."""
    for line in scene:
        for quote in line.quotes:
            if not quote.unit.is_speech:
                for name in where:
                    if name in quote.unit.text:
                        return name
    return where.most_common(1)[0][0] if where else ""


def _time(scene: Sequence[Line], known: Background) -> str:
    """Return the story's day and hour, else the day of writing where stories have none."""
    if known.days:
        first, last = (known.day_at(line.message.seq) for line in (scene[0], scene[-1]))
        return first or last
    sent = next((line.message.sent_at for line in scene if line.message.sent_at), None)
    return calendar_day(sent) if sent is not None else ""


def _keywords(middle: dict[str, float], scene: Sequence[Line], known: Background) -> list[str]:
    """Return the words that mark this scene in its chat: nouns and names, never a speaker."""
    nouns: Counter[str] = Counter()
    written: dict[str, str] = {}
    for line in scene:
        for quote in line.quotes:
            for word in quote.words:
                if _is_keyword(word, known):
                    nouns[word.key] += 1
                    written.setdefault(word.key, word.text)
            for pair in noun_pairs(quote.words):
                if known.compounds[pair] >= 2:
                    nouns[pair] += 1
                    middle[pair] = middle.get(pair, 0.0) + 2.2 * known.weight(pair)
    ranked = sorted(nouns, key=lambda key: (-middle.get(key, 0.0), key))
    kept: list[str] = []
    for key in ranked:
        if len(kept) == _MAX_KEYWORDS:
            break
        text = written.get(key, key)
        if not any(text in other or other in text for other in kept):
            kept.append(text)
    return kept


def _is_keyword(word: Word, known: Background) -> bool:
    if not word.is_noun or not word.is_content or word.text in known.speakers:
        return False
    if word.tag in {"en", "En"} or word.text in known.named:
        return True
    if word.tag.startswith("nr") or _NO_KEYWORD.search(word.text):
        return False
    return known.cutter.knows(word.text)


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


def _short(quote: Quote, lines: Sequence[Line], known: Background) -> str:
    """Return the heart of the event in a few words."""
    line = lines[quote.line]
    text = quote.unit.text if quote.unit.is_speech else narrated(quote, line, known)
    limit = 48 if known.language == "zh" else 110
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _significance(scene: Sequence[Line], best: float, known: Background) -> float:
    """Estimate from what was chosen, how much was said, and how strong the words are."""
    size = sum(len(line.text) for line in scene) / (1.0 if known.language == "zh" else 3.0)
    strong = sum(len(_STRONG.findall(line.text)) for line in scene) / (1 + len(scene))
    score = 0.2 + 0.25 * min(1.0, best / 1.6) + 0.25 * min(1.0, size / 1500)
    return round(min(0.95, score + 0.2 * min(1.0, strong / 2)), 2)
