"""Findings from claims of one address: a person or thing, and one facet of it.

A new value ends the previous one, or two values contradict each other. A rule needs a shared
subject before it reports a contradiction, and reports nothing when in doubt. Findings that are one
are merged.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim, ClaimList, Finding, Quote
from engram_desktop.domain.claims.fact_words import NEWLY
from engram_desktop.domain.claims.lasting import KEY, differ
from engram_desktop.domain.claims.wording import (
    fold_thing,
    number_in,
    same_place,
    same_value,
    without_numbers,
    words_of,
)
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.untruths import FloorSentences

_CHANGING = frozenset(
    ("name", "home", "place", "owner", "work", "alive", "bond", "health", "amount", "date")
)
_PASSING = ("owner", "place", "amount", "alive", "name")  # a new value ends one in passing
_FIXED = frozenset(("origin", "years"))
_IS_HABIT = re.compile(
    r"^(?!(?:at|in|on|for|as|under|by|with|to) )[a-z]+s? (?:the|an?|tables|for)\b"
    r"|[给替帮编教写管修卖守画唱]"
)
# From this day on: the previous activity does not matter.
_STARTS = re.compile(
    r"从(?:今|明)[天日后]?(?:起|开始|往后)?|\bfrom (?:today|tonight|tomorrow|now on)\b|\bas of\b",
    re.IGNORECASE,
)
_FORMERLY = re.compile(r"[之以]前|\b(?:before that|previously|until)\b")
_WED = re.compile(
    r"老[婆公]|妻|丈夫|夫[妻妇人君]|媳妇|太太|[结成]婚|成亲|\b(?:wife|husband|spouse|married|wed)",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"(?:答应|愿意|愿不愿意|要不要|能不能|可以)[^，。]{0,4}[做当成]我|\bwill you be my\b"
)
_PARTED = re.compile("分手|离婚|绝交|决裂|broke up|split up|divorced", re.IGNORECASE)
_UNAWAKE = re.compile(r"昏|晕|不醒|沉睡|unconscious|coma|fainted|passed out|asleep", re.IGNORECASE)
_LIMBS = re.compile(
    r"手|腿|脚|臂|胳膊|肩|膝|腕|踝|指|腰|眼|耳|\b(?:leg|arm|wrist|ankle|rib|hand|foot|knee|shoulder"
    r"|elbow|finger|collarbone|eye|thigh|fingers|ribs)\b"
)
# Body parts that count as the same injury: a wrist is part of a hand, the collarbone of an arm.
_SAME_LIMB = dict.fromkeys(
    "手 臂 胳膊 腕 指 肩 arm wrist finger fingers shoulder elbow collarbone".split(), "hand"
) | dict.fromkeys("膝 踝 脚 腿 knee ankle foot thigh".split(), "leg")
# Words for ailments and for their end.
_AILMENTS = {
    word: kind
    for kind, words in {
        "毒": "毒",
        "烧": "烧 体温",
        "哑": "哑 说话 开口",
        "盲": "瞎 失明 光明 复明 视力",
        "忆": "失忆 记忆 想起来",
        "功": "武功 修为 功力 内力 灵力 封印",
        "孕": "孕 流产 生下 分娩",
        "血": "流血 血止 止血",
        "感冒": "感冒 咳",
    }.items()
    for word in words.split()
}
_AILS = re.compile("|".join(_AILMENTS))
_SURELY_DEAD = re.compile(
    "(?!.*(?:说|以为|骗|[？?])).*(?:没了|死了|战死|去世|驾崩|薨|阵亡|牺牲了)"
)  # things that a person tells
_TIME = re.compile("[月周号日初午晚点]")  # time of a planned event: 腊月初三, 十月
_OWED = ("欠款", "debt")  # the address of all debts
_OWES = re.compile(
    r"(?P<zh>[^，。！？“”欠还结两]{0,8})(?:欠|还[清完了]|结清|两清)"
    r"|\b(?P<en>I|you|we|he|she|they|[A-Z][\w'’]+)(?:['’]ve|['’]d| have| has| had| still| now"
    r"| only)* (?:owe[sd]?|(?:re)?paid)\b"
)
_NOT_WHO = re.compile(r"[还也已就都才昨今天经一直终于总算现在仍可的了]+")
_SCENE = 12  # floors after which a stay for a moment no longer ends an earlier place


@dataclass(frozen=True, slots=True)
class ClaimsOfAddress:
    """Claims of one address, in the order of the story.

    ``untrue``: floor and start of claims known to be lies.
    """

    claims: Sequence[Claim]
    untrue: Collection[tuple[int, int]]

    def findings(self, facet: str) -> list[Finding]:
        """Return the findings of these claims."""
        claims = self.claims
        if facet in _CHANGING:
            found = self._over(facet, claims)
        elif facet in _FIXED:
            found = self._against(facet, claims)
        else:
            found = self._ages(claims) if facet == "age" else []
        return found

    def _over(self, facet: str, claims: Sequence[Claim]) -> list[Finding]:
        """Return the findings of one address's claims: each new value ends the previous one."""
        found: list[Finding] = []
        current: Claim | None = None
        beside: list[
            Claim
        ] = []  # values that hold at the same time: another occupation, another injury
        in_passing: Claim | None = None  # mentioned in passing: only a change ends it
        for claim in claims:
            if claim.sign == "states":
                in_passing = in_passing or (claim if claim.polarity else None)
                continue
            is_change = claim.sign in ("changes", "ends", "passes")
            is_hurt = facet == "health" and in_passing is not None and in_passing.value == "fit"
            if current is None and (is_change or is_hurt or facet in _PASSING):
                current = in_passing
            in_passing = None if is_change else in_passing
            if current is None:
                current = claim if claim.polarity else None
            elif not claim.polarity:
                over = _ended_by(claim, facet, (current, *reversed(beside)))
                found += [ended(over, claim)] if over is not None else []
                beside = [c for c in beside if c is not over]
                current = current if over is not current else None
            elif _is_same(facet, current, claim):
                is_plain = (claim.floor, claim.sign) == (current.floor, "") and current.sign
                current = claim if is_plain else current  # not a claim that only accompanies it
            else:
                finding = self._next(facet, current, claim)
                found += [finding] if finding is not None else []
                beside += [current] if finding is None and facet == "work" else []
                # the arm is well, the leg is not
                stays = finding is None and current.value == "hurt"
                current = current if stays else claim
            if current is not None and current.sign == "passes":
                current = None  # a cup handed on: ends the value, but does not last
        return found

    def _next(self, facet: str, old: Claim, new: Claim) -> Finding | None:
        """Return the finding for a new value of an address; None if nothing follows."""
        if _is_settled(old, new):
            return None
        if facet == "alive" and old.value == "dead":
            if old.speaker and old.speaker == new.speaker and new.floor > old.floor:
                return lie_of(old, new, found_out=True)  # taken back by its own speaker
            return self._contradiction(old, new, is_told=new.how == "narrated")
        is_later = new.floor > old.floor
        if facet == "alive":
            is_sure = new.how != "said" or new.speaker == old.speaker
            is_sure = is_sure or _SURELY_DEAD.match(new.quote) is not None
            return ended(old, new) if is_later and is_sure else None
        is_far = new.floor - old.floor > _SCENE and (new.trigger, new.sign) == ("stay", "passes")
        if is_far or (facet == "health" and old.value == "well"):
            return None
        return ended(old, new) if is_later and self._may_end(facet, old, new) else None

    @staticmethod
    def _may_end(facet: str, old: Claim, new: Claim) -> bool:
        if facet == "health":
            return _changes_health(old, new)
        if facet == "bond":
            is_new = new.sign == "changes" or old.value != new.value
            is_new = is_new and not (_WED.search(old.value) and _WED.search(new.value))
            # partners who separated are no longer bound, and a proposal does not bind yet
            return is_new and not _PARTED.search(old.value) and not _PROPOSES.search(old.quote)
        if facet == "work":
            return _may_end_work(old, new)
        if facet == "amount" and old.about in _OWED:  # two debts about the same thing are one
            one, other = _debtor(old), _debtor(new)
            is_one = one == other or (not one.isascii() and bool(set(one) & set(other)))
            if one and other and not is_one:
                return False
            bare = words_of(without_numbers(old.quote))
            is_between = bool(new.speaker) and new.speaker in (old.speaker, *old.hearers)
            return (
                new.value == "0"
                or (new.sign == "ends" and is_between)
                or (not new.depth and bare.shared(words_of(without_numbers(new.quote))) > 0)
            )
        is_time = _TIME.search(old.value) and _TIME.search(new.value)
        is_other = (
            facet == "amount"
            and new.value != "0"
            and not is_time
            and _other_unit(old.value, new.value)
        )
        is_other = is_other or (facet == "amount" and _other_holder(old.about, new.about))
        return not new.depth and not is_other

    def _contradiction(self, one: Claim, other: Claim, *, is_told: bool) -> Finding:
        quotes = (quote_of(one), quote_of(other))
        who = tuple(dict.fromkeys(n for n in (one.speaker, other.speaker) if n))
        if is_told and one.speaker and one.how in ("said", "written"):
            own = one.about == one.speaker or one.about.startswith(one.speaker)
            own = own or any(r.KIN.search(one.quote) is not None for r in (rules_zh, rules_en))
            if own:
                status = "found_out" if other.floor > one.floor else "told"
                return Finding("lie", status, (one.speaker,), one.about, one.facet, quotes)
            return Finding("mistaken", "corrected", (one.speaker,), one.about, one.facet, quotes)
        return Finding("contradiction", "open", who, one.about, one.facet, quotes)

    def _against(self, facet: str, claims: Sequence[Claim]) -> list[Finding]:
        """Return the contradictions: each claim with the first earlier one that it is against."""
        found: list[Finding] = []
        untrue: set[tuple[int, int]] = set()  # local: another reading starts without them
        # Earlier claims by what `_pair` looks at: of those alike only the first is looked at.
        alike: dict[tuple[object, ...], deque[tuple[int, Claim]]] = {}
        for number, claim in enumerate(claims):
            first: tuple[int, Finding, Claim] | None = None
            for rows in alike.values():
                while rows and (_place(rows[0][1]) in self.untrue or _place(rows[0][1]) in untrue):
                    rows.popleft()
                others = ((n, old) for n, old in rows if _place(old) != _place(claim))
                at, old = next(others, (number, claim))
                if at >= (first[0] if first else number) or _is_settled(old, claim):
                    continue
                pair = self._pair(facet, old, claim)
                first = (at, pair, old) if pair is not None else first
            if first is not None:
                found.append(first[1])
                if first[1].kind == "lie":
                    untrue.add(_place(first[2]))
            key = claim.trigger, claim.value, claim.polarity, claim.speaker, claim.how
            alike.setdefault((*key, claim.is_model), deque()).append((number, claim))
        return found

    def _pair(self, facet: str, old: Claim, new: Claim) -> Finding | None:
        """Return the contradiction of two claims that cannot both be true."""
        if old.trigger.startswith(KEY):
            is_own = old.speaker == new.speaker and (old.how, new.how) == (old.how, old.how)
            is_later = new.floor > old.floor and differ(old.trigger, old.value, new.value)
            return (
                self._contradiction(old, new, is_told=not is_own and new.how == "narrated")
                if is_later
                else None
            )
        if facet == "origin" and old.polarity and not new.polarity and old.floor < new.floor:
            is_own = bool(old.speaker) and old.speaker == new.speaker
            if is_own and same_value(facet, old.value, new.value):
                return lie_of(old, new, found_out=True)  # taken back by its own speaker
        if facet == "origin" and old.trigger and new.trigger and old.trigger != new.trigger:
            return None  # born in one place, and raised in another
        is_other = old.polarity and new.polarity and not same_value(facet, old.value, new.value)
        if not is_other or (facet == "years" and not _same_topic(old.trigger, new.trigger)):
            return None
        before, after = number_in(old.value), number_in(new.value)
        if facet == "years" and before is not None and after == before + 1:
            return None  # a year passes in a story
        return self._contradiction(old, new, is_told=new.how == "narrated")

    def _ages(self, claims: Sequence[Claim]) -> list[Finding]:
        found: list[Finding] = []
        current = claims[0]
        for claim in claims[1:]:
            old, new = number_in(current.value), number_in(claim.value)
            if old is not None and new is not None and old != new:
                if new < old or new > old + 3:
                    found.append(
                        self._contradiction(current, claim, is_told=claim.how == "narrated")
                    )
                elif claim.floor > current.floor:
                    found.append(ended(current, claim))
            current = claim
        return found


