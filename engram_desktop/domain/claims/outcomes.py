"""Outcomes of promises (kept, broken or given up), from the text after them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from engram_desktop.domain.claims.answer import OUTCOMES, is_piece
from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.deeds import (
    EVERYDAY,
    NEAR,
    SILENCE,
    han_of,
    handed_over,
    is_faith_of_others,
    kept_by_deed,
    named_in,
    outcome_near,
    without_names,
)
from engram_desktop.domain.claims.wording import (
    BACK,
    HANDS,
    ClaimWords,
    words_of,
)
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_WAITED = 1500  # floors after a promise in which its outcome is looked for: a long arc
_LOOKED_AT = 40  # first floors that are read for the outcome of a promise
_TELLING = 2  # words that a promise shares with the sentence that tells it was kept
_DID = re.compile(
    r"[你他她][^，。！？]{0,8}(?:了|过|来|到)|谢谢|多谢"
    r"|(?<![A-Za-z])(?:you|he|she)(?:['’]ve| have| did)?"
    r" (?:\w+ed|brought|gave|came|kept|made|took|found|paid|taught|saved|sent|got|did)(?![A-Za-z])"
    r"|\bthank(?:s| you)\b(?!-)",
    re.IGNORECASE,
)
_PROMISED = re.compile(r"答应过|\bpromised [A-Z]")
_SOON = 60  # floors in which coming back or handing over keeps a promise without its words
_LOOSELY = 8  # first floors read that share only one word with a promise, or are at its due time
_NAMED = 16  # first floors read that name a thing of a promise: one word alone
_BESIDE = 2  # sentences after the one that names when a promise is due
_SHORT = 6  # sentences of a message that tells of one thing
_WHOLE = 3  # characters of a Chinese name: one of the family, two of the person
_ENOUGH = 2  # words that the floors around “I failed you” share with the promise
_SURELY = 3  # repeated words of a promise that are enough without a name beside them
_DONE = re.compile(
    r"了|(?<!不)过|已|终于|完成"
    r"|(?<![A-Za-z])(?:\w+ed|has|have|had|was|were|is|can|took|brought|taught|gave|found|paid"
    r"|spoke|kept|saw|made|bought"
    r"|sent|put|came|went|sends|hands|gives|brings|lifts|tells|telephoned)(?![A-Za-z])"
    r"|['’]s(?= \w+ing\b)"
)
# presence only in thought: 仿佛回到了那一刻
_BACK = re.compile(
    "回到(?!了?(?:那一?[刻天年]|过去|往昔|从前|以前|当年|童年|现实|记忆))|回来|赶回|归来"
)
_HANDS = re.compile("递|还给|还了|还你|交还|归还|物归原主|双手奉")
_WANTS_BACK = re.compile("回来|来见")
_WANTS_HAND = re.compile(
    r"还给|还你|就还|交给|送给|\b(?:give|hand|bring|get)\b[^.!?]{0,40}\bback\b|\breturn (?:your"
    r"|her|his)\b"
)
_NOT_TO = re.compile(
    r"一[\u4e00-\u9fff][^，。]{0,4}(?:都|也)不(?!会?[少缺差错漏])|绝不|决不|永不"
    r"|不会(?![少缺差错]|漏(?!给))|不能|不让|不许|不准"
    r"|别让|(?<![A-Za-z])(?:never"
    r"|won['’]t|will not|shall not|not let)"
    rf"(?![A-Za-z])|{SILENCE}",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"没|不|改到|改期|推迟|延期|(?<![A-Za-z])(?:will|not|never|trying to|trouble|once you(?: have"
    r"|['’]ve))(?![A-Za-z])"
    r"|['’]ll|n['’]t",
    re.IGNORECASE,
)
_PAST = (
    r"(?:\w+ed|brought|gave|came|kept|made|took|found|paid|taught|sent|got|did|built|rebuilt"
    r"|drove|wrote|won"
    r"|fought|held|bought|put|led|told|spoke|sang|flew|met)"
)
_YOU_DID = re.compile(
    rf"\b[Yy]ou(?:['’]ve| have| really| actually| did)? {_PAST}\b|[你您][^，。！？]{{0,8}}(?:了"
    rf"|过)(?!吗)"
)
_PLANS = re.compile(
    r"要|会|等|打算|明天|明日|准备|想|(?<![A-Za-z])(?:will|would|going to|tomorrow|if"
    r"|when)(?![A-Za-z])|['’](?:ll|d)(?![a-z])"
)
_NOT_DONE = re.compile(  # said when something was due
    r"没有?(?:人|来|去|提|做|给|送|还|修|出现|露面|兑现|回来|等到|影子|动静)|不见"
    r"|到底没|终究没"
    r"|始终没|落了空|拖"
    r"|(?<![A-Za-z])(?:nobody|no one|no sign|never|there (?:was|were) no|still (?:in|not|no|there"
    r"|waiting))(?![A-Za-z])"
    r"|(?:did|was|were|had|has|is)n['’]t(?![A-Za-z])"
    r"|come and gone|came and went|过去了|[看去吃做走见办说买赶来回学玩听喝写还送接唱逛成]不(?:成"
    r"|了)了"
    r"|没(?:能)?[\u4e00-\u9fff]{1,2}成|泡汤|落空|不了了之|未能成行|放了鸽子"
    r"|\bfell through\b|\bcame to nothing\b|\bno \w+ (?:is|was|were|got) \w+(?:ed|en)\b"
    r"|\bnever got to\b"
)
_INTENDS = re.compile(  # about the future, or about people in general
    r"\b(?:I['’]m (?:\w+ )?(?:considering|thinking|wondering|worried|trying|struggling|looking to)"
    r"|having (?:\w+ )?(?:trouble|issues|problems)|I (?:just )?(?:want|need|plan) to"
    r"|let['’]s|how to|can you|is intended"
    r"|benefits of|After the \w+, I)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:[-•#:]|\d+[.)])|.*:$|(?:Ensure|Consider|Use|Make sure)\b")
_LISTS = 2  # lines of a floor that belong to a list
_CLAUSES = re.compile(r"[，,；;:：—]")
_FAILED = re.compile("没做到|没能|做不到|对不起|食言|let you down|failed|my word|promise")
_SWEARS = re.compile(
    r"一定(?:会|要|能)?|必定|肯定|绝对|亲手|亲自|我?(?:向你)?(?:发誓|保证|答应你?|起誓|承诺)|之内"
    r"|之前|以前|那天"
    r"|(?<![A-Za-z])(?:I['’]?(?:ll)|I (?:promise|swear|will|shall)|promise|swear|myself|through"
    r"|before|in|you['’]ll)(?![A-Za-z])",
    re.IGNORECASE,
)
# Said to who kept a promise: You keep your word. 你没有食言。
_CREDITS = re.compile(
    r"\byou (?:did )?(?:keep|kept) your (?:word|promise)\b"
    r"|^\W*[你您](?:果然|真的?|还真|倒是?|到底|终于|总算|这次)*(?:没有?食言|做到了|守住了(?:承诺|诺言))(?![吗么吧？])",
    re.IGNORECASE,
)
# What a speaker says they promised: 我答应过你什么都不瞒的.
_CITES = re.compile("(?:答应过?[你您他她]?们?|说[过了])(?=[^的，。！？])([^，。！？]{1,16})")
_SWORN = re.compile(r"保证|发誓|答应|承诺|\b(?:promis\w*|swear|vow)\b", re.IGNORECASE)
# Promises for this very moment: they are dropped after `_SOON` floors.
_AT_ONCE = re.compile(
    r"马上|这就|立[刻即]|现在就|^\W*等[着等]|稍等|等会儿?|等一下"
    r"|\b(?:right (?:now|away|back)|in a (?:sec|second|minute|moment)|just a (?:sec|moment))\b",
    re.IGNORECASE,
)
_STRONG = re.compile("食言|失约|爽约|违背|promise|word|vow")


# A person asked for silence may promise it in words that elsewhere only refuse to answer.
_MAY_REFUSE = re.compile(
    r"^[^。！!？?]{0,8}我[^，,。]{0,8}不会?(?:说|讲)的?[。！!…~～”」]*$|我[^，,。]{0,2}保密[。！!…~～”」]*$"
)
_ASKS_SILENCE = re.compile(
    r"(?:别|不要|不许|不准|莫|休|勿|不能)[^，,。！!？?]{0,6}(?:说|告诉|声张|讲|外传|提|张扬|泄)|保密|秘密|你知我知"
    r"|你要是说|嘘"
)
K = TypeVar("K")
V = TypeVar("V")
_Outcome = tuple[str, Quote]  # status, and the quote that tells it


def add_rows(rows: dict[K, list[V]], more: Mapping[K, list[V]]) -> None:
    """Add rows to a key. A new list is made, as copies share the old ones."""
    for key, new in more.items():
        rows[key] = [*rows.get(key, ()), *new]


@dataclass
class Promises:
    """The promises of a line as far as it was read, and the outcome of each.

    Explicit words have priority; “as I promised” and the like apply to promises still open then.
    For promises from a model, up to the floor it read (``read_to``), only its own claims count.
    """

    given: list[Claim] = field(default_factory=list)  # in the order of the floors
    by_speaker: dict[str, list[int]] = field(default_factory=dict)
    told: list[_Outcome | None] = field(default_factory=list)  # outcome of each by words
    looked_at: list[int] = field(default_factory=list)  # floors read for each promise
    loosely_at: list[int] = field(default_factory=list)  # those of them that share one word only
    named_at: list[int] = field(default_factory=list)  # those that name a thing of the promise
    made: list[Finding] = field(default_factory=list)  # findings returned last
    signs: dict[str, list[Claim]] = field(default_factory=dict)
    around: dict[int, ClaimWords] = field(default_factory=dict)  # of their floors and those before
    beside: dict[int, frozenset[str]] = field(default_factory=dict)  # by floor of a kept promise
    read_to: int = -1
    last_floor: int = -1

    def copy(self) -> Promises:
        """Return an independent copy."""
        return Promises(
            list(self.given),
            dict(self.by_speaker),
            list(self.told),
            list(self.looked_at),
            list(self.loosely_at),
            list(self.named_at),
            list(self.made),
            dict(self.signs),
            dict(self.around),
            dict(self.beside),
            self.read_to,
            self.last_floor,
        )

    def go_on(
        self, facts: Sequence[Claim], lines: FloorTexts, first_floor: int, last_floor: int
    ) -> None:
        """Add the promises of the floors from ``first_floor`` on, and outcomes told there."""
        by_speaker: dict[str, list[int]] = {}
        signs: dict[str, list[Claim]] = {}
        for claim in facts:
            if _is_given(claim) and not _refuses(claim, lines):
                by_speaker.setdefault(claim.speaker, []).append(len(self.given))
                self.given.append(claim)
                self.told.append(None)
                self.looked_at.append(0)
                self.loosely_at.append(0)
                self.named_at.append(0)
                self.made.append(_finding(claim, None))
            if claim.sign in OUTCOMES and claim.how != "ooc":
                signs.setdefault(claim.sign, []).append(claim)
            if claim.sign == "keeps":
                told = "".join(c.quote for c in lines.at(claim.floor))
                self.beside[claim.floor] = han_of(told)
            if claim.sign in OUTCOMES and _FAILED.search(claim.quote):
                near = [*lines.at(claim.floor - 1), *lines.at(claim.floor)]
                self.around[claim.floor] = ClaimWords.joined(words_of(c.quote) for c in near)
        self.last_floor = max(self.last_floor, last_floor)
        add_rows(self.by_speaker, by_speaker)
        add_rows(self.signs, signs)
        waiting = bisect_left(range(len(self.given)), first_floor - _WAITED, key=self._floor_of)
        for number in range(waiting, len(self.given)):
            is_read = self.looked_at[number] >= _LOOKED_AT and self.named_at[number] >= _NAMED
            if self.told[number] is None and not is_read:
                self._look(number, lines, first_floor, last_floor)

    def findings(self) -> list[Finding]:
        """Return the promises with their outcomes, except momentary ones of long ago."""
        outcomes = self._with_signs()
        for number, outcome in enumerate(outcomes):
            if _outcome(self.made[number]) != outcome:
                self.made[number] = _finding(self.given[number], outcome)
        return [
            made
            for given, made in zip(self.given, self.made, strict=True)
            if made.status != "open" or not self._is_gone(given)
        ]

    def _is_gone(self, given: Claim) -> bool:
        is_old = self.last_floor - given.floor > _SOON
        is_sworn = given.is_model or _SWORN.search(given.quote) is not None
        return is_old and not is_sworn and _AT_ONCE.search(given.quote) is not None

    def _look(self, number: int, lines: FloorTexts, first_floor: int, last_floor: int) -> None:
        """Search sentences that repeat the words of a promise as done."""
        claim = self.given[number]
        whole_quote = without_names(claim)
        quote = whole_quote.replace(claim.trigger, " ") if claim.trigger else whole_quote
        words = words_of(_SWEARS.sub(" ", quote))
        whole = words_of(whole_quote)
        if not words.units:
            words = whole
        people = [n for n in (claim.speaker, claim.about) if n]
        unread = self.read_to + 1 if claim.of is not None else 0
        first = max(claim.floor + 1, first_floor, unread)
        last = min(last_floor, claim.floor + _WAITED)
        hands = _WANTS_HAND.search(claim.quote) is not None
        back = _WANTS_BACK.search(claim.quote) is not None
        least = 2 if len(words.units) > 2 else 1
        meant = _PromiseParts(words.units - EVERYDAY, whole.units - EVERYDAY, people, hands, back)
        _core, due, is_barred = _promised(claim.quote, claim.trigger)
        floors = set(lines.with_words(first, last, whole.units, least))
        loosely = due | whole.units if is_barred else due
        if loosely:
            near = [n for n in lines.with_words(first, last, loosely) if n not in floors]
            near = near[: _LOOSELY - self.loosely_at[number]]
            self.loosely_at[number] += len(near)
            floors |= set(near)
        if hands or back:
            deeds = [HANDS] * hands + [BACK] * back
            floors |= set(lines.with_words(first, last, deeds))
        floors |= set(range(first, min(last, claim.floor + NEAR) + 1))
        beside = lines.at(claim.floor)
        for floor in sorted(floors)[: _LOOKED_AT - self.looked_at[number]]:
            self.looked_at[number] += 1
            self.told[number] = _tells(claim, _told_at(lines, floor), meant, beside)
            if self.told[number] is not None:
                break
        self._look_for_deeds(number, lines, first, last, but=floors)

    def _look_for_deeds(
        self, number: int, lines: FloorTexts, first: int, last: int, *, but: Set[int]
    ) -> None:
        """Search floors that only name a thing of a promise for a deed that keeps it.

        ``but`` are the floors already read; their words apply to the floors after them.
        """
        claim, known = self.given[number], self.told[number]
        things = named_in(claim, lines.at(claim.floor)) if claim.sign == "vow" else ()
        last = min(last, known[1].floor) if known is not None else last
        floors = (
            [n for n in lines.with_words(first, last, things) if n not in but] if things else []
        )
        for floor in floors[: max(0, _NAMED - self.named_at[number])]:
            self.named_at[number] += 1
            told = _told_by_deed(claim, _told_at(lines, floor), lines.at(claim.floor))
            if told is not None:
                self.told[number] = told
                return

    def _with_signs(self) -> list[_Outcome | None]:
        """Match “as I promised” and the like with the newest open promise of the same speaker."""
        outcomes = list(self.told)
        hearers = {name for given in self.given for name in given.hearers}
        for sign, status in (("keeps", "kept"), ("breaks", "broken"), ("drops", "given_up")):
            for mark in self.signs.get(sign, ()):
                best = self._meant(mark, outcomes, hearers, is_weak=sign != "keeps")
                if best is not None:
                    outcomes[best] = (status, Quote(mark.floor, mark.quote.strip()))
        return outcomes

    def _meant(
        self,
        mark: Claim,
        outcomes: Sequence[_Outcome | None],
        hearers: Set[str],
        *,
        is_weak: bool,
    ) -> int | None:
        if mark.of and (cited := self._cited(mark)) is not None:
            return cited
        if _credits(mark):
            return self._credited(mark, outcomes)
        if not mark.is_model and mark.sign == "keeps" and is_faith_of_others(mark):
            return None
        who = mark.speaker or mark.about
        if mark.is_model and mark.about in self.by_speaker:
            who = mark.about  # a model names the giver of the promise
        own = self.by_speaker.get(who, ())
        first = bisect_left(own, mark.floor - _WAITED, key=self._floor_of)
        near = own[first : bisect_left(own, mark.floor, key=self._floor_of)]
        candidates = [n for n in near if outcomes[n] is None or mark.is_model]
        to = _promised_to(mark.quote, hearers)
        candidates = [n for n in candidates if not to or to.intersection(self.given[n].hearers)]
        words = words_of(f"{mark.quote} {mark.value}" if mark.is_model else mark.quote)
        said = words.units - EVERYDAY - _names_in(mark)
        shared = {n: len(words_of(self.given[n].quote).units & said) for n in candidates}
        if not mark.is_model and mark.sign == "keeps":
            shared = self._by_hearer(mark, self._by_cited(mark, shared))
            candidates = list(shared)
        if not mark.is_model and not any(shared.values()) and _FAILED.search(mark.quote):
            near_words = self.around.get(mark.floor, words)
            for n in candidates:
                count = words_of(self.given[n].quote).shared(near_words)
                shared[n] = count if count >= _ENOUGH else 0
        if not (is_weak or mark.is_model):  # a promise not to do a thing is kept by no deed
            candidates = [n for n in candidates if shared[n] or not self._is_barred(n)]
        if (is_weak or mark.is_model) and not _STRONG.search(mark.quote):
            candidates = [number for number in candidates if shared[number]]
        return max(candidates, key=lambda n: (shared[n], self.given[n].floor), default=None)

    def _credited(self, mark: Claim, outcomes: Sequence[_Outcome | None]) -> int | None:
        """Return the newest open promise of the hearer to the one who says that it was kept."""
        for number in reversed(self.by_speaker.get(mark.hearers[0], ())):
            claim = self.given[number]
            is_theirs = claim.floor < mark.floor and mark.speaker in claim.hearers
            if is_theirs and outcomes[number] is None and not self._is_barred(number):
                return number if mark.floor - claim.floor <= _WAITED else None
        return None

    def _by_cited(self, mark: Claim, shared: dict[int, int]) -> dict[int, int]:
        """Return which promises share the words that a mark says were promised, and how many.

        All without such words: “as I promised”. 我答应过你什么都不瞒的 means no promise of a house.
        """
        match = _CITES.search(mark.quote)
        people = "".join(name for n in shared for name in self.given[n].hearers)
        cited = han_of(match[1]) - han_of(people) if match is not None else frozenset()
        if not cited:
            return shared
        alike = {n: len(cited & han_of(self.given[n].quote)) for n in shared}
        return {n: count for n, count in alike.items() if count}

    def _by_hearer(self, mark: Claim, shared: dict[int, int]) -> dict[int, int]:
        """Return the promises to those who hear that one was kept; all if there is none."""
        hearers = set(mark.hearers)
        own = {n: c for n, c in shared.items() if hearers.intersection(self.given[n].hearers)}
        if any(shared.values()):
            return shared
        told = self.beside.get(mark.floor, frozenset())
        alike = {n: len(told & han_of(without_names(self.given[n]))) for n in own or shared}
        return {n: c if c >= _ENOUGH else 0 for n, c in alike.items()}

    def _is_barred(self, number: int) -> bool:
        return _NOT_TO.search(self.given[number].quote) is not None

    def _cited(self, mark: Claim) -> int | None:
        """Return the newest promise whose words a model cites."""
        words = bare(mark.of or "")
        last = bisect_left(range(len(self.given)), mark.floor + 1, key=self._floor_of)
        for number in range(last - 1, -1, -1):
            if is_piece(words, bare(self.given[number].quote)):
                return number
        return None

    def _floor_of(self, number: int) -> int:
        return self.given[number].floor


@dataclass(frozen=True, slots=True)
class _PromiseParts:
    """The parts of a promise to search in later sentences.

    ``core`` are its words without the due time, ``whole`` all words; ``hands``: it hands over a
    thing, ``back``: it is about coming back.
    """

    core: frozenset[str]
    whole: frozenset[str]
    people: Sequence[str]
    hands: bool
    back: bool


def _promised_to(quote: str, hearers: Set[str]) -> set[str]:
    """Return which ``hearers`` a sentence such as “I promised Alice” names."""
    if _PROMISED.search(quote) is None:
        return set()
    return {name for name in hearers if f"答应过{name}" in quote or f"promised {name}" in quote}


def _is_given(claim: Claim) -> bool:
    """Return whether a claim is a promise; only a model tells silent vows from mere intentions."""
    is_told = claim.how in ("said", "written") or (claim.is_model and claim.how == "thought")
    return claim.facet == "will" and is_told and bool(claim.speaker)


def _refuses(claim: Claim, lines: FloorTexts) -> bool:
    """Return whether a silence nobody asked for only refuses to answer: 我不会说的."""
    if claim.is_model or _MAY_REFUSE.search(claim.quote) is None:
        return False
    before = [*lines.at(claim.floor - 1), *lines.at(claim.floor)]
    said = [c for c in before if c.how == "said" and c.speaker != claim.speaker]
    asked = (c for c in said if (c.floor, c.start) < (claim.floor, claim.start))
    return not any(_ASKS_SILENCE.search(c.quote) for c in asked)


def _told_at(lines: FloorTexts, floor: int) -> list[Claim]:
    """Return the sentences of a floor that assert content of their own."""
    return [
        line
        for line in lines.at(floor)
        if line.sign not in ("asked", "unreal") and line.how != "ooc" and not line.depth
    ]


def _tells(
    claim: Claim, told: Sequence[Claim], meant: _PromiseParts, beside: Sequence[Claim]
) -> _Outcome | None:
    """Return the outcome of a promise in the sentences of a floor; ``beside``: its own floor's."""
    is_vow = claim.sign == "vow"
    handed = handed_over(claim, told, beside) if is_vow and _is_later(told, claim) else None
    if handed is not None:
        return "kept", Quote(handed.floor, handed.quote.strip())
    if is_vow and told and told[0].floor <= claim.floor + NEAR:
        near_outcome = outcome_near(claim, told)
        if near_outcome is not None:
            status, shows = near_outcome
            return status, Quote(shows.floor, shows.quote.strip())
    told = [] if _is_advice(told) else told
    for line in told:
        found = _told_again(line, claim, meant)
        if found:
            return found, Quote(line.floor, line.quote.strip())
    if not is_vow:
        return None  # a thread noted by the user is no vow: its words occur while it is open
    return _came_of(claim, told) or _told_by_deed(claim, told, beside)


