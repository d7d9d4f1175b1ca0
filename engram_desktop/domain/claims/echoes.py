"""Finds facts that end by the words in which they were stated, whatever their facet.

Two kinds of sentences end facts without a facet: a person no longer does what they were said to do,
or an event takes place on another day than was said. The earlier fact is found by its words: a
sentence about the same person or the same event.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Claim, Facet, Finding, Quote
from engram_desktop.domain.claims.hinted_rules import Marker
from engram_desktop.domain.claims.states_en import NUM
from engram_desktop.domain.claims.wording import (
    STOP_HAN,
    counted,
    fold_thing,
    number_in,
    stem_of,
    words_of,
)
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_BACK = 1_500  # floors searched before an end for the earlier fact: a long arc
_LOOKED_AT = 12  # first floors with shared words that are read for it
_WORDS_KEPT = 512  # sentences with a day, 1 KB each: more than 200 floors have
_DATED_BACK = 200  # floors for which a stated day can be moved
_COUNTS_KEPT = 60  # last counts by one unit with which a new one is compared
# The word before these names what is led: the station of a station leader.
_LEADS = frozenset("leader head chief boss manager master keeper commander director".split())
_OFFICE = 3  # characters of a Chinese office
_RARE = 6  # floors with a word: up to this number they are about one thing
_ADMITTED = re.compile(r"假的|骗|谎|\b(?:lie|lied|false|never was|not really)\b")
_PART = 0.6  # share of the ended fact's words that must be in the earlier sentence
_BOTH = 2  # words, or Chinese characters, that both must share at least
_CJK = re.compile("[\u4e00-\u9fff]")

# That somebody else does no more is a guess: 那你以后就不来买菜了.
_SUPPOSES = re.compile("(?:那么?|这么说|看来|照这么说)[，,]?[你您](?!已|们已|早)")
# no longer …: the following words are over
QUITS_ZH = Marker(
    r"(?:不再|再也(?:不|没有?))(?:是|当|做)?(?P<v>[^，。！？；：、“”「」\s]{2,12})"
    r"|(?:如今|现在|往后|从此|以后|之后|以来|今后|已经|早就|早已|后来"
    r"|入[春夏秋冬]|从(?:今天|今日|今|明天|明日)(?:起|开始))[^，。！？“”]{0,6}?"
    r"不(?!会|要|是我|知|禁|由|好|见|用|必|错|过|到|住)(?:给|跟|替|在|做|当)?"
    r"(?P<w>[^，。！？；：、“”「」\s]{2,10}?)了(?=[，。！；”」…]|$)"
    r"|(?:我|你|他|她|[\u4e00-\u9fff]{2,3})也?不(?:在|做|当|干|开|教|管|守|住|回|去|跟|给|替|卖|唱|养|信)"
    r"(?P<x>[^，。！？；：、“”「」\s]{2,8}?)了(?=[，。！；”」…]|$)"
    r"|(?P<y>[^，。！？；：、“”「」\s]{2,8}?)(?:已经|早就|也|全|都|被)*(?:作罢|取消|作废|解除|还清|结清"
    r"|两清|拆|封|撤|裁|解散|停|关张|倒闭)了(?=[，。！；”」…]|$)"
    r"|(?:从|打)(?P<z>[^，。！？；：、“”「」\s]{2,10}?)(?:搬|调|换|改|撤|退)(?:了?出来|到|成|去)",
    hints="不|没有|作罢|取消|作废|解除|还清|结清|两清|拆了|封了|撤了|裁了|解散|停了|关张|倒闭|从|打",
)
_OVER_NOUN = r"(?:the|that|my|your|his|her|our|their|(?-i:[A-Z])\w+['’]s) (?:[\w\-]+ ){0,2}?[\w\-]+"
QUITS_EN = Marker(
    r"(?:n['’]t|\bnot|\bnever|\bnobody|\bno one) (?P<v>[^.,;!?\"“”]{3,60}?) any ?(?:more|longer)\b"
    r"|\bno longer (?P<w>[^.,;!?\"“”]{3,60})"
    r"|\b(?:gave up|given up|gives up|giving up|retired from) (?P<x>(?:the |his |her "
    r"|my )?\w+[^.,;!?"
    r"\"“”]{0,40})"
    rf"|\b(?:not|never) going back (?:up |down |in )?to (?P<y>{_OVER_NOUN})"
    rf"|\b(?:had|have|has) to leave (?P<a>{_OVER_NOUN})(?=[.,;!?]|$)"
    r"|(?:['’](?:re|m|s)| am| are| is) off (?P<b>(?:the )?[a-z]{4,})(?=[.,;!])"
    r"|\bused to (?P<c>(?:be|live|work|run|own|have|keep|sleep|teach|wear|belong|drink|smoke|play"
    r"|drive|sell|serve|stay|date|lead|hate|love|guard)\b[^.,;!?\"“”]{4,60})"
    rf"|\b(?:done|finished|through) with (?P<d>{_OVER_NOUN})(?=[.,;!?]|$)"
    r"|\b(?:wrote off|written off|paid off|called off|laid down|signed away|handed in|turned in"
    rf"|handed back|unpinned|swapped|traded) (?P<e>{_OVER_NOUN}|what \w+ \w+)"
    r"(?=[.,;!?]|$| for| and| to)"
    rf"|(?P<f>{_OVER_NOUN}) (?:is|was|are|were|has been|had been|have been) (?:signed over|written"
    r" off|paid off|called off|discharged|at an end|cancelled|settled|dissolved|revoked|annulled"
    r"|disbanded|sold off|torn down|pulled down)",
    re.IGNORECASE,
    hints="more|longer|gave up|given up|gives up|giving up|retired from|going back|to leave|off "
    "|used to|done with|finished with|through with|wrote off|written off|paid off|called off"
    "|laid down|signed away|handed in|turned in|handed back|unpinned|swapped|traded|signed over"
    "|discharged|at an end|cancelled|settled|dissolved|revoked|annulled|disbanded|torn down"
    "|pulled down",
)

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ORDINAL = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:first|second|third)(?= of)|fourth|fifth|sixth|seventh|eighth"
    r"|ninth|tenth|eleventh|twelfth"
    r"|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    r"|(?:twenty|thirty)-\w+)"
)
_COUNT = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a|an|another|a couple of"
    r"|a few)"
)
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_HINTS_EN = (
    *_WEEKDAYS.split("|"),
    *_MONTHS.split("|"),
    *"noon midnight dawn dusk sunset sunrise moonrise".split(),
    *(f"{word} {hour}" for word in ("at", "by", "until", "till") for hour in _HOURS),
    *(f"{unit}{end}" for unit in ("hour", "day", "week", "month") for end in ("s", ".", ",")),
    *"fourth fifth sixth seventh eighth ninth tenth eleventh twelfth teenth tieth".split(),
    *(f"{digit}{end}" for digit in "0123456789" for end in ("th", " am", " pm", "am", "pm")),
    *"1st 2nd 3rd another".split(),
)
DATED_EN = Marker(
    rf"\b(?P<day>{_WEEKDAYS})\b"
    rf"|\b(?:on|by|before|until|till|to|for|from) the (?P<nth>{_ORDINAL})\b"
    rf"|\b(?P<month>(?:{_MONTHS}) (?:the )?{_ORDINAL}|{_ORDINAL} of (?:{_MONTHS})"
    rf"|(?:in|by|until|till|to) (?:{_MONTHS}))\b"
    r"|\b(?:at|by|until|till|to) (?P<clock>(?:noon|midnight|dawn|dusk|sunset|sunrise|moonrise|nine"
    r"|ten|eleven|twelve|one|two|three|four|five|six|seven|eight)(?: (?:o['’]clock|sharp))?"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)?)(?=[.,;!?\"”*]| (?:in the|at night|tomorrow"
    r"|on)|$)"
    rf"|\b(?:in|for) (?P<span>{_COUNT} (?:more )?(?:hours?|days?|weeks?|months?))\b",
    re.IGNORECASE,
    hints="|".join(_HINTS_EN),
)
_DIGIT = r"[一二两三四五六七八九十廿\d]"
_HINTS_ZH = (
    *(f"{week}{day}" for week in ("周", "星期", "礼拜") for day in "一二三四五六日天末"),
    *(f"{digit}{end}" for digit in "一二两三四五六七八九十廿0123456789" for end in "月号点"),
    *(f"初{digit}" for digit in "一二三四五六七八九十"),
    *(
        f"{unit}{end}"
        for unit in ("天", "日", "星期", "个月")
        for end in ("后", "之后", "以后", "内")
    ),
    *"正月 腊月 冬月 开春 入夏 入秋 入冬 年底 年初 月底 月初 中秋 除夕 端午 重阳".split(),
    *"元宵 明年 后年".split(),
)
DATED_ZH = Marker(
    rf"(?P<day>(?:周|星期|礼拜)[一二三四五六日天末])"
    rf"|(?P<nth>(?:{_DIGIT}{{1,3}}|正|腊|冬)月(?:初?{_DIGIT}{{1,3}}[日号]?|[初底中末]))"
    rf"|(?P<month>(?<![月\d])(?:初{_DIGIT}{{1,2}}|{_DIGIT}{{1,3}}号(?![楼房线院病舱车门])))"
    rf"|(?P<clock>(?:凌晨|早上|上午|中午|下午|傍晚|晚上"
    rf"|夜里)?(?<![会多少早晚快慢好大小高低有再差轻重近远])"
    rf"{_DIGIT}{{1,3}}点(?!头|名|了?点))"
    rf"|(?P<span>{_DIGIT}{{1,3}}(?:天|日|周|个?星期|个月)(?:之?后|以后|内))"
    r"|(?P<season>开春|入夏|入秋|入冬|年底|年初|月底|月初|中秋|除夕|端午|重阳|元宵|明年|后年)",
    hints="|".join(_HINTS_ZH),
)
# An appointment moved to a day relative to today: no other day of this kind is compared.
_SOON_ZH = "大?后[天日晚]|明[天日晚早晨年]|今[晚夜天]"
_OF_DAYS = frozenset(("day", "nth", "month", "season", "soon"))  # any of them may replace the day
# Words with which a day is said to have changed.
_RESET = re.compile(
    r"改(?!变|天|日|革|善|造|编|装)|推迟|推后|推到|延期|延后|延到|顺延|挪|提前|提早"
    r"|往[前后](?=[挪推移调赶拖])"
    r"|换[到成在]|调[到整]"
    r"|缓到|拖到|变成|不是[^，。]{1,12}(?:是|而)|不得不|改了"
    r"|\bnow(?=[,.;!?\"”*]|$)|\b(?:moved|moving|move[sd]? (?:it|the \w+|to)|change of plan"
    r"|push(?:ed|ing)?|put off"
    r"|put back|postpon\w+"
    r"|brought forward|bring(?:ing)? (?:it |the \w+ )?forward|reschedul\w+|delay\w*|instead"
    r"|chang\w+"
    r"|shift(?:ed|s|ing)?|bump(?:ed|s)?|earlier|sooner|after all|extend\w*|not (?:until|till"
    r"|before)"
    r"|(?:won|would|can|could)(?:['’]t|n['’]t| not) [^.!?]{1,50}(?:before|until|till|for another)"
    r"|(?:will|would|could) not [^.!?]{1,50}(?:before|until|till|for another))\b",
    re.IGNORECASE,
)
# Repeated events have no day that could be moved.
_RECURS = re.compile(
    r"每[天日晚夜早周月年个]|逢|\b(?:every|each|daily|weekly|nightly)\b", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:since|ever since|until last)(?: the| last)? $", re.IGNORECASE)
_DONE_BY = re.compile(  # words that do not identify the ended fact
    r"^(?:be|being|do|does|doing|have|having|need|want|like|anyone|anybody|anything|much|many|way)$"
)
_MONTH_DAY = re.compile(rf"\b({_MONTHS})\.? (?:the )?(\d{{1,2}})(?!\d)", re.IGNORECASE)
# The previous day, if the sentence names it too: from Friday to Sunday.
_WAS_ON = re.compile(
    rf"\bfrom (?:the )?(?P<en>{_WEEKDAYS}|(?:{_MONTHS}) \d{{1,2}}|\d{{1,2}}(?::\d\d)? ?[ap]m)\b"
    r"|从(?P<zh>(?:周|星期|礼拜)[一二三四五六日天末]|[一二两三四五六七八九十\d]{1,3}[月号点])",
    re.IGNORECASE,
)
# Share of the shorter sentence's words that both need: “the meeting” and a month alone
# are many events.
_OF_EVENT = 0.4
# Denied or in the future: such a sentence has nothing that could be over.
_NOT_SO = re.compile(
    r"不|没|未|别|会|\b(?:not|never|no|nobody|none|nothing|will|shall)\b|n['’]t\b|['’]ll\b",
    re.IGNORECASE,
)
_PLAIN = STOP_HAN | frozenset("为以而其已只得着过还太多大小好些吧呢吗啊出起进")
_TO_HEARER = re.compile(r"[你您]|\b[Yy]ou")
_FIRST_PERSON = re.compile(r"我|咱|\b(?:I|my|I['’]m|me)\b")


def echoes_in(text: str, *, is_zh: bool, held: Iterable[object]) -> Iterator[tuple[str, str, int]]:
    """Yield the references of a sentence to earlier facts: a sign, the words, and their position.

    ``quits``: these words are over. ``due``: it names a day; ``moved``: a day other than before.
    ``counts``: it states a count of this unit.
    """
    quits, dated = (QUITS_ZH, DATED_ZH) if is_zh else (QUITS_EN, DATED_EN)
    if (
        quits in held
        and not _SUPPOSES.match(text)
        and (match := quits.pattern.search(text)) is not None
    ):
        group = next(name for name, words in match.groupdict().items() if words)
        yield "quits", match[group], match.start(group)
    if (
        dated in held
        and not _RECURS.search(text)
        and (match := dated.pattern.search(text)) is not None
    ):
        group = next(name for name, words in match.groupdict().items() if words)
        sign = "moved" if _RESET.search(text) is not None else "due"
        last = [m for m in dated.pattern.finditer(text) if m[group]][-1]
        day = last if sign == "moved" else match
        is_since = _SINCE.search(text, 0, day.start()) is not None
        if not is_since:
            yield sign, f"{group}:{day[group].casefold()}", day.start()
    if (COUNTS_ZH if is_zh else COUNTS_EN) in held:
        count = count_in(text, is_zh=is_zh)
        if count is not None:
            yield "counts", f"{count.number} {count.unit}", count.at


def _floor(claim: Claim) -> int:
    return claim.floor


@dataclass
class Echoes:
    """The facts of a line that ended by their own words, as far as the line was read."""

    found: list[Finding] = field(default_factory=list)
    due: dict[str, list[Claim]] = field(default_factory=dict)  # by the kind of day
    counts: dict[str, tuple[Claim, ...]] = field(default_factory=dict)  # by unit
    held: dict[str, Claim] = field(default_factory=dict)  # occupations and ailments, by their words
    days: dict[Quote, str] = field(default_factory=dict)  # by the quote with a day: its current day

    def copy(self) -> Echoes:
        """Return an independent copy."""
        return Echoes(
            list(self.found), dict(self.due), dict(self.counts), dict(self.held), dict(self.days)
        )

    def moved(self, promise: Finding) -> Finding:
        """Return a promise with the day to which it was moved."""
        first = promise.quotes[0]
        if not promise.trigger:
            return promise
        days = (d for q, d in self.days.items() if q.floor == first.floor and q.text in first.text)
        day = next(days, "")
        return replace(promise, trigger=day) if day else promise

    def go_on(self, facts: Sequence[Claim], lines: FloorTexts) -> None:
        """Add facts ended by the claims of the next floors; ``lines``: all floors' sentences."""
        due: defaultdict[str, list[Claim]] = defaultdict(list)
        self._end_by_nouns(facts, lines)
        for claim in facts:
            if claim.facet == "will" and claim.trigger and claim.sign == "vow":
                due["will"].append(claim)
            if claim.facet != "other" or claim.how in ("ooc", "thought"):
                continue
            old: Claim | None = None
            if claim.sign == "counts":
                unit = claim.value.partition(" ")[2]
                counts = self.counts.get(unit, ())
                old = count_before(claim, counts)
                self.counts[unit] = (*counts, claim)[-_COUNTS_KEPT:]
            elif claim.sign == "quits":
                old = _told_to_do(claim, lines)
            elif claim.sign in ("due", "moved"):
                kind = claim.value.partition(":")[0]
                old = _due_before(claim, self._days_before(claim, kind, due))
                if old is not None:
                    self.days[_quote(old)] = claim.value.partition(":")[2]
                due[kind].append(claim)
            if old is not None:
                who = tuple(dict.fromkeys(n for n in (old.speaker, claim.speaker) if n))
                quotes = (_quote(old), _quote(claim))
                about = claim.about or old.about or old.speaker
                facet: Facet = "amount" if claim.sign == "counts" else "other"
                self.found.append(Finding("superseded", "over", who, about, facet, quotes))
        first = facts[-1].floor - _DATED_BACK if facts else 0  # none before it is looked at again
        for kind in {**self.due, **due}:
            known = [*self.due.get(kind, ()), *due[kind]]
            self.due[kind] = known[bisect_left(known, first, key=_floor) :]

    def _days_before(
        self, claim: Claim, kind: str, due: Mapping[str, Sequence[Claim]]
    ) -> Sequence[Claim]:
        """Return the earlier days that a sentence may move, in order."""
        if claim.sign != "moved":
            return ()
        kinds = (*_OF_DAYS, "will") if kind in _OF_DAYS else (kind, "will")
        first = claim.floor - _DATED_BACK
        before: list[Claim] = []
        for rows in (of_kind.get(k, ()) for k in kinds for of_kind in (self.due, due)):
            before += rows[bisect_left(rows, first, key=_floor) :]
        return sorted(before, key=lambda c: (c.floor, c.start))

    def _end_by_nouns(self, facts: Sequence[Claim], lines: FloorTexts) -> None:
        """Add the facts ended by an office: “the Guard is yours” ends “captain of the Guard”."""
        for claim in facts:
            if claim.how in ("ooc", "thought") or claim.depth:
                continue
            old = _held_before(claim, self.held, lines)
            if old is not None:
                who = tuple(dict.fromkeys(n for n in (old.speaker, claim.speaker) if n))
                quotes = (_quote(old), _quote(claim))
                self.found.append(Finding("superseded", "over", who, old.about, old.facet, quotes))
            is_held = claim.facet == "work" or (claim.facet, claim.value) == ("health", "hurt")
            if is_held and claim.polarity and claim.sign != "ends":
                own = words_of(claim.about).units
                self.held.update(dict.fromkeys(words_of(claim.quote).units - own, claim))

    def findings(self, known: Iterable[Finding]) -> list[Finding]:
        """Return the findings except those that another finding covers."""
        told = {f.quotes[-1] for f in known if f.kind == "superseded"}
        return [f for f in self.found if f.quotes[-1] not in told]


