"""The page of worldbooks, brought up for a test, and what stands on it."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt

from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.worldbooks.entry_table import COLUMNS
from tests.gui.waiting import open_page

ENTRIES = {
    "0": {"uid": 0, "key": ["企鹅"], "comment": "企鹅", "content": "水族馆里的企鹅。", "order": 5},
    "1": {"uid": 1, "key": ["没有人提过"], "comment": "沉默", "content": "从不出现。"},
    "2": {"uid": 2, "key": [], "comment": "天气", "content": "下雨。", "constant": True},
}


def open_entries(desktop, memory, tmp_path):
    """The page of worldbooks with one worldbook on it, held against the demo."""
    file = tmp_path / "设定.json"
    file.write_text(json.dumps({"entries": ENTRIES}), "utf-8")
    memory.imports.import_file(NullContext(), file)
    memory.settings.set("lore.depth", 1000)
    return open_page(desktop, "books")


def open_own_worldbook(desktop):
    """The page on the chat's own worldbook: with no other in the library, it is shown at once."""
    return open_page(desktop, "books")


def column_of(page, name):
    model = page.view.model()
    return [model.index(n, COLUMNS.index(name)).data() for n in range(model.rowCount())]


def stored(memory):
    return {
        entry.uid: entry for entry in memory.worldbooks.read(memory.worldbooks.all()[0].id).entries
    }


def undo_key(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def last_bar(desktop):
    return desktop.window.message_bar.bars[-1]
