"""Stories with a truth table: who says each line, and what of it is over, untrue or promised."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SETS = (
    "tuned",
    "held",
    "fresh",
    "unseen",
    "later",
    "newly",
    "next",
    "other",
    "tried",
    "genres",
    "strangers",
    "blind",
    "sealed",
    "unopened",
)  # what rules were made on, and what came after them


class Story:
    """A story, its messages, and its truth table with floors for keys."""

    def __init__(self, path: Path) -> None:
        data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        self.name = path.stem
        self.language: str = data["language"]
        self.player: str = data["player"]
        self.narrator: str = data.get("narrator", "")
        self.people: list[str] = data["people"]
        self.is_group: bool = data.get("group", False)
        first = self.name.partition("_")[0]
        self.set = first if first in SETS else "tuned"
        self.messages: list[tuple[str, str]] = [(m["n"], m["t"]) for m in data["m"]]
        self._keys = {m["k"]: floor for floor, m in enumerate(data["m"]) if "k" in m}
        self.cases: list[dict[str, Any]] = data.get("case", [])
        self.decoys: list[dict[str, Any]] = data.get("decoy", [])
        self.ooc: list[dict[str, Any]] = data.get("ooc", [])
        self.retold: list[dict[str, Any]] = data.get("retold", [])

    def floors(self, keys: str) -> list[int]:
        """Return the floors that a cell of the table names, any of which is right."""
        return [self._keys[key] if key in self._keys else int(key) for key in keys.split()]


def stories(of: str = "tuned") -> list[Story]:
    """Return the stories of one of ``SETS``: what a file is called begins with its set.

    Rules are tuned on the first; ``held`` were kept aside, ``fresh`` were written without a look at
    the rules and read while they were mended, ``unseen`` were written after that and read later.
    ``later`` were measured twice before they were read, ``newly`` once. Of ``next``, which only
    says who speaks, all but b were read while rules were mended. ``other`` was written, in everyday
    words, before its writer read the rules and mended them: what it says is kind to them. Those of
    ``tried`` were written by somebody who knew no rule, and measured before anything was mended by
    them: superseded 2 of 17, promises 15 of 24 (7 with the right status), lies 0 of 4, mistakes 0
    of 6, of 341 sentences 242 under the right speaker. ``genres`` (a trial, space, school, a
    kitchen, swords) were written when only some Chinese rules of places and offices had been seen,
    and measured before anything was mended: superseded 6 of 31, promises 18 of 30 (7 with the right
    status), lies 0 of 12, mistakes 0 of 4, of 72 sentences 13 under the wrong person. ``strangers``
    only says who speaks, in stories full of people without a name. Before anything was mended 114
    of 467 sentences stood under the wrong person. The first three (lowwater, moban, qingmei) were
    read then: of the next two 15 of 146 were left, of the last two (tithe, zhantai) 8 of 107, and
    then those were read too. ``blind`` were written by somebody who had seen no rule: first
    superseded 4 of 38, promises 14 of 30 (10 with the right status), lies 2 of 12, 18 of 87
    sentences under the wrong person; what those speeches are (not the rest, nor qihao) was read
    then. ``sealed`` were written like them: superseded 4 of 24, promises 15 of
    24 (5 with the right status), lies 0 of 6, wrong speakers 21 of 145, and as many after all that
    was learned from ``blind``. Only what is reported there without a row was read since. Whoever
    reads more of them writes others. ``unopened`` were written by somebody who had seen no rule and
    nothing that the program finds, and were measured by nobody yet.
    """
    return [s for s in map(Story, sorted(FOLDER.glob("*.toml"))) if s.set == of]
