"""Direct speech turned into reported speech, in Chinese and English.

A report says who said something, to whom and how: 爱丽丝叫旅人别告诉凯尔. Only persons and their
verbs change, other words stay; a report never says more than the speaker did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from engram_desktop.domain.claims.people import short_forms
from engram_desktop.domain.claims.speech import CALLED_EN
from engram_desktop.domain.graph.entity import PRONOUNS, norm_name
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.words import base_of, is_past, is_verb, third_person

_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50\u2764]+")
_BRACKETED = re.compile(r"[\[［【][^\[\]［］【】]{1,8}[\]］】]")  # stickers such as [OK]
_CJK_BLANK = re.compile("(?<=[\u4e00-\u9fff])[ \u3000]+(?=[\u4e00-\u9fff])")  # used for a comma
_QUOTES = re.compile('[“”‘’「」『』"]')
_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")
# The title of a work: its words are not changed.
_NAMED = re.compile("(《[^《》\n]*》|‘[^‘’。！？!?；;\n]{1,40}’)")


@dataclass(frozen=True, slots=True)
class Report:
    """One reported sentence: ``subject`` ``lead`` ``body``; sentences of one lead share it."""

    subject: str  # empty for a speaker without a name
    lead: str
    body: str
    weight: float = 1.0  # value in a summary; a plain statement has 1; set by hand
    is_deed: bool = False  # done, not said
    position: int = 0  # index of its message in the block


def plain(text: str) -> str:
    """Return ``text`` without pictures, stickers and quotation marks.

    Those around names stay: ‘Silent Hill’.
    """
    text = _BRACKETED.sub("", _EMOJI.sub("", text))
    return _CJK_BLANK.sub("，", beside_names(text, lambda words: _QUOTES.sub("", words)).strip())


def beside_names(text: str, turn: Callable[[str], str]) -> str:
    """Apply ``turn`` to ``text`` except to the titles of works: 《我的世界》."""
    parts = _NAMED.split(text)
    return "".join(turn(part) if n % 2 == 0 else part for n, part in enumerate(parts))


def name_of(person: str, other: str) -> str:
    """Return the name of a person in a sentence; ``other`` if the name is a pronoun or empty."""
    return person if person.strip() and norm_name(person) not in PRONOUNS else other


# I, you and we of an English text become names, she, he or they. The verb that follows agrees: "I
# love" becomes "she loves"; a speaker of unknown gender is they.


_MODALS = frozenset(
    "can can't cannot could couldn't shall shan't better"
    " will won't would wouldn't should shouldn't must mustn't may"
    " might had hadn't did didn't ought used".split()
)
_TURNS = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_TURNS |= {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't"}
_ADVERBS = frozenset(
    "just also always never still really even already often usually only actually truly finally"
    " ever hereby thus now then here soon again rather quite twice half both all"
    " so almost probably definitely totally once recently sometimes kinda".split()
)
_SEEN_DOING = frozenset("watch see hear make let help hug kiss follow hold".split())  # watches you
_BEFORE_OBJECT = frozenset(
    "to for with from at on of about by than like and thank love tell ask give show let help see"
    " hear know meet miss need want make bring send teach trust promise owe hate call told gave"
    " asked saw met made".split()
)
# No verbs behind an I that acts: I with the lead, I at the oars.
_NO_VERBS = frozenset(
    "with at in on of to from by for as and or but nor than alone too myself the a an my if".split()
)
_SENTENCE_END = re.compile(r"[.!?…]['’]?\s")
_ALL_OF = frozenset("both all each either neither none one two three four most some".split())
_TOKEN = re.compile(rf"{_NAMED.pattern}|[A-Za-z][A-Za-z'’]*|[^A-Za-z‘]+|‘")
_PRONOUNS = {
    "she": ("she", "her", "her", "hers", "herself"),
    "he": ("he", "him", "his", "his", "himself"),
    "they": ("they", "them", "their", "theirs", "themself"),
}


def narration(text: str, name: str, whom: str, gender: str) -> str:
    """Replace I and you in the narration of ``name`` by names."""
    voice = ReportedVoice(gender or "they", name_of(whom, "you"), name)
    return voice.turned(_APOSTROPHE.sub("'", text))


class ReportedVoice:
    """Replaces the speaker's persons by a narrator's."""

    def __init__(self, gender: str, whom: str, first: str = "") -> None:
        """Set the speaker's ``gender``: she, he or they, or a name used instead of a pronoun.

        ``whom`` is the listener's name. ``first`` is the name used for the first I of all; later
        ones become pronouns.
        """
        self.gender = gender
        self.whom = whom
        self.first = first
        self._is_told = bool(first)
        self._acted = False
        named = (gender, gender, f"{gender}'s", f"{gender}'s", "themself")
        self.subject, *others = _PRONOUNS.get(gender, named)
        self._others = dict(zip(("me", "my", "mine", "myself"), others, strict=True))
        self._others |= {"our": "their", "ours": "theirs", "ourselves": "themselves"}
        self._others |= {"your": f"{whom}'s", "yours": f"{whom}'s", "yourself": "themself"}

    def turned(self, text: str) -> str:
        """Return a text with a narrator's persons in place of the speaker's."""
        parts: list[str] = []
        agrees = ""  # the person of the next verb
        before = further = ""
        begins = False  # a further sentence
        for match in _TOKEN.finditer(text):
            token = match[0]
            if token[0] in "‘《":
                parts.append(token)
                continue
            if not token[0].isalpha():
                parts.append(token)
                begins = _SENTENCE_END.search(token) is not None
                if any(mark in token for mark in ",.;:!?()—"):
                    agrees = before = further = ""
                continue
            low = token.lower()
            if agrees and (low in _ADVERBS or low.endswith("ly")):
                parts.append(token)
                continue
            if agrees:
                word, agrees = self._verb(token, low, agrees), ""
            else:
                word = token
            if low == "you" and before == "of" and further in _ALL_OF:
                parts.append("them")  # speaker and listener
                continue
            new, agrees = self._person(low, before, agrees)
            if self._acted and low in {"and", "then"}:
                agrees = "name"  # opens the bag and looks
            parts.append(new[:1].upper() + new[1:] if new and begins else new or word)
            before, further, begins = low, before, False
        return "".join(parts)

    def _verb(self, token: str, low: str, agrees: str) -> str:
        if agrees == "they":
            return {"am": "are", "was": "were"}.get(low, token)
        if low in _TURNS:
            return _TURNS[low]
        if low in _MODALS or low in _NO_VERBS or is_past(low) or "'" in low:
            return token
        if agrees not in {"deed", "he", "she"} and not is_verb(low):
            return token
        return third_person(token)

    def _person(self, low: str, before: str, agrees: str) -> tuple[str, str]:
        """Return the replacement of a word, and the person of the verb that follows."""
        base, _, short = low.partition("'")
        if base == "i":
            return self._i(short)
        if low.startswith("you") and self.whom == "you":
            return "", agrees
        if base == "you" and short:
            return self._with(self.whom, short, {"re": "is", "ve": "has"}), ""
        if base == "you":
            is_subject = before not in _BEFORE_OBJECT and base_of(before) not in _SEEN_DOING
            self._acted = self._acted or (self._is_told and is_subject)
            return self.whom, "name" if is_subject else ""
        if base in {"we", "us"}:
            us = "they" if base == "we" else "them"
            return self._with(us, short, {"re": "are", "ve": "have"}), ""
        return self._others.get(low, ""), agrees

    def _i(self, short: str) -> tuple[str, str]:
        if self.first:
            name, self.first, self._acted = self.first, "", True
            return self._with(name, short, {"m": "is", "ve": "has"}), "" if short else "deed"
        plural = self.gender == "they"
        follow = {"m": "are" if plural else "is", "ve": "have" if plural else "has"}
        return self._with(self.subject, short, follow), "" if short else self.gender

    @staticmethod
    def _with(subject: str, short: str, follow: dict[str, str]) -> str:
        if not short:
            return subject
        return f"{subject} {follow.get(short, {'ll': 'will', 'd': 'would'}.get(short, short))}"


# English speech as reported by a narrator: only persons and their verbs change.


_NOISE = (
    r"yeah|yep|yup|nope|nah|oh|ooh|wow|whoa|hey(?: there)?|hi|hello|haha(?:ha)*|lol|h+m+|uh+|um+|"
    r"ah+|aw+|ugh|huh|eh|well"
)
_FILLER = (
    r"yes|no|thanks(?: so much| a lot| again| a ton| a bunch)?|thank you(?: so much| very much)?|"
    r"thx|ok(?:ay)?|sure(?: thing)?|congrats|congratulations|so|anyway|"
    r"i mean|you know|totally(?: agree)?|gosh|damn|definitely|absolutely|of course|right|true|"
    r"exactly|agreed|"
    r"good (?:morning|night|evening)|please|actually|honestly|look|listen|see|and|but|also|"
    r"however|additionally|in addition|besides|also|finally|firstly|overall|unfortunately|"
    r"that's (?:so )?(?:great|awesome|cool|amazing|nice)|great|awesome|cool|nice|sounds good|"
    r"tell me"
)
_OPENS = re.compile(
    rf"^(?:(?:{_NOISE})(?:[,.!~…;:—– -]+|$)|(?:{_FILLER})(?:\s*[,.!~…;:—–-]+\s*|$))+", re.IGNORECASE
)
_EDGES = " ,.!~…;:—–-*"
_MIND = frozenset(
    "love like hate want need hope plan wish fear prefer enjoy miss adore trust promise swear owe"
    " decided regret believe".split()
)
_MISS = re.compile("Miss [A-Z]")  # a title, no verb
_TITLED = re.compile(
    r"(?:Miss|Mrs|Mr|Ms|Dr|Lady|Lord|Sir|Captain|Doctor|Aunt|Uncle|King|Queen|Prince(?:ss)?|Master"
    r"|Mistress|Professor|Sergeant|Inspector|Sheriff|Judge)\.? [A-Z]"
)
_MISSING = frozenset(
    "glad happy excited sorry proud grateful thankful sure ready stoked thrilled gonna looking"
    " thinking planning trying working hoping going".split()
)
_DROPPED = frozenset(
    "haven't didn't just got had went started joined signed thought met saw found finished"
    " bought made spent took tried".split()
)
# Words that a speech without a subject begins with: Fell on the ice. At the hostel. Not a word.
_OF_SOMEBODY = frozenset(
    "fell says looks sounds seems feels smells means takes depends has is was isn't wasn't".split()
)
_PLACED = frozenset(
    "at in on by from with without near under behind beside of for to into after before one two"
    " three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty"
    " fifty".split()
)
_SHORT = 4  # words of what is only named: A poor one.
_NOT_SO = frozenset("not none no nor or neither nothing nobody than".split())
_HAS_CLAUSE = re.compile(
    r"\b(?:I|you|he|she|we|they|there|it) [a-z]|\w['’](?:s|re|ll|ve|d|m)\b|\b(?:am|is|are|was|were"
    r"|has|have|had|will|would|can|could|do|does|did|must|should|may|might)\b",
    re.IGNORECASE,
)
_INNER_QUOTE = re.compile(r"(?:^|:\s*)['‘]\w")
_REACTION = re.compile(
    r"^(?:you|your|you're|that|that's|it's|this|these|those|it|what)\b", re.IGNORECASE
)
_IS_SUBJECT = re.compile(
    r"^(?:last|like|name|face|being|work|part|school)\b"
    r"|^\w+ (?:\w+ )?(?:is|are|was|were|has|have|can|will)\b",
    re.IGNORECASE,
)
_LETS = re.compile(
    r"^let['’]?s (?P<rest>.+)$|^(?:shall we|why don't we) (?P<more>.+)$", re.IGNORECASE
)
_OTHERS = re.compile(r"\bthe(?:y|m|irs?)\b", re.IGNORECASE)
_FORBIDS = re.compile(r"^(?:do not|don['’]t|never) (?P<rest>[a-z]+.*)$", re.IGNORECASE)
_PLEASE = re.compile(r"\bplease\b", re.IGNORECASE)


def report_en(
    text: str, speaker: str, listener: str, gender: str, names: Container[str] = ()
) -> Report | None:
    """Report one sentence of ``speaker``, of ``gender`` she, he or they.

    Returns None if there is nothing to report. ``names`` are words that keep their capital.
    """
    bare = plain(_APOSTROPHE.sub("'", text))
    is_question = bare.rstrip(" ~!").endswith("?")
    sentence = _whole(_without_fillers(bare, listener), names)
    if sentence.count(" ") < 2:
        return None
    who, whom = name_of(speaker, ""), name_of(listener, "you")
    if not who:
        return Report("", "", sentence[:1].upper() + sentence[1:], 0.4 if is_question else 1.0)
    if not is_question and _is_fragment(sentence):
        words = bare.strip(f"{_EDGES}'‘’")
        return Report(who, "says:", f"“{words[:1].upper()}{words[1:]}.”", 0.8)
    if is_question:
        return Report(who, f"asks {whom}:", f"“{sentence[:1].upper()}{sentence[1:]}?”", 0.2)
    voice = ReportedVoice(gender or (who if _OTHERS.search(sentence) else "they"), whom)
    manner = _request(sentence, bare, whom) or _wish(sentence, voice)
    if manner is None:
        body, weight = _lowered(sentence, names), 0.6 if _REACTION.match(sentence) else 1.0
        return Report(who, "says", voice.turned(body), weight)
    lead, body, weight = manner
    return Report(who, lead, voice.turned(_lowered(body, names)) if lead else body, weight)


def _is_fragment(sentence: str) -> bool:
    """Return whether a sentence has no subject of its own, or quotes: it is not reported."""
    if _INNER_QUOTE.search(sentence) is not None:
        return True
    first = re.split(r"[^\w']", sentence, maxsplit=1)[0].lower()
    if first in _NOT_SO:
        return _HAS_CLAUSE.search(re.split("[,;]", sentence, maxsplit=1)[0]) is None
    is_short = first in ("a", "an") and sentence.count(" ") < _SHORT
    if first in _PLACED or is_short:
        return _HAS_CLAUSE.search(sentence) is None
    is_of_somebody = is_past(first) and not is_verb(first) and first not in _DROPPED
    return is_of_somebody or first in _OF_SOMEBODY


def _request(sentence: str, bare: str, whom: str) -> tuple[str, str, float] | None:
    """Return (lead, body, value) of a request to the listener; None if it is none."""
    if match := _LETS.match(sentence):
        return "suggests they", match["rest"] or match["more"], 1.1
    if match := _FORBIDS.match(sentence):
        never = "never" if sentence[:5].lower() == "never" else "not"
        return f"asks {whom} {never} to", match["rest"], 1.1
    first = sentence.split(" ", 1)[0].lower()
    if not is_verb(first) or _IS_SUBJECT.match(sentence) or _MISS.match(sentence):
        return None
    is_polite = bool(_PLEASE.match(bare))
    return (f"asks {whom} to", sentence, 1.1) if is_polite else (f"tells {whom} to", sentence, 0.5)


def _wish(sentence: str, voice: ReportedVoice) -> tuple[str, str, float] | None:
    """Return (lead, body, value) of a wish or liking, told without “says”; None if it is none."""
    words = sentence.lower().split()
    if words[0] != "i" or words[1] not in _MIND or len(words) < 5:
        return None
    body = voice.turned(sentence).removeprefix(voice.subject).lstrip()
    return "", body if voice.gender != "they" else _agreed(body), 1.2


def _without_fillers(bare: str, listener: str) -> str:
    sentence = _OPENS.sub("", bare.strip(" *"))
    sentence = _without_calls(_OPENS.sub("", _without_calls(sentence, listener)), listener)
    sentence = _without_titles(sentence)
    sentence = re.sub(r"^please\s+", "", sentence.strip(_EDGES + "?"), flags=re.IGNORECASE)
    return re.sub(r"^(?:And|But|So|Then|Cause) (?=\S+ \S)", "", sentence)


def _whole(sentence: str, names: Container[str]) -> str:
    """Add an omitted I: Haven't slept, glad to hear it."""
    words = sentence.lower().split()
    if len(words) < 3:
        return sentence
    if words[0] in _DROPPED and words[1] not in {"you", "it", "that"}:
        return f"I {_lowered(sentence, names)}"
    if words[0] in _MISSING:
        return f"I'm {_lowered(sentence, names)}"
    is_left_out = words[0] in _MIND or words[0] in {"appreciate", "can't", "won't"}
    is_left_out = is_left_out and not _MISS.match(sentence)
    return f"I {_lowered(sentence, names)}" if is_left_out else sentence


