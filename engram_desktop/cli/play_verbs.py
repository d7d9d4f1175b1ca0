"""`play`: play with characters, one turn per input line; `state`: the values of the story."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import Call, Verb, as_argument, chat_and_branch, standard_input
from engram_desktop.domain.errors import InputError, KnownError, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.play import ReplyPiece
from engram_desktop.domain.recall.query import LEVELS, Level
from engram_desktop.domain.state.tree import (
    StateChange,
    StateEntry,
    StatePath,
    join_path,
    leaves,
    split_path,
)
from engram_desktop.formats.chats.played import event_fields

if TYPE_CHECKING:
    from engram_desktop.domain.play import Turn, TurnNote


_HELP = (
    "In a line: /reroll, /continue, /undo, /swipe N, /delete, /next NAME (lets somebody speak),"
    " /close (looks back on what is new; so does the end, with reflect.auto),"
    " /level EVENT (for the turns that follow; /level auto ends it), /quit."
)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    parser.add_argument("--branch", metavar="B", help="id or name of a branch (default: main)")
    parser.add_argument(
        "--card", metavar="NAME", action="append", default=[], help="begin a chat with this card"
    )
    parser.add_argument("--scene", metavar="NAME", help="play a written scene: headpat, aquarium")
    parser.add_argument("--language", choices=("zh", "en"), default="zh", help="of the scene")
    parser.add_argument("--turns", type=int, metavar="N", help="of a written scene, and then end")
    parser.add_argument("--player", metavar="NAME", default="", help="your name in a new chat")
    parser.add_argument("--greeting", type=int, metavar="N", default=1, help="which one (from 1)")
    parser.add_argument("--level", choices=LEVELS, help="what every turn is taken for")
    parser.add_argument("--as", dest="speaker", metavar="SPEAKER", default="", help="who replies")


class _Table:
    """One session of play: a line, and the options for the next turns."""

    def __init__(self, call: Call, line: Line) -> None:
        self._call = call
        self._play = call.memory.play
        self.line = line
        self._level: Level | None = call.args.level

    def say(self, text: str) -> None:
        """Play one turn, or run a command."""
        word, _blank, rest = text.partition(" ")
        match word:
            case "/reroll":
                self._turn(lambda **how: self._play.reroll(self._call.ctx, self.line, **how))
            case "/continue":
                turn = self._play.go_on(self._call.ctx, self.line, on_piece=self._on_piece())
                self._told(turn)
            case "/undo":
                changes = self._call.memory.history.undo(self.line.chat_id)
                self._note({"undone": str(changes.undo_label)})
            case "/close":
                report = self._play.close_session(self._call.ctx, self.line)
                self._note({"logs": report.logs_added, "events": report.events_added})
            case "/delete":
                self._play.delete_last(self.line)
                self._note({"deleted": 1})
            case "/swipe":
                floor = self._call.memory.messages.count(self.line) - 1
                self._play.swipe(self.line, floor, _number(rest) - 1)
                self._note({"floor": floor, "reply": self._text(floor)})
            case "/next":
                name = rest.strip()
                self._turn(
                    lambda **how: self._play.reply(self._call.ctx, self.line, speaker=name, **how)
                )
            case "/level":
                self._level = _level(rest)
            case _ if word.startswith("/"):
                raise InputError(f"There is no command “{word}”. {_HELP}")
            case _:
                speaker = self._call.args.speaker
                self._turn(
                    lambda **how: self._play.send(
                        self._call.ctx, self.line, text, speaker=speaker, **how
                    )
                )

    def leave(self) -> None:
        """End the session; automation looks back on it as far as the settings allow."""
        try:
            report = self._call.memory.automation.run(self._call.ctx, self.line, ended=True)
        except KnownError as e:  # what was played is kept; it is due again the next time
            print(f"engram: {e}", file=sys.stderr)
            return
        if report.logs or report.events_added or report.waiting:
            done = {"logs": report.logs, "events": report.events_added, "drafts": report.waiting}
            self._note({"looked_back": done} if self._call.output.as_json else done)

    def show(self, floor: int) -> None:
        """Print an existing message."""
        self._note({"floor": floor, "reply": self._text(floor)})

    def _turn(self, act: Any) -> None:
        self._told(act(level=self._level, on_piece=self._on_piece()))

    def _told(self, turn: Turn) -> None:
        if self._call.output.as_json:
            self._call.output.row(turn_row(turn))
            return
        print()
        if turn.note is not None:
            for line in _note_lines(turn.note):
                print(f"  {line}")

    def _note(self, row: dict[str, Any]) -> None:
        if self._call.output.as_json:
            self._call.output.row(row)
        else:
            print(*(str(value) for value in row.values()))

    def _on_piece(self) -> Any:
        """Return a function that prints a reply while it streams; JSON is printed at the end."""
        return None if self._call.output.as_json else _print_piece

    def _text(self, floor: int) -> str:
        messages = self._call.memory.messages.slice(self.line, floor, floor)
        return messages[0].text if messages else ""


def turn_row(turn: Turn) -> dict[str, Any]:
    """Return a turn as `--json` prints it."""
    note = turn.note
    if note is None:
        return {"floor": turn.floor, "level": None, "reply": turn.reply}
    return {
        "floor": turn.floor,
        "level": note.level,
        "level_by": note.level_by,
        "speaker": note.speaker,
        "reply": turn.reply,
        "state": [
            {"path": join_path(c.path), "old": c.old, "new": c.new}
            | ({"fault": str(c.fault)} if c.fault is not None else {})
            for c in note.state
        ],
        "event": event_fields(note.event) if note.event is not None and note.event_pk else None,
        "flags": list(note.flags),
        "recalled": [
            {"kind": r.kind, "ref": r.ref, "start_index": r.start_index, "text": r.text}
            for r in note.recalled
        ],
        "notices": [str(notice) for notice in note.notices],
        "ending": note.ending,
    }


def _play(call: Call) -> None:
    table = _Table(call, _line(call))
    memory, args = call.memory, call.args
    if args.speaker:
        memory.play.check_speaker(table.line, args.speaker)
    if memory.messages.count(table.line) == 1:
        table.show(0)
    if args.turns is not None:
        for _turn in range(args.turns):
            text = memory.play.scene(table.line).suggestion
            if not text:
                break
            table.say(text)
        return
    for text in _lines():
        if text == "/quit":
            break
        try:
            table.say(text)
        except InputError as e:  # a typing error of the player does not end the session
            print(f"engram: {e}", file=sys.stderr)
    table.leave()


def _line(call: Call) -> Line:
    """Return the line to play on: a chat of the library, or a new one.

    Raises NotFound, InputError.
    """
    args, memory = call.args, call.memory
    if sum((args.chat is not None, bool(args.card), args.scene is not None)) != 1:
        raise InputError("Say one of: a chat, --card NAME (once or more), --scene NAME.")
    if args.scene is not None:
        scene, language = args.scene, args.language
        return memory.play.start_scripted(call.ctx, scene, language, args.speaker).line
    if args.card:
        ids = [memory.characters.find(name).id for name in args.card]
        begins = {"greeting": args.greeting - 1, "player": args.player, "speaker": args.speaker}
        return memory.play.start(call.ctx, ids, **begins).line
    chat_id = call.chat_id
    return Line(chat_id, MAIN_BRANCH if args.branch is None else call.branch_id)


def _lines() -> Iterator[str]:
    """Yield the player's input line by line."""
    for raw in standard_input():
        text = raw.strip()
        if text:
            yield text


