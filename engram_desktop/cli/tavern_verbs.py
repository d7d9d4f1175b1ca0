"""`tavern`, `watch`, `adopt`: list, import and follow a SillyTavern folder; import memories."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from engram_desktop.cli.file_reports import (
    conflict_argument,
    conflict_line,
    import_line,
    placed,
    print_kept_news,
    take_folder,
)
from engram_desktop.cli.verb import Call, Verb, chat_and_branch, path_argument
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.reports import OnConflict
from engram_desktop.domain.tavern.adopted import OnOlder, by_tool
from engram_desktop.domain.tavern.folder import (
    MOST_DELETED,
    TAVERN_KINDS,
    Happening,
    ItemKind,
    Take,
    TavernCharacter,
    TavernChat,
    TavernChoice,
    TavernFolder,
    TavernItem,
    TavernState,
)


def _folder_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=path_argument,
        help="SillyTavern's own folder, its data folder or that of a user",
    )


def _tavern_arguments(parser: argparse.ArgumentParser) -> None:
    _folder_argument(parser)
    parser.add_argument(
        "--import",
        dest="kinds",
        nargs="*",
        choices=("all", *TAVERN_KINDS),
        metavar="KIND",
        help="take these in, with what belongs to them: all (default), " + ", ".join(TAVERN_KINDS),
    )
    parser.add_argument(
        "--preset", metavar="NAME", help="show what the preset of this name says, prompt by prompt"
    )
    parser.add_argument(
        "--follow", action="store_true", help="follow the imported chats from now on"
    )
    conflict_argument(parser)


def _tavern(call: Call) -> int:
    memory, ctx, kinds = call.memory, call.ctx, call.args.kinds
    folder = memory.tavern.list_folder(ctx, call.args.folder)
    if call.args.preset is not None:
        _print_preset(call, folder, call.args.preset)
        return 0
    if kinds is not None:
        kinds_asked = TAVERN_KINDS if not kinds or "all" in kinds else kinds
        choice = TavernChoice(
            folder.keys(kinds_asked),
            follow=call.args.follow,
            on_conflict=call.args.on_conflict or "branch",
        )
        return _print_taken(call, *take_folder(call, folder, choice))
    states = memory.tavern.states(ctx, folder)
    call.output.document(_document(folder, states), list(_lines(folder, states)))
    return 0


def _print_preset(call: Call, folder: TavernFolder, name: str) -> None:
    """Print the prompts of every preset with this name. Raises NotFound."""
    presets = [p for h in folder.handles for p in h.of_kind("preset") if p.name == name]
    if not presets:
        raise NotFound("preset", name)
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for preset in presets:
        prompts = call.memory.tavern.preset_prompts(Path(preset.path))
        rows.append({"file": preset.path, "prompts": [asdict(prompt) for prompt in prompts]})
        lines.append(f"{preset.detail}: {preset.path}")
        for prompt in prompts:
            state = "" if prompt.is_on else ", off"
            depth = "" if prompt.depth is None else f", at depth {prompt.depth}"
            lines += [f"[{prompt.name}] {prompt.role}{depth}{state}", prompt.text]
    call.output.document(rows, lines)


def _document(folder: TavernFolder, states: Mapping[str, TavernState]) -> dict[str, Any]:
    """Return the whole listing, with the state in the library for each thing."""
    document = asdict(folder)
    for handle in document["handles"]:
        chats = [c for owner in (*handle["characters"], *handle["groups"]) for c in owner["chats"]]
        for row, key in [
            *((chat, chat["path"]) for chat in chats),
            *((character, character["avatar"]) for character in handle["characters"]),
            *((item, item["key"]) for item in handle["items"]),
        ]:
            row["state"] = states.get(key)
    return document


def _lines(folder: TavernFolder, states: Mapping[str, TavernState]) -> Iterator[str]:
    for handle in folder.handles:
        yield f"{handle.name}: {handle.path}"
        for character in handle.characters:
            yield f"  {_character_line(character)}{_state(states, character.avatar)}"
            yield from (_chat_line(chat, states) for chat in character.chats)
        for group in handle.groups:
            mute = f", {len(group.disabled)} of them mute" if group.disabled else ""
            yield f"  {group.name} (group of {len(group.members)}{mute}): {len(group.chats)} chats"
            yield from (_chat_line(chat, states) for chat in group.chats)
        for kind, title in _TITLES.items():
            items = handle.of_kind(kind)
            yield f"  {title}: {len(items)}"
            yield from (f"    {_item_line(item)}{_state(states, item.key)}" for item in items)
    for path, warning in folder.warnings:
        yield f"  ! {path}: {warning}"


_TITLES: Mapping[ItemKind, str] = {
    "world": "World books",
    "regex": "Regex scripts",
    "preset": "Presets",
    "persona": "Personas",
}


def _state(states: Mapping[str, TavernState], key: str) -> str:
    state = states.get(key, "new")
    return "" if state == "new" else f" [{'in the library' if state == 'here' else state}]"


def _character_line(character: TavernCharacter) -> str:
    brings = [f"{len(character.chats)} chats"]
    if character.entries:
        brings.append(f"a book of {character.entries} entries")
    if character.scripts:
        brings.append(f"{character.scripts} regex scripts")
    card = "" if character.avatar else " (no card)"
    return f"{character.called or character.name}{card}: {', '.join(brings)}"


def _chat_line(chat: TavernChat, states: Mapping[str, TavernState]) -> str:
    count = "?" if chat.messages is None else chat.messages
    parent = f", branch of {chat.main_chat}" if chat.main_chat else ""
    return f"    {chat.name}: {count} messages{parent}{_state(states, chat.path)}"


def _item_line(item: TavernItem) -> str:
    match item.kind:
        case "world":
            return f"{item.name}: {item.count} entries" + (", for every chat" if item.is_on else "")
        case "preset":
            return f"{item.name} ({item.detail}): {item.count} regex scripts"
        case "regex":
            return f"{item.name}: {'on' if item.is_on else 'off'}"
        case "persona":
            return item.name + (" (default)" if item.is_on else "")


def _print_taken(call: Call, rows: list[dict[str, Any]], troubles: list[InputError]) -> int:
    """Print what was imported. Raises the first error."""
    lines = [import_line(row) for row in rows]
    call.output.document(rows, lines or ["There was nothing of these kinds to take in."])
    if troubles:
        raise troubles[0]
    return 0


def _watch_arguments(parser: argparse.ArgumentParser) -> None:
    _folder_argument(parser)
    parser.add_argument(
        "--known",
        action="store_true",
        help="follow only chats the library has, and their branches (default: every chat, with the"
        " cards of who speaks in it)",
    )
    parser.add_argument(
        "--once", action="store_true", help="take in what is new, then end instead of waiting"
    )
    note = (
        f" (what is edited, and up to {MOST_DELETED} floors that are deleted, is no conflict here)"
    )
    conflict_argument(parser, note)


def _watch(call: Call) -> None:
    new: Take = "known" if call.args.known else "all"
    folder: Path = call.args.folder
    choice: OnConflict = call.args.on_conflict or "branch"
    call.memory.tavern.check_folder(folder)
    if call.args.once:
        reports = call.memory.tavern.catch_up(call.ctx, folder, new, choice)
    else:
        reports = call.memory.tavern.watch(call.ctx, folder, new, choice)
    for kept_report in call.memory.kept.sync(call.ctx):
        print_kept_news(call, kept_report)
    for report in reports:
        for happening in report.happened:
            _print_happening(call, happening)
        for warning in report.warnings:
            text = placed(warning.line, warning.message)
            _print_happening(call, Happening("warning", report.path, report.chat_id, detail=text))
        if report.happened and report.chat_id:
            for kept_report in call.memory.kept.sync(call.ctx, report.chat_id):
                print_kept_news(call, kept_report)


def _print_happening(call: Call, happening: Happening) -> None:
    call.output.document(_row(happening), [_line(happening)])


def _row(happening: Happening) -> dict[str, Any]:
    first, last = happening.floors or (None, None)
    row = {
        "event": happening.what,
        "file": happening.path,
        "chat_id": happening.chat_id or None,
        "branch_id": happening.branch_id or None,
        "count": happening.count,
        "start_index": first,
        "end_index": last,
        "detail": happening.detail,
    }
    return row | ({"conflict": happening.conflict.to_json()} if happening.conflict else {})


def _line(happening: Happening) -> str:
    where = f", floors {happening.floors[0]}-{happening.floors[1]}" if happening.floors else ""
    count = f" {happening.count}" if happening.count else ""
    detail = f": {happening.detail}" if happening.detail else ""
    kept = conflict_line(happening.conflict.to_json()) if happening.conflict else ""
    return f"{Path(happening.path).name}: {happening.what}{count}{where}{detail}{kept}"


def _adopt_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=path_argument,
        help="an Engram sync file, a chat exported from Risu, or a world book of MemoryBooks",
    )
    parser.add_argument("--plan", action="store_true", help="only say what would be taken over")
    parser.add_argument(
        "--tool", dest="tools", action="append", metavar="NAME", help="only of this; repeatable"
    )
    parser.add_argument(
        "--on-conflict",
        choices=get_args(OnOlder),
        default="skip",
        help="memories of a FILE that tell less far than what is here from the same place: skip"
        " them (default), or let them replace it",
    )


def _adopt(call: Call) -> None:
    line, tools = call.line, call.args.tools
    memories = call.memory.adopt.find(call.ctx, line, call.args.files)
    found = by_tool(memories)
    for tool in tools or ():
        if tool not in found:
            there = ", ".join(found) or "none"
            raise InputError(f"No memories of “{tool}” were found; the tools found: {there}.")
    chosen_memories = [memory for memory in memories if tools is None or memory.tool in tools]
    if call.args.plan:
        plan = call.memory.adopt.plan(line, chosen_memories)
        counts, new = by_tool(chosen_memories), by_tool(plan.new)
        lines = [f"{n} of {tool}, {new.get(tool, 0)} of them new" for tool, n in counts.items()]
        data = {"found": counts, "new": new, "outdated": plan.outdated}
        data |= {"older": len(plan.older)} if plan.older else {}
        data |= {
            "memories": [
                asdict(memory) | {"is_new": memory in plan.new} for memory in chosen_memories
            ]
        }
        call.output.document(data, lines or ["Nothing of a known tool was found."])
        return
    choice: OnOlder = call.args.on_conflict
    report = call.memory.adopt.take_over(call.ctx, line, chosen_memories, choice)
    data = asdict(report)
    del data["changes"]
    if not report.older:
        del data["older"]
    replaced = f", {report.replaced} outdated ones replaced" if report.replaced else ""
    older = f", {report.older} left out: what is here is newer" if report.older else ""
    text = f"{report.added} memories taken over, {report.skipped} known{replaced}{older}"
    call.output.document(data, [text])


_TAVERN_VERBS = (
    Verb("tavern", _tavern_arguments, _tavern, writes_if=lambda args: args.kinds is not None),
    Verb("watch", _watch_arguments, _watch, writes=True, shares=True, is_lasting=True),
    Verb("adopt", _adopt_arguments, _adopt, writes_if=lambda args: not args.plan),
)


VERBS = (*_TAVERN_VERBS,)
