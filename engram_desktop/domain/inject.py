"""What is injected into a prompt: its parts, what is selected, its frame, and how it is worded."""

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

# What is injected into a prompt: its parts, what is selected, and its frame.


# How much an injection holds, how it is worded, and the known facts it may name. Pure values.


# earlier, earlier_recalled: of the volumes a chat reads.
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
# plain: what was said, when and by whom. attributed: how long ago, and who said it to whom.
# light: as plain, and the model is asked to let it colour the reply, never to recite it.
Manner = Literal["plain", "attributed", "light"]
MANNERS: tuple[Manner, ...] = get_args(Manner)

_STORY_LEAST = 44  # tokens: one line of all that happened, where that is a fifth at most
# (Smallest budget in tokens, share of it for the story so far), largest budget first. The share
# depends on the budget only, so the story block is the same for every question. A larger share
# costs evidence: figures in resources/docs/recall.md.
_STORY_STEPS = ((4_000, 0.20), (1_500, 0.12), (0, 0.07))
_PRESENT_SHARE = 20  # 1/20 of the budget is kept for facts about the characters present


@dataclass(frozen=True, slots=True)
class Allowance:
    """``tokens`` for the whole text.

    ``order`` stable: the story so far comes first and changes seldom, what was recalled follows;
    story: both in one line of story order. ``visible_from`` is the first floor the prompt still
    holds as it was written; None: none.
    """

    tokens: int = 6000
    order: InjectionOrder = "stable"
    manner: Manner = "plain"
    visible_from: int | None = None

    @property
    def story(self) -> int:
        """Tokens that the story so far may take."""
        share = next(share for least, share in _STORY_STEPS if self.tokens >= least)
        return max(int(self.tokens * share), min(_STORY_LEAST, self.tokens // 5))

    @property
    def present(self) -> int:
        """Tokens kept for facts about the characters present, before anything else is chosen."""
        return self.tokens // _PRESENT_SHARE


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """An edge by its names, with the floors that say so last; ``until`` where it holds no more.

    ``floors`` is None for what a user wrote by hand. ``is_asked``: it tells what the question asks
    for, and not only of whom.
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
    """Entities and relations worth naming, the most telling first."""

    entities: tuple[EntityNode, ...] = ()
    relations: tuple[KnownRelation, ...] = ()

    def without(self, fact: EntityNode | KnownRelation) -> Facts:
        """Return these facts without one of them, whether or not the question asks for it."""
        if isinstance(fact, EntityNode):
            return replace(self, entities=tuple(e for e in self.entities if e.id != fact.id))
        told = fact.sentence
        return replace(self, relations=tuple(r for r in self.relations if r.sentence != told))


NO_FACTS = Facts()


# Remove tags from a text of the story that would open or close the block it is put into.
#
# To a model blanks, capitals, full-width brackets and HTML entities make no difference in a tag;
# so all of these spellings are recognised.


OPENED = "‹"  # what stands in place of a bracket that would open or close a block


def defused(text: str, *names: str) -> str:
    """Return ``text`` in which no tag whose name begins with one of ``names`` is left.

    An underscore in a name stands for a blank or a hyphen too.
    """
    return _pattern(names).sub(OPENED, text)


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    spelt = "|".join(r"[\s_\u00ad-]".join(map(re.escape, name.split("_"))) for name in names)
    return re.compile(
        rf"(?:[<＜‹〈⟨]|&lt;?|&#0*60;?|&#x0*3c;?)(?=[\s/\\／]*(?:{spelt}))", re.IGNORECASE
    )


# Choose what a prompt holds: everything competes by what it adds for the question per token.
#
# A greedy choice under a budget (the knapsack heuristic; Lin and Bilmes, ACL 2011): offers are
# taken in the order of the evidence that speaks for them, dearer ones a little later, until
# nothing more fits. Evidence is logarithmic (`domain/recall/ranking.py`), and so is the price.
# What hardly has to do with the question stays out, however much room is left.


# What the logarithm of a cost weighs against a unit of evidence, measured between 0 and .8: less
# loses Chinese one-liners, more loses pages and what several messages answer together.
PRICE = 0.3
OVERHEAD = 10.0  # tokens added to each cost, so that the shortest are not simply the best
WEAK = 0.0  # evidence below which nothing speaks for a memory: of what is asked for 1 % lies there
# Of the best memory's evidence, below which one is weak where nothing is asked: a player who tells
# something needs what clearly belongs to it. Of 436 messages with evidence 8 to 44 stay.
STATED_SHARE = 0.5
LEAST = 6.0  # tokens of the shortest line; less room than that holds nothing
RESTED = 1.5  # evidence that a memory loses which stood in the prompts of the last replies


class Priced(Protocol):
    """What can be chosen: ``worth`` in the units of a recall's score, ``cost`` in tokens."""

    @property
    def worth(self) -> float: ...
    @property
    def cost(self) -> float: ...


P = TypeVar("P", bound=Priced)


def priority(worth: float, cost: float) -> float:
    """Return what orders the offers: worth, less the `PRICE` of its tokens."""
    return worth - PRICE * math.log(OVERHEAD + max(0.0, cost))


@dataclass(slots=True)
class Selection(Generic[P]):
    """What was taken, in the order it was; what was passed over for want of room, and as weak."""

    taken: list[P]
    passed: list[P]
    weak: list[P]


def select(
    offers: Sequence[P], room: float, take: Callable[[P, float], float], weak: float = WEAK
) -> Selection[P]:
    """Take offers, the most telling per token first, while ``take`` says that they fit.

    ``take(offer, room)`` adds an offer and returns what it cost, or returns -1 where it costs more
    than ``room`` tokens. What is worth less than ``weak`` is not offered. The order is total: of
    two alike the earlier offer goes first.
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


# When something was said, as a prompt says it: by its day, or by how long ago it was.


_Language = Literal["zh", "en", "ja"]
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS_TOLD, _WEEKS_TOLD, _MONTHS_TOLD = 14, 60, 365  # days up to which the smaller unit is used
_DAY_MS = 86_400_000  # milliseconds of a day
_DAYS_KEPT = 1_024  # labels of days, some of which every line of a prompt needs
_JUST, _RECENTLY = 12, 150  # floors, where no day is known; set by hand
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
    """Return the day (UTC) of a moment in milliseconds; None where it is not known."""
    return moment(sent_at) if sent_at and sent_at > 0 else None


def day_label(sent_at: int | None, now: int | None, language: _Language) -> str:
    """Name a day; its year only where it is not that of ``now``. Empty where it is not known."""
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
    """Say how long before ``now`` something was said: by days, else about, by ``floors``."""
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


# How a memory is worded in a prompt: lines, excerpts and quotations.


# Which sentences a prompt holds already, so that none is put in twice; and cutting texts short.


_CLOSING = r"[”」』’）)\"]*\s*"
# A full stop inside a number or a name ends nothing.
SENTENCES = re.compile(
    rf"(?:[^。！？!?….\n]|\.(?=[^\s”」』\".]))+[。！？!?….]*{_CLOSING}|[。！？!?….]+{_CLOSING}|\n+"
)
_SHORT = 6  # characters: shorter sentences (“Yes.”, 好。) are often said, and prove nothing
_CUT = "…"
_LEAD_IN = re.compile(r"^[^：:“「\"]{1,40}[：:]\s*[“「\"]")  # 他说：“
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences, closing quotes included; joined they are the text."""
    parts = SENTENCES.findall(text)
    return parts if "".join(parts) == text else [text]


def cut_short(text: str, limit: int) -> str:
    """Return whole sentences of about ``limit`` characters at most, and mark a cut with “…”."""
    if len(text) <= limit:
        return text
    beginning = ""
    for sentence in sentences(text):
        if len(beginning) + len(sentence) > limit:
            break
        beginning += sentence
    return f"{beginning.rstrip() or text[:limit].rstrip()}{_CUT}"


class PromptSentences:
    """The sentences a prompt tells already, compared without case, punctuation and quotation marks.

    “Told” is what the prompt holds; it says nothing of what a character said.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._bare_text = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.add_bare(bare(text))

    def add_bare(self, letters: str) -> None:
        """Add a sentence as `bare` returns it."""
        self._bare_text += "\n" + letters

    def holds(self, sentence: str) -> bool:
        """Whether a sentence was told; what is too short to tell by is never known."""
        letters = bare(_LEAD_IN.sub("", sentence))
        return len(letters) >= _SHORT and letters in self._bare_text

    def new_of(self, text: str) -> str:
        """Return the sentences of ``text`` that were not told, or nothing if only scraps are left.

        A speaker before a colon is not part of what was said.
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
    """Leave out quotation marks whose other half was in a sentence that is gone."""
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


# The passages of a very long message that answer a question, gaps marked with “…”.


CUT = "…"
_TELLS = re.compile(r"[^\W\d_]")
_CHARACTERS_A_TOKEN = 8  # at most: a word of seven letters is one token
_FIXED = 8.0  # tokens added to a sentence's cost, so that the shortest is not simply the best


def excerpt(
    text: str, wanted: Set[str], tokens_of: Callable[[str], Iterable[str]], room: int, longest: int
) -> str:
    """Return whole sentences of ``text`` in about ``room`` tokens, those that answer best.

    ``wanted`` are the tokens of the question; each counts once, in the sentence that says most of
    them for its length. ``tokens_of`` gives the tokens of a sentence. What room is left goes to the
    sentences beside a chosen one, so that a passage can be understood. A first sentence of up to
    ``longest`` tokens is never cut for want of room.
    """
    parts = _units(text)
    costs = [token_weight(part) for part in parts]
    said = [wanted & set(tokens_of(part)) for part in parts]
    chosen, left = _answering(said, costs, wanted, float(room), float(longest))
    _take_beside(chosen, costs, left, float(longest))
    return _joined(parts, chosen) or f"{_beginning(text, room)}{CUT}"


def _units(text: str) -> list[str]:
    """Return the sentences of a text; a number of a list or a mark of a heading is none by itself.

    “2.” and “###” belong to what follows them.
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
    """Return the first words of a text, about ``room`` tokens."""
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
    """Choose the sentences whose tokens (``said``) are wanted; return them and the tokens left.

    The first may take ``longest`` tokens, however little room there is.
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
    """Add the sentence after a chosen one, else the one before, while there is room."""
    if not chosen:  # nothing answers: the message is told from its beginning
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


# Messages quoted in a prompt: which of them share a line, and what one more of them costs.
#
# Short messages that stand close together on one day share a line, under one head that names
# their floors; a gap between them is marked. Lines of one day stand under one heading. So a run
# of short messages costs little more than its words, and a neighbour less than a message from
# elsewhere.


GAP = 4  # floors between two messages that still share a line; 2 to 6 differ by less than chance
SHORT = 160  # characters up to which a message shares its line; a longer one is easier read alone
LINE = 400  # characters of a line that more messages join
BESIDE, APART = " / ", " … "  # between two messages of a line: neighbours, or with a gap


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """One message as it will be quoted: ``text`` in one line, ``when`` its day as it is shown.

    ``scene`` is what its heading tells beside the day: the hour, the place. It is told where it
    changes.
    """

    floor: int
    speaker: str
    text: str
    when: str = ""
    ref: str = ""
    scene: tuple[str, ...] = ()
    weight: float = -1.0  # tokens of ``text``, before rounding; worked out where it is not given
    letters: str = ""  # of ``text``, as `bare` returns them; worked out with the weight

    def __post_init__(self) -> None:
        if self.weight < 0:
            object.__setattr__(self, "weight", token_weight(self.text))
            object.__setattr__(self, "letters", bare(self.text))

    @property
    def said(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    def in_scene(self, before: QuotedMessage | None) -> QuotedMessage:
        """Return the quote with what of its scene the one ``before`` it does not tell."""
        head = scene_head(self, before)
        return replace(self, text=f"{head} {self.text}") if head else self


def scene_head(quote: QuotedMessage, before: QuotedMessage | None) -> str:
    known = before.scene if before is not None and before.when == quote.when else ()
    told = " ".join(part for part in quote.scene if part not in known)
    return f"[{told}]" if told else ""


def share_a_line(first: QuotedMessage, then: QuotedMessage) -> bool:
    """Whether two quotes, ``first`` on the lower floor, may stand in one line."""
    return (
        then.floor - first.floor <= GAP
        and first.when == then.when
        and max(len(first.text), len(then.text)) <= SHORT
    )


class QuotedLines:
    """The quotes chosen so far, by floor. Costs are in tokens, before rounding.

    ``head`` is what the head of a line costs: a day is its own line.
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
        """Return what adding a quote costs, or what its text costs in place of a shorter one."""
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
        """Give the quotes of each line, in story order, their scenes told where they change.

        Between them other lines begin on the floors ``days``, in order, which may name a day.
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
        """Return what a scene costs at this place among the floors."""
        before = (self._quotes[floor] for floor in reversed(self._floors[:at]))
        after = (self._quotes[floor] for floor in self._floors[at:])
        left, right = (next((q for q in side if q.scene), None) for side in (before, after))
        cost = token_weight(scene_head(quote, left))
        if right is not None:
            cost += token_weight(scene_head(right, quote)) - token_weight(scene_head(right, left))
        return cost

    def _lead(self, before: QuotedMessage | None, quote: QuotedMessage) -> float:
        """Return what stands before the words of a quote: the head of a line, or a mark."""
        if before is not None and share_a_line(before, quote):
            named = "" if before.speaker == quote.speaker else quote.speaker
            return 1.0 + (token_weight(f"{named}:") if named else 0.0)
        is_headed = before is not None and before.when == quote.when
        day = 0.0 if is_headed else token_weight(quote.when)
        return self._head + day + token_weight(f"{quote.speaker}:")


def words_of(line: list[QuotedMessage]) -> str:
    """Return what a line says, each speaker named where the speaker changes."""
    text = line[0].said
    for before, quote in itertools.pairwise(line):
        mark = BESIDE if quote.floor == before.floor + 1 else APART
        text += mark + (quote.text if quote.speaker == before.speaker else quote.said)
    return text