def _quote(claim: Claim) -> Quote:
    return Quote(claim.floor, claim.quote.strip())


def _head(value: str) -> str:
    """Return the title of an office: 大副 of 夔牛号的大副."""
    if _CJK.search(value):
        return value.rpartition("的")[2][-_OFFICE:]
    return value.rsplit(maxsplit=1)[-1]


def _office_words(value: str) -> str:
    """Return the words that identify an office: all of a station leader's, else its title."""
    head = _head(value)
    return value if head in _LEADS and len(value.split()) == _BOTH else head


def _held_before(new: Claim, held: Mapping[str, Claim], lines: FloorTexts) -> Claim | None:
    """Return the earlier occupation or ailment that a change names by a rare word."""
    if new.sign not in ("changes", "ends") or new.facet not in ("work", "owner", "place"):
        return None
    if new.facet == "work" and not new.value.strip():
        return None
    words = _office_words(new.value) if new.facet == "work" else fold_thing(new.about)
    for unit in sorted(words_of(words).units):
        old = held.get(unit)
        if old is None or not 0 < new.floor - old.floor <= _BACK:
            continue
        is_gone = old.facet == "health" and new.sign == "ends"
        is_handed_on = old.facet == "work" and new.facet != "place" and new.polarity
        if (is_gone or is_handed_on) and old.about != new.about and not _ADMITTED.search(new.quote):
            floors = lines.with_words(0, new.floor, [unit])
            if len(list(islice(floors, _RARE + 1))) <= _RARE:
                return old
    return None


