"""Removes code, formulas and lists from a message, which say nothing about people of a story.

An assistant's advice is general; read as a story, its code would yield lies and its cards would run
out. Characters keep their positions.
"""

from __future__ import annotations

import re

from engram_desktop.domain.text.cleaning import masked

_HEADING = re.compile(r"^ {0,3}#{2,6} +\S[^\n]*$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S[^\n]*$", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\n]{1,120}\*\*:?")
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
    return _HEADING.search(told) is not None and _OF_A_PAGE.search(text) is not None


def asserting(text: str) -> str:
    """Return the message with blanks in place of all text that says nothing about people."""
    told = masked(text)
    if "\\" in told:
        told = _FORMULA.sub(_blank, told)
    is_paged = "##" in told and _is_page(told, text)
    if "```" in told:
        told = (_FENCED if is_paged else _PROGRAM).sub(_blank, told)
    if is_paged:
        told = _ITEM.sub(_blank, _HEADING.sub(_blank, told))
    return told


def prose_of(text: str) -> str:
    """Return the prose of an assistant's page of advice: without its lists."""
    return _BOLD.sub(_blank, _ITEM.sub(_blank, _HEADING.sub(_blank, asserting(text))))


def _blank(match: re.Match[str]) -> str:
    """Return blanks of the same length, with the line ends: no sentence continues across code."""
    return re.sub(r"[^\n]", " ", match[0])
