"""Writing the graph to files: what is written is there whole, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.workspace import Workspace

_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')


class GraphFiles(QObject):
    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    @property
    def title(self) -> str:
        """What a file of this graph is called."""
        chat = self._space.chat_id
        name = self._space.memory.chats.name(chat) if chat else ""
        clean = _NOT_IN_NAMES.sub(" ", name).strip()
        return clean or "graph"

    def part_of(self, file: Path) -> Path:
        """Where a file is written before it takes its place."""
        return file.with_name(f".{file.stem}.part{file.suffix}")  # its ending says what it is

    def write(self, file: Path, save: Callable[[Path], object]) -> None:
        """Let ``save`` write a file, and put it in its place."""
        part = self.part_of(file)

        def work(_ctx: JobContext) -> str:
            if save(part) is False:
                raise OSError(5, "the picture was not written", str(file))
            part.replace(file)
            return file.name

        self._run(work)

    def keep(self, part: Path, file: Path) -> None:
        """Put a file that was written in its place."""

        def work(_ctx: JobContext) -> str:
            part.replace(file)
            return file.name

        self._run(work)

    def write_graphml(self, file: Path) -> None:
        """Write the whole graph, as it is known."""
        memory, line, names = self._space.memory, self._space.line, self._space.actors
        part = self.part_of(file)

        def work(ctx: JobContext) -> str:
            actors = memory.knowledge.askers(ctx, line, names)
            part.write_text(memory.graph.graphml(line, actors), "utf-8")
            part.replace(file)
            return file.name

        self._run(work)

    def _run(self, work: Callable[[JobContext], str]) -> None:
        job = self._space.run(self.tr("Exporting"), work, lane="network")
        job.succeeded.connect(self._on_written)

    def _on_written(self, name: str) -> None:
        text = self.tr("“{name}” was written").format(name=name)
        self._space.messages.tell(text, kind="success")
