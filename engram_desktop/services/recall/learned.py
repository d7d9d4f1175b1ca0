"""Fusion of the legs' scores, and its learned corrections: cues, habits, second round."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import date

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall import ranking, relevance
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
from engram_desktop.domain.recall.relevance import asking_share, asks_number
from engram_desktop.domain.values import dataclass
from engram_desktop.places import resource
from engram_desktop.services.recall.index import ReadIndex
from engram_desktop.services.recall.legs import RecallView

_BEGINNING = 16  # messages: a first conversation in the data sets has four to twelve


def speaker_scores(
    question: str, view: RecallView, aliases: Mapping[str, str], actor: str | None
) -> tuple[Scores, Scores]:
    """Return two scores for every row, 1 or 0: a named speaker, and “me” or “you”.

    A cue that matches all turns or none carries no information and is 0 everywhere.
    """
    layout = view.layout
    nobody = np.zeros(view.size)
    named = relevance.named_speakers(question, layout.names, aliases)
    codes = [code for code, name in enumerate(layout.names) if name in named]
    by_name = _telling_words(np.isin(layout.speakers, codes), view)
    if codes:
        return by_name, nobody
    asker = layout.is_user
    if actor in layout.names:
        asker = layout.speakers == layout.names.index(actor)
    match relevance.voice(question):
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
    """Return for every row how close its sending time is to a day in ``question``.

    Days are absolute, or relative to the last message of the view, which is when the question is
    asked.
    """
    if relevance.asks_for_beginning(question):
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
    """Return 1 for the first message, falling to 0 over the next ones."""
    scores = np.zeros(view.size)
    first = view.turns[:_BEGINNING]
    scores[first] = np.linspace(1.0, 0.0, _BEGINNING, endpoint=False)[: first.size]
    return scores


def _near(dates: tuple[NamedDate, ...], day: date) -> list[float]:
    return [nearness(named, day) for named in dates]


def answer_scores(question: str, items: Sequence[MemoryItem]) -> tuple[Scores, Scores]:
    """Return (1 if it names a moment and one is asked for, share of the text that asks)."""
    texts = [text_of(item) for item in items]
    asks_when = relevance.asks_when(question)
    moment = np.array([float(asks_when and relevance.names_moment(text)) for text in texts])
    asking = np.array([relevance.asking_share(text) for text in texts])
    return moment, asking


def text_of(item: MemoryItem) -> str:
    """Return a turn's text without its speaker; the content of other items."""
    if item.kind != "turn":
        return item.content
    _, colon, words = item.content.partition(": ")
    return words if colon else item.content


_SAMPLE = 128  # messages from the whole chat: a mean share is then known to .04
# Mean tokens of a message up to which neighbours count fully. The data sets of lines have 25 to 60,
# that of pages 370 to 690; nothing between was measured.
_LINE = 80.0
# Messages without questions added to those read, so that three questions are no habit. Not
# measured; the data sets have hundreds of messages.
_PRIOR = 8


@dataclass(frozen=True, slots=True)
class Habits:
    """How messages of a chat are written; the same evidence means different things by it.

    In notes of one person, the message after a match is no answer; among pages, eight neighbours
    hold all words; and if nearly every message asks, a question mark does not mean that a message
    says nothing. ``alternation``: share of messages with another speaker than the one before.
    ``usual``: mean tokens of a message. ``user_asks``, ``others_ask``: mean share of a message that
    asks.
    """

    alternation: float = 1.0
    usual: float = 1.0
    user_asks: float = 0.0
    others_ask: float = 0.0

    @classmethod
    def of(cls, view: RecallView, items: Sequence[MemoryItem]) -> Habits:
        """Return the habits of a chat, from its columns and a sample of its messages."""
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
        """Return what a neighbour's words are worth: less in notes and among pages."""
        return self.alternation * min(1.0, _LINE / self.usual)

    @property
    def notes(self) -> float:
        """Return how far the chat is notes of one person: 0 if every second turn alternates."""
        return max(0.0, 1.0 - 2.0 * self.alternation)

    def telling(self, is_user: np.ndarray) -> Scores:
        """Return how much a question mark says, for messages of the user and of others.

        Squared: on the mean of all data sets better than the first and the third power.
        """
        telling: Scores = (1.0 - np.where(is_user, self.user_asks, self.others_ask)) ** 2
        return telling


def sampled(view: RecallView) -> Rows:
    """Return the rows of a sample of messages from the whole chat.

    The sample changes only when the chat has grown by a thirty-second, since reading it costs 2 ms.
    """
    count = int(view.turns.size)
    shift = max(0, count.bit_length() - 6)
    count = count >> shift << shift
    if not count:
        return view.turns
    places = np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(np.intp))
    return view.turns[places]