def _is_later(told: Sequence[Claim], claim: Claim) -> bool:
    """Return whether a floor is after the reply to a promise."""
    return bool(told) and told[0].floor > claim.floor + 1


def _told_by_deed(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim]) -> _Outcome | None:
    if not _is_later(told, claim):
        return None
    shown = kept_by_deed(claim, told, beside)
    return ("kept", Quote(shown.floor, shown.quote.strip())) if shown is not None else None


def _names_in(line: Claim, *people: str) -> frozenset[str]:
    """Return the names of speaker and hearer: these words do not identify a promise."""
    return words_of(" ".join([*people, line.speaker, *line.hearers])).units


def _told_again(line: Claim, claim: Claim, meant: _PromiseParts) -> str:
    """Return the outcome of a promise if a sentence repeats its words, or ""."""
    told = words_of(line.quote).units
    told -= _names_in(line, *meant.people)
    telling = len(told & meant.core)
    is_of = line.speaker in meant.people or line.about in meant.people
    is_of = is_of or any(name in line.quote for name in meant.people)
    shared = len(told & meant.whole)
    is_near = line.floor - claim.floor <= _SOON
    if line.sign in ("breaks", "drops") and is_of and shared >= (1 if is_near else 2):
        return "broken" if line.sign == "breaks" else "given_up"
    is_faith = line.sign == "keeps" and not is_faith_of_others(line)
    if is_faith and line.speaker == claim.speaker and telling:
        return "kept"
    if not is_of and telling < _SURELY:
        return ""
    giver = claim.speaker in (line.speaker, line.about) or claim.speaker in line.quote
    giver = giver and (line.floor - claim.floor <= _SOON or telling > 0)
    if meant.hands and giver and _HANDS.search(line.quote) and line.how == "narrated":
        return "kept"
    if meant.back and giver and _BACK.search(line.quote) and line.how == "narrated":
        return "kept"
    # a promise not to do a thing is kept while it is not done, which no sentence tells
    enough = telling >= _TELLING or telling == len(meant.core) > 0
    enough = enough or (telling > 0 and _is_credited(line, claim))
    is_deed = enough and _is_by(line, claim) and _NOT_TO.search(claim.quote) is None
    is_done = is_deed and _DONE.search(line.quote) and not _UNDONE.search(line.quote)
    return "kept" if is_done and not _INTENDS.search(line.quote) else ""


