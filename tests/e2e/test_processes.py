"""Starts, interruptions, bare machines."""

from __future__ import annotations

import json
import os
import sys

import pytest

from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.migrations import CHAT, open_database
from tests.e2e.test_serve import Serving
from tests.factories import write_chat
from tests.many_programs import run
from tests.programs import COMMAND_LINE, ROOT, run_program, run_python, start_python

pytestmark = pytest.mark.e2e

# Ctrl+C while the command line is still being loaded: 130, one line, no traceback.

# Sends the signal itself, when a module is imported: as early and as late as can be.
SCRIPT = """
import os, signal, sys
sent = []
def interrupt(event, args):
    if event == "import" and args[0] == {name!r} and not sent:
        sent.append(args)
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
from engram_desktop.cli.entry import run
sys.argv = ["engram", "chats", "--library", {library!r}]
run()
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no signal to send to oneself")
@pytest.mark.parametrize(
    "name",
    [
        "engram_desktop.cli.main",
        "argparse",
        "engram_desktop.services.memory",
        "apsw",
        "engram_desktop.storage.library.library",
        "engram_desktop.cli.chat_verbs",
    ],
)
def test_a_command_that_is_still_loading_ends_at_once(tmp_path, name):
    script = SCRIPT.format(name=name, library=str(tmp_path / "library"))
    done = run_python(script, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (130, "engram: cancelled\n")
    assert not (tmp_path / "library").exists()


# Computers that lack what a window needs: one line says what, and no traceback is shown.

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone lacks it")
HOMES = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def window(tmp_path, *words, without=(), **environ):
    own = {k: v for k, v in os.environ.items() if k not in without}
    own |= dict.fromkeys(HOMES, str(tmp_path / "home")) | environ
    library = tmp_path / "library"
    return run_program(
        sys.executable, "-m", "engram_desktop", "--library", library, *words, cwd=ROOT, env=own
    )


@LINUX
def test_a_missing_library_of_the_system_is_named(tmp_path):
    """As Python says it where libGL is not installed."""
    stand_in = tmp_path / "PySide6"
    stand_in.mkdir()
    why = "libGL.so.1: cannot open shared object file: No such file or directory"
    (stand_in / "__init__.py").write_text(f"raise ImportError({why!r})", "utf-8")
    done = window(tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert done.returncode == 1
    assert "libGL.so.1" in done.stderr
    assert "apt install libgl1" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@LINUX
@pytest.mark.parametrize(
    "displays",
    [{}, {"DISPLAY": ":4711"}, {"DISPLAY": "nonsense"}, {"WAYLAND_DISPLAY": "wayland-4711"}],
    ids=str,
)
def test_a_missing_display_is_said_before_qt_aborts(tmp_path, displays):
    gone = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    done = window(tmp_path, without=gone, **displays)
    assert done.returncode == 1
    assert "display" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@LINUX
@pytest.mark.parametrize(("language", "is_told"), [("zh_CN", True), ("ja", True), ("en", False)])
def test_characters_that_no_font_has_are_told(tmp_path, language, is_told):
    fonts = tmp_path / "fonts.conf"
    none = "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>"
    fonts.write_text(none, "utf-8")
    picture = tmp_path / "window.png"
    done = window(
        tmp_path,
        *("--language", language, "--screenshot", picture),
        QT_QPA_PLATFORM="offscreen",
        FONTCONFIG_FILE=str(fonts),
    )
    assert done.returncode == 0, done.stderr
    assert ("shown as boxes" in done.stderr) is is_told
    assert picture.exists()


# Several programs at one library: they write in turn, and nothing is lost.


def start(library, *words):
    return start_python(COMMAND_LINE, *words, "--library", library, "--json")


def ended(process):
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


def chat_of(tmp_path, library):
    file = write_chat(tmp_path / "共有.jsonl", [("爱丽丝", "铜钥匙在暗格里。"), ("旅人", "好。")])
    assert ended(start(library, "import", file))[0] == 0


def test_four_programs_for_some_seconds(tmp_path):
    account = run(tmp_path, 4, 5, has_window=True)
    assert account.failures == []
    assert account.lost == []
    assert account.faults == []
    assert account.acknowledged > 0


def test_many_programs_make_a_library_together(tmp_path):
    files = [write_chat(tmp_path / f"{n}.jsonl", [("爱丽丝", f"{n}")]) for n in range(3)]
    library = tmp_path / "library"
    commands = [["import", file] for file in files] + [["chats"]] * 3
    answers = [ended(process) for process in [start(library, *words) for words in commands]]
    assert [(code, error) for code, _out, error in answers if code] == []
    assert len(json.loads(ended(start(library, "chats"))[1])) == len(files)


def test_a_chat_of_an_older_version_is_migrated_once(tmp_path):
    library = tmp_path / "library"
    chat_of(tmp_path, library)
    (chat,) = (library / "chats").iterdir()
    for left in chat.glob("memory.db*"):
        left.unlink()
    old = open_database(chat / "memory.db", CHAT[:4], tmp_path / "none", create=True)
    old.run_many("INSERT INTO branch(id, name) VALUES ('main', '')", [()])
    old.close_all()
    commands = [["stats", chat.name], ["recall", chat.name, "--query", "铜"]] * 3
    answers = [ended(process) for process in [start(library, *words) for words in commands]]
    assert [(code, error) for code, _out, error in answers if code] == []


def test_a_writer_waits_and_then_says_for_whom(tmp_path):
    library = tmp_path / "library"
    chat_of(tmp_path, library)
    ended(start(library, "settings", "library.wait", "0.5"))
    window = Memory.open(library, environ={})
    code, _out, error = ended(start(library, "add", "共有", "一件事"))
    assert code == 1
    assert f"in use by Engram (process {os.getpid()}" in error
    code, out, _error = ended(start(library, "recall", "共有", "--query", "铜钥匙"))
    assert code == 0
    assert json.loads(out)["items"]
    waiting = start(library, "settings", "library.wait", "60")
    window.close()
    assert ended(waiting)[0] in {0, 1}  # it may have given up before the window closed
    ended(start(library, "settings", "library.wait", "60"))
    window = Memory.open(library, environ={}, access=WriteAccess("own", 60))
    waiting = start(library, "add", "共有", "一件事")
    window.close()
    assert ended(waiting)[0] == 0


def test_commands_write_beside_a_server_that_runs(tmp_path):
    library = tmp_path / "library"
    chat_of(tmp_path, library)
    for key, value in {"embed.local": "hash", "keys.storage": "file"}.items():
        ended(start(library, "settings", key, value))
    serving = Serving(library, "", "--port", "0", "--json")
    assert "url" in json.loads(serving.first_line())
    code, _out, error = ended(start(library, "add", "共有", "一件事"))
    assert (code, error) == (0, "")
    code, out, error = ended(start(library, "backup"))
    assert (code, error) == (0, "")
    backup = json.loads(out)["file"]
    code, _out, error = ended(start(library, "restore", backup))
    assert code == 1
    assert "engram serve" in error, "its files are not replaced under a program that has them open"
    serving.end()
    assert ended(start(library, "restore", backup))[0] == 0
