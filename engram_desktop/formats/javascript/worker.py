"""The child process that runs JavaScript: the only file that imports V8.

It is separate because V8 ends its whole process when memory runs out in certain places, which none
of its limits prevents. Scripts get no host object: they see only the values passed to them. The
process answers one request at a time over a pipe, and ends when the pipe does.
"""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any

MEMORY = 256_000_000  # bytes: bounds what one program may use; not measured
_PLACE = re.compile(r"<anonymous>:(\d+)")
# JavaScript's matches in each text: the text before each match, its groups, its named groups, its
# offset; then the rest. null if there is no match.
_PRELUDE = """
"use strict";
function engramScan(source, flags, texts) {
  const pattern = new RegExp(source, flags);
  return texts.map((text) => {
    const found = [];
    let at = 0;
    pattern.lastIndex = 0;
    text.replace(pattern, (...given) => {
      const named = typeof given.at(-1) === "string" ? null : given.pop();
      given.pop();
      const offset = given.pop();
      found.push([text.slice(at, offset), given.map((g) => g ?? null), named, offset]);
      at = offset + given[0].length;
      return "";
    });
    return found.length ? [found, text.slice(at)] : null;
  });
}
// What makes one text another. A part of `parts` is a text or a group.
function engramReplacer([source, flags, parts, trims]) {
  const pattern = new RegExp(source, flags);
  const value = (part, given, named) => {
    if (typeof part === "string") return part;
    let found = typeof part[0] === "number" ? given[part[0]] : named?.[part[0]];
    // Behind the groups stand where it is, the text, the named groups: SillyTavern puts them too,
    // or fails where they are no text.
    if (typeof found === "number") return found && !trims.length ? String(found) : "";
    if (typeof found === "object") return "";
    for (const trim of trims) if (found && trim) found = found.split(trim).join("");
    return found || "";
  };
  const put = (...given) => {
    const named = typeof given.at(-1) === "string" ? null : given.at(-1);
    return parts.map((part) => value(part, given, named)).join("");
  };
  return (text) => { pattern.lastIndex = 0; return text.replace(pattern, put); };
}
// The texts after several replacements, one after another; null where nothing changed. Bit k of a
// number of `wanted` says whether the replacement k is for this text. Nothing is left as it is.
function engramChain(steps, wanted, texts) {
  const made = steps.map((step) => step && engramReplacer(step));
  return texts.map((text, n) => {
    let now = text;
    made.forEach((replaced, k) => {
      if (now && replaced && wanted[n] & (1 << k)) now = replaced(now);
    });
    return now === text ? null : now;
  });
}
function engramTest(source, flags, texts) {
  const pattern = new RegExp(source, flags);
  return texts.map((text) => { pattern.lastIndex = 0; return pattern.test(text); });
}
// Texts that many patterns are held against, by number; sent in pieces, since each call is timed.
const engramHeld = new Map();
function engramHold(number, piece, drops) {
  for (const old of drops) engramHeld.delete(old);
  const text = (engramHeld.get(number) ?? "") + piece;
  engramHeld.set(number, text);
  return text.length;
}
// null where the text is not held any more.
function engramTestHeld(number, source, flags) {
  const pattern = new RegExp(source, flags);
  const text = engramHeld.get(number);
  return text === undefined ? null : pattern.test(text);
}
function engramCheck(source, flags) { new RegExp(source, flags); return true; }
function engramCall(name, told) { return JSON.stringify(globalThis[name](...JSON.parse(told))); }
engramCall
"""


# A program may return a promise. Its steps run when the call has ended: by then it is fulfilled,
# rejected, or waits forever.
_CALL = """globalThis.engramCall = (...all) => {
  const made = engramMain(...all);
  if (!(made instanceof Promise)) return made;
  made.then(
    (value) => { globalThis.engramAnswer = { value }; },
    (error) => { globalThis.engramAnswer = { error: String(error?.stack ?? error) }; });
  return null;
}"""
_ANSWER = "JSON.stringify(globalThis.engramAnswer ?? { waits: true })"


