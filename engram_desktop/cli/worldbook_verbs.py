"""Worldbooks, and those kept in sync with memory."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from typing_extensions import override

from engram_desktop.cli.file_reports import import_line, import_row, kept_line
from engram_desktop.cli.verb import Call, Verb, chat_and_branch, no_arguments, path_argument
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.tavern.folder import name_of_tag
from engram_desktop.domain.worldbooks.activation import Outcome
from engram_desktop.domain.worldbooks.merging import KeptWorldbook, MergeEntry, MergePlan, Side, Uid
from engram_desktop.domain.worldbooks.worldbook import (
    ENTRY_MODES,
    ROLES,
    TRIGGERS,
    Entry,
    Position,
    Worldbook,
    mode_flags,
    with_fields,
)
from engram_desktop.formats.world_info import read_field

# `books`, `book`, `activate`, `characters`: the worldbooks and cards of the library.


def _worldbooks(call: Call) -> None:
    rows = call.memory.worldbooks.all()
    lines = [
        f"{row.id}  {row.name}  {row.entries} entries"
        + ("  for every chat" if row.is_global else "")
        + (f"  of {row.owner}" if row.owner else "")
        for row in rows
    ]
    call.output.document([asdict(row) for row in rows], lines or ["There is no world book yet."])


def _worldbook_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("book", metavar="NAME", help="id, name or title of a world book")
    parser.add_argument(
        "--entry", dest="uids", action="append", metavar="UID", help="only this one; repeatable"
    )
    parser.add_argument("--mode", choices=ENTRY_MODES, help="give the entries this mode")
    parser.add_argument(
        "--set",
        dest="fields",
        action="append",
        metavar="FIELD=VALUE",
        help="give the entries another value, by SillyTavern's name of the field; repeatable",
    )
    parser.add_argument("--add", action="store_true", help="add an entry, with what --set says")
    parser.add_argument("--drop", action="store_true", help="take the entries of --entry out")
    parser.add_argument("--rename", metavar="NEW", help="give it another name")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--every-chat", action="store_true", help="use it in every chat")
    action.add_argument("--own-chats", action="store_true", help="use it in its character's only")
    action.add_argument("--on-in", metavar="CHAT", help="use it in this chat, too")
    action.add_argument("--off-in", metavar="CHAT", help="do not use it in this chat any more")
    action.add_argument("--delete", action="store_true", help="take the book out of the library")


def _worldbook_writes(args: argparse.Namespace) -> bool:
    changes = (args.mode, args.fields, args.add, args.drop, args.rename)
    binds = (args.every_chat, args.own_chats, args.on_in, args.off_in)
    return any(changes) or any(binds) or args.delete


def _worldbook(call: Call) -> None:
    memory, args = call.memory, call.args
    row = memory.worldbooks.find(args.book)
    entries = _chosen(memory.worldbooks.read(row.id), args.uids)
    fields = _fields(args)
    if args.drop:
        if args.uids is None:
            raise InputError("Say which entries: --entry UID.")
        memory.worldbooks.delete_entries(row.id, [entry.uid for entry in entries])
        entries = []
    elif args.add:
        added, _changes = memory.worldbooks.add_entry(row.id, with_fields(Entry(0), fields))
        entries = [added]
    elif fields:
        memory.worldbooks.change_entries(row.id, [entry.uid for entry in entries], fields)
        by_uid = {entry.uid: entry for entry in memory.worldbooks.read(row.id).entries}
        entries = [by_uid[entry.uid] for entry in entries]
    if args.rename:
        memory.worldbooks.rename(row.id, args.rename)
    if args.every_chat or args.own_chats:
        memory.worldbooks.set_global(row.id, is_global=args.every_chat)
    if chat := args.on_in or args.off_in:
        memory.worldbooks.set_in_chat(row.id, memory.chats.find(chat), is_on=bool(args.on_in))
    if args.delete:
        memory.worldbooks.delete(row.id)
        call.output.document({"deleted": row.name}, [f"{row.name} is no longer in the library"])
        return
    tags = memory.characters.tag_names()
    data = asdict(memory.worldbooks.find(row.id)) | {"entries": [_entry(e, tags) for e in entries]}
    lines = [f"{e.uid}  {e.mode}  {e.title}  {e.tokens} tokens" for e in entries]
    call.output.document(data, lines)


def _chosen(worldbook: Worldbook, uids: Sequence[str] | None) -> list[Entry]:
    """Return the entries with these numbers, in order; all if None. Raises NotFound."""
    numbers = {str(entry.uid) for entry in worldbook.entries}
    for uid in uids or ():
        if uid not in numbers:
            raise NotFound("entry", uid)
    return [entry for entry in worldbook.entries if uids is None or str(entry.uid) in uids]


def _fields(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields that --mode and --set change. Raises InputError."""
    fields: dict[str, Any] = dict(mode_flags(args.mode)) if args.mode else {}
    for assignment in args.fields or ():
        name, equals, value = assignment.partition("=")
        if not equals:
            raise InputError(f"“{assignment}” is not FIELD=VALUE.")
        read = read_field(name, value)
        matches = {**fields.get("matches", {}), **read.get("matches", {})}
        fields |= read | ({"matches": matches} if matches else {})
    return fields


