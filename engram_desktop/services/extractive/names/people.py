"""Who and where a whole chat names: what is called so often enough, and acts like it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.services.extractive.names.names_en import english_kind, english_names
from engram_desktop.services.extractive.names.names_zh import is_kind_of_place, persons
from engram_desktop.services.extractive.words.cutting import Cutter, Word

_MIN_MENTIONS = 3  # fewer may be a word that was cut wrongly


def said_names(
    names: Mapping[str, EntityType], texts: Sequence[str], words: Cutter
) -> dict[str, EntityType]:
    """Return those of ``names`` that a chat uses; keys that are plain words are no names."""
    if not names:
        return {}
    story = "\n".join(texts)
    return {
        name: kind
        for name, kind in names.items()
        if name in story and (kind != "unknown" or not (words.knows(name) or name.islower()))
    }


def tag_of(name: str, kind: EntityType) -> str:
    is_where = kind == "loc" or (kind == "unknown" and is_kind_of_place(name))
    return "ns" if is_where else "nz" if kind in {"item", "concept"} else "nr"


def named_in(
    words: Sequence[Sequence[Word]],
    speakers: Iterable[str],
    introduced: Iterable[str],
    tags: Mapping[str, str],
) -> dict[str, str]:
    """Return names found in cut texts, who speaks left out, each as char or loc."""
    speaker_names = set(speakers)
    kinds: dict[str, str] = dict.fromkeys(introduced, "char")
    kinds |= dict.fromkeys(_chinese(words, tags), "char")
    kinds |= _english([row for row in words if any(word.tag == "En" for word in row)], words)
    parts = {word for name in (*kinds, *speaker_names) if " " in name for word in name.split()}
    return {name: kind for name, kind in kinds.items() if name not in speaker_names | parts}


def _chinese(words: Sequence[Sequence[Word]], tags: Mapping[str, str]) -> Iterator[str]:
    count: Counter[str] = Counter()
    acting: Counter[str] = Counter()
    for row in words:
        for name, is_acting in persons(row, tags):
            count[name] += 1
            acting[name] += is_acting
    for name, mentions in count.items():
        if mentions >= _MIN_MENTIONS and acting[name] >= max(2, mentions / 3):
            yield name


def _english(rows: Sequence[Sequence[Word]], words: Sequence[Sequence[Word]]) -> dict[str, str]:
    contexts: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in rows:
        for name, before, after in english_names(row):
            contexts[name][before, after] += 1
    if not contexts:
        return {}
    small: Counter[str] = Counter()
    for row in words:
        small.update(word.text for word in row if word.tag == "en")
        for word, following in pairwise(row):
            if word.tag == "en" and word.text in contexts and following.is_joined:
                contexts[word.text]["", following.text.lower()] += 1  # it opens a sentence
    return {
        name: kind
        for name, around in contexts.items()
        if small[name.lower()] < around.total() and (kind := english_kind(name, around))
    }


def without_pieces(
    named: dict[str, str], texts: Sequence[str], speakers: Iterable[str]
) -> dict[str, str]:
    """Drop names that are said only inside longer ones: 莱特 of 那维莱特."""
    everybody = [*named, *speakers]
    whole_names = {}
    for name, kind in named.items():
        longer = [other for other in everybody if name in other and other != name]
        if longer:
            often = sum(text.count(name) for text in texts)
            inside = max(sum(text.count(other) for text in texts) for other in longer)
            if often - inside < max(2, often // 3):
                continue
        whole_names[name] = kind
    return whole_names


def capitals(words: Sequence[Sequence[Word]]) -> frozenset[str]:
    large = Counter(w.text for row in words for w in row if w.tag == "En")
    small = Counter(w.text for row in words for w in row if w.tag == "en" and w.text[0].islower())
    return frozenset(word for word, n in large.items() if n > small[word.lower()])