def _told_to_do(end: Claim, lines: FloorTexts) -> Claim | None:
    """Return the first sentence about what the person no longer does."""
    content = _content(end.value)
    if not content:
        return None
    units = words_of(end.value).units
    if not units:
        return None
    best: tuple[float, Claim] | None = None
    first = max(0, end.floor - _BACK)
    for floor in list(lines.with_words(first, end.floor - 1, units))[:_LOOKED_AT]:
        for line in lines.at(floor):
            if line.sign in ("asked", "unreal") or line.depth or line.how in ("ooc", "thought"):
                continue
            shared = len(content & _content(line.quote))
            is_enough = shared >= min(_BOTH, len(content)) and shared >= _PART * len(content)
            if not is_enough or not _is_of(line, end.about) or _denies(line, end.about):
                continue
            if best is None or shared > best[0]:
                best = shared, line
    return best[1] if best is not None else None


def _denies(line: Claim, person: str) -> bool:
    """Return whether a sentence denies or plans its content; an order to another does not count."""
    found = _NOT_SO.search(line.quote)
    is_order = person in line.hearers and found is not None and "ll" in found[0]
    return found is not None and not is_order


def _is_of(line: Claim, person: str) -> bool:
    """Return whether a sentence may be about a person: a speaker's own, or one naming them."""
    if not person:
        return line.sign == ""
    if person in line.hearers and _TO_HEARER.search(line.quote):
        return True
    if line.how in ("said", "written") and line.speaker == person:
        return _FIRST_PERSON.search(line.quote) is not None
    forms = (
        person,
        person[1:] if _CJK.match(person) and len(person) > _BOTH else person.split(maxsplit=1)[0],
    )
    return (line.how == "narrated" and line.about == person) or any(f in line.quote for f in forms)


