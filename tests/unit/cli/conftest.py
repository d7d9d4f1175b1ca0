"""The command line in this process, on a library of its own."""

from __future__ import annotations

import os

import pytest

from tests.command_line import CommandLine
from tests.factories import story_rows, write_chat


@pytest.fixture
def engram(tmp_path, capsys, monkeypatch):
    """Run one command on a library of its own; returns (exit code, what it printed as JSON)."""
    for name in list(os.environ):
        if name.startswith("ENGRAM_"):
            monkeypatch.delenv(name)
    run = CommandLine(tmp_path / "library", capsys)
    run("settings", "embed.local", "hash")
    run("settings", "index.backend", "exact")
    return run


@pytest.fixture
def chat(engram, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    _code, report = engram("import", file)
    return report[0]["chat_id"]
