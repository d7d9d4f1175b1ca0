"""Say what is missing where a JSON parser stopped, by the text there, not by the parser's message.

A parser's message is English and differs by version; the position, and what stands before it, do
not.
"""

from __future__ import annotations

import json
import re

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase

_T = QT_TRANSLATE_NOOP
_NO_VALUE = _T("reports", "a value is missing")
_NO_NAME = _T("reports", "a name in double quotes is missing")
_NO_COLON = _T("reports", "a colon is missing")
_NO_COMMA = _T("reports", "a comma is missing")
_NO_QUOTE = _T("reports", "a text has no closing quotation mark")
_NO_ESCAPE = _T("reports", "a text holds a backslash that means nothing")
_NOTHING_BEHIND = _T("reports", "a comma has nothing behind it")
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+(")?|[{}\[\]]', re.DOTALL)
_BLANKS = " \t\n\r\ufeff"


def fault_in(error: json.JSONDecodeError) -> Phrase:
    """Return what the grammar asks for where ``error`` was found; all before it is right."""
    text, at = error.doc, error.pos
    brackets = ""  # brackets that are open at ``at``, as a stack
    last_text = (0, 0)
    for token in _TOKENS.finditer(text, 0, at + 1):  # one more: a text may begin there
        start, end = token.span()
        if start == at:
            break
        match token[0]:
            case "{" | "[" as bracket:
                brackets += bracket
            case "}" | "]":
                brackets = brackets[:-1]
            case _ if token[1] is None:  # it goes on behind ``at``
                return Phrase(_NO_ESCAPE)
            case _:
                last_text = (start, end)
    end = _end_before(text, at)
    before_text = text[: _end_before(text, last_text[0])][-1:]
    is_name = last_text[1] == end and brackets[-1:] == "{" and before_text in ("{", ",")
    return Phrase(_missing(text[end - 1 : end], text[at : at + 1], brackets[-1:], is_name=is_name))


def _end_before(text: str, at: int) -> int:
    """Return where the last thing that is no blank before ``at`` ends."""
    while at and text[at - 1] in _BLANKS:
        at -= 1
    return at


def _missing(before: str, here: str, inside: str, *, is_name: bool) -> str:
    """Decide by the character before, the one that was not understood, and the open bracket."""
    if before == "," and here and here in "}]":
        return _NOTHING_BEHIND
    may_begin = not before or before in "[{,:"
    if may_begin and here == '"':
        return _NO_QUOTE
    if not may_begin:
        # some versions stop at the comma that has nothing behind it
        return _NO_COLON if is_name else _NOTHING_BEHIND if here == "," else _NO_COMMA
    return _NO_NAME if inside == "{" and before != ":" else _NO_VALUE
