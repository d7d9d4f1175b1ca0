"""Learned corrections to the fused ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np

from engram_desktop.domain.recall import cues, ranking
from engram_desktop.domain.recall.cues import asking_share, asks_number
from engram_desktop.domain.recall.lexemes import (
    STOP_TOKENS,
    known_tokens,
    query_tokens,
    rough_tokens,
)
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.domain.recall.ranking import (
    DEFAULT,
    FEATURES,
    REACH,
    Rows,
    Scores,
    Weights,
    inverse_frequency,
    read_corrections,
)
from engram_desktop.domain.recall.relative_time import (
    NamedDate,
    named_dates,
    nearness,
    relative_spans,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.fuse import Tally
from engram_desktop.services.recall.index import ReadIndex
from engram_desktop.services.recall.view import RecallView
from engram_desktop.shipped import resource

# The cue legs: named speakers, days, and whether a text reads like an answer.


_BEGINNING = 16  # messages: a first conversation of the sets has four to twelve


def speaker_scores(
    question: str, view: RecallView, aliases: Mapping[str, str], actor: str | None
) -> tuple[Scores, Scores]:
    """Return (named speaker, me or you) for every row: 1 where the right one speaks.

    A cue that fits all turns or none says nothing and is all 0.
    """
    layout = view.layout
    nobody = np.zeros(view.size)
    named = cues.named_speakers(question, layout.names, aliases)
    codes = [code for code, name in enumerate(layout.names) if name in named]
    by_name = _telling_words(np.isin(layout.speakers, codes), view)
    if codes:
        return by_name, nobody
    asker = layout.is_user
    if actor in layout.names:
        asker = layout.speakers == layout.names.index(actor)
    match cues.voice(question):
        case "me":
            return nobody, _telling_words(asker, view)
        case "you":
            return nobody, _telling_words(~asker & (layout.speakers >= 0), view)
        case _:
            return nobody, nobody


def _telling_words(is_said: np.ndarray, view: RecallView) -> Scores:
    in_turns = int(is_said[view.turns].sum())
    return is_said.astype(np.float64) if 0 < in_turns < view.turns.size else np.zeros(view.size)


def date_scores(question: str, view: RecallView) -> Scores:
    """Return for every row how near it was sent to a day in ``question``.

    Days are written out, or told from the last moment the view knows: that of asking.
    """
    if cues.asks_for_beginning(question):
        return _beginning(view)
    dates = named_dates(question)
    spans = relative_spans(question, view.today) if view.today else ()
    if not dates and not spans:
        return np.zeros(view.size)
    days, which = view.days
    day_scores = [
        max((n for n in (*_near(dates, day), *(s.nearness(day) for s in spans))), default=0.0)
        if day
        else 0.0
        for day in days
    ]
    return np.array(day_scores)[which]


def _beginning(view: RecallView) -> Scores:
    """Return 1 for the first messages, less and less for those after them."""
    scores = np.zeros(view.size)
    first = view.turns[:_BEGINNING]
    scores[first] = np.linspace(1.0, 0.0, _BEGINNING, endpoint=False)[: first.size]
    return scores


def _near(dates: tuple[NamedDate, ...], day: date) -> list[float]:
    return [nearness(named, day) for named in dates]


def answer_scores(question: str, items: Sequence[MemoryItem]) -> tuple[Scores, Scores]:
    """Return (names a moment where one is asked for, share of the text that only asks)."""
    texts = [text_of(item) for item in items]
    asks_when = cues.asks_when(question)
    moment = np.array([float(asks_when and cues.names_moment(text)) for text in texts])
    asking = np.array([cues.asking_share(text) for text in texts])
    return moment, asking


def text_of(item: MemoryItem) -> str:
    """Return a turn's words without who said them; another item's content as it is."""
    if item.kind != "turn":
        return item.content
    _, colon, words = item.content.partition(": ")
    return words if colon else item.content


# How people talk in a chat: in turns or in notes, in lines or in pages, asking or telling.
#
# The same evidence means different things in different chats. Where one person writes notes, the
# message beside a match answers nothing; among pages the words of eight neighbours are all words;
# and who asks in nearly every message is not shown by a question mark to say nothing.


_SAMPLE = 128  # messages from all over the chat: a mean share is then known to .04
# Mean tokens of a message up to which neighbours count whole. The sets of lines have 25 to 60,
# that of pages 370 to 690; between them nothing was measured.
_LINE = 80.0
# Messages that ask nothing, added to those that were read: three questions are no habit. Not
# measured, the sets have hundreds of messages.
_PRIOR = 8


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares from 0 to 1; ``usual`` is the mean length of a message in tokens.

    ``alternation``: of the messages, how many have another speaker than the one before;
    ``user_asks``, ``others_ask``: mean share of a message that is questions.
    """

    alternation: float = 1.0
    usual: float = 1.0
    user_asks: float = 0.0
    others_ask: float = 0.0

    @classmethod
    def of(cls, view: RecallView, items: Sequence[MemoryItem]) -> Habits:
        """Describe a chat by its columns and some of its messages."""
        if not items:
            return cls()
        is_user = {
            int(view.layout.ids[row]): bool(view.layout.is_user[row])
            for row in view.rows_of(np.array([item.id for item in items], dtype=np.int64))
        }
        asks: dict[bool, list[float]] = {True: [], False: []}
        for item in items:
            asks[is_user.get(item.id, False)].append(asking_share(text_of(item)))
        user, others = (sum(a) / (_PRIOR + len(a)) for a in (asks[True], asks[False]))
        usual = sum(rough_tokens(item.content) for item in items) / len(items)
        return cls(view.alternation, usual, user, others)

    @property
    def nearness(self) -> float:
        """What the words of a neighbour are worth: less beside notes and among pages."""
        return self.alternation * min(1.0, _LINE / self.usual)

    @property
    def notes(self) -> float:
        """How far the chat is notes of one person: 0 from every other message answered on."""
        return max(0.0, 1.0 - 2.0 * self.alternation)

    def telling(self, is_user: np.ndarray) -> Scores:
        """Return what a question mark is worth, for messages by the user and by others.

        Squared: measured against the first and the third power, best on the mean of all sets.
        """
        telling: Scores = (1.0 - np.where(is_user, self.user_asks, self.others_ask)) ** 2
        return telling


