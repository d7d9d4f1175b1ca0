"""`branches`, `fork`: the lines of a chat."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from engram_desktop.cli.verb import Call, Verb, branch_argument, chat_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.branch import Branch
from engram_desktop.domain.memory.line import Line


def _branches_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--rename", nargs=2, metavar=("BRANCH", "NAME"))
    action.add_argument("--delete", metavar="BRANCH")
    action.add_argument("--compare", nargs=2, metavar=("ONE", "OTHER"))


def _changes(args: argparse.Namespace) -> bool:
    return bool(args.rename or args.delete)


def _branches(call: Call) -> None:
    chat_id, args, memory = call.chat_id, call.args, call.memory
    if args.compare:
        _compare(call, chat_id)
        return
    if args.rename:
        memory.branches.rename(
            Line(chat_id, memory.branches.find(chat_id, args.rename[0])), args.rename[1]
        )
    elif args.delete:
        memory.branches.delete(Line(chat_id, memory.branches.find(chat_id, args.delete)))
    branches = memory.branches.all(chat_id)
    call.output.document([asdict(b) for b in branches], [_line(b) for b in branches])


def _line(branch: Branch) -> str:
    shares = branch.fork_seq is not None and branch.fork_seq >= 0
    fork = f", forked at floor {branch.fork_seq}" if shares else ""
    return (
        f"{branch.id:<12}  {branch.name}  {branch.messages} messages, {branch.events} events{fork}"
    )


def _compare(call: Call, chat_id: str) -> None:
    first, second = (call.memory.branches.find(chat_id, name) for name in call.args.compare)
    comparison = call.memory.branches.compare(chat_id, first, second)
    pks = [*comparison.only_first, *comparison.only_second, *comparison.shared]
    events = call.memory.events.fetch(chat_id, pks)
    data = {
        name: [{"id": events[pk].id, "summary": events[pk].summary} for pk in part]
        for name, part in asdict(comparison).items()
    }
    lines = [f"{len(comparison.shared)} events are shared"]
    for mark, part in (("<", comparison.only_first), (">", comparison.only_second)):
        lines += [f"{mark} {events[pk].summary}" for pk in part]
    call.output.document(data, lines)


def _fork_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    parser.add_argument("--at", type=int, required=True, metavar="FLOOR", help="last shared floor")
    parser.add_argument("--as", dest="name", default="", metavar="NAME")
    branch_argument(parser)


def _fork(call: Call) -> None:
    if call.args.at < 0:
        raise InputError("The floor to fork at is 0 or more.")
    branch_id, _changes = call.memory.branches.fork(call.line, at=call.args.at, name=call.args.name)
    branch = next(b for b in call.memory.branches.all(call.chat_id) if b.id == branch_id)
    call.output.document(asdict(branch), [_line(branch)])


VERBS = (
    Verb(
        "branches",
        _branches_arguments,
        _branches,
        writes_if=_changes,
    ),
    Verb("fork", _fork_arguments, _fork, writes=True),
)
