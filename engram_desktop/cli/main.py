"""`engram`: parse the command line, open the library, run one verb, turn errors into exit codes.

Exit codes: 0 done, 1 a known error, 2 wrong usage, 130 cancelled, 70 a bug.
"""

from __future__ import annotations

import argparse
import errno
import logging
import sys
import traceback
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from engram_desktop.cli import (
    chat_verbs,
    event_verbs,
    file_verbs,
    graph_verbs,
    knowledge_verbs,
    library_verbs,
    pipeline_verbs,
    play_verbs,
    prompt_verbs,
    recall_verbs,
    server_verbs,
    tavern_verbs,
    worldbook_verbs,
)
from engram_desktop.cli.commands import HELP, JSON_LINES, asked, new_parser, shared_options
from engram_desktop.cli.verb import Call, CliContext, Output, Verb, path_argument
from engram_desktop.domain.errors import DamagedDatabase, KnownError, LibraryBusy, ReadOnlyLibrary
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.jobs.context import Cancelled
from engram_desktop.llm.redact import KeyFilter
from engram_desktop.places import APP_LOG, default_library, log_dir
from engram_desktop.services.memory import Memory

# Which module declares which verbs: only the module of the requested verb is imported.
DECLARED: tuple[tuple[ModuleType, str], ...] = (
    (chat_verbs, "import chats"),
    (pipeline_verbs, "summarise auto consolidate trim"),
    (chat_verbs, "export stats reindex"),
    (tavern_verbs, "tavern watch adopt"),
    (chat_verbs, "branches fork"),
    (event_verbs, "events add event undo redo history"),
    (pipeline_verbs, "drafts draft"),
    (event_verbs, "logs log"),
    (play_verbs, "state"),
    (graph_verbs, "entities relation"),
    (recall_verbs, "recall graph inject"),
    (library_verbs, "search"),
    (knowledge_verbs, "who present"),
    (event_verbs, "witnesses"),
    (knowledge_verbs, "group secrets claims findings finding thread inbox note"),
    (pipeline_verbs, "reflect triage"),
    (worldbook_verbs, "books book activate"),
    (library_verbs, "characters"),
    (worldbook_verbs, "kept"),
    (file_verbs, "folder volume"),
    (recall_verbs, "lab"),
    (prompt_verbs, "regex prompts prompt completion"),
    (library_verbs, "settings key backup restore doctor"),
    (chat_verbs, "delete trash"),
    (play_verbs, "play"),
    (server_verbs, "serve companion mcp"),
    (library_verbs, "demo"),
)


def verb_called(name: str) -> Verb:
    """Return the declaration of a command; imports only the module that declares it."""
    module = next(module for module, names in DECLARED if name in names.split())
    verb: Verb = next(verb for verb in module.VERBS if verb.name == name)
    return verb


def every_verb() -> list[Verb]:
    """Return all declarations; imports every module that declares one."""
    return [verb_called(name) for _module, names in DECLARED for name in names.split()]


def build_parser(verbs: Iterable[Verb]) -> argparse.ArgumentParser:
    """Return a parser with the arguments of ``verbs`` and no other command."""
    parser = new_parser(path_argument)
    commands = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    shared = shared_options(path_argument)
    for verb in verbs:
        text = HELP[verb.name]
        sub = commands.add_parser(verb.name, help=text, description=text, parents=[shared])
        if verb.name in JSON_LINES:
            sub.description = f"{text}. With --json: one object a line (JSON Lines), no array."
        verb.arguments(sub)
        sub.set_defaults(declared=verb, usage=sub)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = build_parser([verb_called(asked(words))])
    args, unknown = parser.parse_known_args(words)
    if unknown:  # with the usage of the command, not of the program
        args.usage.error(f"unrecognized arguments: {' '.join(unknown)}")
    _refuse_bad_bytes(parser, args)
    key_filter = KeyFilter()
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(key_filter)
    logging.basicConfig(level=logging.ERROR, handlers=[handler], force=True)
    ctx = CliContext()
    try:
        with ctx.interruptible():
            return _run(args, ctx, key_filter)
    except Cancelled:
        print("engram: cancelled; what was finished is kept", file=sys.stderr)
        return 130
    except KnownError as e:
        print(f"engram: {e}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the last line of defence: a bug is reported as one
        return _report(error, words, key_filter)


def _report(error: Exception, words: Sequence[str], key_filter: KeyFilter) -> int:
    """Report an error in one line, and write its traceback to the program's log.

    If the log cannot be written, the traceback is printed. Returns the exit code.
    """
    if isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename:
        print("engram: there is no space left where the output is written", file=sys.stderr)
        return 1
    trace, place = traceback.format_exc(), log_dir() / APP_LOG
    record = logging.makeLogRecord(
        {"name": "engram", "levelname": "CRITICAL", "msg": f"{' '.join(words[:1])}: {trace}"}
    )
    key_filter.filter(record)
    line = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s").format(record)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.touch(mode=0o600)
        with place.open("a", encoding="utf-8", errors="replace") as log:
            log.write(f"{line}\n")
    except OSError:
        where = trace
    else:
        where = f"What happened is in {place}"
    what = logging.makeLogRecord({"msg": f"{type(error).__name__}: {error}. {where}"})
    key_filter.filter(what)
    print(f"engram: this is a bug in Engram: {what.msg}", file=sys.stderr)
    return 70


def _refuse_bad_bytes(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Refuse words that are not UTF-8 as wrong usage; names of files may be such words."""
    for name, value in vars(args).items():
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str) and any("\ud800" <= char <= "\udfff" for char in word):
                parser.error(f"{name.upper()} is not UTF-8")


def _run(args: argparse.Namespace, ctx: CliContext, key_filter: KeyFilter) -> int:
    verb: Verb = args.declared
    output = Output(as_json=getattr(args, "json", False))
    folder: Path = getattr(args, "library", None) or default_library()
    if verb.makes_library:
        folder = args.folder
    memory = _open(folder, verb, args, key_filter)
    ctx.claim, ctx.is_patient = memory.sharing.claim, verb.is_lasting
    if verb.name != "doctor":  # which lists them itself
        for finding in memory.care.repaired_at_opening():
            print(f"engram: {finding.where}: {finding.what}", file=sys.stderr)
    try:
        if verb.name not in ("doctor", "import"):
            _tell_stopped(memory, ctx)
        call = Call(memory, ctx, output, args)
        call.check_named()
        return verb.run(call) or 0
    finally:
        memory.close()


def _tell_stopped(memory: Memory, ctx: CliContext) -> None:
    """Report imports that were interrupted, and how to continue or to keep them as they are."""
    if memory.session.has_stopped_imports:
        for stopped in memory.imports.stopped(ctx):
            print(f"engram: {stopped.file}: {stopped.phrase}.", file=sys.stderr)
            print("engram: `engram doctor --repair` leaves it as it is.", file=sys.stderr)


def _open(folder: Path, verb: Verb, args: argparse.Namespace, key_filter: KeyFilter) -> Memory:
    """Open the library with the access that a verb needs; read-only if it can do with that."""
    opening = partial(Memory.open, folder, program=f"engram {verb.name}", on_key=key_filter.add)
    access = WriteAccess(verb.access(args), None, verb.is_lasting)
    try:
        return opening(access=access)
    except DamagedDatabase:
        if verb.rescue is None:
            raise
        verb.rescue(folder, args)
        return opening(access=access)
    except (LibraryBusy, ReadOnlyLibrary):
        if not verb.can_read_only or access.kind == "own":
            raise
        return opening(access=WriteAccess("derive", None))
