"""Conditions on the state of a story, in CEL: who may know a memory only while they hold.

CEL has no side effects, and expressions that could take long are refused. A condition that cannot
be read or evaluated does not hold. Names may be Chinese, such as `爱丽丝.好感度 > 90`: CEL itself
does not allow these, so they are looked up in ``state``.

The cost is estimated before evaluation. CEL cannot be interrupted, and a loop over a list copies
what it collects: over 5,000 items, with a body that names the list again, it took minutes. So the
steps are counted first, by the sizes of the values that an expression names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.state.tree import State, is_vwd
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

MAX_STEPS = 3_000_000  # below half a second, at most 0.15 µs each (measured, one core)
_COSTLY_LOOP = late_pattern(r"\.\s*(?P<kind>all|exists|exists_one|filter)\s*\(")
COLLECTS = late_pattern(r"\.\s*map\s*\(")
_STRING = late_pattern(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_OTHER_STRING = late_pattern("[rRbB][\"']|'''|\"\"\"")
_PATH = late_pattern(
    r"""(?<![\w.])[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*(?!\s*\()|\s*\[\s*"(?:\\.|[^"\\])*"\s*\])*"""
)
_STEP = late_pattern(r'\.\s*([A-Za-z_]\w*)|\[\s*"((?:\\.|[^"\\])*)"\s*\]')
_CHARS = 16  # characters of a text that cost as much as one item


def steps(source: str, facts: Mapping[str, Any]) -> int:
    """Estimate the steps to evaluate ``source``, an expression with at most one loop."""
    everywhere = sum(_size(value) for value in _values_named(source, facts))
    loop = _COSTLY_LOOP.search(source)
    if loop is None:
        return everywhere
    body = _body(source, loop.end())
    rounds = len(source) + sum(_length(value) for value in _values_named(source, facts))
    each = 1 + sum(_size(value) for value in _values_named(body, facts))
    collected = rounds if loop["kind"] == "filter" else 0  # copied whenever one is added
    return everywhere + rounds * (each + collected)


def _body(source: str, start: int) -> str:
    """Return the text between the bracket before ``start`` and its closing bracket.

    If the notation of a text is unknown, all of the rest.
    """
    if _OTHER_STRING.search(source):
        return source[start:]
    plain = _STRING.sub(lambda text: '"' + "x" * (len(text[0]) - 2) + '"', source)
    depth = 1
    for at in range(start, len(source)):
        depth += {"(": 1, ")": -1}.get(plain[at], 0)
        if depth == 0:
            return source[start:at]
    return source[start:]


