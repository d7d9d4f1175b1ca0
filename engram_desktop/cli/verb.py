"""The verbs of the command line: their names, their arguments, and how they run.

Progress goes to stderr, results to stdout; Ctrl+C cancels in an orderly way. The help line of a
verb is in `commands.HELP`.
"""

from __future__ import annotations

import argparse
import errno
import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from engram_desktop.domain.errors import InputError, LibraryBusy, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.jobs.context import CancelToken, Claim

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.domain.write_access import AccessKind
    from engram_desktop.services.memory import Memory

T = TypeVar("T")
if sys.platform == "win32":  # Ctrl+C, and the signal that ends a service
    _ENDS = (signal.SIGINT, signal.SIGBREAK)
else:
    _ENDS = (signal.SIGINT, signal.SIGTERM)


class CliContext:
    """A `JobContext` for a terminal: writes run at once, in the calling thread.

    ``claim`` is entered around each unit of writing and takes the lock of the library. With
    ``is_patient``, writes wait for another program with the lock until the command is cancelled.
    """

    def __init__(self) -> None:
        self.claim: Claim = nullcontext
        self.is_patient = False
        self._told = ""
        self.token = CancelToken()
        self._is_shown = sys.stderr.isatty()

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self.token.check()
        if self._is_shown:
            of = f"/{total}" if total is not None else ""
            end = "\n" if done == total else ""
            print(f"\r{label} {done}{of}   ", end=end, file=sys.stderr, flush=True)

    def check(self) -> None:
        self.token.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self.token.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        while True:
            try:
                with self.claim():
                    self._told = ""
                    return unit()
            except LibraryBusy as busy:
                if not self.is_patient:
                    raise
                if str(busy.phrase) != self._told:
                    print(f"engram: waiting: {busy.phrase}", file=sys.stderr, flush=True)
                self._told = str(busy.phrase)
                self.check()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Have Ctrl+C, and the signal ending a service, cancel this context during the block."""
        before = [signal.signal(end, lambda *_: self.token.cancel()) for end in _ENDS]
        try:
            yield
        finally:
            for end, handler in zip(_ENDS, before, strict=True):
                signal.signal(end, handler)


class Output:
    """Prints one JSON document or text, never both."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, value: Any, lines: Iterable[str]) -> None:
        """Print ``value`` as one JSON document, or ``lines`` for a reader."""
        if self.as_json:
            self.row(value)
            return
        for line in lines:
            print(line)

    def listing(
        self,
        values: Iterable[T],
        as_json: Callable[[T], Any],
        as_lines: Callable[[T], Iterable[str]],
        nothing: str,
    ) -> None:
        """Print values one by one: as the items of one JSON document, or as lines for a reader.

        ``nothing`` is the line for a reader if there are none.
        """
        is_first = True
        for value in values:
            if self.as_json:
                item = json.dumps(as_json(value), ensure_ascii=False)
                print("[" if is_first else ", ", item, sep="", end="")
            else:
                print(*as_lines(value), sep="\n")
            is_first = False
        if self.as_json:
            print("[]" if is_first else "]", flush=True)
        elif is_first:
            print(nothing)

    def nothing(self, text: str) -> None:
        """Print that there is nothing; as JSON Lines, nothing is printed."""
        if not self.as_json:
            print(text)

    def row(self, value: Any) -> None:
        """Print one line of JSON."""
        print(json.dumps(value, ensure_ascii=False), flush=True)


