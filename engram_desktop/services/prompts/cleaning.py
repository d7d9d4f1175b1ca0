"""Take out of a message what is not story: thoughts, status panels, variable updates, markup.

The words of the story stay as they are, *actions* included. Linear in the length of the text,
whatever it holds. Each rule can be switched off by the setting of its name.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.sentences import without_disclaimers

_MAX_CHARS = 200_000  # bounds the time of the rules; no message that was written is so long
# Blocks whose content is for machines or for the eye only. The rest of the tags only lose their
# brackets: what stands in <reply> or <content> is the story.
_BLOCKS = {
    "thoughts": "think|thinking|thought|reasoning|analysis",
    "updates": (
        "state_update|variable_update|record_event|updatevariable|jsonpatch|initvar|tableedit"
    ),
    "panels": (
        "style|script|details|svg|table|summary_table|statusblock|status_block|status_bar"
        "|choices|options"
    ),
    "disclaimers": "disclaimers?|免责声明|ooc",
}
RULES = (*_BLOCKS, "comments", "code", "tags", "marks")  # in the order they run
ALL_RULES = frozenset(RULES)
_FENCE = re.compile(r"^[ \t]*```[ \t]*(html|json|xml|yaml|css|js|javascript)?[^\n]*$", re.MULTILINE)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|hr)\b[^<>]{0,300}>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z\u4e00-\u9fff][^<>\n]{0,300}>")
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,200}\]\([^()\n]{0,2000}\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\((?:https?:|/)[^()\s]{0,2000}\)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-=_*~][ \t]?){3,}$", re.MULTILINE)
_BOLD = re.compile(r"\*\*|__")
_BLANKS = re.compile(r"[ \t\u00a0\u200b\ufeff]+")
_GAPS = re.compile(r"\s*\n\s*\n\s*")


def rules_of(settings: Settings) -> frozenset[str]:
    """Return the rules that are switched on."""
    return frozenset(name for name in RULES if settings.get(f"clean.{name}"))


def clean(text: str, rules: frozenset[str] = ALL_RULES) -> str:
    """Return the story in ``text``."""
    text = text[:_MAX_CHARS]
    if "comments" in rules:
        text = _cut(text, "<!--", "-->")
    if "<" in text:
        text = _without_blocks(text, rules)
    if "```" in text and "code" in rules:
        text = _without_code(text)
    if "disclaimers" in rules:
        text = without_disclaimers(text)
    if "tags" in rules:
        text = _without_tags(text)
    if "marks" in rules:
        if "](" in text:
            text = _LINK.sub(r"\1", _IMAGE.sub("", text))
        text = _BOLD.sub("", _RULE.sub("", _HEADING.sub("", text)))
    return _GAPS.sub("\n\n", _BLANKS.sub(" ", text)).strip()


def clean_steps(text: str, rules: frozenset[str] = ALL_RULES) -> list[tuple[str, str]]:
    """Return what each rule in turn leaves of ``text``: (rule, text); the last is `clean`'s."""
    steps = []
    on: frozenset[str] = frozenset()
    for name in RULES:
        if name in rules:
            on |= {name}
            steps.append((name, clean(text, on)))
    return steps


def _without_tags(text: str) -> str:
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(text) if "&" in text else text


@lru_cache(maxsize=16)
def _opening(rules: frozenset[str]) -> re.Pattern[str] | None:
    """Match the opening tag of a block that is dropped; None where none is."""
    names = "|".join(names for rule, names in _BLOCKS.items() if rule in rules)
    return re.compile(rf"<({names})\b[^<>]{{0,300}}>", re.IGNORECASE) if names else None


def _without_blocks(text: str, rules: frozenset[str]) -> str:
    """Cut dropped blocks. One without an end loses its opening tag only."""
    pattern = _opening(rules)
    if pattern is None:
        return text
    lower = text.lower()
    parts: list[str] = []
    at = 0
    endless: set[str] = set()
    for opening in pattern.finditer(text):
        name = opening[1].lower()
        if opening.start() < at or name in endless:
            continue
        end = lower.find(f"</{name}", opening.end())
        if end < 0:
            endless.add(name)
            continue
        parts.append(text[at : opening.start()])
        close = text.find(">", end)
        at = close + 1 if close >= 0 else len(text)
    parts.append(text[at:])
    cut = "".join(parts)
    # A template may have opened the thought already: then only its end is in the text.
    end_tag = cut.lower().rfind("</think") if "thoughts" in rules else -1
    return cut[cut.find(">", end_tag) + 1 :] if end_tag >= 0 else cut


def _cut(text: str, opening: str, closing: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        parts.append(text[at:start])
        at = end + len(closing)
    return "".join([*parts, text[at:]])


def _without_code(text: str) -> str:
    """Drop fenced code that names a machine language; other fences lose their marks only."""
    parts: list[str] = []
    at = 0
    is_inside = is_machine = False
    for fence in _FENCE.finditer(text):
        if not (is_inside and is_machine):
            parts.append(text[at : fence.start()])
        at = fence.end()
        is_inside = not is_inside
        is_machine = is_inside and bool(fence[1])
    parts.append(text[at:])
    return "".join(parts)