def _entry(entry: Entry, tags: Mapping[str, str]) -> dict[str, Any]:
    fields = asdict(entry)
    if entry.character_filter:
        called = [name_of_tag(tags, tag) for tag in entry.character_filter.tags]
        fields["character_filter"]["tag_names"] = called
    return fields | {"matches": sorted(entry.matches), "mode": entry.mode, "tokens": entry.tokens}


def _activate_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "--book",
        dest="books",
        action="append",
        metavar="NAME",
        help="hold this book against the chat; repeatable (default: those that are on in it)",
    )
    parser.add_argument(
        "--with-memory",
        action="store_true",
        help="and the chat's own [Engram] book, as if SillyTavern had it",
    )
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as after this floor")
    parser.add_argument("--seed", type=int, default=0, help="what chance comes from")
    parser.add_argument(
        "--trigger", choices=TRIGGERS, default="normal", help="for which kind of reply"
    )


def _activate(call: Call) -> None:
    args, memory = call.args, call.memory
    worldbooks: list[str | Worldbook] | None = args.books
    if args.with_memory:
        bound = [row.id for row in memory.worldbooks.of_chat(call.line)]
        memory_worldbook = memory.kept.memory_worldbook(call.ctx, call.line)
        worldbooks = [*(args.books or bound), memory_worldbook.as_worldbook(call.ctx)]
    activation = memory.worldbooks.activate(
        call.ctx, call.line, worldbooks, at=args.at, seed=args.seed, trigger=args.trigger
    )
    missing = memory.worldbooks.missing(call.line)
    data = {
        "tokens": activation.tokens,
        "budget": activation.budget,
        "rounds": activation.rounds,
        "missing": missing,
        "fired": [[*outcome.key] for outcome in activation.fired],
        "entries": [_outcome(outcome) for outcome in activation.outcomes],
    }
    lines = [
        f"{'+' if o.has_fired else '-'} {o.key[0]}/{o.key[1]}  {o.entry.title}: {o.reason.phrase}"
        for o in activation.outcomes
    ]
    lines += [f"! {name} is bound to this chat and not in the library" for name in missing]
    lines.append(
        f"{len(activation.fired)} entries, {activation.tokens} of {activation.budget} tokens"
    )
    call.output.document(data, lines)


def _outcome(outcome: Outcome) -> dict[str, Any]:
    entry = outcome.entry
    return {
        "book": outcome.key[0],
        "uid": outcome.key[1],
        "title": entry.title,
        "mode": entry.mode,
        "fired": outcome.has_fired,
        "why": outcome.reason.why,
        "reason": str(outcome.reason.phrase),
        "tokens": outcome.tokens,
        "place": outcome.place,
        "position": entry.position.name.lower(),
        "depth": entry.depth if entry.position is Position.AT_DEPTH else None,
        "role": ROLES[entry.role] if entry.position is Position.AT_DEPTH else None,
        "outlet": entry.outlet_name if entry.position is Position.OUTLET else None,
        "order": entry.order,
        "automation_id": entry.automation_id or None,  # SillyTavern would run it
    }


_WORLDBOOK_VERBS = (
    Verb("books", no_arguments, _worldbooks),
    Verb("book", _worldbook_arguments, _worldbook, writes_if=_worldbook_writes),
    Verb("activate", _activate_arguments, _activate),
)


# `kept`: worldbook files kept in sync with memory: list, sync, merge, move, take, stop.


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=path_argument, help="only this file"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--sync", action="store_true", help="bring them to what memory says now")
    action.add_argument(
        "--to",
        type=path_argument,
        metavar="NEW",
        help="keep NEW in step in the place of FILE, which stays",
    )
    action.add_argument(
        "--take",
        action="store_true",
        help="make what FILE holds now a world book of its own, and keep it in step no more",
    )
    action.add_argument(
        "--compare",
        action="store_true",
        help="show both sides of each entry of FILE that was changed there",
    )
    action.add_argument(
        "--merge",
        action="store_true",
        help="take what was changed in FILE into the memory, and write FILE from that",
    )
    action.add_argument("--stop", action="store_true", help="keep FILE in step no more; it stays")
    for side, whose in (("here", "the memory's side stays"), ("there", "FILE's side is taken")):
        parser.add_argument(
            f"--{side}",
            metavar="UID",
            nargs="*",
            default=[],
            help=f"with --merge: of these entries {whose}; without numbers: of all that",
            action=_Sides,
        )


class _Sides(argparse.Action):
    """Collects the side to take for entries; an empty list means every entry."""

    @override
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values or [EVERY])


EVERY = "*"


