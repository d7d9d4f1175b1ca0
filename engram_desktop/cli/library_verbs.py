"""`settings`, `key`, `backup`, `restore`, `doctor`: the library as a whole."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict

from engram_desktop.cli.verb import Call, Verb, no_arguments, path_argument
from engram_desktop.domain.address import shown_url
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.settings import DECLARED, declared
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import ClosedLibrary


def _settings_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?")
    parser.add_argument("value", metavar="VALUE", nargs="?")
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
    """Return a value as it may be printed: an earlier version took addresses with a key in them."""
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
            endpoints.set_key(name, sys.stdin.readline())
        case ("serve", ":", upstream):
            endpoints.set_upstream_key(upstream, sys.stdin.readline())
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
    parser.add_argument("file", metavar="FILE", type=path_argument)


def _restore(call: Call) -> None:
    call.memory.backups.restore(call.ctx, call.args.file)
    chats = call.memory.chats.all()
    data = {"file": str(call.args.file), "chats": len(chats)}
    call.output.document(data, [f"{len(chats)} chats restored"])


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="mend what can be derived")


def _doctor(call: Call) -> int:
    findings = call.memory.care.doctor(call.ctx, repair=call.args.repair)
    marks = {(True, False): "ok", (False, True): "mended", (False, False): "FAULT"}
    lines = [f"{marks[(f.is_ok, f.repaired)]:<7} {f.where}: {f.what}" for f in findings]
    call.output.document([asdict(f) for f in findings], lines)
    return 0 if all(f.is_ok or f.repaired for f in findings) else 1


_LIBRARY_VERBS = (
    Verb(
        "settings",
        _settings_arguments,
        _settings,
        writes_if=lambda args: args.value is not None,
    ),
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


# `demo`: make a library from the bundled story and run the main job on it, with no key.


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


_DEMO_VERBS = (
    Verb(
        "demo",
        _arguments,
        _demo,
        writes=True,
        makes_library=True,
    ),
)


VERBS = (
    *_LIBRARY_VERBS,
    *_DEMO_VERBS,
)
