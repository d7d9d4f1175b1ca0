"""Read facts of known facets from a sentence: of whom or of what they are said, and what is said.

Whom a sentence means is worked out from the words right before a match, then from its subject, its
relatives and pronouns, at last from who speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim, Facet
from engram_desktop.domain.claims.fact_words import (
    ADVERBS,
    AGED,
    ANYBODY,
    AROUND_NAME,
    ASKED,
    AT_WORK,
    BETWEEN,
    BOUND_BY,
    BY_WEIGHT,
    CLAUSE_ZH,
    COUNTED,
    DYING,
    GROUP,
    HEAD_OF_ALL,
    HEAD_THING,
    HELD_THING,
    HERE,
    KIN_EN,
    KIN_ZH,
    MOVED_THING,
    NO_NOUN,
    NO_PLACE_OF,
    NO_THINGS,
    NOBODY,
    NOUN_BEFORE,
    NOUN_ZH,
    NOW,
    NOW_BEHIND,
    OF_LIMB,
    OF_OTHERS,
    OF_SOMEBODY,
    OF_SPEAKER,
    OF_SUBJECT,
    OF_WHOM,
    OF_WOMEN,
    ONES_OWN,
    OVER,
    OWED,
    PLANNED_TOO,
    PREPOSED,
    PRESENTED,
    PRONOUN_BEFORE,
    PRONOUNS_EN,
    QUOTED_THING,
    SCHOOLING,
    SHOWN_THING,
    SIGNS,
    SOMEBODY,
    THAT,
    THING_EN,
    TO_HEARER,
    TOPIC,
    TURNS,
    UNTIL,
    WE,
    WITHIN,
    YOUR_KIN,
)
from engram_desktop.domain.claims.live_rules import HintedRules, LiveRules
from engram_desktop.domain.claims.speech import Part
from engram_desktop.domain.claims.subjects import FIRST, OBJECT, Mentioned, subject_of
from engram_desktop.domain.claims.wording import counted, inside_of
from engram_desktop.domain.values import dataclass

MAX_SENTENCE = 240  # characters of a sentence in which a claim is looked for
_CJK = re.compile("[\u3400-\u9fff]")
_SPACE = re.compile(r"\s+")
_EDGES = re.compile(r"^[\s*，,（(]+|[\s*]+$")
_DENIED = re.compile(r"(?:没有?|不|未)\s*$|(?:n['’]t|\bnot|\bnever)\s+(?:\w+\s+)?$")
_SHORT = 40  # characters of a speech that tells of its speaker without saying so: Six left.
_NEAR = 6  # words between a subject and its verb: Mina, who had never liked it, at last quit
_YOU = re.compile(r"[\s，,]*(?:你|您|大人|阁下|殿下|陛下|娘娘|you\b)")
_MINE = re.compile(r"\b(?:I|I'm|I’m|my)\b")
_CALLED = re.compile("[他她](?:就)?叫")
_OF_BODY = re.compile(r"(my|his|her)\s", re.IGNORECASE)
_PAIRS = frozenset("结婚 离婚 分手 订婚 成亲 在一起".split())
_DONE_BY_BODY = re.compile(r"[我你他她把]|[泼靠混坐站躺跪睡蹲]$")
_CAN = re.compile(r"(?:can|could|would|may|might|should)$", re.IGNORECASE)  # of another verb
_WAS = re.compile(r"(?:was|were)\b", re.IGNORECASE)
_SAYS_THAT = re.compile(r"\b(?:says?|said|claims?|claimed|tells?|told|thinks?|thought)\b")
_DETERMINER = re.compile(r"^(?:the|a|an|my|your|his|her|our|their|its|this|that)\s+", re.IGNORECASE)
_FILLER = re.compile(r"^[\s啊嗯哦呃好了那这就还也都已经现在如今昨晚今天一直、]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters ``start``..``end`` (not included) of a message, a sentence of a part."""

    part: Part
    start: int
    end: int
    text: str
    low: str
    is_zh: bool

    @property
    def is_spoken(self) -> bool:
        return self.part.kind in ("said", "written")