def _print_piece(piece: ReplyPiece) -> None:
    if piece.kind == "reply":
        print(piece.text, end="", flush=True)


def _note_lines(note: TurnNote) -> Iterator[str]:
    yield f"[{note.level}, {note.level_by}] {note.level_why}".rstrip()
    for change in note.state:
        yield f"{join_path(change.path)}: {change.old} -> {change.new}"
    if note.event is not None and note.event_pk is not None:
        yield f"event: {note.event.summary}"
    for memory in note.recalled:
        yield f"recalled for {note.speaker}: [{memory.start_index}] {memory.text[:60]}"
    yield from map(str, note.notices)


def _number(text: str) -> int:
    """Read a number from 1. Raises InputError."""
    if not text.strip().isdecimal():
        raise InputError(f"“{text}” is not a number.")
    return int(text)


def _level(text: str) -> Level | None:
    """Read a level; None for auto. Raises InputError."""
    word = text.strip().upper()
    for level in LEVELS:
        if word == level:
            return level
    if word in ("", "AUTO"):
        return None
    raise InputError(f"“{text}” is none of {', '.join(LEVELS)}, auto.")


_PLAY_VERBS = (Verb("play", _arguments, _play, writes=True, shares=True),)


# `state`: the values a story changes, at any floor, and how they were reached.