def _lowered(sentence: str, names: Container[str]) -> str:
    """Begin with a small letter, except I and names."""
    first = re.split(r"[^\w']", sentence, maxsplit=1)[0]
    is_name = first in names or first.removesuffix("'s") in names or first[1:2].isupper()
    is_title = _TITLED.match(sentence) is not None
    keeps = is_name or is_title or first == "I" or first.startswith("I'")
    return sentence if keeps else sentence[:1].lower() + sentence[1:]


def _agreed(body: str) -> str:
    """Make the verb agree with a name: love → loves."""
    verb, _, rest = body.partition(" ")
    return f"{third_person(verb)} {rest}".strip()


# Forms of address other than a name: my lord, my dear Miss Ashcombe, you big liar.
_MY_LORD = re.compile(
    r"(?:^|,\s*)(?:your (?:honou?r|grace|majesty|highness|excellency|(?:lord|lady|wor)ship|eminence"
    r"|holiness)(?=\s*[,.!?~…]|\s*$)[,.!~…]*"
    r"|my (?:lord|lady|liege|king|queen|prince|princess|dear|darling|love|friend|boy|girl"
    r"|child)(?: (?:[A-Z][\w.'’]*|lord|lady|boy|girl|child|friend|fellow))*(?=\s*[,.!?~…]|\s*$)"
    r"[,.!~…]*)",
    re.IGNORECASE,
)
_YOU_LIAR = re.compile(r"(?:^|,\s*)you(?P<words>(?: [a-z'’-]+){1,3})\s*[.!~…]*$", re.IGNORECASE)
_OF_YOU = frozenset(
    "too all both two three lot guys either alone then there here again first next now so much"
    " with and or in on at of to for from not no yes".split()
)


