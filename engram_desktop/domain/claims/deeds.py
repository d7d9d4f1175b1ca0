"""Outcomes of a promise that are told in other words than its own: right behind it, or by a deed.

In the next floors one shared word is enough: a person waits in vain, the promise is cancelled, or a
sentence reports the deed with one word of the promise; farther away `outcomes` requires more. A
deed counts by the kind of its verb, the thing and the person: a thing to be given or fetched is
handed over, a person who was to come is there when it is due.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.text.chinese_names import pet_names
from engram_desktop.domain.values import dataclass

# Outcomes in the floors right behind a promise: a person waits in vain, the giver or the receiver
# cancels it, or the deed is reported with one word of the promise.

NEAR = 6  # floors after a promise in which one shared word is enough
# Words common to many sentences: they do not identify a promise.
EVERYDAY = frozenset(
    "definitely make sure try great good nice cool like look see soon ther around take thing time"
    " idea sir madam lord lady miss way next need want keep back week day lot really just start"
    " help work show talk detai 1 2 3 promis swear swore sworn word"
    " 为定 言为 一定 非常 工作 永远 时候 事情 东西 今天 明天 晚上 现在"
    " 之前 之后 以前 以后 之内 发誓 保证 答应".split()
)
_AT_ONCE = 2  # floors: a direct reply to the promise that cancels it
_HAN = re.compile("[\u4e00-\u9fff]")
# common characters, modals and times: they are no part of what is promised
_EMPTY = frozenset(
    "的了着吗呢吧啊呀哦我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会能"
    "可以说么什怎啦嘛"
    "上下里中为之而于其定必绝决将当之后前时候天日年月周今明晚夜早点半三两十几些只等再好那位本宫老"
    "夫座人自己"
    "出过得地起所最真更已经保证发誓答应承诺替亲手来去多少大小样事什么永远一辈子此生"
)
_MEETS = re.compile(
    r"见|等你|会合|碰头|集合|决战|再战|一战|胜负|取你性命|来(?:接|找|看|取)|回(?:来|山|家|去|京)"
    r"|陪你"
    r"|\b(?:meet|be (?:back|there|here|home|outside|at)|com(?:e|ing)|finish this|wait|pick"
    r"|go (?:to|with))\b"
    r"|^[“\"]?(?:midnight|noon|tomorrow|tonight|\w+day|in \w+ (?:days|weeks|months))\b.*\b(?:at"
    r"|by|on) the \w+",
    re.IGNORECASE,
)
_GIVES_THING = re.compile(
    r"带(?:回|给|来)|给你(?![听看])|送你|还(?:你|给)|交(?:到|给)|买|拿|赔|借|\b(?:bring|give|get"
    r"|send|buy|deliver|put|pay|return)\b",
    re.IGNORECASE,
)
_GAVE = re.compile(
    r"掏出|递(?:给|到|上|过)|放(?:到|在|进)[^，。]{0,8}(?:手|桌|面前|怀)|塞(?:给|进|到)|捧出|交到"
    r"|双手|取出[^。]{0,24}放|摆在|\b(?:pulled|handed|laid|put|held out|set|pushed"
    r"|gave)\b[^.]{0,60}\b(?:hands?|from|table|desk|before|coat|pocket|him|her|you|me)\b",
    re.IGNORECASE,
)
_INDEED = re.compile(
    r"真的[^，。！？]{0,12}了|果然|居然真|竟真|你真的|说到做到|多亏|谢谢你的|果真|不负"
    r"|\b(?:had really|really (?:had|did|has)|sure enough|actually did|just as|true to"
    r"|was your \w+ that|told you I would|as promised)\b",
    re.IGNORECASE,
)
_ANOTHERS = re.compile(r"\W*(?:(?:He|She|They)\b|[他她])")
# Belief requested from another or praised in them, and habitual belief.
_FAITH_OF_OTHERS = re.compile(
    r"(?:[你您他她]|^\W*[\u4e00-\u9fff]{2,3}?(?:真|可|果))[^，,。！!？?我]{0,8}"
    r"(?:说话算[话数]|说到做到|守约|守信|言而有信|讲信用|兑现|没有?食言|做到了|答应过)"
    r"|\byou (?:actually |really |did )+(?:do|did) it\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"(?:一向|向来|总是|从来|是个)[^，,。！!？?]{0,6}(?:说话算|说到做到|守约|守信|言而有信)"
    r"|\b(?:make sure|see (?:that|to it)|hope|better|must|should|if|whether|trust|always)\b"
    r"[^.!?]*\bkeep(?:s|ing)? (?:his|her|their) (?:word|promise|vow)\b",
    re.IGNORECASE,
)
# phrases of chats about work: advice and drafts report no deeds
_ADVISES = re.compile(
    r"^\s*(?:[-•#:]|\d+[.)])|:$|\b(?:can|should|consider|ensure|make sure|here['’]s|let['’]s"
    r"|important to|in order to|helps?|scheduled for|your)\b",
    re.IGNORECASE,
)
_VAIN = re.compile(
    r"(?:再也|始终|终究|到底|还是|一直|却|也|都)(?:没有?|未)(?:能)?[^，。！？]{0,4}(?:来|回(?!头"
    r"|答|应|过)|出现|见|露面|等到|接|还|动|人|兑现)|没有?人(?:来|接|影|到)|没有?(?:来|等到|回来"
    r"|出现|露面|她的|他的)[^，。]{0,3}(?:身影|人影|消息)?"
    r"|不见[^，。]{0,4}(?:人影|踪影|身影)|(?:没有|不见)[^，。]{0,3}(?:身影|人影|踪影|消息)"
    r"|一[^，。]{1,3}(?:也|都)(?:没|未)[^，。]{0,2}(?:还|动|写|做|见|来)|睡过了?头|空无一人"
    r"|只有风声|饿着肚子|杳无音[信讯]"
    r"|\b(?:never|nobody|no one) (?:came|come|returned|showed|picked|answered|wrote|paid)\b"
    r"|\b(?:did|had|has)(?:n['’]t| not) (?:come|show|shown|appear|return|paid|pay|call|written"
    r"|turn|done)|\bno sign of\b|\bsaw (?:no one|nobody)\b|\boverslept\b|\buntouched\b"
    r"|\bwaited (?:until|till|for hours|all)\b|\bwent to bed hungry\b|\bstone cold\b"
    r"|\bstood (?:him|her|me) up\b",
    re.IGNORECASE,
)
# The place of the person who was to come is empty.
_ABSENT = re.compile(
    r"座位[^，。]{0,6}空|\bstayed empty\b|\b(?:an|the) empty (?:chair|seat|place)\b", re.IGNORECASE
)
_ACCUSES = re.compile(
    r"你(?:又)?(?:骗(?:了)?我|失约|食言|爽约|说话不算|忘了|撒谎)|你(?:明明|不是)?(?:说过|答应过"
    r"|发过誓|保证过)|骗子|言而无信|是你[^，。！？]{0,4}(?:说|讲|泄|传)出去|您骗|又失约"
    r"|\byou (?:lied to me|promised|swore|said (?:you|they|we|he|she)['’]?(?:d| would)"
    r"|gave me your word|let me down|broke your|forgot|told (?:them|him|her|everyone|everybody"
    r"|somebody))\b|\b(?:liar|let me down)\b",
    re.IGNORECASE,
)
_OWNS_UP = re.compile(
    r"没忍住|(?<!没)(?<!没有)(?<!不)食言|没做到|没能(?:做到|守住|救|保)|说漏了?嘴|忘了|失约|无能"
    r"|辜负了|是我说的|是我没|\b(?:slipped out|failed (?:you|him|her)|I forgot|broke my (?:word"
    r"|promise)|couldn['’]t (?:help|save|keep|stop)|let you down"
    r"|I told (?:him|her|them)(?! (?:nothing|not|no)\b))\b",
    re.IGNORECASE,
)

# cancelled: by whom, whatever the words of the promise
_CALLED_OFF = re.compile(
    r"取消|作罢|一笔勾销|到此为止|改(?:了)?主意|不作数|就当[^，。]{0,6}没(?:说|答应)|两清|免了"
    r"|不必了|不用了|收回[^，。]{0,4}(?:话|承诺|誓言)|不必再?守|(?:去|来|见|赶|回)不(?:成|了)了"
    r"|放弃了|别忙了|不用忙"
    r"|\b(?:call(?:ed|ing)? (?:it|this|the \w+) off|(?:is|are|['’]s) off\b|changed my mind"
    r"|I(?:['’]m)? giv(?:e|ing) up|forget (?:it|about it)|let['’]s forget|never ?mind|no need"
    r"|don['’]t bother|(?<!you )don['’]t have to|won['’]t bother|need not|(?:I|we) release"
    r"|you['’]re released"
    r"|let(?:ting)? it go|let (?:her|him|them) be|can['’]t make it|don['’]t owe|we['’]re square"
    r"|as you wish|it ends here|some other time|no (?:duel|need for))",
    re.IGNORECASE,
)
_BY_GIVER = re.compile(
    r"算了(?![^。！？]*再)|罢了|那便|作罢|(?:那就|我|咱们|也就)?不(?!错|好|行|过|要|用"
    r"|会)[^，。]{0,8}了(?=[。！，”]|$)|删掉了|一挥手|摆摆手|退掉|下不了手|\b(?:fine|all right"
    r"|then),? I(?:['’]m| am) (?:staying|not)|\bI can['’]t\b|\bI won['’]t\b|\bsave the money\b"
    r"|\bdeleted\b|\btore up\b",
    re.IGNORECASE,
)
_DROPS_VERB_ZH = re.compile(
    r"(?:不用|不必|不要|不想|(?<![特分区])别|甭|不(?!错|好|行|要迟)|无需|用不着|免)(?:再|麻烦|跟"
    r"|请|去|急着)?([\u4e00-\u9fff]{1,8})了"
    r"|(?:不用|不必|(?<![特分区])别)(?:再)?([\u4e00-\u9fff]{1,6})|([\u4e00-\u9fff]{1,4})(?:就|也"
    r"|那?便)?(?:免了|不必|不用|别|取消|作罢)"
)
_TAG = re.compile(
    r"[，,](?:你看)?(?:行不行|好不好|好吗|如何|怎么样|成吗|可好)[？?”]*$|你看(?=行|好)"
)
_LONG = 6  # sentences of a floor that tells of more than one thing
_WORDS = 2  # required words in common between a long floor and a promise
_TO_ANOTHER = re.compile(
    r"(?:找|请|给|换)(?:别人|别的|其他|旁人)|\b(?:someone|somebody) else\b|\bgo without me\b",
    re.IGNORECASE,
)
# To keep a thing to oneself.
SILENCE = (
    r"不(?:会|能|再)?(?:(?:跟|向|对)[^，,。]{1,4})?(?:告诉(?!你)|说出去|说漏|外传|声张|张扬|走漏"
    r"|泄露|透露)|保密|守口如瓶|烂在肚子里"
    r"|(?<![A-Za-z])(?:(?:not|never|['’]ll not|won['’]t) (?:ever )?(?:tell|breathe|mention)"
    r"|not a (?:word|soul)|lips are sealed|secret(?:['’]s| is) safe|keep (?:your|this|the|that"
    r"|his|her) secret"
    r"|keep (?:it|this) (?:secret|to myself|between us))(?![A-Za-z])"
)
_BARS = re.compile(
    r"一[\u4e00-\u9fff][^，。]{0,4}(?:都|也)不(?!会?[少缺差错漏])|绝不|决不|永不|再也不|死也不"
    r"|不会(?![少缺差错]|漏(?!给))"
    r"|谁[^，。]{0,3}不|没(?:有)?人(?:能"
    r"|敢)|便不|就不会|不(?:去|告诉|说|租|再)|此生[^，。]{0,2}不"
    rf"|{SILENCE}"
    r"|\b(?:never|won['’]t|will not|shall not|not (?:leaving|going to)|nobody|no one|no \w+ shall"
    r"|done with)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"了|(?<!不)过|已|着|"
    r"\b(?:\w{2,}ed|took|brought|taught|gave|found|paid|spoke|kept|saw|made|bought|sent|put|came"
    r"|went|fell|stood|sat|drunk|drank|drew|rode|left|swung|threw|thrown|told|held|laid|was|were"
    r"|had|has)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"没|未|改到|改期|推迟|延期|不(?!久|远|停|禁|由|料|负|见不散|止)|\b(?:will|not|never|no"
    r"|nobody|if|would|could)\b"
    r"|['’]ll|n['’]t|明[天日]|要是|如果|等(?:我|你)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[？?]|(?:吗|(?<!什)么)[）)”」』\s]*$")
_WISHED = re.compile(r"想要|差点|险些|\b(?:almost|nearly|wanted to)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Bond:
    """A promise prepared for the comparison with following lines: characters, words, kind."""

    chars: frozenset[str]
    units: frozenset[str]
    meets: bool
    gives: bool
    is_barred: bool


_WILL_DO = re.compile(
    r"我(?:会|要|就|来|去|带|替|给|陪|亲自)|\b(?:I|we)(?:['’]ll| will| shall) (?!never|not)",
    re.IGNORECASE,
)


_MY_WORD = re.compile(r"\bI give you my word\b", re.IGNORECASE)  # nothing that is handed over


# Words of rank for “I”: they are no part of what is promised.
_SELF = re.compile("奴[婢才家]|臣妾|妾身|微臣|弟子|属下|末将|晚辈|小[人的]|老奴|贫[僧道]|哀家|徒儿")


def without_names(claim: Claim) -> str:
    """Return the words of a promise without how it calls its hearers: 若若，我一定带你去看海."""
    quote = _SELF.sub("我", claim.quote)
    for name in (claim.speaker, *claim.hearers) if not quote.isascii() else ():
        for form in (name, _given_name(name), *pet_names(name[-1:])) if name else ():
            quote = quote.replace(form, " ")
    return quote


@lru_cache(maxsize=2_000)
def _bond(quote: str) -> _Bond:
    quote = _MY_WORD.sub(" ", _TAG.sub("", quote))
    barred = _BARS.search(quote)
    is_barred = barred is not None and _WILL_DO.search(quote, 0, barred.start()) is None
    return _Bond(
        han_of(quote),
        words_of(quote).units - EVERYDAY,
        _MEETS.search(quote) is not None,
        _GIVES_THING.search(quote) is not None,
        is_barred,
    )


def han_of(text: str) -> frozenset[str]:
    """Return the Chinese characters of a text, without common ones."""
    return frozenset(c for c in text if _HAN.match(c)) - _EMPTY


def is_faith_of_others(line: Claim) -> bool:
    """Return whether a sentence is about belief and not about a promise its speaker kept."""
    is_said = line.how in ("said", "written")
    is_others = is_said and _FAITH_OF_OTHERS.search(line.quote) is not None
    return is_others or _HABIT.search(line.quote) is not None


def outcome_near(claim: Claim, told: Sequence[Claim]) -> tuple[str, Claim] | None:
    """Return the outcome of a promise on a near floor, and the line that tells it."""
    if not told:
        return None
    floor = _Floor(
        claim, _bond(without_names(claim)), told[0].floor - claim.floor, len(told) > _LONG
    )
    for line in told:
        found = floor.undone(line)
        if found:
            return found, line
    is_of = any(floor.is_of(line) for line in told)
    for line in told:
        if floor.is_kept(line, is_of=is_of):
            return "kept", line
    return None


def _given_name(name: str, longest: int = 99) -> str:
    """Return the form of a person's name in a sentence: the given name.

    A Chinese name of more than ``longest`` characters stays whole.
    """
    if _WORDS < len(name) <= longest and not name.isascii():
        return name[1:]
    return name.split(maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class _Floor:
    """A floor ``gap`` floors after a promise; ``is_long``: it is about more than one thing."""

    claim: Claim
    bond: _Bond
    gap: int
    is_long: bool

    def undone(self, line: Claim) -> str:
        """Return ``broken`` or ``given_up`` if a line says so, else ""."""
        quote, bond = line.quote, self.bond
        own = line.speaker == self.claim.speaker
        if line.how in ("said", "written") and line.speaker:
            if self.gap > 1 and not own and _ACCUSES.search(quote) and self._is_hearer(line):
                return "broken"
            if self.gap > 1 and own and _OWNS_UP.search(quote) and self._is_meant_for(line):
                return "broken"
            if self._is_dropped(line):
                return "given_up"
        if not _is_told(line) or self.gap <= 1 or _ASKS.search(quote):
            return ""
        least = _WORDS if self.is_long else 1
        is_meant = self._shared(quote) >= least or (bond.meets and not self.is_long)
        is_meant = is_meant and not bond.is_barred  # a promise not to do it is kept if not done
        if is_meant and (
            _VAIN.search(quote) or (bond.meets and not bond.gives and _ABSENT.search(quote))
        ):
            return "broken"
        return (
            "given_up"
            if self.is_of(line) and not self.is_long and _CALLED_OFF.search(quote)
            else ""
        )

    def _is_hearer(self, line: Claim) -> bool:
        claim = self.claim
        is_told = not line.hearers or not claim.speaker or claim.speaker in line.hearers
        return (not claim.about or line.speaker == claim.about) and (
            is_told or line.speaker == claim.speaker
        )

    def _is_meant_for(self, line: Claim) -> bool:
        """Return whether the giver says a line to a receiver, or with words of the promise."""
        claim = self.claim
        to = set(line.hearers)
        is_other = bool(to and claim.hearers) and to.isdisjoint(claim.hearers)
        return not is_other or self._shared(line.quote) > 0

    def is_of(self, line: Claim) -> bool:
        """Return whether a line is about the giver of the promise: said by them, or about them."""
        name = self.claim.speaker
        return bool(name) and (
            name in (line.speaker, line.about) or _given_name(name) in line.quote
        )

    def _shared(self, text: str) -> int:
        """Return how much a text has in common: a word counts two, a character one."""
        bond = self.bond
        if bond.chars:
            units = len(bond.units & words_of(text).units)
            return max(2 * units, len(bond.chars.intersection(text)))
        return 2 * len(bond.units & words_of(text).units)

    def _is_dropped(self, line: Claim) -> bool:  # noqa: PLR0911 - each case of its own
        """Return whether the giver or the receiver of a promise cancels it."""
        quote, bond, gap = line.quote, self.bond, self.gap
        own = line.speaker == self.claim.speaker
        if gap < 1 or (own and gap < _AT_ONCE) or not (own or self._is_hearer(line)):
            return False
        if gap > 2 * _AT_ONCE or _ASKS.search(quote) or (own and not self._is_meant_for(line)):
            return False
        if _CALLED_OFF.search(quote) or _TO_ANOTHER.search(quote):
            return not self.is_long or self._shared(quote) > 0
        if bond.is_barred:
            return False  # “I can't tell you” keeps a promise of silence
        if own and gap <= _AT_ONCE and not self.is_long and _BY_GIVER.search(quote):
            return True
        if bond.chars:
            found = _DROPS_VERB_ZH.finditer(quote)
            scopes = ("".join(filter(None, match.groups())) for match in found)
            return any(bond.chars.intersection(scope) for scope in scopes)
        return False

    def is_kept(self, line: Claim, *, is_of: bool) -> bool:  # noqa: PLR0911 - each case of its own
        """Return whether a line tells the promise as done; ``is_of``: the floor is the giver's."""
        quote, bond = line.quote, self.bond
        is_own = line.speaker == self.claim.speaker
        is_none = _ADVISES.search(quote) or (is_own and is_faith_of_others(line))
        if bond.is_barred or self.gap <= 1 or is_none:
            return False
        is_thanked = line.how == "said" and _INDEED.search(quote) and self._is_hearer(line)
        if not is_thanked and not is_of:
            return False
        shared = self._shared(quote)
        is_anothers = _ANOTHERS.match(quote) is not None and not (
            line.how == "narrated" and self.is_of(line)
        )
        if is_anothers and _INDEED.search(quote) and (is_own or line.how == "narrated"):
            return False  # he actually did it: another person than the speaker
        is_owned = is_own and "说到做到" not in quote  # an oath as often as a report
        if _INDEED.search(quote) and (shared or is_owned) and line.how != "thought":
            return not _ASKS.search(quote)
        if not _is_told(line) or _ASKS.search(quote):
            return False
        is_his = self.is_of(line) or not self.is_long
        if _WISHED.search(quote):
            return False
        if bond.gives and is_his and _GAVE.search(quote) and (shared or not self.is_long):
            return True
        return shared >= _WORDS and is_his and _is_done(quote)