def _place(claim: Claim) -> tuple[int, int]:
    return claim.floor, claim.start


def _is_settled(old: Claim, new: Claim) -> bool:
    """Return whether a model read both and was asked which earlier words the newer one cites."""
    return old.is_model and new.is_model and new.of is not None


def lie_of(said: Claim, denial: Claim | None = None, *, found_out: bool = False) -> Finding:
    """Return an earlier claim as a lie, with the claim that denies it."""
    quotes = (quote_of(said), *((quote_of(denial),) if denial is not None else ()))
    status = "found_out" if found_out else "told"
    who = (said.speaker,) if said.speaker else ()
    return Finding("lie", status, who, said.about or said.speaker, said.facet, quotes)


def ended(old: Claim, new: Claim) -> Finding:
    """Return the finding that an earlier claim is over."""
    who = tuple(dict.fromkeys(n for n in (old.speaker, new.speaker) if n))
    return Finding("superseded", "over", who, old.about, old.facet, (quote_of(old), quote_of(new)))


def _is_end(facet: str, old: Claim, end: Claim) -> bool:
    """Return whether a denial means that the value is over."""
    is_end = end.sign == "ends" or facet == "place"
    if facet == "alive" or _ends_another(facet, old, end):
        return False
    if end.trigger == "stay" and end.value:  # someone who leaves a place was there
        return same_place(old.value, end.value)
    if end.trigger == "person":  # someone who leaves a place was said to be there
        return not end.value or same_place(old.value, end.value)
    if facet == "work" and end.value:  # it names the occupation that is over
        return is_end and _shares(old, end)
    return is_end


