"""`engram search`: the whole library from the command line."""

from __future__ import annotations

import pytest

from engram_desktop.cli.main import main
from tests.command_line import CommandLine
from tests.factories import write_chat

ROWS = [("旅人", "早上好。"), ("爱丽丝", "钥匙在座钟里。"), ("爱丽丝", "（心想：国王是他。）")]


@pytest.fixture
def engram(tmp_path, capsys):
    line = CommandLine(tmp_path / "lib", capsys)
    assert line("import", write_chat(tmp_path / "故事.jsonl", ROWS))[0] == 0
    return line


def test_hits_are_printed_in_groups_with_their_words(engram, capsys):
    assert main(["--library", str(engram.library), "search", "钥匙"]) == 0
    assert capsys.readouterr().out == "message: 1\n  故事  1  爱丽丝  [钥匙]在座钟里。\n"


def test_as_json_with_places(engram):
    code, found = engram("search", "type:message", "座钟", "--type", "message")
    assert (code, found["count"]) == (0, 1)
    (hit,) = found["groups"][0]["hits"]
    assert (hit["floors"], hit["marks"]) == ([1, 1], [[3, 5]])


def test_as_somebody_only_what_they_know(engram):
    assert engram("search", "国王", "--chat", "故事")[1]["count"] == 1
    assert engram("search", "国王", "--chat", "故事", "--as", "旅人")[1]["count"] == 0
    assert engram.run("search", "国王", "--as", "旅人") == 1
    assert engram.run("search", "国王", "--chat", "没有") == 1
