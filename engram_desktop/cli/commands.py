"""The names of the commands of `engram`, with a line of help each.

--version, --help and a mistyped command are answered by this module alone, without further imports.
"""

from __future__ import annotations

import argparse
import functools
import sys

from engram_desktop import __version__

TYPE_CHECKING = False  # as in typing, which takes 4 ms to read
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

HELP = {
    "import": "take chat files into the library",
    "chats": "list the chats",
    "summarise": "make events of messages",
    "auto": "do what is due: summarise, consolidate, trim",
    "consolidate": "archive the buffer (整理记忆)",
    "trim": "tell of what is archived, and of old events, in outlines (精简)",
    "export": "write memory, a world book or a card to a new file",
    "stats": "counts, sizes, index health, tokens spent",
    "reindex": "rebuild every vector and index",
    "tavern": "list what is in a SillyTavern folder, or take it in",
    "watch": "follow the chats of a SillyTavern folder until Ctrl+C",
    "adopt": "take over memories that other tools left in a chat, or in files",
    "branches": "list, compare, rename or delete branches",
    "fork": "make a branch",
    "events": "list events, one a line",
    "add": "write an event or a fact by hand",
    "event": "show or change one event",
    "undo": "take back the newest step",
    "redo": "do the last undone step again",
    "history": "list what can be undone",
    "drafts": "list what waits for review, and what failed",
    "draft": "show, save or discard one draft",
    "logs": "list private logs, one a line",
    "log": "show, write or change one private log",
    "state": "the values a story changes: now, at a floor, and how they came about",
    "entities": "list or change entities",
    "relation": "list or change relations",
    "recall": "rank memories, and say why",
    "graph": "entities and relations",
    "inject": "the text a prompt would get",
    "search": "search the whole library: chats, memories, messages, private notes, worldbooks",
    "who": "who knows a memory, since which floor, and how",
    "present": "who perceives which floor",
    "witnesses": "who was there: what each person has to do with each event, and say so",
    "group": "who is of a group, which knows secrets as one, and from when to when",
    "secrets": "what only some know, and who must not learn it",
    "claims": "who asserts what in a chat: said, thought, written, narrated",
    "findings": "what is over, untrue, contradicted or promised",
    "finding": "show one finding, or answer it",
    "thread": "promises and other threads: list them, note one, settle it",
    "inbox": "what waits for a decision: list it, or decide",
    "note": "private notes no model sees: list, write, delete them",
    "reflect": "look back: events that were missed, private logs of characters",
    "triage": "ask the model how much memory a message needs",
    "books": "list the world books",
    "book": "show a world book, change its entries",
    "activate": "which entries of world books would fire, and why",
    "characters": "the character cards: list, show, export, delete",
    "kept": "world book files kept in step: list, sync, compare, merge, move, take, stop",
    "folder": "a folder of Markdown files, one a memory, kept in step both ways",
    "volume": "volumes (记忆册): what a chat remembers, made to be read by other chats",
    "lab": "questions with known answers: compare two ways to recall, look into their prompts",
    "regex": "regex scripts and cleaning rules: list, switch, try, and show step by step",
    "prompts": "list what is said to models, task by task",
    "prompt": "show, change, reset or preview one prompt",
    "completion": "show what a text completion model would get of a chat in its SillyTavern",
    "settings": "read or set settings",
    "key": "store an API key read from standard input",
    "backup": "copy the library to a file",
    "restore": "put a backup in place",
    "doctor": "check the library",
    "delete": "move a chat to the trash",
    "trash": "deleted chats: list, bring back, delete for good",
    "play": "talk with characters: each line of standard input is what you say",
    "serve": "run the memory server: an OpenAI-compatible address that puts memory in",
    "companion": "put the SillyTavern companion into a SillyTavern, or save it as a folder",
    "mcp": "offer the library's memories to other programs over MCP (stdio)",
    "demo": "make a library from the bundled story and run the main job on it",
}

# With --json these print one object per line (JSON Lines); all others print one document.
JSON_LINES = frozenset(
    ("events", "logs", "witnesses", "present", "recall", "inject", "play", "watch", "folder")
)


def new_parser(folder: Callable[[str], Any]) -> argparse.ArgumentParser:
    """Return the parser of the options before a command. ``folder`` parses the one of --library."""
    parser = argparse.ArgumentParser(
        prog="engram",
        description="Long-term memory for role-play chats, without a window.",
        parents=[shared_options(folder)],
    )
    parser.add_argument("--version", action="version", version=f"engram {__version__}")
    return parser


def shared_options(folder: Callable[[str], Any]) -> argparse.ArgumentParser:
    """Return a parser of the options of every command, for use as a parent."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--library",
        type=folder,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="the library to use (default: ENGRAM_LIBRARY or your data folder)",
    )
    shared.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON on stdout"
    )
    return shared


def asked(words: Sequence[str]) -> str:
    """Return the command in ``words``.

    Answers --version and --help, and refuses unknown commands, as argparse does: SystemExit.
    """
    for stream in (sys.stdout, sys.stderr):  # a Windows console may not be UTF-8
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    command: str = _outline().parse_known_args(words)[0].command
    return command


class _Unread:
    """Replaces the parser of a command, without its arguments: 60 real ones take 4 ms."""

    def __init__(self, **_options: object) -> None: ...

    def parse_known_args(
        self, words: list[str], _namespace: object
    ) -> tuple[argparse.Namespace, list[str]]:
        return argparse.Namespace(), words


@functools.cache
def _outline() -> argparse.ArgumentParser:
    parser = new_parser(str)
    commands: Any = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Unread
    )
    for name, text in HELP.items():
        commands.add_parser(name, help=text)
    return parser
