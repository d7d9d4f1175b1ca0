"""What should be remembered after an act, worked out from the files of the folder alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Line = tuple[str, str]  # chat and branch of a library
Said = tuple[str, str, bool, str]  # name, text, whether hidden, role
Identity = tuple[str, str]  # when, text

STRETCH = 2  # an event goes with a moved message up to so many times its length
_NOTES = ("comment",)  # rows SillyTavern adds by itself, or that are for the user alone


@dataclass
class File:
    """One chat file as it should be told."""

    metadata: dict[str, Any]
    rows: list[dict[str, Any]]

    @classmethod
    def of(cls, text: str) -> File:
        header, *rows = (json.loads(line) for line in text.split("\n") if line)
        return cls(header["chat_metadata"], rows)

    @property
    def said(self) -> list[Said]:
        return [_said(row) for row in self.rows]

    @property
    def identities(self) -> list[Identity]:
        return [(str(row.get("send_date")), row["mes"]) for row in self.rows]

    @property
    def main_chat(self) -> str:
        return str(self.metadata.get("main_chat") or "")

    def alike(self, other: File) -> int:
        """How many messages two files say alike at their beginning, under whatever names."""
        count = 0
        for ours, theirs in zip(self.said, other.said, strict=False):
            if ours[1] != theirs[1]:
                break
            count += 1
        return count


def _said(row: dict[str, Any]) -> Said:
    kind = (row.get("extra") or {}).get("type")
    role = "user" if row.get("is_user") else "assistant"
    is_hidden = bool(row.get("is_system"))
    if kind in _NOTES:
        role, is_hidden = "system", True
    elif kind == "narrator":
        role = "system"
    return row["name"], row["mes"], is_hidden, role


@dataclass
class Tracked:
    """An event that was made of messages of one file, and what of them is left."""

    pk: int
    line: Line
    told: list[Identity]
    made_in: str  # the act after which it was made
    is_judged: bool = field(default=True)

    def expected(self, before: Sequence[Identity], now: Sequence[Identity]) -> Place | None:
        """Where the event should be; None where it is no longer true."""
        places = [now.index(told) for told in self.told if told in now]
        if len(places) < len(self.told):
            return None
        first, last = min(places), max(places)
        others = [now[n] for n in range(first, last + 1) if n not in places]
        if last - first >= STRETCH * len(self.told):
            return None
        return Place(first, last, is_certain=all(other in before for other in others))


@dataclass(frozen=True)
class Place:
    """The floors of an event; ``is_certain``: nothing new was put in between."""

    first: int
    last: int
    is_certain: bool
