"""No text is cut by the box it stands in, in any language, in the smallest window."""

from __future__ import annotations

import pytest

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.cut_texts import faults
from tests.gui.places import places
from tests.gui.waiting import settle

pytestmark = pytest.mark.timeout(300)
SMALLEST = (900, 600)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_in_the_smallest_window(qtbot, open_desktop, memory, language):
    desktop = open_desktop(memory, language=language)
    window = desktop.window
    window.resize(*SMALLEST)
    settle(qtbot, desktop)
    found = set()
    for spec in PAGES:
        window.show_page(spec.name)
        settle(qtbot, desktop)
        found |= set(faults(spec.name, window))
    for place, top in places(qtbot, desktop):
        found |= set(faults(place, top))
    assert not found, "\n" + "\n".join(" | ".join(fault) for fault in sorted(found))
