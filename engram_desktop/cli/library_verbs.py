"""The library as a whole: `settings`, `key`, `backup`, `restore`, `doctor`; cards and search."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    no_arguments,
    path_argument,
    standard_input,
)
from engram_desktop.domain.address import shown_url
from engram_desktop.domain.cards import CharacterSheet
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search import KINDS
from engram_desktop.domain.settings import DECLARED, declared
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import ClosedLibrary

if TYPE_CHECKING:
    from engram_desktop.domain.search import MarkedPassage, SearchHit, SearchResult


def _settings_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help="only this one, as llm.base_url")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="set it")
    parser.add_argument("--chat", metavar="CHAT", help="for one chat only")


def _settings(call: Call) -> None:
    args = call.args
    chat_id = call.memory.chats.find(args.chat) if args.chat else None
    if args.key is not None:
        declared(args.key)
    if args.value is not None:
        call.memory.settings.set(args.key, args.value, chat_id)
        if declared(args.key).is_address:
            warning = call.memory.endpoints.warning(args.value)
            if warning:
                print(f"engram: {warning}", file=sys.stderr)
    settings = call.memory.settings.read(chat_id)
    keys = list(DECLARED) if args.key is None else [args.key]
    data = {key: _shown(key, settings.get(key)) for key in keys}
    call.output.document(data, [f"{key} = {value}" for key, value in data.items()])


def _shown(key: str, value: object) -> object:
    """Return a value as it may be printed: earlier versions accepted addresses that hold a key."""
    return shown_url(str(value)) if declared(key).is_address else value


def _key_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        help="llm, embed, rerank, index (a Chroma server),"
        " or serve:NAME for a line of the setting serve.endpoints",
    )


def _key(call: Call) -> None:
    place = call.memory.settings.read().keys_storage
    if place == "session":
        raise InputError(
            "keys.storage is “session”: the key would be forgotten when this command ends."
            " Set it to keyring or file, or put the key into the environment."
        )
    endpoints = call.memory.endpoints
    match call.args.name.partition(":"):
        case (("llm" | "embed" | "rerank" | "index") as name, "", _):
            endpoints.set_key(name, standard_input().readline())
        case ("serve", ":", upstream):
            endpoints.set_upstream_key(upstream, standard_input().readline())
        case _:
            raise InputError(
                f"“{call.args.name}” is none of llm, embed, rerank, index, serve:NAME."
            )
    data = {"name": call.args.name, "stored_in": place}
    call.output.document(data, [f"The key is kept in: {place}"])


def _backup(call: Call) -> None:
    file = call.memory.backups.make(call.ctx)
    data = {"file": str(file), "bytes": file.stat().st_size}
    call.output.document(data, [f"{file} ({data['bytes']} bytes)"])


def _restore_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=path_argument, help="what `backup` wrote")


def _restore(call: Call) -> None:
    call.memory.backups.restore(call.ctx, call.args.file)
    chats = call.memory.chats.all()
    data = {"file": str(call.args.file), "chats": len(chats)}
    call.output.document(data, [f"{len(chats)} chats restored"])


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="rebuild what can be derived")


def _doctor(call: Call) -> int:
    findings = call.memory.care.doctor(call.ctx, repair=call.args.repair)
    marks = {(True, False): "ok", (False, True): "mended", (False, False): "FAULT"}
    lines = [f"{marks[(f.is_ok, f.repaired)]:<7} {f.where}: {f.what}" for f in findings]
    call.output.document([asdict(f) for f in findings], lines)
    return 0 if all(f.is_ok or f.repaired for f in findings) else 1


_LIBRARY_VERBS = (
    Verb("settings", _settings_arguments, _settings, writes_if=lambda args: args.value is not None),
    Verb("key", _key_arguments, _key, writes=True),
    Verb("backup", no_arguments, _backup, writes=True),
    Verb(
        "restore",
        _restore_arguments,
        _restore,
        writes=True,
        rescue=lambda folder, args: ClosedLibrary(folder).rescue(args.file),
    ),
    Verb("doctor", _doctor_arguments, _doctor, writes=True),
)


# `demo`: make a library from the bundled story and run the main job on it, without a key.


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", type=path_argument, help="where the new library is made"
    )


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


_DEMO_VERBS = (Verb("demo", _arguments, _demo, writes=True, makes_library=True),)


# `characters`: the cards of the library: list, show, export, remove.


def _characters_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "character", metavar="NAME", nargs="?", help="show this one: id, name or file of its card"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--export",
        type=path_argument,
        metavar="FILE",
        help="write its card to a new .png, .charx or .json",
    )
    action.add_argument("--delete", action="store_true", help="take it out of the library")
    parser.add_argument("--with-book", action="store_true", help="with --delete: its book, too")
    parser.add_argument(
        "--with-scripts", action="store_true", help="with --delete: its regex scripts, too"
    )


def _characters(call: Call) -> None:
    memory, args = call.memory, call.args
    if args.character is None:
        if args.export or args.delete:
            raise InputError("Say which character.")
        rows = memory.characters.all()
        lines = [f"{row.id}  {row.name}  {row.spec}  {row.source}" for row in rows]
        none = ["There is no character yet."]
        call.output.document([asdict(row) for row in rows], lines or none)
        return
    row = memory.characters.find(args.character)
    if args.export:
        memory.characters.export(call.ctx, row.id, args.export)
        data = {"file": str(args.export), "id": row.id}
        call.output.document(data, [f"{row.name} written to {args.export}"])
    elif args.delete:
        memory.characters.delete(row.id, worldbooks=args.with_book, scripts=args.with_scripts)
        data = {"deleted": row.name, "id": row.id}
        call.output.document(data, [f"{row.name} is no longer in the library"])
    else:
        sheet = memory.characters.sheet(call.ctx, row.id)
        call.output.document(asdict(sheet), _sheet_lines(sheet))


def _sheet_lines(sheet: CharacterSheet) -> Iterator[str]:
    yield f"{sheet.row.name}  {sheet.row.spec}  {sheet.row.source}"
    for worldbook in sheet.books:
        yield f"world book: {worldbook.name}, {worldbook.entries} entries"
    for chat_id, name in sheet.chats:
        yield f"chat: {chat_id}  {name}"
    for script in sheet.scripts:
        yield f"regex script: {script}"
    for name, value in asdict(sheet.character).items():
        for text in value if isinstance(value, list | tuple) else [value]:
            if text:
                yield f"{name}: {text}"


_CHARACTER_VERBS = (
    Verb(
        "characters", _characters_arguments, _characters, writes_if=lambda args: bool(args.delete)
    ),
)


# `search`: words in chats and all they hold, including private notes, and in worldbooks.


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError("a whole number from 1 to 10000 is expected")
    return int(text)


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="WORDS",
        help='what to look for: words, "quotes", OR, type:event entity:X chat:X is:blue;'
        " what begins with a minus stands after --",
    )
    parser.add_argument("--chat", metavar="CHAT", help="only in this chat")
    parser.add_argument("--branch", metavar="B", help="only as seen from this branch of it")
    parser.add_argument("--type", choices=KINDS, help="only hits of this kind")
    parser.add_argument("--limit", type=_limit, default=50, metavar="N", help="hits of each kind")
    as_argument(parser)


def _search(call: Call) -> None:
    args = call.args
    # an argument with a blank was quoted for the shell only
    text = " ".join(args.words)
    if args.chat is None and (args.actors or args.branch is not None):
        raise InputError("--as and --branch need --chat.")
    line = None if args.chat is None else Line(call.chat_id, call.branch_id)
    actors = call.askers() if args.actors else ()
    result = call.memory.search.find(
        call.ctx,
        text,
        line if actors or args.branch is not None else None,
        actors,
        chat_id=call.chat_id if args.chat is not None else "",
        limit=args.limit,
        with_notes=True,
    )
    groups = [g for g in result.groups if args.type in {None, g.kind}]
    document = {
        "count": sum(group.count for group in groups),
        "unread": list(result.unread),
        "groups": [
            {
                "kind": group.kind,
                "count": group.count,
                "is_about": group.is_about,
                "hits": [_hit_fields(hit) for hit in group.hits],
            }
            for group in groups
        ],
    }
    call.output.document(document, _result_lines(result, args.type))


def _hit_fields(hit: SearchHit) -> dict[str, Any]:
    return {
        "id": hit.ref,
        "key": hit.key,
        "chat_id": hit.chat_id,
        "chat": hit.chat,
        "branch_id": hit.branch_id,
        "floors": hit.floors,
        "states": sorted(hit.states),
        "title": hit.title.text,
        "title_marks": hit.title.marks,
        "passage": hit.passage.text,
        "marks": hit.passage.marks,
    }


def _result_lines(result: SearchResult, kind: str | None) -> Iterator[str]:
    for group in result.groups:
        if kind in {None, group.kind}:
            yield f"{group.kind}: {'about ' if group.is_about else ''}{group.count}"
            for hit in group.hits:
                yield "  " + "  ".join(part for part in _hit_parts(hit) if part)
    for name in result.unread:
        yield f"not searched: {name}"


def _hit_parts(hit: SearchHit) -> Iterator[str]:
    yield "" if hit.kind == "chat" and not hit.branch_id else hit.chat
    first, last = hit.floors or (-1, -1)
    if hit.floors is not None:
        yield f"{first}-{last}" if last != first else str(first)
    yield _marked(hit.title)
    yield _marked(hit.passage)


def _marked(passage: MarkedPassage) -> str:
    """Return the text with the matches in brackets."""
    text, at = "", 0
    for start, end in passage.marks:
        text += f"{passage.text[at:start]}[{passage.text[start:end]}]"
        at = end
    return text + passage.text[at:]


_SEARCH_VERBS = (
    Verb(
        "search",
        _search_arguments,
        _search,
        can_read_only=True,
        writes_if=lambda args: bool(args.actors),
    ),
)


VERBS = (*_LIBRARY_VERBS, *_DEMO_VERBS, *_CHARACTER_VERBS, *_SEARCH_VERBS)