def _due_before(moved: Claim, before: Sequence[Claim]) -> Claim | None:
    """Return the sentence with the previous day of an event that is moved."""
    told, days = _event_words(moved.quote), _days_of(moved.quote)
    known = _WAS_ON.search(moved.quote)
    was = (known["en"] or known["zh"]).casefold() if known is not None else ""
    best: tuple[int, Claim] | None = None
    named = _named_event(moved.quote)
    for claim in reversed(before):
        if not 0 < moved.floor - claim.floor <= _DATED_BACK or claim.value == moved.value:
            continue
        units = _event_words(claim.quote)
        shared = len(units & told)
        least = 1 if _CJK.search(moved.quote) or min(len(units), len(told)) <= _BOTH else _BOTH
        least = max(least, round(_OF_EVENT * min(len(units), len(told))))
        is_same_day = days and days == _days_of(claim.quote)
        is_named = bool(named) and named <= words_of(claim.quote).units  # 码头的约
        is_of_it = (shared >= least or is_named) and not is_same_day
        is_of_it = is_of_it and was in claim.quote.casefold()
        if is_of_it and (best is None or shared >= best[0]):
            best = shared, claim
    return best[1] if best is not None else None


def _days_of(text: str) -> frozenset[str]:
    """Return the days of English months in a text: “march 31”."""
    return frozenset(" ".join(m.groups()).casefold() for m in _MONTH_DAY.finditer(text))