FIRST = 3  # first hits whose words are taken; with 8 nothing more was found, at a higher cost
_WORDS = 15  # words taken in all
_WORDS_A_TEXT = 120  # words looked up in one text: those at the beginning of a page
_FALL = 1.5  # score below the best at which a hit counts a third (1/e)


def second_round(
    index: ReadIndex,
    view: RecallView,
    asked: Sequence[str],
    first: Sequence[tuple[int, str, float]],
    rows: Rows,
) -> Scores:
    """Return, for each of ``rows``, its share of the first hits' words, from 0 to 1.

    Pseudo-relevance feedback after RM3 (Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC
    2004): a few words of the first hits, weighted by rarity and by the hits' scores, lead from "who
    works in Canton" to a name, and from the name to other messages about it. ``first`` are (row,
    text, score), best first. Words of ``asked``, words that a hit itself contributed, and words of
    a single item count nothing.
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
    total *= _WORDS / len(taken)  # a few shared words say little: short lines share them by chance
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


FILE = "recall/fusion.json"
# The text of a message; sender and time are features of their own.
_SAID = ("lexical", "vector")
OWN, SHARE = "own", "share"  # features of the corrections: idf in the item itself, and its share


@dataclass(frozen=True, slots=True)
class Training:
    """``worth``: weights of the features; None: the shipped ones.

    ``on_weighed`` is called with every short list and its features.
    """

    worth: Mapping[str, float] | None = None
    on_weighed: Callable[[Tally], None] = lambda _tally: None


SHIPPED = Training()


def shipped_corrections() -> dict[str, float]:
    return read_corrections(resource(FILE).read_text("utf-8"))


class LearnedCorrections:
    """Adds the weighted features of messages to a tally, and stores the features in it.

    If a leg is switched off, so are its corrections.
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
        """Correct all rows of ``tally`` by their neighbours."""
        scores, whose = best_beside(view, tally)
        tally.features["around"] = habits.nearness * scores
        add_scores_of(tally, self._worth["around"] * habits.nearness, whose)

    def add_texts(
        self,
        question: str,
        tally: Tally,
        items: Sequence[MemoryItem],
        habits: Habits,
    ) -> None:
        """Correct the rows of ``tally`` by their texts; ``items`` are the items of the rows."""
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
        """Correct the same rows by the words of the messages ranked first so far."""
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


_EDGES = " \t.,!?…;:。！？，、；：\"'“”‘’「」『』()（）*"
_LEAST_COPIED = 5  # characters; shorter texts occur in many messages


def copied(text: str) -> str:
    """Return a question as it would stand in the text it was copied from; "" if it is too short."""
    bare = " ".join(text.casefold().split()).strip(_EDGES)
    is_long = len(bare) >= _LEAST_COPIED and (not bare.isascii() or " " in bare)
    return bare if is_long else ""


def quoting(text: str, items: Sequence[MemoryItem]) -> Scores:
    """Return 1 for each memory that holds the question literally, else 0.

    A question copied from a message means that message, however common its words are.
    """
    bare = copied(text)
    return np.array(
        [float(bool(bare) and bare in " ".join(i.content.casefold().split())) for i in items]
    )


def long_pages(items: Sequence[MemoryItem]) -> Scores:
    """Return the logarithm by which each message is longer than a line; 0 for other kinds."""
    return np.array(
        [
            ranking.longness(rough_tokens(item.content)) if item.kind == "turn" else 0.0
            for item in items
        ]
    )


def best_beside(view: RecallView, tally: Tally) -> tuple[Scores, Rows]:
    """Return the best score by `_SAID` within `REACH` turns of each row, and where it is.

    The second array holds positions in ``tally.rows``. If no neighbour has a positive score, the
    score is 0 and the position -1. A row is not its own neighbour.
    """
    places = view.places(tally.rows)
    position = np.full(view.turns.size + 2 * REACH, -1, dtype=np.intp)  # no neighbours at both ends
    is_turn = places >= 0
    position[places[is_turn] + REACH] = np.flatnonzero(is_turn)
    nobody = np.zeros(tally.rows.size)
    said = sum((tally.legs.get(leg, nobody) for leg in _SAID), nobody)
    total = np.append(said, 0.0)  # the last value is for position -1
    scores = np.zeros(tally.rows.size)
    whose: Rows = np.full(tally.rows.size, -1, dtype=np.intp)
    for step in (s for s in range(-REACH, REACH + 1) if s):
        beside = np.where(is_turn, position[places + REACH + step], -1)
        better = total[beside] > scores
        scores = np.where(better, total[beside], scores)
        whose = np.where(better, beside, whose)
    return scores, whose


def add_scores_of(tally: Tally, weight: float, whose: Rows) -> None:
    """Add ``weight`` × the scores of the rows at ``whose``, leg by leg; -1 adds nothing."""
    if not weight:
        return
    for leg in _SAID:
        if leg in tally.legs:
            tally.add(leg, weight, np.where(whose >= 0, tally.legs[leg][whose], 0.0))


