"""The libraries opened last: a list of folders, the last first. One that is gone stays listed."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from engram_desktop import moving

_LOG = logging.getLogger(__name__)
_KEPT = 10  # folders: as many as a menu holds


class RecentLibraries:
    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> list[Path]:
        """Return the folders; none where the list cannot be read."""
        try:
            rows = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError):
            _LOG.warning("the list of libraries cannot be read")
            return []
        rows = rows if isinstance(rows, list) else []
        return [Path(row) for row in rows if isinstance(row, str) and row][:_KEPT]

    def note(self, library: Path) -> None:
        """Put a folder first. Where the list cannot be written, it stays as it was."""
        rows = [library, *(row for row in self.read() if row != library)][:_KEPT]
        text = json.dumps([str(row) for row in rows], ensure_ascii=False, indent=1)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_name(f"{self._file.name}.new")
            beside.write_text(text, "utf-8")
            moving.replace(beside, self._file)
        except OSError:
            _LOG.warning("the list of libraries cannot be written")
