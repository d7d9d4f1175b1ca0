"""The server, the companion, MCP."""

from __future__ import annotations

import argparse
import queue
import sys
import time
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from engram_desktop.cli.file_reports import print_kept_news
from engram_desktop.cli.verb import Call, Verb, path_argument, standard_input
from engram_desktop.domain.errors import KnownError
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.server import running

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.serving.exchange import Exchange


# `serve`: the memory server without a window, and the pipeline for the messages it keeps.


_PAUSE_SECONDS = 4.0  # messages in a row are read together, as in the window
_WARM_SECONDS = 10.0  # at most: 100,000 floors take some seconds
_LAST_PORT = 65535
_TICK_SECONDS = 0.2  # between checks for due work


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help="listen here (default: the setting serve.port); 0 takes a free port",
    )
    parser.add_argument(
        "--once", action="store_true", help="say where it would listen, then end instead of serving"
    )


def _port(text: str) -> int:
    """Parse a port. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {_LAST_PORT} are")
    return int(text)


def _serve(call: Call) -> None:
    grown: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
    server = running.MemoryServer(
        call.memory,
        partial(NullContext, call.memory.sharing.claim),
        on_grown=grown.put,
        on_exchange=_print_finished if not call.output.as_json else _still,
    )
    # A queue interrupted by a signal just as its time is up would wait without end (CPython 3.11).
    call.ctx.on_cancel(partial(grown.put, None))
    address = server.start(call.args.port)
    try:
        if not call.args.once:
            _wait_until_warm(call, server)
        call.output.document(_row(address), list(_lines(address)))
        sys.stdout.flush()
        if not call.args.once:
            _follow(call, server, grown)
    finally:
        server.stop()
        server.join()


def _wait_until_warm(call: Call, server: running.MemoryServer) -> None:
    """Wait until the first request can have its memories, but at most `_WARM_SECONDS`."""
    until = time.monotonic() + _WARM_SECONDS
    while time.monotonic() < until and not server.wait_until_warm(_TICK_SECONDS):
        call.ctx.check()


def _row(address: running.Address) -> dict[str, object]:
    return {"url": address.url, "key": address.key}


def _lines(address: running.Address) -> list[str]:
    lines = [f"Memory server: {address.url}", f"API key: {address.key}"]
    lines += [f"From other machines: {other}" for other in address.others]
    if not address.is_key_kept:
        lines.append("The key could not be kept: the next start makes another.")
    return [*lines, "Ctrl+C ends it."]


def _follow(
    call: Call, server: running.MemoryServer, grown: queue.SimpleQueue[Line | None]
) -> None:
    """Run the pipeline for chats that grew, a while after their last message, until Ctrl+C."""
    waiting: dict[Line, float] = {}
    told: set[Line] = set()
    while True:
        call.ctx.check()
        if not server.is_running:
            raise KnownError("The memory server ended; the log says why.")
        try:
            line = grown.get(timeout=_TICK_SECONDS)
        except queue.Empty:
            pass
        else:
            if line is not None:  # None: the server ends
                waiting[line] = time.monotonic() + _PAUSE_SECONDS
        now = time.monotonic()
        for line in [line for line, due in waiting.items() if due <= now]:
            del waiting[line]
            _run_pipeline(call, line, told)


def _run_pipeline(call: Call, line: Line, told: set[Line]) -> None:
    """Do what is due for a line. A known error is printed; the next message tries again.

    A backlog is not begun without consent; ``told`` are the lines for which that was printed.
    """
    try:
        report = call.memory.automation.run(call.ctx, line)
        for kept_report in call.memory.kept.sync(call.ctx, line.chat_id):
            print_kept_news(call, kept_report)
    except Cancelled:
        raise
    except KnownError as error:
        print(f"engram: {error}", file=sys.stderr)
    else:
        if report.events_added:
            print(f"engram: {report.events_added} events noted", file=sys.stderr, flush=True)
        if report.waiting:
            print(f"engram: {report.waiting} drafts to look through", file=sys.stderr, flush=True)
        if report.plan.standing == "consent" and line not in told:
            told.add(line)
            command = f"engram auto {line.chat_id} --branch {line.branch_id} --yes"
            waiting = f"{report.plan.floors} floors wait to be read: {command}"
            print(f"engram: {waiting}", file=sys.stderr, flush=True)


def _print_finished(exchange: Exchange) -> None:
    if not exchange.is_finished or exchange.kept:
        return
    what = f"{exchange.number} {exchange.path} {exchange.status} {exchange.outcome}"
    failure = f": {exchange.failure}" if exchange.failure else ""
    print(f"{what} {exchange.memory_ms:.0f} ms{failure}", file=sys.stderr, flush=True)


def _still(exchange: Exchange) -> None:
    del exchange


_SERVE_VERBS = (Verb("serve", _arguments, _serve, writes=True, shares=True, is_lasting=True),)


# `companion`: install the SillyTavern companion in SillyTavern.


def _companion_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--install",
        metavar="DIR",
        type=path_argument,
        help="SillyTavern's own folder, its data folder or that of a user: each user gets it",
    )
    where.add_argument(
        "--save", metavar="DIR", type=path_argument, help="save it here, as a folder to copy"
    )


def _companion(call: Call) -> None:
    serving = call.memory.serving
    if call.args.install is not None:
        installed = serving.install_companion(call.args.install)
    else:
        installed = (serving.save_companion(call.args.save),)
    lines = []
    for one in installed:
        instead = "" if one.before is None else f", in place of {one.before or 'an older one'}"
        lines.append(f"Companion {one.version} is in {one.folder}{instead}.")
    if call.args.install is not None:
        lines.append("Reload SillyTavern's page, then pair it under Extensions, Engram.")
    call.output.document([asdict(one) for one in installed], lines)


_COMPANION_VERBS = (Verb("companion", _companion_arguments, _companion, can_read_only=True),)


# `mcp`: the memories of the library as tools over standard input and output.


def _mcp_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A program that speaks MCP starts this itself: give it the command “engram” with the"
        " argument “mcp”. What is printed is the protocol's. Tools that write need the setting"
        " serve.mcp_writes."
    )


def _mcp(call: Call) -> None:
    from engram_desktop.server.mcp import build_mcp  # noqa: PLC0415 - half a second to read

    make_context = partial(NullContext, call.memory.sharing.claim)
    standard_input()  # raises InputError if it is closed; the MCP server would end with a traceback
    try:
        build_mcp(call.memory, make_context, lambda _changes: None).run("stdio")
    except* BrokenPipeError:  # the client disconnected during an answer
        pass


_MCP_VERBS = (Verb("mcp", _mcp_arguments, _mcp, writes=True, shares=True, can_read_only=True),)


VERBS = (*_SERVE_VERBS, *_COMPANION_VERBS, *_MCP_VERBS)
