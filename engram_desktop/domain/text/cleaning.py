"""The story in a message: without thoughts, status panels, variable updates and markup.

The words of the story stay as they are, *actions* included. The time is linear in the length of any
text. For what a model reads, each rule can be switched off by the setting of its name; what is
indexed and quoted is the `story` of each message.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from engram_desktop.domain.text.sentences import without_disclaimers

_MAX_CHARS = 200_000  # bounds the time of the rules; no written message is as long
# Blocks whose content is for machines or only to be looked at. Other tags only lose their brackets:
# the text in <reply> or <content> is story.
_BLOCKS = {
    "thoughts": "think|thinking|thought|reasoning|analysis|cot|思考|思维链|思考过程",
    "updates": (
        "state_update|variable_update|record_event|updatevariable|jsonpatch|initvar|tableedit"
    ),
    "panels": (
        "style|script|details|svg|table|summary_table|statusblock|status_block|status_?bar|status"
        "|stats|choices|options|状态|状态栏|状态面板|面板|选项|行动选项|小剧场|summary|总结|摘要"
    ),
    "disclaimers": "disclaimers?|免责声明|ooc",
}
RULES = (*_BLOCKS, "comments", "code", "tags", "marks")  # in the order of their application
ALL_RULES = frozenset(RULES)
# Never story, whatever a reader's taste; the rest of the text keeps every letter. Code and tags are
# checked individually, since people write programs too.
_NEVER_STORY = frozenset(("thoughts", "updates", "panels", "comments"))
_BASE64 = ";base64,"
_KEPT = "\1"  # replaces each letter of a program, which no rule reads
_ALL_KEPT = re.compile(f"{_KEPT}+")
_INLINE = re.compile(r"`[^`\n]+`")
_NAME = re.compile(r"<([A-Za-z\u4e00-\u9fff][\w-]*)")
_CLOSING = re.compile(r"</([A-Za-z\u4e00-\u9fff][\w-]*)")
_HTML = frozenset("a b big blockquote br center div em font h1 h2 h3 h4 hr i img li p q s".split())
_HTML |= frozenset("small span strong sub sup u ul ol".split())
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_GONE = "\0"  # replaces each removed letter until all rules have run
_FENCE = re.compile(r"^[ \t]*```[ \t]*(html|json|xml|yaml|css|js|javascript)?[^\n]*$", re.MULTILINE)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|hr)\b[^<>]{0,300}>", re.IGNORECASE)
# Data removed within a tag, as a picture of a megabyte, does not count for its length.
_TAG = re.compile(r"</?[A-Za-z\u4e00-\u9fff](?:\0++|[^<>\n\0]){0,300}>")
_DATA = re.compile(r"data:[\w.+/-]{1,60};base64,[A-Za-z0-9+/=]{40,}")  # a picture or a sound
_OPENING = re.compile(r"<([A-Za-z\u4e00-\u9fff][\w-]{0,40})\b[^<>]{0,300}>")
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,200}\]\([^()\n]{0,2000}\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\((?:https?:|/)[^()\s]{0,2000}\)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-=_*~][ \t]?){3,}$", re.MULTILINE)
_BOLD = re.compile(r"\*\*|__")
_BLANKS = re.compile(r"[ \t\u00a0\u200b\ufeff]+")
_GAPS = re.compile(r"\s*\n\s*\n\s*")
# A line of a panel: “❤ 好感度：13”, “Mood: calm”, “| HP | 20 |”.
_LABELLED = re.compile(
    r"[^\w\n“”\"「」]{0,8}\w[^：:\n。！？!?“”\"「」*]{0,15}[：:](.*)|\|[^|\n]+\|.*"
)
_SAID = frozenset('.。！？!?…”」"*')  # a value with such an end is a sentence, or speech
_FEW_LINES = 2  # one line with a colon can be anything
_LABELS, _SENTENCES = 0.6, 0.4  # share of lines with a label, and of these that are sentences
# Characters up to which a block of an unknown name is checked for a panel, and the number of such
# blocks in a message: front ends show fewer, and a text with more must not take longer.
_LONGEST_PANEL, _MOST_LOOKED_AT = 5_000, 50


def in_a_row(parts: Sequence[str]) -> str:
    """Join names or words, with “、” if any of them is Chinese or Japanese.

    A memory and a prompt are in the language of their story, whatever the window's language is.
    """
    return ("、" if any(map(_CJK.search, parts)) else ", ").join(parts)


def clean(text: str, rules: frozenset[str] = ALL_RULES) -> str:
    """Return the story in ``text``."""
    if _BASE64 in text:
        text = _DATA.sub("", text)
    text = _without_gone(_blanked(text[:_MAX_CHARS], rules - {"tags"}))
    if "disclaimers" in rules:
        text = without_disclaimers(text)
    if "tags" in rules:
        text = _without_tags(text)
    if "marks" in rules:
        if "](" in text:
            text = _LINK.sub(r"\1", _IMAGE.sub("", text))
        text = _BOLD.sub("", _RULE.sub("", _HEADING.sub("", text)))
    return _GAPS.sub("\n\n", _BLANKS.sub(" ", text)).strip()


def clean_steps(text: str, rules: frozenset[str]) -> list[tuple[str, str]]:
    """Return what each rule in turn leaves of ``text``: (rule, text); the last is `clean`'s."""
    steps = []
    on: frozenset[str] = frozenset()
    for name in RULES:
        if name in rules:
            on |= {name}
            steps.append((name, clean(text, on)))
    return steps


