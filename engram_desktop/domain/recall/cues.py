"""Cues in the wording of a question: who said the answer, and what an answer looks like.

Cues are weak evidence by themselves; `ranking.Weights` has the value of each. Chinese and English
only: in other languages nothing matches and no score changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.lexemes import STOP_TOKENS, query_characters, query_tokens

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