@dataclass(frozen=True, slots=True)
class _Match:
    """One match of a rule: ``value`` of a facet, ``thing`` and ``person`` it is said of."""

    facet: str
    mark: str
    value: str
    thing: str
    person: str
    start: int
    other: str = ""  # whom the match itself names: made Odette harbour-mistress


class Referents:
    """Whom and what the sentences of one message mean, as they are read one after another."""

    def __init__(self, text: str, names: Mentioned, own: str) -> None:
        self.text = text
        self.names = names
        self.own = own
        self._named: list[str] = []  # who was named, the last at the end
        self._before = ""  # of whom the narration told last
        self._topics: dict[str, str] = {}  # by speaker of whom their last sentence tells
        self._things: dict[bool, str] = {}  # the thing told of last: in speech, in narration

    def note(self, sentence: Sentence) -> None:
        """Remember who is named in a sentence; the first of them matters most."""
        found = [m.name for m in self.names.find(self.text, sentence.start, sentence.end)]
        kin = rules_zh.KIN if sentence.is_zh else rules_en.KIN
        whose = sentence.part.speaker or self.own
        if kin.may_match(sentence.low):
            found += [self.relative(whose, match["kin"]) for match in kin.finditer(sentence.text)]
        if not sentence.is_zh and not found and (named := PRESENTED.search(sentence.text)):
            found.append(named[1])
        is_told = bool(found) and ONES_OWN.match(sentence.text) is None
        if sentence.is_spoken:
            self._topics[sentence.part.speaker] = found[0] if is_told else ""
        for name in reversed(found):
            if name:
                self._named = [*(n for n in self._named if n != name), name]

    def note_thing(self, sentence: Sentence) -> None:
        """Remember what a sentence tells of, for “it”, and of whom, for what has no subject."""
        if sentence.part.kind == "narrated":
            self._before = sentence.part.subject
        words = (COUNTED if sentence.is_zh else THING_EN).findall(sentence.text)
        if not words and sentence.is_zh:
            words = HELD_THING.findall(sentence.text)
        if not words and sentence.is_zh:
            words = HEAD_OF_ALL.findall(sentence.text)
        found = [str(w) for w in words if not self.names.is_known(w) and w not in NO_THINGS]
        found = [word for word in found if not word.endswith("的")]
        if found:
            self._things[sentence.is_spoken] = found[-1 if sentence.is_zh else 0]

    def subject(self, sentence: Sentence, at: int, stop: int, facet: str) -> str:
        """Return the person of whom a match from ``at`` to ``stop`` says something."""
        text, start = self.text, sentence.start
        near = self._right_before(sentence, at)
        if near and facet != "dead":
            return near
        if text[start:at].endswith("的") and text[at - 2 : at - 1] not in "我你他她":
            named = self.names.last(text, start, at)
            is_body = named is not None and OF_LIMB.fullmatch(text, named.end, at) is not None
            return named.name if named is not None and (named.end == at - 1 or is_body) else ""
        return (
            self._kin_of(sentence, at)
            or subject_of(text, start, at, self.names, self._pronouns(sentence))
            or self._implied(sentence, at, stop, facet)
        )

    @staticmethod
    def told_of(part: Part) -> str:
        """Return who was told of last in the messages before."""
        return part.recent[-1] if part.recent else ""

    def doer(self, sentence: Sentence, at: int) -> str:
        """Return the person whom a clause names as its subject not far before a verb."""
        text, start = self.text, sentence.start
        near = self._right_before(sentence, at)
        if near:
            return near
        first = _clause(text, start, sentence.end, at)[0]
        lead = text[first:at].strip(' *"“(')
        if not lead and sentence.is_spoken and first == start:
            is_doing = AT_WORK.match(text, at) is not None
            return "" if is_doing else sentence.part.speaker  # Quit today!
        if len(lead.split()) > _NEAR or WITHIN.search(lead):
            return ""
        return self._kin_of(sentence, at) or subject_of(
            text, start, at, self.names, self._pronouns(sentence)
        )

    def _implied(self, sentence: Sentence, at: int, stop: int, facet: str) -> str:
        """Return who is meant where a sentence names no subject: who is spoken to, or speaks."""
        part = sentence.part
        head = self.text[sentence.start : min(stop, sentence.start + 8)].casefold()
        if part.kind not in ("said", "written", "thought"):
            is_of_bond = facet == "bond" and BOUND_BY.match(self.text, at) is not None
            if not sentence.is_zh and (facet in ("hurt", "well") or is_of_bond):
                return self._before or part.subject or self.told_of(part)  # The sling is gone.
            return part.subject if sentence.is_zh or re.match(r"\s*(?:he|she|i)\b", head) else ""
        if _YOU.match(head):
            return part.hearers[0] if part.hearers else ""
        if sentence.is_zh:
            return self._topic(sentence, at, facet)
        if _MINE.search(self.text, sentence.start, stop):
            return part.speaker
        named = self.names.find(self.text, at, stop)
        is_own = facet in ("hurt", "well") and OF_OTHERS.search(sentence.text) is None
        return named[0].name if named else part.speaker if is_own else ""

    def _topic(self, sentence: Sentence, at: int, facet: str) -> str:
        """Return of whom a Chinese sentence without a subject is said: as the one before it."""
        part = sentence.part
        topic = self._topics.get(part.speaker, "")
        if topic and ONES_OWN.search(self.text, sentence.start, at) is None:
            return topic
        is_own = facet in ("hurt", "well") or not self._has_noun_head(sentence.start, at)
        return part.speaker if is_own else ""

    def _right_before(self, sentence: Sentence, at: int) -> str:
        """Return whom a name or a pronoun right before a match means."""
        last = self.names.last(self.text, max(sentence.start, at - 60), at)
        if last is not None and BETWEEN.fullmatch(self.text[last.end : at]):
            lead = self.text[max(0, last.start - 14) : last.start].removesuffix("the ")
            lead = lead.removesuffix("The ")
            if not OBJECT.search(lead) or lead.endswith(("that ", "and ")):
                return last.name
        pronoun = PRONOUN_BEFORE.search(self.text[max(sentence.start, at - 8) : at])
        if pronoun is None:
            return ""
        return self.meant(sentence, (pronoun[1] or pronoun[2]).casefold(), at)

    def _has_noun_head(self, start: int, at: int) -> bool:
        """Whether a clause without a person begins with a noun of its own: 塔修好了."""
        bare = _FILLER.sub("", re.split(r"[，,；;：:]", self.text[start:at])[-1])
        is_of_mine = bare.startswith(("我的", "我们的"))
        return len(bare) >= 2 and (
            is_of_mine or not bare.startswith(("我", "在", "从", "被", "是"))
        )

    def _pronouns(self, sentence: Sentence) -> Callable[[str, int], str]:
        return lambda word, at: self.meant(sentence, word, at)

    def meant(self, sentence: Sentence, word: str, at: int = 0) -> str:
        """Return whom a pronoun before ``at`` means."""
        part = sentence.part
        if word in FIRST:
            return part.speaker or self.own
        if word in ("你", "您", "you", "your"):
            is_told = part.kind == "narrated" and self.own != self.names.player
            return part.hearers[0] if part.hearers else self.names.player if is_told else ""
        here = [m.name for m in self.names.find(self.text, sentence.start, at)] if at else []
        called = _CALLED.match(self.text, at) if at else None
        if called is not None and (named := self.names.find(self.text, at, called.end() + 4)):
            return named[0].name  # 她叫红绡
        if part.kind == "narrated" and here:
            return self.names.meant_by(word, here[::-1])
        is_player = part.subject == self.names.player and not self.own  # a narrator calls them you
        is_told_of = part.kind == "narrated" and part.subject and not is_player
        if is_told_of and self._goes_on_about(part.subject, word):
            return part.subject
        return self._last_named(sentence, word)

    def _last_named(self, sentence: Sentence, word: str) -> str:
        """Return whom a pronoun means of those that were named before."""
        part = sentence.part
        if part.kind == "narrated" and self._means_player(word):
            return self.names.player
        topic = self._topics.get(part.speaker, "")
        told_of = (topic, *self._named[-1:])  # whom the words before name may be spoken of
        spoken_to = [n for n in part.hearers[:1] if n not in told_of and part.kind != "narrated"]
        recent = [n for n in reversed(self._named) if n != part.speaker and n not in spoken_to]
        first = self.names.meant_by(word, recent[:1])
        others = [n for n in (part.subject, *reversed(part.recent)) if n and n not in recent]
        recent += [n for n in others if n not in spoken_to]
        is_told_of = any(m.name == self.names.player for m in self.names.find(self.text))
        if part.kind == "narrated" and not self.own and len(recent) > 1 and not is_told_of:
            recent = [n for n in recent if n != self.names.player]
        return first or self.names.meant_by(word, recent)

    def _goes_on_about(self, subject: str, word: str) -> bool:
        """Whether a pronoun means whom the narration tells of, though others were named."""
        gender = "f" if word in OF_WOMEN else "m"
        others = [n for n in self._named if self.names.gender(n) == gender]
        is_elsewhere = subject not in self._named and bool(others)
        return not self._named or (self.names.gender(subject) == gender and not is_elsewhere)

    def _means_player(self, word: str) -> bool:
        """Whether a character tells of who is written to: of this sort nobody else is named."""
        gender = "f" if word in OF_WOMEN else "m"
        others = (self.own, *self._named)
        is_one = bool(self.own) and self.names.gender(self.names.player) == gender
        return is_one and all(self.names.gender(n) not in (gender, "") for n in others)

    def done_to(self, sentence: Sentence, words: str) -> str:
        """Return whom the object of a verb means: They sent Joe home, They let me go."""
        word = words.casefold()
        if word in ("me", "you", "him", "her"):
            return self.meant(sentence, {"him": "he", "her": "she"}.get(word, word))
        return self.named_by(sentence, words)

    def named_by(self, sentence: Sentence, words: str) -> str:
        """Return whom a few words name, or “me”."""
        if words.strip().casefold() in ("me", "我"):
            return sentence.part.speaker or self.own
        mention = self.names.within(words)
        return mention.name if mention is not None else ""

    def _kin_of(self, sentence: Sentence, at: int) -> str:
        """Return whose relative a clause is about: 我爹, her husband."""
        patterns = (rules_zh.KIN, KIN_ZH) if sentence.is_zh else (rules_en.KIN, KIN_EN)
        for pattern in patterns:
            found = list(pattern.finditer(self.text, sentence.start, at))
            if not found or any(c in self.text[found[-1].end() : at] for c in "，,。我I"):
                continue
            whose = found[-1].groupdict().get("whose")
            person = self.meant(sentence, whose.casefold()) if whose else ""
            return self.relative(person or sentence.part.speaker or self.own, found[-1]["kin"])
        return ""

    def relative(self, whose: str, kin: str) -> str:
        """Return the name of somebody's relative where one is known by it: 苏妈妈."""
        if not whose or not _CJK.search(kin):
            return f"{whose}'s {kin.casefold()}" if whose else ""
        for name in self.names.all:
            if len(name) > 1 and name[0] == whose[0] and kin[0] in name[1:] and name != whose:
                return name
        return f"{whose}的{kin}"

    def owner(self, sentence: Sentence, words: str, at: int, giver: str = "") -> str:
        """Return who owns something by a few words before ``at``: mine, 我父亲, the Bishop.

        "" where they name nobody; a pronoun does not mean the ``giver``.
        """
        pronoun = OF_WHOM.get(words.strip().casefold())
        if pronoun is not None:
            person = self.meant(sentence, pronoun, at)
            return "" if person == giver and pronoun in ("his", "her", "他", "她") else person
        words = words.removesuffix("'s").removesuffix("’s")
        mention = self.names.within(words)
        if mention is not None:
            rest = words[: mention.start] + words[mention.end :]
            return mention.name if AROUND_NAME.fullmatch(rest) else ""
        part = sentence.part
        kin = rules_zh.KIN.match(words) or rules_en.KIN.match(words)
        if kin is not None and kin.end() == len(words):
            return self.relative(part.speaker or self.own, kin["kin"])
        hearer = YOUR_KIN.fullmatch(words)
        if hearer is not None:
            return self.relative(part.hearers[0] if part.hearers else "", hearer[1])
        is_group = len(words) > 2 and GROUP.fullmatch(words) is not None
        return words if is_group or SOMEBODY.match(words) else ""

    def thing(self, sentence: Sentence, words: str, at: int) -> str:
        """Return what a few words stand for; without any, the thing told of before ``at``."""
        bare = _DETERMINER.sub("", words).strip().removesuffix(" now")
        if bare and bare.casefold() not in THAT:
            return bare
        is_spoken = sentence.is_spoken
        last = self._things.get(is_spoken) or self._things.get(not is_spoken, "")
        return last if words else self._thing_before(sentence, at) or last

    def it(self, sentence: Sentence, at: int, word: str) -> str:
        """Return the thing that “it” means, told of in the same sentence; else the word."""
        before = THING_EN.findall(self.text[sentence.start : at] + ".")
        return next((str(thing) for thing in before if thing not in NO_THINGS), word)

    def _thing_before(self, sentence: Sentence, at: int) -> str:
        before = self.text[sentence.start : at]
        if not _CJK.search(before):
            things = [match[1] for match in THING_EN.finditer(before + ".")]
            return things[0] if things else ""
        quoted = QUOTED_THING.findall(before)
        if quoted:
            return str(quoted[-1])
        held = [match for match in HELD_THING.finditer(before) if match[1] not in NO_THINGS]
        if held:
            return held[-1][1]
        clauses = re.split(r"[，。；：]", before)
        head = HEAD_THING.fullmatch(clauses[-1])
        if head is not None and head[1] not in NO_THINGS:
            return "" if head[1] in THAT else head[1]
        shown = SHOWN_THING.search(before)
        counted = COUNTED.findall(before)[-1:]
        return shown[1] if shown is not None else self._topic_of(clauses) or "".join(counted)

    def _topic_of(self, clauses: Sequence[str]) -> str:
        """Return the thing that Chinese clauses before the last tell of."""
        for clause in reversed(clauses[:-1]):
            for found in (MOVED_THING.match(clause), TOPIC.fullmatch(clause)):
                is_thing = found is not None and found[1] not in NO_THINGS
                if found is not None and is_thing and not self.names.is_known(found[1]):
                    return str(found[1])
        return ""

    def noun_before(self, sentence: Sentence, at: int) -> str:
        """Return a name that nobody is known by, right before a match: Sir Rupert Greyfriars."""
        match = NOUN_BEFORE.search(self.text[sentence.start : at])
        words = match[1].strip() if match is not None else ""
        return "" if PRONOUNS_EN.match(words) else words


