"""What the wording of a question asks for, and whether a chat holds anything relevant to it.

Ranking always finds a best item; this estimates whether it is any good. The question is represented
by its words, weighted by their rarity in the language: in a chat about films "film" is common and
yet what is asked about, in a chat of two hundred messages every other word is rare. The weights are
a logistic regression (Bishop, Pattern Recognition, 4.3.2) over questions of chats, answered there
or asked of another chat, small talk and noise; resources/docs/recall.md has the figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Literal

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.lexemes import (
    STOP_TOKENS,
    index_tokens,
    query_characters,
    query_tokens,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

FLOOR = -1.85  # loses at most one point of evidence in each set, including one that was not fitted
READ = 10  # best candidates used, by text and vector
# Items of a chat (ADR 30). Below SMALL, half of the question in one of them is enough; below TINY
# any part of it is, since a prompt holds all of them anyway.
SMALL = 300
TINY = 40  # a few messages; a prompt holds them anyway
# Log-odds, times the logarithm of one more than its sentences, that a text without a question
# needs: a question is asked because something is sought; of several sentences the most similar one
# counts, so that more sentences resemble something by chance (ADR 68 has the figures).
STATED = 2.5
_ANY = 0.01  # above nothing
_WHOLE = 0.5  # share of the question, found in one item of a small chat
_MOST_OWN = 15.0  # rarity beyond which more words prove no more
# Rarity of an item besides the words it shares: a similar item may have it in other words. From 1
# to 2 is equally good; without it the floor loses twice as much of MemDaily and MemoryBank.
_OTHER_WORDS = 1.5

_PHATIC = late_pattern(
    r"你好[呀啊吗]?|您好|早上好|早安|晚上好|下午好|中午好|晚安|谢谢[你您]?|多谢|感谢|(?<![\u4e00-\u9fff])(?:好的?|行)[呀吧呢啊啦了]*(?![\u4e00-\u9fff])"
    # the reply decides what comes next, and the date is in every prompt
    r"|继续(?:刚才|刚刚)?的?(?:话题|故事|剧情)?|(?:接下来|然后|后来|之后)呢|往下[说讲]"
    r"|(?:今天|现在)(?:是|都)?(?:几号|几点|星期几|周几|礼拜几)"
    r"|可以|随便|聊聊|无聊|哈+|呵+|嘿+|嘻+|嗯+|哦+|啊+|呃+|在吗|在不在|再见|拜拜|辛苦了|没事|不客气|对不起|抱歉"
    r"|\b(?:hi+|hello|hey+|yo|good (?:morning|night|evening|afternoon)"
    r"|thanks?(?: you)?(?: so much)?|ok(?:ay)?|lo+l|(?:ha)+h?|bye|good ?bye|how are you(?: doing)?"
    r"|what'?s up|let'?s (?:continue|go)|continue|go on|i'?m bored|bored|yes|no|sure|cool|nice"
    r"|and then|(?:and )?then what|what(?: comes| happens)? next|what now"
    r"|what(?:'s| is) the (?:date|time)(?: today| now)?|what (?:day|time) is it(?: today| now)?"
    r"|please|well|hmm+|um+|oh+|ah+|sorry)\b",
    re.IGNORECASE,
)
# What may remain of a greeting: 谢谢你, 晚安啦. 感谢信 is not a greeting.
_FILLER = late_pattern(r"[你您我啦呀吧哦了的呢嘛噢哟么就很太真啊们]|大家|有点")
# "recommend a film", "讲个笑话": the answer is to be invented and is not in the chat.
_REQUEST = late_pattern(
    r"^\W*(?:请|麻烦|再)?你?(?:[给帮替为]我)?再?(?:讲|写|唱|画|编|推荐|翻译)(?:给我)?听?[一两几]?"
    r"[个首部段篇句本些张道条家则]"
    r"|^\W*(?:(?:can|could|would) you |please )*"
    r"(?:tell|write|sing|recommend|suggest|translate|convert|draw|play|compose)(?: me| us)?"
    r" (?:an?|some|something|another|this|\d+)\b",
    re.IGNORECASE,
)
# "tell me a story about the day we met" is about the chat.
_REFERS = late_pattern(
    r"[那他她它过了]|我们|咱|上次|之前|以前|当时|时候"
    r"|\b(?:the|that|those|we|our|my|his|her|their|about|when|what|who)\b",
    re.IGNORECASE,
)
_CAPITAL = late_pattern(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+(?='s\b|\b)")
_SENTENCE_START = late_pattern(r"[.?!:;\"“”‘\n]\s*$")
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december monday"
    " tuesday wednesday thursday friday saturday sunday".split()
)
# The most common family names; a word of two to four characters that a tagger calls a person and
# that begins with one is a name, any other may be an adjective.
FAMILY_NAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶"
    "阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence found for a question.

    ``joint`` is the best product of the rarity of an item's words from the question (at most 15)
    and its similarity (standard score); ``share`` is the largest share of the question in one item,
    ``unknown`` the share that is nowhere in the chat; ``date`` is the score for the day of the best
    item. ``is_idle``: it only greets or thanks, or asks for something new. ``stated``: the number
    of sentences without a question; 0 for a question.
    """

    joint: float = 0.0
    share: float = 0.0
    unknown: float = 1.0
    date: float = 0.0
    names_speaker: bool = False
    names_unknown: bool = False
    is_idle: bool = False
    stated: int = 0
    items: int = 0


