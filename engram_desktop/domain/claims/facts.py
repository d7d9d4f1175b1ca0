"""Reads facts of known facets from a sentence: the person or thing, and the value.

The person is determined by the words right before a match, then by the subject, relatives and
pronouns of the sentence, at last by the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim, Facet
from engram_desktop.domain.claims.fact_words import (
    ADVERBS,
    ADVISED,
    AGED,
    ANYBODY,
    AROUND_HERE,
    ASKED,
    AT_TIME,
    BODY_PART,
    CLAUSE_ZH,
    DETERMINED,
    DYING,
    ENDING,
    HERE,
    IN_HAND,
    NO_NOUN,
    NO_PLACE_OF,
    NO_THINGS,
    NOBODY,
    NOUN_ZH,
    NOUNS_TOO,
    NOW,
    NOW_BEHIND,
    OF_A_DAY,
    OF_SOMEBODY,
    OF_SPEAKER,
    OF_SUBJECT,
    OF_TIME_ZH,
    ON_BODY_EN,
    ON_BODY_ZH,
    OURS_ZH,
    OVER,
    OWED,
    PERFECT,
    PLANNED_TOO,
    PREPOSED,
    SCHOOLING,
    SEES_NOTHING,
    SIGNS,
    SINCE,
    SOMEBODY_ZH,
    TAKEN_ZH,
    TIME_BEHIND_ZH,
    TO_HEARER,
    TURNS,
    TWO,
    UNTIL,
    WE,
    WHENEVER,
    WISHED,
)
from engram_desktop.domain.claims.hinted_rules import (
    before_zh,
    put_claim,
    tidied,
    trimmed,
)
from engram_desktop.domain.claims.referents import Referents
from engram_desktop.domain.claims.rules_zh import KIN
from engram_desktop.domain.claims.sentence import MAX_SENTENCE, Sentence, rules_of
from engram_desktop.domain.claims.subjects import PRONOUN, Mentioned
from engram_desktop.domain.claims.wording import counted, inside_of
from engram_desktop.domain.text.chinese_names import SURNAMES
from engram_desktop.domain.text.sentences import clause_of
from engram_desktop.domain.values import dataclass

_DENIED = re.compile(r"(?:没有?|不|未)\s*$|(?:n['’]t|\bnot|\bnever)\s+(?:\w+\s+)?$")
_OF_ZH, _THING_ZH = 4, 14  # characters before 的 of a name that a pattern cuts
_OF_NOBODY = re.compile("[我你您他她它咱这那今明去昨年月]")  # 咱们今年的经费: the money is a thing
_OF_BODY = re.compile(r"(my|his|her)\s", re.IGNORECASE)
_MOVES = frozenset("盘移转捏攥握拎挎揣抓递送交还卖赠借租让留托付传献赏赐捎带押抵")  # 酒馆盘|给
_TO_WHOM = frozenset("给到在进回归由走")
_VERB_AT = 2  # characters of a thing before such a verb
_BEFORE_A_NAME = frozenset(["", *"是的叫和跟位 "])  # 班上的李|老师
_PAIRS = frozenset("结婚 离婚 分手 订婚 成亲 在一起".split())
_DONE_BY_BODY = re.compile(r"[我你他她把]|[泼靠混坐站躺跪睡蹲]$")
_CAN = re.compile(r"(?:can|could|would|may|might|should)$", re.IGNORECASE)  # of another verb
_WAS = re.compile(r"(?:was|were)\b", re.IGNORECASE)
_SAYS_THAT = re.compile(r"\b(?:says?|said|claims?|claimed|tells?|told|thinks?|thought)\b")


@dataclass(frozen=True, slots=True)
class _Match:
    """One match of a rule: ``value`` of a facet, and the ``thing`` and ``person`` it is about."""

    facet: str
    mark: str
    value: str
    thing: str
    person: str
    start: int
    other: str = ""  # person named by the match itself: made Odette harbour-mistress


class FactReader:
    """Reads the facts of sentences. ``floor`` is the floor of the message."""

    def __init__(self, floor: int, text: str, means: Referents) -> None:
        self._floor = floor
        self._text = text
        self._means = means
        self._held_by = ""  # holder of the thing that the last match places on a person

    def facts(self, sentence: Sentence) -> list[Claim]:
        """Return the facts that a sentence asserts, one per address."""
        found: list[Claim] = []
        for rule in rules_of(sentence.is_zh).of(sentence.low, sentence.held):
            for match in rule.pattern.finditer(self._text, sentence.start, sentence.end):
                at = match.start()
                if rule.is_at_word and at and self._text[at - 1 : at + 1].isalnum():
                    continue
                self._held_by = ""
                claim = self._claim(sentence, rule.facet, rule.mark, match)
                if claim is not None:
                    claim = tidied(claim, self._before_value(sentence, match))
                if claim is not None:
                    put_claim(found, claim)
                    if self._held_by and claim.polarity:
                        put_claim(found, replace(claim, facet="owner", value=self._held_by))
        return found

    def _before_value(self, sentence: Sentence, match: re.Match[str]) -> str:
        """Return the part of a sentence before the value of a match."""
        is_there = "v" in match.re.groupindex and match.start("v") >= 0
        return self._text[sentence.start : match.start("v") if is_there else match.start()]

    def _claim(
        self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]
    ) -> Claim | None:
        at = match.start()
        first, last = clause_of(self._text, sentence.start, sentence.end, at)
        lead = "" if mark in PLANNED_TOO else self._text[first:last]
        inner = match.start() - first if facet in ("hurt", "well", "count") else -1
        if self._is_no_fact(sentence, facet, lead, match.end() - first, inner):
            return None
        if not self._may_match(sentence, facet, mark, match):
            return None
        groups = match.groupdict()
        value = trimmed(groups.get("v") or groups.get("w") or groups.get("x") or "")
        value = ENDING.sub("", value) if facet in ("home", "work", "place", "amount") else value
        if ASKED.search(value) or self._is_of_another(sentence, facet, first, match):
            return None
        thing = trimmed(groups.get("t") or "")
        if thing and sentence.is_zh:
            thing = self._thing_zh(thing, match.end("t"))
            if facet == "amount":
                thing = self._whole_zh(sentence, thing, match)
        if thing.casefold() == "it":
            thing = self._means.it(sentence, at, thing)
        person = self._person_of(sentence, facet, mark, match)
        named = groups.get("o") or groups.get("whom") or ""
        read = _Match(facet, mark, value, thing, person, at, named)
        said = self._by_facet[facet](self, sentence, read)
        if said is None or not said[1]:
            return None
        sign = SIGNS.get(mark, "")
        if sign in ("", "states") and said[0] in TURNS:
            near = self._text[first : min(sentence.end, match.end() + NOW_BEHIND)]
            sign = "changes" if NOW.search(near) else sign
        denied = self._is_denied(sentence, mark, first, at)
        if denied and mark in OVER and not sentence.is_zh:
            return None  # hadn't moved out
        part = sentence.part
        return Claim(
            self._floor,
            part.kind,
            part.speaker,
            said[1],
            said[0],
            said[2],
            sentence.text,
            sentence.start,
            sentence.end,
            not denied and mark not in OVER,
            part.hearers,
            sign,
            part.depth,
            said[3],
        )

    def _thing_zh(self, thing: str, end: int) -> str:
        """Return the thing in the Chinese words before a verb: 沈砚解下|玉坠, 酒馆|盘给."""
        thing = TIME_BEHIND_ZH.sub("", OURS_ZH.sub("", OF_TIME_ZH.sub("", thing)))
        named = self._means.names.within(thing)
        if named is not None and named.start == 0 and named.end < len(thing):
            rest = thing[named.end :].removeprefix("的")
            thing = rest if TAKEN_ZH.match(rest) else thing
        taken = TAKEN_ZH.match(thing)
        rest = thing[taken.end() :] if taken is not None else thing
        thing = rest or thing
        goes_on = self._text[end : end + 1] in _TO_WHOM
        return thing[:-1] if goes_on and len(thing) > _VERB_AT and thing[-1] in _MOVES else thing

    def _whole_zh(self, sentence: Sentence, thing: str, match: re.Match[str]) -> str:
        """Return a counted thing with the words before it that a pattern cut off: 友|谊赛的规模."""
        clause = before_zh(self._text, sentence.start, match.end("t"))
        is_cut = "的" in thing and clause.endswith(thing) and thing != clause
        of = clause.rpartition("的")[0]
        is_name = _OF_ZH <= len(of) <= _THING_ZH and not _OF_NOBODY.search(of)
        return clause if is_cut and is_name else thing

    def _person_of(self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]) -> str:
        """Return the person that a match is about, "" for none."""
        groups, at = match.groupdict(), match.start()
        owner = _OF_BODY.match(match[0])
        pronoun = owner[1] if owner is not None else groups.get("p") or ""
        if groups.get("whom"):
            return self._means.done_to(sentence, groups["whom"])
        if pronoun:
            return self._means.meant(sentence, pronoun.casefold(), at)
        if mark in OF_SUBJECT:
            return self._means.doer(sentence, at)
        return self._means.subject(sentence, at, match.end(), facet)

    def _is_denied(self, sentence: Sentence, mark: str, first: int, at: int) -> bool:
        """Return whether the match from ``at`` in a clause is negated."""
        if _DENIED.search(self._text[max(first, at - 8) : at]) is not None:
            return True
        is_over = not sentence.is_zh and mark in OVER
        return is_over and NOBODY.search(self._text, first, at) is not None

    def _may_match(self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]) -> bool:
        """Return whether a match is valid at its position."""
        is_told_habit = mark == "habit" and not sentence.is_spoken
        if is_told_habit or (
            mark == "beside" and not self._is_beside_a_name(sentence, match.start())
        ):
            return False  # the narration uses the same words for a current action
        if sentence.is_zh and self._is_no_event(sentence, mark, match):
            return False
        if facet == "hurt" and SEES_NOTHING.search(self._text, sentence.start, match.end()):
            return False
        if self._is_of_before(sentence, facet, match) or self._cuts_a_name(mark, match):
            return False
        if not sentence.is_zh:
            return not (self._is_a_noun(facet, match) or self._is_lived_through(match))
        is_role = facet == "role"
        return not (is_role and match.span("v") != (-1, -1) and self._is_part_of_a_name(match))

    def _is_a_noun(self, facet: str, match: re.Match[str]) -> bool:
        """Return whether an English verb of home or work is a noun: your bunk, the boards."""
        first, start = match[0].split(maxsplit=1)[0].casefold(), match.start()
        return (
            facet in ("home", "work")
            and first in NOUNS_TOO
            and DETERMINED.search(self._text, max(0, start - 12), start) is not None
        )

    def _is_lived_through(self, match: re.Match[str]) -> bool:
        """Return whether a person only states an experience of life: I've lived in worse."""
        if not match[0].casefold().startswith(("lived", "slept", "stayed", "boarded")):
            return False
        start, end = match.start(), match.end()
        is_perfect = PERFECT.search(self._text, max(0, start - 12), start) is not None
        return is_perfect and SINCE.search(self._text, start, end + NOW_BEHIND * 2) is None

    def _is_no_event(self, sentence: Sentence, mark: str, match: re.Match[str]) -> bool:
        """Return whether a match only identifies a day, 你把它给我的那天, or is a wish."""
        if OF_A_DAY.match(self._text, match.end()) or OF_A_DAY.search(match[0]):
            return True
        if sentence.is_spoken and (when := WHENEVER.match(self._text, sentence.start)):
            return when.end() <= match.start()  # 等我老了，就把店交给徒弟
        return mark in OVER and bool(WISHED.search(self._text, sentence.start, match.start()))

    def _is_beside_a_name(self, sentence: Sentence, at: int) -> bool:
        """Return whether a name and a comma are right before: 我叫贺北川，站长."""
        named = self._means.names.last(self._text, sentence.start, at)
        return named is not None and self._text[named.end : at].strip() in ("，", "、", ",")

    def _is_no_fact(self, sentence: Sentence, facet: str, clause: str, end: int, can: int) -> bool:
        """Return whether a clause only supposes, plans or remembers; a fact ends at ``end`` in it.

        From ``can`` on (if not negative) "can" belongs to the fact: he can walk.
        """
        rules = rules_zh if sentence.is_zh else rules_en
        modal = rules.MODAL.search(clause)
        is_own = can >= 0 and UNTIL.search(clause, 0, can) is None
        last = can if is_own else end
        is_behind = modal is not None and modal.start() >= last and _CAN.match(modal[0])
        if (modal is not None and not is_behind) or (
            facet != "years" and rules.PLANNED.search(clause)
        ):
            return True
        return facet not in ("years", "origin") and rules.PAST.search(clause) is not None

    def _is_of_before(self, sentence: Sentence, facet: str, match: re.Match[str]) -> bool:
        """Return whether “was” is about the past: in a speech, or in a reported one."""
        if sentence.is_zh or facet != "role" or not _WAS.match(match[0]):
            return False
        lead = self._text[sentence.start : match.start()]
        return sentence.is_spoken or _SAYS_THAT.search(lead) is not None

    def _is_of_another(
        self, sentence: Sentence, facet: str, first: int, match: re.Match[str]
    ) -> bool:
        """Return whether a clause without a subject is about another person, or about none.

        是我的老师 is about another person, 附近开了一家店 about none, “the sum is 6” is no age.
        """
        lead = self._text[first : match.start()]
        if facet == "role" and SCHOOLING.search(self._text, sentence.start, match.start()):
            return True  # 学历是博士, 学历挺高的，是博士
        if facet == "role":
            return OF_SOMEBODY.match(match[0]) is not None and not ADVERBS.sub("", lead)
        if facet == "work" and "开了" in match[0]:
            head = self._text[first : match.start("v")]
            start = first if AROUND_HERE.search(head) else sentence.start
            named = self._means.names.find(self._text, start, match.start("v"))
            return not named and ANYBODY.search(head) is None
        return facet == "age" and match[0].isascii() and AGED.search(lead) is None

    def _cuts_a_name(self, mark: str, match: re.Match[str]) -> bool:
        """Return whether a moved thing ends inside a name: 把丹|增叫到外面."""
        if mark != "passes" or "t" not in match.re.groupindex or match["t"] is None:
            return False
        first, last = match.span("t")
        mentions = self._means.names.find(self._text, first, match.end())
        return any(m.start < last <= m.end for m in mentions)

    def _is_part_of_a_name(self, match: re.Match[str]) -> bool:
        """Return whether the match is inside a name: 陆掌柜, 李老师."""
        first, last = match.span("v")
        before = self._text[max(0, first - 2) : first]
        if before[-1:] in SURNAMES and before[:-1] in _BEFORE_A_NAME:
            return True
        mentions = self._means.names.find(self._text, match.start(), match.end())
        return any(m.start < last and m.end > first for m in mentions)

    def _of_person(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        person, value = match.person, match.value
        if match.other:
            known = self._means.named_by(sentence, match.other)
            person = known or person
        if sentence.is_zh and match.facet == "bond" and match.mark != "states":
            if TWO.search(before_zh(self._text, sentence.start, match.start)):  # 他们, 两人
                person = person or next(iter(self._means.last_two(sentence)), "")
            if self._is_of_a_noun(sentence, match):
                return None  # 参加了同学的婚礼，同学结婚了
        if match.facet == "bond" and (value in _PAIRS or WE.search(sentence.text)):
            person = person or sentence.part.speaker
        is_no_place = (
            value in rules_zh.NOBODY_OF or value.endswith(("的", "个")) or value[:1] == "个"
        )
        if (match.facet == "origin" and is_no_place) or self._means.names.is_known(value):
            return None
        facet: Facet = "work" if match.facet == "role" else match.facet  # type: ignore[assignment]
        other = self._partner(sentence, person) if facet == "bond" else ""
        if facet == "origin":
            other = match.thing.casefold()
        is_over = match.mark in ("ends", "refuses", "over")
        return (facet, person, value, other) if value or is_over else None

    def _is_of_a_noun(self, sentence: Sentence, match: _Match) -> bool:
        """Return whether a clause is about a person named only by a noun."""
        noun = DYING.sub("", before_zh(self._text, sentence.start, match.start))
        return (
            NOUN_ZH.fullmatch(noun) is not None
            and self._means.names.within(noun) is None
            and (SOMEBODY_ZH.search(noun) is not None)
        )

    def _partner(self, sentence: Sentence, person: str) -> str:
        """Return the partner in a bond or in the end of a bond, "" if no words name one."""
        for mention in self._means.names.find(self._text, sentence.start, sentence.end):
            if mention.name != person:
                return mention.name
        speaker = sentence.part.speaker
        if speaker not in ("", person) and OF_SPEAKER.search(sentence.text):
            return speaker
        hearers = sentence.part.hearers if TO_HEARER.search(sentence.text) else ()
        return hearers[0] if hearers and hearers[0] != person else ""

    def _alive(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        named = self._means.noun_before(sentence, match.start)
        if not sentence.is_zh:
            last = self._means.names.last(self._text, sentence.start, match.start)
            known = self._means.names.within(named)
            is_right_before = last is not None and last.end == match.start  # Tom|'s dead
            named = known.name if known else last.name if last and is_right_before else named
        if sentence.is_zh:
            clause = CLAUSE_ZH.split(self._text[sentence.start : match.start])[-1]
            noun = DYING.sub("", clause)
            is_noun = NOUN_ZH.fullmatch(noun) and self._means.names.within(noun) is None
            named = noun if is_noun else ""
            whose, of, noun = noun.rpartition("的")
            is_strange = self._means.names.within(whose) is None and not ANYBODY.search(whose)
            if of and noun and is_strange:
                named = noun  # 隔壁的猫
            if match.other or match.mark == "gone":
                named = self._means.named_by(sentence, match.other) if match.other else match.person
                return "alive", named, match.facet, ""
        is_told = bool(match.other) or match.mark == "is"
        person = match.person if is_told else named or match.person
        is_own = sentence.is_spoken and person == sentence.part.speaker
        is_ghost = sentence.is_zh and "我" in self._text[sentence.start : match.start]
        if is_own and match.facet == "dead" and not is_ghost:
            return None  # “死了。我亲手开的枪。” is about somebody else
        return "alive", person, match.facet, ""

    def _health(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "health", match.person, match.facet, "wakes" if match.mark == "wakes" else ""

    def _rank(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "work", match.person, match.value, "rank"

    def _name(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        """Return the name that a speaker gives as theirs; None unless they send the message."""
        part = sentence.part
        is_own = sentence.is_spoken and not part.depth and part.speaker == self._means.own
        return ("name", part.speaker, match.value, "") if is_own else None

    def _of_its_own(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        """Return where a person is kept."""
        return "place", match.person, match.value, match.facet

    def _named(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        """Return the names of people, in English also of things."""
        if not sentence.is_zh:
            return self._called(sentence, match)
        known = self._means.names.within(match.thing) if match.thing else None
        about = known.name if known is not None else match.thing
        return "name", about or self._of_name(sentence, match), match.value, match.facet

    def _of_name(self, sentence: Sentence, match: _Match) -> str:
        """Return whose name is stated: in a clause without a name, the last person mentioned."""
        names, part = self._means.names, sentence.part
        is_change = SIGNS.get(match.mark) in ("changes", "ends")
        is_value = names.is_known(match.value) and match.person == names.who(match.value)
        is_own = not is_change and sentence.is_spoken and match.person == self._means.own
        if match.person and is_own and not is_value:
            return ""  # a sender who gives another name may be lying
        if match.person and not (is_change and is_value):
            return match.person
        if not is_change or match.mark == "over":
            known = names.within(match.value)
            return known.name if known is not None else ""
        first, _last = clause_of(self._text, sentence.start, sentence.end, match.start)
        lead = self._text[first : match.start].strip(' *"“「')
        if lead and not PRONOUN.fullmatch(lead):
            return ""  # 小翠的妹妹改名叫知秋
        told = part.subject if part.kind == "narrated" else part.speaker
        others = [name for name in (told, self._means.told_of(part)) if name != match.value]
        return next(filter(None, others), "")

    def _amount(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        if sentence.is_zh:
            names, start, at = self._means.names, sentence.start, match.start
            is_over = match.mark in ("empty", "cancels")
            told = amount_zh(self._text, start, at, names, match.thing, match.value, match.person)
            return "amount", told.about, "0" if is_over else match.value, told.counted
        thing = match.thing
        if thing.casefold() == "it":
            near = self._text[max(0, sentence.end - MAX_SENTENCE) : sentence.end]
            before = rules_en.AMOUNTS.findall(near)
            thing = str(before[-1]) if before else ""
        if OWED.match(thing):
            return "amount", "debt", match.value, ""
        return "amount", thing, match.value, ""

    def _years(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        topic = self._means.thing(sentence, match.thing, match.start) if match.thing else ""
        return "years", match.person, match.value, topic

    def _owner(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        is_by_person = match.facet == "owns"
        giver = match.person if match.mark in ("changes", "passes") else ""
        owner = match.person
        if not is_by_person:
            owner = self._means.owner(sentence, match.value, match.start, giver)
        if match.mark == "lost" or (not owner and match.mark == "changes" and match.value):
            whose, _, noun = match.value.rpartition("的")  # 隔壁的阿婆 is no person of the story
            is_noun = NOUN_ZH.fullmatch(noun) is not None
            is_somebody = is_noun and bool(whose or SOMEBODY_ZH.search(noun))
            owner = "-" if match.mark == "lost" else match.value if is_somebody else ""
        about = self._means.thing(sentence, match.thing, match.start)
        is_of_place = not sentence.is_zh and PREPOSED.search(
            self._text, max(sentence.start, match.start - 8), match.start
        )
        if not owner or is_of_place or not self._is_thing(about):
            return None
        return "owner", about, owner, ""

    def _place(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        about = self._means.thing(sentence, match.thing, match.start)
        is_no_thing = NO_PLACE_OF.search(about) or not self._is_thing(about)
        is_no_thing = is_no_thing or bool(AT_TIME.search(match.value))  # 座钟停在十一点四十分
        if is_no_thing or _DONE_BY_BODY.search(about) or HERE.match(match.value):
            return None
        self._held_by = self._holder(sentence, match)
        return "place", about, match.value, ""

    def _holder(self, sentence: Sentence, match: _Match) -> str:
        """Return the holder of a thing on a person's body: 放进他手里, around Mira's neck."""
        on = (ON_BODY_ZH if sentence.is_zh else ON_BODY_EN).match(match.value)
        if on is None:
            return ""
        if on["p"]:
            return self._means.meant(sentence, on["p"].casefold(), match.start)
        if on["n"]:
            return self._means.named_by(sentence, on["n"])
        return "" if IN_HAND.search(match.value) else match.person  # 收回袖中; 放进掌心: unknown

    def _at(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        lead = self._text[sentence.start : match.start]
        if TO_HEARER.search(lead) and (sentence.is_spoken or ADVISED.search(lead)):
            return None  # you stay on track: advice to the hearer
        return "place", match.person, match.value, "person"

    def _called(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        is_thing = match.facet == "named"
        about = self._means.thing(sentence, match.thing, match.start) if is_thing else ""
        return "name", about if is_thing else self._of_name(sentence, match), match.value, "called"

    def _emptied(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        """Return the container: its content is no longer in it."""
        return "place", inside_of(match.thing), "", "emptied"

    def _loses(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        about = self._means.thing(sentence, match.thing, match.start)
        is_own = bool(match.person) and self._is_thing(about)
        return ("owner", about, "-", match.person) if is_own else None

    def _count(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        """Return an amount that a person has: the address is the person and the counted noun."""
        what = counted(match.thing or match.value)
        person = match.person
        if match.facet == "gauge":
            person = self._means.named_by(sentence, match.other) if match.other else ""
        if not what or not (person or match.facet == "gauge"):
            return None
        return "amount", what, match.value, person

    def _is_thing(self, words: str) -> bool:
        """Return whether words may name a thing: a noun that is no person of the story."""
        if not words or words in NO_THINGS or self._means.names.is_known(words):
            return False
        return NO_NOUN.search(words) is None and BODY_PART.fullmatch(words) is None

    _by_facet: ClassVar[dict[str, Callable[..., tuple[Facet, str, str, str] | None]]] = {
        **dict.fromkeys(("home", "work", "role", "bond", "age", "origin"), _of_person),
        **dict.fromkeys(("dead", "alive"), _alive),
        **dict.fromkeys(("hurt", "well"), _health),
        **dict.fromkeys(("owner", "owns", "given"), _owner),
        **dict.fromkeys(("count", "gauge"), _count),
        "at": _at,
        "emptied": _emptied,
        "loses": _loses,
        "rank": _rank,
        "fit": _health,
        "stay": _of_its_own,
        "named": _named,
        "name": _name,
        "amount": _amount,
        "years": _years,
        "place": _place,
    }


# The owner and the noun of a Chinese amount: 苏小棠卡里还有四千块 is of 苏小棠的卡.

_AT_MOST = 12  # characters before an amount that may name its owner and its noun
_PLACED_IN = re.compile(
    "(?:[里中上内]|还|只|就|仅|也|都|才|已经|现在|如今|一共|总共|统共|共|一|的|，)+$"
)
_NUMERAL_ZH = re.compile(r"^(?:百分之)?[零一二两三四五六七八九十百千万几半\d]+[来多余]?")
# The noun meant by a measure word without a noun.
_COUNTED_AS = {
    "发": "子弹",
    "块": "钱",
    "元": "钱",
    "两": "银子",
    "枚": "银币",
    "口": "人口",
    "匹": "马",
}
# The counted noun behind its number: 七发子弹, 八十袋粮食.
_COUNTED_NOUN = re.compile(
    "[个来多]?[发枚块两斤袋支张头匹只条瓶箱位名口颗粒]?([\u4e00-\u9fff]{2,3})(?=[，。！？；、”」]|$)"
)
# Things a person carries: 口袋里有七枚 is of the speaker.
_ON_ONE = re.compile("身|手|手头|口袋|衣袋|兜|怀|包|钱袋|钱包|荷包|袋")
_OF_BODIES = re.compile("身高|个子|体重$|年龄|年纪|岁数|分之$")  # the owner is rarely near


@dataclass(frozen=True, slots=True)
class Counted:
    """The owner of an amount (a person, thing or place), and the noun that is counted."""

    about: str
    counted: str


def amount_zh(
    text: str, start: int, first: int, names: Mentioned, thing: str, value: str, person: str
) -> Counted:
    """Return the owner and noun of ``value``; words before it begin at ``first``, end at ``thing``.

    None if no noun says what is counted. ``start`` is the beginning of the sentence.
    """
    if OWED.match(thing):
        return Counted("欠款", "")
    held = names.find(text, start, first + _AT_MOST)
    owner = next((m for m in held if first <= m.end and m.start <= first + len(thing)), None)
    if owner is not None and owner.end > first:
        at = thing.rfind(text[max(owner.start, first) : owner.end])
        thing = thing[at + owner.end - max(owner.start, first) :] if at >= 0 else thing
    kin = KIN.match(thing)
    noun = _PLACED_IN.sub("", thing[kin.end() :] if kin is not None else thing).removeprefix("的")
    if _OF_BODIES.search(noun) or (noun and NO_NOUN.search(noun)):
        return Counted("", "")
    after = _COUNTED_NOUN.match(text, text.find(value, first) + len(value))
    unit = _NUMERAL_ZH.sub("", value)[:1]
    of_what = after[1] if after is not None else _COUNTED_AS.get(unit, "")
    if owner is not None and text[owner.end : owner.end + 1] == "的":
        person = owner.name
    is_whose = owner is not None or kin is not None or _ON_ONE.fullmatch(noun)
    whose = person if is_whose else ""
    noun = noun or (of_what if whose or not thing else "")
    about = f"{whose}的{noun}" if whose and noun else noun
    return Counted(about, of_what if of_what != noun else "")
