"""`mcp`: the memories of the library as tools over standard input and output."""

from __future__ import annotations

import argparse
from functools import partial

from engram_desktop.cli.verb import Call, Verb
from engram_desktop.jobs.context import NullContext


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A program that speaks MCP starts this itself: give it the command “engram” with the"
        " argument “mcp”. What is printed is the protocol's. Tools that write need the setting"
        " serve.mcp_writes."
    )


def _mcp(call: Call) -> None:
    from engram_desktop.server.mcp import build_mcp  # noqa: PLC0415 - half a second to read

    make_context = partial(NullContext, call.memory.claim)
    try:
        build_mcp(call.memory, make_context, lambda _changes: None).run("stdio")
    except* BrokenPipeError:  # the client went away while it was answered
        pass


VERBS = (
    Verb(
        "mcp",
        _arguments,
        _mcp,
        writes=True,
        shares=True,
        can_read_only=True,
    ),
)
