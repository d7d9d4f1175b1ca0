"""Pictures of every page, tab, dialog and menu, taken from the program; and which texts are cut.

    PICTURES=FOLDER python -m benchmarks.pictures

For each language, theme and size a folder of pictures with long names everywhere, and `cut.txt`.
Another scale: QT_SCALE_FACTOR=1.5. No test begins with this file: somebody looks at the pictures.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.parts.look import THEMES
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.cut_texts import faults
from tests.gui.places import menus, places
from tests.gui.waiting import settle

pytestmark = pytest.mark.timeout(900)
SIZES = ("1920x1080", "1440x900", "1366x768", "900x600")
LONG = "那一年冬天在月光酒馆里发生的、谁也没有对别人说起过的、很长很长的故事 The Very Long Story"


def with_long_names(memory) -> None:
    """Give the chat and who it tells of names that no box is made for."""
    chat = memory.chats.all()[0].chat_id
    memory.chats.rename(chat, LONG)
    entity = memory.graph.find_entities(Line.main(chat))[0]
    memory.graph.update_entity(chat, entity.id, name=f"{entity.name}，{LONG}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures(qtbot, open_desktop, memory, language, theme, size):
    scale = os.environ.get("QT_SCALE_FACTOR", "1")
    folder = Path(os.environ["PICTURES"]) / f"{language}-{theme}-{size}-{scale}"
    folder.mkdir(parents=True, exist_ok=True)
    with_long_names(memory)
    desktop = open_desktop(memory, language=language, theme=theme)
    window = desktop.window
    window.resize(*map(int, size.split("x")))
    settle(desktop)
    cut: set[tuple[str, ...]] = set()

    def take(name, widget):
        QApplication.processEvents()  # what was put into a layout is shown in a turn of its own
        if isinstance(widget, QMenu):
            widget.popup(QPoint())  # a menu has its size when it is shown
        widget.grab().save(str(folder / (re.sub(r"[^\w-]+", "-", name) + ".png")))
        if isinstance(widget, QMenu):
            widget.hide()

    for spec in PAGES:
        window.show_page(spec.name)
        settle(desktop)
        cut.update(faults(spec.name, window))
        take(f"{spec.name}-first", window)
        for name, menu in menus(window):
            take(f"{spec.name}-menu-{name}", menu)
    for place, top in places(qtbot, desktop):
        cut.update(faults(place, top))
        take(place, top)
    (folder / "cut.txt").write_text("\n".join(" | ".join(one) for one in sorted(cut)), "utf-8")


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