def _state_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as it was then (default: now)")
    as_argument(parser)
    parser.add_argument("--log", action="store_true", help="what each floor changed, and why")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--set", metavar="PATH=VALUE", help="VALUE is JSON, or else a text")
    change.add_argument("--remove", metavar="PATH", help="take a value away, and all below it")


def _state(call: Call) -> None:
    memory, args = call.memory, call.args
    if args.set is not None:
        path, value = _assignment(args.set)
        memory.state.set(call.line, path, value)
    elif args.remove is not None:
        path = split_path(args.remove)
        there = list(leaves(memory.state.tree(call.ctx, call.line)))
        if not any(leaf.path[: len(path)] == path for leaf in there):
            raise NotFound("state", args.remove, [join_path(leaf.path) for leaf in there])
        memory.state.remove(call.line, path)
    history = memory.knowledge.state(call.ctx, call.line, args.actors, args.at)
    if args.log:
        rows = [_entry_row(entry) for entry in history.entries]
        call.output.document(
            rows, [line for entry in history.entries for line in _log_lines(entry)]
        )
        return
    leaf_lines = [
        f"{join_path(leaf.path)}: {_shown(leaf.value)}" + (leaf.meaning and f"  ({leaf.meaning})")
        for leaf in leaves(history.tree)
    ]
    call.output.document(history.tree, leaf_lines or ["No state: no reply changes one."])


def _is_changing(args: argparse.Namespace) -> bool:
    return args.set is not None or args.remove is not None


def _assignment(text: str) -> tuple[StatePath, Any]:
    name, is_there, value = text.partition("=")
    if not is_there:
        raise InputError(f"“{text}” is not PATH=VALUE.")
    try:
        return split_path(name.strip()), json.loads(value)
    except ValueError:
        return split_path(name.strip()), value


def _entry_row(entry: StateEntry) -> dict[str, Any]:
    return {
        "floor": entry.floor,
        "teller": entry.teller,
        "dialects": list(entry.dialects),
        "changes": [_change_row(change) for change in entry.changes],
        "faults": [str(fault) for fault in entry.faults],
    }


def _change_row(change: StateChange) -> dict[str, Any]:
    row = {"path": join_path(change.path), "old": change.old, "new": change.new}
    if change.reason:
        row["reason"] = change.reason
    if change.fault is not None:
        row["fault"] = str(change.fault)
    return row


def _log_lines(entry: StateEntry) -> list[str]:
    head = f"{entry.floor:>5}  "
    lines = []
    for change in entry.changes:
        moved = f"{_shown(change.old)} -> {_shown(change.new)}"
        why = str(change.fault) if change.fault is not None else change.reason
        text = moved if change.fault is None else "left as it is"
        lines.append(f"{head}{join_path(change.path)}: {text}" + (why and f"  ({why})"))
    return lines + [f"{head}{fault}" for fault in entry.faults]


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_STATE_VERBS = (
    Verb(
        "state",
        _state_arguments,
        _state,
        can_read_only=True,
        writes_if=lambda args: _is_changing(args) or bool(args.actors),
        must_write=_is_changing,
    ),
)


VERBS = (*_PLAY_VERBS, *_STATE_VERBS)
