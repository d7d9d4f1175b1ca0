"""Several `engram` processes at one library at once, and an account of what they were promised.

Each process runs one command after the other, chosen by chance, and notes what was acknowledged.
A refusal that says who holds the library is an answer; everything else but 0 is a failure.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engram_desktop.cli.main import main
from engram_desktop.services.memory import Memory
from tests.factories import write_chat

SHARED = "共有"
_SAID = ("in use by", "changed meanwhile")
_GROWTH = 6


@dataclass
class Account:
    """What all processes did: exit codes by command, refusals, failures, and what is missing."""

    codes: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    failures: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)


def run(folder: Path, processes: int, seconds: float, *, has_window: bool = False) -> Account:
    """Let ``processes`` work on a new library in ``folder`` and look at what is left.

    With ``has_window`` the first of them is a window in which somebody adds and edits events.
    """
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "library"
    first = write_chat(folder / f"{SHARED}.jsonl", list(_rows("s", 60)))
    _command(library, "import", first)
    _command(library, "settings", "embed.local", "hash")
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.window_program" if has_window and n == 0 else "tests.many_programs",
                str(folder),
                str(n),
                str(seconds),
            ],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        for n in range(processes)
    ]
    for worker in workers:
        worker.wait()
    account = Account()
    account.failures += [
        f"process {w.pid} ended with {w.returncode}" for w in workers if w.returncode
    ]
    notes = [json.loads(line) for n in range(processes) for line in _notes(folder, n)]
    for note in notes:
        account.codes[f"{note['verb']} {note['code']}"] += 1
        account.slowest[note["verb"]] = max(account.slowest.get(note["verb"], 0), note["seconds"])
        if note["code"] == 0:
            continue
        if note["code"] == 1 and any(words in note["error"] for words in _SAID):
            account.refused += 1
        else:
            account.failures.append(f"{note['verb']}: {note['code']}: {note['error'][-1500:]}")
    _compare(library, notes, account)
    return account


def _compare(library: Path, notes: list[dict[str, Any]], account: Account) -> None:
    floors: dict[str, int] = {}
    events: dict[str, str | None] = {}
    logs: set[str] = set()
    promises = [promise for note in notes for promise in note["promises"]]
    account.acknowledged = len(promises)
    for promise in promises:
        match promise:
            case ["floors", chat, count]:
                floors[chat] = max(count, floors.get(chat, 0))
            case ["event", key, text]:
                events[key] = text
            case ["log", text]:
                logs.add(text)
    there = _what_is_there(library)
    account.lost += [f"{n}: not {c} floors" for n, c in floors.items() if there.floors[n] < c]
    account.lost += [
        f"event {key}: {there.events.get(key)!r}, not {text!r}"
        for key, text in events.items()
        if there.events.get(key) != text
    ]
    account.lost += sorted(logs - there.logs)
    code, out, _error = _command(library, "doctor")
    account.faults = [f"{r['where']}: {r['what']}" for r in json.loads(out) if not r["is_ok"]]
    account.faults += [f"doctor ended with {code}"] if code and not account.faults else []


@dataclass
class _There:
    floors: Counter[str] = field(default_factory=Counter)
    events: dict[str, str] = field(default_factory=dict)
    logs: set[str] = field(default_factory=set)


def _what_is_there(library: Path) -> _There:
    memory, there = Memory.open(library), _There()
    for chat in memory.chats.all():
        there.floors[chat.name] = chat.messages
        rows = memory.session.chat(chat.chat_id).database.rows
        there.events |= dict(rows("SELECT id, summary FROM event WHERE is_deleted = 0"))
        logs = rows("SELECT content FROM private_log WHERE is_deleted = 0")
        there.logs |= {text for (text,) in logs}
    memory.close()
    return there


def _notes(folder: Path, number: int) -> list[str]:
    path = folder / f"notes-{number}.jsonl"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def _command(library: Path, *words: object) -> tuple[int, str, str]:
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = main([*map(str, words), "--library", str(library), "--json"])
        except SystemExit as e:
            code = int(e.code or 0)
    return code, out.getvalue(), error.getvalue()


def _rows(who: str, count: int) -> Iterator[tuple[str, str]]:
    for n in range(count):
        name = "旅人" if n % 2 else "爱丽丝"
        yield name, f"{who}第{n}句：爱丽丝在码头把铜钥匙交给旅人，约好{n * 7 % 365}天后再见。"


class _Worker:
    """One process: its own chat, which grows and is edited, and the chat all of them share."""

    def __init__(self, folder: Path, number: int) -> None:
        self._library = folder / "library"
        self._notes = (folder / f"notes-{number}.jsonl").open("a", encoding="utf-8")
        self._file = folder / f"own{number}.jsonl"
        self._name = self._file.stem
        self._chance = random.Random(number)
        self._number = number
        self._floors = self._serial = 0
        self._own_events: list[str] = []

    def work(self, until: float) -> None:
        self._grow()
        acts = {
            self._grow: 3, self._add: 6, self._edit: 3, self._add_and_undo: 2, self._log: 3,
            self._recall: 5, self._inject: 5, self._recall_as: 2, self._summarise: 2,
            self._consolidate: 1, self._list: 2,
        }  # fmt: skip
        while time.time() < until:
            (act,) = self._chance.choices(list(acts), list(acts.values()))
            act()

    def _do(self, *words: object, promises: object = ()) -> tuple[int, str]:
        began = time.monotonic()
        code, out, error = _command(self._library, *words)
        promised = promises(out) if callable(promises) and code == 0 else []
        note = {
            "verb": words[0],
            "code": code,
            "error": error if code else "",
            "promises": promised,
            "seconds": round(time.monotonic() - began, 3),
        }
        self._notes.write(json.dumps(note, ensure_ascii=False) + "\n")
        self._notes.flush()
        return code, out

    def _grow(self) -> None:
        floors = self._floors + _GROWTH
        write_chat(self._file, list(_rows(self._name, floors)))
        code, _out = self._do(
            "import", self._file, promises=lambda _out: [["floors", self._name, floors]]
        )
        if code == 0:
            self._floors = floors

    def _text(self) -> str:
        self._serial += 1
        return f"程序{self._number}记下第{self._serial}件事"

    def _add(self) -> None:
        text = self._text()
        code, out = self._do(
            "add", SHARED, text, promises=lambda out: [["event", json.loads(out)["id"], text]]
        )
        if code == 0:
            self._own_events.append(json.loads(out)["id"])

    def _edit(self) -> None:
        if self._own_events:
            key, text = self._chance.choice(self._own_events), self._text()
            self._do(
                "event", SHARED, key, "--set", f"summary={text}",
                promises=lambda _out: [["event", key, text]],
            )  # fmt: skip

    def _add_and_undo(self) -> None:
        if self._floors:
            code, out = self._do("add", self._name, self._text())
            if code == 0:
                key = json.loads(out)["id"]
                self._do("undo", self._name, promises=lambda _out: [["event", key, None]])

    def _log(self) -> None:
        text = self._text()
        self._do(
            "log", SHARED, "--owner", "爱丽丝", "--text", text,
            promises=lambda _out: [["log", text]],
        )  # fmt: skip

    def _recall(self) -> None:
        self._do("recall", SHARED, "--query", "铜钥匙在哪里？")

    def _recall_as(self) -> None:
        self._do("recall", SHARED, "--query", "铜钥匙在哪里？", "--as", "爱丽丝")

    def _inject(self) -> None:
        self._do("inject", SHARED, "--query", "铜钥匙在哪里？")

    def _summarise(self) -> None:
        self._do("summarise", self._any_chat(), "--all")

    def _consolidate(self) -> None:
        self._do("consolidate", self._any_chat())

    def _any_chat(self) -> str:
        """Choose the shared chat or the own, which is there once an import was not refused."""
        return self._chance.choice([SHARED, self._name] if self._floors else [SHARED])

    def _list(self) -> None:
        self._do("chats")


if __name__ == "__main__":
    place, worker, duration = sys.argv[1:]
    _Worker(Path(place), int(worker)).work(time.time() + float(duration))
