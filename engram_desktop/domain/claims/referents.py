"""The persons and things that the sentences of a message are about.

A person is determined by the words right before a match, then by the subject, relatives and
pronouns of the sentence, at last by the speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.fact_words import (
    AROUND_NAME,
    AT_WORK,
    BETWEEN,
    BOUND_BY,
    COUNTED,
    GROUP,
    HEAD_OF_ALL,
    HEAD_THING,
    HELD_THING,
    IS_CALLED,
    ITS_WELL,
    KIN_EN,
    KIN_ZH,
    MOVED_THING,
    NAMED_KIN,
    NO_THINGS,
    NOUN_BEFORE,
    OF_LIMB,
    OF_OTHERS,
    OF_SPEAKER,
    OF_WHOM,
    OF_WOMEN,
    ONES_OWN,
    PRESENTED,
    PRONOUN_BEFORE,
    PRONOUNS_EN,
    QUOTED_THING,
    SHOWN_THING,
    SOMEBODY,
    THAT,
    THING_EN,
    TO_TASK,
    TOPIC,
    WITHIN,
    YOUR_KIN,
)
from engram_desktop.domain.claims.people import FIRST_PERSON, without_speech
from engram_desktop.domain.claims.sentence import Sentence
from engram_desktop.domain.claims.speech import CALLS, Part
from engram_desktop.domain.claims.subjects import (
    FIRST,
    OBJECT,
    PRONOUN,
    Mentioned,
    gender_of_title,
    subject_of,
)
from engram_desktop.domain.knowledge.thoughts import NameFinder
from engram_desktop.domain.text.sentences import clause_of

_CJK = re.compile("[\u3400-\u9fff]")
# A name within an English sentence, and what follows it up to a pronoun.
_STRANGER_EN = re.compile(
    r"(?<=[a-z,] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)[A-Z][a-z]{2,}(?:,? and|,)\s+"
    r"(?:(?:he|she)\s*)?$"
)
_NEAR = 6  # words between a subject and its verb: Mina, who had never liked it, at last quit
# Unnamed people: 北山那些人断了气 is not about the person mentioned before.
_OTHERS_ZH = re.compile(r"[那这]些人|(?<![我咱])们|[有别旁]人|大伙|全[家村城船]|一家人|众人")
_YOU = re.compile(r"[\s，,]*(?:你|您|大人|阁下|殿下|陛下|娘娘|you\b)")
_MINE = re.compile(r"\b(?:I|I'm|I’m|my)\b")
_CALLED = re.compile("[他她](?:就)?叫")
_THIRD = frozenset(("he", "she", "his", "her", "him", "他", "她"))
_BEFORE_CALL = '，,。.！!？?…—“「‘"'  # before the name of a person who is addressed
# Words before a thing's own noun: of the governor the town, the town.
_DETERMINED = re.compile(r"\b(?:the|an?|my|your|his|her|our|their|its|this|that)\s+", re.IGNORECASE)
_FILLER = re.compile(r"^[\s啊嗯哦呃好了那这就还也都已经现在如今昨晚今天一直、]+")


class Referents:
    """The persons and things meant in the sentences of a message, which are read in order."""

    def __init__(
        self, text: str, names: Mentioned, own: str, *, writes_to_player: bool = False
    ) -> None:
        self.writes_to_player = writes_to_player  # the narration addresses the player as “you”
        self.text = text
        self.names = names
        self.own = own
        self._before = ""  # person the narration mentioned last
        self._last_spoken: Sentence | None = None
        # Names and things of sentences are only searched when they are first needed: most
        # messages have no claim that needs them.
        self._noted: list[Sentence] = []
        self._told: list[Sentence] = []
        self._named_so_far: list[str] = []
        self._topics_so_far: dict[str, str] = {}
        self._things_so_far: dict[bool, str] = {}

    def note(self, sentence: Sentence) -> None:
        """Store a sentence, as a source of names."""
        self._noted.append(sentence)

    def note_thing(self, sentence: Sentence) -> None:
        """Store the thing of a sentence, for “it”, and its person, for a clause without one."""
        if sentence.part.kind == "narrated":
            self._before = sentence.part.subject
        else:
            self._last_spoken = sentence
        self._told.append(sentence)

    @property
    def _named(self) -> list[str]:
        """Names mentioned so far, the last at the end."""
        self._read_noted()
        return self._named_so_far

    @property
    def _topics(self) -> dict[str, str]:
        """By speaker: the person their last sentence is about."""
        self._read_noted()
        return self._topics_so_far

    @property
    def _things(self) -> dict[bool, str]:
        """The last thing mentioned: in speech, in narration."""
        for sentence in self._told:
            self._read_thing(sentence)
        self._told.clear()
        return self._things_so_far

    def _read_noted(self) -> None:
        for sentence in self._noted:
            self._read_names(sentence)
        self._noted.clear()

    def _read_names(self, sentence: Sentence) -> None:
        """Read the names in a sentence; the first of them matters most."""
        found = [m.name for m in self.names.find(self.text, sentence.start, sentence.end)]
        kin = rules_zh.KIN if sentence.is_zh else rules_en.KIN
        whose = sentence.part.speaker or self.own
        if kin in sentence.held:
            found += [self.relative(whose, match["kin"]) for match in kin.finditer(sentence.text)]
        if not sentence.is_zh and not found and (named := PRESENTED.search(sentence.text)):
            found.append(named[1])
        is_told = bool(found) and ONES_OWN.match(sentence.text) is None
        if sentence.is_spoken:
            self._topics_so_far[sentence.part.speaker] = found[0] if is_told else ""
        for name in filter(None, reversed(found)):
            self._named_so_far = [*(n for n in self._named_so_far if n != name), name]

    def last_two(self, sentence: Sentence) -> list[str]:
        """Return the two people named last, or people of the scene if a message names fewer."""
        others = [n for n in sentence.part.recent if n not in self._named]
        return [*others, *self._named][-2:]

    def _read_thing(self, sentence: Sentence) -> None:
        told = sentence.text if sentence.is_zh else sentence.text.rpartition(";")[2]
        words = (COUNTED if sentence.is_zh else THING_EN).findall(told)
        if not words and sentence.is_zh:
            words = HELD_THING.findall(sentence.text)
        if not words and sentence.is_zh:
            words = HEAD_OF_ALL.findall(sentence.text)
        found = [str(w) for w in words if not self.names.is_known(w) and w not in NO_THINGS]
        found = [word for word in found if not word.endswith("的")]
        if found:
            self._things_so_far[sentence.is_spoken] = found[-1 if sentence.is_zh else 0]

    def subject(self, sentence: Sentence, at: int, stop: int, facet: str) -> str:
        """Return the person that a match from ``at`` to ``stop`` is about."""
        text, start = self.text, sentence.start
        near = self._right_before(sentence, at)
        if near and facet != "dead":
            return near
        if text[start:at].endswith("的") and text[at - 2 : at - 1] not in "我你他她":
            named = self.names.last(text, start, at)
            is_body = named is not None and OF_LIMB.fullmatch(text, named.end, at) is not None
            return named.name if named is not None and (named.end == at - 1 or is_body) else ""
        if relative := self._kin_of(sentence, at):
            return relative
        person = subject_of(text, start, at, self.names, self._pronouns(sentence))
        if not person and not self._is_of_others(sentence, at):
            person = self._implied(sentence, at, stop, facet)
        is_named_here = person in self.names.named_before(len(text))
        # Somebody named only in earlier messages may stand beside: “he died” does not mean them
        return person if is_named_here or facet != "dead" else ""

    def _is_of_others(self, sentence: Sentence, at: int) -> bool:
        """Return whether a Chinese sentence is about people that it does not name."""
        return sentence.is_zh and _OTHERS_ZH.search(self.text, sentence.start, at) is not None

    @staticmethod
    def told_of(part: Part) -> str:
        """Return the person mentioned last in the previous messages."""
        return part.recent[-1] if part.recent else ""

    def doer(self, sentence: Sentence, at: int) -> str:
        """Return the person whom a clause names as subject near before a verb."""
        text, start = self.text, sentence.start
        near = self._right_before(sentence, at)
        if near:
            return near
        first = clause_of(text, start, sentence.end, at)[0]
        lead = text[first:at].strip(' *"“(')
        if not lead and sentence.is_spoken and first == start:
            is_doing = AT_WORK.match(text, at) is not None
            of = self._topics.get(sentence.part.speaker, "") if sentence.is_zh else ""
            return "" if is_doing else of or sentence.part.speaker  # Quit today!
        if len(lead.split()) > _NEAR or WITHIN.search(lead):
            return ""
        return self._kin_of(sentence, at) or subject_of(
            text, start, at, self.names, self._pronouns(sentence)
        )

    def _implied(self, sentence: Sentence, at: int, stop: int, facet: str) -> str:
        """Return the person meant by a sentence without a subject: the hearer or the speaker."""
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
        is_own = facet in ("hurt", "well") and (
            OF_OTHERS.search(sentence.text) is None or ITS_WELL.match(sentence.text) is not None
        )
        return named[0].name if named else part.speaker if is_own else ""

    def _topic(self, sentence: Sentence, at: int, facet: str) -> str:
        """Return the person of a Chinese sentence without a subject: that of the one before."""
        part = sentence.part
        topic = self._topics.get(part.speaker, "")
        if topic and ONES_OWN.search(self.text, sentence.start, at) is None:
            return topic
        is_to_hearer = part.hearers and not OF_SPEAKER.search(sentence.text)
        if is_to_hearer and facet in ("hurt", "well") and TO_TASK.search(sentence.text):
            return part.hearers[0]  # 把手烫了，你倒好，到处跑
        is_own = facet in ("hurt", "well") or not self._has_noun_head(sentence.start, at)
        return part.speaker if is_own else ""

    def _right_before(self, sentence: Sentence, at: int) -> str:
        """Return the person meant by a name or a pronoun right before a match."""
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
        """Return whether a clause without a person begins with its own noun: 塔修好了."""
        bare = _FILLER.sub("", re.split(r"[，,；;：:]", self.text[start:at])[-1])
        is_of_mine = bare.startswith(("我的", "我们的"))
        return len(bare) >= 2 and (
            is_of_mine or not bare.startswith(("我", "在", "从", "被", "是"))
        )

    def _pronouns(self, sentence: Sentence) -> Callable[[str, int], str]:
        return lambda word, at: self.meant(sentence, word, at)

    def meant(self, sentence: Sentence, word: str, at: int = 0) -> str:
        """Return the person a pronoun before ``at`` means."""
        if word in _THIRD and at and self._stranger_before(sentence, at):
            return ""
        person = self._meant(sentence, word, at)
        if sentence.is_spoken and word in _THIRD and self._is_called(sentence, person):
            return ""  # He's alive, Bram.
        is_told = sentence.part.kind == "narrated" and word in _THIRD
        if is_told and self.writes_to_player and person == self.names.player:
            return self.own if self.own and self._fits(self.own, word) else ""
        return person

    def _stranger_before(self, sentence: Sentence, at: int) -> bool:
        """Return whether an unknown name stands before a pronoun: a nephew, Tobias, and he …."""
        last = self.names.last(self.text, sentence.start, at)
        start = sentence.start if last is None else last.end
        return _STRANGER_EN.search(self.text, start, at) is not None

    def _is_called(self, sentence: Sentence, person: str) -> bool:
        """Return whether a sentence ends in calling a person."""
        last = self.names.last(self.text, sentence.start, sentence.end)
        if last is None or last.name != person:
            return False
        before = self.text[sentence.start : last.start].rstrip()[-1:]
        return before == "," and not self.text[last.end : sentence.end].strip(' ,.!?…”"*')

    def _fits(self, name: str, word: str) -> bool:
        """Return whether he or she may mean a person."""
        return self.names.gender(name) in ("f" if word in OF_WOMEN else "m", "")

    def _meant(self, sentence: Sentence, word: str, at: int) -> str:
        part = sentence.part
        if word in FIRST:
            return part.speaker or self.own
        if word in ("你", "您", "you", "your"):
            return self._spoken_to(sentence)
        here = [m.name for m in self.names.find(self.text, sentence.start, at)] if at else []
        called = _CALLED.match(self.text, at) if at else None
        if called is not None and (named := self.names.find(self.text, at, called.end() + 4)):
            return named[0].name  # 她叫红绡
        if part.kind == "narrated" and here:
            return self.names.meant_by(word, here[::-1])
        # ask Fergus about that, he's been keeper
        others = [n for n in here[::-1] if n not in (part.speaker, *part.hearers)]
        near = self.names.meant_by(word, others) if others else ""
        is_player = part.subject == self.names.player and not self.own  # a narrator's “you”
        is_told_of = part.kind == "narrated" and part.subject and not is_player
        if not near and is_told_of and self._goes_on_about(part.subject, word):
            return part.subject
        return near or self._last_named(sentence, word, at or sentence.start)

    def _spoken_to(self, sentence: Sentence) -> str:
        """Return the person whom “you” means."""
        part = sentence.part
        if part.kind == "narrated":
            is_told = self.own != self.names.player
            return part.hearers[0] if part.hearers else self.names.player if is_told else ""
        return self._called(sentence) or (part.hearers[0] if part.hearers else "")

    def _called(self, sentence: Sentence) -> str:
        """Return who was called last in a speech, up to the end of a sentence: Beck, it is you."""
        part = sentence.part
        for mention in reversed(self.names.find(self.text, part.start, sentence.end)):
            lead = self.text[max(part.start, mention.start - 2) : mention.start].rstrip(" ")
            is_apart = not lead or lead[-1] in _BEFORE_CALL
            if mention.name != part.speaker and is_apart and CALLS.match(self.text, mention.end):
                return mention.name
        return ""

    def _last_named(self, sentence: Sentence, word: str, at: int) -> str:
        """Return the person a pronoun means, among those named before."""
        part = sentence.part
        topic = self._topics.get(part.speaker, "")
        told_of = (topic, *self._named[-1:])  # people whom the words before a name may be about
        spoken_to = [n for n in part.hearers[:1] if n not in told_of and part.kind != "narrated"]
        beside = self._beside(sentence, at)
        spoken_to += beside
        recent = [n for n in reversed(self._named) if n != part.speaker and n not in spoken_to]
        first = self.names.meant_by(word, recent[:1])
        others = [n for n in (part.subject, *reversed(part.recent)) if n and n not in recent]
        others = [n for n in others if n != part.speaker]  # the speaker is I
        recent += [n for n in others if n not in spoken_to]
        is_told_of = self.names.player in self.names.named_before(len(self.text))
        if part.kind == "narrated" and not self.own and len(recent) > 1 and not is_told_of:
            recent = [n for n in recent if n != self.names.player]
        return first or self.names.meant_by(word, recent)

    def _beside(self, sentence: Sentence, at: int) -> list[str]:
        """Return people named in the clause of a pronoun, whom it cannot mean: 他比楚照小三岁."""
        end = clause_of(self.text, sentence.start, sentence.end, at)[1]
        named = self.names.find(self.text, at, end)
        if not named or IS_CALLED.search(self.text, at, named[0].start) is not None:
            return []
        return [mention.name for mention in named]

    def _goes_on_about(self, subject: str, word: str) -> bool:
        """Return whether a pronoun means the narration's topic, though others were named."""
        gender = "f" if word in OF_WOMEN else "m"
        others = [n for n in self._named if self.names.gender(n) == gender]
        is_elsewhere = subject not in self._named and bool(others)
        return not self._named or (self.names.gender(subject) == gender and not is_elsewhere)

    def done_to(self, sentence: Sentence, words: str) -> str:
        """Return the person meant by the object of a verb: They sent Joe home, They let me go."""
        word = words.casefold()
        if word in ("me", "you", "him", "her"):
            return self.meant(sentence, {"him": "he", "her": "she"}.get(word, word))
        return self.named_by(sentence, words)

    def named_by(self, sentence: Sentence, words: str) -> str:
        """Return the person whom a few words name, or “me” means."""
        if words.strip().casefold() in ("me", "我"):
            return sentence.part.speaker or self.own
        mention = self.names.within(words)
        return mention.name if mention is not None else ""

    def _kin_of(self, sentence: Sentence, at: int) -> str:
        """Return the person whose relative a clause is about: 我爹, her husband."""
        patterns = (rules_zh.KIN, KIN_ZH) if sentence.is_zh else (rules_en.KIN, KIN_EN)
        for pattern in patterns:
            found = list(pattern.finditer(self.text, sentence.start, at))
            between = self.text[found[-1].end() : at] if found else ""
            is_apart = any(c in between for c in "，,。我I") and not NAMED_KIN.fullmatch(between)
            is_apart = is_apart and not (sentence.is_zh and self._goes_on(found[-1].end(), at))
            if not found or is_apart:
                continue
            whose = found[-1].groupdict().get("whose")
            person = self.meant(sentence, whose.casefold()) if whose else ""
            return self.relative(person or sentence.part.speaker or self.own, found[-1]["kin"])
        return ""

    def _goes_on(self, start: int, at: int) -> bool:
        """Return whether the Chinese clauses from ``start`` up to ``at`` have one subject."""
        between = self.text[start:at]
        is_named = (
            PRONOUN.search(between) or "我" in between or self.names.find(self.text, start, at)
        )
        return between.count("，") == 1 and between.endswith("，") and not is_named

    def relative(self, whose: str, kin: str) -> str:
        """Return the name of a person's relative if one is known by it: 苏妈妈."""
        if not whose or not _CJK.search(kin):
            return f"{whose}'s {kin.casefold()}" if whose else ""
        for name in sorted(self.names.all):
            if len(name) > 1 and name[0] == whose[0] and kin[0] in name[1:] and name != whose:
                return name
        return f"{whose}的{kin}"

    def owner(self, sentence: Sentence, words: str, at: int, giver: str = "") -> str:
        """Return the owner named by a few words before ``at``: mine, 我父亲, the Bishop.

        "" if they name none; a pronoun does not mean the ``giver``.
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
        """Return the thing meant by a few words; without words, the one mentioned before ``at``."""
        bare = _DETERMINED.split(words)[-1].strip().removesuffix(" now")
        if bare and bare.casefold() not in THAT:
            return bare
        is_spoken = sentence.is_spoken
        last = self._things.get(is_spoken) or self._things.get(not is_spoken, "")
        return last if words else self._thing_before(sentence, at) or last

    def it(self, sentence: Sentence, at: int, word: str) -> str:
        """Return the thing that “it” means in the same sentence; else the word itself."""
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
        """Return the thing that Chinese clauses before the last one are about."""
        for clause in reversed(clauses[:-1]):
            for found in (MOVED_THING.match(clause), TOPIC.fullmatch(clause)):
                is_thing = found is not None and found[1] not in NO_THINGS
                if found is not None and is_thing and not self.names.is_known(found[1]):
                    return str(found[1])
        return ""

    def noun_before(self, sentence: Sentence, at: int) -> str:
        """Return an unknown name right before a match: Sir Rupert Greyfriars."""
        match = NOUN_BEFORE.search(self.text[sentence.start : at])
        words = match[1].strip() if match is not None else ""
        return "" if PRONOUNS_EN.match(words) else words


# The pronouns of people in a story (he or she), from the pronouns around their names.

_SENTENCES = re.compile(r"[^。！？!?\n.]+")
_SURELY_TOLD = 2  # votes by the pronoun after a sentence's subject, the most reliable ones
_HE_SHE = re.compile(
    r"(?<![A-Za-z])(?:(he|him|his)|(she|her|hers))(?![A-Za-z])|(他)|(她)", re.IGNORECASE
)
# He and she as subject, his and her own: not “poured her a cup”. 他 and 她: see _CLAUSE_HEAD.
_OF_SUBJECT = re.compile(
    r"(?<![A-Za-z])(?:(he|his)|(she|her(?= \w)(?! (?:an?|the|on|in|to|with|for|and|out|away|back|up"
    r"|down|by|from|as|at|that|what|how|if|when|who|over|into|off)\b)))(?![A-Za-z])"
    r"|(?:(他)|(她))(?![们人])",
    re.IGNORECASE,
)
_ASIDE_MARKS = ("*", "（", "(", "_")
_PRONOUN_AT_HEAD = re.compile(
    r"[\s*（(_]*(?:(?:then|but|and|so|still)\s+)?(?:(he|his)|(she|her)|(他)|(她))(?![A-Za-z们])",
    re.IGNORECASE,
)
_FAMILY_CALLED = re.compile(  # 江师妹, 沈公子
    r"([\u4e00-\u9fff])(?:(师姐|师妹|姑娘|小姐|夫人|太太|女士|婶|姨|嫂|大娘)|师兄|师弟|公子|先生|少爷|大叔|大哥|大爷|大人)"
)
_CLAUSE_HEAD = re.compile(
    r"[，；：—][却也又便就则而但可只还才]?$"
)  # 江映雪没有接|他的话 is about another person
# Yes, miss. The title of the person a card speaks to: the player, if there is only one card.
_CALLED_AS = re.compile(
    r"[,“\"]\s*(?:(sir|mister|m['’]lord|my lord|young man)|(miss|ma['’]am|madam|m['’]lady|my lady"
    r"|young lady))\b(?-i: [A-Z]\w+)?\s*[.,!?…”\"]",
    re.IGNORECASE,
)
# You're the new girl. 你这丫头. What the player is said to be.
_YOU_ARE = re.compile(
    r"\byou(?:['’]re| are) (?:an?|the|my|one) (?:[a-z]+ ){0,2}"
    r"(?:(boy|man|lad|fellow)|(girl|woman|lady|lass))\b"
    r"|你(?:这个?|真?是个?)[傻臭小野死]?(?:(小子|男人|小伙子)|(丫头|姑娘|女人|女孩子?))",
    re.IGNORECASE,
)
_TITLE_BEFORE = re.compile(
    r"\b(?:(Mr\.?|Sir|Lord|Brother)|(?:Mrs\.?|Miss|Ms\.?|Lady|Sister|Madam)) (?:[A-Z]\. )?$"
)
_LONGEST_TITLE = 12  # characters with a first letter: Brother A.
_SURELY_PLAYER = 3  # pronouns by which a character calls the player he or she
_NEAR_NAME = 40  # characters after a name in which a pronoun means its person


def genders(
    messages: Iterable[tuple[str, str]], names: NameFinder, persons: Collection[str] = ()
) -> dict[str, str]:
    """Return ``m`` or ``f`` by person, from the pronouns of the narration.

    ``messages`` are (sender, text). A pronoun after a name means its person, most reliably if a
    sentence begins with the name and the next with the pronoun; a pronoun at the beginning of a
    message, without names before it, means the sender if ``persons`` contains the sender.
    """
    votes: Counter[str] = Counter()
    presented: Counter[str] = Counter()  # from other speakers, used if no other votes exist
    by_title: Counter[str] = Counter()  # by family name
    alone: Counter[tuple[str, int]] = Counter()  # pronouns of senders who name no other person
    called_as: Counter[str] = Counter()  # by the characters who speak to the player
    for sender, text in messages:
        if sender != names.player:
            called_as[sender] += sum(1 if call[1] else -1 for call in _CALLED_AS.finditer(text))
            said_to_be = (1 if call[1] or call[3] else -1 for call in _YOU_ARE.finditer(text))
            called_as[sender] += _SURELY_TOLD * sum(said_to_be)
        _vote_titles(text, names, votes)
        _vote_presented(text, names, presented)
        told = without_speech(text)
        is_told = told != text or text.lstrip()[:1] in _ASIDE_MARKS  # bare speech is about others
        for called in _FAMILY_CALLED.finditer(text):
            by_title[called[1]] += 1 if called[2] is None else -1
        if _HE_SHE.search(told) is None:
            continue
        is_third = sender in persons and is_told and FIRST_PERSON.search(told) is None
        _vote(told, sender if is_third else "", names, votes)
        if is_third and {m.name for m in names.find(told)} <= {sender, names.player}:
            alone.update((sender, _side(pronoun)) for pronoun in _HE_SHE.finditer(told))
    families = Counter(name[0] for name in names.all)
    for name in names.all:
        is_of_family = families[name[0]] == 1 and name[0] not in "小老阿"  # 小姑娘 is not 小满
        if is_of_family and not name.isascii():
            votes[name] += _SURELY_TOLD * by_title[name[0]]
    told_of = {**presented, **{name: count for name, count in votes.items() if count}}
    known = {name: "m" if count > 0 else "f" for name, count in told_of.items() if count}
    known |= {name: of for name in names.all if (of := gender_of_title(name))}
    if names.player and names.player not in known:
        side = sum(called_as.values()) if len(called_as) == 1 else 0
        known |= {names.player: "m" if side > 0 else "f"} if side else _player(names, known, alone)
    return known


def _player(
    names: NameFinder, known: Mapping[str, str], alone: Mapping[tuple[str, int], int]
) -> dict[str, str]:
    """Return the player's gender, by the pronouns of senders who name no one else."""
    for side, gender in ((1, "m"), (-1, "f")):
        others = sum(
            n
            for (who, of), n in alone.items()
            if of == side and known.get(who) not in (gender, None)
        )
        if others >= _SURELY_PLAYER:
            return {names.player: gender}
    return {}