def sampled(view: RecallView) -> Rows:
    """Return the rows of messages from all over the chat.

    They stay the same ones until it has grown by a thirty-second: reading them costs 2 ms, which a
    new message would pay.
    """
    count = int(view.turns.size)
    shift = max(0, count.bit_length() - 6)
    count = count >> shift << shift
    if not count:
        return view.turns
    places = np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(np.intp))
    return view.turns[places]


# A second round: messages that share the telling words of the first hits.
#
# Pseudo-relevance feedback after RM3 (Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC
# 2004): a few words of the first hits, each worth what it is rare and what its hits are worth. It
# leads from "who works in Canton" to a name, and from the name to what else is said of it.


FIRST = 3  # hits whose words are taken; 8 found no more and cost more
_WORDS = 15  # taken in all
_WORDS_A_TEXT = 120  # looked up: those at the beginning of a page
_FALL = 1.5  # a hit whose score is so much lower than the best one's counts a third (1/e)


def second_round(
    index: ReadIndex,
    view: RecallView,
    asked: Sequence[str],
    first: Sequence[tuple[int, str, float]],
    rows: Rows,
) -> Scores:
    """Return for each of ``rows`` its share of the words of the first hits, from 0 to 1.

    ``first`` are (row, text, score), best first. Words of ``asked`` count nothing here, nor does
    what a hit itself brings, nor a word that only one item holds.
    """
    found = [_telling(text, frozenset(asked)) for _row, text, _score in first]
    frequency = index.document_frequency(list(dict.fromkeys(t for words in found for t in words)))
    brought: dict[str, list[tuple[int, float]]] = {}
    for (row, _text, score), words in zip(first, found, strict=True):
        weight = math.exp((score - first[0][2]) / _FALL) / math.sqrt(max(1, len(words)))
        for token in words:
            if frequency.get(token, 0) > 1:
                rarity = inverse_frequency(frequency[token], view.size)
                brought.setdefault(token, []).append((row, weight * rarity))
    worth = {token: sum(w for _row, w in by) for token, by in brought.items()}
    taken = sorted(worth, key=lambda token: -worth[token])[:_WORDS]
    total = sum(worth[token] for token in taken)
    scores = np.zeros(view.size)
    if not total:
        return scores[rows]
    total *= _WORDS / len(taken)  # of few words none tells much: short lines share them by chance
    for token, ids in zip(taken, index.postings(taken), strict=True):
        scores[view.rows_of(ids)] += worth[token] / total
        for row, own in brought[token]:
            scores[row] -= own / total
    return scores[rows]


def _telling(text: str, asked: frozenset[str]) -> list[str]:
    """Return words, pairs and numbers of ``text``, once each, without those of the question."""
    tokens = dict.fromkeys(
        token
        for token in known_tokens(text)
        if token not in asked and token not in STOP_TOKENS and (len(token) > 1 or token.isdigit())
    )
    return list(tokens)[:_WORDS_A_TEXT]


# The learned corrections, feature by feature: `FEATURES` says what they are.


FILE = "recall/fusion.json"
# What a message says; who sent it and when is told of each by itself.
_SAID = ("lexical", "vector")
OWN, SHARE = "own", "share"  # noted for the corrections: idf in the item itself, and its share


@dataclass(frozen=True, slots=True)
class Training:
    """``worth``: the weight of each feature, those shipped if None.

    ``on_weighed`` is given every short list as it was weighed, with its features.
    """

    worth: Mapping[str, float] | None = None
    on_weighed: Callable[[Tally], None] = lambda _tally: None


SHIPPED = Training()


def shipped_corrections() -> dict[str, float]:
    return read_corrections(resource(FILE).read_text("utf-8"))


