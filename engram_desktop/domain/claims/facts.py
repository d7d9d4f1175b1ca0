"""Read facts of known facets from a sentence: of whom or of what they are said, and what is said.

Whom a sentence means is worked out from the words right before a match, then from its subject, its
relatives and pronouns, at last from who speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim, Facet, FactRules
from engram_desktop.domain.claims.speech import Part
from engram_desktop.domain.claims.subjects import FIRST, OBJECT, Mentioned, subject_of
from engram_desktop.domain.values import dataclass

_Live = tuple[Sequence[str], FactRules]  # of the hints of rules those that a message holds
MAX_SENTENCE = 240  # characters of a sentence in which a claim is looked for
_CJK = re.compile("[\u3400-\u9fff]")
_SPACE = re.compile(r"\s+")
_EDGES = re.compile(r"^[\s*，,（(]+|[\s*]+$")
_DENIED = re.compile(r"(?:没有?|不|未)\s*$|(?:n['’]t|\bnot|\bnever)\s+(?:\w+\s+)?$")
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
_ASKED = re.compile("什么|哪[里儿个位家]|谁|多少|怎么")  # no value, in a question or out of one
_OF_SOMEBODY = re.compile(  # 是我的老师, 是我最喜欢的歌手
    r"是(?:[我你您他她]们?|[^，。！？]{0,4}(?:喜欢|讨厌|敬佩|认识|见过))[^，。！？]{0,6}的"
)
_SCHOOLING = re.compile("学历|学位|教育|文凭|专业")
_ADVERBS = re.compile(r"[\s就也还不都正可却其实，,“”*]+")
_ANYBODY = re.compile("[我你您他她咱]")
_AGED = re.compile(  # what stands before “is 26” where it is an age
    r"(?:\b[Ii]|\b[Hh]e|\b[Ss]he|\b[A-Z][\w’'\-]*"
    r"|\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our) [\w’'\- ]{2,24}?)\s*$"
)
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
        if not sentence.is_zh and not found and (named := _PRESENTED.search(sentence.text)):
            found.append(named[1])
        is_told = bool(found) and _ONES_OWN.match(sentence.text) is None
        if sentence.is_spoken:
            self._topics[sentence.part.speaker] = found[0] if is_told else ""
        for name in reversed(found):
            if name:
                self._named = [*(n for n in self._named if n != name), name]

    def note_thing(self, sentence: Sentence) -> None:
        """Remember what a sentence tells of, for “it”, and of whom, for what has no subject."""
        if sentence.part.kind == "narrated":
            self._before = sentence.part.subject
        words = (_COUNTED if sentence.is_zh else _THING_EN).findall(sentence.text)
        if not words and sentence.is_zh:
            words = _HELD_THING.findall(sentence.text)
        found = [str(w) for w in words if not self.names.is_known(w) and w not in _NO_THINGS]
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
            return named.name if named is not None and named.end == at - 1 else ""
        return (
            self._kin_of(sentence, at)
            or subject_of(text, start, at, self.names, self._pronouns(sentence))
            or self._implied(sentence, at, stop, facet)
        )

    def _implied(self, sentence: Sentence, at: int, stop: int, facet: str) -> str:
        """Return who is meant where a sentence names no subject: who is spoken to, or speaks."""
        part = sentence.part
        head = self.text[sentence.start : min(stop, sentence.start + 8)].casefold()
        if part.kind not in ("said", "written", "thought"):
            if not sentence.is_zh and facet in ("hurt", "well") and self._before:
                return self._before  # The sling is gone.
            return part.subject if sentence.is_zh or re.match(r"\s*(?:he|she|i)\b", head) else ""
        if _YOU.match(head):
            return part.hearers[0] if part.hearers else ""
        if sentence.is_zh:
            return self._topic(sentence, at, facet)
        if _MINE.search(self.text, sentence.start, stop):
            return part.speaker
        named = self.names.find(self.text, at, stop)
        return named[0].name if named else ""

    def _topic(self, sentence: Sentence, at: int, facet: str) -> str:
        """Return of whom a Chinese sentence without a subject is said: as the one before it."""
        part = sentence.part
        topic = self._topics.get(part.speaker, "")
        if topic and _ONES_OWN.search(self.text, sentence.start, at) is None:
            return topic
        is_own = facet in ("hurt", "well") or not self._has_noun_head(sentence.start, at)
        return part.speaker if is_own else ""

    def _right_before(self, sentence: Sentence, at: int) -> str:
        """Return whom a name or a pronoun right before a match means."""
        last = self.names.last(self.text, max(sentence.start, at - 60), at)
        if last is not None and _BETWEEN.fullmatch(self.text[last.end : at]):
            lead = self.text[max(0, last.start - 14) : last.start]
            if not OBJECT.search(lead) or lead.endswith(("that ", "and ")):
                return last.name
        pronoun = _PRONOUN_BEFORE.search(self.text[max(sentence.start, at - 8) : at])
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
            return part.hearers[0] if part.hearers else ""
        here = [m.name for m in self.names.find(self.text, sentence.start, at)] if at else []
        called = _CALLED.match(self.text, at) if at else None
        if called is not None and (named := self.names.find(self.text, at, called.end() + 4)):
            return named[0].name  # 她叫红绡
        if part.kind == "narrated" and here:
            return self.names.meant_by(word, here[::-1])
        is_player = part.subject == self.names.player and not self.own  # a narrator calls them you
        if part.kind == "narrated" and part.subject and not is_player:
            fits = self.names.gender(part.subject) == ("f" if word in _OF_WOMEN else "m")
            if fits or not self._named:
                return part.subject
        topic = self._topics.get(part.speaker, "")
        told_of = (topic, *self._named[-1:])  # whom the words before name may be spoken of
        spoken_to = [n for n in part.hearers[:1] if n not in told_of and part.kind != "narrated"]
        recent = [n for n in reversed(self._named) if n != part.speaker and n not in spoken_to]
        first = self.names.meant_by(word, recent[:1])
        others = [n for n in (part.subject, *reversed(part.recent)) if n and n not in recent]
        recent += [n for n in others if n not in spoken_to]
        if part.kind == "narrated" and not self.own and len(recent) > 1:
            recent = [n for n in recent if n != self.names.player]
        return first or self.names.meant_by(word, recent)

    def named_by(self, sentence: Sentence, words: str) -> str:
        """Return whom a few words name, or “me”."""
        if words.strip().casefold() in ("me", "我"):
            return sentence.part.speaker or self.own
        mention = self.names.within(words)
        return mention.name if mention is not None else ""

    def _kin_of(self, sentence: Sentence, at: int) -> str:
        """Return whose relative a clause is about: 我爹, her husband."""
        patterns = (rules_zh.KIN, _KIN_ZH) if sentence.is_zh else (rules_en.KIN, _KIN_EN)
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
        pronoun = _OF_WHOM.get(words.strip().casefold())
        if pronoun is not None:
            person = self.meant(sentence, pronoun, at)
            return "" if person == giver and pronoun in ("his", "her", "他", "她") else person
        words = words.removesuffix("'s").removesuffix("’s")
        mention = self.names.within(words)
        if mention is not None:
            rest = words[: mention.start] + words[mention.end :]
            return mention.name if _AROUND_NAME.fullmatch(rest) else ""
        part = sentence.part
        kin = rules_zh.KIN.match(words) or rules_en.KIN.match(words)
        if kin is not None and kin.end() == len(words):
            return self.relative(part.speaker or self.own, kin["kin"])
        hearer = _YOUR_KIN.fullmatch(words)
        if hearer is not None:
            return self.relative(part.hearers[0] if part.hearers else "", hearer[1])
        is_group = len(words) > 2 and _GROUP.fullmatch(words) is not None
        return words if is_group or _SOMEBODY.match(words) else ""

    def thing(self, sentence: Sentence, words: str, at: int) -> str:
        """Return what a few words stand for; without any, the thing told of before ``at``."""
        bare = _DETERMINER.sub("", words).strip()
        if bare and bare.casefold() not in _THAT:
            return bare
        is_spoken = sentence.is_spoken
        last = self._things.get(is_spoken) or self._things.get(not is_spoken, "")
        return last if words else self._thing_before(sentence, at) or last

    def it(self, sentence: Sentence, at: int, word: str) -> str:
        """Return the thing that “it” means, told of in the same sentence; else the word."""
        before = _THING_EN.findall(self.text[sentence.start : at] + ".")
        return next((str(thing) for thing in before if thing not in _NO_THINGS), word)

    def _thing_before(self, sentence: Sentence, at: int) -> str:
        before = self.text[sentence.start : at]
        if not _CJK.search(before):
            things = [match[1] for match in _THING_EN.finditer(before + ".")]
            return things[0] if things else ""
        quoted = _QUOTED_THING.findall(before)
        if quoted:
            return str(quoted[-1])
        held = [match for match in _HELD_THING.finditer(before) if match[1] not in _NO_THINGS]
        if held:
            return held[-1][1]
        clauses = re.split(r"[，。；：]", before)
        head = _HEAD_THING.fullmatch(clauses[-1])
        if head is not None and head[1] not in _NO_THINGS:
            return "" if head[1] in _THAT else head[1]
        shown = _SHOWN_THING.search(before)
        counted = _COUNTED.findall(before)[-1:]
        return shown[1] if shown is not None else self._topic_of(clauses) or "".join(counted)

    def _topic_of(self, clauses: Sequence[str]) -> str:
        """Return the thing that Chinese clauses before the last tell of."""
        for clause in reversed(clauses[:-1]):
            for found in (_MOVED_THING.match(clause), _TOPIC.fullmatch(clause)):
                is_thing = found is not None and found[1] not in _NO_THINGS
                if found is not None and is_thing and not self.names.is_known(found[1]):
                    return str(found[1])
        return ""

    def noun_before(self, sentence: Sentence, at: int) -> str:
        """Return a name that nobody is known by, right before a match: Sir Rupert Greyfriars."""
        match = _NOUN_BEFORE.search(self.text[sentence.start : at])
        words = match[1].strip() if match is not None else ""
        return "" if words in ("He", "She", "It", "They", "I", "Nobody") else words


class FactReader:
    """Reads the facts of sentences. ``floor`` is that of the message."""

    def __init__(self, floor: int, text: str, means: Referents) -> None:
        self._floor = floor
        self._text = text
        self._means = means
        self._live_rules: dict[bool, list[_Live]] = {}
        self._by_facet: dict[str, Callable[[Sentence, _Match], tuple[Facet, str, str, str] | None]]
        self._by_facet = {
            **dict.fromkeys(("home", "work", "role", "bond", "age", "origin"), self._of_person),
            **dict.fromkeys(("dead", "alive"), self._alive),
            **dict.fromkeys(("hurt", "well"), self._health),
            **dict.fromkeys(("owner", "owns", "sold", "given"), self._owner),
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

    def _live(self, is_zh: bool) -> list[_Live]:  # noqa: FBT001  the language of a sentence
        """Return the rules that may match anywhere in the message, with the hints it holds."""
        if is_zh not in self._live_rules:
            low = self._text.casefold()
            facts = (rules_zh if is_zh else rules_en).FACTS
            near = [(rules.hint.held(low), rules) for rules in facts]
            self._live_rules[is_zh] = [(hints, rules) for hints, rules in near if hints]
        return self._live_rules[is_zh]

    def _claim(
        self, sentence: Sentence, facet: str, mark: str, match: re.Match[str]
    ) -> Claim | None:
        at = match.start()
        first, last = _clause(self._text, sentence.start, sentence.end, at)
        if mark == "habit" and not sentence.is_spoken:
            return None  # of what somebody does now the narration says the same words
        # who puts somebody up says that they will sleep there
        lead = "" if mark == "assigns" else self._text[first:last]
        if self._is_no_fact(sentence, facet, lead, match.end() - first):
            return None
        groups = match.groupdict()
        value = trimmed(groups.get("v") or groups.get("w") or groups.get("x") or "")
        if _ASKED.search(value) or self._is_of_another(facet, first, match):
            return None
        thing = trimmed(groups.get("t") or "")
        if thing.casefold() == "it":
            thing = self._means.it(sentence, at, thing)
        is_title = facet == "role" and value and sentence.is_zh and self._is_part_of_a_name(match)
        if is_title or self._is_of_before(sentence, facet, match):
            return None
        owner = _OF_BODY.match(match[0])
        if owner is not None:
            person = self._means.meant(sentence, owner[1].casefold(), at)
        elif groups.get("p"):
            person = self._means.meant(sentence, groups["p"].casefold(), at)
        else:
            person = self._means.subject(sentence, at, match.end(), facet)
        read = _Match(facet, mark, value, thing, person, at, groups.get("o") or "")
        said = self._by_facet[facet](sentence, read)
        if said is None or not said[1]:
            return None
        denied = _DENIED.search(self._text[max(first, at - 8) : at]) is not None
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
            not denied and mark not in ("ends", "not", "gone"),
            part.hearers,
            mark if mark in ("ends", "changes", "passes") else "",
            part.depth,
            said[3],
        )

    def _is_no_fact(self, sentence: Sentence, facet: str, clause: str, end: int) -> bool:
        """Whether a clause only supposes, plans or remembers; a fact ends at ``end`` in it."""
        rules = rules_zh if sentence.is_zh else rules_en
        modal = rules.MODAL.search(clause)
        is_behind = modal is not None and modal.start() >= end and _CAN.match(modal[0])
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
        """Whether a clause without a subject tells of nobody who speaks, or of no person.

        是我的老师 is said of somebody else, 附近开了一家店 of nobody, “the sum is 6” of no age.
        """
        lead = self._text[first : match.start()]
        if facet == "role" and _SCHOOLING.search(lead):
            return True  # 学历是博士
        if facet == "role":
            return _OF_SOMEBODY.match(match[0]) is not None and not _ADVERBS.sub("", lead)
        if facet == "work" and "开了" in match[0]:
            head = self._text[first : match.start("v")]
            named = self._means.names.find(self._text, first, match.start("v"))
            return not named and _ANYBODY.search(head) is None
        return facet == "age" and match[0].isascii() and _AGED.search(lead) is None

    def _is_part_of_a_name(self, match: re.Match[str]) -> bool:
        """Whether what was matched stands in a name: 陆掌柜."""
        first, last = match.span("v")
        mentions = self._means.names.find(self._text, match.start(), match.end())
        return any(m.start < last and m.end > first for m in mentions)

    def _of_person(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        person, value = match.person, match.value
        if match.other:
            person = self._means.named_by(sentence, match.other) or person
        if match.facet == "bond" and value in _PAIRS:
            person = person or sentence.part.speaker
        is_no_place = (
            value in rules_zh.NOBODY_OF or value.endswith(("的", "个")) or value[:1] == "个"
        )
        if (match.facet == "origin" and is_no_place) or self._means.names.is_known(value):
            return None
        facet: Facet = "work" if match.facet == "role" else match.facet  # type: ignore[assignment]
        return (facet, person, value, "") if value or match.mark == "ends" else None

    def _alive(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        named = self._means.noun_before(sentence, match.start)
        return "alive", named or match.person, match.facet, ""

    def _health(self, _sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str]:
        return "health", match.person, match.facet, ""

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
        if _OWED.match(thing):
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
        about = self._means.thing(sentence, match.thing, match.start)
        is_of_place = not sentence.is_zh and _PREPOSED.search(
            self._text, max(sentence.start, match.start - 8), match.start
        )
        if not owner or is_of_place or not self._is_thing(about):
            return None
        return "owner", about, owner, ""

    def _place(self, sentence: Sentence, match: _Match) -> tuple[Facet, str, str, str] | None:
        about = self._means.thing(sentence, match.thing, match.start)
        is_no_thing = _NO_PLACE_OF.search(about) or not self._is_thing(about)
        if is_no_thing or _DONE_BY_BODY.search(about) or _HERE.match(match.value):
            return None
        return "place", about, match.value, ""

    def _is_thing(self, words: str) -> bool:
        """Whether words may name a thing: a noun, and nobody of the story."""
        if not words or words in _NO_THINGS or self._means.names.is_known(words):
            return False
        return _NO_NOUN.search(words) is None


def _put(found: list[Claim], claim: Claim) -> None:
    """Add a claim; of two about the same, what is over counts more than what is."""
    for number, other in enumerate(found):
        if (other.facet, other.about) == (claim.facet, claim.about):
            if claim.polarity or (not other.polarity) or other.value not in claim.value:
                return
            found[number] = claim
            return
    found.append(claim)


_KIN_ZH = re.compile(
    "(?P<whose>[他她])(?:的)?(?P<kin>父亲|母亲|太太|妻子|丈夫|女儿|儿子|哥哥|姐姐|妹妹|弟弟|师父"
    "|师傅|爹|娘)"
)
_KIN_EN = re.compile(
    r"\b(?P<whose>his|her) (?P<kin>wife|husband|brother|sister|father|mother|son|daughter|uncle"
    r"|aunt)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"[一这那两几口把][把柄块只枚支本辆匹座张幅件串颗扇艘封口顶盒卷份套瓶壶盏](?!是)"
    r"([\u4e00-\u9fff]{1,4}?)(?=[，。！？；是在的上被从放归”」]|$)"
)
_THING_EN = re.compile(
    r"\b(?:the|a|an|my|his|her|your|that"
    r"|this)\s+((?:[\w'’\-]+\s+){0,2}?[\w\-]+)(?=\s*(?:[.,;!?\"”]|$|\bfrom\b|\bis\b|\bout\b|\bin\b"
    r"|\bon\b))",
    re.IGNORECASE,
)


_NO_PLACE_OF = re.compile(
    r"^(?:it|he|she|they|i|we|you|我|你|他|她|.*(?:手|脚|眼睛?|头|脸|身子|目光|视线|hands?"
    r"|eyes?|head|face|feet"
    r"|arms?|back))$",
    re.IGNORECASE,
)
_NO_THINGS = frozenset(
    "thing things way time moment day night word 如今 现在 今天 昨天 明天 眼下 从前 后来"
    " 从此 从今 自此 这里 那里".split()
)
# What no name of a thing holds (zh), or ends in (en): particles, adverbs, verbs, persons.
_NO_NOUN = re.compile(
    r"[了着过是不没也就都还很吗呢吧啊我你他她您们谁，。]|一定|肯定|大概|可能"
    r"|[递丢留还送扔走来去说道]$"
    r"|(?:\b(?:up|down|out|off|away|back|over|flat|open|shut|together|aside|much|more|this|that"
    r"|these"
    r"|those|hundred|thousand|one|two|three|boy|girl|man|woman|child|daughter|son|everything"
    r"|nothing"
    r"|something|anything|hand|hands|arms?|eyes?|head|face|home|turns?|place|seat|breath|care"
    r"|advantage)"
    r"|ly|n['’]t|[a-z]{4,}ed)$",
    re.IGNORECASE,
)
_AROUND_NAME = re.compile(
    r"(?:the |old |mr\.? |mrs\.? |['’]s)*|[老小阿那这]?(?:先生|小姐|姑娘|师傅|大人|家|自己|本人)?",
    re.IGNORECASE,
)
_OF_WHOM = {"mine": "my", "yours": "your", "hers": "her"} | {
    w: w for w in "his 我 你 您 他 她".split()
}
_YOUR_KIN = re.compile(
    "[你您](?:的)?(父亲|母亲|爸爸?|妈妈?|爹|娘|太太|妻子|丈夫|女儿|儿子|哥哥?|姐姐?|妹妹?|弟弟?"
    "|叔叔|舅舅|外婆|外公|奶奶|爷爷|师傅|师父)"
)
_GROUP = re.compile("[^我你他她这那的]{1,6}(?:公司|国|派|帮|会|府|家|局|队|军|社|院|宫|堂|门)")
_HERE = re.compile("(?:就)?[这那](?:儿|里|边|个$)")
_QUOTED_THING = re.compile(r"[‘“「『]([^’”」』]{1,6})[’”」』]")
_HEAD_THING = re.compile(
    r"[\s“「]*(?:你的|我的|他的|她的|那[把柄块只]?|这[把柄块只]?)?"
    r"([^我你他她了着过的在是这那把\W][^我你他她了着过的在是这那\W]{0,4}?)"
    r"(?:也|就|如今|现在|已经|还|一直|被人?|都|正)*"
)
_PREPOSED = re.compile(
    r"\b(?:on|in|of|at|to|from|with|by|for)\s+$"
)  # …that grows on this wheel is yours
_THAT = frozenset("it this that these those she they them 它 这 那 这个 那个 这东西".split())
_HELD_THING = re.compile(  # 把那封信读了…, 藏进了琴匣
    r"[把将](?:[我你他她]的)?"
    r"(?:[一这那两几]?[把柄块只枚支本辆匹座张幅件串颗扇艘封口顶盒卷份叠沓套瓶壶盏面根条粒箱袋包])?"
    r"(?!手|头|脸|眼|脚"
    r"|身)([\u4e00-\u9fff]{1,4}?)(?=[读看拿取收折叠包裹放搁摆挂藏埋塞锁交递还给丢扔翻打带捡抱装])"
)
_TOPIC = re.compile(  # 外婆的账本，一直搁在…
    r"[\s“「]*(?:[\u4e00-\u9fff]{1,8}的)?(?:[一这那][\u4e00-\u9fff])?"
    r"([^我你他她了着过的在是不把也就都还\W]{1,4})"
)
_SHOWN_THING = re.compile(r"[这那](?:就)?是([\u4e00-\u9fff]{1,5})，")
_MOVED_THING = re.compile(
    r"[\s“「]*(?:你的|我的|他的|她的|那[把柄块只]?"
    r"|这[把柄块只]?)?([^我你他她了着过的在是\W]{1,4}?)(?:也|被|就|还)"
)
_BETWEEN = re.compile(
    r"(?:\s|,|had|has|have|is|was|are|were|been|now|also|['’]s|he|she|once|still|already|just"
    r"|\w+ly|[也就还又都已经正如今现在，一直]){0,8}",
    re.IGNORECASE,
)
_PRONOUN_BEFORE = re.compile(
    r"([我你他她您])(?:也|就|还|都|已经|一直|现在|如今)?$"
    r"|\b(I|he|she|you)(?: \w+ly| also| still| now)?\s*$",
    re.IGNORECASE,
)
_NOUN_BEFORE = re.compile(
    r"((?:(?:Sir|Lord|Lady|Mr\.|Mrs\.|Dr\.|Old)\s+)?(?:[A-Z][\w'’]+\s+){1,3}"
    r"|(?:the|a|an|my|his|her)\s+(?:\w+\s+)?\w+\s+)$"
)


_OWED = re.compile("欠|ow(?:e|ing)|arrears|debt", re.IGNORECASE)
_OF_WOMEN = ("she", "her", "她")
_ONES_OWN = re.compile("[\\s“「]*[我咱你您]")
_PRESENTED = re.compile(r"\b(?:this|that)(?: is|['’]s) ([A-Z][a-z]+)\b")
_SOMEBODY = re.compile(r"(?:[Tt]he |a |an )?[A-Z]\w+$|(?:the|a|an) \w+$")


def trimmed(words: str) -> str:
    """Return words without what stands around them."""
    return _SPACE.sub(" ", _EDGES.sub("", words)).strip(" ,.;:!?'\"“”‘’，。")


def _clause(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)
