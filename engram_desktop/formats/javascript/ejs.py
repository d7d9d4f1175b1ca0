"""EJS templates: text with small programs between ``<%`` and ``%>``.

The text becomes one JavaScript function, run by V8 with limits. It sees the values it is given and
may change its own copy of the variables; there is no include, no file, no network, no host object.
Printed text is kept apart from the text around it, so that it is never read as a template again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from engram_desktop.domain.errors import ScriptFailed
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.engine import JavaScript, joined_halves
from engram_desktop.places import resource

_T = QT_TRANSLATE_NOOP
MAX_CHARS = 2_000_000  # in the result of a template
_TAG = re.compile(r"<%%|%%>|<%([_=\-#]?)(.*?)([_\-]?)%>([ \t]*\r?\n)?", re.DOTALL)
_LINE_END = re.compile(r"(?:[ \t]*\r?\n)?")
_ESCAPED = re.compile("<%%(?:()()()()){0}")  # with the groups of the above, all empty
_HALF = re.compile("[\ud800-\udfff]")  # half of a character: no program can hold it
_BREAK = re.compile("\r\n|[\r\u2028\u2029]")
# The words that read a part of the given values: the part is computed if one of them occurs.
PARTS = {
    "scopes": "setvar getvar incvar decvar delvar insvar patchVariables SillyTavern",
    "messages": "getChatMessage getChatMessages matchChatMessages SillyTavern",
    "books": "getwi getWorldInfo getWorldInfoData getWorldInfoActivatedData"
    " getEnabledWorldInfoEntries",
    "enabled": "getEnabledWorldInfoEntries",
    "cards": "getchr getChara getCharaData",
    "presets": "getprp getPresetPrompt",
    "replies": "getqr getQuickReply getQuickReplyData",
    "names": "userName charName chatId characterId groupId groups charAvatar userAvatar"
    " lastUserMessageId lastCharMessageId model charLoreBook charaLoreBook userLoreBook"
    " personaLoreBook chatLoreBook SillyTavern getwi getWorldInfo getWorldInfoData"
    " getWorldInfoActivatedData",
}
# These run code from elsewhere, which may name any of the above.
_NESTING = frozenset(
    "getwi getWorldInfo getchr getChara getprp getPresetPrompt getqr getQuickReply evalTemplate"
    " define".split()
)
_SCOPED = re.compile(r"\A(?:get|set|inc|dec|del|insert)(Local|Global|Message)Var\Z")
# `<%=` and `<%-` mean the same, as in SillyTavern, since a prompt is not a web page.
_BEFORE = """(given, variables, read) => {
  const engram = (FUNCTIONS)(given, variables, read, MOST);
  const engramPut = engram.put, engramTold = engram.told;
  with (engram.scope) return engram.ended((KIND () {
"""
_AFTER = "\n}).call(engram.scope));\n}"
_LODASH = """(given, variables, read) => {
  read.lodash = (function () {
    var exports = {}, module = { exports };
LODASH
    return module.exports;
  }).call(globalThis);
  return (BODY)(given, variables, read);
}"""
_REFUSED = "engram-refused:"
Parts = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class Printed:
    """Text printed by a program, which is never read as a template."""

    text: str


Piece = str | Printed


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result of a template, and the variables afterwards."""

    pieces: tuple[Piece, ...]
    variables: dict[str, Any]

    @property
    def text(self) -> str:
        return "".join(p if isinstance(p, str) else p.text for p in self.pieces)


@dataclass(slots=True)
class _Source:
    """A program under construction; ``lines`` holds the template's line of each of its lines."""

    parts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, text: str, line: int, *, moves: bool = False) -> None:
        """Add whole lines; with ``moves`` each belongs to the next line of the template."""
        self.parts.append(text)
        self.lines += [line + n * moves for n in range(text.count("\n"))]

    def program(self, *, with_lodash: bool) -> str:
        """Return the program; with Lodash before it, parsing takes three times as long."""
        body = "".join(self.parts)
        if not with_lodash:
            return body
        head = _LODASH.replace("LODASH", _shipped("lodash.min.js"))
        self.lines[:0] = [0] * head[: head.index("BODY")].count("\n")
        return head.replace("BODY", body)

    def literal(self, text: str, line: int) -> None:
        if text:
            self.add(f"engramPut({json.dumps(text)}, 0);\n", line)

    def place(self, numbers: tuple[int, ...]) -> int:
        """Return the template's line of the first known one of these lines of the program."""
        known = (self.lines[n - 1] for n in numbers if 0 < n <= len(self.lines))
        return next((line for line in known if line), max(self.lines))


def has_program(text: str) -> bool:
    """Return whether a text has anything to run or to refuse."""
    return "<%" in text


def without_programs(text: str) -> str:
    """Return the text between the programs."""
    parts, at = [], 0
    for tag in _tags(text):
        parts.append(text[at : tag.start()])
        at = tag.end()
    return "".join([*parts, text[at:]])


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Find programs and escapes. No program ends after the last %>, so none is looked for there."""
    closed = text.rfind("%>")
    line_end = _LINE_END.match(text, closed + 2) if closed >= 0 else None
    last = line_end.end() if line_end else 0
    yield from _TAG.finditer(text, 0, last)
    yield from _ESCAPED.finditer(text, last)


def names_in(text: str) -> frozenset[str]:
    """Return every word in the programs of a template: only values with these names are needed."""
    codes = " ".join(tag[2] for tag in _tags(text) if tag[2])
    return frozenset(re.findall(r"[^\W\d]\w*", codes))


def _compile(text: str) -> _Source:
    """Compile a template to the program that makes its text. Raises ScriptFailed."""
    opening = text.rfind("<%", text.rfind("%>") + 1)
    if opening >= 0 and text[opening : opening + 3] != "<%%":
        error = ScriptFailed(Phrase(_T("reports", "<% has no %>")))
        error.lines = (text.count("\n", 0, opening) + 1,)
        raise error
    program = _Source()
    before = _BEFORE.replace("MOST", str(MAX_CHARS)).replace("FUNCTIONS", _shipped("templates.js"))
    before = before.replace("KIND", "async function" if "await" in names_in(text) else "function")
    program.add(before, 0)
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
    parts: Parts | None = None,
) -> Rendered:
    """Run a template with ``variables`` it may change and values it is ``given``.

    ``parts`` computes what its functions read, by the names of `PARTS`; only parts that the
    programs of ``text`` may use are computed. Raises ScriptFailed, whose ``lines`` are then of the
    template, and ScriptStopped.
    """
    if not has_program(text):
        return Rendered((text,), dict(variables))
    source = _compile(text)
    read = {name: part() for name, part in (parts or {}).items() if _reads(name, text)}
    with_lodash = "_" in names_in(text) or "_." in json.dumps(read, ensure_ascii=False)
    program = source.program(with_lodash=with_lodash)
    try:
        answer = javascript.run(program, dict(given or {}), dict(variables), read)
    except ScriptFailed as error:
        error.lines = (source.place(error.lines),) if error.lines else ()
        raise _said(error) from None
    return _read_answer(answer)


def _reads(part: str, text: str) -> bool:
    """Return whether a program of ``text`` may use a part of the values."""
    names = names_in(text)
    if names & _NESTING or names & frozenset(PARTS[part].split()):
        return True
    return part == "scopes" and any(_SCOPED.match(name) for name in names)


def _said(error: ScriptFailed) -> ScriptFailed:
    """Return a clearer error if a program used a function that only SillyTavern has."""
    name = str(error.params["detail"]).partition(_REFUSED)[2]
    if not name:
        return error
    said = ScriptFailed(Phrase(_T("reports", "{name} is for SillyTavern itself"), name=name))
    said.lines = error.lines
    return said


@lru_cache(maxsize=4)
def _shipped(name: str) -> str:
    return resource(f"javascript/{name}").read_text("utf-8").strip()


def _read_answer(answer: Any) -> Rendered:
    """Read the result. Raises ScriptFailed if a program changed how values are serialised."""
    match answer:
        case [list(rows), dict(left)] if all(_is_piece(piece) for piece in rows):
            pieces = tuple(
                Printed(joined_halves(t)) if printed else joined_halves(t) for t, printed in rows
            )
            return Rendered(pieces, left)
    raise ScriptFailed(Phrase(_T("reports", "it changes how JavaScript writes values")))


def _is_piece(piece: Any) -> bool:
    return isinstance(piece, list) and len(piece) == 2 and isinstance(piece[0], str)