def _kept(call: Call) -> int | None:
    memory, args = call.memory, call.args
    if args.file is None and (args.to or args.take or args.compare or args.merge or args.stop):
        raise InputError("Name the file: engram kept FILE …")
    if args.sync:
        reports = memory.kept.sync(call.ctx, file=args.file, is_asked=args.file is not None)
        rows = [_row(report.worldbook) | {"is_written": report.is_written} for report in reports]
        call.output.document(rows, [kept_line(report) for report in reports] or [_NONE])
        return 1 if any(report.worldbook.fault for report in reports) else None
    if args.to:
        report = memory.kept.keep_elsewhere(call.ctx, args.file, args.to)
        call.output.document(_row(report.worldbook), [kept_line(report)])
        return None
    if args.take:
        import_data = import_row(memory.kept.take(call.ctx, args.file))
        call.output.document(import_data, [import_line(import_data)])
        return None
    if args.compare or args.merge:
        return (_merge if args.merge else _compare)(call)
    if args.stop:
        row = memory.kept.stop(args.file)
        call.output.document({"stopped": row.path}, [f"{row.path} is kept in step no more"])
        return None
    worldbooks = memory.kept.all() if args.file is None else [memory.kept.find(args.file)]
    call.output.document(
        [_row(worldbook) for worldbook in worldbooks], list(map(_line, worldbooks)) or [_NONE]
    )
    return None


def _compare(call: Call) -> None:
    plan = call.memory.tavern.plan_merge(call.ctx, call.args.file)
    rows = [_change(entry) for entry in plan.entries]
    is_ours = plan.file_hash == call.memory.kept.find(call.args.file).hash
    nothing = _AS_WRITTEN if is_ours else _NO_CHANGE
    call.output.document(rows, list(map(_change_line, plan.entries)) or [nothing])


def _merge(call: Call) -> int | None:
    memory, args = call.memory, call.args
    plan = memory.tavern.plan_merge(call.ctx, args.file)
    sides = _sides(plan, args.here, args.there)
    report = memory.tavern.merge_worldbook(call.ctx, plan, sides)
    data = _row(report.worldbook) | {"taken": report.taken, "left": report.left}
    line = f"{report.worldbook.path}: {report.taken} taken, {report.left} left, {_RELOAD}"
    call.output.document(data, [str(report.worldbook.trouble or line)])
    return 1 if report.worldbook.fault else None


def _sides(plan: MergePlan, here: Sequence[str], there: Sequence[str]) -> dict[Uid, Side]:
    """Return the side chosen for each entry, by number. Raises NotFound for an unknown entry."""
    numbers = {str(entry.uid): entry.uid for entry in plan.entries}
    sides: dict[Uid, Side] = {}
    asked: tuple[tuple[Side, Sequence[str]], ...] = (("here", here), ("there", there))
    for side, uids in sorted(asked, key=lambda one: EVERY not in one[1]):
        for number in numbers if EVERY in uids else uids:
            if number not in numbers:
                raise NotFound("changed entry", number)
            sides[numbers[number]] = side
    return sides


def _change(entry: MergeEntry) -> dict[str, Any]:
    return {
        "uid": entry.uid,
        "title": entry.title,
        "happened": entry.happened,
        "is_both": entry.is_both,
        "suggested": entry.suggested,
        "here": _side(entry.here),
        "there": _side(entry.there),
        "only_there": list(entry.only_there),
    }


def _side(entry: Entry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {"content": entry.content, "keys": list(entry.keys), "is_constant": entry.is_constant}


def _change_line(entry: MergeEntry) -> str:
    both = ", and changed here" if entry.is_both else ""
    head = f"{entry.uid}  {entry.title}: {entry.happened} there{both}; {entry.suggested} suggested"
    sides = (("memory", entry.here), ("file", entry.there))
    texts = [f"  {name}: {side.content if side else '(not there)'}" for name, side in sides]
    return "\n".join([head, *texts])


_AS_WRITTEN = "Nothing was changed there since it was written."
_NO_CHANGE = "No entry was changed there: an older copy was saved. --merge writes the file again."
_RELOAD = "written; reload SillyTavern's page"
_NONE = "No world book is kept in step. Begin with: export CHAT --format worldbook -o FILE --keep"


def _row(row: KeptWorldbook) -> dict[str, Any]:
    data = asdict(row)
    del data["hash"], data["next_hash"]
    return data | {"trouble": str(row.trouble or "")}


def _line(row: KeptWorldbook) -> str:
    state = str(row.trouble or f"{row.entries} entries")
    return f"{row.path}  chat {row.chat_id}  branch {row.branch_id}  {state}"


_KEPT_VERBS = (
    Verb(
        "kept",
        _arguments,
        _kept,
        writes_if=lambda args: bool(args.sync or args.stop or args.to or args.take or args.merge),
    ),
)


VERBS = (*_WORLDBOOK_VERBS, *_KEPT_VERBS)
