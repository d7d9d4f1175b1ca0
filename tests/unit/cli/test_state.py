"""`engram state`: the tree as JSON, at a floor, with its log; set by hand and undone."""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.cli.main import main
from tests.state_story import update, write_story


def test_the_state_is_shown_set_and_undone(tmp_path, capsys):
    library = str(tmp_path / "lib")

    def engram(*words):
        code = main(["--library", library, *words])
        return code, capsys.readouterr().out

    story = write_story(tmp_path / "故事.jsonl", [update(1), update("很多")])
    assert engram("import", str(story))[0] == 0
    tree: dict[str, dict[str, Any]] = {"爱丽丝": {"好感度": [51, "喜爱"], "心情": "平静"}}
    assert json.loads(engram("--json", "state", "故事")[1]) == tree
    tree["爱丽丝"]["好感度"][0] = 50
    assert json.loads(engram("--json", "state", "故事", "--at", "1")[1]) == tree
    rows = json.loads(engram("--json", "state", "故事", "--log")[1])
    assert [(row["floor"], row["teller"]) for row in rows] == [
        (0, "begin"),
        (2, "reply"),
        (4, "reply"),
    ]
    assert "number" in rows[-1]["changes"][0]["fault"]
    said = engram("state", "故事", "--set", '爱丽丝.心情="开心"')[1]
    assert "爱丽丝.心情: 开心" in said
    assert "爱丽丝.好感度: 51  (喜爱)" in said
    assert engram("state", "故事", "--remove", "爱丽丝.心情")[1] == "爱丽丝.好感度: 51  (喜爱)\n"
    assert engram("undo", "故事")[0] == 0
    assert "心情: 开心" in engram("state", "故事")[1]
    assert engram("state", "故事", "--set", "不是赋值")[0] == 1
    assert engram("state", "故事", "--at", "99")[0] == 1
