"""The first steps: what is found on this computer, and the few settings needed to start.

Every step can be skipped, and nothing is set up before the user clicks it. Also the help text shown
by F1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.address import LocalServer
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.places import resource
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.tavern.folder import FoundTavern
    from engram_desktop.viewmodels.tavern import TavernModel


class Guide(WorkspaceModel):
    taverns_found = Signal(object)  # list[FoundTavern]
    taken = Signal()  # a folder was imported, or could not be
    refused = Signal(str)  # why a folder cannot be imported
    servers_found = Signal(object)  # list[LocalServer]
    server_used = Signal(str)  # its model

    def __init__(
        self, workspace: Workspace, tavern: TavernModel, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._tavern = tavern
        tavern.applied.connect(self.taken)
        tavern.refused.connect(self.refused)

    def value(self, key: str) -> str:
        return str(self._space.memory.settings.read().get(key))

    def choose(self, key: str, value: str) -> None:
        """Save a setting."""
        memory = self._space.memory
        self._space.change(
            self.tr("Saving a setting"), lambda _ctx: memory.settings.set(key, value)
        )

    def look_for_taverns(self) -> None:
        memory = self._space.memory
        self._look(memory.tavern.find_installed, self._on_taverns)

    def look_for_servers(self) -> None:
        """Look for model servers on this computer only; emits `servers_found`."""
        memory = self._space.memory
        self._look(memory.endpoints.find_local, self._on_servers)

    def take_tavern(self, folder: str) -> None:
        """Import all chats of a SillyTavern folder with their characters, and follow them."""
        self._tavern.take_all(folder)

    def use_server(self, server: LocalServer, model: str) -> None:
        """Use a model of this server to read chats from now on."""
        memory = self._space.memory

        def work(_ctx: JobContext) -> Changes:
            changes = memory.settings.set("llm.base_url", server.base_url)
            return changes | memory.settings.set("llm.model", model)

        job = self._space.change(self.tr("Saving a setting"), work)
        job.succeeded.connect(lambda _changes: self.server_used.emit(model))

    def _look(self, work: Callable[[JobContext], object], show: Callable[..., object]) -> None:
        """Run a search on a lane of its own: a port without an answer takes long."""
        job = self._space.jobs.submit("", work, lane="network", background=True)
        job.succeeded.connect(show)
        job.failed.connect(self._space.messages.show_error)

    @Slot(object)
    def _on_taverns(self, found: Sequence[FoundTavern]) -> None:
        self.taverns_found.emit(found)

    @Slot(object)
    def _on_servers(self, found: Sequence[LocalServer]) -> None:
        self.servers_found.emit(found)


WIDTH = 560  # pixels: pictures are no wider than the text
_PICTURE = re.compile(r"!\[[^]\n]*]\(([^)\n]+)\)")
_HEADING = re.compile(r"^(?=#)", re.MULTILINE)
_OTHER_LANGUAGES = re.compile(r"^\[.*]\(sillytavern[.\w]*\)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HelpText:
    """The help text.

    ``markdown`` is shipped with us; ``pictures`` are its images by their names.
    """

    markdown: str
    pictures: Mapping[str, QImage] = field(default_factory=dict)


def read_help(language: str) -> HelpText:
    """Return the help in ``language``, else in English. Raises NotFound."""
    steps = _OTHER_LANGUAGES.sub("", _read("sillytavern", language))
    text = f"{_read('help', language)}\n{_HEADING.sub('#', steps)}"
    return HelpText(text, {name: _picture(name) for name in set(_PICTURE.findall(text))})


def _read(name: str, language: str) -> str:
    try:
        return resource(f"guide/{name}.{language}.md").read_text("utf-8")
    except NotFound:
        return resource(f"guide/{name}.md").read_text("utf-8")


def _picture(name: str) -> QImage:
    image = QImage(str(resource(f"guide/{name}")))
    smooth = Qt.TransformationMode.SmoothTransformation
    return image.scaledToWidth(WIDTH, smooth) if image.width() > WIDTH else image
