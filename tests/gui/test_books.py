"""World books in the window: taken in like a chat, memory written out as one."""

from __future__ import annotations

import json
from pathlib import Path

from engram_desktop.domain.event import EventQuery
from tests.gui.conftest import settle

BOOK = {"entries": {"0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。"}}}


def write_book(folder: Path) -> Path:
    file = folder / "月光.json"
    file.write_text(json.dumps(BOOK), "utf-8")
    return file


def test_a_dropped_book_is_shown_and_stored_under_the_name_given(qtbot, desktop, memory, tmp_path):
    file = write_book(tmp_path)
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.cards[0].name.setText("酒馆设定")
    dialog.import_button.click()
    settle(qtbot, desktop)
    assert [row.name for row in memory.books()] == ["酒馆设定"]
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    again = desktop.window.dialogs.shown[-1]
    assert again.cards[0].choice() is None
    assert not again.import_button.isEnabled()


def test_memory_is_exported_as_a_world_book(qtbot, desktop, memory, tmp_path):
    chat = memory.chats()[0].chat_id
    desktop.window.models.health.export(chat, tmp_path / "回忆", "worldbook")
    settle(qtbot, desktop)
    written = json.loads((tmp_path / "回忆.json").read_text("utf-8"))
    assert written["name"].startswith("[Engram] ")
    told = [e for e in written["entries"].values() if e["comment"].startswith("剧情摘要_")]
    assert len(told) == len(memory.find_events(chat, EventQuery()))