def _without_titles(sentence: str) -> str:
    """Remove forms of address other than a name."""
    sentence = CALLED_EN.sub("", _MY_LORD.sub("", sentence)).strip(" ,")
    match = _YOU_LIAR.search(sentence)
    words = match["words"].lower().split() if match is not None else []
    if match is None or any(w in _OF_YOU | _MODALS | _ADVERBS or is_verb(w) for w in words):
        return sentence
    return sentence if any(map(is_past, words)) else sentence[: match.start()]


def _without_calls(sentence: str, listener: str) -> str:
    """Remove the listener's name, or the beginning of it, used as an address."""
    match = re.match(r"([A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)([,.!~…]+)\s*", sentence)
    if match and listener.startswith(match[1][:3]):
        sentence = sentence[match.end() :]
    match = re.search(r",\s*([A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)\s*[.!~…]*$", sentence)
    if match and listener.startswith(match[1][:3]):
        sentence = sentence[: match.start()]
    return sentence


# Chinese speech as reported by a narrator: only persons change.


_ZH_FILLER = (
    "嗯+|哦+|噢+|啊+|哈+|嘿+|呵+|哼+|唔+|唉+|诶+|欸+|咦+|呃+|额+|哇+塞?|呀|喂|嘻+|呜+|哎呀?|切|咳+|呼+|emm+|很好|等等|"
    "好(?:的|吧|啊|呀|呢|嘞|哒)*|行(?:吧|啊)?|是(?:的|啊|吗)?|对(?:啊|呀|了|的)?|没错|没事|当然(?:了|啦|可以)?|"
    "真的(?:吗)?|原来如此|不过|总之|那个|其实|话说|毕竟|谢谢(?:你|您)?(?:的[^，。！]{1,4})?|不用谢|不客气|"
    "对不起|抱歉|没关系|太好了|太棒了|当然|是么|那么?|可是|但是|而且|所以|于是|你好|您好|你看|你猜|你知道吗"
)
_ZH_OPENS = re.compile(rf"^(?:(?:{_ZH_FILLER})[，,、！!~～…。.？? ]+)+", re.IGNORECASE)
_JOINS = re.compile(
    "^(?:不过|但是|可是|但|而且|所以|于是|那么|那(?=[我你就还要])|总之|其实|毕竟|然后|所以说"
    "|(?:另外|此外|首先|显然|同时|还有|其次|最后|当然)(?=[，,]))[，,]?"
)
_ONLY_FILLER = re.compile(rf"^(?:{_ZH_FILLER}|拜拜|晚安|再见|早安|加油)+$", re.IGNORECASE)
_ZH_EDGES = " ，,、~～…。.！!；;：:—-*"
_PARTICLES = re.compile("(?<=..)(?:[啦呀哦喔嘛啊哇诶哟咯噢嘞哒咩捏]|呢|吧)+$")
_TAG = re.compile("[，,](?:对|好|是|行|可以)(?:吗|吧|么|不对|不好|不是)?$")
_ASKS = re.compile(
    "[？?]|(?:吗|么)$|^(?:为什么|(?:怎么|什么|谁)(?![都也])|哪(?!里哪里|怕|[里儿个些]?[都也])"
    "|多少(?![有会还])|几[点岁号])"
)
_WILLING = re.compile(
    "^我(?P<rest>(?:也|就|还|最|很|真|特别|非常|一直|从来|现在|已经|真的|其实|只|才|都|会)*"
    "(?:不|没)?(?:想|喜欢|爱|讨厌|害怕|怕|希望|打算|决定|准备|愿意|相信|担心|需要|后悔|记得|忘了|同意|"
    "舍不得|盼|恨|要|建议|觉得|认为))"
)
_PROMISES = re.compile("^我(?P<rest>(?:会|一定|就|也)*(?:答应|保证|发誓|承诺|向你保证))")
_ZH_FORBIDS = re.compile(
    "^(?:你|您)?(?P<rest>(?:千万|绝对|可|先|以后|也)?(?:别(?![的人处])|不要|不许|不准|不可以))"
)
_ASKS_FOR = re.compile(
    "^(?:请|麻烦|拜托)(?:你|您)?(?P<rest>.+)|^(?:你|您)?(?:能不能|可以)?(?P<help>[帮替]我.+)"
)
_BIDS = re.compile(  # 先给您五块 is an offer
    "^(?!(?:先|快|赶紧|赶快)?(?:给|还|借|送|陪)[你您])"
    "(?:你|您)?(?P<rest>(?:一定要|务必|必须|记得|记住|小心|先|快|赶紧|赶快|过来|跟我|陪我|把|等我|"
    "给我|告诉我|听我|相信我|答应我|去把))"
)
_PROPOSES = re.compile(
    "^(?:那|要不|不如)?(?:今晚|明天|现在)?(?:我们|咱们|咱)(?!的|是|也|都|之间|可能|应该|算|好像|一定).+$"
)
_TELLS = re.compile(
    "秘密|真相|原来|名字|我叫|就是|因为|发现|听说|去世|失踪|死|藏|偷|钥匙|从前|当年|小时候"
)
_ZH_QUOTES = str.maketrans("‘’", "“”")
_WE = re.compile("(?:我们|咱们|咱俩|我俩)(?:两个|俩)?(?:人)?")
_YOU_ALL = re.compile("你们|您们")
_I = re.compile("我自己|(?<!自)我(?![国校军方省市])")
_YOU = re.compile("你自己|您自己|[你您](?!好(?:[呀啊哇哈吖，。！,!]|$))")  # 你好呀 is a greeting


