"""A model that has read a story of the set, and answers truly for the floors it is shown.

It finds the floors by the messages in the prompt, on whichever branch they are, and tells of each
secret only where it is told there, with those who perceive that place as witnesses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.omniscience.reader import NARRATORS, Line, Part, Secret, Story

_HISTORY = re.compile(r"<chat_history>\n(.*)\n</chat_history>", re.DOTALL)
_ROW = re.compile(r"^\[(\d+)\] ([^\n:]{1,60}): ", re.MULTILINE)
_HEAD = 24  # characters of a message by which it is known again
Shown = list[tuple[int, Line]]  # the floor as the prompt counts it, and the message of the story


class TruthfulModel:
    """Answers a request: ``TruthfulModel(story)(body)`` is what a server is given as its answer.

    ``asked`` keeps the floors of every summary that was asked for. What is no such request gets an
    empty object.
    """

    def __init__(self, story: Story) -> None:
        self._story = story
        self.asked: list[list[int]] = []

    def __call__(self, body: dict[str, Any]) -> str:
        history = _HISTORY.search(body["messages"][-1]["content"])
        if history is None:
            return "{}"
        rows = shown(self._story, history[1])
        self.asked.append([floor for floor, _ in rows])
        answer = {"events": list(_events(self._story, rows)), "presence": list(_presence(rows))}
        return json.dumps(answer, ensure_ascii=False)


def shown(story: Story, history: str) -> Shown:
    """Find the messages of a prompt in the story."""
    marks = list(_ROW.finditer(history))
    ends = [mark.start() for mark in marks[1:]] + [len(history)]
    by_head: dict[tuple[str, str], list[tuple[int, Line]]] = {}
    for branch in ("", *story.branches):
        for floor, line in enumerate(story.lines(branch)):
            by_head.setdefault((line.name, _head(line.text)), []).append((floor, line))
    rows: Shown = []
    for mark, end in zip(marks, ends, strict=True):
        floor = int(mark[1])
        candidates = by_head.get((mark[2], _head(history[mark.end() : end])), [])
        if candidates:
            rows.append((floor, min(candidates, key=lambda one: abs(one[0] - floor))[1]))
    return rows


def _head(text: str) -> str:
    """Return what of a message survives the cleaning for a prompt: its first words alone."""
    return "".join(letter for letter in text if letter.isalnum())[:_HEAD]


def _events(story: Story, rows: Shown) -> Iterator[dict[str, Any]]:
    """Yield an event for each scene, seen by who was there all along, and one for each telling."""
    yield from _scenes(rows)
    for floor, line in rows:
        for text, part in line.pieces:
            for secret in story.secrets:
                if any(key in text for key in secret.keys):
                    yield _telling(story, secret, floor, line, part)


def _telling(story: Story, secret: Secret, floor: int, line: Line, part: Part) -> dict[str, Any]:
    summary = secret.fact
    others = [name for name in part.audience if name != line.name]
    if others and line.name not in NARRATORS and not secret.lie_of:
        names = "、".join(others) if story.language == "zh" else ", ".join(others)
        told = {"zh": f"{line.name}让{names}知道：{secret.fact}"}
        summary = told.get(story.language, f"{line.name} lets {names} know: {secret.fact}")
    return {
        "summary": summary,
        "keywords": list(secret.keys),
        "timestamp": "",
        "location": "",
        "entities": [{"name": name, "type": "char"} for name in part.audience],
        "relations": [],
        "details": "",
        "structured_kv": {},
        "significance_score": 0.8,
        "kind": "event",
        "from": floor,
        "to": floor,
        "witnesses": list(part.audience),
    }


def _scenes(rows: Shown) -> Iterator[dict[str, Any]]:
    for scene in dict.fromkeys(line.scene for _, line in rows):
        floors = [floor for floor, line in rows if line.scene == scene]
        lines = [line for _, line in rows if line.scene == scene]
        there = [name for name in lines[0].there if all(name in line.there for line in lines)]
        opening = next((line for line in lines if line.name in NARRATORS), None)
        if opening is not None and there:
            yield {
                "summary": opening.text,
                "keywords": [],
                "entities": [{"name": name, "type": "char"} for name in there],
                "significance_score": 0.2,
                "kind": "event",
                "from": min(floors),
                "to": max(floors),
                "witnesses": there,
            }


def _presence(rows: Sequence[tuple[int, Line]]) -> Iterator[dict[str, Any]]:
    """Yield spans of the same company, and one for each private part."""
    start = 0
    for number, (floor, line) in enumerate(rows):
        after = rows[number + 1] if number + 1 < len(rows) else None
        if after is None or after[1].there != line.there or after[0] != floor + 1:
            yield {"from": rows[start][0], "to": floor, "present": list(line.there)}
            start = number + 1
    for floor, line in rows:
        for part in line.parts:
            yield {"from": floor, "to": floor, "present": list(part.audience)}