class _ProgramFailed(Exception):
    """A promise was rejected; holds JavaScript's message."""


def _later(text: str) -> Any:
    """Return the value of a promise. Raises _ProgramFailed."""
    answer = json.loads(text)
    if "value" in answer:
        return answer["value"]
    raise _ProgramFailed(answer.get("error", "Error: it waits for something that never comes"))


class _Engine:
    """A context for patterns, kept until an error, and a new one for each program."""

    def __init__(self) -> None:
        self._context: Any = None
        self._fresh: Any = None  # for one program
        self._door: Any = None  # the function that calls the others

    def prepare(self, kind: str) -> bool:
        """Make the context for a request of this kind; returns False if it exists already."""
        if kind == "program":
            self._fresh = _new()
        elif self._context is None:
            self._context = _new()
            self._context.set_hard_memory_limit(MEMORY)
            self._door = self._context.eval(_PRELUDE)
        else:
            return False
        return True

    def call(self, name: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Call a function of the prelude."""
        # A JSON text is passed three times as fast as values.
        request = json.dumps(arguments, ensure_ascii=not _is_plain(arguments))
        return json.loads(self._door(name, request, timeout_sec=seconds))

    def program(self, source: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Run a program that defines a function, and call that, in a context of its own."""
        context = self._fresh
        try:
            context.eval(
                f"globalThis.engramMain = {source}", timeout_sec=seconds, max_memory=MEMORY
            )
            limits = {"timeout_sec": seconds, "max_memory": MEMORY}
            context.eval(_CALL, **limits)
            value = context.call("engramCall", *arguments, **limits)
            return value if value is not None else _later(context.eval(_ANSWER, **limits))
        finally:
            context.close()

    def drop(self) -> None:
        if self._context is not None:
            self._context.close()
            self._context = self._door = None


def _is_plain(arguments: Sequence[Any]) -> bool:
    """Return whether the texts can be sent as UTF-8: none has half a character."""
    texts = [a for a in arguments if isinstance(a, str)]
    if arguments and isinstance(arguments[-1], list):
        texts += [text for text in arguments[-1] if isinstance(text, str)]
    try:
        "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _new() -> Any:
    from py_mini_racer import MiniRacer  # noqa: PLC0415 - loads V8: only in the child

    return MiniRacer()


def serve(pipe: Connection) -> None:
    """Answer ``(kind, name or source, arguments, seconds)`` with ``(outcome, value or message)``.

    The outcome is ok, error, time or memory. If a context had to be made first, ``begun`` is sent
    before: on a busy computer V8 can take seconds to start, which must not count as the program's
    time.
    """
    from py_mini_racer import JSEvalException, JSOOMException, JSTimeoutException  # noqa: PLC0415 - as above
    from py_mini_racer._exc import MiniRacerBaseException  # noqa: PLC0415 - what they all are; it has no other name

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the caller; ends with the pipe
    # A stopped context may answer once more; that answer is dropped.
    sys.unraisablehook = lambda _late: None
    engine = _Engine()
    pipe.send(("ok", None))
    while True:
        try:
            kind, what, arguments, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        if engine.prepare(kind):
            pipe.send(("begun", None))
        try:
            run = engine.call if kind == "call" else engine.program
            answer = ("ok", run(what, arguments, seconds))
        except JSTimeoutException:
            engine.drop()
            answer = ("time", "")
        except JSOOMException:
            engine.drop()
            answer = ("memory", "")
        except (JSEvalException, _ProgramFailed) as e:
            words = str(e)
            answer = ("error", (_first_line(words), [int(n) for n in _PLACE.findall(words)[:20]]))
        except (MiniRacerBaseException, ValueError, RecursionError):
            answer = ("error", ("it gives nothing that can be read", []))
        pipe.send(answer)


def _first_line(message: str) -> str:
    """Return the line with the error, without the place and the stack that V8 adds."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    error_lines = [line for line in lines if "Error" in line]
    line = error_lines[0] if error_lines else (lines[0] if lines else "")
    return line.partition(": ")[2] if line.startswith("<anonymous>") else line
