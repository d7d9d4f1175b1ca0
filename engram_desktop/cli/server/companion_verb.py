"""`companion`: put the SillyTavern companion where SillyTavern finds it."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb


def _arguments(parser: argparse.ArgumentParser) -> None:
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


VERBS = (
    Verb(
        "companion",
        _arguments,
        _companion,
        can_read_only=True,
    ),
)
