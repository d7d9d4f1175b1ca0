"""`engram volume`, as a user types it; from a finished chat to a second one that remembers it."""

from __future__ import annotations

import json

import pytest

from tests.factories import write_chat

FACT = [
    ("旅人", "爱丽丝，这把铜钥匙我该交给谁保管？"),
    ("爱丽丝", "把铜钥匙交给灯塔看守人老汉斯，他住在悬崖上。"),
    ("旅人", "好，我现在就把铜钥匙送到灯塔，亲手交给老汉斯。"),
    ("爱丽丝", "老汉斯接过铜钥匙，锁进了铁皮箱子。"),
]


@pytest.fixture
def second(engram, tmp_path):
    file = write_chat(tmp_path / "第二部.jsonl", [("旅人", "一年后，我又回到了镇上。")])
    _code, report = engram("import", file)
    return report[0]["chat_id"]


@pytest.fixture
def volume(engram, chat):
    engram("summarise", chat, "--all")
    _code, row = engram("volume", "make", chat, "--title", "第一卷")
    return row


def test_made_attached_listed_and_detached(engram, chat, second, volume):
    assert volume["title"] == "第一卷"
    assert volume["counts"]["events"] > 0
    code, row = engram("volume", "attach", "第一卷", second)
    assert (code, row["users"]) == (0, [second])
    assert row["label"] == "Let “第二部” read the volume “第一卷”"
    _code, rows = engram("volume", "list")
    assert [r["id"] for r in rows] == [volume["id"]]
    _code, rows = engram("volume", "list", "--chat", second)
    assert [r["title"] for r in rows] == ["第一卷"]
    assert engram("volume", "list", "--chat", chat)[1] == []
    engram("recall", second, "--query", "铜钥匙在哪里", "--top-k", "3")
    assert "第一卷" in {item.get("volume") for item in engram.rows[0]["items"]}
    _code, undone = engram("undo")
    assert "第一卷" in undone["label"]
    assert engram("volume", "list", "--chat", second)[1] == []
    engram("redo")
    code, row = engram("volume", "detach", "第一卷", second)
    assert (code, row["label"] != "") == (0, True)
    assert engram("volume", "list", "--chat", second)[1] == []
    code, row = engram("volume", "detach", "第一卷", second)  # it reads the volume no more
    assert (code, row["label"]) == (0, "")


def test_choices_preview_show_and_update(engram, chat, volume):
    code, counts = engram("volume", "preview", chat)
    assert (code, counts) == (0, volume["counts"])
    _code, only = engram("volume", "make", chat, "--title", "只有事件", "--events")
    assert only["kinds"] == ["events"]
    assert only["counts"]["outlines"] == 0
    _code, shown = engram("volume", "show", "只有事件")
    assert len(shown["events"]) == only["counts"]["events"]
    assert {"summary", "floors", "known_by"} <= set(shown["events"][0])
    engram("add", chat, "老汉斯点亮了灯塔。", "--range", "50-51")
    code, updated = engram("volume", "update", "只有事件")
    assert code == 0
    assert updated["id"] == only["id"]
    assert updated["counts"]["events"] == only["counts"]["events"] + 1


def test_a_file_goes_out_and_comes_in(engram, volume, tmp_path):
    file = tmp_path / "卷.json"
    code, row = engram("volume", "export", "第一卷", file)
    assert (code, row["id"]) == (0, volume["id"])
    assert json.loads(file.read_text("utf-8"))["version"] == 1
    assert engram("volume", "export", "第一卷", file)[0] == 1
    assert engram("import", file)[0] == 1  # it is no chat
    assert "engram volume import" in engram.error
    code, row = engram("volume", "import", file)
    assert (code, row["added"]) == (0, False)
    engram("volume", "delete", "第一卷")
    code, row = engram("volume", "import", file)
    assert (code, row["added"], row["id"]) == (0, True, volume["id"])
    file.write_text('{"format": "engram-volume", "version": 9}', "utf-8")
    assert engram("volume", "import", file)[0] == 1
    assert "version 9" in engram.error
    assert len(engram.error.strip().splitlines()) == 1


def test_what_is_wrong_is_said_in_one_line(engram, chat, second, volume):
    for words in (
        ("attach", "没有", second),
        ("attach", "第一卷", "没有"),
        ("attach", "第一卷", chat),  # it was made of that
        ("show", "没有"),
        ("make", second, "--title", "空"),
        ("make", chat, "--title", " "),
        ("import", "/没有/这个"),
    ):
        assert engram("volume", *words)[0] == 1, words
        assert len(engram.error.strip().splitlines()) == 1, words
    with pytest.raises(SystemExit) as usage:
        engram("volume")
    assert usage.value.code == 2


def test_a_second_chat_remembers_a_finished_one_without_a_model(engram, tmp_path):
    """Import, summarise, consolidate, make a volume, begin a new chat, attach, inject."""
    rows = [*FACT, *(("旅人", f"第{n}天，我们在镇上闲逛，什么也没有发生。") for n in range(40))]
    _code, report = engram("import", write_chat(tmp_path / "旧.jsonl", rows))
    old = report[0]["chat_id"]
    engram("summarise", old, "--all")
    engram("consolidate", old)
    _code, report = engram(
        "import", write_chat(tmp_path / "新.jsonl", [("旅人", "我回来了，铜钥匙呢？")])
    )
    new = report[0]["chat_id"]
    question = ("inject", new, "--query", "铜钥匙现在由谁保管？", "--budget", "1500")
    assert "老汉斯" not in engram(*question)[1]["text"]
    engram("volume", "make", old, "--title", "旧日")
    engram("volume", "attach", "旧日", new)
    _code, made = engram(*question)
    assert "老汉斯" in made["text"]
    assert "《旧日》" in made["text"]
    assert made["tokens"] <= 1500
    assert made["degraded"] == []
