"""`kept`: worldbook files kept in step with memory: list, sync, merge, move, take, stop."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from typing_extensions import override

from engram_desktop.cli.import_rows import import_line, import_row
from engram_desktop.cli.kept_report import kept_line
from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.worldbooks.merging.kept_worldbook import KeptWorldbook
from engram_desktop.domain.worldbooks.merging.worldbook_merge import (
    MergeEntry,
    MergePlan,
    Side,
    Uid,
)
from engram_desktop.domain.worldbooks.worldbook import Entry


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
    """Collects which side of which entry is wanted; an empty list means every entry."""

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
    if args.sync:
        reports = memory.kept.sync(call.ctx, file=args.file, is_asked=args.file is not None)
        rows = [_row(report.worldbook) | {"is_written": report.is_written} for report in reports]
        call.output.document(rows, [kept_line(report) for report in reports] or [_NONE])
        return 1 if any(report.worldbook.fault for report in reports) else None
    if args.to:
        report = memory.kept.keep_elsewhere(call.ctx, args.file or Path(), args.to)
        call.output.document(_row(report.worldbook), [kept_line(report)])
        return None
    if args.take:
        import_data = import_row(memory.kept.take(call.ctx, args.file or Path()))
        call.output.document(import_data, [import_line(import_data)])
        return None
    if args.compare or args.merge:
        return (_merge if args.merge else _compare)(call)
    if args.stop:
        row = memory.kept.stop(args.file or Path())
        call.output.document({"stopped": row.path}, [f"{row.path} is kept in step no more"])
        return None
    path = str(args.file.absolute()) if args.file else None
    worldbooks = [worldbook for worldbook in memory.kept.all() if path in (None, worldbook.path)]
    call.output.document(
        [_row(worldbook) for worldbook in worldbooks], list(map(_line, worldbooks)) or [_NONE]
    )
    return None


def _compare(call: Call) -> None:
    plan = call.memory.tavern.plan_merge(call.ctx, call.args.file or Path())
    rows = [_change(entry) for entry in plan.entries]
    call.output.document(rows, list(map(_change_line, plan.entries)) or [_NO_CHANGE])


def _merge(call: Call) -> int | None:
    memory, args = call.memory, call.args
    plan = memory.tavern.plan_merge(call.ctx, args.file or Path())
    sides = _sides(plan, args.here, args.there)
    report = memory.tavern.merge_worldbook(call.ctx, plan, sides)
    data = _row(report.worldbook) | {"taken": report.taken, "left": report.left}
    line = f"{report.worldbook.path}: {report.taken} taken, {report.left} left, {_RELOAD}"
    call.output.document(data, [str(report.worldbook.trouble or line)])
    return 1 if report.worldbook.fault else None


def _sides(plan: MergePlan, here: Sequence[str], there: Sequence[str]) -> dict[Uid, Side]:
    """Which side of each entry was asked for by number. Raises NotFound for one that is none."""
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
    return {
        "content": entry.content,
        "keys": list(entry.keys),
        "is_constant": entry.is_constant,
    }


def _change_line(entry: MergeEntry) -> str:
    both = ", and changed here" if entry.is_both else ""
    head = f"{entry.uid}  {entry.title}: {entry.happened} there{both}; {entry.suggested} suggested"
    sides = (("memory", entry.here), ("file", entry.there))
    texts = [f"  {name}: {side.content if side else '(not there)'}" for name, side in sides]
    return "\n".join([head, *texts])


_NO_CHANGE = "No entry was changed there: an older copy was saved. --merge writes the file anew."
_RELOAD = "written; reload SillyTavern's page"
_NONE = "No world book is kept in step. Begin with: export CHAT --format worldbook -o FILE --keep"


def _row(row: KeptWorldbook) -> dict[str, Any]:
    data = asdict(row)
    del data["hash"], data["next_hash"]
    return data | {"trouble": str(row.trouble or "")}


def _line(row: KeptWorldbook) -> str:
    state = str(row.trouble or f"{row.entries} entries")
    return f"{row.path}  chat {row.chat_id}  branch {row.branch_id}  {state}"


VERBS = (
    Verb(
        "kept",
        _arguments,
        _kept,
        writes_if=lambda args: bool(args.sync or args.stop or args.to or args.take or args.merge),
    ),
)
