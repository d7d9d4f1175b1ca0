"""`engram watch`: a session is played while it runs, and everything arrives."""

from __future__ import annotations

import json
import queue
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from engram_desktop.cli.main import main
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import set_all
from tests.programs import COMMAND_LINE, FLAGS, INTERRUPT, start_python
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()
REST = {"skipped": 0, "replaced": 0}


@pytest.fixture
def tavern(tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl")
    file.say(*(f"第{n}天，铜钥匙还在。" for n in range(20)))
    return tmp_path / "SillyTavern", file


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library"
    memory = Memory.open(folder, environ={})
    set_all(memory, {"embed.local": "hash", "index.backend": "exact"})
    memory.close()
    return folder


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--json"])
    printed = capsys.readouterr()
    return code, [json.loads(line) for line in printed.out.splitlines()], printed.err


class Watching:
    """The command as a process of its own, and what it says."""

    def __init__(self, folder: Path, library: Path) -> None:
        words = ["watch", folder, "--library", library, "--json"]
        environ = {"PYTHONIOENCODING": "utf-8"}
        self.process = start_python(COMMAND_LINE, *words, environ=environ, creationflags=FLAGS)
        self._rows: queue.Queue[dict[str, Any]] = queue.Queue()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._rows.put(json.loads(line))

    def next(self, event: str) -> dict[str, Any]:
        """The next thing that happened, which must be ``event``."""
        row = self._rows.get(timeout=30)
        assert row["event"] == event, row
        return row

    def end(self) -> tuple[int, str]:
        self.process.send_signal(INTERRUPT)
        code = self.process.wait(30)
        self._thread.join(30)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        error = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, error


@pytest.mark.skipif(sys.platform == "win32", reason="a console of its own cannot be interrupted")
@pytest.mark.e2e
def test_a_session_played_while_it_runs_ends_where_a_fresh_import_ends(tavern, library, tmp_path):
    folder, file = tavern
    watching = Watching(folder, library)
    try:
        assert watching.next("imported")["count"] == 20
        file.say("钟敲了十二下。", "走吧。")
        row = watching.next("added")
        assert (row["start_index"], row["end_index"], row["file"]) == (20, 21, str(file.path))
        file.edit(2, "第二天我丢了铜钥匙。")
        watching.next("edited")
        file.swipe("我们留下。", 20)
        watching.next("swiped")
        file.hide(0, 1)
        watching.next("hidden")
        file.delete(21)
        watching.next("deleted")
        child = file.branch(9, "爱丽丝 - 1 - Branch #1")
        watching.next("branch")
        file.rename("月光酒馆")
        assert watching.next("renamed")["detail"] == "爱丽丝 - 1.jsonl"
        child.say("另一条路。")
        last = watching.next("added")
    finally:
        code, error = watching.end()
    assert code == 130
    assert error.strip() == "engram: cancelled; what was finished is kept"
    memory, fresh = (Memory.open(p, environ={}) for p in (library, tmp_path / "fresh"))
    (chat,) = memory.chats.all()
    for path, branch in ((file.path, "main"), (child.path, last["branch_id"])):
        again = fresh.imports.import_file(CTX, path, name=path.stem).chat_id
        assert again is not None
        wanted = told(fresh, again)
        held = told(memory, chat.chat_id, branch)
        assert [m[:-1] for m in held] == [m[:-1] for m in wanted]
        if branch == "main":
            assert held == wanted
    memory.close()
    fresh.close()


def test_once_takes_in_what_is_new_and_ends(tavern, library, capsys):
    folder, file = tavern
    watch = ("watch", folder, "--once", "--library", library)
    code, rows, _error = run(capsys, *watch)
    assert (code, [r["event"] for r in rows]) == (0, ["imported"])
    file.delete(19)
    assert [r["event"] for r in run(capsys, *watch)[1]] == ["deleted"]
    assert run(capsys, *watch)[1] == []


def test_known_takes_in_no_chat_of_its_own(tavern, library, capsys):
    folder, file = tavern
    code, rows, _error = run(capsys, "watch", folder, "--once", "--known", "--library", library)
    assert (code, rows) == (0, [])
    run(capsys, "import", file.path, "--library", library)
    file.say("新的。")
    rows = run(capsys, "watch", folder, "--once", "--known", "--library", library)[1]
    assert [(r["event"], r["count"]) for r in rows] == [("added", 1)]


def test_the_folder_is_listed_and_imported_whole(tavern, library, capsys):
    folder, file = tavern
    file.branch(9, "爱丽丝 - 1 - Branch #1")
    code, (found,), _error = run(capsys, "tavern", folder, "--library", library)
    assert code == 0
    (handle,) = found["handles"]
    assert [c["name"] for c in handle["characters"]] == ["爱丽丝"]
    assert {c["messages"] for c in handle["characters"][0]["chats"]} == {20, 10}
    code, (rows,), _error = run(capsys, "import", folder, "--library", library)
    assert code == 0
    assert [(r["added"], r["fork_floor"]) for r in rows] == [(20, None), (0, 9)]
    code, _rows, error = run(capsys, "tavern", folder / "public", "--library", library)
    assert code == 1
    assert "not a SillyTavern folder" in error


def test_the_prompts_of_a_preset_are_shown(tavern, library, capsys):
    folder, file = tavern
    presets = file.path.parents[2] / "OpenAI Settings"
    presets.mkdir(exist_ok=True)
    prompts = [{"identifier": "main", "name": "Main", "content": "写得慢。"}]
    (presets / "慢.json").write_text(json.dumps({"prompts": prompts}), "utf-8")
    show = ("tavern", folder, "--library", library, "--preset")
    code, ((found,),), _error = run(capsys, *show, "慢")
    assert code == 0
    assert [(p["name"], p["text"], p["is_on"]) for p in found["prompts"]] == [
        ("Main", "写得慢。", False)
    ]
    assert run(capsys, *show, "无")[0] == 1


def test_memories_of_other_tools_are_planned_and_taken_over_once(tavern, library, capsys):
    _folder, file = tavern
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。"}}
    file.save()
    _code, ((row,),), _error = run(capsys, "import", file.path, "--library", library)
    adopt = ("adopt", row["chat_id"], "--library", library)
    code, (plan,), _error = run(capsys, *adopt, "--plan")
    assert (code, plan["found"]) == (0, {"qvink": 1})
    assert plan["memories"][0]["text"] == "钥匙在柜台下。"
    assert run(capsys, *adopt)[1] == [{"found": {"qvink": 1}, "added": 1} | REST]
    assert run(capsys, *adopt)[1] == [{"found": {"qvink": 1}, "added": 0} | REST | {"skipped": 1}]


def test_an_older_copy_in_a_watched_folder_is_a_branch_and_is_said(tavern, library, capsys):
    folder, file = tavern
    watch = ("watch", folder, "--once", "--library", library)
    file.say(*(f"第{n}天，雪还在下。" for n in range(30)))
    chat = run(capsys, *watch)[1][0]["chat_id"]
    count = len(file.rows)
    file.delete(*range(10, count))
    kept, branch = run(capsys, *watch)[1]
    assert (kept["event"], kept["start_index"], kept["end_index"]) == ("conflict", 10, count - 1)
    assert kept["conflict"] == {
        "choice": "branch",
        "changed": [],
        "gone": [[10, count - 1]],
        "branch": branch["branch_id"],
        "branch_holds": "copy",
        "fork_floor": 9,
    }
    assert run(capsys, *watch)[1] == []
    rows = run(capsys, "branches", chat, "--library", library)[1][0]
    assert [row["messages"] for row in rows] == [count, 10]


def test_a_kept_worldbook_follows_what_is_watched(tavern, library, tmp_path, capsys):
    folder, file = tavern
    watch = ("watch", folder, "--once", "--library", library)
    chat = run(capsys, *watch)[1][0]["chat_id"]
    run(capsys, "summarise", chat, "--extractor", "extractive", "--library", library)
    worldbook = tmp_path / "[Engram] 爱丽丝.json"
    keep = (
        "export",
        chat,
        "--format",
        "worldbook",
        "-o",
        worldbook,
        "--keep",
        "--library",
        library,
    )
    before = run(capsys, *keep)[1][0]["entries"]
    assert run(capsys, *watch)[1] == [], "nothing changed, nothing is written"
    file.delete(*range(2, 20))
    rows = run(capsys, *watch)[1]
    assert [r["event"] for r in rows] == ["deleted", "kept"]
    assert rows[-1]["count"] < before
    assert len(json.loads(worldbook.read_text("utf-8"))["entries"]) == rows[-1]["count"]
    worldbook.unlink()
    rows = run(capsys, *watch)[1]
    assert [(r["event"], r["file"]) for r in rows] == [("warning", str(worldbook))]
    assert run(capsys, *watch)[1] == [], "the same trouble is told once"