# Fusion: add up the scores of the legs, and demote hits that repeat better ones.


@dataclass(slots=True, eq=False)
class Tally:
    """Contributions of each leg, in its own units, for a set of rows.

    A row's score is their sum.
    """

    rows: Rows
    legs: dict[str, Scores] = field(default_factory=dict)
    likeness: Scores | None = None  # standard scores of similarity, not in the sum
    features: dict[str, Scores] = field(default_factory=dict)  # of corrections, not in the sum
    held: tuple[tuple[float, Rows], ...] = ()  # words of the question: idf, and rows of the view
    held_of: int = 0  # number of rows of the view

    def add(self, leg: str, weight: float, values: Scores) -> None:
        """Add ``weight`` × ``values``, one value for each row."""
        if not weight or not values.any():  # most questions name no day and no person
            return
        contribution = weight * values
        self.legs[leg] = self.legs[leg] + contribution if leg in self.legs else contribution

    def scale(self, factors: Mapping[str, float]) -> None:
        """Multiply the contributions of legs by ``factors``."""
        for leg, factor in factors.items():
            if leg in self.legs:
                self.legs[leg] = factor * self.legs[leg]

    @property
    def total(self) -> Scores:
        total: Scores = sum(self.legs.values(), np.zeros(self.rows.size))
        return total

    def best_outside(self, in_prompt: NDArray[np.bool_], count: int, listed: int) -> ranking.Rows:
        """Return the ``count`` best positions outside the prompt, and ``listed`` inside it.

        A prompt may hold more than ``count`` messages; they do not use up the places of the others.
        """
        total = self.total
        if not in_prompt.any():
            return ranking.best(total, count)
        outside, inside = np.flatnonzero(~in_prompt), np.flatnonzero(in_prompt)
        others = outside[ranking.best(total[outside], count)] if outside.size else outside
        return np.concatenate((others, inside[ranking.best(total[inside], listed)]))

    def narrowed(self, keep: Rows) -> Tally:
        """Return the tally of the rows at positions ``keep``, in that order."""
        legs = {leg: values[keep] for leg, values in self.legs.items()}
        features = {name: values[keep] for name, values in self.features.items()}
        likeness = None if self.likeness is None else self.likeness[keep]
        return Tally(self.rows[keep], legs, likeness, features, self.held, self.held_of)

    def places(self, positions: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return, for these positions, the rank by each leg with a positive value alone, from 1."""
        places: dict[int, dict[str, int]] = {position: {} for position in positions}
        asked = np.array(positions, dtype=np.intp)
        for leg, values in self.legs.items():
            place = np.empty(values.size, dtype=np.intp)
            place[np.argsort(-values, kind="stable")] = np.arange(1, values.size + 1)
            speaking = asked[values[asked] > 0] if asked.size else asked
            for position, rank in zip(speaking.tolist(), place[speaking].tolist(), strict=True):
                places[position][leg] = rank
        return places

    def whys(self) -> list[dict[str, float]]:
        """Return each row's contributions by leg, without zeros."""
        whys: list[dict[str, float]] = [{} for _ in range(self.rows.size)]
        for leg, values in self.legs.items():
            shares = np.round(values, 3)
            speaking = np.flatnonzero(shares)
            for position, share in zip(speaking.tolist(), shares[speaking].tolist(), strict=True):
                whys[position][leg] = share
        return whys


# In notes, what better hits say already counts less, so that a prompt has room for several answers.
# Notes repeat themselves, and a question has parts: for “how many come to A? And when is B?” the
# first thirty hits may all be about A. So a word of the question is worth less to a message for
# each better one that holds it (covered aspects, as in xQuAD: Santos et al., WWW 2010; here an
# aspect is a word). In notes a prompt of 500 tokens holds .06 more of the evidence, one of 1,000
# tokens .02; in conversations and pages it makes no difference (-.01 to .01).


# Share of a word's worth that remains for each better message with the word. From .8 to .97 the
# figures differ by a point or two.
KEPT = 0.9
_LEAST = 0.1  # share of a positive score that stays: a repetition is not weak for that reason alone


def repetition(tally: Tally, lexical: float) -> Scores:
    """Return what each row loses; ``lexical`` is the worth of one unit of idf."""
    total = tally.total
    if not lexical or not tally.held or not total.size:
        return np.zeros(total.size)
    order = ranking.best(total, total.size)
    rows = tally.rows[order]
    seen = np.zeros(tally.held_of, np.bool_)
    lost = np.zeros(total.size)
    for weight, holders in tally.held:
        seen[holders] = True
        holds = seen[rows]
        seen[holders] = False
        before = np.cumsum(holds) - 1
        lost += weight * holds * (1.0 - KEPT ** np.maximum(before, 0))
    loss = np.zeros(total.size)
    loss[order] = lexical * lost
    return np.minimum(loss, (1 - _LEAST) * np.maximum(total, 0.0))