def _named_event(text: str) -> frozenset[str]:
    """Return the words of the event that a short Chinese sentence moves to another day."""
    if not _CJK.search(text):
        return frozenset()
    bare = _RESET.sub(" ", re.sub(_SOON_ZH, " ", DATED_ZH.pattern.sub(" ", text)))
    return words_of(bare).units


@lru_cache(maxsize=_WORDS_KEPT)
def _event_words(text: str) -> frozenset[str]:
    """Return the words of an event: stems, or meaningful Chinese character pairs."""
    is_zh = _CJK.search(text) is not None
    bare = (DATED_ZH if is_zh else DATED_EN).pattern.sub(" ", text)
    if not is_zh:
        units = words_of(_RESET.sub(" ", _MONTH_DAY.sub(" ", bare))).units - _CALENDAR
        return frozenset(unit for unit in units if not unit[:1].isdigit())
    bare = re.sub(_SOON_ZH, " ", bare)
    pairs = {bare[n : n + 2] for n in range(len(bare) - 1)}
    return frozenset(p for p in pairs if all(map(_CJK.match, p)) and not set(p) <= _PLAIN)


_CALENDAR = words_of(
    " ".join(
        (_MONTHS.replace("|", " "), _WEEKDAYS.replace("|", " "), "am pm day date time week month")
    )
).units


