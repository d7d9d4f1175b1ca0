"""Claims that a model returns with the events of a block. They replace the claims of rules.

A model's output is checked: a claim must have a floor of its block, its quote must be in the
message of that floor, and a thought must have a thinker who is named in the story. All others are
dropped and counted. A quote whose speaker is not named in the story is kept without a speaker. A
claim can cite earlier words (`Claim.of`), which it ends, keeps, denies or clashes with. Nothing
here raises.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, get_args

from typing_extensions import override

from engram_desktop.domain.claims.addresses import ended, lie_of, quote_of
from engram_desktop.domain.claims.claim import Claim, Facet, Finding, How
from engram_desktop.domain.claims.wording import fold_thing, words_of
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.memory.extraction import MAX_CLAIMS, MAX_NAME, clean_text, floors_of
from engram_desktop.domain.text.sentences import bare, remarks
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

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
_LOOSE = re.compile(r"[\W_]+")  # what a model omits from a quote, adds or spells otherwise
_NAME_PARTS = re.compile(r"['’]s\s+|\s+|的")
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
            if how == "thought":
                raise _UnusableClaim("of a thinker who is not in the story")
            speaker = ""  # the quote is kept, without a speaker
        heard = row.get("hearers")
        hearers = [_name(name) for name in (heard if isinstance(heard, list) else ())]
        return speaker, tuple(filter(self._is_told, hearers[:_MAX_HEARERS]))

    def _is_told(self, name: str) -> bool:
        """Return whether the story names somebody, in whole or in parts: 苏禾的妈妈."""
        parts = _NAME_PARTS.split(name.casefold())
        return all(part and part in self._told for part in parts)

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
    """Finds quotes in a text by their letters and digits."""

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

    Signs found by rules stay; the model's speaker takes the place of one that rules found.
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
            if _says_it(line, claim):
                line = replace(line, speaker=claim.speaker)  # noqa: PLW2901
        found.append(line)
    return found


def _says_it(line: Claim, claim: Claim) -> bool:
    """Return whether a model knows better than rules who says a sentence.

    It does not if it only spells the name otherwise, or may name whose words are reported: of a
    promise, or of a sentence that names them.
    """
    if not claim.speaker or claim.how != line.how or line.how not in ("said", "written"):
        return False
    if not line.speaker:
        return True
    names = [_parts_of(name) for name in (line.speaker, claim.speaker)]
    if names[0] <= names[1] or names[1] <= names[0]:
        return False
    called = claim.speaker.split() if claim.speaker.isascii() else [claim.speaker[0]]
    return claim.facet not in ("will", "name") and not any(n in line.quote for n in called)


def _parts_of(name: str) -> frozenset[str]:
    """Return the words of a name, or the characters of a Chinese one."""
    return frozenset(name.casefold().split() if name.isascii() else name)


# Earlier words that a claim cites: a model copies them from the block it reads or from the list of
# claims that still hold (`standing`). They are searched in its earlier claims, then in all
# sentences; words not found before the claim are ignored.

OUTCOMES = ("keeps", "breaks", "drops")
_LEAST = 4  # letters of a piece of a quote: shorter ones are in many sentences
_NEWEST = 2_000  # claims searched for a piece of a quote, .2 ms
_BACK = 1_000  # floors back searched for a sentence that no claim quotes
_NEVER_OVER = frozenset(("will", "deed", "was_at", "origin"))  # past deeds cannot be over
_LOOKED_AT = 12  # newest of the floors that contain all its words


def is_piece(one: str, other: str) -> bool:
    """Return whether one of two bare texts contains the other and is long enough to identify it."""
    return one == other or (min(len(one), len(other)) >= _LEAST and (one in other or other in one))


@dataclass
class Cited:
    """A model's claims so far, by bare words; for equal words, the newest one."""

    claims: dict[str, Claim] = field(default_factory=dict)

    def copy(self) -> Cited:
        """Return an independent copy."""
        return Cited(dict(self.claims))

    def add(self, claim: Claim) -> None:
        """Add a claim of a model, which later claims can cite."""
        words = bare(claim.quote)
        self.claims.pop(words, None)  # reinserted, as the newest is last
        self.claims[words] = claim

    def meant(self, claim: Claim, lines: FloorTexts) -> Claim | None:
        """Return the earlier claim that a claim cites; None if there is none."""
        words = bare(claim.of or "")
        if not words:
            return None
        known = self.claims.get(words)
        if known is None:
            newest = islice(reversed(self.claims.items()), _NEWEST)
            known = next((c for told, c in newest if is_piece(words, told)), None)
        known = known if known is not None else _said(claim, words, lines)
        place = (claim.floor, claim.start)
        return known if known is not None and (known.floor, known.start) < place else None