class LearnedCorrections:
    """Adds to a tally what each feature of a message is worth, and notes the feature there.

    A leg that is left out takes its corrections with it.
    """

    def __init__(self, worth: Mapping[str, float], weights: Weights) -> None:
        scale = {
            "": 1.0,
            "lexical": weights.lexical / DEFAULT.lexical,
            "moment": weights.moment / DEFAULT.moment,
        }
        self._worth = {
            name: weights.learned * worth[name] * scale[leg] for name, leg in FEATURES.items()
        }

    def add_neighbours(self, view: RecallView, tally: Tally, habits: Habits) -> None:
        """Correct all rows of ``tally`` by what stands beside them."""
        scores, whose = best_beside(view, tally)
        tally.features["around"] = habits.nearness * scores
        add_as_told(tally, self._worth["around"] * habits.nearness, whose)

    def add_texts(
        self,
        question: str,
        tally: Tally,
        items: Sequence[MemoryItem],
        habits: Habits,
    ) -> None:
        """Correct the rows of ``tally``, whose items are ``items``, by their texts."""
        is_turn = np.array([item.kind == "turn" for item in items], dtype=np.float64)
        number = np.zeros(len(items))
        if asks_number(question):
            number[:] = [any(c.isdigit() for c in text_of(item)) for item in items]
        self._add(tally, "number", is_turn * number)
        notes = habits.notes * is_turn
        density = np.ones(len(items))
        if habits.notes:
            sizes = [rough_tokens(item.content) for item in items]
            density[:] = [ranking.by_length(size, habits.usual) for size in sizes]
        self._add(tally, "notes_words", notes * tally.features[OWN] * density)
        self._add(tally, "notes_share", notes * tally.features[SHARE])

    def add_second_round(
        self,
        question: str,
        index: ReadIndex,
        view: RecallView,
        tally: Tally,
        items: Sequence[MemoryItem],
        habits: Habits,
    ) -> None:
        """Correct the same rows by the words of the messages that are first so far."""
        is_turn = np.array([item.kind == "turn" for item in items], dtype=np.float64)
        first = [
            (int(tally.rows[n]), text_of(items[n]), float(tally.total[n]))
            for n in ranking.best(np.where(is_turn > 0, tally.total, -np.inf), FIRST)
            if is_turn[n]
        ]
        second = second_round(index, view, query_tokens(question), first, tally.rows)
        self._add(tally, "second", habits.nearness * is_turn * second)
        self._add(tally, "notes_second", habits.notes * is_turn * second)

    def _add(self, tally: Tally, name: str, values: Scores) -> None:
        tally.features[name] = values
        tally.add(FEATURES[name], self._worth[name], values)


# A question that is a clause copied from a message: that message is meant, however common its
# words are.


_EDGES = " \t.,!?…;:。！？，、；：\"'“”‘’「」『』()（）*"
_LEAST_COPIED = 5  # characters: fewer stand in many messages


def copied(text: str) -> str:
    """Return a question as it would stand in a text it was copied from; empty: it is too short."""
    bare = " ".join(text.casefold().split()).strip(_EDGES)
    is_long = len(bare) >= _LEAST_COPIED and (not bare.isascii() or " " in bare)
    return bare if is_long else ""


def quoting(text: str, items: Sequence[MemoryItem]) -> Scores:
    """Return 1 for each memory in which the question stands as it is, else 0."""
    bare = copied(text)
    return np.array(
        [float(bool(bare) and bare in " ".join(i.content.casefold().split())) for i in items]
    )


def long_pages(items: Sequence[MemoryItem]) -> Scores:
    """Return for each message the logarithm by which it is a page; 0 for other kinds."""
    return np.array(
        [
            ranking.longness(rough_tokens(item.content)) if item.kind == "turn" else 0.0
            for item in items
        ]
    )


def best_beside(view: RecallView, tally: Tally) -> tuple[Scores, Rows]:
    """Return the best score by `_SAID` within `REACH` turns of each row, and whose it is.

    A row is no neighbour of itself. The second is a position in ``tally.rows``; the score is 0, and
    the position -1, where no neighbour has more.
    """
    places = view.places(tally.rows)
    position = np.full(view.turns.size + 2 * REACH, -1, dtype=np.intp)  # with nobody at both ends
    is_turn = places >= 0
    position[places[is_turn] + REACH] = np.flatnonzero(is_turn)
    nobody = np.zeros(tally.rows.size)
    said = sum((tally.legs.get(leg, nobody) for leg in _SAID), nobody)
    total = np.append(said, 0.0)  # the last is nobody's: position -1
    scores = np.zeros(tally.rows.size)
    whose: Rows = np.full(tally.rows.size, -1, dtype=np.intp)
    for step in (s for s in range(-REACH, REACH + 1) if s):
        beside = np.where(is_turn, position[places + REACH + step], -1)
        better = total[beside] > scores
        scores = np.where(better, total[beside], scores)
        whose = np.where(better, beside, whose)
    return scores, whose


def add_as_told(tally: Tally, weight: float, whose: Rows) -> None:
    """Add ``weight`` x the scores of ``whose``, leg by leg; -1 is nobody."""
    if not weight:
        return
    for leg in _SAID:
        if leg in tally.legs:
            tally.add(leg, weight, np.where(whose >= 0, tally.legs[leg][whose], 0.0))
