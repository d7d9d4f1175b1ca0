"""The memory server as its page shows it: on or off, every request, and what is said of one."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.serving.bodies import Bodies
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engram_desktop.domain.recall.query import RecallHit
    from engram_desktop.domain.reports import ChatSummary
    from engram_desktop.domain.serving.exchange import Exchange
    from engram_desktop.server.running import Address
    from engram_desktop.viewmodels.chats.chat_tree import ChatTree

_CHAT_PATH = "/chat/"


class Serving(QObject):
    """State and commands. Requests are heard while the program runs, seen or not."""

    changed = Signal()  # running or not, its address, starting or stopping
    heard = Signal(object)  # Exchange, each time it changes
    shown = Signal(object)  # Exchange that is chosen, or None
    bodies_wanted = Signal(object)  # Bodies
    cleared = Signal()  # the server was started anew: the list begins anew

    def __init__(
        self, workspace: Workspace, chats: ChatTree, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._chats = chats
        self._server = workspace.server
        self._number: int | None = None
        self._server.changed.connect(self.changed)
        self._server.heard.connect(self._on_heard)

    @property
    def is_running(self) -> bool:
        return self._server.is_running

    @property
    def is_busy(self) -> bool:
        return self._server.is_busy

    @property
    def can_run(self) -> bool:
        """Whether this window may: another program that holds the library runs its own."""
        return self._space.memory.can_write

    @property
    def address(self) -> Address | None:
        return self._server.address

    @property
    def starts_by_itself(self) -> bool:
        return self._space.memory.settings.read().serve_on_start

    @property
    def has_endpoint(self) -> bool:
        return self._space.memory.endpoints.has_model()

    @cached_property
    def folder(self) -> str:
        """The SillyTavern folder of the settings, or nothing."""
        return self._space.memory.settings.read().tavern_folder

    def switch(self) -> None:
        """Start the server, or stop it."""
        if self.is_running:
            self._server.halt()
        else:
            self._server.start()

    def set_starts_by_itself(self, *, on: bool) -> None:
        memory = self._space.memory
        self._space.change(
            self.tr("Saving a setting"), lambda _ctx: memory.settings.set("serve.on_start", on)
        )

    def renew_key(self) -> None:
        """Make another key; programs have to be told it."""
        self._server.renew_key()

    def copy(self, text: str) -> None:
        """Put an address or the key on the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self._space.messages.tell(self.tr("Copied"))

    def exchanges(self) -> list[Exchange]:
        """Return the newest requests, the newest first."""
        return self._server.exchanges()

    @property
    def current(self) -> Exchange | None:
        """The request that is chosen."""
        return self._server.exchange(self._number) if self._number is not None else None

    def choose(self, number: int | None) -> None:
        self._number = number
        self.shown.emit(self.current)

    def chat_name(self, line: Line) -> str:
        """Return the name of a chat, or nothing where it is gone."""
        chat = self._chats.chat(line.chat_id)
        return chat.name if chat is not None else ""

    def chats(self) -> list[ChatSummary]:
        """Every chat a request could have been of, the latest first."""
        return list(self._chats.chats)

    def ask_bodies(self) -> None:
        """Ask to see what the chosen request held, before memory and after it."""
        exchange = self.current
        if exchange is None or not exchange.before:
            return
        before, after = exchange.before, exchange.after
        job = self._space.look_up(lambda _ctx: Bodies.of(before, after))
        job.succeeded.connect(self.bodies_wanted)

    def open_chat(self) -> None:
        """Show the chat the chosen request is of."""
        exchange = self.current
        line = exchange.identity.line if exchange and exchange.identity else None
        if line is not None:
            self._space.show_chat(line.chat_id)
            self._space.show_branch(line.branch_id)
            self._space.page_wanted.emit("events")

    def mute(self, hit: RecallHit) -> None:
        """Never use a memory again that the chosen request got."""
        exchange = self.current
        line = exchange.identity.line if exchange and exchange.identity else None
        if line is None:
            return
        memory, chat = self._space.memory, line.chat_id
        job = self._space.change(
            self.tr("Not to be used again"),
            lambda _ctx: memory.recall.set_muted(chat, [hit.item.ref], muted=True),
        )
        job.succeeded.connect(lambda _changes: self._tell_muted(chat, hit.item.ref))

    def correct(self, line: Line | None) -> None:
        """Say of which chat the chosen request was; None: of none."""
        exchange = self.current
        if exchange is None or not exchange.before:
            return
        memory, path, before = self._space.memory, exchange.path, exchange.before

        def work(ctx: JobContext) -> Changes:
            request = memory.serving.read(
                json.loads(before), path_chat=_chat_of(path), client=exchange.client
            )
            return memory.serving.correct(ctx, request, line)

        job = self._space.change(self.tr("Noting which chat it was"), work)
        job.succeeded.connect(self._on_corrected)

    def install_companion(self, folder: Path) -> None:
        """Put the companion into a SillyTavern."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Installing the companion"),
            lambda _ctx: memory.serving.install_companion(folder),
        )
        job.succeeded.connect(self._on_installed)

    def save_companion(self, folder: Path) -> None:
        """Put the companion into a folder, to be copied to another machine."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Saving the companion"), lambda _ctx: memory.serving.save_companion(folder)
        )
        job.succeeded.connect(self._on_installed)

    def _tell_muted(self, chat: str, ref: str) -> None:
        memory = self._space.memory
        self._space.messages.show(
            Notice(
                "success",
                self.tr("This memory is not used again."),
                "",
                self.tr("Allow it again"),
                lambda: self._space.change(
                    self.tr("Allowing it again"),
                    lambda _ctx: memory.recall.set_muted(chat, [ref], muted=False),
                ),
            )
        )

    @Slot(object)
    def _on_heard(self, exchange: Exchange) -> None:
        if exchange.number == 1 and not exchange.is_finished:
            self.cleared.emit()
        self.heard.emit(exchange)
        if exchange.number == self._number:
            self.shown.emit(exchange)

    @Slot(object)
    def _on_corrected(self, _changes: object) -> None:
        self._space.messages.tell(
            self.tr("Noted: requests that go on from it are taken for that."), kind="success"
        )

    @Slot(object)
    def _on_installed(self, _report: object) -> None:
        self._space.messages.show(
            Notice(
                "success",
                self.tr("The companion is there."),
                self.tr(
                    "Load SillyTavern's page anew, open Extensions, and give the companion the"
                    " address and the key."
                ),
            )
        )


def _chat_of(path: str) -> str:
    """Return NAME of ``/chat/NAME/v1/…``."""
    if not path.startswith(_CHAT_PATH):
        return ""
    return unquote(path.removeprefix(_CHAT_PATH).partition("/")[0])
