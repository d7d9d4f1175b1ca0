"""One chat's database is damaged: it says so, and everything else goes on."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine
from tests.factories import story_rows, write_chat


@pytest.fixture
def engram(tmp_path, capsys):
    run = CommandLine(tmp_path / "library", capsys)
    run("settings", "embed.local", "hash")
    run("settings", "index.backend", "exact")
    return run


@pytest.mark.parametrize("damage", ["empty", "truncated", "garbage", "header", "missing"])
def test_a_damaged_chat_says_so_and_the_others_work(engram, tmp_path, damage):
    rows = story_rows(40)
    good_file = write_chat(tmp_path / "好.jsonl", rows)
    good = engram.all_of("import", good_file)[1][0][0]["chat_id"]
    bad_file = write_chat(tmp_path / "坏.jsonl", [(n, f"另一个故事：{t}") for n, t in rows])
    bad = engram.all_of("import", bad_file)[1][0][0]["chat_id"]
    path = engram.library / "chats" / bad / "memory.db"
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

    code, (chats,) = engram.all_of("chats")
    assert code == 0
    faults = {chat["chat_id"]: chat["fault"] for chat in chats}
    assert "cannot be read" in faults[bad]
    assert not faults[good]

    assert engram.all_of("summarise", good, "--all")[0] == 0
    assert engram.all_of("consolidate", good)[0] == 0
    assert engram.all_of("recall", good, "--query", "铜钥匙")[1][0]["items"]
    write_chat(good_file, story_rows(44))
    assert engram.all_of("import", good_file)[1][0][0]["added"] == 4, (
        "no damage keeps others from growing"
    )

    for verb in (("summarise", bad), ("recall", bad, "--query", "x"), ("stats", bad)):
        assert engram.all_of(*verb)[0] == 1
        assert "cannot be read" in engram.error
        assert "Traceback" not in engram.error
    code, (findings,) = engram.all_of("doctor", "--repair")
    assert code == 1
    assert [f["is_ok"] for f in findings if f["where"] == "坏"] == [False]
    assert all(f["is_ok"] for f in findings if f["where"] == "好")
    assert (path.read_bytes() if path.exists() else None) == left, "it was left as it is"
