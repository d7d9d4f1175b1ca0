"""Reads the claims of a message: what its sentences assert, who asserts it, and about whom.

Linear in the length of the text: the length and number of sentences are limited, and every rule is
tried on one sentence at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.echoes import echoes_in
from engram_desktop.domain.claims.facts import (
    FactReader,
)
from engram_desktop.domain.claims.hinted_rules import TextFinder, tidied, trimmed
from engram_desktop.domain.claims.lasting import HINTS, lasting_facts
from engram_desktop.domain.claims.mistakes import BELIEFS, IS_NOT_SO, MISBELIEVES, THINKS_SO
from engram_desktop.domain.claims.parts import read_parts
from engram_desktop.domain.claims.referents import Referents
from engram_desktop.domain.claims.sentence import MAX_SENTENCE, Sentence, sentences_of
from engram_desktop.domain.claims.speech import YOU_TOLD, Context, MessageSender, Part
from engram_desktop.domain.claims.subjects import Mentioned
from engram_desktop.domain.claims.untruths import (
    DARK,
    EXPOSES,
    LACKS_EN,
    LACKS_ZH,
    belies,
    is_dark,
    is_teasing,
)
from engram_desktop.domain.claims.vows import (
    BINDING,
    binds,
    due_in,
    is_idle,
    is_only_kind,
    is_playful,
    laughs,
)
from engram_desktop.domain.claims.wording import is_denial_of, least_shared
from engram_desktop.domain.knowledge.thoughts import NameFinder
from engram_desktop.domain.text.sentences import with_wide_marks
from engram_desktop.domain.values import dataclass

MAX_TEXT = 20_000  # characters of a message that are read: ten times a long reply
MAX_CLAIMS = 60  # claims of a message: several times as many as a long reply of a story has
_FOREIGN = 4  # a message with a quarter of Chinese characters is Chinese
_LAID_BESIDE = 4  # sentences before a thought that it may deny
_ASKS = re.compile(
    "[谁哪吗呢么]|什么|怎么|几|多少|是不是|有没有|难道|还是|知道|觉得|说|记得|莫非|何"
)
_LEAST_REAL = 6  # characters before “if” that may assert something
_PLAY = 40  # characters beside a threat in which a person laughs
_SHORT = 80  # characters of a narrated sentence that may deny a speech
_CJK = re.compile("[\u3400-\u9fff]")
_GIVES_WORD = re.compile(
    r"(?:好[的吧]?|嗯|行)?[，,]?我答应你?[。！]?|(?:Okay|All right"
    r"|Yes)?[,.]? ?I promise(?: you)?[.!]?|(?:You have|I give you) my word[.!]?",
    re.IGNORECASE,
)
_WRONGED = re.compile(r"错怪|冤枉|误会|[看认]错|\bwrong\b|\bmisjudged\b")
_PROMISED_BEFORE = re.compile("我答应过(?:你|的)?[，。]")  # a promise that is repeated
_OF_ME = re.compile(r"我|家[父母]|老夫|\b(?:I|my|we)\b|\bI['’]", re.IGNORECASE)
_UNTRUTHS = TextFinder({DARK: DARK.hints, BELIEFS: BELIEFS.hints})
# Without one of these words there is no promise.
_VOWS = frozenset(
    marker
    for rules in (rules_zh, rules_en)
    for marker in (rules.VOW, rules.THREAT, rules.GIVES, *BINDING)
) | {rules_en.WILL}
_FAITH = re.compile(
    "(?:真|可|果然|一向|向来|从来|总是|就是?|都)?(?:说到做到|说话算[话数]|言而有信)"
)
_SUBJECT = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*|[\u4e00-\u9fff]{2,4}?(?=的|那双|是|今年|有)")


_PROMISED = ("owner", "place", "home", "health")  # 我亲手把它还你 returns nothing yet


@dataclass(frozen=True, slots=True)
class MessageClaims:
    """The claims of a message. ``facts`` have a facet or a sign.

    ``lines`` are all its sentences, with their speakers: later words are compared with them.
    """

    facts: tuple[Claim, ...] = ()
    lines: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class _Vow:
    """A sentence that promises something: ``is_sworn``, with “I will”, and the time it is due.

    ``is_own``: it is about an action of the speaker.
    """

    start: int
    end: int
    is_sworn: bool
    is_will: bool
    is_due: bool
    is_own: bool = True


def read_message(
    floor: int,
    text: str,
    sender: MessageSender,
    names: NameFinder,
    before: Context | None = None,
    genders: Mapping[str, str] | None = None,
) -> tuple[MessageClaims, Context]:
    """Return the claims of a message, and the context for the next one."""
    written = text[:MAX_TEXT]
    text = with_wide_marks(written)
    mentioned = Mentioned(names, text, genders)
    parts, context = read_parts(text, sender, mentioned, before)
    told = [part for part in parts if part.kind == "narrated"]
    calls_you = any(YOU_TOLD.search(text, part.start, part.end) for part in told)
    reader = _ClaimReader(floor, text, sender, mentioned, writes_to_player=calls_you)
    for part in parts:
        reader.read(part)
    reader.end()
    facts, lines = reader.facts[:MAX_CLAIMS], reader.lines
    if text != written:
        facts, lines = _as_written(facts, text, written), _as_written(lines, text, written)
    return MessageClaims(tuple(facts), tuple(lines)), context


def _as_written(claims: Sequence[Claim], text: str, written: str) -> list[Claim]:
    """Return claims of ``text`` with their quotes in the original wording."""
    return [
        replace(claim, quote=written[claim.start : claim.end])
        if claim.quote == text[claim.start : claim.end]
        else claim
        for claim in claims
    ]


class _ClaimReader:
    def __init__(
        self,
        floor: int,
        text: str,
        sender: MessageSender,
        names: Mentioned,
        *,
        writes_to_player: bool,
    ) -> None:
        self.floor = floor
        self.text = text
        self.names = names
        self.facts: list[Claim] = []
        self.lines: list[Claim] = []
        self._said: list[int] = []  # indices of the spoken lines that assert their content
        own = "" if sender.is_narrator else names.who(sender.name)
        self._means = Referents(text, names, own, writes_to_player=writes_to_player)
        self._fact_reader = FactReader(floor, text, self._means)
        self._vows: list[_Vow] = []
        self._vows_of: Part | None = None
        self._unreal_until = -1  # end of the line that tells of a dream or a play

    def read(self, part: Part) -> None:
        if part.kind == "ooc":
            self.facts.append(self._plain(part, part.start, part.end, ""))
            return
        is_spoken = part.kind in ("said", "written")
        if self._vows_of is not None and is_spoken and part.speaker != self._vows_of.speaker:
            self.end()
        vows, first = len(self._vows), len(self.lines)
        for sentence in sentences_of(self.text, part):
            self._sentence(sentence)
        if is_spoken:
            self._said += [n for n in range(first, len(self.lines)) if not self.lines[n].sign]
        else:
            self._contrasts(part, first)
        if len(self._vows) > vows and self._vows_of is None:
            self._vows_of = part

    def end(self) -> None:
        """Add the promises, once all words of their speaker are read."""
        if self._vows_of is not None and self._vows:
            self._promise(self._vows_of, self._vows)
        self._vows, self._vows_of = [], None

    def _sentence(self, sentence: Sentence) -> None:
        text = sentence.text
        rules = rules_zh if sentence.is_zh else rules_en
        if sentence.start < self._unreal_until or sentence.search(rules.DREAM):
            line_end = self.text.find("\n", sentence.end)
            self._unreal_until = len(self.text) if line_end < 0 else line_end
            return
        is_asked = rules.QUESTION.search(text) is not None
        is_joke = sentence.search(rules.JOKE) is not None
        is_unreal = is_asked or is_joke or self._is_recited(sentence)
        is_real = not is_unreal
        supposed = sentence.search(rules.UNREAL)
        is_unreal = is_unreal or supposed is not None
        sign = _sign(sentence) or ("" if is_joke else self._answers(sentence))
        sign = "" if is_asked and sign == "keeps" else sign  # 说话算话？
        of_line = "asked" if is_asked else "unreal" if is_unreal else sign
        self.lines.append(self._plain(sentence.part, sentence.start, sentence.end, of_line))
        if sign:
            self._add(self._signed(sentence.part, sentence.start, sentence.end, sign))
        told_before = _before_asking(sentence) if is_asked else None
        if told_before is not None:
            self.lines.insert(
                -1, self._plain(sentence.part, told_before.start, told_before.end, "")
            )
        is_open = is_asked and rules.TAG_QUESTION.search(text) is None
        vows = len(self._vows)
        is_again = "答应过" in text and _PROMISED_BEFORE.search(text) is not None
        if not (is_joke or is_open or is_again):
            self._may_vow(sentence)
        self._means.note(sentence)
        is_vow = len(self._vows) > vows and self._vows[-1].is_will
        real = _before_supposing(sentence, supposed) if is_real else None
        real = real or (told_before if supposed is None and not is_joke else None)
        if real is not None:
            self._tells(real, is_vow=is_vow)
        self._means.note_thing(sentence)

    def _tells(self, real: Sentence, *, is_vow: bool) -> None:
        """Add the facts of an asserted sentence, except what it promises, which is not so yet."""
        part = self._retold(real)
        told = real if part is real.part else replace(real, part=part)
        for claim in self._fact_reader.facts(told):
            if not (is_vow and claim.polarity and claim.facet in _PROMISED):
                self._add(claim)
        if told.part.kind not in ("thought", "ooc"):
            if HINTS in told.held:
                self._lasting(told)
            self._echo(told)
        if told.is_spoken and told.search(LACKS_ZH if told.is_zh else LACKS_EN):
            self._add(self._signed(told.part, told.start, told.end, "lacks"))

    def _echo(self, sentence: Sentence) -> None:
        """Add the parts of a sentence that end or move earlier facts without a facet."""
        if sentence.part.depth:
            return
        echoes = echoes_in(sentence.text, is_zh=sentence.is_zh, held=sentence.held)
        for sign, words, at in echoes:
            if sign == "counts" and sentence.is_zh and rules_zh.PAST.search(sentence.text):
                continue  # 我当年身上只有三枚铜钱
            claim = self._plain(sentence.part, sentence.start, sentence.end, sign)
            place = sentence.start + at
            is_of_somebody = sign in ("quits", "counts")
            about = self._means.subject(sentence, place, place, "work") if is_of_somebody else ""
            self._add(replace(claim, about=about, value=words))

    def _answers(self, sentence: Sentence) -> str:
        """Return the sign of a speech after “he confessed”, or of one that exposes a lie."""
        if not sentence.is_spoken or not sentence.search(EXPOSES):
            return ""
        around = self.text[max(0, sentence.start - _PLAY) : sentence.end + _PLAY]
        return "" if laughs(around) and is_teasing(sentence.text) else "exposes"

    def _may_vow(self, sentence: Sentence) -> None:
        if sentence.is_spoken and sentence.part.speaker:
            self._vow(sentence)

    def _is_recited(self, sentence: Sentence) -> bool:
        """Return whether a spoken sentence is in another language than the message."""
        is_foreign = sentence.is_spoken and not sentence.is_zh and self._is_chinese
        return is_foreign and _CJK.search(sentence.text) is None

    @cached_property
    def _is_chinese(self) -> bool:
        return len(_CJK.findall(self.text)) * _FOREIGN > len(self.text)

    @cached_property
    def _untruths(self) -> Set[object]:
        """Return which of `DARK` and `BELIEFS` the message has; without both it belies nothing."""
        return _UNTRUTHS.held(self.text.casefold())

    def _contrasts(self, part: Part, first: int) -> None:
        """Mark thoughts and narration that contradict the very words said before them."""
        said = [self.lines[n] for n in self._said[-_LAID_BESIDE:]]
        if self._untruths:
            if said and self.lines[first:]:
                self._belies(part, said[-1], first)
            elif not said and part.kind == "narrated" and not self._is_mistaken(part, first):
                self._hints(part, first)
        for line in self.lines[first:] if said else ():
            is_told = part.kind == "narrated"
            if line.sign or (is_told and len(line.quote) > _SHORT):
                continue
            own = said if is_told else [c for c in said if c.speaker == line.speaker]
            least = least_shared(line)
            if any(is_denial_of(line.quote, c.quote, least) for c in own if len(c.quote) <= _SHORT):
                self._add(self._signed(part, line.start, line.end, "hint"))

    def _hints(self, part: Part, first: int) -> None:
        """Mark the first sentence that may belie a speech of the previous floor."""
        for line in self.lines[first:]:
            if not line.sign and len(line.quote) < _SHORT and is_dark(line.quote):
                self._add(self._signed(part, line.start, line.end, "hint"))
                return

    def _lasting(self, sentence: Sentence) -> None:
        """Add the facts of a sentence that no event changes."""
        for fact in lasting_facts(sentence.text, sentence.low):
            at, stop = sentence.start + fact.start, sentence.start + fact.stop
            about = fact.key.partition(" ")[2] or "-"
            if not fact.is_of_thing:
                about = self._means.subject(sentence, at, stop, "origin")
                if not about or self.names.within(about) is None:
                    named = _SUBJECT.match(sentence.text)
                    is_own = sentence.is_spoken and _OF_ME.search(sentence.text[: fact.stop])
                    about = sentence.part.speaker if is_own else named[0] if named else about
                about = about or sentence.part.speaker
            if about:
                claim = self._plain(sentence.part, sentence.start, sentence.end, "")
                told = replace(claim, about=about, value=fact.value, trigger=fact.key)
                if (told_of := tidied(replace(told, facet="origin"), "")) is not None:
                    self._add(told_of)

    def _belies(self, part: Part, said: Claim, first: int) -> None:
        """Mark thoughts and narration that show the words right before them to be a lie."""
        if (
            said.depth
            or len(said.quote) > _SHORT
            or (part.speaker and part.speaker != said.speaker)
        ):
            return
        behind = self._said[-1] + 1
        if part.kind == "narrated" and self._is_mistaken(part, first):
            return
        for number in range(first, len(self.lines)):
            line = self.lines[number]
            if not line.sign and belies(said, line, number - behind):
                self.lines[number] = replace(line, sign="untrue")
                self._add(self._signed(part, line.start, line.end, "untrue"))
                return

    def _is_mistaken(self, part: Part, first: int) -> bool:
        """Mark narration that names a person's certainty, and then that it is wrong."""
        for number in range(first, len(self.lines)) if BELIEFS in self._untruths else ():
            line = self.lines[number]
            before = self.lines[number - 1] if number else None
            is_wrong = MISBELIEVES.search(line.quote) or (
                before is not None
                and before.how in ("narrated", "thought")
                and THINKS_SO.search(before.quote)
                and IS_NOT_SO.match(line.quote)
            )
            if is_wrong and line.sign in ("", "errs"):
                if not line.sign:
                    self.lines[number] = replace(line, sign="errs")
                    self._add(self._signed(part, line.start, line.end, "errs"))
                return True
        return False

    def _retold(self, sentence: Sentence) -> Part:
        """Return whose words a sentence repeats: 燕三跟我说她死了, Hale told me she left."""
        part = sentence.part
        if not sentence.is_spoken or part.depth:
            return part
        match = sentence.search((rules_zh if sentence.is_zh else rules_en).RETELLS)
        if match is None:
            return part
        says = sentence.start + match.start("says")
        named = self.names.last(self.text, sentence.start, says)
        if named is None or named.name == part.speaker or self.text[named.end : says].strip():
            return part
        told = (part.speaker,) if part.speaker else ()
        return replace(part, speaker=named.name, hearers=told, depth=1)

    def _add(self, claim: Claim) -> None:
        if len(self.facts) < MAX_CLAIMS:
            self.facts.append(claim)

    def _plain(self, part: Part, start: int, end: int, sign: str) -> Claim:
        """Return a sentence as a claim without a facet."""
        about = part.subject if part.kind == "narrated" else ""
        return Claim(
            self.floor,
            part.kind,
            part.speaker,
            about,
            "other",
            "",
            self.text[start:end],
            start,
            end,
            hearers=part.hearers,
            sign=sign,
            depth=part.depth,
        )

    def _signed(self, part: Part, start: int, end: int, sign: str) -> Claim:
        return replace(self._plain(part, start, end, sign), about=part.speaker or part.subject)

    def _vow(self, sentence: Sentence) -> None:
        """Store a sentence that promises something."""
        text, start, end = sentence.text, sentence.start, sentence.end
        rules = rules_zh if sentence.is_zh else rules_en
        if sentence.held.isdisjoint(_VOWS) or is_idle(text) or self._is_praise(sentence):
            return
        is_sworn = sentence.search(rules.VOW) is not None and not rules.SWORN_PAST.search(text)
        threatens = sentence.search(rules.THREAT) is not None
        gives = threatens or sentence.search(rules.GIVES) is not None
        will = not sentence.is_zh and sentence.search(rules_en.WILL) is not None
        is_kind = sentence.search(rules.ASSURANCE) is not None and not rules.SWEARS.search(text)
        if not is_kind and binds(text, sentence.search, is_zh=sentence.is_zh):
            self._vows.append(_Vow(start, end, True, True, True))
            return
        if not (is_sworn or gives or will):
            return
        if rules.OATH.fullmatch(text.strip(' *“”"')) is not None:
            self._vows.append(_Vow(start, end, True, False, False))  # it swears to words beside it
            return
        bare = rules.TAG_QUESTION.sub("", text)
        is_kind = is_kind or is_only_kind(text)
        is_empty = is_kind or rules.EMPTY_PROMISE.search(bare) is not None
        when = rules.WHEN.search(text) is not None
        if sentence.is_zh:
            if (is_sworn and not is_empty) or (gives and when and not is_empty) or threatens:
                self._vows.append(_Vow(start, end, is_sworn and not is_empty, True, True))
            elif gives and not is_empty:
                self._vows.append(_Vow(start, end, False, True, False))
            return
        if is_sworn and not is_only_kind(text):  # about others too: you will all be paid, I swear
            shall = will or rules_en.SHALL.search(text) is not None
            self._vows.append(_Vow(start, end, True, shall, when, is_own=will))
        elif will and not is_empty and (gives or when):
            is_due = when and (gives or rules_en.LATER.search(text) is not None)
            self._vows.append(_Vow(start, end, False, True, is_due or threatens))

    def _is_praise(self, sentence: Sentence) -> bool:
        """Return whether a speech praises another person who keeps their word: 陈屿说到做到."""
        faith = _FAITH.search(sentence.text)
        if faith is None or "我" in sentence.text:
            return False
        at = sentence.start + faith.start()
        named = self.names.last(self.text, sentence.start, at)
        return named is not None and named.end == at and named.name != sentence.part.speaker

    def _promise(self, part: Part, vows: Sequence[_Vow]) -> None:
        """Add one claim for the promises of a speech: its words, and when it is due."""
        will = [vow for vow in vows if vow.is_will]
        whole = self.text[vows[0].start : vows[-1].end]
        is_sure = any(vow.is_sworn or vow.is_due for vow in vows)
        if not will and _GIVES_WORD.fullmatch(self.text, vows[0].start, vows[-1].end):
            will = list(vows)  # I promise: to do what the other asked for
        if not will or not (is_sure or rules_en.GIVES.search(whole)):
            return
        told = [vow for vow in will if vow.is_sworn and vow.is_own]
        told = told or [vow for vow in will if vow.is_due and vow.is_own]
        told = told or [vow for vow in will if vow.is_sworn] or will
        start, end = told[0].start, told[-1].end
        if "\n" in self.text[start:end] or end - start > MAX_SENTENCE:
            end = told[0].end
        if is_playful(whole, self.text[max(0, start - _PLAY) : end + _PLAY]):
            return
        rules = rules_zh if _CJK.search(whole) is not None else rules_en
        when = rules.WHEN.search(self.text[start:end])
        trigger = trimmed(when["t"] or when[0]) if when is not None else ""
        trigger = trigger or due_in(self.text[start:end], is_zh=rules is rules_zh).strip("，, ")
        about = part.hearers[0] if part.hearers else ""
        claim = self._plain(part, start, end, "vow")
        self._add(replace(claim, about=about, facet="will", trigger=trigger))