def story(text: str) -> str:
    """Return the part of a message that is indexed and quoted: all of a text without markup.

    A message of panels only is its own story.
    """
    if not _has_markup(text):
        return text
    told = _without_markup(text)
    if _GONE not in told:
        return text
    told = _GAPS.sub("\n\n", told.replace(_GONE, "")).strip()
    return told or text


def masked(text: str) -> str:
    """Return ``text`` with blanks in place of what is not story: letters keep their positions."""
    if not _has_markup(text):
        return text
    told = _without_markup(text)
    return told.replace(_GONE, " ") if told.strip(_GONE + " \n") else text


def _without_markup(text: str) -> str:
    """Replace each letter that is not story with `_GONE`. Programs and text in `…` are kept."""
    text = text.replace(_GONE, " ").replace(_KEPT, " ")
    spoken = _blank(text, _kept_code(text), _KEPT)
    told = _blanked(_blank(spoken, _panels_in_fences(spoken)), _NEVER_STORY)
    closed = {name.lower() for name in _CLOSING.findall(told)}
    told = _BREAK.sub(lambda m: "\n" + _GONE * (len(m[0]) - 1), told)
    told = _TAG.sub(lambda m: _GONE * len(m[0]) if _is_markup(m[0], closed) else m[0], told)
    return _ALL_KEPT.sub(lambda m: text[m.start() : m.end()], told)


def _is_markup(tag: str, closed: Collection[str]) -> bool:
    """Return whether text in angle brackets is a tag: not the <int> of vector<int>."""
    name = _NAME.match(tag)
    if name is None or "=" in tag or tag.endswith("/>"):
        return True
    is_alone = name.end() == len(tag) - 1
    return name[1].lower() in closed or (is_alone and name[1].lower() in _HTML)