def relevance(evidence: Evidence) -> float:
    """Return the log-odds that the chat has an answer (see `FLOOR`)."""
    if evidence.is_idle:
        return -math.inf
    odds = (  # fitted to questions with and without an answer in the chat (ADR 30, 68)
        -5.4
        + 2.09 * math.log1p(evidence.joint)
        - 3.59 * evidence.unknown
        + 0.32 * evidence.date
        + 4.92 * evidence.names_speaker
        - 3.73 * evidence.names_unknown
        - STATED * math.log1p(evidence.stated)
    )
    if evidence.items < SMALL:
        # with very few messages, any with a word of it is meant
        least = _ANY if evidence.items < TINY else _WHOLE
        return max(odds, evidence.share - least + FLOOR)
    return odds


def is_phatic(question: str) -> bool:
    """Return whether a text is only greetings, thanks, laughter and the like."""
    rest, greetings = _PHATIC.subn("", question)
    left = re.sub(r"[\W_]+", "", _FILLER.sub("", rest) if greetings else rest)
    return not left or (left.isascii() and len(left) <= (2 if greetings else 1))


def wants_new(question: str) -> bool:
    """Return whether a text asks for an invention: a joke, a poem, a film to see."""
    return bool(_REQUEST.search(question)) and not _REFERS.search(question)


def said_rarity(words: Sequence[QuestionWord], tokens: Set[str]) -> float:
    """Return the summed rarity of the words of a question in a text of ``tokens``."""
    return sum(word.rarity * word.said_in(tokens) for word in words)


def joint_evidence(own: Sequence[float], likeness: Sequence[float]) -> float:
    """Return the best product of words and similarity in the same item."""
    pairs = zip(own, likeness, strict=True)
    products = (min(rare + _OTHER_WORDS, _MOST_OWN) * max(0.0, alike) for rare, alike in pairs)
    return max(products, default=0.0)


def names_of(
    question: str, tagged: Iterable[tuple[str, str]], is_word: Callable[[str], bool]
) -> list[str]:
    """Return certain personal names: capitalised within a sentence, or 姓 before 名.

    ``tagged`` are the question's words with a tagger's part of speech. It takes 马拉松 for a
    person, so words of the dictionary are excluded; a name that is one is still a rare word.
    """
    names = [
        match[0]
        for match in _CAPITAL.finditer(question)
        if match.start()
        and not _SENTENCE_START.search(question[: match.start()])
        and match[0].lower() not in _NO_NAMES
    ]
    names += [
        word
        for word, tag in tagged
        if tag.startswith("nr")
        and 2 <= len(word) <= 4
        and word[0] in FAMILY_NAMES
        and not is_word(word)
    ]
    return names


def is_known(name: str, tokens: Set[str]) -> bool:
    """Return whether a name, or a part of it, is among the chat's ``tokens``."""
    return any(token in tokens for token in query_tokens(name))