def _is_told(line: Claim) -> bool:
    """Return whether a line reports an event: narration, or words without a hearer."""
    return line.how == "narrated" or (line.how == "said" and not _ADDRESSES.search(line.quote))


_ADDRESSES = re.compile(r"[你您？?！!]|\byou\b", re.IGNORECASE)


def _is_done(quote: str) -> bool:
    return _DONE.search(quote) is not None and _NOT_DONE.search(quote) is None


_BESIDE = 2  # sentences after the one that names when a promise is due
_NAMED_BEFORE = 4  # sentences before that may name what “it” is
_NAME = 3  # characters of a Chinese name: one of the family, two of the person


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of deeds: patterns for the promise, and for the deed told as done."""

    promised: re.Pattern[str]
    done: re.Pattern[str]


def _kind(promised: str, done: str) -> _Kind:
    return _Kind(re.compile(promised, re.IGNORECASE), re.compile(done, re.IGNORECASE))


# To hand over or to fetch: the thing must be named.
_GIVES = _kind(
    r"带(?:回|给|来|上)|送|还(?:给|你|您|他|她)|交|寄|捎|给[你您他她]|买|赔|夺回|抢回|找(?:到|出"
    r"|回)"
    r"|取(?:回|来)|求[^，。]*来|讨回|\b(?:bring|give|get|send|buy|deliver|return|hand|fetch|find"
    r"|take back|you['’]ll (?:have|get)|you shall have|retrieve|(?:carry|take) \w+(?: \w+)? to"
    r"|(?:grow|make|build|bake|sew|forge|mend) (?:you|him|her|them))\b",
    r"掏出|取出|拿出|捧(?:着|出|上|来)|递(?:给|到|上|过)|塞(?:给|进|到)"
    r"|放(?:到|在|进)[^，。]{0,8}(?:手|掌|桌|面前|怀|膝)|[码摆搁](?:在|到)|送(?:到|来)|交(?:到|给)"
    r"|[拎提抱扛端背举](?:着|了)|喂(?:进|到|给)|(?:夺|抢|追|讨|取)(?:回|到手|到了手)"
    r"|\b(?:hand(?:ed|s)|gave|gives|la(?:id|ys)"
    r"|I (?:hand|give|lay|put|set|slide|drop|toss|push|press|pass|count|place)"
    r"|(?:dropp|toss|pass|press|plac)(?:es|ed|s)|drops"
    r"|tip(?:ped|s)|carr(?:ied|ies|ying)|brought|brings|holding|h(?:e|o)lds? (?:it|out|up)"
    r"|deliver(?:ed|s)|slid(?:es)?\b(?![^.,;]* (?:from|off|out of)\b)|push(?:ed|es|ing)"
    r"|pull(?:ed|s)|signed|puts?|sets?"
    r"|unwrap(?:ped|s))\b",
)
# Another person takes what was to be handed over.
_TAKES = _kind("(?!)", r"接过|接了?过去|收下|\btakes? (?:it|the|her|his) .{1,24} from\b")
# To give back: what is handed over is “it”, the thing itself, or its name.
_WANTS_BACK = re.compile(
    r"还(?:给)?[你您他她]|就还|归还|\b(?:give|hand|bring|get|pay)\b[^.!?]{0,40}\bback\b"
    r"|\breturn (?:your|his|her|it|the|my|them)\b",
    re.IGNORECASE,
)
# To pay: the debtor says that nothing is owed any more.
_PAYS = re.compile(r"还(?![是有会要能在没不])|付|赔|欠|\b(?:pay|repay|owe)\b", re.IGNORECASE)
_ARE_EVEN = r"(?:we['’]re|we are|that makes us) (?:square|even|quits)"
_EVEN = re.compile(rf"\b{_ARE_EVEN}\b", re.IGNORECASE)
_SETTLES = re.compile(
    r"(?:还|付|结)清|两清|扯平|一[分文块两个][^，,。]{0,2}(?:也|都)?不(?:少|差|欠)"
    rf"|\b(?:{_ARE_EVEN})\b|\bpaid in full\b"
    r"|\bevery (?:last )?(?:penny|cent)\b|^\W*all of it\b",
    re.IGNORECASE,
)
# Said while handing over a thing.
_BACK_TO_OWNER = re.compile("物归原主|完璧归赵|如数奉还")
_HERE = re.compile(
    r"(?:^|[，,。！!\s])(?:[还给]|交给)[你您]们?的?[。！!～~”」]*$"
    r"|^\W*here(?:(?:['’]s| is| are) (?:your|the|that)|,? (?:it is|you (?:go|are)))?\b"
    r"(?!(?<=here) \w)(?![^.!?]*:)",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"[过再]几|[明后]天|以后|会|要|等|先|\b(?:will|would|later|soon|tomorrow|next|if|when)\b"
    r"|['’]ll",
    re.IGNORECASE,
)
# To be somewhere: told at the time it is due.
_COMES = _kind(
    r"来(?!世|生)|见|等[你您]|到(?=[^，。]{0,6}$)|会合|碰头|\b(?:be (?:there|here|back|home|at)"
    r"|come|meet|visit|wait|back)\b",
    r"推开?门|推开[^，。]{0,8}门|进来|走进|[站坐候等](?:在|着)|已经?在了|到了|来了|赶[到来回]"
    r"|\b(?:(?:was|were) (?:already )?there|walked|came|stepped|rode|stood|sat|knocked"
    r"|was waiting)\b",
)
_NOT_TO = re.compile(
    r"一[\u4e00-\u9fff][^，。]{0,4}(?:都|也)不(?!会?[少缺差错漏])|(?:绝|决|永远?|再也?|死也|都"
    r"|也)不|不会?再"
    r"|不会(?=[^，。]*(?:说|提|走|离|告诉|透露|泄))|戒"
    rf"|{SILENCE}"
    r"|\b(?:never|won['’]t|will not|shall not|['’]ll not|not going to|quit|done with)\b",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"没|未|不(?!久|远|停|禁|由|料)|别|要是|如果|差点|想要|[？?]"
    r"|\b(?:not|never|no (?!one)|if|would|will"
    r"|could|almost|nearly)\b|n['’]t|['’]ll",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "的了着吗呢吧啊呀我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会能可以"
    "说么什怎上下里中为之而其定必绝将当后前时候天日年月等只好人手来去出过得起"
)
_PRONOUN = re.compile(r"它|这(?:个|东西|件)|\b(?:it|them|(?:you|him|her) one)\b", re.IGNORECASE)
# A Chinese thing is compared by its last character: 一颗开喉丹.
_OBJECT = re.compile(
    r"(?:把|将)(?:那|这|[你我他她]的?)?[把只颗件个枚封]?([\u4e00-\u9fff]{1,6}?)"
    r"(?=亲手|从|给|还|送|带|交|夺|拿|找|取|捎)"
    r"|一[\u4e00-\u9fff]([\u4e00-\u9fff]{1,5}?)(?=[来给回，。！]|$)"
    r"|(?:带|买|送|寄|捎|求|找|夺|取|抢)(?:回|来|给|到"
    r"|[你您他她])*([\u4e00-\u9fff]{1,5}?)(?=[来给回去，。！]|$)"
)
_TO_SOMEBODY = re.compile(
    r"[你您我他她]的?(?:手|掌|怀)|给了?[你您我他她]|\b(?:you|him|her|me)\b", re.IGNORECASE
)
# Circumstances despite which a promise is made are not part of it.
_WHATEVER = re.compile(
    r"(?:无论|不管|不论)[^，。！？]*|\b(?:no matter (?:what|how|who)|whatever)\b[^,.;!?]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Promise:
    """A promise prepared for the comparison with later deeds."""

    things: frozenset[str]
    due: frozenset[str]
    heads: frozenset[str]
    gives: bool
    pays: bool
    comes: bool


@lru_cache(maxsize=2_000)
def _promise(quote: str, trigger: str, names: str) -> _Promise:
    bare = _WHATEVER.sub(" ", quote.replace(trigger, " ") if trigger else quote)
    is_barred = _NOT_TO.search(quote) is not None
    objects = ("".join(filter(None, match.groups())) for match in _OBJECT.finditer(bare))
    return _Promise(
        _things(bare) - words_of(names).units,
        words_of(trigger).units,
        frozenset(o[-1] for o in objects if o) - _COMMON,
        not is_barred and _GIVES.promised.search(bare) is not None,
        not is_barred and _PAYS.search(bare) is not None,
        not is_barred and _COMES.promised.search(bare) is not None,
    )


def _things(text: str) -> frozenset[str]:
    units = words_of(text).units - EVERYDAY
    return frozenset(u for u in units if "'" not in u and "’" not in u)


def _promise_of(claim: Claim) -> _Promise:
    quote = _MY_WORD.sub(" ", claim.quote)
    return _promise(quote, claim.trigger, f"{claim.speaker} {claim.about}")


def named_in(claim: Claim, beside: Sequence[Claim]) -> frozenset[str]:
    """Return the words for the promised thing; for “it”, also those of the sentences before.

    ``beside`` are the sentences of the promise's floor.
    """
    promise = _promise_of(claim)
    if not promise.gives or _PRONOUN.search(claim.quote) is None:
        return promise.things
    before = [line for line in beside if line.start < claim.end][-_NAMED_BEFORE:]
    things = frozenset().union(*(_things(line.quote) for line in before))
    no_things = words_of(f"{claim.speaker} {claim.about} {claim.trigger}").units
    return promise.things | (things - no_things)


def handed_over(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim]) -> Claim | None:
    """Return the sentence in which a person says that the promised thing was handed over.

    It must be beside the deed or name the thing: “We're square” alone cancels a debt. None without
    one.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    if not told or not (promise.gives or promise.pays):
        return None
    floor = _DeedsOfFloor(claim, promise, told)
    return next((line for line in told if floor.hands_over(line)), None)