def _said(claim: Claim, words: str, lines: FloorTexts) -> Claim | None:
    """Return the newest sentence with these bare words before a claim."""
    units = words_of(claim.of or "").units
    first = max(0, claim.floor - _BACK)
    floors = list(lines.with_words(first, claim.floor, units, max(1, len(units))))
    for floor in sorted(floors, reverse=True)[:_LOOKED_AT]:
        for line in reversed(lines.at(floor)):
            is_before = (line.floor, line.start) < (claim.floor, claim.start)
            if is_before and line.how != "ooc" and is_piece(words, bare(line.quote)):
                return line
    return None


def linked(old: Claim, new: Claim) -> Finding | None:
    """Return the finding of a claim about earlier words; None for promises."""
    if new.sign == "clashes":
        who = tuple(dict.fromkeys(name for name in (old.speaker, new.speaker) if name))
        quotes = (quote_of(old), quote_of(new))
        return Finding("contradiction", "open", who, old.about or new.about, old.facet, quotes)
    if new.sign in DENIALS:
        return denied(old, new)
    is_over = new.sign in ("", "ends") and new.floor > old.floor and old.how != "thought"
    is_over = is_over and not {old.facet, new.facet} & _NEVER_OVER
    return ended(old, new) if is_over else None


def denied(said: Claim, denial: Claim) -> Finding:
    """Return the lie or mistake that earlier words are, according to a model."""
    if denial.sign != "errs":
        later = denial.sign == "admits" or (denial.how != "thought" and denial.floor > said.floor)
        return lie_of(said, denial, found_out=later)
    knows = denial.how != "narrated" and said.speaker in (denial.speaker, *denial.hearers)
    aware = () if denial.how == "narrated" else (denial.speaker, *denial.hearers)
    return Finding(
        "mistaken",
        "corrected" if knows else "held",
        (said.speaker,) if said.speaker else (),
        said.about or said.speaker,
        said.facet,
        (quote_of(said), quote_of(denial)),
        known_to=tuple(filter(None, aware)),
    )


# Claims of earlier blocks repeated to a model, so that it can report their outcome.


_PASSING = ("was_at", "deed", "other")  # states of no duration: nothing ends them
_SETTLES = ("keeps", "breaks", "drops", "admits", "errs")  # nothing follows after these


def standing(claims: Iterable[Claim], most: int, text: str = "") -> list[Claim]:
    """Return the ``most`` claims of a model that still hold, in the order of the story.

    Those that share most words with ``text``, the block to be read, come first, then the newest;
    words of few claims count for more. Open promises are at most half of them, unless there is
    nothing else. A claim is left out only if a later one cites and settles it. A doubt does not
    settle it, nor does narration that shows a lie: the liar may still admit it.
    """
    left: dict[str, Claim] = {}
    for claim in claims:
        words = bare(claim.of or "")
        if words:
            cited = [told for told in left if is_piece(words, told)]
            for told in cited:
                if _is_settled(left[told], claim):
                    del left[told]
        if _holds(claim):
            left[bare(claim.quote)] = claim
    ranked = _by_words(list(left.values()), words_of.__wrapped__(text).units)
    promises = [claim for claim in ranked if claim.facet == "will"]
    others = [claim for claim in ranked if claim.facet != "will"]
    first = promises[: max(1, most // 2, most - len(others))]
    return sorted([*first, *others][:most], key=lambda c: (c.floor, c.start))


def _holds(claim: Claim) -> bool:
    """Return whether a claim may be over, denied or kept later; what settles another may be too."""
    if claim.how == "thought":
        return claim.facet == "will" or not claim.sign  # a silent vow, a belief
    is_fact = claim.facet not in (*_PASSING, "will") and claim.sign != "clashes"
    return is_fact or claim.sign in ("", "vow", "ends")


def _by_words(claims: Sequence[Claim], told: frozenset[str]) -> list[Claim]:
    """Return claims, those first whose rare words a block has."""
    units = [words_of(f"{c.about} {c.quote} {c.value}").units for c in claims]
    held = Counter(unit for of_claim in units for unit in of_claim)
    shared = [sum(1 / held[unit] for unit in of_claim & told) for of_claim in units]
    order = sorted(range(len(claims)), key=lambda n: (-shared[n], -claims[n].floor))
    return [claims[n] for n in order]


def _is_settled(old: Claim, new: Claim) -> bool:
    """Return whether a claim that cites earlier words settles them."""
    if old.facet == "will":
        return new.sign in OUTCOMES or new.sign == "vow"
    is_over = new.sign in ("", "ends") and not {old.facet, new.facet} & _NEVER_OVER
    return new.sign in _SETTLES or is_over
