"""Play acts in the real page, and hold what we make of its folder against each state of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.oracle.kept import keep
from benchmarks.oracle.tavern import Tavern
from tests.oracle.acts import KIND, hold, states_of
from tests.oracle.report import Report


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Play everything and hold ours against it."""
    played = tavern.ask(KIND, {"folder": str(tavern.user)})
    rows = list(_packed(played))
    if is_kept:
        keep(KIND, rows)
    return hold(states_of(rows))


def _packed(played: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    known: dict[str, int] = {}
    before: dict[str, list[str]] = {}
    for state in played:
        files: dict[str, list[int] | None] = dict.fromkeys(before.keys() - state["files"].keys())
        new_lines: list[str] = []
        for path, lines in state["files"].items():
            if before.get(path) == lines:
                continue
            for line in lines:
                if line not in known:
                    known[line] = len(known)
                    new_lines.append(line)
            files[path] = [known[line] for line in lines]
        before = state["files"]
        yield {
            "act": state["act"],
            "what": state.get("what", ""),
            "from": state.get("from", ""),
            "to": state.get("to", ""),
            "is_whole": state["is_whole"],
            "files": files,
            "lines": new_lines,
        }