def _ends_another(facet: str, old: Claim, end: Claim) -> bool:
    """Return whether a denial is about another object than the earlier claim."""
    if facet == "bond":  # a break with one person does not end a bond with another
        is_known = bool(old.trigger and end.trigger) and not _is_relative_of(old)
        return is_known and old.trigger != end.trigger
    if facet == "owner":  # someone who sells a boat sells their own
        return bool(end.trigger) and old.value != end.trigger
    return facet == "health" and old.value == "well"


def _is_relative_of(bond: Claim) -> bool:
    """Return whether a bond is with a person known only by it: 沈青芜的未婚夫."""
    return bond.trigger.startswith(bond.about) or bond.about.startswith(bond.trigger)


def _other_unit(one: str, other: str) -> bool:
    """Return whether two amounts have different units: 三个 and 两把."""
    if number_in(one) is None or number_in(other) is None:
        return False  # June and October
    units = [without_numbers(value).strip(" -") for value in (one, other)]
    return all(units) and not units[0].startswith(units[1]) and not units[1].startswith(units[0])


def _changes_health(old: Claim, new: Claim) -> bool:
    if old.value == "fit":
        return new.value == "hurt"
    return new.value != "fit" and _heals(old.quote, new)


def _other_holder(one: str, other: str) -> bool:
    """Return whether two amounts belong to different people."""
    whose = one.rpartition("的")[0], other.rpartition("的")[0]
    return all(whose) and whose[0] != whose[1]


