"""Warnings about one file: a bounded list, so that a damaged file cannot flood a window."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FileWarning

MAX_WARNINGS = 50  # shown of one file; what is beyond is counted
_MORE = QT_TRANSLATE_NOOP("reports", "{count} more warnings like these")


class FileWarnings:
    """Collects warnings; beyond the limit it only counts."""

    def __init__(self) -> None:
        self._warnings: list[FileWarning] = []
        self._more = 0

    def add(self, line: int, template: str) -> None:
        """Warn of ``line``; ``template`` is marked for translation."""
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(FileWarning(line, Phrase(template)))
        else:
            self._more += 1

    def result(self) -> tuple[FileWarning, ...]:
        if not self._more:
            return tuple(self._warnings)
        return (*self._warnings, FileWarning(0, Phrase(_MORE, count=self._more)))