def _fenced(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield fenced blocks that are panels, by their content or, in a Chinese text, their language.

    The third value is true for these; others are somebody's program.
    """
    fences = list(_FENCE.finditer(text))
    if not fences:
        return
    pairs = list(zip(fences[::2], fences[1::2], strict=False))
    around = _blank(text, iter([(first.start(), last.end()) for first, last in pairs]))
    cjk, letters = (sum(map(len, runs.findall(around))) for runs in (_CJK, _LETTERS))
    is_chinese = cjk * 5 >= letters
    for first, last in pairs:
        inner = text[first.end() : last.start()]
        is_bare = not first[0].strip().strip("`")  # without a language
        is_panel = (is_bare and _is_panel(inner)) or (bool(first[1]) and is_chinese)
        yield first.start(), last.end(), is_panel


def _kept_code(text: str) -> Iterator[tuple[int, int]]:
    """Yield programs, and text between single backticks outside of fences, in order."""
    at = 0
    blocks = list(_fenced(text))
    for start, end, is_panel in [*blocks, (len(text), len(text), True)]:
        yield from (m.span() for m in _INLINE.finditer(text, at, start))
        if not is_panel:
            yield start, end
        at = end


def _panels_in_fences(text: str) -> Iterator[tuple[int, int]]:
    return ((start, end) for start, end, is_panel in _fenced(text) if is_panel)


def without_thoughts(text: str) -> str:
    """Return a message without thoughts and comments; status panels stay."""
    if not _has_markup(text):
        return text
    return _without_gone(_blanked(text, frozenset(("thoughts", "comments"))))


def _has_markup(text: str) -> bool:
    return "<" in text or "```" in text or _BASE64 in text


def _without_gone(text: str) -> str:
    return text.replace(_GONE, "") if _GONE in text else text


def _blanked(text: str, rules: frozenset[str]) -> str:
    """Replace each letter that the rules remove with `_GONE`; the length stays."""
    if not _has_markup(text):
        return text
    text = text.replace(_GONE, " ")
    if _BASE64 in text:
        text = _DATA.sub(lambda m: _GONE * len(m[0]), text)
    if "comments" in rules:
        text = _blank(text, _between(text, "<!--", "-->"))
    if "<" in text:
        text = _blank(text, _blocks(text, rules))
    if "thoughts" in rules:
        text = _blank(text, _opened_before(text))
    if "```" in text and "code" in rules:
        text = _blank(text, _code(text, are_panels_out="panels" in rules))
    if "tags" in rules and "<" in text:
        text = _BREAK.sub(lambda m: "\n" + _GONE * (len(m[0]) - 1), text)
        text = _TAG.sub(lambda m: _GONE * len(m[0]), text)
    return text


def _blank(text: str, spans: Iterator[tuple[int, int]], mark: str = _GONE) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], mark * (end - start)]
        at = end
    return "".join([*parts, text[at:]]) if at else text


def _without_tags(text: str) -> str:
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(text) if "&" in text else text


@lru_cache(maxsize=16)
def _dropped(rules: frozenset[str]) -> frozenset[str]:
    """Return the names of the removed blocks."""
    patterns = [names for rule, names in _BLOCKS.items() if rule in rules]
    return frozenset(name for pattern in patterns for name in _names_in(pattern))


def _names_in(pattern: str) -> Iterator[str]:
    """Yield the names in a list such as “status_?bar|tables?”."""
    for name in pattern.split("|"):
        before, optional, after = name.partition("?")
        yield before + after
        if optional:
            yield before[:-1] + after


def _blocks(text: str, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield removed blocks: those of a known name, and panels by their content.

    A block without an end only loses its opening tag.
    """
    dropped = _dropped(rules)
    lower = text.lower()
    if len(lower) != len(text):  # a few letters become two in lower case
        lower = text
    at = looked_at = 0
    endless: set[str] = set()
    for opening in _OPENING.finditer(text):
        name = opening[1].lower()
        is_known = name in dropped
        if opening.start() < at or name in endless:
            continue
        if not is_known:
            looked_at += 1
            if "panels" not in rules or looked_at > _MOST_LOOKED_AT:
                continue
        most = len(text) if is_known else opening.end() + _LONGEST_PANEL
        end = lower.find(f"</{name}", opening.end(), most)
        if end < 0 and is_known:
            endless.add(name)
        elif end >= 0 and (is_known or _is_panel(text[opening.end() : end])):
            close = text.find(">", end)
            at = close + 1 if close >= 0 else len(text)
            yield opening.start(), at


def _is_panel(text: str) -> bool:
    """Return whether a block is a list of labels and values, and neither sentences nor dialogue."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [match[1] or "" for line in lines if (match := _LABELLED.fullmatch(line))]
    if len(found) < _FEW_LINES or len(found) < _LABELS * len(lines):
        return False
    sentences = sum(value.strip()[-1:] in _SAID for value in found if value.strip())
    return sentences <= _SENTENCES * len(found)


def _opened_before(text: str) -> Iterator[tuple[int, int]]:
    """Yield a thought whose opening tag a template wrote: only its end is in the text."""
    end_tag = text.lower().rfind("</think")
    if end_tag >= 0 and (close := text.find(">", end_tag)) >= 0:
        yield 0, close + 1


def _between(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        at = end + len(closing)
        yield start, at


def _code(text: str, *, are_panels_out: bool) -> Iterator[tuple[int, int]]:
    """Yield fenced code in a machine language, and panels; of other fences their marks."""
    fences = list(_FENCE.finditer(text))
    for first, last in zip(fences[::2], fences[1::2], strict=False):
        inner = text[first.end() : last.start()]
        if first[1] or (are_panels_out and _is_panel(inner)):
            yield first.start(), last.end()
        else:
            yield first.span()
            yield last.span()
    if len(fences) % 2:  # the last has no end
        fence = fences[-1]
        yield (fence.start(), len(text)) if fence[1] else fence.span()


# Text of a message that says nothing about people: code, formulas and lists. An assistant's
# advice is general: read as a story, its code would yield lies. Characters keep their positions.

_TITLE_LINE = re.compile(r"^ {0,3}#{2,6} +\S[^\n]*$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S[^\n]*$", re.MULTILINE)
_BOLD_TEXT = re.compile(r"\*\*[^*\n]{1,120}\*\*:?")
# Some stories have a heading and dialogue after dashes: these patterns occur in no story.
_OF_A_PAGE = re.compile(
    r"^[ \t]*(?:\d{1,3}[.)][ \t]+\S|[-*+•][ \t]+\*\*|```)|\\[(\[]", re.MULTILINE
)
_UNTIL = r"[^\n]*$.*?(?:^[ \t]*```[ \t]*$|\Z)"  # the end of a fenced block
_FENCED = re.compile(r"^[ \t]*```" + _UNTIL, re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"^[ \t]*```[ \t]*[A-Za-z]" + _UNTIL, re.MULTILINE | re.DOTALL)
_FORMULA = re.compile(r"\\\[.{0,2000}?\\\]|\\\(.{0,300}?\\\)", re.DOTALL)


def is_page(text: str) -> bool:
    """Return whether a message is an assistant's page: headings and lists, and less prose.

    A reply of a story that ends in a list of choices is none.
    """
    if "##" not in text or not _is_page(masked(text), text):
        return False
    return len("".join(prose_of(text).split())) * 2 < len("".join(masked(text).split()))


def _is_page(told: str, text: str) -> bool:
    return _TITLE_LINE.search(told) is not None and _OF_A_PAGE.search(text) is not None


def asserting(text: str) -> str:
    """Return the message with blanks in place of all text that says nothing about people."""
    told = masked(text)
    if "\\" in told:
        told = _FORMULA.sub(_as_spaces, told)
    is_paged = "##" in told and _is_page(told, text)
    if "```" in told:
        told = (_FENCED if is_paged else _PROGRAM).sub(_as_spaces, told)
    if is_paged:
        told = _ITEM.sub(_as_spaces, _TITLE_LINE.sub(_as_spaces, told))
    return told


def prose_of(text: str) -> str:
    """Return the prose of an assistant's page of advice: without its lists."""
    return _BOLD_TEXT.sub(
        _as_spaces, _ITEM.sub(_as_spaces, _TITLE_LINE.sub(_as_spaces, asserting(text)))
    )


def _as_spaces(match: re.Match[str]) -> str:
    """Return blanks of the same length, with the line ends: no sentence continues across code."""
    return re.sub(r"[^\n]", " ", match[0])
