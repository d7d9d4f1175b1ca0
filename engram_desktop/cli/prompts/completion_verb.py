"""`completion`: what a text completion model would get of a chat in its SillyTavern."""

from __future__ import annotations

import argparse

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb, branch_argument, chat_argument


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    branch_argument(parser)
    parser.add_argument("--instruct", metavar="NAME", default="", help="by this instruct template")
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=path_argument,
        help="templates of this user's folder of SillyTavern",
    )
    parser.add_argument("--context", metavar="NAME", default="", help="by this context template")


def _completion(call: Call) -> None:
    args = call.args
    prompt = call.memory.prompts.as_text(call.line, args.instruct, args.context, args.folder)
    call.output.document({"prompt": prompt}, [prompt])


VERBS = (
    Verb(
        "completion",
        _arguments,
        _completion,
        can_read_only=True,
    ),
)