class FactReader:
    """Reads the facts of sentences. ``floor`` is that of the message."""

    def __init__(self, floor: int, text: str, means: Referents) -> None:
        self._floor = floor
        self._text = text
        self._means = means
        self._live_rules: dict[bool, list[LiveRules]] = {}
        self._by_facet: dict[str, Callable[[Sentence, _Match], tuple[Facet, str, str, str] | None]]
        self._by_facet = {
            **dict.fromkeys(("home", "work", "role", "bond", "age", "origin"), self._of_person),
            **dict.fromkeys(("dead", "alive"), self._alive),
            **dict.fromkeys(("hurt", "well"), self._health),
            **dict.fromkeys(("owner", "owns", "sold", "given"), self._owner),
            **dict.fromkeys(("count", "remains", "gauge"), self._count),
            "at": self._at,
            "leaves": self._leaves,
            **dict.fromkeys(("called", "named"), self._called),
            "emptied": self._emptied,
            "loses": self._loses,
            "rank": self._rank,
            "name": self._name,
            "amount": self._amount,
            "years": self._years,
            "was_at": self._was_at,
            "place": self._place,
        }

    def facts(self, sentence: Sentence) -> list[Claim]:
        """Return what a sentence asserts, each address once."""
        found: list[Claim] = []
        low = sentence.low
        for hints, rules in self._live(sentence.is_zh):
            for hint in hints:
                if hint in low:
                    break
            else:
                continue
            for mark, pattern in rules.rules:
                for match in pattern.finditer(self._text, sentence.start, sentence.end):
                    claim = self._claim(sentence, rules.facet, mark, match)
                    if claim is not None:
                        _put(found, claim)
        return found

    def _live(self, is_zh: bool) -> list[LiveRules]:  # noqa: FBT001  the language of a sentence
        """Return the rules that may match anywhere in the message, with the hints it holds."""
        if is_zh not in self._live_rules:
            self._live_rules[is_zh] = _HINTED[is_zh].live(self._text.casefold())
        return self._live_rules[is_zh]

    def _claim(
        self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]
    ) -> Claim | None:
        at = match.start()
        first, last = _clause(self._text, sentence.start, sentence.end, at)
        lead = "" if mark in PLANNED_TOO else self._text[first:last]
        inner = match.start() - first if facet in ("hurt", "well", "count") else -1
        if self._is_no_fact(sentence, facet, lead, match.end() - first, inner):
            return None
        if not self._may_match(sentence, facet, mark, match):
            return None
        groups = match.groupdict()
        value = trimmed(groups.get("v") or groups.get("w") or groups.get("x") or "")
        if ASKED.search(value) or self._is_of_another(facet, first, match):
            return None
        thing = trimmed(groups.get("t") or "")
        if thing.casefold() == "it":
            thing = self._means.it(sentence, at, thing)
        owner = _OF_BODY.match(match[0])
        pronoun = owner[1] if owner is not None else groups.get("p") or ""
        if groups.get("whom"):
            person = self._means.done_to(sentence, groups["whom"])
        elif pronoun:
            person = self._means.meant(sentence, pronoun.casefold(), at)
        elif mark in OF_SUBJECT:
            person = self._means.doer(sentence, at)
        else:
            person = self._means.subject(sentence, at, match.end(), facet)
        named = groups.get("o") or groups.get("whom") or ""
        read = _Match(facet, mark, value, thing, person, at, named)
        said = self._by_facet[facet](sentence, read)
        if said is None or not said[1]:
            return None
        sign = SIGNS.get(mark, "")
        if sign in ("", "states") and said[0] in TURNS:
            near = self._text[first : min(sentence.end, match.end() + NOW_BEHIND)]
            sign = "changes" if NOW.search(near) else sign
        denied = _DENIED.search(self._text[max(first, at - 8) : at]) is not None
        if not sentence.is_zh and mark in OVER:
            denied = denied or NOBODY.search(self._text, first, at) is not None
            if denied:
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

    def _may_match(self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]) -> bool:
        """Whether a match is one where it stands."""
        if mark == "habit" and not sentence.is_spoken:
            return False  # of what somebody does now the narration says the same words
        if mark == "beside" and not self._is_beside_a_name(sentence, match.start()):
            return False
        if self._is_of_before(sentence, facet, match) or self._cuts_a_name(mark, match):
            return False
        is_role = facet == "role" and sentence.is_zh
        return not (is_role and match.span("v") != (-1, -1) and self._is_part_of_a_name(match))

    def _is_beside_a_name(self, sentence: Sentence, at: int) -> bool:
        """Whether a name and a comma stand right before: 我叫贺北川，站长."""
        named = self._means.names.last(self._text, sentence.start, at)
        return named is not None and self._text[named.end : at].strip() in ("，", "、", ",")

    def _is_no_fact(self, sentence: Sentence, facet: str, clause: str, end: int, can: int) -> bool:
        """Whether a clause only supposes, plans or remembers; a fact ends at ``end`` in it.

        From ``can`` on (where it is not negative) "can" is the fact's own: he can walk.
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
        """Whether “was” tells of what was before: what somebody says, or is said to say."""
        if sentence.is_zh or facet != "role" or not _WAS.match(match[0]):
            return False
        lead = self._text[sentence.start : match.start()]
        return sentence.is_spoken or _SAYS_THAT.search(lead) is not None

    def _is_of_another(self, facet: str, first: int, match: re.Match[str]) -> bool:
        """Whether a clause without a subject is about somebody else, or about no person.

        是我的老师 is said of somebody else, 附近开了一家店 of nobody, “the sum is 6” of no age.
        """
        lead = self._text[first : match.start()]
        if facet == "role" and SCHOOLING.search(lead):
            return True  # 学历是博士
        if facet == "role":
            return OF_SOMEBODY.match(match[0]) is not None and not ADVERBS.sub("", lead)
        if facet == "work" and "开了" in match[0]:
            head = self._text[first : match.start("v")]
            named = self._means.names.find(self._text, first, match.start("v"))
            return not named and ANYBODY.search(head) is None
        return facet == "age" and match[0].isascii() and AGED.search(lead) is None

    def _cuts_a_name(self, mark: str, match: re.Match[str]) -> bool:
        """Whether a thing that is moved ends within a name: 把丹|增叫到外面."""
        if mark != "passes" or "t" not in match.re.groupindex or match["t"] is None:
            return False
        first, last = match.span("t")
        mentions = self._means.names.find(self._text, first, match.end())
        return any(m.start < last <= m.end for m in mentions)

    def _is_part_of_a_name(self, match: re.Match[str]) -> bool:
        """Whether what was matched stands in a name: 陆掌柜."""
        first, last = match.span("v")
        mentions = self._means.names.find(self._text, match.start(), match.end())
        return any(m.start < last and m.end > first for m in mentions)

    def _of_person(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        person, value = match.person, match.value
        if match.other:
            person = self._means.named_by(sentence, match.other) or person
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

    def _partner(self, sentence: Sentence, person: str) -> str:
        """Return with whom somebody is bound or no longer is, "" where nothing says so."""
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
        if not sentence.is_zh and (known := self._means.names.within(named)):
            named = known.name
        if sentence.is_zh:
            clause = CLAUSE_ZH.split(self._text[sentence.start : match.start])[-1]
            noun = DYING.sub("", clause)
            is_noun = NOUN_ZH.fullmatch(noun) and self._means.names.within(noun) is None
            named = noun if is_noun else ""
        is_told = bool(match.other) or match.mark == "is"
        person = match.person if is_told else named or match.person
        is_own = sentence.is_spoken and person == sentence.part.speaker
        if is_own and match.facet == "dead" and not sentence.is_zh:
            return None
        return "alive", person, match.facet, ""

    def _health(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "health", match.person, match.facet, "wakes" if match.mark == "wakes" else ""

    def _rank(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "work", match.person, match.value, "rank"

    def _name(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        """Of those for whom a message is sent: what others are called is what they say."""
        part = sentence.part
        is_own = sentence.is_spoken and not part.depth and part.speaker == self._means.own
        return ("name", part.speaker, match.value, "") if is_own else None

    def _amount(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        thing = match.thing
        if thing.casefold() == "it":
            near = self._text[max(0, sentence.end - MAX_SENTENCE) : sentence.end]
            before = rules_en.AMOUNTS.findall(near)
            thing = str(before[-1]) if before else ""
        if OWED.match(thing):
            return "amount", "欠款" if sentence.is_zh else "debt", match.value, ""
        return "amount", thing, match.value, ""

    def _years(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        topic = self._means.thing(sentence, match.thing, match.start) if match.thing else ""
        return "years", match.person, match.value, topic

    def _was_at(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "was_at", match.person, match.value, match.thing

    def _owner(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        is_by_person = match.facet == "owns"
        giver = match.person if match.mark in ("changes", "passes") else ""
        owner = match.person
        if not is_by_person:
            owner = self._means.owner(sentence, match.value, match.start, giver)
        if match.mark == "lost" or (not owner and match.mark == "changes" and match.value):
            whose, _, noun = match.value.rpartition("的")  # 隔壁的阿婆: nobody of the story
            is_somebody = bool(whose) and NOUN_ZH.fullmatch(noun) is not None
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
        if is_no_thing or _DONE_BY_BODY.search(about) or HERE.match(match.value):
            return None
        return "place", about, match.value, ""

    def _at(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        lead = self._text[sentence.start : match.start]
        if sentence.is_spoken and TO_HEARER.search(lead[-_NEAR * 2 :]):
            return None  # you stay on track: what somebody is told to do
        return "place", match.person, match.value, "person"

    def _leaves(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "home", match.person, match.value, "left"

    def _called(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        is_thing = match.facet == "named"
        about = self._means.thing(sentence, match.thing, match.start) if is_thing else match.person
        return "name", about, match.value, "called"

    def _emptied(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        """Of what held a thing: whatever was in it is there no longer."""
        return "place", inside_of(match.thing), "", "emptied"

    def _loses(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        about = self._means.thing(sentence, match.thing, match.start)
        is_own = bool(match.person) and self._is_thing(about)
        return ("owner", about, "-", match.person) if is_own else None

    def _count(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        """How much of something somebody has: an address is the person and what is counted."""
        what = counted(match.thing or match.value)
        person = match.person
        if match.facet == "gauge":
            person = self._means.named_by(sentence, match.other) if match.other else ""
        elif not person and match.facet == "remains":
            part = sentence.part
            is_short = len(sentence.text) < _SHORT or _MINE.search(sentence.text) is not None
            person = part.speaker if is_short else ""
            person = person if sentence.is_spoken else part.subject or self._means.told_of(part)
        if not what or not (person or match.facet == "gauge"):
            return None
        return "amount", what, match.value, person

    def _is_thing(self, words: str) -> bool:
        """Whether words may name a thing: a noun, and nobody of the story."""
        if not words or words in NO_THINGS or self._means.names.is_known(words):
            return False
        return NO_NOUN.search(words) is None


_HINTED = {True: HintedRules(rules_zh.FACTS), False: HintedRules(rules_en.FACTS)}


def _put(found: list[Claim], claim: Claim) -> None:
    """Add a claim; of two about the same, what is over counts more than what is."""
    for number, other in enumerate(found):
        if (other.facet, other.about) == (claim.facet, claim.about):
            if claim.polarity == other.polarity:
                is_more = claim.facet == "work" and claim.value.endswith(other.value)
                if other.value and (is_more or claim.value == other.value):  # 见习法师, 法师
                    sign = max(claim.sign, other.sign, key=BY_WEIGHT.index)
                    found[number] = replace(claim, sign=sign)
                elif other.sign == "states" and claim.sign == "changes":
                    found[number] = claim
                elif other.sign == "" and claim.sign == "changes" and claim.facet == "bond":
                    found[number] = replace(other, sign="changes")
                return
            over, now = (other, claim) if claim.polarity else (claim, other)
            if now.value and (now.value in over.value or not over.value):
                found[number] = over
            else:  # she has given up the Anchor; she is a student now
                found[number : number + 1] = [over, now]
            return
    found.append(claim)


def trimmed(words: str) -> str:
    """Return words without what stands around them."""
    return _SPACE.sub(" ", _EDGES.sub("", words)).strip(" ,.;:!?'\"“”‘’，。")


def _clause(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)
