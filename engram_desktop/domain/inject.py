"""Injection into a prompt: its parts, the selection of memories, its frame and its wording."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache
from typing import Generic, Literal, Protocol, TypeVar, get_args

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.text.moment import moment
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.text.tokens import token_weight
from engram_desktop.domain.values import dataclass

# The parts of an injection, their budgets, and its frame.


# How large an injection is, how it is worded, and the known facts in it. Pure values.


# earlier, earlier_recalled: from the volumes a chat reads.
Part = Literal[
    "earlier",
    "always",
    "present",
    "earlier_recalled",
    "recalled",
    "snippets",
    "entities",
    "relations",
]
InjectionOrder = Literal["stable", "story"]
# plain: text, time and speaker. attributed: also how long ago, and to whom it was said. light: as
# plain, and the model is asked to let it colour the reply, never to recite it.
Manner = Literal["plain", "attributed", "light"]
MANNERS: tuple[Manner, ...] = get_args(Manner)

_STORY_LEAST = 44  # tokens: one line of the whole story, if that is a fifth at most
# (Smallest budget in tokens, share of it for the story so far), largest budget first. The share
# depends on the budget only, so the story block is the same for every question. A larger share
# costs evidence: see the figures in resources/docs/recall.md.
_STORY_STEPS = ((4_000, 0.20), (1_500, 0.12), (0, 0.07))
_PRESENT_SHARE = 20  # 1/20 of the budget is kept for facts about the characters present


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget: ``tokens`` for the whole text.

    ``order`` stable: first the story so far, which seldom changes, then recalled memories; story:
    both in story order. ``visible_from`` is the first floor whose message is in the prompt itself;
    None: none is.
    """

    tokens: int = 6000
    order: InjectionOrder = "stable"
    manner: Manner = "plain"
    visible_from: int | None = None

    @property
    def story(self) -> int:
        """The tokens for the story so far."""
        share = next(share for least, share in _STORY_STEPS if self.tokens >= least)
        return max(int(self.tokens * share), min(_STORY_LEAST, self.tokens // 5))

    @property
    def present(self) -> int:
        """The tokens reserved for facts about the characters present."""
        return self.tokens // _PRESENT_SHARE


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """An edge by its names, with its latest floors; ``until`` if it no longer holds.

    ``floors`` is None for what a user wrote by hand. ``is_asked``: it is about what the question
    asks, not only about whom.
    """

    src: str
    predicate: str
    dst: str
    floors: tuple[int, int] | None = None
    until: int | None = None
    is_asked: bool = True

    @property
    def sentence(self) -> str:
        return f"{self.src} {self.predicate} {self.dst}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Entities and relations worth naming, the most useful first."""

    entities: tuple[EntityNode, ...] = ()
    relations: tuple[KnownRelation, ...] = ()

    def without(self, fact: EntityNode | KnownRelation) -> Facts:
        """Return these facts without one of them."""
        if isinstance(fact, EntityNode):
            return replace(self, entities=tuple(e for e in self.entities if e.id != fact.id))
        told = fact.sentence
        return replace(self, relations=tuple(r for r in self.relations if r.sentence != told))


NO_FACTS = Facts()


OPENED = "‹"  # replaces a bracket that would open or close a block


def defused(text: str, *names: str) -> str:
    """Return ``text`` without tags whose name begins with one of ``names``.

    Such tags could open or close the block the text is put into. Models ignore blanks, capitals,
    full-width brackets and HTML entities in tags, so these spellings are recognised too. An
    underscore in a name also stands for a blank or a hyphen.
    """
    return _pattern(names).sub(OPENED, text)


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    spelt = "|".join(r"[\s_\u00ad-]".join(map(re.escape, name.split("_"))) for name in names)
    return re.compile(
        rf"(?:[<＜‹〈⟨]|&lt;?|&#0*60;?|&#x0*3c;?)(?=[\s/\\／]*(?:{spelt}))", re.IGNORECASE
    )


# Weight of the logarithm of a cost against a unit of evidence, measured between 0 and .8: a smaller
# one loses Chinese one-liners, a larger one loses pages and joint evidence of several messages.
PRICE = 0.3
OVERHEAD = 10.0  # tokens added to each cost, so that the shortest are not always first
WEAK = 0.0  # evidence below which a memory is weak: 1 % of the wanted memories are there
# Share of the best memory's evidence below which one is weak if nothing is asked: for a statement
# only closely related memories are useful. Of 436 messages with evidence 8 to 44 stay.
STATED_SHARE = 0.5
LEAST = 6.0  # tokens of the shortest line; nothing fits into less
RESTED = 1.5  # evidence subtracted from a memory that was in the prompts of the last replies


class Priced(Protocol):
    """A candidate: ``worth`` in the units of a recall's score, ``cost`` in tokens."""

    @property
    def worth(self) -> float: ...
    @property
    def cost(self) -> float: ...


P = TypeVar("P", bound=Priced)


def priority(worth: float, cost: float) -> float:
    """Return the order of candidates: worth, minus the `PRICE` of its tokens."""
    return worth - PRICE * math.log(OVERHEAD + max(0.0, cost))


@dataclass(slots=True)
class Selection(Generic[P]):
    """The chosen candidates in order, those without room, and the weak ones."""

    taken: list[P]
    passed: list[P]
    weak: list[P]


def select(
    offers: Sequence[P], room: float, take: Callable[[P, float], float], weak: float = WEAK
) -> Selection[P]:
    """Choose candidates greedily by worth per token, while ``take`` accepts them.

    This is the knapsack heuristic (Lin and Bilmes, ACL 2011): evidence is logarithmic
    (`domain/recall/ranking.py`), and so is the price. ``take(offer, room)`` adds a candidate and
    returns its cost, or -1 if it costs more than ``room`` tokens. Candidates worth less than
    ``weak`` stay out, however much room is left. The order is total: of equal candidates the
    earlier one goes first.
    """
    chosen: Selection[P] = Selection([], [], [])
    for offer in sorted(offers, key=lambda o: -priority(o.worth, o.cost)):
        if offer.worth < weak:
            chosen.weak.append(offer)
            continue
        cost = take(offer, room) if room > LEAST else -1.0
        if cost < 0:
            chosen.passed.append(offer)
            continue
        room -= cost
        chosen.taken.append(offer)
    return chosen


# When something was said, in a prompt: its day, or how long ago.


_Language = Literal["zh", "en", "ja"]
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS_TOLD, _WEEKS_TOLD, _MONTHS_TOLD = 14, 60, 365  # days up to which the smaller unit is used
_DAY_MS = 86_400_000  # milliseconds of a day
_DAYS_KEPT = 1_024  # cached labels of days, which every line of a prompt needs
_JUST, _RECENTLY = 12, 150  # floors, if no day is known; set by hand
_AGO: dict[_Language, dict[str, str]] = {
    "zh": {
        "today": "当天", "yesterday": "前一天", "days": "{0}天前", "weeks": "{0}周前",
        "months": "{0}个月前", "years": "{0}年前",
        "just": "刚才", "recently": "不久前", "long": "很久以前",
    },
    "en": {
        "today": "same day", "yesterday": "the day before", "days": "{0} days ago",
        "weeks": "{0} weeks ago", "months": "{0} months ago", "years": "{0} years ago",
        "just": "just now", "recently": "not long ago", "long": "long ago",
    },
    "ja": {
        "today": "当日", "yesterday": "前日", "days": "{0}日前", "weeks": "{0}週間前",
        "months": "{0}か月前", "years": "{0}年前",
        "just": "さっき", "recently": "少し前", "long": "ずっと前",
    },
}  # fmt: skip


def day_of(sent_at: int | None) -> datetime | None:
    """Return the day (UTC) of a time in milliseconds; None if it is unknown."""
    return moment(sent_at) if sent_at and sent_at > 0 else None


def day_label(sent_at: int | None, now: int | None, language: _Language) -> str:
    """Return the name of a day, with its year if not that of ``now``; empty if unknown."""
    if not sent_at or sent_at <= 0:
        return ""
    return _day_label(sent_at // _DAY_MS * _DAY_MS, now and now // _DAY_MS * _DAY_MS, language)


@lru_cache(maxsize=_DAYS_KEPT)
def _day_label(sent_at: int, now: int | None, language: _Language) -> str:
    day, today = moment(sent_at), day_of(now)
    is_other_year = today is None or day.year != today.year
    if language != "en":
        year = f"{day.year}年" if is_other_year else ""
        return f"{year}{day.month}月{day.day}日"
    year = f" {day.year}" if is_other_year else ""
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def ago_label(sent_at: int | None, now: int | None, floors: int, language: _Language) -> str:
    """Return how long before ``now`` something was said: in days, else roughly, by ``floors``."""
    words = _AGO[language]
    day, today = day_of(sent_at), day_of(now)
    if day is None or today is None or today < day:
        return words["just" if floors <= _JUST else "recently" if floors <= _RECENTLY else "long"]
    days = (today.date() - day.date()).days
    if days <= 1:
        return words["yesterday" if days else "today"]
    if days < _DAYS_TOLD:
        return words["days"].format(days)
    if days < _WEEKS_TOLD:
        return words["weeks"].format(days // 7)
    if days < _MONTHS_TOLD:
        return words["months"].format(days // 30)
    return words["years"].format(days // 365)


# The wording of memories in a prompt: lines, excerpts and quotations.


# Sentences already in a prompt, so that none is inserted twice; and shortening texts.


_CLOSING = r"[”」』’）)\"]*\s*"
# A full stop inside a number or a name does not end a sentence.
SENTENCES = re.compile(
    rf"(?:[^。！？!?….\n]|\.(?=[^\s”」』\".]))+[。！？!?….]*{_CLOSING}|[。！？!?….]+{_CLOSING}|\n+"
)
_SHORT = 6  # characters: shorter sentences (“Yes.”, 好。) are common and prove nothing
_CUT = "…"
_LEAD_IN = re.compile(r"^[^：:“「\"]{1,40}[：:]\s*[“「\"]")  # 他说：“
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"))


def sentences(text: str) -> list[str]:
    """Split a text into sentences with their closing quotes; joined they give the text."""
    parts = SENTENCES.findall(text)
    return parts if "".join(parts) == text else [text]


def cut_short(text: str, limit: int) -> str:
    """Return whole sentences of about ``limit`` characters at most, with “…” for a cut."""
    if len(text) <= limit:
        return text
    beginning = ""
    for sentence in sentences(text):
        if len(beginning) + len(sentence) > limit:
            break
        beginning += sentence
    return f"{beginning.rstrip() or text[:limit].rstrip()}{_CUT}"


class PromptSentences:
    """The sentences already in a prompt, compared without case, punctuation and quotes."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._bare_text = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.add_bare(bare(text))

    def add_bare(self, letters: str) -> None:
        """Add a sentence in the form returned by `bare`."""
        self._bare_text += "\n" + letters

    def holds(self, sentence: str) -> bool:
        """Return whether a sentence is in the prompt; False for very short ones."""
        letters = bare(_LEAD_IN.sub("", sentence))
        return len(letters) >= _SHORT and letters in self._bare_text

    def new_of(self, text: str) -> str:
        """Return the sentences of ``text`` that are new, or nothing if only scraps are left.

        A speaker before a colon is not part of the sentence.
        """
        speaker, colon, speech = text.partition(": ")
        if not colon or len(speaker) > 40:
            speaker, colon, speech = "", "", text
        parts = sentences(speech)
        fresh = [part for part in parts if not self.holds(part)]
        if len(fresh) == len(parts):
            return text if bare(speech) else ""
        if sum(len(bare(part)) for part in fresh) < _SHORT:
            return ""
        return speaker + colon + _without_halves("".join(fresh).strip())


def _without_halves(text: str) -> str:
    """Remove quotation marks whose other half was in a removed sentence."""
    characters = list(text)
    for opening, closing in _QUOTES:
        open_at: list[int] = []
        for n, character in enumerate(text):
            if character == opening:
                open_at.append(n)
            elif character == closing and open_at:
                open_at.pop()
            elif character == closing:
                characters[n] = ""
        characters = ["" if n in open_at else character for n, character in enumerate(characters)]
    return "".join(characters)


# The passages of a very long message that answer a question, with gaps marked by “…”.


CUT = "…"
_TELLS = re.compile(r"[^\W\d_]")
_CHARACTERS_A_TOKEN = 8  # at most: a word of seven letters is one token
_FIXED = 8.0  # tokens added to a sentence's cost, so that the shortest is not always best


def excerpt(
    text: str, wanted: Set[str], tokens_of: Callable[[str], Iterable[str]], room: int, longest: int
) -> str:
    """Return the whole sentences of ``text`` that answer best, in about ``room`` tokens.

    ``wanted`` are the tokens of the question; each counts once, in the sentence that has most of
    them for its length. ``tokens_of`` returns the tokens of a sentence. The rest of the room goes
    to sentences beside the chosen ones, so that a passage can be understood. A first sentence of up
    to ``longest`` tokens is never cut.
    """
    parts = _units(text)
    costs = [token_weight(part) for part in parts]
    said = [wanted & set(tokens_of(part)) for part in parts]
    chosen, left = _answering(said, costs, wanted, float(room), float(longest))
    _take_beside(chosen, costs, left, float(longest))
    return _joined(parts, chosen) or f"{_beginning(text, room)}{CUT}"


def _units(text: str) -> list[str]:
    """Return the sentences of a text; list numbers and heading marks are not sentences.

    “2.” and “###” belong to the text after them.
    """
    units: list[str] = []
    lead = ""
    for part in sentences(text):
        lead += part
        if _TELLS.search(part):
            units.append(lead)
            lead = ""
    if lead.strip() and units:
        units[-1] += lead
    return units


def _beginning(text: str, room: int) -> str:
    """Return the beginning of a text, of about ``room`` tokens."""
    end = min(len(text), room * _CHARACTERS_A_TOKEN)
    while end and token_weight(text[:end]) > room:
        end = end * 3 // 4
    cut = text.rfind(" ", end * 3 // 4, end)
    return text[: cut if cut > 0 else end].rstrip()


def _answering(
    said: Sequence[Set[str]],
    costs: Sequence[float],
    wanted: Set[str],
    room: float,
    longest: float,
) -> tuple[set[int], float]:
    """Choose sentences by their tokens (``said``); returns them and the remaining room.

    The first may take ``longest`` tokens, regardless of the room.
    """
    missing = set(wanted)
    chosen: set[int] = set()
    while missing:
        most = room if chosen else max(room, longest)
        worth = {
            n: len(words & missing) / (_FIXED + costs[n])
            for n, words in enumerate(said)
            if n not in chosen and costs[n] <= most and words & missing
        }
        if not worth:
            break
        best = max(worth, key=lambda n: (worth[n], -n))
        chosen.add(best)
        missing -= said[best]
        room -= costs[best]
    return chosen, room


def _take_beside(chosen: set[int], costs: Sequence[float], room: float, longest: float) -> None:
    """Add the sentence after a chosen one, or else the one before, while there is room."""
    if not chosen:  # nothing answers: the message is quoted from its beginning
        chosen.add(-1)
        if costs and room < costs[0] <= longest:
            chosen.add(0)
            room = 0.0
    while True:
        after = [n + 1 for n in sorted(chosen) if n + 1 < len(costs)]
        before = [n - 1 for n in sorted(chosen) if n > 0]
        beside = [n for n in (*after, *before) if n not in chosen and costs[n] <= room]
        if not beside:
            break
        chosen.add(beside[0])
        room -= costs[beside[0]]
    chosen.discard(-1)


def _joined(parts: Sequence[str], chosen: Set[int]) -> str:
    text, before = "", -1
    for n in sorted(chosen):
        if n != before + 1:
            text = f"{text.rstrip()} {CUT} ".lstrip()
        text += parts[n]
        before = n
    if text and before < len(parts) - 1:
        text = f"{text.rstrip()} {CUT}"
    return text.strip()


GAP = 4  # floors between two messages that still share a line; 2 to 6 differ by less than chance
SHORT = 160  # characters up to which a message shares its line; a longer one reads better alone
LINE = 400  # characters of a line that further messages may join
BESIDE, APART = " / ", " … "  # between two messages of a line: adjacent, or with a gap


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """A message to quote: ``text`` in one line, ``when`` its day as shown.

    ``scene`` is what its heading adds to the day: the hour, the place. It is shown where it
    changes.
    """

    floor: int
    speaker: str
    text: str
    when: str = ""
    ref: str = ""
    scene: tuple[str, ...] = ()
    weight: float = -1.0  # tokens of ``text``, before rounding; computed if not given
    letters: str = ""  # letters of ``text``, as from `bare`; computed with the weight

    def __post_init__(self) -> None:
        if self.weight < 0:
            object.__setattr__(self, "weight", token_weight(self.text))
            object.__setattr__(self, "letters", bare(self.text))

    @property
    def said(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    def in_scene(self, before: QuotedMessage | None) -> QuotedMessage:
        """Return the quote with only what differs from the scene of the one ``before`` it."""
        head = scene_head(self, before)
        return replace(self, text=f"{head} {self.text}") if head else self


def scene_head(quote: QuotedMessage, before: QuotedMessage | None) -> str:
    known = before.scene if before is not None and before.when == quote.when else ()
    told = " ".join(part for part in quote.scene if part not in known)
    return f"[{told}]" if told else ""


def share_a_line(first: QuotedMessage, then: QuotedMessage) -> bool:
    """Return whether two quotes, ``first`` on the lower floor, may share a line."""
    return (
        then.floor - first.floor <= GAP
        and first.when == then.when
        and max(len(first.text), len(then.text)) <= SHORT
    )


class QuotedLines:
    """The quotes chosen so far, by floor. Costs are in tokens, before rounding.

    Short messages that are close together on one day share a line, under one head with their
    floors; a gap between them is marked. Lines of one day are under one heading. So a run of short
    messages costs little more than its words, and a neighbour less than a message from elsewhere.
    ``head`` is the cost of the head of a line: a day is a line of its own.
    """

    def __init__(self, head: float) -> None:
        self._head = head
        self._floors: list[int] = []
        self._quotes: dict[int, QuotedMessage] = {}

    def __contains__(self, floor: int) -> bool:
        return floor in self._quotes

    def get(self, floor: int) -> QuotedMessage | None:
        return self._quotes.get(floor)

    def cost_of(self, quote: QuotedMessage) -> float:
        """Return the cost of adding a quote, or of its text in place of a shorter one."""
        known = self._quotes.get(quote.floor)
        if known is not None:
            return quote.weight - known.weight
        at = bisect_left(self._floors, quote.floor)
        left = self._quotes[self._floors[at - 1]] if at else None
        right = self._quotes[self._floors[at]] if at < len(self._floors) else None
        cost = quote.weight + self._lead(left, quote)
        if right is not None:
            cost += self._lead(quote, right) - self._lead(left, right)
        return cost + (self._scene_cost(at, quote) if quote.scene else 0.0)

    def add(self, quote: QuotedMessage) -> None:
        if quote.floor not in self._quotes:
            self._floors.insert(bisect_left(self._floors, quote.floor), quote.floor)
        self._quotes[quote.floor] = quote

    def remove(self, floor: int) -> None:
        self._floors.remove(floor)
        del self._quotes[floor]

    def lines(self, days: Sequence[int] = ()) -> Iterator[list[QuotedMessage]]:
        """Return the quotes of each line, in story order, with scenes where they change.

        Other lines, which may name a day, begin on the floors ``days``, in order.
        """
        line: list[QuotedMessage] = []
        length = 0
        scene: QuotedMessage | None = None
        for floor in self._floors:
            quote = self._quotes[floor]
            if line and (not share_a_line(line[-1], quote) or length + len(quote.text) > LINE):
                yield line
                if bisect_right(days, line[0].floor) != bisect_right(days, floor):
                    scene = None
                line, length = [], 0
            line.append(quote.in_scene(scene) if quote.scene else quote)
            length += len(quote.text)
            scene = quote if quote.scene else scene
        if line:
            yield line

    def _scene_cost(self, at: int, quote: QuotedMessage) -> float:
        """Return the cost of a scene at this place among the floors."""
        before = (self._quotes[floor] for floor in reversed(self._floors[:at]))
        after = (self._quotes[floor] for floor in self._floors[at:])
        left, right = (next((q for q in side if q.scene), None) for side in (before, after))
        cost = token_weight(scene_head(quote, left))
        if right is not None:
            cost += token_weight(scene_head(right, quote)) - token_weight(scene_head(right, left))
        return cost

    def _lead(self, before: QuotedMessage | None, quote: QuotedMessage) -> float:
        """Return the text before the words of a quote: the head of a line, or a mark."""
        if before is not None and share_a_line(before, quote):
            named = "" if before.speaker == quote.speaker else quote.speaker
            return 1.0 + (token_weight(f"{named}:") if named else 0.0)
        is_headed = before is not None and before.when == quote.when
        day = 0.0 if is_headed else token_weight(quote.when)
        return self._head + day + token_weight(f"{quote.speaker}:")


def words_of(line: list[QuotedMessage]) -> str:
    """Return the words of a line, with a speaker where the speaker changes."""
    text = line[0].said
    for before, quote in itertools.pairwise(line):
        mark = BESIDE if quote.floor == before.floor + 1 else APART
        text += mark + (quote.text if quote.speaker == before.speaker else quote.said)
    return text