def _content(text: str) -> frozenset[str]:
    """Return the content of words: Chinese characters, or stems."""
    if _CJK.search(text):
        return frozenset(c for c in text if _CJK.match(c)) - _PLAIN
    stems = {stem_of(w) for w in re.findall(r"[A-Za-z][A-Za-z'’-]*", text)}
    return frozenset(s for s in stems & words_of(text).units if not _DONE_BY.match(s))


# Counts of things, in any wording: a new count ends the previous one. Two sentences count the same
# thing if they have the same unit (发, litres, percent) and share another word or the person they
# are about, or if the story counts nothing else by that unit.

_FEW = 3  # counts by a unit: up to this number the unit alone identifies what is counted
_SHARED = 3  # two sentences count the same thing if a third of the words of one are in the other
_NEAR = 24  # characters around a count in which “only” or “left” refers to it
# Common units: other words must show that the same thing is counted.
_OF_MUCH = frozenset(
    "名 位 头 只 颗 枚 袋 箱 艘 架 支 块 块钱 元 口 人 条 people men women money".split()
)
_UNITS_ZH = (
    "人口 名 位 匹 头 只 发 颗 枚 袋 箱"
    " 公斤 斤 吨 石 票 桶 瓶 艘 架 户 升 亩 顷 条命 支 块钱 元 两银子 银元 文钱"
    " 贯 灵石 分钱 度 级 公里 人 块 口人 口"
)
_NUMBER_ZH = r"[零一二两三四五六七八九十百千万亿半\d]+"
COUNTS_ZH = Marker(
    rf"(?P<percent>百分之{_NUMBER_ZH})|(?P<n>{_NUMBER_ZH})[多来余个]?"
    rf"(?P<u>{'|'.join(_UNITS_ZH.split())})(?![们生工心家才间员]|[^，。]{{0,3}}[年月天日])",
    hints="|".join((*"二两三四五六七八九十百千万亿半0123456789", "剩一", "只有一", "百分之")),
)
_NO_UNITS_EN = (
    r"(?:hours?|days?|weeks?|months?|years?|minutes?|seconds?|times?|miles?|feet|foot|steps?|inch(?:es)?"
    r"|yards?|paces|kilomet\w+|met(?:re|er)s?|o['’]clock|eyes|hands|fingers|arms|legs|more|things?"
    r"|ways|sides|of|or|and|to|in|at|on|by|for|the|that|is|was|other|others|old|long|big|good"
    r"|nights?|mornings?|words|floors?|doors?|seconds|hundred|thousand|million|half|quarter|left)"
)
_NUMBER_EN = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+|{NUM}(?:[ -](?:hundred|thousand|million|dozen))?"
    rf"(?:,? (?:and )?{NUM}(?: hundred)?)?)"
)
_WORDS_EN = (
    "one two three four five six seven eight nine ten eleven twelve teen twent thirt fort fift sixt"
    " sevent eight ninet hundred thousand million dozen"
)
COUNTS_EN = Marker(
    rf"\b(?P<n>{_NUMBER_EN}) ?(?P<percent>%|percent\b|per cent\b)|\b(?P<m>{_NUMBER_EN})"
    rf" (?!{_NO_UNITS_EN}\b)(?:[a-z\-]+ )??(?P<u>(?!{_NO_UNITS_EN}\b)[a-z]{{3,}}s|people|men|women"
    r"|horse|foot|silver|gold|sheep|crew)\b",
    re.IGNORECASE,
    hints="|".join((*_WORDS_EN.split(), *"0123456789")),
)
# With these words a sentence counts things, and not how many things an action is done to.
_THERE_ARE = re.compile(
    r"有|剩|共|余|够|存|带|攒|才|只|：|:|是|满|"
    r"\b(?:is|are|was|were|has|have|had|got|left|hold\w*|count\w*|number\w*|stood|stand|there|only"
    r"|in|on)\b|['’](?:s|re|ve)\b",
    re.IGNORECASE,
)
# With these words a count is said to have changed.
_NOW = re.compile(
    r"剩|(?:只|(?<!人)才|仅)(?:有|够)?(?=[零一二两三四五六七八九十百千万半\d])|现在|如今|眼下|已经|涨|跌|降|升到|增|减|少了|多了|变成|瘦|胖|还有|不到|了(?=[，。！；”」]|$)"
    r"|\b(?:left|only|now|down to|up to|just|remain\w*|already|by (?:now|then|spring|summer|autumn"
    r"|winter|midsummer|morning|dawn|noon)|at last|so far|no more than|still)\b",
    re.IGNORECASE,
)
_SOME_OF = re.compile(  # a part of the things, not all
    r"其中|之一|\b(?:of (?:them|us|you|the|my|his|her)|one of|another|each|every|per)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Count:
    """A count in a sentence: ``number`` of ``unit``, at character ``at``."""

    unit: str
    number: int
    at: int


def count_in(text: str, *, is_zh: bool) -> Count | None:
    """Return the count in a sentence; None without one."""
    pattern = (COUNTS_ZH if is_zh else COUNTS_EN).pattern
    found = list(pattern.finditer(text))
    if len(found) != 1 or _SOME_OF.search(text) or not _THERE_ARE.search(text):
        return None
    match = found[0]
    number = number_in(match[0])
    unit = "%" if match["percent"] else match["u"] if is_zh else counted(match["u"])
    return Count(unit, number, match.start()) if number is not None else None


def count_before(claim: Claim, before: Sequence[Claim]) -> Claim | None:
    """Return which earlier count with the same unit a count ends."""
    if not _is_told_anew(claim.quote):
        return None
    units = _context(claim)
    by_itself = claim.value.partition(" ")[2] not in _OF_MUCH
    for old in reversed(before):
        if not 0 < claim.floor - old.floor <= _BACK:
            continue
        is_one = bool(claim.about) and claim.about == old.about
        is_only = len(before) <= _FEW and not (claim.about and old.about and not is_one)
        if _shares_enough(units, _context(old)) or (by_itself and (is_one or is_only)):
            return old if number_in(old.value) != number_in(claim.value) else None
    return None


def _shares_enough(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two counts share a third of the words of the shorter sentence."""
    shared = len(one & other)
    return shared > 0 and shared * _SHARED >= min(len(one), len(other))


def _is_told_anew(text: str) -> bool:
    """Return whether words near a count say that it was another before."""
    pattern = (COUNTS_EN if text.isascii() else COUNTS_ZH).pattern
    near = ((max(0, m.start() - _NEAR), m.end() + _NEAR) for m in pattern.finditer(text))
    return any(_NOW.search(text[first:last]) for first, last in near)


def _context(claim: Claim) -> frozenset[str]:
    """Return the words around a count, without its number and unit."""
    is_zh = not claim.quote.isascii()
    bare = (COUNTS_ZH if is_zh else COUNTS_EN).pattern.sub(" ", claim.quote)
    return words_of(bare).units
