"""The cue legs: named speakers, days, and whether a text reads like an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from engram_desktop.domain.recall import cues
from engram_desktop.domain.recall.dates import NamedDate, named_dates, nearness
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.domain.recall.ranking import Scores
from engram_desktop.domain.recall.relative_time import relative_spans
from engram_desktop.services.recall.view import View

_BEGINNING = 16  # messages: a first conversation of the sets has four to twelve


def speaker_scores(
    question: str, view: View, aliases: Mapping[str, str], actor: str | None
) -> tuple[Scores, Scores]:
    """Return (named speaker, me or you) for every row: 1 where the right one speaks.

    A cue that fits all turns or none says nothing and is all 0.
    """
    layout = view.layout
    nobody = np.zeros(view.size)
    named = cues.named_speakers(question, layout.names, aliases)
    codes = [code for code, name in enumerate(layout.names) if name in named]
    by_name = _telling(np.isin(layout.speakers, codes), view)
    if codes:
        return by_name, nobody
    asker = layout.is_user
    if actor in layout.names:
        asker = layout.speakers == layout.names.index(actor)
    match cues.voice(question):
        case "me":
            return nobody, _telling(asker, view)
        case "you":
            return nobody, _telling(~asker & (layout.speakers >= 0), view)
        case _:
            return nobody, nobody


def _telling(is_said: np.ndarray, view: View) -> Scores:
    in_turns = int(is_said[view.turns].sum())
    return is_said.astype(np.float64) if 0 < in_turns < view.turns.size else np.zeros(view.size)


def date_scores(question: str, view: View) -> Scores:
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


def _beginning(view: View) -> Scores:
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
