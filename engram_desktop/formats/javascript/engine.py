"""JavaScript with limits: the user's patterns and small programs, run in a separate process.

SillyTavern's regex scripts use the exact regular expressions of JavaScript; so V8 runs them. A
pattern that does not end is stopped in time; no script can reach a file, the network or this
process. The process is started on first use.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript import worker as javascript_worker
from engram_desktop.late import late_pattern

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LIMIT_S = 0.4  # seconds for one call: a normal script takes milliseconds; not measured
GRACE_S = 2.0  # after which a worker that does not stop is killed
START_S = 60.0  # seconds for the process to start under load; not measured
PIECE = 1_000_000  # characters of a held text that are sent at once
MAX_HELD = 4  # texts held in the process: bounds its memory
MAX_STEPS = 30  # bits of a number in JavaScript's bit operations
_HALF = late_pattern("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a match, by number or name, in a replacement."""

    name: int | str


Part = str | Group


@dataclass(frozen=True, slots=True)
class Replacement:
    """``parts`` replace every match of a pattern; ``trims`` are removed from its groups."""

    source: str
    flags: str
    parts: tuple[Part, ...]
    trims: tuple[str, ...] = ()

    @property
    def as_json(self) -> list[Any]:
        parts = [p if isinstance(p, str) else [p.name] for p in self.parts]
        return [self.source, self.flags, parts, list(self.trims)]


@dataclass(frozen=True, slots=True)
class RegexMatch:
    """One match: the text since the previous one, and its groups; the first is the whole match.

    ``offset`` counts UTF-16 units, as JavaScript does.
    """

    before: str
    groups: tuple[str | None, ...]
    named: dict[str, str | None]
    offset: int = 0

    def given(self, text: str, *, is_trimmed: bool) -> tuple[str | None, ...]:
        """Return the values of $0, $1 and so on in SillyTavern, which ignores the group count.

        After the groups come the offset of the match and the whole text. SillyTavern fails when it
        trims a value that is not a text; here that value is empty.
        """
        offset = str(self.offset) if self.offset and not is_trimmed else None
        return *self.groups, offset, text


@dataclass(frozen=True, slots=True)
class Scan:
    """All matches of a pattern in one text, and the text after the last one."""

    matches: tuple[RegexMatch, ...]
    rest: str


