"""The server page: start and stop, requests and replies, the companion, and other front ends."""

from __future__ import annotations

import json
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.exchange import Exchange, Outcome
from engram_desktop.domain.serving.identity import How
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.recall.query import RecallHit
    from engram_desktop.domain.reports import ChatSummary
    from engram_desktop.server.running import Address
    from engram_desktop.viewmodels.chats.chat_tree import ChatTree


MOST_SHOWN = 300_000  # characters of one body: a text field can lay these out quickly
LONGEST_LINE = 1_000  # characters: bodies are JSON in one line, and long lines are slow to show


@dataclass(frozen=True, slots=True)
class Body:
    """``text`` is the exact body, for the clipboard; ``shown`` is the text laid out for reading."""

    text: str
    shown: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Bodies:
    """Two bodies. ``added`` are the shown lines of ``after`` that are not in ``before``."""

    before: Body
    after: Body
    added: tuple[int, ...] = ()

    @classmethod
    def of(cls, before: str, after: str) -> Self:
        """Lay out both; an empty ``after`` means that the request was sent on unchanged."""
        first, second = laid_out(before), laid_out(after or before)
        known = Counter(first.shown.split("\n"))
        added = []
        for number, line in enumerate(second.shown.split("\n")):
            if known[line]:
                known[line] -= 1
            else:
                added.append(number)
        return cls(first, second, tuple(added))


def laid_out(body: str) -> Body:
    """Return a body with JSON indented, long lines broken and lone surrogates marked."""
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        text = body
    text = text[:MOST_SHOWN].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    lines = [
        line[at : at + LONGEST_LINE]
        for line in text.replace("\0", "\ufffd").split("\n")
        for at in range(0, max(1, len(line)), LONGEST_LINE)
    ]
    return Body(body, "\n".join(lines), len(body) > MOST_SHOWN)


_CHAT_PATH = "/chat/"


