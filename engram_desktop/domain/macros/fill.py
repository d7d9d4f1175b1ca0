"""Fill the macros of a text: SillyTavern's, and the variables of our own prompts.

Values are inserted and never parsed again, so braces in a story have no effect. Macros without a
meaning are kept and reported. The result equals that of SillyTavern 1.19 for the same text
(`tests/oracle/macros.py` compares them).

Some macros enclose a text between an opening and a closing one: ``{{if x}} … {{/if}}``. Only the
outermost pairs are found, since the text between is parsed when it is filled.

Before filling, older spellings become macros. Afterwards backslashes before braces are removed, and
``{{trim}}`` removes the line breaks around it. Values from a story are shielded from this until the
end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random

from engram_desktop.domain.macros.blocks import (
    MAX_DEPTH,
    MacroCall,
    TokenSpan,
    document,
    parse,
    whole,
)
from engram_desktop.domain.macros.known import ELSE, FUNCTIONS, RUNNING, changed
from engram_desktop.domain.macros.scope import (
    BLANKS,
    EmptyNameError,
    FilledCall,
    Macro,
    MacroFailedError,
    MacroScope,
    folded,
    trimmed,
)
from engram_desktop.domain.values import dataclass

_UTC = re.compile(r"\{\{time_(UTC[+-]\d+)\}\}", re.IGNORECASE | re.ASCII)
_MARKS = re.compile(r"<(USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE | re.ASCII)
_MEANT = {"bot": "char", "charifnotgroup": "charIfNotGroup"}
_ESCAPED = re.compile(r"\\([{}])")
_TRIM = re.compile(r"\{\{trim\}\}", re.IGNORECASE | re.ASCII)
_BREAKS = re.compile(r"(?:\r?\n)*")
_NEEDS_SHIELD = re.compile(r"\\[{}]|\{\{trim\}\}", re.IGNORECASE | re.ASCII)
# Two code points that are not characters and may be used within a program.
_SHIELD = str.maketrans("{}", "\ufdd0\ufdd1")
_RELEASE = str.maketrans("\ufdd0\ufdd1", "{}")


def before(text: str) -> str:
    """Return ``text`` with ``<USER>``, ``{{time_UTC+8}}`` and the like as current macros."""
    if "_" in text:
        text = _UTC.sub(r"{{time::\1}}", text)
    return _MARKS.sub(_mark, text) if "<" in text else text


def _mark(match: re.Match[str]) -> str:
    name = match[1].lower()
    return f"{{{{{_MEANT.get(name, name)}}}}}"


def after(text: str) -> str:
    """Return ``text`` without backslashes before braces, and with ``{{trim}}`` applied."""
    return _without_trims(unescaped(text)).replace(ELSE, "")


def unescaped(text: str) -> str:
    """Return ``text`` without backslashes before braces."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _without_trims(text: str) -> str:
    pieces = []
    at = 0
    for match in _TRIM.finditer(text):
        start = max(match.start(), at)
        while start > at and text[start - 1] == "\n":
            start -= 2 if start - 2 >= at and text[start - 2] == "\r" else 1
        pieces.append(text[at:start])
        breaks = _BREAKS.match(text, match.end())
        at = breaks.end() if breaks else match.end()
    return "".join([*pieces, text[at:]])


def shielded(value: str) -> str:
    """Protect a value from `after`."""
    return value.translate(_SHIELD) if _NEEDS_SHIELD.search(value) else value


def released(text: str) -> str:
    return text.translate(_RELEASE) if "\ufdd0" in text or "\ufdd1" in text else text


Takes = Callable[[MacroCall], bool]  # whether a macro may enclose a text
# How often names may be compared per macro of a text: hostile ones nest a name often.
_LOOKS = 200


@dataclass(slots=True)
class Item:
    """A macro to fill: with the text up to ``closing``, or kept as it is."""

    call: MacroCall
    closing: MacroCall | None = None
    is_left: bool = False

    @property
    def end(self) -> int:
        return self.closing.end if self.closing else self.call.end


def paired(calls: Sequence[MacroCall], takes: Takes) -> list[Item]:
    """Return the macros of a text, without those inside a pair."""
    pairs, left = _Pairs(calls, takes).pairs()
    items: list[Item] = []
    behind = 0
    for n, call in enumerate(calls):
        if n < behind:
            continue
        closing = pairs.get(n)
        if closing is not None:
            behind = closing + 1
        items.append(Item(call, None if closing is None else calls[closing], n in left))
    return items


