"""A played chat goes to SillyTavern and back: text, swipes, and the state."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import FileExists
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext

CTX = NullContext()


def test_a_played_chat_is_written_and_read_back(memory, server, line, state_of, tmp_path):
    left = ["一", "二"]
    server.answer = lambda body: (
        f"<thought>不说。</thought><reply>{left.pop(0)}</reply>"
        '<state_update>[{"op":"add","path":"character.affinity","value":3}]</state_update>'
    )
    memory.play.send(CTX, line, "*摸摸头*")
    memory.play.reroll(CTX, line)
    target = tmp_path / "out" / "爱丽丝.jsonl"
    target.parent.mkdir()
    assert memory.play.export_chat(CTX, line, target) == 3
    rows = [json.loads(row) for row in target.read_text("utf-8").splitlines()]
    assert rows[0]["user_name"] == "旅人"
    assert [row["mes"] for row in rows[1:]] == ["欢迎，旅人。", "*摸摸头*", "二"]
    assert (rows[3]["swipes"], rows[3]["swipe_id"]) == (["一", "二"], 1)
    assert rows[1]["swipes"] == ["欢迎，旅人。", "又是您呀，旅人。"]
    assert "不说" not in target.read_text("utf-8")
    with pytest.raises(FileExists):
        memory.play.export_chat(CTX, line, target)
    rows[3] |= {"mes": "一", "swipe_id": 0, "extra": rows[3]["swipe_info"][0]["extra"]}
    again = tmp_path / "又一次.jsonl"
    again.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    other = Line.main(memory.imports.import_file(CTX, again, name="另一个").chat_id)
    assert state_of(other, "character.affinity") == 43
    assert state_of(other, "interaction_stats.headpat_count") == 1
    assert memory.play.notes(other, 0, 9)[2].level == "ROUTINE"
    memory.play.swipe(other, 2, 1)
    assert memory.messages.slice(other, 2, 2)[0].text == "二"
