"""The command line as a contract: documents, exit codes, one line of error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

import pytest

from engram_desktop.cli.main import main
from engram_desktop.services.memory import Memory
from tests.factories import script_json, story_rows, write_chat
from tests.programs import ROOT, run_program, run_python

ENTRY = "from engram_desktop.cli.entry import run; run()"
ENVIRON = {**os.environ, "PYTHONPATH": str(ROOT)}


def test_main_job_step_by_step(engram, chat):
    code, made = engram("summarise", chat, "--range", "0-49")
    assert code == 0
    assert made["floors"] == 50
    assert made["llm_calls"] == 0
    assert set(made) == {
        "events_added",
        "floors",
        "llm_calls",
        "prompt_tokens",
        "completion_tokens",
        "failed",
        "waiting",
    }
    _code, row = engram("consolidate", chat)
    assert row["archived"] == made["events_added"]
    assert set(row) == {
        "archived",
        "embedded",
        "entities_added",
        "relations_added",
        "outlines",
        "llm_calls",
        "prompt_tokens",
        "completion_tokens",
        "failed",
    }
    engram("summarise", chat, "--all")
    _code, chats = engram("chats")
    assert chats[0]["messages"] == 60
    assert chats[0]["archived"] == row["archived"]
    assert chats[0]["buffer"] > 0
    assert {"chat_id", "name", "characters", "branches", "entities", "updated_at"} <= set(chats[0])
    engram("events", chat, "--status", "archived", "--search", "钥")
    assert engram.rows
    assert all(e["status"] == "archived" for e in engram.rows)
    assert {"summary", "structured_kv", "raw_data", "display_text", "level"} <= set(engram.rows[0])


def test_recall_of_a_file_of_questions_echoes_ids(engram, chat, tmp_path):
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"id": 7, "query": "第3天"}\n\n{"query": "铜钥匙", "at": 5}\n', "utf-8")
    code, _row = engram("recall", chat, "--queries", queries, "--top-k", "3")
    assert code == 0
    first, second = engram.rows
    assert first["id"] == 7
    assert "id" not in second
    assert len(first["items"]) == 3
    item = first["items"][0]
    assert set(item) >= {"rank", "kind", "id", "start_index", "end_index", "text", "score", "why"}
    assert item["start_index"] == 3
    assert all(i["end_index"] <= 5 for i in second["items"])


def test_inject_stays_within_its_budget(engram, chat):
    engram("summarise", chat, "--all")
    _code, made = engram("inject", chat, "--query", "铜钥匙", "--budget", "300")
    assert 0 < made["tokens"] <= 300
    assert "<engram_summaries>" in made["text"]


def test_inject_answers_a_file_of_questions_at_every_budget_and_logs_none(engram, chat, tmp_path):
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"id": "a", "query": "第3天"}\n{"query": "铜钥匙", "at": 5}\n', "utf-8")
    code, _row = engram("inject", chat, "--queries", queries, "--budgets", "200,800")
    assert code == 0
    assert [(row.get("id"), row["budget"]) for row in engram.rows] == [
        ("a", 200),
        ("a", 800),
        (None, 200),
        (None, 800),
    ]
    for row in engram.rows:
        assert set(row) >= {"query", "text", "tokens", "items", "elapsed_ms", "degraded"}
        assert 0 < row["tokens"] <= row["budget"]
    assert all(item["end_index"] <= 5 for row in engram.rows[2:] for item in row["items"])
    assert engram("recall", chat, "--log")[1] == []


@pytest.mark.parametrize(
    "words",
    [
        ("--queries", "{q}", "--budgets", "99"),
        ("--queries", "{q}", "--budgets", "200001"),
        ("--queries", "{q}", "--budgets", "many"),
        ("--queries", "{q}", "--freeze", "3"),
        ("--query", "铜钥匙", "--budgets", "500"),
    ],
)
def test_budgets_that_make_no_sense_are_wrong_usage(engram, chat, tmp_path, words):
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"query": "第3天"}\n', "utf-8")
    words = [str(queries) if word == "{q}" else word for word in words]
    try:
        code = engram("inject", chat, *words)[0]
    except SystemExit as e:
        code = e.code
    assert code == 2


def test_a_budget_too_small_for_anything_says_so(engram, tmp_path):
    rows = [("爱丽丝", "铜钥匙在柜子里，" * 30), ("旅人", "好" * 200)]
    _code, made = engram("import", write_chat(tmp_path / "两句.jsonl", rows))
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"query": "铜钥匙"}\n', "utf-8")
    engram("inject", made[0]["chat_id"], "--queries", queries, "--budgets", "100,6000")
    small, large = engram.rows
    assert ("note" in small) == (not small["text"])
    assert "note" not in large
    assert "铜钥匙" in large["text"]


def test_a_frozen_injection_is_given_again_and_needs_the_lock(engram, chat):
    engram("summarise", chat, "--all")
    _code, first = engram("inject", chat, "--query", "铜钥匙", "--freeze", "3")
    assert first["frozen_until"] == 63
    assert engram("inject", chat, "--query", "别的事")[1]["text"] == first["text"]
    engram("settings", "library.wait", "0")
    window = Memory.open(engram.library, program="Engram Desktop")
    try:
        assert engram("inject", chat, "--query", "别的事")[1]["text"] == first["text"]
        assert engram("inject", chat, "--unfreeze")[0] == 1
    finally:
        window.close()
    assert engram("inject", chat, "--unfreeze")[0] == 0
    assert engram("inject", chat, "--query", "别的事")[1]["frozen_until"] is None


def test_the_lab_compares_two_ways(engram, chat):
    engram("recall", chat, "--query", "第20把铜钥匙")
    ref = engram.rows[0]["items"][0]["id"]
    code, rows = engram("lab", chat, "--add", "第20把铜钥匙", "--expect", ref)
    assert (code, len(rows)) == (0, 1)
    _code, report = engram("lab", chat, "--run", "--set", "without=lexical,vector", "top_k=1")
    assert report["sides"][0]["recall"] == 1.0
    assert report["questions"][0]["expected"][0]["ranks"][0] == 1
    assert engram("lab", chat, "--run", "--set", "colour=red")[0] == 1
    assert engram("lab", chat, "--edit", rows[0]["id"], "--query", "改")[1][0]["query"] == "改"
    assert engram("lab", chat, "--delete", rows[0]["id"])[1] == []


def test_the_lab_looks_into_the_prompts_and_logs_none(engram, chat):
    engram("recall", chat, "--query", "第20把铜钥匙")
    ref = engram.rows[0]["items"][0]["id"]
    engram("lab", chat, "--add", "第20把铜钥匙", "--expect", ref)
    logged = engram("recall", chat, "--log")[1]
    code, report = engram("lab", chat, "--prompt", "--budgets", "100,2000")
    assert code == 0
    small, large = report["budgets"]
    assert (small["budget"], large["budget"], large["evidence"]) == (100, 2000, 1.0)
    assert small["tokens"] <= 100 < large["tokens"] <= 2000
    (question,) = report["questions"]
    assert question["tokens"] == [small["tokens"], large["tokens"]]
    assert question["expected"][0]["in_prompt"][1]
    usual = engram("lab", chat, "--prompt")[1]
    assert [one["budget"] for one in usual["budgets"]] == [6000]
    assert engram("recall", chat, "--log")[1] == logged
    assert engram("lab", chat, "--list", "--budgets", "500")[0] == 2


def test_the_lab_tells_a_reader_what_stands_in_the_prompts(engram, chat, capsys):
    engram("recall", chat, "--query", "第20把铜钥匙")
    ref = engram.rows[0]["items"][0]["id"]
    engram("lab", chat, "--add", "第20把铜钥匙", "--expect", ref)
    words = ("lab", chat, "--prompt", "--budgets", "2000", "--library", str(engram.library))
    assert main([*words]) == 0
    total, question, memory = capsys.readouterr().out.splitlines()
    assert total.startswith("budget 2000: 100.0% of the evidence in the prompt, ")
    assert question.split() == ["100%", "第20把铜钥匙"]
    assert memory.split()[0] == "in"


def test_recalls_are_explained_and_memories_muted(engram, chat):
    _code, found = engram("recall", chat, "--query", "第20把铜钥匙", "--explain")
    traces = found["explanation"]["traces"]
    assert [t["ref"] for t in traces if not t["dropped"]] == [i["id"] for i in found["items"]]
    ref = found["items"][0]["id"]
    assert engram("recall", chat, "--mute", ref)[1][0]["id"] == ref
    assert ref not in [
        i["id"] for i in engram("recall", chat, "--query", "第20把铜钥匙")[1]["items"]
    ]
    _code, past = engram("recall", chat, "--log")
    assert len(past) == 2
    assert engram("recall", chat, "--log", past[0]["id"])[1]["purpose"] == "recall"
    assert engram("recall", chat, "--unmute", ref)[1] == engram("recall", chat, "--muted")[1] == []
    assert engram("recall", chat, "--mute", "nothing")[0] == 1


def test_edit_undo_redo_history(engram, chat):
    engram("summarise", chat, "--all")
    engram("events", chat)
    event = engram.rows[0]
    _code, edited = engram(
        "event", chat, event["id"], "--set", "summary=改写了", "--set", "keywords=甲,乙"
    )
    assert edited["summary"] == "改写了"
    assert edited["raw_data"]["keywords"] == ["甲", "乙"]
    assert "改写了" in edited["display_text"]
    _code, undone = engram("undo", chat)
    assert undone["label"].startswith("Edit")
    assert engram("event", chat, event["id"])[1]["summary"] == event["summary"]
    assert engram("redo", chat)[1]["label"] == undone["label"]
    assert engram("event", chat, event["id"], "--archive")[1]["is_archived"]
    assert not engram("event", chat, event["id"], "--restore")[1]["is_archived"]
    assert engram("event", chat, event["id"], "--delete")[1]["is_deleted"]
    assert engram("event", chat, event["id"])[0] == 1
    labels = [step["label"] for step in engram("history", chat)[1]]
    assert labels[0] == "Delete 1 event"


def test_graph_export_stats_reindex_backup_restore_doctor(engram, chat, tmp_path):
    engram("summarise", chat, "--all")
    engram("consolidate", chat)
    _code, graph = engram("graph", chat)
    assert {node["name"] for node in graph["nodes"]} >= {"爱丽丝", "旅人"}
    assert "<graphml" in engram("graph", chat, "--format", "graphml")[1]["graphml"]
    for form in ("markdown", "json"):
        target = tmp_path / f"out.{form}"
        _code, done = engram("export", chat, "--format", form, "-o", target)
        assert done["entries"] > 0
        assert "铜钥匙" in target.read_text("utf-8")
        code, _row = engram("export", chat, "--format", form, "-o", target)
        assert code == 1, "an export never overwrites"
    assert engram("reindex", chat)[1]["embedded"] >= 60
    assert engram("stats", chat)[1]["embedded"] == engram("stats", chat)[1]["items"]
    _code, saved = engram("backup")
    engram("event", chat, engram("events", chat)[1]["id"], "--delete")
    assert engram("restore", saved["file"])[1]["chats"] == 1
    assert engram("undo", chat)[1]["label"].startswith("Consolidate")
    code, findings = engram("doctor")
    assert code == 0
    assert all(f["is_ok"] for f in findings)


def test_a_library_that_does_not_open_is_restored_all_the_same(engram, chat):
    _code, saved = engram("backup")
    catalogue = engram.library / "library.db"
    for name in ("library.db-wal", "library.db-shm"):
        (engram.library / name).unlink(missing_ok=True)
    catalogue.write_bytes(b"not a database at all" * 500)
    assert engram("chats")[0] == 1
    assert engram("restore", engram.library / "missing.zip")[0] == 1
    assert catalogue.read_bytes().startswith(b"not a database"), "nothing was replaced"
    assert engram("restore", saved["file"])[1]["chats"] == 1
    assert engram("chats")[1][0]["chat_id"] == chat
    kept = list(engram.library.glob("trash/*/library.db"))
    assert b"not a database at all" in kept[0].read_bytes() + kept[-1].read_bytes()


def test_an_entity_is_shown_with_what_the_story_says_of_it(engram, tmp_path):
    rows = [("爱丽丝", "我叫爱丽丝，是月光酒馆的店主。"), ("旅人", "你好，爱丽丝。")]
    engram("import", write_chat(tmp_path / "说.jsonl", rows))
    engram("summarise", "说", "--extractor", "extractive", "--all")
    engram("consolidate", "说")
    code, page = engram("entities", "说", "--entity", "爱丽丝")
    assert (code, page["name"], page["events"]) == (0, "爱丽丝", 1)
    assert page["descriptions"] == [
        {
            "floor": 0,
            "speaker": "爱丽丝",
            "text": "我叫爱丽丝，是月光酒馆的店主。",
            "until": None,
            "is_untrue": False,
        }
    ]
    assert engram("entities", "说", "--entity", "没有这个人")[0] == 1


def test_entities_that_are_one_and_relations_that_end(engram, chat):
    engram("summarise", chat, "--all")
    engram("consolidate", chat)
    engram("entities", chat, "--entity", "爱丽丝", "--alias", "爱丽丝小姐")
    engram("entities", chat, "--entity", "爱丽丝", "--split", "爱丽丝小姐")
    _code, found = engram("entities", chat, "--find-same")
    assert [e["name"] for e in found[0]["entities"]] == ["爱丽丝", "爱丽丝小姐"]
    assert engram("entities", chat, "--dismiss", found[0]["id"])[1] == []
    assert engram("undo", chat)[1]["label"] == "Keep 爱丽丝 and 爱丽丝小姐 apart"
    assert engram("entities", chat, "--suggestions")[1] == found
    assert engram("entities", chat, "--accept", found[0]["id"])[1] == []
    assert engram("entities", chat, "--accept", "unknown")[0] == 1
    _code, rows = engram("relation", chat, "--add", "爱丽丝", "信任", "旅人")
    made = next(row for row in rows if row["predicate"] == "信任")
    assert (made["is_by_hand"], made["is_current"]) == (True, True)
    _code, rows = engram("relation", chat, "--id", made["id"], "--end", "59")
    assert [r["valid_to"] for r in rows if r["id"] == made["id"]] == [59]
    edge = next(e for e in engram("graph", chat)[1]["links"] if e["key"] == made["id"])
    assert (edge["is_current"], edge["valid_to"]) == (False, 59)
    engram("relation", chat, "--id", made["id"], "--as-told")
    engram("relation", chat, "--id", made["id"], "--reword", "爱慕")
    assert engram("relation", chat, "--id", made["id"], "--delete")[0] == 0
    assert engram("relation", chat, "--id", made["id"], "--delete")[0] == 1
    engram("entities", chat, "--entity", "旅人", "--hide")
    assert "旅人" not in [e["name"] for e in engram("entities", chat)[1]]
    engram("entities", chat, "--entity", "旅人", "--unhide")
    assert "旅人" in [e["name"] for e in engram("entities", chat)[1]]
    assert engram("entities", chat, "--update")[0] == 1  # no model is configured


def test_errors_are_one_line_and_one_code(engram, chat, tmp_path, capsys):
    for arguments in (
        ("events", "没有这个聊天"),
        ("import", tmp_path / "missing.jsonl"),
        ("event", chat, "nobody"),
        ("undo", chat),
        ("settings", "summary.interval", "many"),
        ("settings", "no.such.key"),
        ("restore", tmp_path / "missing.zip"),
        ("summarise", chat, "--extractor", "llm"),
    ):
        code, _row = engram(*arguments)
        assert code == 1, arguments
        assert engram.error.startswith("engram: "), arguments
        assert len(engram.error.strip().splitlines()) == 1, arguments
    for wrong in (["no-such-verb"], ["recall", chat], ["summarise", chat, "--range", "9-1"]):
        with pytest.raises(SystemExit) as stopped:
            main(wrong)
        assert stopped.value.code == 2
        capsys.readouterr()


def test_while_a_window_holds_the_library_writing_is_refused_and_reading_goes_on(engram, chat):
    engram("settings", "library.wait", "0")
    window = Memory.open(engram.library, program="Engram Desktop")
    try:
        assert engram("chats")[0] == 0
        assert engram("recall", chat, "--query", "铜钥匙")[0] == 0
        assert engram.rows[0]["items"]
        assert engram("consolidate", chat)[0] == 1
        assert "Engram Desktop" in engram.error
    finally:
        window.close()


def test_settings_are_parsed_bounded_and_overlaid_for_a_chat(engram, chat):
    assert engram("settings", "summary.interval", "30")[1] == {"summary.interval": 30}
    assert engram("settings", "summary.interval", "12", "--chat", chat)[1]["summary.interval"] == 12
    assert engram("settings", "summary.interval")[1] == {"summary.interval": 30}
    assert engram("settings", "summary.interval", "3")[0] == 1
    assert "from 5 to 200" in engram.error


@pytest.mark.parametrize("words", [("key", "llm"), ("mcp",), ("play", "CHAT")])
def test_a_command_without_standard_input_says_so(engram, chat, words):
    engram("settings", "keys.storage", "file")
    words = [chat if word == "CHAT" else word for word in words]
    command = ["sh", "-c", 'exec "$0" "$@" <&-', sys.executable, "-c"]
    command += [ENTRY, *words]
    done = run_program(*command, "--library", engram.library, env=ENVIRON)
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 0)
    assert "Standard input is closed" in done.stderr


@pytest.mark.parametrize("words", [("note",), ("lab",), ("folder",), ("events",)])
def test_a_branch_that_there_is_not_is_said(engram, chat, words):
    assert engram(*words, chat, "--branch", "nobranch")[0] == 1
    assert "nobranch" in engram.error


@pytest.mark.e2e
def test_a_key_is_kept_in_the_file_only_when_that_was_chosen(engram):
    def key(text, name="llm"):
        return run_python(ENTRY, "key", name, "--library", engram.library, input=text, env=ENVIRON)

    engram("settings", "keys.storage", "session")
    assert key("sk-canary-1\n").returncode == 1
    engram("settings", "keys.storage", "file")
    assert key("sk-canary-2\n").returncode == 0
    assert "none of llm" in key("sk-canary-3\n", "nobody").stderr
    assert "called “away”" in key("sk-canary-4\n", "serve:away").stderr
    engram("settings", "serve.endpoints", "away = https://example.invalid/v1")
    assert key("sk-canary-5\n", "serve:away").returncode == 0
    engram("backup")
    holding = [
        f.name for f in engram.library.rglob("*") if f.is_file() and b"sk-canary" in f.read_bytes()
    ]
    assert holding == ["api-keys.unencrypted.json"]


def test_the_demo_makes_memory_that_recalls(tmp_path, capsys):
    assert main(["demo", str(tmp_path / "demo"), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["messages"] == 159
    assert made["archived"] > 5
    assert made["buffer"] > 0
    assert any("铜钥匙" in hit["text"] for hit in made["recalled"])
    assert main(["demo", str(tmp_path / "demo"), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["events"], again["events_added"]) == (made["events"], 0)
    assert again["buffer"] == made["buffer"], "blue lamps stay blue when it is run again"


def test_entities_are_listed_and_curated(engram, chat):
    engram("summarise", chat, "--all")
    engram("consolidate", chat)
    names = {row["name"] for row in engram("entities", chat)[1]}
    assert {"爱丽丝", "旅人"} <= names
    _code, rows = engram("entities", chat, "--entity", "爱丽丝", "--rename", "老板娘爱丽丝")
    renamed = next(row for row in rows if row["name"] == "老板娘爱丽丝")
    assert renamed["aliases"] == ["爱丽丝"]
    engram("entities", chat, "--entity", "爱丽丝", "--profile", "身份: 酒馆老板娘")
    _code, rows = engram("entities", chat, "--entity", "爱丽丝", "--merge", "旅人")
    assert "旅人" in next(row for row in rows if row["id"] == renamed["id"])["aliases"]
    assert engram("undo", chat)[1]["label"].startswith("Merge 旅人")
    assert engram("entities", chat, "--entity", "没有这个人", "--lock")[0] == 1


def test_a_fact_written_by_hand_is_listed_and_changed(engram, chat):
    _code, fact = engram(
        "add", chat, "银器会灼伤林晚。", "--fact", "--range", "3", "--keywords", "银器"
    )
    assert (fact["kind"], fact["start_index"], fact["confidence"]) == ("fact", 3, "confirmed")
    engram("events", chat, "--kind", "fact", "--confidence", "confirmed")
    assert [row["id"] for row in engram.rows] == [fact["id"]]
    _code, changed = engram("event", chat, fact["id"], "--set", "kind=event")
    assert changed["kind"] == "event"
    assert engram("event", chat, fact["id"], "--set", "confidence=sure")[0] == 1


def test_an_event_written_by_hand_is_of_the_newest_floor_unless_told_otherwise(engram, chat):
    _code, rows = engram("chats")
    newest = next(row["messages"] for row in rows if row["chat_id"] == chat) - 1
    _code, event = engram("add", chat, "天亮了。")
    assert (event["start_index"], event["end_index"]) == (newest, newest)


def test_private_logs_from_the_command_line(engram, chat):
    _code, log = engram(
        "log",
        chat,
        "--owner",
        "爱丽丝",
        "--text",
        "我想再去一次。",
        "--emotions",
        "开心",
        "--range",
        "2-3",
    )
    assert (log["owner"], log["start_index"], log["emotion_tags"]) == ("爱丽丝", 2, ["开心"])
    engram("logs", chat, "--owner", "爱丽丝", "--search", "再去")
    assert [row["id"] for row in engram.rows] == [log["id"]]
    _code, changed = engram("log", chat, log["id"], "--text", "算了。")
    assert changed["content"] == "算了。"
    assert engram("log", chat, log["id"], "--delete")[0] == 0
    assert engram("log", chat, log["id"])[0] == 1
    assert engram("log", chat, "--owner", "爱丽丝")[0] == 1


def test_trim_reports_what_the_visible_text_costs(engram, chat):
    engram("summarise", chat, "--all")
    _code, report = engram("trim", chat, "--limit", "60")
    assert report["tokens_after"] <= report["tokens_before"]
    assert set(report) >= {"outlines", "trimmed", "llm_calls", "failed"}


def test_trim_tells_of_what_was_archived_without_an_outline(engram, chat):
    engram("summarise", chat, "--all")
    engram("events", chat)
    for row in engram.rows[:2]:
        engram("event", chat, row["id"], "--archive")
    _code, report = engram("trim", chat, "--limit", "1000000")
    assert report["outlines"] > 0
    _code, again = engram("trim", chat, "--limit", "1000000")
    assert again["outlines"] == 0


def test_branches_from_the_command_line(engram, chat):
    engram("summarise", chat, "--range", "0-29")
    code, made = engram("fork", chat, "--at", "29", "--as", "岔路")
    assert code == 0
    assert (made["name"], made["fork_seq"], made["messages"]) == ("岔路", 29, 30)
    engram("events", chat, "--branch", "岔路")
    shared = len(engram.rows)
    assert shared == made["events"] > 0
    code, report = engram("summarise", chat, "--all")
    assert code == 0
    engram("events", chat, "--branch", "岔路")
    assert len(engram.rows) == shared
    _code, tidied = engram("consolidate", chat, "--branch", "岔路")
    assert (tidied["archived"], tidied["outlines"]) == (shared, 1)
    _code, archived = engram("consolidate", chat)
    assert archived["archived"] == report["events_added"]
    _code, found = engram("branches", chat, "--compare", "main", "岔路")
    assert [len(found[k]) for k in ("only_first", "only_second", "shared")] == [
        report["events_added"] + archived["outlines"],
        0,
        shared + tidied["outlines"],
    ]
    _code, result = engram("recall", chat, "--query", "第50把铜钥匙", "--branch", "岔路")
    assert all(item["end_index"] <= 29 for item in result["items"])
    assert engram("stats", chat, "--branch", "岔路")[1]["messages"] == 30
    engram("branches", chat, "--rename", "岔路", "小路")
    _code, listed = engram("branches", chat)
    assert [b["name"] for b in listed] == ["main", "小路"]
    assert engram("fork", chat, "--at", "60")[0] == 1
    assert engram("events", chat, "--branch", "没有")[0] == 1
    assert len(engram("branches", chat, "--delete", "小路")[1]) == 1


def test_an_edited_file_leaves_stale_events_that_are_told_again(engram, chat, tmp_path):
    engram("summarise", chat, "--all")
    rows = story_rows(60)
    rows[5] = ("旅人", "爱丽丝，我们去钟楼找银色的钥匙吧。")
    del rows[40]
    file = write_chat(tmp_path / "故事.jsonl", rows)
    _code, report = engram("import", file, "--on-conflict", "replace")
    assert [report[0][k] for k in ("added", "changed", "removed", "skipped")] == [1, 1, 1, 58]
    assert report[0]["branch_id"] == "main"
    stale = engram("stats", chat)[1]["stale"]
    assert stale > 0
    code, made = engram("summarise", chat, "--stale")
    assert code == 0
    assert made["events_added"] > 0
    assert engram("stats", chat)[1]["stale"] == 0
    engram("undo", chat)
    assert engram("stats", chat)[1]["stale"] == stale
    _code, report = engram("import", write_chat(tmp_path / "故事.jsonl", rows[:50]), "--exact")
    assert report[0]["removed"] == 9
    assert engram("stats", chat)[1]["messages"] == 50


def test_an_older_copy_is_a_branch_unless_the_user_says_otherwise(engram, chat, tmp_path):
    older = story_rows(60)[:20]
    older[5] = ("旅人", "爱丽丝，我们去钟楼找银色的钥匙吧。")
    file = write_chat(tmp_path / "故事.jsonl", older)
    told = {
        "choice": "branch",
        "changed": [[5, 5]],
        "gone": [[20, 59]],
        "branch": None,
        "branch_holds": "copy",
        "fork_floor": 4,
    }
    _code, rows = engram("import", file, "--dry-run")
    assert rows[0]["conflict"] == told
    assert [rows[0][k] for k in ("added", "skipped", "removed", "fork_floor")] == [15, 5, 0, 4]
    _code, rows = engram("import", file, "--dry-run", "--on-conflict", "replace")
    assert [rows[0][k] for k in ("added", "changed", "removed")] == [1, 1, 40]
    assert engram("history", chat)[1] == [], "nothing was changed"
    _code, rows = engram("import", file, "--on-conflict", "skip")
    assert [rows[0][k] for k in ("added", "skipped", "removed")] == [0, 20, 0]
    assert rows[0]["conflict"]["choice"] == "skip"
    _code, rows = engram("import", file)
    assert rows[0]["conflict"] == told | {"branch": rows[0]["branch_id"]}
    assert [rows[0][k] for k in ("added", "skipped", "removed", "fork_floor")] == [15, 5, 0, 4]
    assert engram("stats", chat)[1]["messages"] == 60


def test_regex_scripts_are_taken_in_tried_and_switched(engram, chat, tmp_path):
    path = tmp_path / "regex-换字.json"
    path.write_text(script_json("/铜(.)/g", "银$1", indent=4), "utf-8")
    _code, report = engram("import", path)
    assert [report[0][k] for k in ("kind", "messages", "added", "skipped")] == ["regex", 0, 1, 0]
    _code, rows = engram("regex")
    assert [row["scope"] for row in rows][:2] == ["global", "own"]
    steps = engram("regex", "--try", "铜钥匙")[1]
    assert steps[-1]["text"] == "银钥匙"
    _code, steps = engram("regex", chat, "--floor", "5")
    assert steps[1]["kind"] == "script"
    engram("regex", "--disable", rows[0]["id"])
    _code, rows = engram("regex", "--disable", "own:marks")
    assert [row["is_enabled"] for row in rows if row["id"] in {rows[0]["id"], "own:marks"}] == [
        False,
        False,
    ]
    target = tmp_path / "out.json"
    assert engram("regex", "--enable", "换字")[0] == 0
    assert engram("regex", "--export", target)[1]["scripts"] == 1
    assert target.read_bytes() == path.read_bytes()
    assert engram("regex", "--export", target)[0] == 1
    assert engram("regex", "--enable", "没有")[0] == 1
    assert len(engram("regex", "--delete", "换字")[1]) == len(rows) - 1


def test_a_chat_that_lies_in_no_tavern_has_no_text_completion_prompt(engram, chat):
    code, _row = engram("completion", chat, "--instruct", "ChatML")
    assert code == 1


def test_a_prompt_is_shown_changed_previewed_and_reset(engram, chat, tmp_path):
    _code, rows = engram("prompts")
    assert {(row["task"], row["is_own"]) for row in rows} >= {("summary", False), ("trim", False)}
    own = tmp_path / "own.md"
    own.write_text("只说要点：{{chatHistory}}{{nobody}}", "utf-8")
    _code, row = engram("prompt", "summary", "--set", own, "--model", "small")
    assert (row["is_own"], row["unknown"], row["model"]) == (True, ["nobody"], "small")
    assert (row["output"], row["base_url"]) == ("json", "")
    _code, row = engram("prompt", "summary", "--output", "text")
    assert (row["output"], row["user"], row["model"]) == ("text", own.read_text("utf-8"), "small")
    _code, found = engram("prompt", "summary", "--preview", chat, "--range", "0-4")
    assert found["messages"][1]["content"].startswith("只说要点：[0]")
    assert (found["model"], found["unknown"]) == ("small", ["nobody"])
    assert "+只说要点" in engram("prompt", "summary", "--diff")[1]["diff"]
    _code, row = engram("prompt", "summary", "--reset")
    assert row["is_own"] is False
    assert engram("prompt", "trim", "--preview", chat)[0] == 1
    assert engram("prompt", "summary", "--set", tmp_path / "nothing.md")[0] == 1


def test_branches_are_imported_after_the_story_whatever_their_names_are(engram, tmp_path):
    file = write_chat(tmp_path / "灯塔.jsonl", story_rows(20))
    lines = file.read_text("utf-8").split("\n")
    header = json.dumps({"chat_metadata": {"main_chat": "旧名"}})
    branch = tmp_path / "A - Branch #1.jsonl"
    told = {"name": "旅人", "is_user": True, "mes": "另一条路。"}
    branch.write_text("\n".join([header, *lines[1:12], json.dumps(told)]), "utf-8")
    rows = engram("import", branch, file)[1]
    assert [row["file"] for row in rows] == [str(file), str(branch)]
    assert len({row["chat_id"] for row in rows}) == 1
    assert engram("chats")[1][0]["name"] == "灯塔"


def test_an_event_is_given_whole(engram, chat):
    engram("summarise", chat, "--all")
    engram("events", chat)
    event = engram.rows[0]["id"]
    told = json.dumps({"events": [{"summary": "海边的夜晚", "keywords": ["海"]}]})
    _code, edited = engram("event", chat, event, "--set", f"raw_data={told}")
    assert edited["raw_data"]["keywords"] == ["海"]
    two = json.dumps({"events": [{"summary": "一"}, {"summary": "二"}]})
    assert engram("event", chat, event, "--set", f"raw_data={two}")[0] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such file")
def test_output_that_has_no_space_is_said_in_one_line(capsys, tmp_path):
    with Path("/dev/full").open("w") as full, contextlib.redirect_stdout(full):
        assert main(["chats", "--json", "--library", str(tmp_path)]) == 1
        with contextlib.suppress(OSError):
            full.close()
    assert capsys.readouterr().err == "engram: there is no space left where the output is written\n"