# The words of a question, weighted by their rarity in the language. Rarity in the chat is a poor
# measure: in a chat about films "film" is common and yet what is asked about, and among two hundred
# messages every other word is rare. Pairs of characters, as in the index, are worse: 我喜 and 欢看
# straddle the words of 我喜欢看.


_HAN = late_pattern(r"[\u3400-\u9fff]+")
_UNCUT = late_pattern(r"[\u3040-\u30ff\uac00-\ud7af]+")  # kana, hangul: not split by a dictionary
_CONTRACTED = late_pattern(r"(?:n['’]t|['’](?:ve|re|ll|s|d|m))\b", re.IGNORECASE)
# Question words and demonstratives, also in a choice (“以下哪个是最可能的描述”), and particles; the
# most common words have no weight anyway.
_NOT_TELLING = frozenset(
    "我 你 您 他 她 它 咱 我们 你们 他们 她们 它们 咱们 的 了 是 在 和 有 也 都 就 不 那 这"
    " 那个 这个 那天 那年 那次 那时 那时候 那会儿 当天"
    " 最 很 与 及 还 给 对 被 把 让 几 个 另外 以下 来着 名字 叫 吗 呢 啊 吧 谁 啥 什么"
    " 为什么 时候 什么时候 怎么 怎样 怎么样 哪 哪里 哪儿 哪个 哪些 哪一 哪天 几号 几点 多少 多久"
    " 请问 如何 是否 是不是 有没有 呀 嘛 哦 噢 啦 哇 呗 哎 哎呀 唉 对于 关于 有关 至于 下列 可能"
    " 描述 符合 选项 一项 正确".split()
)
# A request to remember has no content: “你还记得…吗”, “do you still remember”.
_ASKED_TO_REMEMBER = late_pattern(
    r"[你您妳]?(?:应该|应当|一定|肯定)?(?:还|可还|可曾|是否|是不是)?(?:能|会|可以)?"
    r"(?:记得不记得|记不记得|记不记着|记得|记着|想得起来|想不想得起来|想起来|有没有印象|有印象)"
    r"|[你您妳](?:是不是|是否|该不会|不会|难道)?(?:已经|都|全)?(?:忘了|忘记了?|忘掉了?)"
    r"|(?:\b(?:do|did|can|could|will|would)(?:n['’]t)? (?:you|u) "
    r"|\byou (?:do|must|should|may|might) |^)"
    r"(?:(?:still|even|also|perhaps|by any chance) )*(?:remember|recall)\b"
    r"|\b(?:have|has|had)(?:n['’]t)? you (?:already |really )?forgotten\b"
    r"|\byou (?:have|had)(?:n['’]t| not)? forgotten\b|\b(?:did|do)(?:n['’]t)? you forget\b",
    re.IGNORECASE,
)
# Nor has a reference to an earlier message: “你上次跟我提过的”, “when you told me about”.
_TOLD_BEFORE = late_pattern(
    r"[你您我咱]们?(?:上次|上回|之前|以前|那天|当时|刚才|刚刚|曾经?|好像|似乎|是不是|有没有|还|也|都|不是|就)*"
    r"(?:[跟和对向](?:[我你您咱]们?|大家))?(?:提|说|讲|聊|谈|告诉)(?:起|到|及)?过[我你您咱]?们?"
    r"|\bwhen (?:you|i|we) (?:told|mentioned|said|talked|spoke)\b"
    r"|\b(?:you|i|we)(?: (?:once|also|ever|just|already|recently|had))* "
    r"(?:told|tell|mentioned?|talk(?:ed)?|spoke) (?:(?:to|with) )?(?:(?:me|you|us) )?(?:about|of)\b"
    r"|\b(?:you|i|we)(?: (?:once|also|ever|just|already|recently|had))* "
    r"(?:told (?:me|you|us)|mentioned|said)\b"
    r"|上次|上回|之前|以前|当时|刚才|刚刚"
    r"|\b(?:last time|the other day|a while ago|earlier|previously|before|once)\b",
    re.IGNORECASE,
)
_HAN_WORDS = 60_101_967  # words counted for the dictionary of `frequency`
_HAN_COMMON = 6.5  # a word as frequent as one in 665 has no weight; 5 and 8 do no better
_DIGIT = 2.3  # the logarithm of ten
_RAREST_NUMBER = 12.0  # that of five digits: longer numbers add nothing
_PLAIN = 2  # letters: a longer word is rarer; ranks of a tokenizer did no better
_RAREST_LATIN = 8.0  # that of ten letters: longer words add nothing
_PAIR = 2.0  # of kana or hangul, which may straddle two words
_SPELT_ALIKE = 0.5  # weight of a word's characters, scattered over a text without the word


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question. ``tokens`` are those of the index, ``characters`` only of Chinese.

    ``text`` is its spelling, in lower case.
    """

    tokens: frozenset[str]
    characters: frozenset[str]
    rarity: float
    text: str = ""

    def said_in(self, tokens: Set[str]) -> float:
        """Return to which degree a text of ``tokens`` has this word, from 0 to 1.

        宵夜 is partly in 夜宵, and 看过 in 看.
        """
        if self.tokens <= tokens:
            return 1.0
        if not self.characters:
            return 0.0
        return _SPELT_ALIKE * len(self.characters & tokens) / len(self.characters)


def question_words(
    text: str, cut: Callable[[str], Iterable[str]], frequency: Callable[[str], int]
) -> list[QuestionWord]:
    """Return the distinctive words of a question, once each.

    ``cut`` splits Chinese into words; ``frequency`` returns how often a word is in the texts of a
    dictionary. An unknown word, such as a name, is the rarest.
    """
    text = _TOLD_BEFORE.sub(" ", _ASKED_TO_REMEMBER.sub(" ", text))
    words: dict[frozenset[str], QuestionWord] = {}
    for token in index_tokens(" ".join(_UNCUT.findall(text))):
        if len(token) > 1:
            words[frozenset({token})] = QuestionWord(frozenset({token}), frozenset(), _PAIR, token)
    for piece in cut(_CONTRACTED.sub(" ", _UNCUT.sub(" ", text))):
        if piece in _NOT_TELLING or piece.lower() in STOP_TOKENS:
            continue
        for word in _words(piece.lower(), frequency):
            if word.rarity and not word.tokens <= STOP_TOKENS:
                words.setdefault(word.tokens, word)
    return list(words.values())


def _words(piece: str, frequency: Callable[[str], int]) -> Iterator[QuestionWord]:
    every = index_tokens(piece)
    tokens = frozenset(t for t in every if len(t) > 1) or frozenset(every)
    if _HAN.fullmatch(piece):
        rarity = max(0.0, math.log(_HAN_WORDS / max(1, frequency(piece))) - _HAN_COMMON)
        yield QuestionWord(tokens, frozenset(piece if len(piece) > 1 else ()), rarity, piece)
    elif piece.isdigit():
        yield QuestionWord(tokens, frozenset(), min(_RAREST_NUMBER, _DIGIT * len(piece)), piece)
    elif tokens:
        letters = max(map(len, tokens)) - _PLAIN
        yield QuestionWord(tokens, frozenset(), min(_RAREST_LATIN, max(1.0, float(letters))), piece)


# Cues in the wording of a question: who said the answer, and what an answer looks like. Cues are
# weak evidence by themselves; `ranking.Weights` has the value of each. Chinese and English only:
# in other languages nothing matches and no score changes.

_PRONOUN = re.compile(
    r"(?P<me>\b(?:i|my|me|mine|myself)\b|我(?![们俩]))"  # what we did, either may have said
    r"|(?P<you>\b(?:you|your|yours)\b|[你您](?![们俩]))",
    re.IGNORECASE,
)
# "do you remember", "tell me": addressed to somebody, not about them
_ADDRESS = re.compile(
    r"\b(?:do|did|can|could|would|will) you (?:still |also )?"
    r"(?:remember|recall|tell|know|remind)(?: me)?\b"
    r"|\b(?:tell|remind) me\b"
    r"|[你您](?:还|能|可以)*(?:记得|知道|告诉我|说说)|(?:告诉|提醒)(?:一下)?我",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|[吗呢谁啥哪几]|什么|怎[么样]|多少|多久|何时|为何|是否|是不是|有没有|记得|记不记得|告诉我|提醒"
    r"|誰|(?<!任)何(?=[ぁ-ヿ時人回年月日])|どこ|いつ|なぜ|どう(?:し|や)|どんな|どの|覚えて|教えて|か\W*$"
    r"|\b(?:who|whom|whose|what|which|when|where|why|how|remind|recall|remember|tell)\b"
    r"|^\W*(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
_BOND = re.compile(
    r"关系|是谁|什么人|\b(?:relation(?:s|ship)?|who (?:is|was|are|were))\b", re.IGNORECASE
)
# Present in a sentence, but not in a list of keywords.
_SENTENCE_MARKS = re.compile(
    r"[我你您他她它咱]|[了吧啊呀哦嘛噢哈]\W*$|[。！!，,…~～（(*]"
    r"|\b(?:i|you|he|she|we|they|me|my|your|it|i['’]m|it['’]s|thanks)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[，。！？；,.!?;\n]+")
_WHEN = re.compile(
    r"\b(?:when|how long|what (?:date|day|year|month|time))\b"
    r"|什么时候|何时|哪天|哪一天|几号|多久|几点|哪一年|哪年|时间",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|month|year|weekend|morning|since"
    r"|recently|soon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|\d+)\b"
    r"|[昨周月日号年点]|今天|明天|前天|后天|上个|小时",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:used to|former(?:ly)?|previous(?:ly)?|originally|back then|in the past|once|ex)\b"
    r"|以前|曾经|过去|从前|原来|原先|当初|之前|前任",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"第一次的?(?:见面|见到|相见|相遇|对话|聊天|聊|说话|交谈|认识|碰面)"
    r"|初次(?:见面|相遇|对话)|初遇|刚认识|最初的?(?:对话|见面)"
    r"|\b(?:our|the|my|your) (?:very )?first (?:conversation|chat|talk|meeting|encounter)\b"
    r"|\bfirst time (?:that )?(?:we|you and i|i) (?:met|talked|spoke|chatted)\b"
    r"|\bwhen (?:we|you and i) (?:first )?met\b|\bhow (?:did )?we (?:first )?me[et]t?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"多少|几|号码|电话|身高|价格|多大|邮箱|年龄|生日|哪天|哪一天|什么时候"
    r"|\b(?:how (?:many|much|old|long)|number|what (?:time|date)|when)\b",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s|[()（）]")
# Splits as `_SENTENCES` does, in a third of the time: brackets are at the end of a part.
_PARTS = re.compile(r"[^。！？!?；;\n()（）]*[。！？!?；;\n()（）]|[^。！？!?；;\n()（）]+")
_FULL_STOP = re.compile(r"\.\s")
_QUESTION_END = re.compile(r"[?？][^\w]*$")

Voice = Literal["me", "you"]


def voice(question: str) -> Voice | None:
    """Return whose words are asked for: the asker's own ("what did I give you") or the other's.

    The first pronoun of the last clause that has one is taken for the one who acted. None if
    nothing is asked ("I turned him down").
    """
    if not _ASKS.search(question):
        return None
    for clause in reversed(_CLAUSES.split(_ADDRESS.sub(" ", question))):
        if pronoun := _PRONOUN.search(clause):
            return "me" if pronoun["me"] else "you"
    return None


def states(text: str) -> bool:
    """Return whether a text is a statement without a question, like most messages in a scene."""
    return _SENTENCE_MARKS.search(text) is not None and _ASKS.search(text) is None


def asks_for_bond(question: str) -> bool:
    """Return whether ``question`` is about the relationship of two persons."""
    return _BOND.search(question) is not None


def asks_for_past(question: str) -> bool:
    """Return whether ``question`` is about a former state that may have ended."""
    return _PAST.search(question) is not None


def asks_for_beginning(question: str) -> bool:
    """Return whether ``question`` is about the beginning of a conversation, or an acquaintance."""
    return _BEGINNING.search(question) is not None


def asks_when(question: str) -> bool:
    """Return whether ``question`` asks for a time."""
    return _WHEN.search(question) is not None


def asks_number(question: str) -> bool:
    """Return whether ``question`` asks for a number, including days and times."""
    return _NUMBER.search(question) is not None


def names_moment(text: str) -> bool:
    """Return whether ``text`` has a word for a time."""
    return _MOMENT.search(text) is not None


def asked_in(text: str) -> str:
    """Return the sentences of ``text`` that ask; empty if none does."""
    sentences = [s.strip() for s in _SENTENCES.split(text)]
    return " ".join(s for s in sentences if _QUESTION_END.search(s))


def asking_share(text: str) -> float:
    """Return which share of ``text`` is questions, from 0 to 1. Answers are seldom questions."""
    if "?" not in text and "？" not in text:
        return 0.0
    asked = total = 0
    for part in _PARTS.findall(_FULL_STOP.sub(".\n", text)):
        sentence = part.rstrip("()（）").strip()
        total += len(sentence)
        if sentence.endswith(("?", "？")):
            asked += len(sentence)
    return asked / total if total else 0.0


def is_named(name: str, text: str) -> bool:
    """Return whether ``name`` is in ``text``: as a word, or anywhere for scripts without spaces.

    Both are in the form of `norm_name`. A single character does not count as a name: it is part of
    too many words.
    """
    if len(name) < 2 or name not in text:
        return False
    if not name.isascii():
        return True
    # not \b: next to a Chinese character there is none
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def named_speakers(
    question: str, names: Iterable[str], aliases: Mapping[str, str] | None = None
) -> frozenset[str]:
    """Return the speakers that ``question`` names, by name, first name or alias.

    ``aliases`` maps an alias, in the form of `norm_name`, to an entity.
    """
    text = norm_name(question)
    known = aliases or {}
    entities = {known[alias] for alias in known if is_named(alias, text)}
    speakers = set()
    for name in names:
        normal = norm_name(name)
        first = normal.split(" ")[0]
        if (
            is_named(normal, text)
            or (len(first) > 2 and is_named(first, text))
            or known.get(normal) in entities
        ):
            speakers.add(name)
    return frozenset(speakers)


_POINTING = re.compile(
    r"\b(?:that|this|those|these|it|its|she|her|hers|he|him|his|they|them|their|there|then"
    r"|one|ones)\b"
    r"|那[件次个时天位里边]?事?|这[件次个时天位里边]?事?|此事|当时|后来|[他她它]们?|之前|刚才",
    re.IGNORECASE,
)
# Words that ask or only accompany: they are not what is asked about.
_LIGHT = re.compile(
    r"\b(?:happen(?:ed|s)?|remember|recall|say|says|said|tell|told|go|goes|went|thing|things|mean"
    r"|meant|again|about|still|after|before|later|know|think|thought|really|ok|okay|yes|no"
    r"|and|so|well|end|up|get|got|now|else|more|way|come|came)\b"
    r"|还记得|记得|发生|怎么样|样子|事情|结果|最后|然后|现在|知道|觉得|告诉|到底|究竟|起来|下去"
    r"|说|做|去|来|有|在|是|了|过|的|地|得|吧|啊|呀|嘛|哦|嗯|好|和|跟|都|也|就|又|再|还|到"
    r"|我们?|你们?|您|咱们?|第|个|件|次|样|里|上|下|么|没|不|会|能|要|想|让|把|给|对|很|多"
    r"|事",
    re.IGNORECASE,
)
_TELLING_CHARACTERS = 1  # a Chinese word has two


def points_back(question: str) -> bool:
    """Return whether ``question`` has no content of its own and refers to what was said before."""
    if not _POINTING.search(question):
        return False
    rest = _LIGHT.sub(" ", _POINTING.sub(" ", question))
    spaced = [t for t in query_tokens(rest) if t.isascii() and t.isalnum() and t not in STOP_TOKENS]
    return not spaced and len(query_characters(rest)) <= _TELLING_CHARACTERS


def named_entities(question: str, aliases: Mapping[str, str]) -> dict[str, str]:
    """Return the entities that ``question`` names, with the (longest) alias it used."""
    text = norm_name(question)
    entities: dict[str, str] = {}
    for alias in sorted(aliases, key=lambda a: (-len(a), a)):
        if is_named(alias, text):
            entities.setdefault(aliases[alias], alias)
    return entities