def _heals(hurt: str, well: Claim) -> bool:
    """Return whether the injured part has healed: waking ends unconsciousness, not an injury."""
    if well.trigger == "wakes" and _UNAWAKE.search(hurt) is None:
        return False
    ails = [{_AILMENTS[word] for word in _AILS.findall(text)} for text in (hurt, well.quote)]
    if all(ails) and ails[0].isdisjoint(ails[1]):
        return False
    one, other = (_limbs_of(text) for text in (hurt, well.quote))
    return not one or not other or not one.isdisjoint(other)


def _limbs_of(text: str) -> frozenset[str]:
    return frozenset(_SAME_LIMB.get(limb, limb) for limb in _LIMBS.findall(text.casefold()))


def _is_same(facet: str, one: Claim, other: Claim) -> bool:
    if same_value(facet, one.value, other.value):
        return True
    return facet == "home" and same_place(one.value, other.value)


def _shares(old: Claim, end: Claim) -> bool:
    """Return whether an end names the earlier occupation, in its value or in its quote."""
    if same_value(old.facet, old.value, end.value) or end.value in old.quote:
        return True
    return words_of(old.quote).shared(words_of(end.value)) > 0


def _ended_by(end: Claim, facet: str, held: Sequence[Claim]) -> Claim | None:
    """Return the first claim of an earlier floor that a denial ends; None without one."""
    meant = [c for c in held if not _is_settled(c, end) and _is_end(facet, c, end)]
    return next((claim for claim in meant if claim.floor < end.floor), None)


