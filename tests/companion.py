"""What the companion does in SillyTavern's page, in Python: it tells what changed in a chat."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any

from engram_desktop.domain.serving.companion import (
    ChatFileGone,
    ChatReport,
    TavernChatId,
    UploadChange,
    UploadPiece,
    UploadResult,
)

TAVERN = "0f3a-phone"
PER_PIECE = 7  # rows: small, so that most chats of a test come in several pieces


class Teller:
    """Tells one server of the chats of one SillyTavern, as little as it can."""

    def __init__(self, tell: Callable[[ChatReport], UploadResult], tavern: str = TAVERN) -> None:
        self._tell = tell
        self._tavern = tavern
        self._known: dict[tuple[str, str], tuple[str, list[str]]] = {}
        self._uploads = itertools.count(1)
        self.wholes = 0  # how often all of a chat was told

    def chat(self, owner: str, file: str, **more: Any) -> TavernChatId:
        return TavernChatId(self._tavern, owner, file, **more)

    def tell(self, chat: TavernChatId, header: dict[str, Any], rows: Sequence[Any]) -> UploadResult:
        """Tell what changed since the last time; all of it where the server wants that."""
        lines = [row if isinstance(row, str) else _line(row) for row in rows]
        first_line = _line(header) if header else ""
        key = (chat.owner, chat.file)
        report = None
        if key in self._known:
            report = self._tell(self._changed(chat, first_line, lines, *self._known[key]))
        if report is None or report.state == "whole":
            report = self._whole(chat, first_line, lines)
        if report.state == "kept":
            self._known[key] = (report.revision, lines)
        return report

    def gone(self, chat: TavernChatId) -> UploadResult:
        self._known.pop((chat.owner, chat.file), None)
        return self._tell(ChatFileGone(chat))

    def _changed(
        self, chat: TavernChatId, header: str, lines: list[str], revision: str, before: list[str]
    ) -> UploadChange:
        first = _alike(before, lines)
        last = _alike(before[first:][::-1], lines[first:][::-1])
        removed = len(before) - first - last
        new = tuple(lines[first : len(lines) - last])
        return UploadChange(chat, revision, first, removed, new, len(lines), header)

    def _whole(self, chat: TavernChatId, header: str, lines: list[str]) -> UploadResult:
        self.wholes += 1
        upload = f"u{next(self._uploads)}"
        parts = [lines[n : n + PER_PIECE] for n in range(0, len(lines), PER_PIECE)] or [[]]
        for n, part in enumerate(parts):
            first_line = header if n == 0 else ""
            piece = UploadPiece(chat, upload, n, len(parts), tuple(part), first_line)
            report = self._tell(piece)
            if report.state != "more":
                return report
        raise AssertionError("the last piece was not taken for the last")


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _line(row: Any) -> str:
    return json.dumps(row, ensure_ascii=False)
