"""`demo`: make a library from the bundled story and run the main job on it, with no key."""

from __future__ import annotations

import argparse

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb
from engram_desktop.services.demo import run_demo


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=path_argument)


def _demo(call: Call) -> None:
    data = run_demo(call.memory, call.ctx)
    lines = [
        f"{data['messages']} messages of “{data['name']}” became {data['events']} events;"
        f" {data['archived']} were archived, with {data['entities']} entities and"
        f" {data['relations']} relations.",
        f"Asked “{data['query']}”, it recalls:",
        *(f"  {hit['start_index']}-{hit['end_index']}  {hit['text']}" for hit in data["recalled"]),
    ]
    call.output.document(data, lines)


VERBS = (
    Verb(
        "demo",
        _arguments,
        _demo,
        writes=True,
        makes_library=True,
    ),
)
