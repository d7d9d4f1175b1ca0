"""What is kept in the library's folder of what was typed: recent choices, saved searches."""

from __future__ import annotations

import json

from PySide6.QtCore import QObject, QSettings, Signal

RECENT = 12  # kept of each list: more is nothing that is remembered


class Remembered(QObject):
    """Lists of texts by name, the latest first, and texts by name. Safe against foreign files."""

    changed = Signal(str)  # name of the list or table

    def __init__(self, memo: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memo = memo

    def texts(self, name: str) -> list[str]:
        read = self._read(name)
        return [text for text in read if isinstance(text, str)] if isinstance(read, list) else []

    def add(self, name: str, text: str, most: int = RECENT) -> None:
        """Put ``text`` first; the oldest beyond ``most`` go."""
        others = [other for other in self.texts(name) if other != text]
        self._write(name, [text, *others][:most])

    def remove(self, name: str, text: str) -> None:
        self._write(name, [other for other in self.texts(name) if other != text])

    def table(self, name: str) -> dict[str, str]:
        read = self._read(name)
        if not isinstance(read, dict):
            return {}
        return {key: text for key, text in read.items() if isinstance(text, str)}

    def set_table(self, name: str, table: dict[str, str]) -> None:
        self._write(name, table)

    def _read(self, name: str) -> object:
        try:
            return json.loads(str(self._memo.value(f"quick/{name}", "null")))
        except (ValueError, RecursionError):
            return None

    def _write(self, name: str, value: object) -> None:
        self._memo.setValue(f"quick/{name}", json.dumps(value))
        self.changed.emit(name)
