"""The verbs of the pipeline, and what is said when something is missing."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import apsw
import pytest

from engram_desktop.cli.main import main
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.command_line import CommandLine
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

# Drafts and automation from the command line.

ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


@pytest.fixture
def llm(monkeypatch):
    with FakeOpenAI(answer=lambda body: ANSWER) as server:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        yield server


@pytest.fixture
def asking_engram(tmp_path, capsys, llm):
    run = CommandLine(tmp_path / "library", capsys)
    for key, value in {"embed.local": "hash", "index.backend": "exact"}.items():
        run("settings", key, value)
    run("settings", "llm.parallel", 1)
    return run


@pytest.fixture
def long_chat(asking_engram, tmp_path):
    _code, report = asking_engram("import", write_chat(tmp_path / "故事.jsonl", story_rows(60)))
    return report[0]["chat_id"]


def test_a_summary_to_review_is_accepted_or_discarded(asking_engram, long_chat):
    code, made = asking_engram("summarise", long_chat, "--review")
    assert (code, made["waiting"], made["events_added"]) == (0, 2, 0)
    _code, (first, second) = asking_engram("drafts", long_chat)
    assert (first["state"], first["start_index"], first["end_index"]) == ("waiting", 0, 24)
    assert first["events"][0]["summary"] == "爱丽丝把铜钥匙交给旅人。"
    code, shown = asking_engram("draft", long_chat, first["id"][:8])
    assert (code, shown["id"]) == (0, first["id"])
    assert asking_engram("draft", long_chat, first["id"], "--accept") == (
        0,
        {"saved": 1, "events_added": 1, "outdated": []},
    )
    assert asking_engram("draft", long_chat, second["id"], "--discard")[0] == 0
    assert asking_engram("drafts", long_chat) == (0, [])
    assert asking_engram("stats", long_chat)[1]["events"] == 1


def test_a_failed_answer_is_mended_in_a_file(asking_engram, llm, long_chat, tmp_path):
    llm.faults = ["garbage", "garbage"]
    code, made = asking_engram("summarise", long_chat, "--range", "0-24")
    assert (code, len(made["failed"]), made["llm_calls"]) == (1, 1, 2)
    _code, (failed,) = asking_engram("drafts", long_chat)
    assert failed["state"] == "failed"
    assert asking_engram("draft", long_chat, failed["id"], "--accept")[0] == 1
    assert "--raw" in asking_engram.error
    mended = tmp_path / "mended.json"
    mended.write_text("no JSON at all", encoding="utf-8")
    assert asking_engram("draft", long_chat, failed["id"], "--raw", mended)[0] == 1
    mended.write_text(ANSWER, encoding="utf-8")
    code, report = asking_engram("draft", long_chat, failed["id"], "--raw", mended)
    assert (code, report["events_added"]) == (0, 1)
    assert asking_engram("draft", long_chat, "nobody")[0] == 1


def test_a_redo_is_compared_before_it_is_taken(asking_engram, long_chat):
    asking_engram("summarise", long_chat)
    _code, made = asking_engram("summarise", long_chat, "--redo", "3-9")
    assert (made["waiting"], made["events_added"]) == (1, 0)
    _code, (draft,) = asking_engram("drafts", long_chat)
    assert (draft["purpose"], draft["end_index"]) == ("redo", 24)
    assert asking_engram("draft", long_chat, draft["id"], "--accept")[0] == 0
    assert asking_engram("stats", long_chat)[1]["events"] == 2


def test_automation_asks_before_a_backlog_and_keeps_to_the_limit(asking_engram, llm, long_chat):
    asking_engram("settings", "summary.interval", 5)
    code, plan = asking_engram("auto", long_chat, "--plan")
    assert (code, plan["standing"], len(plan["blocks"])) == (0, "consent", 10)
    assert asking_engram("auto", long_chat)[1]["plan"]["standing"] == "consent"
    assert llm.bodies() == []
    asking_engram("settings", "entities.interval", 0)
    asking_engram("settings", "llm.daily_tokens", 5000)
    code, _nothing = asking_engram("auto", long_chat, "--yes")
    assert code == 1
    assert "5,000" in asking_engram.error
    stats = asking_engram("stats", long_chat)[1]
    assert stats["events"] == len(llm.bodies()) > 0
    assert stats["today"]["calls"] == len(llm.bodies())
    assert stats["usage"][0]["calls"] == len(llm.bodies())
    asking_engram("settings", "llm.daily_tokens", 0)
    code, report = asking_engram("auto", long_chat, "--yes")
    assert (code, report["plan"]["standing"]) == (0, "idle")


def test_memory_that_is_off_says_so(asking_engram, long_chat):
    asking_engram("settings", "memory.mode", "off", "--chat", long_chat)
    assert asking_engram("summarise", long_chat)[0] == 1
    assert "Memory is off" in asking_engram.error


# With the embedding endpoint down, what is known by words and old vectors is still told.


@pytest.fixture
def raw_engram(tmp_path, capsys, monkeypatch):
    """Run one command; returns (exit code, standard output, standard error)."""
    for name in [n for n in os.environ if n.startswith("ENGRAM_")]:
        monkeypatch.delenv(name)

    def run(*arguments):
        code = main([*map(str, arguments), "--library", str(tmp_path / "library")])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    run("settings", "index.backend", "exact")
    return run


@pytest.fixture
def half_embedded(raw_engram, tmp_path):
    """A chat of which only a part has vectors, of a server that is gone."""
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = json.loads(raw_engram("import", file, "--json")[1])[0]["chat_id"]
    with FakeOpenAI() as server:
        raw_engram("settings", "embed.base_url", server.url)
        raw_engram("settings", "embed.model", "fake-embed")
        assert raw_engram("recall", chat_id, "--query", "铜钥匙")[0] == 0
    raw_engram("summarise", chat_id, "--range", "0-24")
    return chat_id


def test_recall_answers_and_says_what_was_missing(raw_engram, half_embedded):
    code, out, _err = raw_engram("recall", half_embedded, "--query", "第7把铜钥匙", "--json")
    row = json.loads(out)
    assert code == 0
    assert row["items"]
    assert row["degraded"] == ["embedding"]
    code, out, _err = raw_engram("recall", half_embedded, "--query", "第7把铜钥匙")
    assert code == 0
    assert "degraded, could not take part: embedding" in out


def test_inject_answers_and_says_what_was_missing(raw_engram, half_embedded):
    code, out, _err = raw_engram("inject", half_embedded, "--query", "第7把铜钥匙", "--json")
    row = json.loads(out)
    assert code == 0
    assert "铜钥匙" in row["text"]
    assert row["degraded"] == ["embedding"]
    code, out, err = raw_engram("inject", half_embedded, "--query", "第7把铜钥匙")
    assert code == 0
    assert "铜钥匙" in out
    assert "degraded" not in out  # it is meant for a prompt
    assert "degraded, could not take part: embedding" in err


def test_a_summary_with_a_dead_model_says_why_and_ends_with_1(raw_engram, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = json.loads(raw_engram("import", file, "--json")[1])[0]["chat_id"]
    with FakeOpenAI() as server:
        url = server.url
    raw_engram("settings", "llm.base_url", url)
    raw_engram("settings", "llm.model", "m")
    code, out, err = raw_engram("summarise", chat_id, "--all", "--json")
    report = json.loads(out)
    assert code == 1
    assert "did not answer" in report["stopped"]
    assert len(report["failed"]) + report["not_begun"] == 2
    assert "did not answer" in err


# `engram reflect`, `triage` and what an injection says of it, on the command line.

LOG = {"owner": "爱丽丝", "content": "我不该把钥匙给他的。", "emotion_tags": ["后悔"], "about": ""}


@pytest.fixture
def says():
    return {"answer": ""}


@pytest.fixture
def model(says, monkeypatch):
    with FakeOpenAI(answer=lambda _body: says["answer"]) as fake:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", fake.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        yield fake


def test_looking_back(engram, chat, says, model):
    says["answer"] = json.dumps({"events": [{"summary": "卡尔烧了信。"}], "logs": [LOG]})
    code, plan = engram("reflect", chat, "--plan")
    assert (code, len(plan["blocks"]), model.seen) == (0, 2, [])
    code, made = engram("reflect", chat, "--range", "0-9")
    assert code == 0
    assert {k: made[k] for k in ("events_added", "logs_added", "floors", "llm_calls")} == {
        "events_added": 1,
        "logs_added": 1,
        "floors": 10,
        "llm_calls": 1,
    }
    assert set(made) > {"prompt_tokens", "completion_tokens", "failed", "known"}
    engram("logs", chat)
    assert engram.rows[0]["content"] == LOG["content"]
    engram("undo", chat)
    engram("logs", chat)
    assert engram.rows == []
    says["answer"] = "当然可以！"
    code, made = engram("reflect", chat, "--range", "0-9")
    assert (code, made["failed"][0]["raw"]) == (1, "当然可以！")


def test_triage(engram, chat, says, model):
    says["answer"] = '{"intent":"date","level":"EVENT","reasoning":"r","directives":{"a":"b"}}'
    code, found = engram("triage", chat, "--input", "带你去水族馆")
    assert (code, found) == (
        0,
        {"intent": "date", "level": "EVENT", "reasoning": "r", "directives": {"a": "b"}},
    )
    engram("settings", "inject.triage", "true")
    _code, made = engram("inject", chat, "--query", "水族馆")
    assert made["triage"]["level"] == "EVENT"
    says["answer"] = "?"
    assert engram("triage", chat, "--input", "早")[0] == 1
    _code, made = engram("inject", chat, "--query", "水族馆")
    assert (made["triage"], "names no level" in made["triage_fault"]) == (None, True)


@pytest.mark.parametrize("verb", [("triage", "--input", "早安"), ("reflect",)])
def test_without_an_endpoint_it_is_said_in_one_line(engram, chat, verb):
    code, _found = engram(verb[0], chat, *verb[1:])
    assert code == 1
    assert "No chat endpoint is set up." in engram.error
    assert engram.error.count("\n") == 1


# One chat's database is damaged: it says so, and everything else goes on.


@pytest.fixture
def plain_engram(tmp_path, capsys):
    run = CommandLine(tmp_path / "library", capsys)
    run("settings", "embed.local", "hash")
    run("settings", "index.backend", "exact")
    return run


@pytest.mark.parametrize("damage", ["empty", "truncated", "garbage", "header", "missing"])
def test_a_damaged_chat_says_so_and_the_others_work(plain_engram, tmp_path, damage):
    rows = story_rows(40)
    good_file = write_chat(tmp_path / "好.jsonl", rows)
    good = plain_engram.all_of("import", good_file)[1][0][0]["chat_id"]
    bad_file = write_chat(tmp_path / "坏.jsonl", [(n, f"另一个故事：{t}") for n, t in rows])
    bad = plain_engram.all_of("import", bad_file)[1][0][0]["chat_id"]
    path = plain_engram.library / "chats" / bad / "memory.db"
    for beside in path.parent.glob("memory.db-*"):
        beside.unlink()
    content = path.read_bytes()
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "truncated":
            path.write_bytes(content[: len(content) // 3 // 4096 * 4096 + 100])
        case "garbage":
            path.write_bytes(b"no database" * 5000)
        case "header":
            path.write_bytes(b"\x00" * 100 + content[100:])
        case _:
            path.unlink()
    left = path.read_bytes() if path.exists() else None

    code, (chats,) = plain_engram.all_of("chats")
    assert code == 0
    faults = {chat["chat_id"]: chat["fault"] for chat in chats}
    assert "cannot be read" in faults[bad]
    assert not faults[good]

    assert plain_engram.all_of("summarise", good, "--all")[0] == 0
    assert plain_engram.all_of("consolidate", good)[0] == 0
    assert plain_engram.all_of("recall", good, "--query", "铜钥匙")[1][0]["items"]
    write_chat(good_file, story_rows(44))
    assert plain_engram.all_of("import", good_file)[1][0][0]["added"] == 4, (
        "no damage keeps others from growing"
    )

    for verb in (("summarise", bad), ("recall", bad, "--query", "x"), ("stats", bad)):
        assert plain_engram.all_of(*verb)[0] == 1
        assert "cannot be read" in plain_engram.error
        assert "Traceback" not in plain_engram.error
    code, (findings,) = plain_engram.all_of("doctor", "--repair")
    assert code == 1
    assert [f["is_ok"] for f in findings if f["where"] == "坏"] == [False]
    assert all(f["is_ok"] for f in findings if f["where"] == "好")
    assert (path.read_bytes() if path.exists() else None) == left, "it was left as it is"


# Commands that could not do what was asked say so: no room, no vectors, odd lines of a file.

CTX = NullContext()


@pytest.fixture
def story_engram(tmp_path, capsys):
    def run(*words):
        code = main([*words, "--library", str(tmp_path / "library")])
        out = capsys.readouterr()
        return code, out.out, out.err

    story = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    assert run("import", str(story))[0] == 0
    assert run("summarise", "故事")[0] == 0
    return run


def test_a_budget_without_room_says_so(story_engram):
    code, out, err = story_engram("inject", "故事", "--query", "铜钥匙", "--budget", "5")
    assert (code, out.strip()) == (0, "")
    assert "no room" in err
    code, out, err = story_engram("inject", "故事", "--query", "铜钥匙", "--budget", "5", "--json")
    assert "no room" in json.loads(out)["note"]
    code, out, err = story_engram("inject", "故事", "--query", "铜钥匙")
    assert (code, err) == (0, "")
    assert out.strip()


def test_who_is_unknown_gets_nothing_and_is_told_who_is_known(story_engram):
    code, out, err = story_engram("inject", "故事", "--query", "钥匙", "--as", "Zelda")
    assert (code, out) == (1, "")
    assert err == "engram: There is no known person “Zelda”. There are: 旅人, 爱丽丝.\n"
    for known in ("旁白", "爱丽丝", " 爱丽丝", "{{user}}"):  # who narrates knows what is public
        assert story_engram("inject", "故事", "--query", "钥匙", "--as", known)[0] == 0


def test_who_a_line_of_a_file_asks_as_need_not_be_known(story_engram, tmp_path):
    rows = [{"query": "钥匙", "as": name} for name in ("Zelda", "旅人")]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = ("recall", "故事", "--queries", str(tmp_path / "queries.jsonl"))
    code, out, _err = story_engram(*asked, "--json")
    unknown, known = map(json.loads, out.splitlines())
    assert (code, unknown["items"]) == (0, [])
    assert "no known person “Zelda”" in unknown["note"]
    assert known["items"]
    assert "note" not in known
    assert "no known person “Zelda”" in story_engram(*asked)[1]


def test_a_base_url_without_its_version_is_told_with_one(story_engram):
    with FakeOpenAI(faults=[404] * 9) as server:
        assert story_engram("settings", "llm.base_url", server.url.removesuffix("/v1"))[0] == 0
        assert story_engram("settings", "llm.model", "m")[0] == 0
        code, _out, err = story_engram("triage", "故事", "--input", "早")
    assert (code, len(err.splitlines())) == (1, 1)
    assert f"try the base URL {server.url}." in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("events 故事 --search 无此", "There is no such event."),
        ("logs 故事", "There is no private log yet."),
        ("logs 故事 --search 无此", "There is no such private log."),
        ("witnesses 故事 --range 59", "There is no event of these floors."),
        ("group 故事", "Nobody is of a group."),
        ("recall 故事 --muted", "Nothing is muted."),
        ("recall 故事 --log", "Nothing was recalled yet."),
        ("lab 故事", "There is no question yet."),
        ("lab 故事 --run", "There is no question yet."),
        ("kept {kept} --compare", "Nothing was changed there since it was written."),
    ],
)
def test_where_there_is_nothing_a_reader_is_told_so(story_engram, tmp_path, words, told):
    kept = tmp_path / "kept.json"
    made = story_engram("export", "故事", "--format", "worldbook", "--keep", "-o", str(kept))
    assert made[0] == 0
    code, out, err = story_engram(*words.format(kept=kept).split())
    assert (code, err) == (0, "")
    assert out.startswith(told)
    assert len(out.splitlines()) == 1


def test_consolidating_without_any_vector_ends_with_1_and_says_so(story_engram):
    with FakeOpenAI(faults=[401] * 99) as server:
        assert story_engram("settings", "embed.base_url", server.url)[0] == 0
        assert story_engram("settings", "embed.model", "m")[0] == 0
        code, out, err = story_engram("consolidate", "故事")
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
def test_a_line_of_queries_that_is_none_is_told(story_engram, tmp_path, line, words):
    (tmp_path / "queries.jsonl").write_text(line + "\n", "utf-8")
    code, _out, err = story_engram("recall", "故事", "--queries", str(tmp_path / "queries.jsonl"))
    assert code == 1
    assert words in err
    assert len(err.splitlines()) == 1


def test_null_in_a_line_of_queries_does_not_lift_as(story_engram, tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    chat_id = memory.chats.find("故事")
    memory.close()
    rows = [{"query": "铜钥匙"} | more for more in ({"as": None}, {}, {"as": ""})]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = ("--queries", str(tmp_path / "queries.jsonl"), "--as", "旅人", "--json")
    code, out, _err = story_engram("recall", chat_id, *asked)
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


# What a user gets wrong, and a bug of ours: one line says what, the log has the rest.

HOMES = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def test_a_bug_of_a_command_is_one_line_and_its_trace_is_in_the_log(tmp_path, capsys, monkeypatch):
    for name in HOMES:
        monkeypatch.setenv(name, str(tmp_path / "home"))
    library = tmp_path / "library"
    assert main(["chats", "--library", str(library)]) == 0
    connection = apsw.Connection(str(library / "library.db"))
    connection.execute("DROP TABLE kept_book")
    connection.close()
    capsys.readouterr()
    assert main(["kept", "--library", str(library)]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert "this is a bug in Engram" in line
    log = Path(line.rpartition(" is in ")[2])
    assert "Traceback (most recent call last)" in log.read_text("utf-8")


@pytest.mark.parametrize("port", ["99999", "-1", "x"])
def test_what_is_no_port_is_wrong_usage(tmp_path, port, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}", "--library", str(tmp_path)])
    assert ended.value.code == 2
    assert "is no port" in capsys.readouterr().err


def test_what_a_command_does_not_know_is_said_with_its_own_usage(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["entities", "list", "月光", "--library", str(tmp_path)])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: engram entities [-h]")
    assert said.endswith("engram entities: error: unrecognized arguments: 月光\n")


def test_a_proxy_that_is_no_address_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "::not a url::")
    library = ["--library", str(tmp_path / "library")]
    file = write_chat(tmp_path / "月光.jsonl", [("爱丽丝", "早。")])
    assert main(["import", str(file), *library]) == 0
    capsys.readouterr()
    monkeypatch.setenv("ENGRAM_LLM_BASE_URL", "https://model.invalid/v1")
    monkeypatch.setenv("ENGRAM_LLM_MODEL", "m")
    assert main(["triage", "月光", "--input", "?", *library]) == 1
    assert "The proxy cannot be used" in capsys.readouterr().err
