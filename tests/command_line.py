"""The command line in this process, on one library, with what the newest command wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engram_desktop.cli.main import main


class CommandLine:
    """Runs one command after the other; ``rows`` and ``error`` are what the newest one wrote."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.library = library
        self.rows: list[Any] = []
        self.error = ""
        self._capsys = capsys

    def run(self, *arguments: object) -> int:
        code = main([*map(str, arguments), "--library", str(self.library), "--json"])
        printed = self._capsys.readouterr()
        self.rows = [json.loads(line) for line in printed.out.splitlines()]
        self.error = printed.err
        return code

    def __call__(self, *arguments: object) -> tuple[int, Any]:
        """Return the exit code and the first row."""
        code = self.run(*arguments)
        return code, self.rows[0] if self.rows else None

    def all_of(self, *arguments: object) -> tuple[int, list[Any]]:
        """Return the exit code and every row."""
        code = self.run(*arguments)
        return code, self.rows