def _credits(mark: Claim) -> bool:
    """Return whether a speech says to its only hearer that a promise was kept."""
    is_said = not mark.is_model and mark.sign == "keeps" and bool(mark.speaker)
    return is_said and len(mark.hearers) == 1 and _CREDITS.search(mark.quote) is not None


def _is_credited(line: Claim, claim: Claim) -> bool:
    """Return whether a speaker says to the giver that they did it: You rebuilt it."""
    is_said = line.how == "said" and bool(line.speaker) and line.speaker != claim.speaker
    return is_said and _YOU_DID.search(line.quote) is not None


def _came_of(claim: Claim, told: Sequence[Claim]) -> _Outcome | None:
    """Return the outcome if several sentences of a floor contain the words of a promise.

    Kept: half of the promise is told as done in the giver's presence. Broken: it was due, and is
    not done.
    """
    core, due, is_barred = _promised(claim.quote, claim.trigger)
    bags = [words_of(line.quote).units for line in told]
    is_due = [not due.isdisjoint(bag) for bag in bags]
    if not due and len(bare_due := _SWEARS.sub("", claim.trigger).strip("，, ")) > 1:
        is_due = [bare_due in line.quote for line in told]  # 中秋
    if not any(is_due) and len(core & frozenset().union(*bags)) < _ENOUGH:
        return None
    if is_barred:
        return None
    found = _undone(told, bags, is_due, core)
    own = [line for line in told if _is_of(claim.speaker, line)]
    status = "broken"
    if found is None:
        found = _done(told, bags, core, own, is_due=any(is_due))
        status = "kept"
    return (status, Quote(found.floor, found.quote.strip())) if found is not None else None