def report_zh(text: str, speaker: str, listener: str, count: int) -> Report | None:
    """Report one sentence of ``speaker``; None if there is nothing to report.

    ``count`` is the number of speakers in the scene: of two, 我们 is 两人.
    """
    bare = plain(text).strip(_ZH_EDGES)
    sentence = _without_zh_fillers(bare, listener)
    is_question = bool(_ASKS.search(bare))
    if len(sentence) < 4 or _ONLY_FILLER.match(sentence):
        return None
    who = name_of(speaker, "我" if speaker == "我" and count > 1 else "")
    if not who:
        return Report("", "", sentence, 0.4 if is_question else 1.0)
    whom = name_of(listener, "我" if listener == "我" else "你")
    both = "两人" if count == 2 else "大家"
    if is_question:
        return Report(who, f"问{whom}：", f"{_turned(sentence, whom, both)}？", 0.35)
    lead, body, weight = _manner(sentence, whom, is_proposal=bare.endswith("吧"))
    return Report(who, lead, _turned(body, whom, both), weight)


def _manner(sentence: str, whom: str, *, is_proposal: bool) -> tuple[str, str, float]:
    """Return (lead, body, value) of a sentence, by how it is said."""
    if _PROMISES.match(sentence):
        return "", sentence[1:], 1.5
    if _WILLING.match(sentence):
        return "", sentence[1:], 1.1
    if match := _ASKS_FOR.match(sentence):
        return f"请{whom}", match["rest"] or match["help"], 1.1
    for pattern, verb, weight in ((_ZH_FORBIDS, "叫", 1.0), (_BIDS, "让", 0.9)):
        if pattern.match(sentence):
            return verb + whom, sentence.removeprefix("你").removeprefix("您"), weight
    if is_proposal and (match := _PROPOSES.match(sentence)):
        return "提议", _WE.sub("", match[0].removeprefix("那"), count=1), 1.1
    return _statement(sentence, whom)


