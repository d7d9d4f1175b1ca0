"""The words a question is told by, each worth what it is rare in the language at large.

How rare a word is in the chat says little about a question: in a chat about films "film" is common
and yet what is asked about, and among two hundred messages every other word is rare. Pairs of
characters, which the index knows, say still less: 我喜 and 欢看 straddle the words of 我喜欢看.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Set

from engram_desktop.domain.recall.lexemes import STOP_TOKENS, index_tokens
from engram_desktop.domain.values import dataclass

_HAN = re.compile(r"[\u3400-\u9fff]+")
_UNCUT = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]+")  # kana, hangul: no dictionary cuts them
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:ve|re|ll|s|d|m))\b", re.IGNORECASE)
# All that is asked by and pointed with; the commonest words are worth nothing anyway.
_NOT_TELLING = frozenset(
    "我 你 您 他 她 它 咱 我们 你们 他们 她们 它们 咱们 的 了 是 在 和 有 也 都 就 不 那 这"
    " 那个 这个 最 很 与 及 还 给 对 被 把 让 几 个 另外 以下 来着 名字 叫 吗 呢 啊 吧 谁 啥 什么"
    " 为什么 时候 什么时候 怎么 怎样 怎么样 哪 哪里 哪儿 哪个 哪些 哪一 哪天 几号 几点 多少 多久"
    " 请问 如何 是否 是不是 有没有".split()
)
_HAN_WORDS = 60_101_967  # words counted for the dictionary that `frequency` reads
_HAN_COMMON = 6.5  # a word as frequent as one of 665 is worth nothing; 5 and 8 do no better
_DIGIT = 2.3  # the logarithm of ten
_RAREST_NUMBER = 12.0  # that of five digits: longer numbers prove no more
_PLAIN = 2  # letters: a longer word is a rarer one; ranks of a tokenizer did no better
_RAREST_LATIN = 8.0  # that of ten letters: longer words prove no more
_PAIR = 2.0  # of kana or hangul, which may straddle two words
_SPELT_ALIKE = 0.5  # what a word's characters are worth, strewn over a text that lacks the word


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question. ``tokens`` are those of the index, ``characters`` only of Chinese.

    ``text`` is how it was written, in lower case.
    """

    tokens: frozenset[str]
    characters: frozenset[str]
    rarity: float
    text: str = ""

    def said_in(self, tokens: Set[str]) -> float:
        """Return how far a text of ``tokens`` says this word, from 0 to 1.

        宵夜 is said in part by 夜宵, and 看过 by 看.
        """
        if self.tokens <= tokens:
            return 1.0
        if not self.characters:
            return 0.0
        return _SPELT_ALIKE * len(self.characters & tokens) / len(self.characters)


def question_words(
    text: str, cut: Callable[[str], Iterable[str]], frequency: Callable[[str], int]
) -> list[Word]:
    """Return what of a question tells it from others, once each.

    ``cut`` parts Chinese into words; ``frequency`` says how often one stands in the texts of a
    dictionary. One that nobody knows, such as a name, is rarest.
    """
    words: dict[frozenset[str], Word] = {}
    for token in index_tokens(" ".join(_UNCUT.findall(text))):
        if len(token) > 1:
            words[frozenset({token})] = Word(frozenset({token}), frozenset(), _PAIR, token)
    for piece in cut(_CONTRACTED.sub(" ", _UNCUT.sub(" ", text))):
        if piece in _NOT_TELLING or piece.lower() in STOP_TOKENS:
            continue
        for word in _words(piece.lower(), frequency):
            if word.rarity and not word.tokens <= STOP_TOKENS:
                words.setdefault(word.tokens, word)
    return list(words.values())


def _words(piece: str, frequency: Callable[[str], int]) -> Iterator[Word]:
    every = index_tokens(piece)
    tokens = frozenset(t for t in every if len(t) > 1) or frozenset(every)
    if _HAN.fullmatch(piece):
        rarity = max(0.0, math.log(_HAN_WORDS / max(1, frequency(piece))) - _HAN_COMMON)
        yield Word(tokens, frozenset(piece if len(piece) > 1 else ()), rarity, piece)
    elif piece.isdigit():
        yield Word(tokens, frozenset(), min(_RAREST_NUMBER, _DIGIT * len(piece)), piece)
    elif tokens:
        letters = max(map(len, tokens)) - _PLAIN
        yield Word(tokens, frozenset(), min(_RAREST_LATIN, max(1.0, float(letters))), piece)
