"""`tavern`, `watch`, `adopt`: a SillyTavern folder listed and followed; memories taken over."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engram_desktop.cli.kept_verb import tell_kept
from engram_desktop.cli.verb import Call, Verb, chat_and_branch
from engram_desktop.domain.adopted import by_tool
from engram_desktop.domain.tavern import (
    Happening,
    Take,
    TavernChat,
    TavernFolder,
    TavernHandle,
)


def _folder_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="SillyTavern's own folder, its data folder or that of a user",
    )


def _tavern(call: Call) -> None:
    found = call.memory.tavern(call.ctx, call.args.folder)
    call.output.document(asdict(found), list(_lines(found)))


def _lines(found: TavernFolder) -> Iterator[str]:
    for handle in found.handles:
        yield f"{handle.name}: {handle.path}"
        for character in handle.characters:
            yield f"  {character.name}: {len(character.chats)} chats"
            yield from map(_chat_line, character.chats)
        for group in handle.groups:
            yield f"  {group.name} (group of {len(group.members)}): {len(group.chats)} chats"
            yield from map(_chat_line, group.chats)
        yield _items_line(handle)
    for path, warning in found.warnings:
        yield f"  ! {path}: {warning}"


def _chat_line(chat: TavernChat) -> str:
    count = "?" if chat.messages is None else chat.messages
    parent = f", branch of {chat.main_chat}" if chat.main_chat else ""
    return f"    {chat.name}: {count} messages{parent}"


def _items_line(handle: TavernHandle) -> str:
    worlds, presets, scripts = (len(handle.of_kind(kind)) for kind in ("world", "preset", "regex"))
    return f"  {worlds} world books, {presets} presets, {scripts} regex scripts"


def _watch_arguments(parser: argparse.ArgumentParser) -> None:
    _folder_argument(parser)
    parser.add_argument(
        "--known",
        action="store_true",
        help="follow only chats the library has, and their branches (default: every chat)",
    )
    parser.add_argument(
        "--once", action="store_true", help="take in what is new, then end instead of waiting"
    )


def _watch(call: Call) -> None:
    new: Take = "known" if call.args.known else "all"
    folder: Path = call.args.folder
    if call.args.once:
        reports = call.memory.catch_up(call.ctx, folder, new)
    else:
        reports = call.memory.watch(call.ctx, folder, new)
    for kept in call.memory.sync_kept(call.ctx):
        tell_kept(call, kept)
    for report in reports:
        for happening in report.happened:
            _tell(call, happening)
        for warning in report.warnings:
            text = f"line {warning.line}: {warning.message}"
            _tell(call, Happening("warning", report.path, report.chat_id, detail=text))
        if report.happened and report.chat_id:
            for kept in call.memory.sync_kept(call.ctx, report.chat_id):
                tell_kept(call, kept)


def _tell(call: Call, happening: Happening) -> None:
    call.output.document(_row(happening), [_line(happening)])


def _row(happening: Happening) -> dict[str, Any]:
    first, last = happening.floors or (None, None)
    return {
        "event": happening.what,
        "file": happening.path,
        "chat_id": happening.chat_id or None,
        "branch_id": happening.branch_id or None,
        "count": happening.count,
        "start_index": first,
        "end_index": last,
        "detail": happening.detail,
    }


def _line(happening: Happening) -> str:
    where = f", floors {happening.floors[0]}-{happening.floors[1]}" if happening.floors else ""
    count = f" {happening.count}" if happening.count else ""
    detail = f": {happening.detail}" if happening.detail else ""
    return f"{Path(happening.path).name}: {happening.what}{count}{where}{detail}"


def _adopt_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=Path,
        help="an Engram sync file or a world book of MemoryBooks",
    )
    parser.add_argument("--plan", action="store_true", help="only say what would be taken over")


def _adopt(call: Call) -> None:
    chat_id, branch_id = call.chat_id, call.branch_id
    found = call.memory.find_adoptable(call.ctx, chat_id, call.args.files, branch_id)
    if call.args.plan:
        tools = ", ".join(f"{count} of {tool}" for tool, count in by_tool(found).items())
        data = {"found": by_tool(found), "memories": [asdict(one) for one in found]}
        call.output.document(data, [tools or "Nothing of a known tool was found."])
        return
    report = call.memory.adopt(call.ctx, chat_id, found, branch_id)
    data = asdict(report)
    del data["changes"]
    call.output.document(data, [f"{report.added} memories taken over, {report.skipped} known"])


VERBS = (
    Verb("tavern", "list what is in a SillyTavern folder", _folder_argument, _tavern),
    Verb(
        "watch",
        "follow the chats of a SillyTavern folder until Ctrl+C",
        _watch_arguments,
        _watch,
        writes=True,
    ),
    Verb(
        "adopt",
        "take over memories that other tools left in a chat, or in files",
        _adopt_arguments,
        _adopt,
        writes_if=lambda args: not args.plan,
    ),
)
