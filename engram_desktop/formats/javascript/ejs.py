"""EJS templates: text with small programs between ``<%`` and ``%>``.

The text becomes one JavaScript function, run by V8 with limits. It sees what it is given and may
change its own copy of it; there is no include, no file, no network, no host object. What a program
prints is told apart from the text around it, so that it is never read as a template again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from engram_desktop.domain.errors import ScriptFailed
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.engine import JavaScript, mended

_T = QT_TRANSLATE_NOOP
MAX_CHARS = 2_000_000  # of what a template makes
_TAG = re.compile(r"<%%|%%>|<%([_=\-#]?)(.*?)([_\-]?)%>([ \t]*\r?\n)?", re.DOTALL)
_LINE_END = re.compile(r"(?:[ \t]*\r?\n)?")
_ESCAPED = re.compile("<%%(?:()()()()){0}")  # with the groups of the above, and nothing in them
_HALF = re.compile("[\ud800-\udfff]")  # of a character: no program can hold that
_BREAK = re.compile("\r\n|[\r\u2028\u2029]")
# Names of the program stand between what is given and what the template declares: neither hides
# the other. `<%=` and `<%-` mean the same, as in SillyTavern: a prompt is no web page.
_BEFORE = f"""(given, variables) => {{
  const engramMade = [];
  let engramSize = 0;
  const engramPut = (text, printed) => {{
    engramSize += text.length;
    if (engramSize > {MAX_CHARS}) throw new RangeError("it makes too much text");
    engramMade.push([text, printed]);
  }};
  const engramTold = (value) =>
    value === null || value === undefined ? ""
    : typeof value === "object" ? JSON.stringify(value) : String(value);
  const engramOpen = (all) => new Proxy(all, {{
    has: (held, name) => Object.hasOwn(held, name) && !String(name).startsWith("engram"),
  }});
  with (engramOpen(variables)) with (engramOpen(given)) {{
    const print = (...all) => engramPut(all.map(engramTold).join(""), 1);
    const getvar = (name, other) => {{
      const found = String(name).split(".").reduce((at, key) => at?.[key], variables);
      return found === undefined ? other?.defaults ?? "" : found;
    }};
    const setvar = (name, value) => {{
      const keys = String(name).split("."), last = keys.pop();
      let at = variables;
      for (const key of keys) at = Object.hasOwn(at, key) ? at[key] : (at[key] = {{}});
      at[last] = value;
      return "";
    }};
    (() => {{
"""
_AFTER = "\n})(); }\n  return [engramMade, variables];\n}"


@dataclass(frozen=True, slots=True)
class Printed:
    """What a program printed: never a template."""

    text: str


Piece = str | Printed


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a template made, and the variables as it left them."""

    pieces: tuple[Piece, ...]
    variables: dict[str, Any]

    @property
    def text(self) -> str:
        return "".join(p if isinstance(p, str) else p.text for p in self.pieces)


@dataclass(slots=True)
class _Source:
    """A program as it grows; ``lines`` says which line of the template each of its lines is."""

    parts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, text: str, line: int, *, moves: bool = False) -> None:
        """Add whole lines; with ``moves`` each is another line of the template."""
        self.parts.append(text)
        self.lines += [line + n * moves for n in range(text.count("\n"))]

    def literal(self, text: str, line: int) -> None:
        if text:
            self.add(f"engramPut({json.dumps(text)}, 0);\n", line)

    def place(self, numbers: tuple[int, ...]) -> int:
        """Return the template's line for the first of these lines of the program that has one."""
        known = (self.lines[n - 1] for n in numbers if 0 < n <= len(self.lines))
        return next((line for line in known if line), max(self.lines))


def has_program(text: str) -> bool:
    """Whether there is anything to run, or to refuse, in a text."""
    return "<%" in text


def without_programs(text: str) -> str:
    """Return the text around the programs."""
    parts, at = [], 0
    for tag in _tags(text):
        parts.append(text[at : tag.start()])
        at = tag.end()
    return "".join([*parts, text[at:]])


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Find programs and escapes. Behind the last %> no program ends: none is looked for there."""
    closed = text.rfind("%>")
    line_end = _LINE_END.match(text, closed + 2) if closed >= 0 else None
    last = line_end.end() if line_end else 0
    yield from _TAG.finditer(text, 0, last)
    yield from _ESCAPED.finditer(text, last)


def names_in(text: str) -> frozenset[str]:
    """Return every word in the programs of a template: only values so named need be worked out."""
    codes = " ".join(tag[2] for tag in _tags(text) if tag[2])
    return frozenset(re.findall(r"[^\W\d]\w*", codes))


def _compile(text: str) -> _Source:
    """Return the program that makes the text of a template. Raises ScriptFailed."""
    opening = text.rfind("<%", text.rfind("%>") + 1)
    if opening >= 0 and text[opening : opening + 3] != "<%%":
        error = ScriptFailed(Phrase(_T("reports", "<% has no %>")))
        error.lines = (text.count("\n", 0, opening) + 1,)
        raise error
    program = _Source()
    program.add(_BEFORE, 0)
    at, line = 0, 1
    for tag in _tags(text):
        before = text[at : tag.start()]
        at = tag.end()
        kind, code, closing, newline = tag[1], tag[2], tag[3], tag[4] or ""
        program.literal(before.rstrip(" \t") if kind == "_" else before, line)
        line += before.count("\n")
        if code is None:
            program.literal(tag[0].replace("%%", "%"), line)
            continue
        code = _HALF.sub("\ufffd", _BREAK.sub("\n", code))
        if kind in {"=", "-"}:
            program.add(f"engramPut(engramTold({code}\n), 1);\n", line, moves=True)
        elif kind != "#":
            program.add(f"{code}\n", line, moves=True)
        line += code.count("\n")
        if not closing:
            program.literal(newline, line)
        line += newline.count("\n")
    program.literal(text[at:], line)
    program.add(_AFTER + "\n", line + text[at:].count("\n"))
    return program


def render(
    text: str,
    javascript: JavaScript,
    variables: Mapping[str, Any],
    given: Mapping[str, Any] | None = None,
) -> Rendered:
    """Return what a template makes of the ``variables`` it may change and of what it is ``given``.

    Raises ScriptFailed, whose ``lines`` are then of the template, and ScriptStopped.
    """
    if not has_program(text):
        return Rendered((text,), dict(variables))
    source = _compile(text)
    try:
        answer = javascript.run("".join(source.parts), dict(given or {}), dict(variables))
    except ScriptFailed as error:
        error.lines = (source.place(error.lines),) if error.lines else ()
        raise
    return _read_answer(answer)


def _read_answer(answer: Any) -> Rendered:
    """Read what came back. Raises ScriptFailed where a program changed how values are written."""
    match answer:
        case [list(rows), dict(left)] if all(_is_piece(piece) for piece in rows):
            pieces = tuple(Printed(mended(t)) if printed else mended(t) for t, printed in rows)
            return Rendered(pieces, left)
    raise ScriptFailed(Phrase(_T("reports", "it changes how JavaScript writes values")))


def _is_piece(piece: Any) -> bool:
    return isinstance(piece, list) and len(piece) == 2 and isinstance(piece[0], str)
