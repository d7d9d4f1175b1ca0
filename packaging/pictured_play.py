"""Pictures of play, and of who knows what."""

from __future__ import annotations

from collections.abc import Iterator

from pictured_dialogs import settle
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from engram_desktop.app.desktop import Desktop
from engram_desktop.widgets.play.play_page import PlayPage


def knowing(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """The library as one of the story knows it, who knows an event, and secrets."""
    window, models = desktop.window, desktop.window.models
    models.viewpoint.read()
    settle(desktop)
    models.viewpoint.view_as("凯尔")
    settle(desktop)
    for page in ("events", "graph", "play"):
        window.show_page(page)
        settle(desktop)
        yield f"as-{page}", window
    models.viewpoint.view_as("")
    window.show_page("events")
    settle(desktop)
    window.event_page.view.show_row(2)
    models.events.ask_who(window.event_page.view.selected_keys())
    settle(desktop)
    yield "dialog-who", window.dialogs.shown[-1]
    window.dialogs.shown[-1].close()
    window.dialogs.open_secrets()
    settle(desktop)
    yield "dialog-secrets", window.dialogs.shown[-1]
    window.dialogs.shown[-1].close()


def playing(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """A chat without a model, how one begins, and both written scenes."""
    window, play = desktop.window, desktop.workspace.memory.play
    window.show_page("play")
    settle(desktop)
    page = window.stack.page_as("play", PlayPage)
    yield "play", window
    page.edit(window.models.play.state.count - 2)
    settle(desktop)
    yield "play-edit", window
    window.dialogs.open_play_start()
    settle(desktop)
    yield "dialog-play-start", window.dialogs.shown[-1]
    window.dialogs.shown[-1].close()
    language = QLocale().name()[:2]
    for scene in [s for s in play.scripted_scenes() if s.language == language]:
        window.models.play_start.start_scene(scene)
        settle(desktop)
        for _turn in range(3):
            if page.composer.suggest_button.isVisible():
                page.composer.suggest_button.click()
                page.composer.send_button.click()
                settle(desktop)
        yield f"play-{scene.name}", window
    size = window.size()
    window.resize(window.minimumSize())
    settle(desktop)
    yield "play-narrow", window
    window.resize(size)