def _undone(
    told: Sequence[Claim],
    bags: Sequence[frozenset[str]],
    is_due: Sequence[bool],
    core: frozenset[str],
) -> Claim | None:
    """Return the sentence in which something due is not done."""
    for number, (line, bag) in enumerate(zip(told, bags, strict=True)):
        is_near = any(is_due[max(0, number - _BESIDE) : number + 1])
        is_told = line.how == "narrated" and (bag & core or len(told) <= _SHORT)
        if is_near and is_told and _NOT_DONE.search(line.quote):
            return line
    return None


def _done(
    told: Sequence[Claim],
    bags: Sequence[frozenset[str]],
    core: frozenset[str],
    own: Sequence[Claim],
    *,
    is_due: bool,
) -> Claim | None:
    """Return the sentence that tells most of a promise as done, if it is at least half."""
    done = [
        (line, bag & core)
        for line, bag in zip(told, bags, strict=True)
        if bag & core and _is_told_done(line.quote, core) and not _INTENDS.search(line.quote)
    ]
    shared = frozenset(unit for _line, units in done for unit in units)
    # pairs of Chinese characters overlap: a third of them is half of the words
    part = 2 if told and told[0].quote.isascii() else 3
    half = (len(core) + part - 1) // part
    least = min(half, 2) if is_due else max(2, min(half, _SURELY))
    is_own = bool(own) and (is_due or any(line in own for line, _units in done))
    is_told = is_due or any(
        line.how == "narrated" or _DONE.search(line.quote) for line, _units in done
    )
    if not done or len(shared) < least or not is_own or not is_told:
        return None
    return max(done, key=lambda row: len(row[1]))[0]


