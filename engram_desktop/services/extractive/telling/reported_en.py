"""English speech as a narrator tells it. Persons and their verbs change, words do not."""

from __future__ import annotations

import re
from collections.abc import Container

from engram_desktop.services.extractive.telling.persons_en import Voice
from engram_desktop.services.extractive.telling.reported import Report, name_of, plain
from engram_desktop.services.extractive.words.verbs_en import is_verb, third_person

_NOISE = (
    r"yeah|yep|yup|nope|nah|oh|ooh|wow|whoa|hey(?: there)?|hi|hello|haha(?:ha)*|lol|h+m+|uh+|um+|"
    r"ah+|aw+|ugh|huh|eh|well"
)
_FILLER = (
    r"yes|no|thanks(?: so much| a lot| again| a ton| a bunch)?|thank you(?: so much| very much)?|"
    r"thx|ok(?:ay)?|sure(?: thing)?|congrats|congratulations|so|anyway|"
    r"i mean|you know|totally(?: agree)?|gosh|damn|definitely|absolutely|of course|right|true|"
    r"exactly|agreed|"
    r"good (?:morning|night|evening)|please|actually|honestly|look|listen|see|and|but|also|"
    r"however|additionally|in addition|besides|also|finally|firstly|overall|unfortunately|"
    r"that's (?:so )?(?:great|awesome|cool|amazing|nice)|great|awesome|cool|nice|sounds good|"
    r"tell me"
)
_OPENS = re.compile(
    rf"^(?:(?:{_NOISE})(?:[,.!~…;:—– -]+|$)|(?:{_FILLER})(?:\s*[,.!~…;:—–-]+\s*|$))+", re.IGNORECASE
)
_EDGES = " ,.!~…;:—–-*"
_MIND = frozenset(
    "love like hate want need hope plan wish fear prefer enjoy miss adore trust promise swear owe"
    " decided regret believe".split()
)
_MISSING = frozenset(
    "glad happy excited sorry proud grateful thankful sure ready stoked thrilled gonna looking"
    " thinking planning trying working hoping going".split()
)
_DROPPED = frozenset(
    "haven't didn't just got had went started joined signed thought met saw found finished"
    " bought made spent took tried".split()
)
_REACTION = re.compile(
    r"^(?:you|your|you're|that|that's|it's|this|these|those|it|what)\b", re.IGNORECASE
)
_IS_SUBJECT = re.compile(
    r"^(?:last|like|name|face|being|work|part|school)\b"
    r"|^\w+ (?:\w+ )?(?:is|are|was|were|has|have|can|will)\b",
    re.IGNORECASE,
)
_LETS = re.compile(
    r"^let['’]?s (?P<rest>.+)$|^(?:shall we|why don't we) (?P<more>.+)$", re.IGNORECASE
)
_FORBIDS = re.compile(r"^(?:do not|don['’]t|never) (?P<rest>[a-z]+.*)$", re.IGNORECASE)
_PLEASE = re.compile(r"\bplease\b", re.IGNORECASE)


def report(
    text: str, speaker: str, listener: str, gender: str, names: Container[str] = ()
) -> Report | None:
    """Tell one sentence of ``speaker``, who is a ``gender``: she, he or they.

    None where it says nothing. ``names`` are words that keep their capital.
    """
    bare = plain(text.replace("’", "'"))
    is_question = bare.rstrip(" ~!").endswith("?")
    sentence = _whole(_without_fillers(bare, listener), names)
    if sentence.count(" ") < 2:
        return None
    who, whom = name_of(speaker, ""), name_of(listener, "you")
    if not who:
        return Report("", "", sentence[:1].upper() + sentence[1:], 0.4 if is_question else 1.0)
    if is_question:
        return Report(who, f"asks {whom}:", f"“{sentence[:1].upper()}{sentence[1:]}?”", 0.2)
    voice = Voice(gender or "they", whom)
    manner = _request(sentence, bare, whom) or _wish(sentence, voice)
    if manner is None:
        body, weight = _lowered(sentence, names), 0.6 if _REACTION.match(sentence) else 1.0
        return Report(who, "says", voice.turned(body), weight)
    lead, body, weight = manner
    return Report(who, lead, voice.turned(_lowered(body, names)) if lead else body, weight)


def _request(sentence: str, bare: str, whom: str) -> tuple[str, str, float] | None:
    """Say what is asked of the other: (what a narrator begins with, what was said, its worth)."""
    if match := _LETS.match(sentence):
        return "suggests they", match["rest"] or match["more"], 1.1
    if match := _FORBIDS.match(sentence):
        never = "never" if sentence[:5].lower() == "never" else "not"
        return f"asks {whom} {never} to", match["rest"], 1.1
    first = sentence.split(" ", 1)[0].lower()
    if not is_verb(first) or _IS_SUBJECT.match(sentence):
        return None
    is_polite = bool(_PLEASE.match(bare))
    return (f"asks {whom} to", sentence, 1.1) if is_polite else (f"tells {whom} to", sentence, 0.5)


def _wish(sentence: str, voice: Voice) -> tuple[str, str, float] | None:
    """What somebody loves or wants is told as such, not as said."""
    words = sentence.lower().split()
    if words[0] != "i" or words[1] not in _MIND or len(words) < 5:
        return None
    body = voice.turned(sentence).split(" ", 1)[1]
    return "", body if voice.gender != "they" else _agreed(body), 1.2


def _without_fillers(bare: str, listener: str) -> str:
    sentence = _OPENS.sub("", bare.strip(" *"))
    sentence = _without_calls(_OPENS.sub("", _without_calls(sentence, listener)), listener)
    sentence = re.sub(r"^please\s+", "", sentence.strip(_EDGES + "?"), flags=re.IGNORECASE)
    return re.sub(r"^(?:And|But|So|Then|Cause) (?=\S+ \S)", "", sentence)


def _whole(sentence: str, names: Container[str]) -> str:
    """Put the I that was left out: Haven't slept, glad to hear it."""
    words = sentence.lower().split()
    if len(words) < 3:
        return sentence
    if words[0] in _DROPPED and words[1] not in {"you", "it", "that"}:
        return f"I {_lowered(sentence, names)}"
    if words[0] in _MISSING:
        return f"I'm {_lowered(sentence, names)}"
    is_left_out = words[0] in _MIND or words[0] in {"appreciate", "can't", "won't"}
    return f"I {_lowered(sentence, names)}" if is_left_out else sentence


def _lowered(sentence: str, names: Container[str]) -> str:
    """Begin small, but for I and names."""
    first = re.split(r"[^\w']", sentence, maxsplit=1)[0]
    is_name = first in names or first.removesuffix("'s") in names or first[1:2].isupper()
    keeps = is_name or first == "I" or first.startswith("I'")
    return sentence if keeps else sentence[:1].lower() + sentence[1:]


def _agreed(body: str) -> str:
    """Make the verb a name's: love → loves."""
    verb, _, rest = body.partition(" ")
    return f"{third_person(verb)} {rest}".strip()


def _without_calls(sentence: str, listener: str) -> str:
    """Drop the name by which the other is called, or the beginning of it."""
    match = re.match(r"([A-Z][a-z]+)([,.!~…]+)\s*", sentence)
    if match and listener.startswith(match[1][:3]):
        sentence = sentence[match.end() :]
    match = re.search(r",\s*([A-Z][a-z]+)\s*[.!~…]*$", sentence)
    if match and listener.startswith(match[1][:3]):
        sentence = sentence[: match.start()]
    return sentence