class _Pairs:
    def __init__(self, calls: Sequence[MacroCall], takes: Takes) -> None:
        self._calls = calls
        self._takes = takes
        self._of_name: dict[str, list[int]] = defaultdict(list)
        self._closings: dict[str, int] = {}  # the position of the last closing of each name
        for n, call in enumerate(calls):
            if call.name:
                name = call.name.lower()
                self._of_name[name].append(n)
                if call.is_closing:
                    self._closings[name] = n
        self._place = {n: at for rows in self._of_name.values() for at, n in enumerate(rows)}
        self._looks = _LOOKS * len(calls)

    def pairs(self) -> tuple[dict[int, int], set[int]]:
        """Return closing by opening positions, and the positions of macros that are kept."""
        pairs: dict[int, int] = {}
        left: set[int] = set()
        if not self._closings:
            return pairs, left
        used: set[int] = set()
        behind = 0
        for n, call in enumerate(self._calls):
            if n < behind or not call.name or call.is_closing or n in used:
                continue
            closing = self._closing(n, used)
            if closing is None:
                continue
            used |= {n, closing}
            if self._takes(call):
                pairs[n] = closing
                behind = closing + 1
            else:
                left |= {n, closing}
        left |= {n for n, call in enumerate(self._calls) if call.is_closing and n not in used}
        return pairs, left

    def _closing(self, opening: int, used: set[int]) -> int | None:
        """Return the position where the macro at ``opening`` is closed."""
        name = self._calls[opening].name.lower()
        if self._closings.get(name, -1) < opening:
            return None
        depth = 1
        rows = self._of_name[name]
        for at in range(self._place[opening] + 1, len(rows)):
            self._looks -= 1
            if self._looks < 0:
                return None
            n = rows[at]
            if n in used:
                continue
            call = self._calls[n]
            if call.is_closing:
                depth -= 1
                if depth == 0:
                    return n
            elif self._takes(call):
                depth += 1
        return None