def _statement(sentence: str, whom: str) -> tuple[str, str, float]:
    if _TELLS.search(sentence) and len(sentence) > 8:
        return f"告诉{whom}，", sentence, 1.2
    is_long = not sentence.startswith("我") and len(sentence) > 12
    return "说，" if is_long else "说", sentence, 1.0


def _without_zh_fillers(bare: str, listener: str) -> str:
    """Remove fillers and addresses: 嗯，季泽，其实我想听音乐啦～."""
    sentence = re.sub("[~～]+(?=.)", "，", bare)
    sentence = _without_zh_calls(_ZH_OPENS.sub("", sentence + "，").strip(_ZH_EDGES), listener)
    sentence = _JOINS.sub("", _ZH_OPENS.sub("", sentence + "，").strip(_ZH_EDGES))
    sentence = _TAG.sub("", sentence.strip(_ZH_EDGES + "？?"))
    return _PARTICLES.sub("", sentence).strip(_ZH_EDGES)


def _without_zh_calls(sentence: str, listener: str) -> str:
    """Remove the listener's names used as an address: 季泽，我想听音乐."""
    for name in (listener, *short_forms(listener)) if listener else ():
        if name not in sentence:
            continue
        if sentence.startswith(name):
            rest = sentence[len(name) :]
            if rest[:1] in "，,！!~～…。":
                sentence = rest.strip(_ZH_EDGES)
        sentence = re.sub(f"(?<=[，,]){re.escape(name)}[，,]", "", sentence)
        if sentence.endswith(name) and sentence[: -len(name)][-1:] in "，,":
            sentence = sentence[: -len(name)].strip(_ZH_EDGES)
    return sentence


def _turned(body: str, whom: str, both: str) -> str:
    """Return a text with a narrator's persons in place of the speaker's."""
    for name in (whom, *short_forms(whom)):
        if name in body:
            body = re.sub(f"{re.escape(name)}(?=[你您](?!们))", "", body)  # 周野你死定了

    def turned(words: str) -> str:
        words = _WE.sub(lambda _we: both, words)  # a name may hold a backslash
        words = _YOU_ALL.sub("对方" if both == "两人" else "他们", words)
        return _YOU.sub(lambda _you: whom, _I.sub("自己", words))

    return beside_names(body, turned).translate(_ZH_QUOTES)
