"""Story strings: the template of a text completion prompt's head, ``{{#if persona}}…{{/if}}``.

Only what such templates are made of: values by name, ``#if`` and ``#unless`` with ``else``, notes,
and ``~`` that takes blanks away. A name that is no value is left to the macros.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engram_desktop.domain.values import dataclass

MAX_DEPTH = 40  # blocks inside of blocks: bounds recursion
_TAG = re.compile(
    r"\{\{(?P<before>~?)(?:!--(?P<long>.*?)--|(?P<note>![^}]*)"
    r"|\{?\s*(?P<sign>[#/^]?)\s*(?P<name>[A-Za-z_][\w.-]*)(?P<rest>[^{}]*?))(?P<after>~?)\}\}\}?",
    re.DOTALL,
)
_BLOCKS = ("if", "unless")


@dataclass(slots=True)
class _Open:
    """A block that is being read: whether its text is shown, and whether it is around it."""

    name: str
    is_true: bool
    is_shown_around: bool
    is_else: bool = False

    @property
    def is_shown(self) -> bool:
        return self.is_shown_around and self.is_true != self.is_else


class BadStoryStringError(ValueError):
    """A block that is not closed, or closed twice."""


def rendered(template: str, values: Mapping[str, str], macro: Callable[[str], str]) -> str:
    """Return ``template`` with its values; ``macro`` says what other names stand for.

    Raises BadStoryStringError.
    """
    pieces: list[str] = []
    blocks: list[_Open] = []
    at = 0
    for tag in _TAG.finditer(template):
        start, end = _reach(template, tag)
        if not blocks or blocks[-1].is_shown:
            pieces.append(template[at : max(at, start)])
        at = max(at, end)
        value = _read(tag, blocks, values, macro)
        if value and (not blocks or blocks[-1].is_shown):
            pieces.append(value)
    if blocks:
        raise BadStoryStringError(blocks[-1].name)
    return "".join([*pieces, template[at:]])


def _read(
    tag: re.Match[str],
    blocks: list[_Open],
    values: Mapping[str, str],
    macro: Callable[[str], str],
) -> str:
    """Open or close blocks; return what a tag shows."""
    sign, name = tag["sign"], tag["name"]
    if name is None:
        return ""
    is_shown = not blocks or blocks[-1].is_shown
    if sign == "#":
        if name not in _BLOCKS or len(blocks) >= MAX_DEPTH:
            raise BadStoryStringError(name)
        is_true = bool(values.get(tag["rest"].strip()))
        blocks.append(_Open(name, is_true == (name == "if"), is_shown))
    elif sign == "/":
        if not blocks or blocks.pop().name != name:
            raise BadStoryStringError(name)
    elif name == "else" or sign == "^":
        if not blocks:
            raise BadStoryStringError(name)
        blocks[-1].is_else = True
    elif is_shown:
        return values[name] if name in values else macro(name)
    return ""


def _reach(template: str, tag: re.Match[str]) -> tuple[int, int]:
    """How far a tag reaches: one of a block that has a line of its own takes the whole line."""
    start, end = tag.start(), tag.end()
    if tag["sign"] or tag["name"] is None or tag["name"] == "else":
        head = template[:start].rpartition("\n")[2]
        tail = template[end:].partition("\n")[0]
        if not head.strip() and not tail.strip():
            start -= len(head)
            end = min(len(template), end + len(tail) + 1)
    if tag["before"]:
        start = len(template[:start].rstrip())
    if tag["after"]:
        end = len(template) - len(template[end:].lstrip())
    return start, end