def kept_by_deed(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim]) -> Claim | None:
    """Return the sentence of a later floor in which a deed keeps a promise; None without one.

    ``beside`` are the sentences of the promise's own floor, which may name what the promise only
    refers to.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    floor = _DeedsOfFloor(claim, promise, told)
    is_told = (line.how == "narrated" and line.sign not in ("asked", "unreal") for line in told)
    rows = (number for number, is_it in enumerate(is_told) if is_it)
    return next((told[number] for number in rows if floor.keeps(number)), None)


@dataclass(frozen=True, slots=True)
class _DeedsOfFloor:
    """The sentences of a floor after a promise."""

    claim: Claim
    promise: _Promise
    told: Sequence[Claim]

    def hands_over(self, line: Claim) -> bool:
        """Return whether the speaker says that they hand over the promised thing, or paid."""
        if line.how != "said" or line.sign in ("asked", "unreal") or _LATER.search(line.quote):
            return False
        if line.speaker != self.claim.speaker:
            return False
        is_named = any(self._is_named(near) for near in self.told if near.how == "said")
        settles = self.promise.pays and _SETTLES.search(line.quote)
        if settles and (is_named or self._is_due(self.told)):
            return True
        if self.promise.gives and _EVEN.search(line.quote) and self.claim.about in line.hearers:
            return True
        is_back = _WANTS_BACK.search(self.claim.quote) and _BACK_TO_OWNER.search(line.quote)
        return bool(is_back or (is_named and _HERE.search(line.quote)))

    def keeps(self, number: int) -> bool:
        """Return whether a sentence says that a thing is handed over, or a person has come."""
        line, promise = self.told[number], self.promise
        if not _is_of(self.claim.speaker, line):
            is_taken = promise.gives and line.about and _is(_TAKES, line)
            return bool(is_taken) and self._is_named(line)
        if promise.gives and _is(_GIVES, line) and self._names_thing(line):
            return True
        before = self.told[max(0, number - _BESIDE) : number + 1]
        return promise.comes and self._is_due(before) and _is(_COMES, line)

    def _is_named(self, line: Claim) -> bool:
        is_head = any(head in line.quote for head in self.promise.heads)
        return is_head or bool(self.promise.things & words_of(line.quote).units)

    def _is_due(self, lines: Sequence[Claim]) -> bool:
        return any(self.promise.due & words_of(near.quote).units for near in lines)

    def _names_thing(self, line: Claim) -> bool:
        if any(head in line.quote for head in self.promise.heads):
            return True
        units = words_of(line.quote).units
        if _promise_of(self.claim).things & units:
            return True
        if self.promise.things & units and _TO_SOMEBODY.search(line.quote):
            return True  # “it”, under the name used beside the promise
        scene = [c for c in self.told if c.how == "narrated"]
        return self._is_due(scene) and any(
            self.promise.things & words_of(c.quote).units for c in scene
        )


def _is(kind: _Kind, line: Claim) -> bool:
    """Return whether the clause with such a deed tells it as done."""
    for match in kind.done.finditer(line.quote):
        first = max(line.quote.rfind(mark, 0, match.start()) for mark in "，,；;：:")
        if not _UNDONE.search(line.quote[first + 1 : match.end()]):
            return True
    return False


def _is_of(name: str, line: Claim) -> bool:
    """Return whether a sentence is about a person."""
    return name == line.about or _given_name(name, _NAME) in line.quote