# Names in argparse of the options that hold a floor, or a range of floors.
_FLOORS = ("at", "floor", "end", "visible_from")
_SPANS = ("range", "floors", "redo")


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a verb: the library, the output and the arguments."""

    memory: Memory
    ctx: CliContext
    output: Output
    args: argparse.Namespace

    @property
    def chat_id(self) -> str:
        """The id of the chat named on the command line. Raises NotFound."""
        return self.memory.chats.find(self.args.chat)

    @property
    def branch_id(self) -> str:
        """The id of the branch named on the command line, or the main one. Raises NotFound."""
        name: str | None = self.args.branch
        return MAIN_BRANCH if name is None else self.memory.branches.find(self.chat_id, name)

    def check_named(self) -> None:
        """Raise NotFound for an unknown chat, branch, person or floor, even if it is ignored."""
        args = self.args
        if not getattr(args, "chat", None) or getattr(args, "stop", False):
            return  # a folder can be released although its chat is deleted
        chat_id = self.chat_id
        if getattr(args, "branch", None) is not None:
            self.memory.branches.find(chat_id, args.branch)
        names = [*getattr(args, "actors", ()), getattr(args, "actor", "")]
        for name in filter(None, names):
            self.memory.knowledge.check_person(self.ctx, self.line, name)
        self._check_floors()

    def _check_floors(self) -> None:
        """Raise NotFound for a floor the line does not have; the next one to write is allowed."""
        floors = [getattr(self.args, name, None) for name in _FLOORS]
        spans = [getattr(self.args, name, None) or (None, None) for name in _SPANS]
        if not any(floors) and not any(first for first, _last in spans):
            return
        count = self.memory.messages.count(self.line)
        beyond = [floor for floor in floors if floor is not None and not 0 <= floor <= count]
        beyond += [first for first, _last in spans if first is not None and first >= count > 0]
        for floor in beyond:
            raise NotFound("message", f"#{floor}")

    def askers(self) -> tuple[Actor, ...]:
        """Return the characters named by --as, after updating what they know."""
        askers = self.memory.knowledge.askers(self.ctx, self.line, self.args.actors)
        if askers:
            self.say_if_behind()
        return askers

    def say_if_behind(self) -> None:
        """Print a note if what characters know could not be updated."""
        if self.memory.knowledge.is_behind(self.chat_id):
            text = "who knows what is not up to date: another program is writing, ask again later"
            print(f"engram: {text}", file=sys.stderr)

    @property
    def line(self) -> Line:
        """The branch of the chat, both as named on the command line. Raises NotFound."""
        return Line(self.chat_id, self.branch_id)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb. ``writes``: it takes the library's lock; ``shares``: it does so for each write.

    ``is_lasting``: it runs until it is ended, once per library, and waits for other programs.
    ``can_read_only``: it can read without the lock, and writes derived data if the lock is free.
    ``writes_if`` decides ``writes`` by the arguments, for verbs that both show and change;
    ``must_write`` says with which arguments a ``can_read_only`` verb needs the lock. ``rescue``
    repairs a damaged library so that it opens; the verb then runs as usual.
    """

    name: str
    arguments: Callable[[argparse.ArgumentParser], object]
    run: Callable[[Call], int | None]
    writes: bool = False
    can_read_only: bool = False
    shares: bool = False
    is_lasting: bool = False
    makes_library: bool = False
    writes_if: Callable[[argparse.Namespace], bool] | None = None
    must_write: Callable[[argparse.Namespace], bool] = lambda _args: False
    rescue: Callable[[Path, argparse.Namespace], object] | None = None

    def access(self, args: argparse.Namespace) -> AccessKind:
        """Return how the library is opened for a call with these arguments."""
        if not (self.writes if self.writes_if is None else self.writes_if(args)):
            return "read"
        if self.shares:
            return "shared"
        return "derive" if self.can_read_only and not self.must_write(args) else "own"


def chat_argument(parser: argparse.ArgumentParser) -> None:
    """Add the positional CHAT."""
    parser.add_argument("chat", metavar="CHAT", help="id or name of a chat")


def branch_argument(parser: argparse.ArgumentParser) -> None:
    """Add --branch."""
    parser.add_argument("--branch", metavar="B", help="id or name of a branch (default: main)")


def as_argument(parser: argparse.ArgumentParser) -> None:
    """Add --as, which may be given several times."""
    parser.add_argument(
        "--as",
        dest="actors",
        action="append",
        default=[],
        metavar="ACTOR",
        help="only what this character knows; of several, what all of them know",
    )


def chat_and_branch(parser: argparse.ArgumentParser) -> None:
    """Add CHAT and --branch."""
    chat_argument(parser)
    branch_argument(parser)


def no_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing."""
    del parser


def floor_range(text: str) -> tuple[int, int]:
    """Parse ``A-B`` as floors, 0-based, both included. Raises ArgumentTypeError."""
    first, dash, last = text.partition("-")
    if not first.strip().isdigit() or (dash and not last.strip().isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a range such as 0-24")
    low = int(first)
    high = int(last) if dash else low
    if high < low:
        raise argparse.ArgumentTypeError(f"{text!r} ends before it begins")
    return low, high


# A path on the command line that is possible on this computer, whether or not it exists.


def path_argument(text: str) -> Path:
    """Parse a path.

    Raises ArgumentTypeError for an impossible one, such as one that is too long.
    """
    path = Path(text)
    try:
        path.lstat()
    except ValueError as error:  # a zero byte
        raise argparse.ArgumentTypeError(str(error)) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise argparse.ArgumentTypeError(f"the name is too long: {path.name[:40]}…") from None
    return path


# Texts given to a command in files.


_MOST = 256_000_000


def standard_input() -> TextIO:
    """Return the input of a command. Raises InputError if it is closed."""
    if sys.stdin is None:
        raise InputError("Standard input is closed: there is nothing to read from.")
    return sys.stdin


def text_of_file(path: Path) -> str:
    """Return the text of a file. Raises OSError, UnicodeDecodeError."""
    return read_plain(path, _MOST).decode("utf-8-sig").replace("\r\n", "\n")