def _before_asking(sentence: Sentence) -> Sentence | None:
    """Return the part of a speech before its question: 我发烧了，今天来不了，你一个人行吗？."""
    stop = sentence.text.rfind("，")
    text = sentence.text[: stop + 1]
    if stop < _LEAST_REAL or not sentence.is_spoken or _ASKS.search(text):
        return None
    return sentence.first(stop + 1)


def _before_supposing(sentence: Sentence, supposed: re.Match[str] | None) -> Sentence | None:
    """Return the part of a sentence before its supposition: It is in the clock, if you ask."""
    if supposed is None:
        return sentence
    stop = max(sentence.text.rfind(mark, 0, supposed.start()) for mark in "，,；;：:—")
    if supposed[0].casefold() in ("as if", "as though"):
        stop = supposed.start() - 1  # he washed his hands as though nothing had happened
    if stop < _LEAST_REAL:
        return None
    return sentence.first(stop + 1)


def _sign(sentence: Sentence) -> str:
    """Return how a sentence refers to earlier words: taken back, kept, broken."""
    rules = rules_zh if sentence.is_zh else rules_en
    if sentence.held.isdisjoint(rules.SIGNS):
        return ""
    has = sentence.search
    if sentence.is_spoken and has(rules.ADMITS):
        return "admits"
    is_thought = sentence.part.kind == "thought"
    if has(rules.UNTRUE) or (is_thought and has(rules.WEAK_UNTRUE)):
        return "untrue"
    if _WRONGED.search(sentence.text) and has(rules.ERRS):
        return "errs"  # 我错怪你了，对不起
    for sign, marker in (("drops", rules.DROPS), ("breaks", rules.BREAKS), ("keeps", rules.KEEPS)):
        if has(marker):
            return sign
    return "errs" if has(rules.ERRS) else ""
