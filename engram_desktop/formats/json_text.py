"""Change a JSON text only in the places that change: every other byte stays as it was.

Key order, indentation, escapes and the spelling of numbers (`1e-7`) have no meaning for us, but a
file that differs in all of them has been rewritten. Values are never serialised again here; the
spans of the changed ones are replaced.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

# Describe what is missing where a JSON parser stopped, from the text there. A parser's own message
# is English and differs by version; the position and the text before it do not.


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
    """Return what the grammar expects at ``error``; the text before it is valid."""
    text, at = error.doc, error.pos
    brackets = ""  # brackets that are open at ``at``, as a stack
    last_text = (0, 0)
    for token in _TOKENS.finditer(text, 0, at + 1):  # one more, since a text may begin there
        start, end = token.span()
        if start == at:
            break
        match token[0]:
            case "{" | "[" as bracket:
                brackets += bracket
            case "}" | "]":
                brackets = brackets[:-1]
            case _ if token[1] is None:  # it continues after ``at``
                return Phrase(_NO_ESCAPE)
            case _:
                last_text = (start, end)
    end = _end_before(text, at)
    before_text = text[: _end_before(text, last_text[0])][-1:]
    is_name = last_text[1] == end and brackets[-1:] == "{" and before_text in ("{", ",")
    return Phrase(_missing(text[end - 1 : end], text[at : at + 1], brackets[-1:], is_name=is_name))


def _end_before(text: str, at: int) -> int:
    """Return the end of the last non-blank text before ``at``."""
    while at and text[at - 1] in _BLANKS:
        at -= 1
    return at


def _missing(before: str, here: str, inside: str, *, is_name: bool) -> str:
    """Choose the fault by the character before, the unexpected one, and the open bracket."""
    if before == "," and here and here in "}]":
        return _NOTHING_BEHIND
    may_begin = not before or before in "[{,:"
    if may_begin and here == '"':
        return _NO_QUOTE
    if not may_begin:
        # some versions stop at a comma with nothing after it
        return _NO_COLON if is_name else _NOTHING_BEHIND if here == "," else _NO_COMMA
    return _NO_NAME if inside == "{" and before != ":" else _NO_VALUE


MAX_DIGITS = 300  # Python itself refuses 4,300; below that it takes quadratic time
_BLANK = re.compile(r"[ \t\n\r\ufeff]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
JsonPath = tuple[str | int, ...]
_QUOTE = json.JSONEncoder(ensure_ascii=False).encode


class NotJson(InputError):
    """``file``, ``line`` and, in ``detail``, what is expected there."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is no valid JSON: line {line}, {detail}.")


_LONG_NUMBER = _T("reports", "a number is too long")
_THE_FILE = _T("reports", "The file")
_MORE_TEXT = _T("reports", "more text follows the end")


class TooDeep(InputError):
    """``file`` is nested more deeply than Python can read."""

    text = QT_TRANSLATE_NOOP("errors", "{file} nests values too deeply to be read.")


class BadNumber(ValueError):
    """A number has more digits than any program uses."""


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadNumber
    return int(digits)


def _never(word: str) -> None:
    """Return None for NaN and Infinity, which JavaScript writes as null."""
    del word


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=_never)


def read_json(text: str, file: str) -> Any:
    """Parse a whole document, with or without a BOM. Raises NotJson, TooDeep."""
    start = skip_blanks(text, 0)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as e:
        raise NotJson(fault_in(e), file=file, line=e.lineno) from None
    except BadNumber:
        raise NotJson(Phrase(_LONG_NUMBER), file=file, line=1) from None
    except RecursionError:
        raise TooDeep(file=file) from None
    end = skip_blanks(text, end)
    if end != len(text) and text[end:].strip("\x00\x1a"):
        line = text.count("\n", 0, end) + 1
        raise NotJson(Phrase(_MORE_TEXT), file=file, line=line)
    return value


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object or list: where it begins (with its key), and the span of its value."""

    name: str | int
    start: int
    value_start: int
    value_end: int


def skip_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def walk_members(text: str, at: int) -> Iterator[JsonMember]:
    """Yield the members of the container at ``at``; values are skipped at the parser's speed."""
    is_object = text[at] == "{"
    close = "}" if is_object else "]"
    at = skip_blanks(text, at + 1)
    index = 0
    while text[at] != close:
        start = at
        name: str | int = index
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = skip_blanks(text, skip_blanks(text, at) + 1)
        _value, end = _DECODER.raw_decode(text, at)
        yield JsonMember(name, start, at, end)
        index += 1
        at = skip_blanks(text, end)
        if text[at] == ",":
            at = skip_blanks(text, at + 1)


def find_value(text: str, path: JsonPath) -> tuple[int, int] | None:
    """Return the span of the value at ``path`` in a document that `read_json` accepts.

    Of a repeated name the last one counts, as in every parser. Also None for what only a more
    tolerant parser reads.
    """
    start = skip_blanks(text, 0)
    try:
        end = _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
    for step in path:
        if text[start] not in "{[":
            return None
        members = [m for m in walk_members(text, start) if str(m.name) == str(step)]
        if not members:
            return None
        start, end = members[-1].value_start, members[-1].value_end
    return start, end


