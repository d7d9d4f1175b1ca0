"""What is made while nobody asks, and what a change of theme does to what is not seen."""

from engram_desktop import late
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.waiting import settle


def test_every_page_and_panel_is_made_and_dressed_while_nobody_asks(qtbot, desktop):
    stack, names = desktop.window.stack, [spec.name for spec in PAGES]
    shown = desktop.window.page
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    assert not late.read_next(("engram_desktop.widgets.",))
    assert not stack.make_next(), "nothing is left"
    assert desktop.window.page == shown
    assert all(stack.page(name).styleSheet() for name in names)


def test_pages_are_made_anew_for_a_window_in_another_language(qtbot, open_desktop, memory):
    desktop = open_desktop(memory, language=None)
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    first = desktop.window
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "ja"))
    qtbot.waitUntil(lambda: desktop.window is not first, timeout=20_000)
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    assert not desktop.window.stack.make_next()


def test_a_page_that_is_not_seen_wears_the_theme_when_it_is_shown(qtbot, desktop):
    window = desktop.window
    window.show_page("graph")
    settle(qtbot, desktop)
    graph, events = window.stack.page("graph"), window.event_page
    light = graph.styleSheet()
    desktop.look.apply("dark")
    qtbot.waitUntil(lambda: graph.styleSheet() != light, timeout=5_000)
    qtbot.waitUntil(window.updatesEnabled, timeout=5_000)
    assert events.styleSheet() != graph.styleSheet(), "nobody sees it"
    window.show_page("events")
    assert events.styleSheet() == graph.styleSheet() == window.sidebar.styleSheet()
    paper = window.grab().toImage().pixelColor(window.width() // 2, window.height() // 2)
    assert paper.lightness() < 80


def test_a_dialog_wears_the_theme_and_follows_it(qtbot, desktop):
    desktop.window.dialogs.open_settings()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    light = dialog.styleSheet()
    assert light
    desktop.look.apply("dark")
    qtbot.waitUntil(lambda: dialog.styleSheet() != light, timeout=5_000)
