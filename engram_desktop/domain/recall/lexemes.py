"""What a memory is searched by: the words of its lexical index, and the text that is embedded.

One tokenizer for rows, queries and search.
SQLite's own tokenizers find no two-character Chinese word, so rows are stored as a line of tokens
made here: overlapping pairs of characters for scripts without spaces, and each character by itself,
stemmed lower-case words for the other scripts, digits as they are. Pairs alone would take 12 MB
instead of 17 for 100,000 messages of 48 characters, but find no single character and no paraphrase.
A token never contains a blank or ASCII punctuation: FTS5's ``ascii`` tokenizer keeps it whole. User
text reaches MATCH only as such tokens.
"""

from __future__ import annotations

import functools
import operator
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from engram_desktop.late import late_pattern

_UNSPACED = (
    "\u3005\u3007"  # 々 〇
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_RUNS = late_pattern(
    rf"(?P<unspaced>[{_UNSPACED}]+)|(?P<digits>\d+)|(?P<word>[^\W\d_{_UNSPACED}]+)"
)
_POSSESSIVE = late_pattern(r"['’]s\b")

# Question words say nothing about the answer, and in a chat they find other questions. Longest
# first.
_ASKING = late_pattern(
    "为什么|什么时候|是不是|有没有|怎么样|什么|怎么|怎样|哪里|哪儿|哪个|哪些|哪一|哪天|几号|几点"
    "|多少|多久|请问|如何|是否|吗|呢|谁|啥|的"
)
_FUNCTION_WORDS = (
    "a an the is are was were be been am do does did done has have had having will would can could "
    "should shall may might must of to in on at by for with from about into as and or but not no "
    "if than then so too very just that this these those it its he she they him his her them their "
    "i you we my your our me us what which who whom whose when where why how there here"
)


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Remove the common English endings; other words are unchanged.

    Lighter than Porter's and as good on chats (recall@10 differs by less than 0.5 points).
    """
    if len(word) < 4 or not word.isascii():
        return word
    for ending, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("ly", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + instead
            break
    else:
        if word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


STOP_TOKENS = frozenset(form for word in _FUNCTION_WORDS.split() for form in (word, stem(word)))


def _folded(text: str) -> str:
    """Return ``text`` in one spelling: NFKC, lower case, no possessive s."""
    return _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).lower())


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, run) for the folded ``text``."""
    for match in _RUNS.finditer(_folded(text)):
        yield match.lastgroup or "", match[0]


def token_runs(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, start, run) of each run of a folded text: unspaced, digits or word."""
    for match in _RUNS.finditer(text):
        yield match.lastgroup or "", match.start(), match[0]


def _pairs(run: str) -> list[str]:
    return list(map(operator.add, run, run[1:]))


def index_tokens(text: str) -> list[str]:
    """Return the tokens under which ``text`` is indexed, as often as they occur."""
    tokens: list[str] = []
    for kind, run in _runs(text):
        match kind:
            case "unspaced":
                tokens += _pairs(run)
                tokens += run
            case "word":
                tokens.append(stem(run))
            case _:
                tokens.append(run)
    return tokens


@functools.lru_cache(maxsize=512)
def known_tokens(text: str) -> tuple[str, ...]:
    """As `index_tokens`, cached: the candidates of a question are scored several times."""
    return tuple(index_tokens(text))


def rough_tokens(text: str) -> float:
    """Return the approximate tokens of a model for ``text``: a quarter of its bytes in UTF-8.

    A Chinese character is three bytes and .75 of a token, an English word of four letters 1.
    `domain.text.tokens` is more exact and reads every word.
    """
    return len(text.encode("utf-8", "surrogatepass")) / 4


def query_tokens(text: str) -> list[str]:
    """Return the words and pairs of ``text`` to rank by, once each, in order.

    Question words and function words are left out unless nothing else is there.
    """
    telling = [t for t in _words_and_pairs(_ASKING.sub(" ", text)) if t not in STOP_TOKENS]
    return list(dict.fromkeys(telling or _words_and_pairs(text)))


def query_characters(text: str) -> list[str]:
    """Return the characters of ``text``, once each, to search by if a pair is found nowhere.

    "Who courts her" and "he is courting her" share a character in Chinese, and no pair.
    """
    runs = (run for kind, run in _runs(_ASKING.sub(" ", text)) if kind == "unspaced")
    return list(dict.fromkeys(character for run in runs for character in run))


def _words_and_pairs(text: str) -> list[str]:
    tokens: list[str] = []
    for kind, run in _runs(text):
        match kind:
            case "unspaced":
                tokens += _pairs(run)
            case "word":
                tokens.append(stem(run))
            case _:
                tokens.append(run)
    return tokens


def matched_words(question: str, text: str) -> tuple[str, ...]:
    """Return the words of ``question`` that ``text`` contains, as spelled in the question.

    Overlapping pairs are joined again: 紫金 and 金葫 become 紫金葫.
    """
    words: dict[str, None] = {}
    folded = _folded(text)
    for kind, run in _asked_runs(question):
        if kind == "unspaced":
            words.update(dict.fromkeys(_joined_pairs(run, folded)))
        elif stem(run) in known_tokens(text) and stem(run) not in STOP_TOKENS:
            words[run] = None
    return tuple(words)


@functools.lru_cache(maxsize=4)
def _asked_runs(question: str) -> tuple[tuple[str, str], ...]:
    """Return the runs of a question, cached: many rows are compared with it."""
    return tuple(_runs(_ASKING.sub(" ", question)))


def _joined_pairs(run: str, folded: Container[str]) -> Iterator[str]:
    if len(run) == 1:
        if run in folded:
            yield run
        return
    start: int | None = None
    for i in range(len(run)):
        if run[i : i + 2] in folded and i + 1 < len(run):
            start = i if start is None else start
        elif start is not None:
            yield run[start : i + 1]
            start = None


_MOST_TERMS = 64  # of a query: bounds the time of a pasted page


def match_query(text: str) -> str:
    """Return the FTS5 expression of the search box: rows that hold every word of ``text``.

    It is empty if ``text`` holds no word; then nothing is searched. The word still being typed
    matches as a prefix. At most `_MOST_TERMS` terms are used.
    """
    terms: dict[str, None] = {}
    runs = list(_runs(text[: 64 * _MOST_TERMS]))
    for position, (kind, run) in enumerate(runs):
        is_last = position == len(runs) - 1
        for term in _search_terms(kind, run, is_last=is_last):
            terms[term] = None
    return " AND ".join(list(terms)[:_MOST_TERMS])


def _search_terms(kind: str, run: str, *, is_last: bool) -> list[str]:
    if kind == "unspaced":
        return [f'"{pair}"' for pair in _pairs(run)] or [f'"{run}"']
    if kind == "word" and is_last:
        root = stem(run)
        return [f'"{root}"' if root == run[:1] else f'("{root}" OR "{run}"*)']
    return [f'"{stem(run)}"' if kind == "word" else f'"{run}"']


# What is embedded of an item, and of a question to compare with it. In a chat everybody's name is
# everywhere: with names, a small embedder sees little else (LoCoMo recall@10 .28, and .47 without
# names on both sides). A turn is often the answer to the one before it, so the two are embedded
# together: one vector per turn, which never changes when something is appended.

_PREVIOUS = 240  # characters kept of the turn before: its end, where a question would be
# Characters from which on a turn is a page, whose end has little to do with what follows: recall@10
# in chats of pages (BEAM) is .793 with this limit and .771 without.
_PAGE = 1_000
_BLANKS = late_pattern(r"[ \t]+")
_CLAUSES = late_pattern(r"(?<=[。！？!?.;；：:\n])\s*")
_SHORTEST_CLAUSE = 4  # characters: shorter ones (“Yes.”, 好的。) mean nothing by themselves


class EmbeddedText(NamedTuple):
    """The embedded text of an item: its own, and the end of the turn before it."""

    text: str
    before: str = ""

    @property
    def joined(self) -> str:
        """Both as one text; empty if nothing is left."""
        return f"{self.before} {self.text}".strip()


@functools.lru_cache(maxsize=64)
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = []
    for name in sorted(set(names), key=lambda n: (-len(n), n)):
        if len(name) < 2:  # "我" is a speaker in some chats, and a word in all of them
            continue
        quoted = re.escape(name)
        # not \b: next to a Chinese character there is none
        is_latin = name.isascii()
        parts.append(rf"(?<![A-Za-z0-9]){quoted}(?:['’]s)?(?![A-Za-z0-9])" if is_latin else quoted)
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def without_names(text: str, names: Iterable[str]) -> str:
    """Remove the speakers' names from ``text``, and the rest of a leading ``name:``."""
    pattern = _name_pattern(tuple(names))
    bare = pattern.sub(" ", text) if pattern else text
    return _BLANKS.sub(" ", bare).strip(" :：，,")


def passage(content: str, names: Iterable[str], previous: str = "") -> EmbeddedText:
    """Return the embedded text of an item.

    ``content`` is the item's own; ``previous`` the content of the turn before on the same line of
    the story (turns only). ``names`` are all speakers of the chat.
    """
    known = tuple(names)
    return EmbeddedText(without_names(content, known), end_of(without_names(previous, known)))


def end_of(text: str) -> str:
    """Return the part of a turn that is embedded with the next one: its end, or none of a page."""
    return text[-_PREVIOUS:] if len(text) <= _PAGE else ""


def query_texts(text: str, names: Iterable[str], *, limit: int = 4) -> list[str]:
    """Return the texts to embed for a question: its clauses, each compared by itself.

    A long message asks in one sentence and chats in the others; embedded whole, the chatting
    dominates. At most ``limit``, the longest ones; never empty for visible text.
    """
    bare = without_names(text, names) or text.strip()
    clauses = [c.strip() for c in _CLAUSES.split(bare) if len(c.strip()) >= _SHORTEST_CLAUSE]
    if len(clauses) <= 1:
        return [bare] if bare else []
    longest = set(sorted(clauses, key=len, reverse=True)[:limit])
    return [c for c in dict.fromkeys(clauses) if c in longest]