def replaced(text: str, changes: Iterable[tuple[JsonPath, Any]]) -> str:
    """Set values at paths. A missing last name is added at the end of its object."""
    tree: dict[str, Any] = {}
    for path, value in changes:
        node = tree
        for step in path[:-1]:
            node = node.setdefault(str(step), {})
        node[str(path[-1])] = _Value(value)
    return splice(text, _edits(text, skip_blanks(text, 0), tree))


@dataclass(frozen=True, slots=True)
class _Value:
    """The new value of a leaf in the tree of changes."""

    value: Any


Edit = tuple[int, int, str]


def splice(text: str, edits: Iterable[Edit]) -> str:
    parts, at = [], 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])


def _edits(text: str, start: int, tree: dict[str, Any]) -> Iterator[Edit]:
    """Yield the edits of the container at ``start``; each container is walked only once."""
    if text[start] not in "{[":
        raise KeyError(next(iter(tree)))
    members = list(walk_members(text, start))
    by_name = {str(member.name): member for member in members}
    new = []
    for name, change in tree.items():
        member = by_name.get(name)
        if member is None:
            new.append((name, change.value))
        elif isinstance(change, _Value):
            indent = _column(text, member.start)
            yield member.value_start, member.value_end, dump(change.value, indent)
        else:
            yield from _edits(text, member.value_start, change)
    if new:
        yield _addition(text, start, members, new)


def _addition(text: str, start: int, members: list[JsonMember], new: list[tuple[str, Any]]) -> Edit:
    """Add members to the container at ``start``, in the layout of the existing ones."""
    here = _column(text, start)
    indent: str | None
    if members:
        line = text.rfind("\n", start, members[0].start)
        indent = text[line + 1 : members[0].start] if line >= 0 else None
        at = end = members[-1].value_end
    else:
        indent = None if here is None else here + "    "
        at, end = start + 1, skip_blanks(text, start + 1)
    newline = "" if indent is None else ("\r\n" if "\r\n" in text[:4096] else "\n") + indent
    colon = ":" if indent is None else ": "
    is_object = text[start] == "{"
    texts = [
        newline + (dump(name) + colon if is_object else "") + dump(value, indent)
        for name, value in new
    ]
    addition = ",".join(texts)
    if members:
        return at, end, "," + addition
    return at, end, addition + (newline[: len(newline) - 4] if newline else "")


def removed(text: str, path: JsonPath, names: Collection[str]) -> str:
    """Remove members of the container at ``path``, with the commas between them."""
    outer = find_value(text, path)
    if outer is None:
        raise KeyError(path)
    members = list(walk_members(text, outer[0]))
    remaining = [m for m in members if str(m.name) not in names]
    if not remaining:
        return text[: outer[0] + 1] + text[outer[1] - 1 :]
    last = remaining[-1]
    edits = [
        (member.start, following.start, "")
        for member, following in itertools.pairwise(members)
        if str(member.name) in names and member.start < last.start
    ]
    return splice(text, [*edits, (last.value_end, members[-1].value_end, "")])


def _column(text: str, at: int) -> str | None:
    """Return the indentation of the line of ``at``, or None if the text is one line."""
    line = text.rfind("\n", 0, at)
    if line < 0 and "\n" not in text:
        return None
    rest = text[line + 1 : at]
    return rest[: len(rest) - len(rest.lstrip(" \t"))]


def dump(value: Any, indent: str | None = None) -> str:
    """Write ``value`` as JavaScript's `JSON.stringify` does; ``indent`` makes it pretty.

    Raises TooDeep.
    """
    try:
        text = _serialise(value, indent)
    except RecursionError:
        raise TooDeep(file=Phrase(_THE_FILE)) from None
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def _serialise(value: Any, indent: str | None) -> str:
    """Write a value; its members are indented one step further.

    Python's writer takes ten times as long.
    """
    if isinstance(value, str):
        return _QUOTE(value)
    inner = None if indent is None else indent + "    "
    if isinstance(value, dict):
        colon = ":" if indent is None else ": "
        parts = [f"{_QUOTE(str(k))}{colon}{_serialise(v, inner)}" for k, v in value.items()]
    elif isinstance(value, list | tuple):
        parts = [_serialise(item, inner) for item in value]
    else:
        return _word(value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if not parts:
        return opening + closing
    if inner is None:
        return f"{opening}{','.join(parts)}{closing}"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"


def _word(value: Any) -> str:
    """Write a number as JavaScript does: 1 for 1.0, null if it is not finite."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            return "null"
        case float() if value.is_integer() and abs(value) < 1e21:
            return str(int(value))
    return json.dumps(value)


def as_bytes(text: str) -> bytes:
    """Return the text as UTF-8; lone surrogates become the file's original bytes."""
    return text.encode("utf-8", "surrogatepass")