def _values_named(source: str, facts: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the value of each name or path of names in ``source``, as far as it resolves."""
    for path in _PATH.finditer(source):
        first = re.match(r"\w+", path[0])
        if first is None or first[0] not in facts:
            continue
        value = facts[first[0]]
        for step in _STEP.finditer(path[0], first.end()):
            name = step[1] or step[2]
            if not isinstance(value, Mapping) or name not in value:
                break
            value = value[name]
        yield value


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0


def _size(value: Any) -> int:
    """Return the number of items of ``value`` at any depth, with its text."""
    match value:
        case dict():
            return 1 + sum(1 + _size(part) for part in value.values())
        case list():
            return 1 + sum(map(_size, value))
        case str():
            return 1 + len(value) // _CHARS
    return 1


_T = QT_TRANSLATE_NOOP
MAX_CHARS = 500  # conditions are written by hand; with `steps` it bounds the time of one
MAX_LOOPS = 1  # all, exists and filter loop over a list; nesting multiplies them
_LOOP = late_pattern(r"\.\s*(?:all|exists|exists_one|map|filter)\s*\(")
_PIECE = late_pattern(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|“[^”]*”|‘[^’]*’)"""
    r"|(?P<names>[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*)(?P<call>\s*\()?",
    re.DOTALL,
)
_NAME = late_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_ASCII = str.maketrans("（）［］｛｝＞＜＝！＆｜＋－＊／％，。：？", "()[]{}><=!&|+-*/%,.:?")
_UNDEFINED = late_pattern(r"Undefined variable or function: '([^']+)'")
_TOO_LONG = _T("reports", "it is longer than {most} letters")
_TOO_MANY_LOOPS = _T("reports", "it goes through more than one list")
_COLLECTS = _T("reports", "“map” makes a list: use “all” or “exists”")
_TOO_DEAR = _T("reports", "it would take too long, since its lists are too long")
_NO_TRUTH = _T("reports", "it is neither true nor false but {value}")
_UNREADABLE = _T("reports", "it cannot be read")
_OTHER_KINDS = _T("reports", "values of different kinds cannot be compared")
_MISSING = _T("reports", "the state holds no {name}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a condition holds; with a ``fault`` it does not, since it cannot be evaluated."""

    holds: bool
    fault: str = ""


def facts_of(
    state: State,
    *,
    actor: str = "",
    owner: str | None = None,
    participants: Collection[str] = (),
    floor: int = 0,
) -> dict[str, Any]:
    """Return the values a condition may name: the state, its top-level names, asker and owner."""
    bare = _bare(state)
    names = {name: value for name, value in bare.items() if _NAME.fullmatch(name)}
    return names | {
        "state": bare,
        "actor": actor,
        "owner": owner or "",
        "participants": list(participants),
        "floor": floor,
    }


def evaluate(text: str, facts: Mapping[str, Any]) -> Verdict:
    """Return whether the condition ``text`` holds for ``facts`` (from `facts_of`)."""
    if len(text) > MAX_CHARS:
        return Verdict(holds=False, fault=Phrase(_TOO_LONG, most=MAX_CHARS))
    source = expression(text)
    if len(_LOOP.findall(source)) > MAX_LOOPS:
        return Verdict(holds=False, fault=Phrase(_TOO_MANY_LOOPS))
    if COLLECTS.search(source):
        return Verdict(holds=False, fault=Phrase(_COLLECTS))
    if steps(source, facts) > MAX_STEPS:
        return Verdict(holds=False, fault=Phrase(_TOO_DEAR))
    return _run(source, facts)


def _run(source: str, facts: Mapping[str, Any]) -> Verdict:
    import cel  # noqa: PLC0415 - takes half a second, and few chats have a condition

    try:
        value = cel.evaluate(source, dict(facts))
    except KeyError as e:
        fault = Phrase(_MISSING, name=str(e).strip("'"))
    except TypeError:
        fault = Phrase(_OTHER_KINDS)
    except (ValueError, RuntimeError, ArithmeticError) as e:
        undefined = _UNDEFINED.search(str(e))
        fault = Phrase(_MISSING, name=undefined[1]) if undefined else Phrase(_UNREADABLE)
    else:
        if isinstance(value, bool):
            return Verdict(value)
        fault = Phrase(_NO_TRUTH, value=repr(value)[:80])
    return Verdict(holds=False, fault=fault)


def names_asker(text: str) -> bool:
    """Return whether a condition depends on who asks."""
    return re.search(r"\bactor\b", _STRING.sub("", text)) is not None


def expression(text: str) -> str:
    """Convert a condition to CEL: ASCII signs, and names beyond ASCII looked up in ``state``."""
    pieces, at = [], 0
    for piece in _PIECE.finditer(text):
        pieces.append(text[at : piece.start()].translate(_ASCII))
        at = piece.end()
        literal, call = piece["text"], (piece["call"] or "").strip()
        if literal is not None:
            is_plain = literal[0] in "\"'"
            pieces.append(literal if is_plain else json.dumps(literal[1:-1], ensure_ascii=False))
            continue
        names = [name.strip() for name in piece["names"].split(".")]
        method = f".{names.pop()}" if call and len(names) > 1 else ""
        if all(_NAME.fullmatch(name) for name in names):
            pieces.append(".".join(names) + method + call)
        else:
            inside = names[1:] if names[0] == "state" else names
            pieces.append("state" + "".join(f'["{name}"]' for name in inside) + method + call)
    pieces.append(text[at:].translate(_ASCII))
    return "".join(pieces).strip()


def _bare(value: Any) -> Any:
    """Return values without meanings and without a tool's own names."""
    match value:
        case dict():
            return {name: _bare(v) for name, v in value.items() if not name.startswith("$")}
        case [inner, str()] if is_vwd(value):
            return _bare(inner)
        case list():
            return [_bare(part) for part in value]
    return value
