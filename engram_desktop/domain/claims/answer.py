"""Claims that a model returns with the events of a block. They replace the claims of rules.

A model's output is checked: a claim must have a floor of its block, its quote must be in the
message of that floor, and its speaker must be a name of the story. All others are dropped and
counted. Nothing here raises.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, get_args

from typing_extensions import override

from engram_desktop.domain.claims.claim import Claim, Facet, How
from engram_desktop.domain.claims.wording import fold_thing
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.memory.extraction import MAX_CLAIMS, MAX_NAME, clean_text, floors_of
from engram_desktop.domain.text.sentences import remarks
from engram_desktop.domain.values import dataclass

MAX_OF_FLOOR = 20  # claims of one message: several times as many as a long reply has; not measured
MAX_QUOTE = 400  # characters: as many as rules read of one sentence
_MAX_HEARERS = 12  # more hearers are the whole scene
FACETS: Final[tuple[Facet, ...]] = get_args(Facet)
HOWS: Final[tuple[How, ...]] = ("narrated", "said", "thought", "written")
# The relations of a claim to other words: `Claim.sign`.
SIGNS: Final = ("vow", "keeps", "breaks", "drops", "untrue", "admits", "errs", "ends", "clashes")
_OF_TWO = ("vow", "clashes")  # they relate two claims and are no marks of a single sentence
DENIALS: Final = ("untrue", "admits", "errs")
_THINGS = ("place", "owner", "amount")  # facets of things: their address is folded
_FIRST_PERSON = frozenset(("i", "me", "myself", "我", "自己"))
_FORGED = re.compile(r"[<>〔〕\[\]{}|\n\r]|</?\w")  # of tags and marks: no name has them
_LOOSE = re.compile(r"[\s*_~\"“”「」『』]+")  # what a model omits from a quote or adds to it
_OUTER = " \t\n*_\"“”「」『』‘’'"


@dataclass(frozen=True, slots=True)
class BlockMessage:
    """A message of the block sent to a model."""

    floor: int
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class AnsweredClaims:
    """The usable claims, in the order of the story, and the dropped ones, counted by reason."""

    claims: tuple[Claim, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()

    @override
    def __str__(self) -> str:
        """Return the counts in one line, for the log."""
        lost = ", ".join(f"{count} {why}" for why, count in self.dropped)
        return f"{len(self.claims)} kept; dropped: {lost or 'none'}"


def read_claims(
    rows: object, messages: Sequence[BlockMessage], names: Collection[str] = ()
) -> AnsweredClaims:
    """Read the value of ``claims`` in an answer about these messages.

    ``names`` are further names of the story: a speaker must be one of them, a sender, or named in
    the block.
    """
    if rows is None:
        return AnsweredClaims()
    if not isinstance(rows, list):
        return AnsweredClaims(dropped=(("that are no list", 1),))
    reader = _Reader(messages, names)
    for row in rows[:MAX_CLAIMS]:
        reader.read(row)
    if len(rows) > MAX_CLAIMS:
        reader.dropped["beyond the limit of one answer"] += len(rows) - MAX_CLAIMS
    found = sorted(reader.claims.values(), key=lambda c: (c.floor, c.start, c.end))
    return AnsweredClaims(tuple(found), tuple(reader.dropped.items()))


class _UnusableClaim(Exception):
    """The reason why a claim of a model is dropped."""


class _Reader:
    def __init__(self, messages: Sequence[BlockMessage], names: Collection[str]) -> None:
        self.claims: dict[tuple[object, ...], Claim] = {}
        self.dropped: Counter[str] = Counter()
        self._messages = {message.floor: message for message in messages}
        told = (part for m in messages for part in (m.sender, m.text))
        self._told = "\n".join([*told, *names]).casefold()
        self._texts: dict[int, _LooseText] = {}
        self._remarks: dict[int, list[tuple[int, int]]] = {}
        self._of_floor: Counter[int] = Counter()

    def read(self, row: object) -> None:
        """Add a claim, or count the reason why it is dropped."""
        try:
            claim = self._claim(row)
        except _UnusableClaim as why:
            self.dropped[str(why)] += 1
            return
        key = (*address_of(claim), claim.floor, claim.speaker, claim.value, claim.start, claim.sign)
        if key not in self.claims:
            self.claims[key] = claim
            self._of_floor[claim.floor] += 1

    def _claim(self, row: object) -> Claim:
        if not isinstance(row, Mapping):
            raise _UnusableClaim("that are no objects")
        message, (start, end) = self._quoted(row)
        how, facet, sign = (_word(row.get(key)) for key in ("how", "facet", "sign"))
        if how not in HOWS or facet not in FACETS:
            raise _UnusableClaim("of an unknown kind")
        speaker, hearers = self._people(row, how)
        about, value = _name(row.get("about")), _name(row.get("value"))
        about = speaker if about.casefold() in _FIRST_PERSON else about
        sign = sign if sign in SIGNS else ""
        if facet == "will":  # the outcome of a promise has the same facet as the promise
            facet, sign = ("other", sign) if sign and sign != "vow" else ("will", "vow")
        of = _text(row["of"], MAX_QUOTE) if isinstance(row.get("of"), str) else None
        if not (sign or of or (about and value)):
            raise _UnusableClaim("that assert nothing")
        if self._of_floor[message.floor] >= MAX_OF_FLOOR:
            raise _UnusableClaim("beyond the limit of one message")
        is_vow = sign == "vow"
        return Claim(
            message.floor,
            _HOW[how],
            speaker,
            about,
            "will" if is_vow else _FACET[facet],
            "" if is_vow else value,
            message.text[start:end],
            start,
            end,
            polarity=_word(row.get("polarity")) != "false",
            hearers=hearers,
            sign=sign,
            trigger=value if is_vow else "",
            is_model=True,
            of=of,
        )

    def _quoted(self, row: Mapping[object, object]) -> tuple[BlockMessage, tuple[int, int]]:
        """Return the message that a claim quotes, and the position of the quote."""
        floors = floors_of({"from": row.get("floor")})
        message = self._messages.get(floors[0]) if floors is not None else None
        if message is None:
            raise _UnusableClaim("on floors outside the block")
        if message.floor not in self._texts:
            self._texts[message.floor] = _LooseText(message.text)
        span = self._texts[message.floor].find(_text(row.get("quote"), MAX_QUOTE))
        if span is None:
            raise _UnusableClaim("with a quote that is not in the message")
        if any(a < span[1] and span[0] < b for a, b in self._remarks_of(message)):
            raise _UnusableClaim("of remarks out of character")
        return message, span

    def _people(self, row: Mapping[object, object], how: str) -> tuple[str, tuple[str, ...]]:
        """Return the speaker of a claim, "" for the narration, and the hearer."""
        speaker = _name(row.get("speaker"))
        if how == "narrated" or speaker.casefold() in NARRATORS:
            speaker = ""
        if how != "narrated" and not self._is_told(speaker):
            raise _UnusableClaim("of a speaker who is not in the story")
        heard = row.get("hearers")
        hearers = [_name(name) for name in (heard if isinstance(heard, list) else ())]
        return speaker, tuple(filter(self._is_told, hearers[:_MAX_HEARERS]))

    def _is_told(self, name: str) -> bool:
        return bool(name) and name.casefold() in self._told

    def _remarks_of(self, message: BlockMessage) -> list[tuple[int, int]]:
        if message.floor not in self._remarks:
            self._remarks[message.floor] = remarks(message.text)
        return self._remarks[message.floor]


_HOW: Final[dict[str, How]] = {how: how for how in HOWS}
_FACET: Final[dict[str, Facet]] = {facet: facet for facet in FACETS}


def _text(value: object, limit: int = MAX_NAME) -> str:
    return clean_text(value[: limit * 2], limit) if isinstance(value, str) else ""


def _name(value: object) -> str:
    """Return a name or a short value. Raises _UnusableClaim if it contains marks of a prompt."""
    text = _text(value)
    if _FORGED.search(text):
        raise _UnusableClaim("with tags in a name or value")
    return text


def _word(value: object) -> str:
    return str(value)[:MAX_NAME].strip().casefold() if isinstance(value, str | bool) else ""


class _LooseText:
    """Finds quotes in a text, ignoring marks and white space."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places = [n for n, char in enumerate(text) if not _LOOSE.match(char)]
        self._bare = "".join(text[n] for n in self._places)

    def find(self, quote: str) -> tuple[int, int] | None:
        """Return the position of a quote; None if it is not found."""
        quote = quote.strip(_OUTER)
        at = self._text.find(quote)
        if len(quote) > 1 and at >= 0:  # a single character is found everywhere
            return at, at + len(quote)
        bare = _LOOSE.sub("", quote)
        at = self._bare.find(bare) if len(bare) > 1 else -1
        return None if at < 0 else (self._places[at], self._places[at + len(bare) - 1] + 1)


def address_of(claim: Claim) -> tuple[str, str]:
    """Return the person or thing a claim is about, and its facet."""
    is_thing = claim.facet in _THINGS
    return (fold_thing(claim.about) if is_thing else claim.about.casefold()), claim.facet


def with_answers(lines: Sequence[Claim], answered: Sequence[Claim]) -> Sequence[Claim]:
    """Return the sentences of a floor with a model's signs and speakers for them.

    Signs and speakers found by rules stay.
    """
    if not answered:
        return lines
    found = []
    for line in lines:
        for claim in answered:
            if not (claim.start < line.end and line.start < claim.end):
                continue
            if claim.sign in SIGNS and claim.sign not in _OF_TWO and not line.sign:
                line = replace(line, sign=claim.sign)  # noqa: PLW2901
            if line.how in ("said", "written") and not line.speaker and claim.how == line.how:
                line = replace(line, speaker=claim.speaker)  # noqa: PLW2901
        found.append(line)
    return found