def _may_end_work(old: Claim, new: Claim) -> bool:
    """Return whether a new occupation may end the previous one: a person may have several."""
    is_change = new.sign == "changes" or NEWLY.search(new.quote) is not None
    starts = _STARTS.search(new.quote) is not None and _FORMERLY.search(old.quote) is None
    if _IS_HABIT.search(old.value) and not starts:
        return new.sign == "changes" and bool(_IS_HABIT.search(new.value))
    return not new.depth and is_change


def _debtor(claim: Claim) -> str:
    """Return the debtor, as far as the words name them."""
    told = _OWES.search(claim.quote)
    if told is None:
        return ""
    if told["zh"] is None:
        who = told["en"].casefold()
        hearer = next(iter(claim.hearers), "")
        meant = {"i": claim.speaker, "you": hearer, "we": "", "he": "", "she": "", "they": ""}
        return meant.get(who, who).casefold().partition(" ")[0]
    if "们" in told["zh"]:
        return ""
    if "我" in told["zh"]:
        return claim.speaker
    if "你" in told["zh"] or "您" in told["zh"]:
        return next(iter(claim.hearers), "")
    return "" if set("他她") & set(told["zh"]) else _NOT_WHO.sub("", told["zh"])


def _same_topic(one: str, other: str) -> bool:
    """Return whether two durations in years are about the same place or occupation."""
    near = ("here", "there", "house", "")
    if one.casefold() in near or other.casefold() in near:
        return True
    return same_place(one, other)


def quote_of(claim: Claim) -> Quote:
    """Return the words of a claim."""
    return Quote(claim.floor, claim.quote.strip())


def gives_a_name(claim: Claim) -> bool:
    """Return whether rules read a claim in which the speaker says their own name."""
    return claim.facet == "name" and not claim.trigger and not claim.is_model


def shares_words(one: Claim, other: Claim) -> bool:
    if same_value("deed", one.value, other.value):
        return True
    words = [words_of(f"{claim.value} {claim.quote}") for claim in (one, other)]
    return words[0].shared(words[1]) > 0


# Merges findings that are one: with the same words, of one speech, or about one lasting state.

THOUGHT_NEAR = 2  # sentences between a speech and the thought or narration that denies it


