"""`volume`, `folder`: a chat's memories as a volume that others read, and as Markdown files."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import (
    Call,
    Verb,
    branch_argument,
    chat_and_branch,
    chat_argument,
    path_argument,
)
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.volume import MAX_TEXT, VOLUME_KINDS, VolumeInfo
from engram_desktop.domain.reports import FOLDER_FAULTS
from engram_desktop.domain.text.moment import moment

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import FolderReport, KeptFolder, Side


_KIND_HELP = {
    "outlines": "the story so far",
    "events": "what happened",
    "people": "persons, places and things, with what is known of them",
    "relations": "what holds between them",
    "threads": "promises that are still open",
    "state": "the values of the state as they stand at the end",
}
_READS = ("list", "show", "export", "preview")


def _arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    # options before the action need not be repeated after it, but may be
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON on stdout"
    )
    shared.add_argument(
        "--library", type=path_argument, default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )

    def action(name: str, text: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text, parents=[shared])

    listing = action("list", "list the volumes, and which chats read each")
    listing.add_argument("--chat", metavar="CHAT", help="only those that this chat reads")
    preview = action("preview", "count what a volume of a chat would hold")
    chat_and_branch(preview)
    limit = f"of a text of more than {MAX_TEXT:,} characters the beginning is taken"
    make = action("make", f"make a volume of what a chat remembers; {limit}")
    chat_argument(make)
    branch_argument(make)
    make.add_argument("--title", required=True, metavar="T", help="what the volume is called")
    for kind in VOLUME_KINDS:
        text = f"take {_KIND_HELP[kind]} (none of these options: take everything)"
        make.add_argument(f"--{kind}", action="store_true", help=text)
    show = action("show", "show what a volume holds, with who knows it")
    _volume_argument(show)
    for name, text in (
        ("attach", "let a chat read a volume: recall and prompts tell of it as the earlier story"),
        ("detach", "let a chat no longer read a volume"),
    ):
        both = action(name, text)
        _volume_argument(both)
        chat_argument(both)
    update = action("update", "make a volume again from its chat; chats that read it go on")
    _volume_argument(update)
    export = action("export", "write a volume to a new file")
    _volume_argument(export)
    export.add_argument("file", metavar="FILE", type=path_argument, help="a new file")
    taken = action("import", "take a volume in from a file")
    taken.add_argument("file", metavar="FILE", type=path_argument, help="what `export` wrote")
    delete = action("delete", "delete a volume; chats that read it say that it is missing")
    _volume_argument(delete)


def _volume_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("volume", metavar="VOLUME", help="id or title of a volume")


def _volume(call: Call) -> None:
    {
        "list": _list,
        "preview": _preview,
        "make": _make,
        "show": _show,
        "attach": _attach,
        "detach": _attach,
        "update": _update,
        "export": _export,
        "import": _import,
        "delete": _delete,
    }[call.args.action](call)


def _list(call: Call) -> None:
    volumes = call.memory.volumes
    chat_id = call.memory.chats.find(call.args.chat) if call.args.chat else None
    rows = volumes.all() if chat_id is None else volumes.of_chat(chat_id)
    names = {chat.chat_id: chat.name for chat in call.memory.chats.all()}
    lines = [_line(row, names) for row in rows]
    call.output.document([volume_row(row) for row in rows], lines or ["There is no volume yet."])


def _preview(call: Call) -> None:
    counts = call.memory.volumes.preview(call.ctx, call.line)
    call.output.document(dict(counts), [_counts(counts)])


def _make(call: Call) -> None:
    chosen = tuple(kind for kind in VOLUME_KINDS if getattr(call.args, kind))
    info, _changes = call.memory.volumes.make(
        call.ctx, call.line, call.args.title, chosen or VOLUME_KINDS
    )
    call.output.document(volume_row(info), [_line(info, {})])


def _show(call: Call) -> None:
    info = call.memory.volumes.find(call.args.volume)
    volume = call.memory.volumes.read(info.id)
    data: dict[str, Any] = volume_row(info) | {
        "persons": [{"name": p.name, "aliases": list(p.aliases)} for p in volume.persons],
        "events": [
            {
                "id": e.id,
                "summary": e.summary,
                "level": e.level,
                "floors": [e.first, e.last],
                "known_by": list(e.known_by),
            }
            for e in volume.events
        ],
        "entities": [
            {"name": e.name, "description": e.description, "known_by": list(e.known_by)}
            for e in volume.entities
        ],
        "facts": [
            {"origin": f.origin, "text": f.text, "known_by": list(f.known_by)} for f in volume.facts
        ],
    }
    lines = [_line(info, {})]
    for event in volume.events:
        kind = "outline" if event.level else "event"
        lines.append(_told(kind, event.summary, event.known_by))
    for entity in volume.entities:
        text = " ".join(f"{entity.name}: {entity.description}".split())
        lines.append(_told(entity.type, text, entity.known_by))
    lines += [_told(fact.origin, fact.text, fact.known_by) for fact in volume.facts]
    call.output.document(data, lines)


def _attach(call: Call) -> None:
    volumes, args = call.memory.volumes, call.args
    do = volumes.attach if args.action == "attach" else volumes.detach
    changes = do(call.ctx, args.volume, call.chat_id)
    _say(call, changes, volume_row(volumes.find(args.volume)) if args.action == "attach" else {})


def _update(call: Call) -> None:
    info, changes = call.memory.volumes.update(call.ctx, call.args.volume)
    _say(call, changes, volume_row(info))


def _export(call: Call) -> None:
    file: Path = call.args.file
    info = call.memory.volumes.export(call.ctx, call.args.volume, file)
    call.output.document({"file": str(file), "id": info.id}, [f"{info.title}: {file}"])


def _import(call: Call) -> None:
    info, changes = call.memory.volumes.import_file(call.ctx, call.args.file)
    is_new = changes.volumes
    line = _line(info, {}) if is_new else f"{info.title} is in the library already"
    call.output.document(volume_row(info) | {"added": is_new}, [line])


def _delete(call: Call) -> None:
    info = call.memory.volumes.find(call.args.volume)
    changes = call.memory.volumes.delete(call.ctx, info.id)
    _say(call, changes, {"deleted": info.id, "users": list(info.users)})


def _say(call: Call, changes: Changes, data: dict[str, Any]) -> None:
    label = "" if changes.undo_label is None else str(changes.undo_label)
    call.output.document(
        data | {"label": label}, [f"done: {label}" if label else "nothing changed"]
    )


def volume_row(info: VolumeInfo) -> dict[str, Any]:
    """Return the row of a volume in a list, as JSON values."""
    return {
        "id": info.id,
        "title": info.title,
        "source": info.source,
        "chat_id": info.chat_id or None,
        "branch_id": info.branch_id or None,
        "kinds": list(info.kinds),
        "counts": dict(info.counts),
        "bytes": info.size,
        "made_at": info.made_at,
        "users": list(info.users),
        "missing": info.is_missing,
    }


def _line(info: VolumeInfo, names: dict[str, str]) -> str:
    users = ", ".join(names.get(chat_id, chat_id) for chat_id in info.users)
    read_by = f"; read by {users}" if users else ""
    if info.is_missing:
        return f"{info.id}  {info.title}  ! deleted{read_by}"
    day = moment(info.made_at).date().isoformat()
    return f"{info.id}  {info.title}  of {info.source}, {day}: {_counts(info.counts)}{read_by}"


def _counts(counts: Any) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in counts.items() if number) or "nothing"


def _told(kind: str, text: str, known_by: tuple[str, ...]) -> str:
    who = "everybody" if known_by == ("*",) else ", ".join(known_by) or "nobody"
    return f"{kind:<8} {' '.join(text.split())[:160]}  [{who}]"


_VOLUME_VERBS = (
    Verb(
        "volume",
        _arguments,
        _volume,
        can_read_only=True,
        writes_if=lambda args: args.action not in _READS or args.action == "preview",
        must_write=lambda args: args.action not in _READS,
    ),
)


# `folder`: a chat's memories as a folder of Markdown files, kept in sync both ways.


LOOK_SECONDS = 2.0  # between two looks of --watch: an edit is seen while its editor is still open


def _folder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    parser.add_argument(
        "path",
        metavar="DIR",
        nargs="?",
        type=path_argument,
        help="a new or empty folder, or one that is kept; without it the kept ones are listed",
    )
    branch_argument(parser)
    parser.add_argument("--watch", action="store_true", help="go on until Ctrl+C")
    parser.add_argument(
        "--once", action="store_true", help="bring both in step once, and end (the default)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--here", metavar="NAME", help="of a conflict, by its file: let the memory stand"
    )
    how.add_argument(
        "--there", metavar="NAME", help="of a conflict, by its file: let the file stand"
    )
    how.add_argument(
        "--with-deletions",
        action="store_true",
        help="many files that are gone at once were meant to be: delete their memories",
    )
    how.add_argument("--stop", action="store_true", help="keep it no more; its files stay")


def _folder(call: Call) -> int | None:
    args, folders = call.args, call.memory.care.folders
    if args.path is None:
        if args.stop or args.watch or args.here or args.there or args.with_deletions:
            raise InputError("Name the folder: engram folder CHAT DIR …")
        rows = folders.all(call.chat_id if args.chat is not None else None)
        call.output.document(
            [_row(row) for row in rows], [_folder_line(row) for row in rows] or [_NO_FOLDER]
        )
        return None
    if args.stop:
        row = folders.stop(args.path)
        call.output.document({"stopped": row.path}, [f"{row.path} is kept in step no more"])
        return None
    report = folders.keep(call.ctx, call.line, args.path)
    if args.here is not None or args.there is not None:
        file = args.here if args.here is not None else args.there
        side: Side = "here" if args.here is not None else "there"
        report = folders.choose(call.ctx, args.path, file, side)
    elif args.with_deletions:
        (report,) = folders.sync(call.ctx, args.path, with_deletions=True)
    _print(call, report)
    ended = threading.Event()
    call.ctx.on_cancel(ended.set)
    while args.watch and not args.once:
        ended.wait(LOOK_SECONDS)
        call.ctx.check()
        (newer,) = folders.sync(call.ctx, args.path)
        if _said(newer) != _said(report) or newer.count:
            _print(call, newer)
        report = newer
    return 1 if report.folder.fault or report.conflicts else None


def _said(report: FolderReport) -> object:
    return (report.folder.fault, report.lines)


def _print(call: Call, report: FolderReport) -> None:
    folder = report.folder
    document = {
        **_row(folder),
        "written": report.written,
        "edited": report.edited,
        "added": report.added,
        "removed": report.removed,
        "conflicts": [
            {"file": one.file, "reason": str(one.reason), "here": one.here, "there": one.there}
            for one in report.conflicts
        ],
        "troubles": [
            {"file": one.file, "reason": str(one.reason)}
            for one in report.lines
            if not one.is_conflict
        ],
    }
    lines = [
        f"{folder.path}: {report.written} files written; from files {report.edited} edited,"
        f" {report.added} added, {report.removed} deleted",
        *([FOLDER_FAULTS[folder.fault]] if folder.fault else []),
        *(
            f"  {'?' if one.is_conflict else '!'} {one.file or folder.path}: {one.reason}"
            for one in report.lines
        ),
    ]
    call.output.document(document, lines)


def _row(row: KeptFolder) -> dict[str, Any]:
    return {
        "folder": row.path,
        "chat_id": row.chat_id,
        "branch_id": row.branch_id,
        "files": len(row.marks),
        "synced_at": row.synced_at,
        "fault": row.fault,
    }


def _folder_line(row: KeptFolder) -> str:
    fault = f" ({FOLDER_FAULTS[row.fault]})" if row.fault else ""
    return f"{row.path}: {len(row.marks)} files of the chat {row.chat_id}{fault}"


_NO_FOLDER = "No folder is kept. Begin with: engram folder CHAT DIR"

_FOLDER_VERBS = (
    Verb(
        "folder",
        _folder_arguments,
        _folder,
        shares=True,
        writes_if=lambda args: args.path is not None,
    ),
)


VERBS = (*_VOLUME_VERBS, *_FOLDER_VERBS)