def dedented(text: str) -> str:
    """Strip the text, and remove the indentation of its first line from every line."""
    lines = text.split("\n")
    depth = next((_indent(line) for line in lines if trimmed(line)), 0)
    if depth:
        lines = [line[depth:] if _indent(line) >= depth else line.lstrip(BLANKS) for line in lines]
    return trimmed("\n".join(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


MAX_CHARS = 2_000_000  # in the results of macros
# Nested texts are read once for each level; beyond this limit they are kept as they are.
_MAX_READ_AGAIN = 1_000_000
_KEPT = 8  # texts with cached macros during one filling: a condition parses its text twice
_IF = Macro(lambda _asked: "", 2, 2)
_FALSE = frozenset({"off", "false", "0"})
_NOT = re.compile(r"\s*!\s*")
_VARIABLE = re.compile(r"([.$])([A-Za-z](?:[A-Za-z0-9_\-]*[A-Za-z0-9_])?)")
Fill = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Expanded:
    """``text`` with its macros filled; ``unknown`` are the unknown names, once each."""

    text: str
    unknown: tuple[str, ...] = ()


def is_plain(text: str) -> bool:
    """Return whether nothing in ``text`` can be filled."""
    return not any(mark in text for mark in ("{{", "<", "\\"))


def fill(text: str, scope: MacroScope, literal: Fill | None = None) -> Expanded:
    """Fill ``text``. ``literal`` may change what is not a macro, including in arguments."""
    if literal is None and is_plain(text):
        return Expanded(text)
    run = _Run(scope, literal, text)
    output = released(run.whole(text, 0))
    return Expanded(output, tuple(run.unknown))


def expand_lines(template: str, values: Mapping[str, str]) -> str:
    """Fill ``template`` with plain values; drop lines whose macros are all known and all empty."""
    scope = MacroScope(values)
    lines = []
    for line in template.splitlines():
        calls = parse(line)
        if calls and all(scope.lookup.get(folded(call.name)) == "" for call in calls):
            continue
        lines.append(fill(line, scope).text)
    return "\n".join(lines).strip()


def names_in(template: str) -> tuple[str, ...]:
    """Return the macro names in ``template``, in order, once each, as written."""
    names: dict[str, None] = {}
    waiting = list(reversed(parse(before(template))))
    while waiting:
        call = waiting.pop()
        if call.name:
            names.setdefault(call.name, None)
        waiting += reversed(list(call.inner()))
    return tuple(names)


def unknown_macros(template: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names in ``template`` that are neither in ``known`` nor functions."""
    values = {folded(name) for name in known}
    return tuple(n for n in names_in(template) if not is_known(folded(n), values))


def is_known(name: str, values: frozenset[str] | set[str]) -> bool:
    """Return whether a folded name is in ``values``, or is a macro function."""
    return name in values or name in FUNCTIONS or name == "if"


class _Run:
    """The filling of one text."""

    def __init__(self, scope: MacroScope, literal: Fill | None, text: str) -> None:
        self._scope = scope
        self._literal = literal
        self._chance = Random(scope.seed)  # noqa: S311 - chance of a story, not of a secret
        self._left = MAX_CHARS
        self._all = text
        self._unread = len(text) + _MAX_READ_AGAIN
        self._documents: dict[str, tuple[MacroCall, ...]] = {}
        self._depth = 0
        self._lookups = 0  # values of the chat that were inserted
        self.unknown: dict[str, None] = {}

    def whole(self, text: str, place: int) -> str:
        """Fill a text by itself, including the steps before and after."""
        try:
            return after(self._text(before(text), place))
        except EmptyNameError:
            return text

    def _text(self, text: str, place: int) -> str:
        """Fill the macros of a text that is at ``place`` of the whole one."""
        if "{{" not in text:
            return self._plain(text)
        if self._depth >= MAX_DEPTH:
            return self._plain(text)
        calls = self._document(text)
        self._depth += 1
        pieces = []
        at = 0
        for item in paired(whole(calls), self._takes_text):
            pieces.append(self._plain(text[at : item.call.start]))
            if item.is_left:
                pieces.append(text[item.call.start : item.end])
            else:
                pieces.append(self._value(item, text, place))
            at = item.end
        self._depth -= 1
        pieces.append(self._plain(text[at:]))
        return "".join(pieces)

    def _document(self, text: str) -> tuple[MacroCall, ...]:
        """Return the macros of the text; none if too much has been parsed."""
        if text not in self._documents:
            self._unread -= len(text)
            if self._unread < 0:
                return ()
            if len(self._documents) >= _KEPT:
                self._documents.clear()
            self._documents[text] = document(text)
        return self._documents[text]

    def _plain(self, text: str) -> str:
        return self._literal(text) if self._literal and text else text

    def _takes_text(self, call: MacroCall) -> bool:
        macro = self._macro(call.name)
        return macro is None or (macro.takes_text and macro.takes(len(call.arguments) + 1))

    def _macro(self, name: str) -> Macro | None:
        """Return the macro with a name; None if SillyTavern does not have it."""
        key = folded(name)
        if key == "if":
            return _IF
        return FUNCTIONS.get(key) or self._as_value(key) or RUNNING.get(key)

    def _as_value(self, key: str) -> Macro | None:
        return Macro(lambda _asked: self._tell(key)) if key in self._scope.lookup else None

    def _tell(self, key: str) -> str:
        self._lookups += 1
        return shielded(self._scope.lookup[key])

    def _value(self, item: Item, text: str, place: int) -> str:
        """Return the value of a macro, or the macro itself if it has none."""
        call = item.call
        if call.variable is not None:
            return self._spent(self._shorthand(call, text, place), 0)
        is_late = folded(call.name) == "if"
        arguments = [
            self._argument(piece, text, place, is_late=is_late) for piece in call.arguments
        ]
        between = self._between(item, text, place, is_late=is_late)
        try:
            return self._given(item, [*arguments, *between], place)
        except MacroFailedError:
            if call.name:
                self.unknown.setdefault(call.name, None)
            return "{{" + self._as_it_stands(item, text, arguments, between) + "}}"

    def _given(self, item: Item, given: list[str], place: int) -> str:
        """Return the result of a macro for its arguments. Raises MacroFailedError."""
        macro = self._macro(item.call.name)
        if macro is None or not macro.takes(len(given)):
            raise MacroFailedError
        if macro is _IF:
            return self._chosen(item, given, place)
        if macro.is_counted and given and not _is_whole_number(given[0]):
            raise MacroFailedError
        start = place + item.call.start
        is_scoped = item.closing is not None
        asked = FilledCall(self._scope, given, is_scoped, start, self._chance, self._all)
        return self._spent(macro.run(asked), sum(map(len, given)))

    def _spent(self, value: str, given: int) -> str:
        """Cut a value to the room that is left, since doubling macros could fill any memory.

        The length of its arguments (``given``) was counted before.
        """
        value = value[: self._left + given]
        self._left -= max(0, len(value) - given)
        return value

    def _argument(self, piece: TokenSpan, text: str, place: int, *, is_late: bool) -> str:
        if piece.start < 0:
            return ""
        raw = text[piece.start : piece.end]
        return raw if is_late else self._text(raw, place + piece.start)

    def _between(self, item: Item, text: str, place: int, *, is_late: bool) -> list[str]:
        """Return the text up to the closing macro as a further argument; nothing without one."""
        if item.closing is None:
            return []
        start = item.call.end
        raw = text[start : item.closing.start]
        if is_late or not raw:
            return [raw]
        value = self._text(raw, place + start)
        return [value if "#" in item.call.flags else dedented(value)]

    def _as_it_stands(self, item: Item, text: str, arguments: list[str], between: list[str]) -> str:
        """Return the text within the braces, with its macros filled."""
        call = item.call
        if call.is_ended:
            return ""
        at, end = call.start + 2, call.closed_at if call.is_whole else call.end
        pieces: list[str] = []
        values = [
            (piece.start, piece.end, value)
            for piece, value in zip(call.arguments, arguments, strict=True)
            if piece.start >= 0
        ]
        if item.closing is not None and between[0:1] and item.closing.start > call.end:
            values.append((call.end, item.closing.start, between[0]))
        for start, behind, value in values:
            pieces += (self._plain(text[at:start]), value)
            at = behind
        pieces.append(self._plain(text[at:end]))
        return "".join(pieces)

    def _chosen(self, item: Item, given: list[str], place: int) -> str:
        """Fill the branch that a condition chooses; the other is not evaluated."""
        condition, content = given
        start = place + item.call.start
        negated = _NOT.match(condition)
        if negated:
            condition = condition[negated.end() :]
        count = self._lookups
        condition = self.whole(condition, start) if condition else ""
        if self._lookups == count:  # a value from a story or a program is not a name
            condition = self._condition(condition, start)
        is_true = condition != "" and trimmed(condition).lower() not in _FALSE
        then, otherwise = _branches(content, self._document(content))
        branch = then if is_true != bool(negated) else otherwise
        if branch is None:
            return ""
        value = self.whole(branch, start) if branch else ""
        return value if "#" in item.call.flags else dedented(value)

    def _condition(self, condition: str, start: int) -> str:
        """Fill a condition that is the name of a macro or of a variable."""
        if variable := _VARIABLE.fullmatch(condition):
            table = "getvar" if variable[1] == "." else "getglobalvar"
            return self.whole(f"{{{{{table}::{variable[2]}}}}}", start)
        name = trimmed(condition)
        macro = self._macro(name) if name else None
        if macro is not None and (macro.is_list or macro.least == 0):
            return self.whole(f"{{{{{condition}}}}}", start)
        return condition

    def _shorthand(self, call: MacroCall, text: str, place: int) -> str:
        variable = call.variable
        assert variable is not None  # noqa: S101 - the caller has looked
        table = self._scope.shared if variable.is_shared else self._scope.variables
        value = variable.value

        def given() -> str:
            if value is None or value.start < 0:
                return ""
            pieces, at = [], value.start
            is_cut = False
            for inner in value.macros:
                if not is_cut:
                    pieces.append(self._plain(text[at : inner.start]))
                pieces.append(self._value(Item(inner), text, place))
                at, is_cut = inner.end, inner.is_ended
            # After a macro that is ended by what follows, the next macro is lost, or the last of
            # all.
            if not any(inner.is_ended for inner in value.macros):
                pieces.append(self._plain(text[at : value.end]))
            return trimmed("".join(pieces))

        return changed(table, variable.name, variable.operator, given)


def _is_whole_number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,15}", trimmed(text), re.ASCII) is not None


def _branches(content: str, calls: tuple[MacroCall, ...]) -> tuple[str, str | None]:
    """Split at the first ``{{else}}`` outside of nested conditions."""
    depth = 0
    for call in calls:
        if not call.is_whole:
            continue
        if call.name == "if" and not call.is_closing and len(call.arguments) == 1:
            depth += 1
        elif call.name == "if" and call.is_closing:
            depth -= 1
        elif call.name == "else" and depth == 0:
            return content[: call.start], content[call.end :]
    return content, None