class Serving(WorkspaceModel):
    """State and commands of the server page. Requests are received even while it is hidden."""

    changed = Signal()  # running or not, the address, starting or stopping
    heard = Signal(object)  # Exchange that is new or changed
    shown = Signal(object)  # the chosen Exchange, or None
    bodies_wanted = Signal(object)  # Bodies
    cleared = Signal()  # the server was restarted: the list is empty

    def __init__(
        self, workspace: Workspace, chats: ChatTree, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
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
        """Return whether this window may run the server: not with a read-only library."""
        return self._space.memory.session.can_write

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
        """Return the SillyTavern folder of the settings; empty if none is set."""
        return self._space.memory.settings.read().tavern_folder

    def switch(self) -> None:
        """Start or stop the server."""
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
        """Make a new key; front ends need the new one."""
        self._server.renew_key()

    def copy(self, text: str) -> None:
        """Copy an address or the key to the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self._space.messages.tell(self.tr("Copied"))

    def exchanges(self) -> list[Exchange]:
        """Return the newest requests, the newest first."""
        return self._server.exchanges()

    @property
    def current(self) -> Exchange | None:
        """Return the chosen request; None without one."""
        return self._server.exchange(self._number) if self._number is not None else None

    def choose(self, number: int | None) -> None:
        self._number = number
        self.shown.emit(self.current)

    def chat_name(self, line: Line) -> str:
        """Return the name of a chat; empty if the chat is gone."""
        chat = self._chats.chat(line.chat_id)
        return chat.name if chat is not None else ""

    def chats(self) -> list[ChatSummary]:
        """Return the chats that a request can be assigned to, the latest first."""
        return list(self._chats.chats)

    def ask_bodies(self) -> None:
        """Emit `bodies_wanted` with the chosen request as it came and as it was sent on."""
        exchange = self.current
        if exchange is None or not exchange.before:
            return
        before, after = exchange.before, exchange.after
        job = self._space.look_up(lambda _ctx: Bodies.of(before, after))
        job.succeeded.connect(self.bodies_wanted)

    def open_chat(self) -> None:
        """Show the chat of the chosen request."""
        exchange = self.current
        line = exchange.identity.line if exchange and exchange.identity else None
        if line is not None:
            self._space.show_chat(line.chat_id)
            self._space.show_branch(line.branch_id)
            self._space.page_wanted.emit("events")

    def mute(self, hit: RecallHit) -> None:
        """Mute a memory that was added to the chosen request."""
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
        """Assign the chosen request to a line; None: it belongs to no chat."""
        exchange = self.current
        if exchange is None or not exchange.before:
            return
        memory, path, before = self._space.memory, exchange.path, exchange.before

        def work(ctx: JobContext) -> Changes:
            request = memory.serving.read(json.loads(before), path_chat=_chat_of(path))
            return memory.serving.correct(ctx, request, line)

        job = self._space.change(self.tr("Noting which chat it was"), work)
        job.succeeded.connect(self._on_corrected)

    def install_companion(self, folder: Path) -> None:
        """Install the companion in a SillyTavern folder."""
        memory = self._space.memory
        job = self._space.run(
            self.tr("Installing the companion"),
            lambda _ctx: memory.serving.install_companion(folder),
        )
        job.succeeded.connect(self._on_installed)

    def save_companion(self, folder: Path) -> None:
        """Write the companion to a folder, to be copied to another machine."""
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
                    "Reload SillyTavern's page, open Extensions, and give the companion the"
                    " address and the key."
                ),
            )
        )


def _chat_of(path: str) -> str:
    """Return NAME of ``/chat/NAME/v1/…``."""
    if not path.startswith(_CHAT_PATH):
        return ""
    return unquote(path.removeprefix(_CHAT_PATH).partition("/")[0])


TINTS: dict[Outcome, str] = {
    "filled": "green",
    "empty": "grey",
    "unknown": "gold",
    "quiet": "grey",
    "late": "gold",
    "full": "gold",
    "failed": "red",
    "refused": "red",
}


def outcome_words(outcome: Outcome) -> str:
    """Return in a word what memory did for a request."""
    words: dict[Outcome, str] = {
        "filled": QCoreApplication.translate("Serving", "Memory put in"),
        "empty": QCoreApplication.translate("Serving", "Nothing to add"),
        "unknown": QCoreApplication.translate("Serving", "No known chat"),
        "quiet": QCoreApplication.translate("Serving", "Not the story"),
        "late": QCoreApplication.translate("Serving", "Memory was late"),
        "full": QCoreApplication.translate("Serving", "Context full"),
        "failed": QCoreApplication.translate("Serving", "Memory failed"),
        "refused": QCoreApplication.translate("Serving", "Refused"),
    }
    return words[outcome]


def outcome_meaning(outcome: Outcome) -> str:
    """Return what that means for the reply."""
    words: dict[Outcome, str] = {
        "filled": QCoreApplication.translate(
            "Serving", "The request was sent on with the memory below."
        ),
        "empty": QCoreApplication.translate(
            "Serving", "It was sent on as it came: memory had nothing to add to it."
        ),
        "unknown": QCoreApplication.translate(
            "Serving",
            "It was sent on as it came: a wrong memory is worse than none. Say which chat it was,"
            " and it is known from now on.",
        ),
        "quiet": QCoreApplication.translate(
            "Serving",
            "It was sent on as it came, and nothing of it is kept: a summary, a title or a"
            " translation that a program asked for.",
        ),
        "late": QCoreApplication.translate(
            "Serving", "It was sent on without memory, so that the reply need not wait longer."
        ),
        "full": QCoreApplication.translate(
            "Serving",
            "It was sent on without memory: the model takes no more. Let the program that asks send"
            " less of the chat, or summarise the oldest floors, so that memory can stand for them.",
        ),
        "failed": QCoreApplication.translate("Serving", "It was sent on without memory."),
        "refused": QCoreApplication.translate("Serving", "It was not sent on."),
    }
    return words[outcome]


def how_words(how: How) -> str:
    """Return how the chat of a request was identified."""
    words: dict[How, str] = {
        "path": QCoreApplication.translate("Serving", "by the address"),
        "header": QCoreApplication.translate("Serving", "by its header"),
        "companion": QCoreApplication.translate("Serving", "said by the companion"),
        "aligned": QCoreApplication.translate("Serving", "by its messages"),
        "corrected": QCoreApplication.translate("Serving", "as you said"),
        "card": QCoreApplication.translate("Serving", "by its character"),
        "none": QCoreApplication.translate("Serving", "not known"),
    }
    return words[how]


def kept_words(kept: str) -> str:
    """Return what was stored of a request; empty if nothing was."""
    words = {
        "message": QCoreApplication.translate("Serving", "the messages were added to the chat"),
        "edit": QCoreApplication.translate("Serving", "a message was corrected as it reads there"),
        "swipe": QCoreApplication.translate(
            "Serving", "the reply is another reading of the newest one"
        ),
        "continue": QCoreApplication.translate("Serving", "the newest reply was continued"),
        "delete": QCoreApplication.translate("Serving", "what was deleted there is gone here"),
        "branch": QCoreApplication.translate(
            "Serving", "a branch was made where the story went another way"
        ),
        "chat": QCoreApplication.translate("Serving", "a new chat was started"),
    }
    return words.get(kept, "")


def answer_words(exchange: Exchange) -> str:
    """Return the state of the reply, and how long it took."""
    if not exchange.is_finished:
        return QCoreApplication.translate("Serving", "under way…")
    seconds = exchange.total_ms / 1000
    return f"{exchange.status} · {seconds:.1f} s" if exchange.status else "–"


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """How to connect a front end. ``steps`` contain the placeholders {url}, {root} and {key}."""

    name: str
    steps: tuple[str, ...]

    def text(self, url: str, key: str) -> str:
        """Return the numbered steps, one per line, with the address and the key filled in."""
        root = url.removesuffix("/v1")
        steps = (
            step.replace("{url}", url).replace("{root}", root).replace("{key}", key)
            for step in self.steps
        )
        return "\n".join(f"{n}. {step}" for n, step in enumerate(steps, start=1))


def front_ends() -> tuple[FrontEnd, ...]:
    """Return the front ends with instructions, the most used first."""
    fill_in = QCoreApplication.translate(
        "FrontEnds", "Fill in the address {url} and the key {key}."
    )
    choose = QCoreApplication.translate(
        "FrontEnds", "Choose the model you use here, and talk as ever."
    )
    return (
        FrontEnd(
            "SillyTavern",
            (
                QCoreApplication.translate(
                    "FrontEnds", "API connections: Chat Completion, source “Custom”."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds", "Connect, and choose the model you use here."
                ),
                QCoreApplication.translate(
                    "FrontEnds",
                    "For text completion: type “Generic” or “KoboldCpp”, and the address {root}.",
                ),
                QCoreApplication.translate(
                    "FrontEnds",
                    "Or keep the connection you have, and install the companion: it asks for memory"
                    " before each reply.",
                ),
            ),
        ),
        FrontEnd(
            "RisuAI",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Settings, Chat Bot: model “Custom API” (OpenAI compatible)."
                ),
                fill_in,
                choose,
            ),
        ),
        FrontEnd(
            "Open WebUI",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Admin Panel, Settings, Connections: add an OpenAI connection."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "If it runs in a container, open the server to the network in the settings, and"
                    " use this computer's address instead of 127.0.0.1.",
                ),
            ),
        ),
        FrontEnd(
            "LobeChat",
            (
                QCoreApplication.translate("FrontEnds", "Settings, AI Service Provider, OpenAI."),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "If it asks from the browser, name its address in the settings here, under"
                    " “Memory server: web pages that may use it”.",
                ),
            ),
        ),
        FrontEnd(
            "Chatbox",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Settings, Model Provider: add one, of the OpenAI API."
                ),
                fill_in,
                choose,
            ),
        ),
        FrontEnd(
            QCoreApplication.translate("FrontEnds", "Any other program"),
            (
                QCoreApplication.translate(
                    "FrontEnds", "Look for “OpenAI compatible”, “base URL” or “API address”."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "To say yourself which chat it is, use {root}/chat/NAME/v1 with the chat's"
                    " name.",
                ),
            ),
        ),
        FrontEnd(
            "MCP",
            (
                QCoreApplication.translate(
                    "FrontEnds", "A program that starts tools: command “engram”, argument “mcp”."
                ),
                QCoreApplication.translate(
                    "FrontEnds", "One that asks over HTTP: {root}/mcp, with the key {key}."
                ),
                QCoreApplication.translate(
                    "FrontEnds", "Tools that write are allowed in the settings."
                ),
            ),
        ),
    )
