"""Play acts in the real page and follow its folder: files, floors, events and forks after each.

The states of the folder are the answers. What should become of them is worked out from the files
alone (`acts_expected`), and held against a library that follows them (`acts_replay`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.acts_replay import replay, taken_afresh
from tests.oracle.report import Report

KIND = "acts"
AFRESH = 6  # every so many acts, the folder is taken in by a library that knows nothing of it


@dataclass(frozen=True)
class State:
    """A folder after an act, or while one was writing (``is_whole`` false).

    ``what`` the act does to files: same, new, branch, renamed, converted, copy, deleted, character;
    ``came_from`` and ``open_file`` are the chat that was open before and after it.
    """

    act: str
    what: str
    came_from: str
    open_file: str
    is_whole: bool
    files: dict[str, str]


def hold(states: list[State]) -> Report:
    """Follow the states, those between two acts too, and take some of them in afresh."""
    report = Report(KIND)
    follow(states, report, is_hasty=False)
    follow(states, report, is_hasty=True)
    whole = [state for state in states if state.is_whole]
    for state in whole[AFRESH - 1 :: AFRESH]:
        take_afresh(state, report)
    return report


def follow(states: list[State], report: Report, *, is_hasty: bool) -> None:
    """Follow the states in a library of its own; ``is_hasty``: those between two acts too."""
    with tempfile.TemporaryDirectory(prefix="acts-") as name:
        replay(Path(name), states, report, is_hasty=is_hasty)


def take_afresh(state: State, report: Report) -> None:
    """Take a folder as it was after one act into a library of its own."""
    with tempfile.TemporaryDirectory(prefix="acts-") as name:
        taken_afresh(Path(name), state, report)


def states_of(rows: Iterable[dict[str, Any]]) -> list[State]:
    """The states that recorded rows tell: each only says what changed, line by line."""
    lines: list[str] = []
    files: dict[str, str] = {}
    states = []
    for row in rows:
        lines += row["lines"]
        for path, numbers in row["files"].items():
            if numbers is None:
                del files[path]
            else:
                files[path] = "\n".join(lines[n] for n in numbers)
        states.append(
            State(row["act"], row["what"], row["from"], row["to"], row["is_whole"], dict(files))
        )
    return states