def _is_told_done(quote: str, core: frozenset[str]) -> bool:
    """Return whether the clauses with words of a promise tell them as done."""
    clauses = [c for c in _CLAUSES.split(quote) if words_of(c).units & core] or [quote]
    return any(not _PLANS.search(clause) and not _UNDONE.search(clause) for clause in clauses)


@lru_cache(maxsize=2_000)
def _promised(quote: str, trigger: str) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return the words of the promised action and of its due time, and whether it is negative."""
    bare = quote.replace(trigger, " ") if trigger else quote
    due = words_of(_SWEARS.sub(" ", trigger)).units
    core = words_of(_SWEARS.sub(" ", bare)).units - EVERYDAY
    return core, due, _NOT_TO.search(quote) is not None


def _is_advice(told: Sequence[Claim]) -> bool:
    """Return whether a floor is a list of advice by an assistant, which reports no deeds."""
    return sum(_LISTED.match(line.quote) is not None for line in told) >= _LISTS


def _is_by(line: Claim, claim: Claim) -> bool:
    """Return whether a sentence may report a kept promise: by or about the giver, or narrated."""
    name = claim.speaker
    if line.how in ("said", "written") and line.speaker and line.speaker != name:
        surname = not name.isascii() and name[:1] in line.quote
        return surname or _DID.search(line.quote) is not None or _called(name) in line.quote
    people = [n for n in (name, claim.about) if n]
    return line.how in ("said", "written") or any(_is_of(n, line) for n in people)


def _is_of(name: str, line: Claim) -> bool:
    """Return whether a person says a sentence, or it is about them."""
    return name in (line.speaker, line.about) or _called(name) in line.quote


def _called(name: str) -> str:
    """Return the form of a person's name in a sentence: the given name."""
    return name[1:] if len(name) == _WHOLE and not name.isascii() else name.split(maxsplit=1)[0]


def _outcome(finding: Finding) -> _Outcome | None:
    return None if finding.status == "open" else (finding.status, finding.quotes[1])


def _finding(claim: Claim, outcome: _Outcome | None) -> Finding:
    status, answer = outcome if outcome is not None else ("open", None)
    quotes = (Quote(claim.floor, claim.quote.strip()), *((answer,) if answer else ()))
    who = (claim.speaker, *(n for n in (claim.about,) if n and n != claim.speaker))
    known_to = (claim.speaker,) if claim.how == "thought" else ()
    return Finding(
        "promise", status, who, claim.about, "will", quotes, claim.trigger, known_to=known_to
    )