def is_one_speech(
    lines: FloorSentences, places: dict[Quote, int], one: Finding, other: Finding
) -> bool:
    """Return whether two lies are consecutive sentences of one speech.

    ``places`` caches the index of a quote among the sentences of its floor.
    """
    if one.kind != "lie" or one.who != other.who or not one.who:
        return False
    rows = lines.at(one.quotes[0].floor)
    for said in (one.quotes[0], other.quotes[0]):
        if said not in places:
            held = (n for n, line in enumerate(rows) if said.text in line.quote)
            places[said] = next(held, -1)
    first, last = sorted((places[one.quotes[0]], places[other.quotes[0]]))
    speech = rows[first : last + 1]
    is_near = first >= 0 and last - first <= THOUGHT_NEAR
    return is_near and all(line.speaker in (one.who[0], "") for line in speech)


def status_of(finding: Finding | None) -> int:
    """Return the rank of a finding: 0 for none, 2 for one that came out, else 1."""
    if finding is None:
        return 0
    return 2 if finding.status in ("found_out", "corrected") else 1


def each_once(
    found: Iterable[Finding], is_one: Callable[[Finding, Finding], bool]
) -> list[Finding]:
    """Return the findings, with one for each group that quotes the same words of the same floors.

    A finding of a rule and one of a model are one if one quotes a part of the other's words;
    ``is_one`` adds further cases. The one that came out is kept.
    """
    unique: dict[str, Finding] = {}
    for finding in found:
        unique.setdefault(finding.id, finding)
    kept: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in unique.values():
        same = kept[finding.kind, finding.floors[0]]
        at = next(
            (n for n, o in enumerate(same) if _quotes_same(o, finding) or is_one(o, finding)), None
        )
        if at is None:
            same.append(finding)
        elif status_of(finding) > status_of(same[at]):
            same[at] = finding
    return [finding for same in kept.values() for finding in same]


def _stays_with(finding: Finding, claims: Mapping[tuple[str, str], ClaimList]) -> bool:
    """Return whether a thing only moves, with the same owner: from the hand to the neck."""
    if finding.facet != "place":
        return False
    of = claims.get((fold_thing(finding.about), "owner"), ClaimList())
    had = [
        {c.value for c in of.on(quote.floor) if quote_of(c) == quote} for quote in finding.quotes
    ]
    return not had[0].isdisjoint(had[-1] - {"-"})


def of_one_kind(
    found: Sequence[Finding], claims: Mapping[tuple[str, str], ClaimList]
) -> list[Finding]:
    """Return the findings; of those about a thing's place and its owner, the last one."""
    lost = {  # it has no place and no owner: its former place is what is over
        (f.quotes[-1], thing)
        for f in found
        if f.facet == "owner" and (thing := fold_thing(f.about))
        for c in claims.get((thing, "owner"), ClaimList()).on(f.quotes[-1].floor)
        if c.value == "-" and quote_of(c) == f.quotes[-1]
    }
    best: dict[tuple[Quote, str], Finding] = {}
    for finding in found:
        if finding.kind == "superseded" and finding.facet in ("owner", "place"):
            key = (finding.quotes[-1], fold_thing(finding.about))
            other = best.setdefault(key, finding)
            newer = finding.quotes[0].floor - other.quotes[0].floor
            is_had = finding.facet == ("place" if key in lost else "owner")
            if newer > 0 or (newer == 0 and is_had):
                best[key] = finding
    return [
        f
        for f in found
        if f.kind != "superseded"
        or f.facet not in ("owner", "place")
        or (best[f.quotes[-1], fold_thing(f.about)] is f and not _stays_with(f, claims))
    ]


def _quotes_same(one: Finding, other: Finding) -> bool:
    both = one.kind in ("superseded", "contradiction")
    pairs = list(zip(one.quotes, other.quotes, strict=False))
    return all(
        a.floor == b.floor and (a.text in b.text or b.text in a.text)
        for a, b in (pairs if both else pairs[:1])
    )
