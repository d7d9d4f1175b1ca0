"""One window per library: a second start hands its files to the first and ends.

The library's own lock belongs to the storage; this only finds the window that holds it. Two
messages are understood, both harmless: come to the front, and offer these files for import.

It also does what Windows requires for coming to the front; other systems require nothing.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from engram_desktop.domain.write_access import WINDOW_PROGRAM, place_of
from engram_desktop.services import memory

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

_ANY_PROCESS = -1


def let_another_to_the_front() -> None:
    """Allow an open window of ours to come to the front: only a just started program may do so."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - nothing else needs it

        ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)


WAIT_MS = 1000
LISTEN_MS = 100  # after a window is shown, so that it is painted by then
STARTING_S = 2.0  # a starting window listens by then; otherwise it was killed, or hangs
_AGAIN_MS = 50
MAX_BYTES = 64 * 1024
MAX_FILES = 100


def server_name(library: Path) -> str:
    """Return the socket name of a library; the same for every spelling of its path."""
    digest = hashlib.blake2b(str(library.resolve()).casefold().encode(), digest_size=8)
    return f"engram-{digest.hexdigest()}"


def hand_over_to_window(library: Path, files: Sequence[str]) -> bool:
    """As `hand_over`, if a window may have the library open; waits for one that is starting."""
    place = library / place_of(WINDOW_PROGRAM)
    until = time.monotonic() + STARTING_S
    while place.exists():
        if hand_over(library, files):
            return True
        if time.monotonic() > until or memory.ClosedLibrary(library).is_free():
            return False
        QThread.msleep(_AGAIN_MS)
    return False


def hand_over(library: Path, files: Sequence[str]) -> bool:
    """Raise the window that has ``library`` open and give it ``files``; returns whether one has."""
    from PySide6.QtNetwork import QLocalSocket  # noqa: PLC0415 - 4 % of a start

    socket = QLocalSocket()
    socket.connectToServer(server_name(library))
    if not socket.waitForConnected(WAIT_MS):
        return False
    let_another_to_the_front()
    socket.write(json.dumps({"files": [str(Path(f).absolute()) for f in files]}).encode())
    socket.flush()
    socket.waitForBytesWritten(WAIT_MS)
    socket.disconnectFromServer()
    return True


class InstanceServer(QObject):
    raised = Signal()
    files_given = Signal(object)  # list[Path]

    def __init__(self, library: Path, parent: QObject | None = None, *, delay_ms: int = 0) -> None:
        """Listen, after ``delay_ms``; by default at once."""
        super().__init__(parent)
        self._library = library
        self._sockets: list[QLocalSocket] = []
        self._server: QLocalServer | None = None
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._listen)
        if delay_ms:
            self._timer.start()
        else:
            self._listen()

    def close(self) -> None:
        self._timer.stop()
        if self._server is not None:
            self._server.close()

    @Slot()
    def _listen(self) -> None:
        from PySide6.QtNetwork import QLocalServer  # noqa: PLC0415 - as above

        self._server = server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._on_connection)
        name = server_name(self._library)
        if not server.listen(name):
            QLocalServer.removeServer(name)  # left behind by a crash: nobody answers on it
            server.listen(name)

    @Slot()
    def _on_connection(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            self._sockets.append(socket)
            socket.disconnected.connect(self._take_messages)
        self._take_messages()

    @Slot()
    def _take_messages(self) -> None:
        """Read every connection that the other side has closed."""
        closed_sockets = [
            s for s in self._sockets if s.state() == s.LocalSocketState.UnconnectedState
        ]
        self._sockets = [s for s in self._sockets if s not in closed_sockets]
        for socket in closed_sockets:
            files = read_message(bytes(socket.read(MAX_BYTES).data()))
            socket.deleteLater()
            if files is not None:
                self.raised.emit()
                if files:
                    self.files_given.emit(files)


def read_message(data: bytes) -> list[Path] | None:
    """Read the message; returns None for anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    files = value.get("files") if isinstance(value, dict) else None
    if not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        return None
    return [Path(name) for name in files[:MAX_FILES]]