def _vote_titles(text: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add how often a title is before each name: Mr. Quill, narrated or said."""
    for mention in names.find(text):
        before = text[max(0, mention.start - _LONGEST_TITLE) : mention.start]
        if title := _TITLE_BEFORE.search(before):
            votes[mention.name] += _SURELY_TOLD if title[1] else -_SURELY_TOLD


_PRESENTS = re.compile(  # That's Imre. He's blind. 那是小满。他不会说话
    r"(?:(?:[Tt]hat|[Tt]his)(?:['’]s| is)|[Mm]eet|[Rr]emember) (?P<en>[A-Z]\w+)[.,!]"
    r"[”\"* ]*(?=[A-Z])"
    r"|(?:这|那)(?:就)?是(?P<zh>[\u4e00-\u9fff]{2,4})[。，！][”」]?(?:\*[^*\n]*\*)?[“「]?"
)


def _vote_presented(text: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add the pronoun with which a speech continues after it introduces a person."""
    for found in _PRESENTS.finditer(text):
        head = _PRONOUN_AT_HEAD.match(text, found.end())
        name = found["en"] or found["zh"]
        if head is not None and names.is_known(name):
            votes[names.who(name)] += _side(head)


def _vote(told: str, subject: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add for each person how often the narration calls them he, minus how often she.

    ``subject`` is the person meant by a pronoun at the beginning.
    """
    line_end, told_as = told.find("\n"), 0
    for sentence in _SENTENCES.finditer(told):
        if 0 <= line_end < sentence.start():  # on another line another person may speak
            subject, line_end = "", told.find("\n", sentence.start())
        mentions = list(names.find(told, sentence.start(), sentence.end()))
        if not mentions:
            head = _PRONOUN_AT_HEAD.match(sentence[0]) if subject else None
            if head is not None and told_as in (0, _side(head)):
                told_as = _side(head)  # She waits. He is late: he is another person
                votes[subject] += _SURELY_TOLD * told_as
            continue
        told_as = 0
        first = mentions[0]
        is_subject = not told[sentence.start() : first.start].strip(" *（(_")
        subject = first.name if is_subject else ""
        if len({mention.name for mention in mentions}) == 1:
            end = min(sentence.end(), first.end + _NEAR_NAME)
            found = _OF_SUBJECT.finditer(told, first.end, end)
            apart = (
                m
                for m in found
                if not OBJECT.search(told[max(0, m.start() - 14) : m.start()])
                and (not (m[3] or m[4]) or _CLAUSE_HEAD.search(told, first.end, m.start()))
            )
            behind = next(apart, None)
            votes[first.name] += _side(behind) if behind is not None else 0


def _side(pronoun: re.Match[str]) -> int:
    return 1 if pronoun[1] or pronoun[3] else -1
