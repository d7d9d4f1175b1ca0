"""Judge a message by rules: an event by what happens in it, a routine by how little else it says.

Whoever is in doubt takes it for usual talk: an event that is lost is worse than a number too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engram_desktop.domain.recall.triage import Level, Triage
from engram_desktop.domain.recall.triage_rules.routines import ASKS, ASSENTS, ROUTINES
from engram_desktop.domain.recall.triage_rules.turns import HEARSAY, TURNS

_MAX_TEXT = 4000  # characters that are judged: the beginning of what a player writes says enough
_LOOP = 2  # the same routine in so many messages before is a loop of it
_RECENT = 6  # messages before that are looked at: three rounds
_SHORT = 6  # characters of a routine without a word that is known: “嗯嗯呐”
_LONG_WORDS = 24  # characters, a Latin word as one: a greeting that is longer tells more
_LONG_ACT = 90  # the same of a gesture: it may be told at length, but not for ever
_SAID = frozenset(("greeting", "good_night", "thanks", "nod"))
_LATIN_WORD = re.compile(r"[A-Za-z']+")
_SENTENCE = re.compile(r"[。！!？?\n~…；;]+|(?<=[a-z])\.(?=\s|$)")
_BARE = re.compile(r"[\W_]+")
_DIRECTIVES: dict[Level, dict[str, str]] = {
    "ROUTINE": {
        "style": "short_cute",
        "forbidden_topics": "complex_philosophy, past_trauma",
    },
    "CHAT": {"style": "natural"},
    "EVENT": {"style": "full_scene"},
}


def triage_by_rules(text: str, recent_texts: Sequence[str] = ()) -> Triage:
    """Judge what a player writes; ``recent_texts`` are the messages before it, oldest first."""
    text = text[:_MAX_TEXT].strip()
    turn = _turn(text)
    if turn:
        return _triage("EVENT", turn, "Something happens that the story goes on from.")
    if recent_texts and ASSENTS.search(text) and _is_asked(recent_texts[-1]):
        return _triage("EVENT", "answer", "It answers a question that the story turns on.")
    routine = _routine(text)
    if routine:
        return _of_routine(routine, recent_texts)
    return _triage("CHAT", "talk", "It is neither a small gesture nor a turn of the story.")


def _of_routine(routine: str, recent_texts: Sequence[str]) -> Triage:
    recent = [_routine(text[:_MAX_TEXT].strip()) for text in recent_texts[-_RECENT:]]
    if recent.count(routine) >= _LOOP:
        return _triage("ROUTINE", f"{routine}_loop", "The same small gesture again.")
    return _triage("ROUTINE", routine, "A small gesture or greeting, and nothing else.")


def _triage(level: Level, intent: str, reasoning: str) -> Triage:
    return Triage(level, intent, reasoning, dict(_DIRECTIVES[level]))


def _turn(text: str) -> str:
    """Return what happens in a text, "" for nothing: sentence by sentence, hearsay left out."""
    hearsay = HEARSAY.search(text) is not None
    for start, end in _sentences(text):
        if hearsay and HEARSAY.search(text, start, end):
            continue
        for intent, phrases in TURNS:
            if phrases.search(text, start, end):
                return intent
    return ""


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences, their closing marks with them."""
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def _is_asked(text: str) -> bool:
    return ASKS.search(text[-_MAX_TEXT:]) is not None and _turn(text[-_MAX_TEXT:]) != ""


def _routine(text: str) -> str:
    """Return which routine a text is, "" if it asks or tells anything beside it."""
    bare = _BARE.sub("", text)
    intents = [intent for intent, phrases in ROUTINES if phrases.search(text)]
    if not intents:
        return "short" if len(bare) <= _SHORT and not ASKS.search(text) else ""
    if ASKS.search(text) and intents[0] not in {"feed", "greeting"}:
        return ""
    size = len(_LATIN_WORD.sub("x", text)) - text.count(" ")
    if size > (_LONG_WORDS if intents[0] in _SAID else _LONG_ACT):
        return ""
    return intents[0]
