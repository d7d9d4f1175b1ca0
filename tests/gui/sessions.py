"""A window as a run of the program has it, from its begin to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engram_desktop.app.diagnostics import BugReporter
from engram_desktop.app.main import read_arguments
from engram_desktop.app.start import WindowSession
from engram_desktop.services.memory import Memory


@contextmanager
def running_session(
    qtbot: QtBot,
    app: QApplication,
    memory: Memory,
    *words: str,
    reporter: BugReporter | None = None,
) -> Iterator[WindowSession]:
    """Show ``memory`` as a start with ``words`` does; then end it, and close the library."""
    arguments = read_arguments(list(words))
    session = WindowSession(app, memory, memory.folder, arguments, reporter or BugReporter())
    qtbot.waitUntil(lambda: session.desktop.window.models.chats.is_loaded, timeout=20_000)
    yield session
    session._server.close()
    assert session.desktop.close(5000)
    session.desktop.deleteLater()
    memory.close()
