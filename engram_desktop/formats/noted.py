"""Warnings about one file: a bounded list, so that a damaged file cannot flood a window."""

from __future__ import annotations

from engram_desktop.domain.reports import FileWarning

MAX_WARNINGS = 50


class Noted:
    """Collects warnings; beyond the limit it only counts."""

    def __init__(self) -> None:
        self._kept: list[FileWarning] = []
        self._more = 0

    def add(self, line: int, message: str) -> None:
        if len(self._kept) < MAX_WARNINGS:
            self._kept.append(FileWarning(line, message))
        else:
            self._more += 1

    def result(self) -> tuple[FileWarning, ...]:
        if not self._more:
            return tuple(self._kept)
        return (*self._kept, FileWarning(0, f"{self._more} more warnings like these"))
