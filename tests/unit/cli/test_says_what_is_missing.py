"""Commands that could not do what was asked say so: no room, no vectors, odd lines of a file."""

from __future__ import annotations

import itertools
import json

import pytest

from engram_desktop.cli.main import main
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()


@pytest.fixture
def engram(tmp_path, capsys):
    def run(*words):
        code = main([*words, "--library", str(tmp_path / "library")])
        out = capsys.readouterr()
        return code, out.out, out.err

    story = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    assert run("import", str(story))[0] == 0
    assert run("summarise", "故事")[0] == 0
    return run


def test_a_budget_without_room_says_so(engram):
    code, out, err = engram("inject", "故事", "--query", "铜钥匙", "--budget", "5")
    assert (code, out.strip()) == (0, "")
    assert "no room" in err
    code, out, err = engram("inject", "故事", "--query", "铜钥匙", "--budget", "5", "--json")
    assert "no room" in json.loads(out)["note"]
    code, out, err = engram("inject", "故事", "--query", "铜钥匙")
    assert (code, err) == (0, "")
    assert out.strip()


def test_consolidating_without_any_vector_ends_with_1_and_says_so(engram):
    with FakeOpenAI(faults=[401] * 99) as server:
        assert engram("settings", "embed.base_url", server.url)[0] == 0
        assert engram("settings", "embed.model", "m")[0] == 0
        code, out, err = engram("consolidate", "故事")
    assert code == 1
    assert "nothing could be embedded" in err
    assert "0 embedded" in out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"query": "x", "as": ["x"]}', '"as" must be a name'),
        ('{"query": "x", "as": 3}', '"as" must be a name'),
        ('{"query": "x", "at": "x"}', '"at" must be a whole number'),
        ('{"query": "x", "at": true}', '"at" must be a whole number'),
        ('["x"]', "is expected"),
    ],
)
def test_a_line_of_queries_that_is_none_is_told(engram, tmp_path, line, words):
    (tmp_path / "queries.jsonl").write_text(line + "\n", "utf-8")
    code, _out, err = engram("recall", "故事", "--queries", str(tmp_path / "queries.jsonl"))
    assert code == 1
    assert words in err
    assert len(err.splitlines()) == 1


def test_null_in_a_line_of_queries_does_not_lift_as(engram, tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    chat_id = memory.chats.find("故事")
    memory.close()
    rows = [{"query": "铜钥匙"} | more for more in ({"as": None}, {}, {"as": ""})]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = ("--queries", str(tmp_path / "queries.jsonl"), "--as", "谁也不是", "--json")
    code, out, _err = engram("recall", chat_id, *asked)
    assert code == 0
    told = [json.loads(line)["items"] for line in out.splitlines()]
    assert told[0] == told[1] == told[2]


def rows(*parts):
    return [("爱丽丝" if n % 2 else "旅人", text) for n, text in enumerate(itertools.chain(*parts))]


def numbered(what, count):
    return [f"{what}{n}" for n in range(count)]


def test_a_file_branches_from_the_line_it_shares_most_with(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    main_line = numbered("main", 100)
    memory.imports.import_file(CTX, write_chat(tmp_path / "Story.jsonl", rows(main_line)))
    fork = write_chat(tmp_path / "Fork.jsonl", rows(main_line[:41], numbered("fork", 30)))
    forked = memory.imports.import_file(CTX, fork)
    assert forked.fork_floor == 40
    third = tmp_path / "Third.jsonl"
    write_chat(third, rows(main_line[:90], numbered("third", 20)))
    text = third.read_text("utf-8").split("\n")
    text[0] = json.dumps({"chat_metadata": {"main_chat": "Fork"}})
    third.write_text("\n".join(text), "utf-8")
    report = memory.imports.import_file(CTX, third)
    memory.close()
    assert report.fork_floor == 89