class JavaScript:
    """Runs patterns and programs, one at a time. Safe to call from several threads."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._is_warm = False  # whether the worker has a context for patterns
        self._process: Any = None
        self._pipe: Connection | None = None
        self._holding = threading.Lock()
        self._numbers_of: dict[str, int] = {}  # of texts the worker holds, oldest first
        self._numbers = 0

    @property
    def is_running(self) -> bool:
        return self._pipe is not None

    def scan(self, source: str, flags: str, texts: Sequence[str]) -> list[Scan | None]:
        """Return what ``String.replace`` would find in each text; None for no match.

        Raises ScriptFailed for an invalid pattern, ScriptStopped at a limit.
        """
        rows = self._ask("call", "engramScan", (source, flags, list(texts)))
        return [None if row is None else _scan(row) for row in rows]

    def replace(
        self, steps: Sequence[Replacement | None], step_masks: Sequence[int], texts: Sequence[str]
    ) -> list[str]:
        """Return the texts after ``steps`` in order; there are at most `MAX_STEPS` of them.

        A step that is None does nothing. Bit k of a text's number in ``step_masks`` tells whether
        step k applies to it. Raises as `scan`.
        """
        request = ([step and step.as_json for step in steps], list(step_masks), list(texts))
        rows = self._ask("call", "engramChain", request)
        return [
            text if row is None else joined_halves(row)
            for text, row in zip(texts, rows, strict=True)
        ]

    def test(self, source: str, flags: str, texts: Sequence[str]) -> list[bool]:
        """Return for each text whether it matches the pattern. Raises as `scan`."""
        return list(self._ask("call", "engramTest", (source, flags, list(texts))))

    def test_held(self, source: str, flags: str, text: str) -> bool:
        """Return whether a long text, sent once for many patterns, matches a pattern.

        Pass the same object each time. Raises as `scan`.
        """
        with self._holding:
            for _attempt in range(2):
                number = self._hold(text)
                if number is not None:
                    answer = self._ask("call", "engramTestHeld", (number, source, flags))
                    if answer is not None:
                        return bool(answer)
                self._numbers_of.pop(text, None)  # the context that held it is gone
        raise ScriptStopped(seconds=self._limit_s)

    def _hold(self, text: str) -> int | None:
        """Send a text, unless it is held; returns its number there, None if it did not arrive."""
        if text in self._numbers_of:
            return self._numbers_of[text]
        drops = [self._numbers_of.pop(old) for old in list(self._numbers_of)[: 1 - MAX_HELD]]
        self._numbers += 1
        number, length = self._numbers, 0
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            length += len(piece.encode("utf-16-le", "surrogatepass")) // 2
            if self._ask("call", "engramHold", (number, piece, drops)) != length:
                return None
            drops = []
        self._numbers_of[text] = number
        return number

    def check(self, source: str, flags: str) -> None:
        """Raise ScriptFailed if the pattern is invalid."""
        self._ask("call", "engramCheck", (source, flags))

    def run(self, function: str, *arguments: Any) -> Any:
        """Call the JavaScript ``function`` with JSON values, in a new context.

        Raises as `scan`.
        """
        return self._ask("program", function, arguments)

    def close(self) -> None:
        """End the process, if any; the next request starts another one."""
        with self._lock:
            self._end()
            self._numbers_of.clear()

    def _ask(self, kind: str, what: str, arguments: tuple[Any, ...]) -> Any:
        with self._lock:
            try:
                pipe = self._started()
                pipe.send((kind, what, arguments, self._limit_s))
                outcome: str = "begun"
                value: Any = None
                if kind == "program" or not self._is_warm:  # its context is made first
                    outcome, value = self._answer(pipe, START_S)
                if outcome == "begun":
                    outcome, value = self._answer(pipe, self._limit_s + GRACE_S)
                self._is_warm = outcome in {"ok", "error"} and (self._is_warm or kind == "call")
            except (EOFError, OSError):  # V8 crashed its process: usually out of memory
                self._end()
                raise ScriptStopped(seconds=self._limit_s) from None
        if outcome == "ok":
            return value
        if outcome == "error":
            error = ScriptFailed(value[0])
            error.lines = tuple(value[1])
            raise error
        raise ScriptStopped(seconds=self._limit_s)

    def _answer(self, pipe: Connection, seconds: float) -> tuple[str, Any]:
        """Wait for one message. Raises ScriptStopped, EOFError, OSError."""
        if not pipe.poll(seconds):
            self._end()
            raise ScriptStopped(seconds=self._limit_s)
        outcome, value = pipe.recv()
        return str(outcome), value

    def _started(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        import multiprocessing  # noqa: PLC0415 - 5 ms of each start, and few chats have a script

        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=javascript_worker.serve, args=(theirs,), name="engram-javascript", daemon=True
        )
        self._process.start()
        theirs.close()
        if not ours.poll(START_S):
            self._process.kill()
            raise OSError
        ours.recv()
        self._pipe = ours
        return ours

    def _end(self) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
        if self._process is not None:
            self._process.join(0.2)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(5)
            self._process.close()
        self._pipe = self._process = None
        self._is_warm = False


def joined_halves(text: str) -> str:
    """Join the halves of characters that a pattern without the flag u has split."""
    if text.isascii() or _HALF.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _scan(row: list[Any]) -> Scan:
    rows, rest = row
    return Scan(
        tuple(
            RegexMatch(before, tuple(groups), named or {}, at) for before, groups, named, at in rows
        ),
        rest,
    )
