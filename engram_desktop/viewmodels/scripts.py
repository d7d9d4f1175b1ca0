"""Regex scripts and the program's own rules as one list; what each makes of a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.settings import declared
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.settings import settings_form
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engram_desktop.domain.text.regex_script import CleaningRule, StoredScript, TextStep


@dataclass(frozen=True, slots=True)
class ScriptRow:
    """A script, or a rule of the program."""

    key: str
    name: str
    group: str
    detail: str
    is_enabled: bool


def scope_text(stored: StoredScript) -> str:
    words = {
        "global": QCoreApplication.translate("ScriptList", "For all chats"),
        "preset": QCoreApplication.translate("ScriptList", "Of a preset"),
        "scoped": QCoreApplication.translate("ScriptList", "Of a character"),
    }
    text = words[stored.scope]
    return f"{text}: {stored.owner}" if stored.owner else text


def step_text(step: TextStep) -> str:
    """Name one step for a reader."""
    match step.kind:
        case "original":
            return QCoreApplication.translate("ScriptList", "As it was written")
        case "ejs":
            return QCoreApplication.translate("ScriptList", "EJS programs")
        case "rule":
            return settings_form.title(declared(f"clean.{step.name}"))
    return step.name


class ScriptList(QObject):
    read_done = Signal(object)  # list[ScriptRow]
    tried = Signal(object)  # list[TextStep]
    steps_read = Signal(object)  # list[TextStep]
    steps_wanted = Signal(int)  # floor
    wanted = Signal()  # the list itself

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self.rows: list[ScriptRow] = []
        self._stopped: dict[str, str] | None = None  # why, by script; None until it was read
        self._query = LiveQuery(
            workspace,
            "scripts",
            self._ask,
            self._show,
            concerns=lambda changes: changes.settings,
            of_chat=False,
            parent=self,
        )
        self._query.set_active(False)
        self._stopping = LiveQuery(
            workspace,
            "stopped scripts",
            self._ask_stopped,
            self._show_stopped,
            concerns=self._concerns_stopped,
            of_chat=False,
            parent=self,
        )
        self._stopping.read()

    @Slot()
    def read(self) -> None:
        self._query.refresh()  # the dialog is new each time
        self._query.set_active(True)

    def take(self, paths: Sequence[Path]) -> None:
        """Take in the scripts of files."""
        memory = self._space.memory

        def work(ctx: JobContext) -> Changes:
            changes = Changes()
            for path in paths:
                changes |= memory.scripts.import_file(ctx, path).changes
            return changes

        self._space.change(self.tr("Importing regex scripts"), work)

    def export(self, key: str, target: Path) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda ctx: memory.scripts.export(ctx, [key], target))
        job.succeeded.connect(self._on_exported)

    def switch(self, key: str, *, on: bool) -> None:
        self._change(lambda memory: memory.scripts.set_enabled(key, enabled=on))

    def move(self, key: str, by: int) -> None:
        self._change(lambda memory: memory.scripts.move(key, by))

    def delete(self, key: str) -> None:
        name = next((row.name for row in self.rows if row.key == key), "")
        text = self.tr("The regex script “{name}” was deleted").format(name=name)
        job = self._change(lambda memory: memory.scripts.delete(key))
        job.succeeded.connect(lambda changes: self._undo.offer(text, changes.undo_label))

    def try_on(self, text: str, key: str = "") -> None:
        """Run one script, or all that are on, on a text."""
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.scripts.try_on(text, [key] if key else []))
        job.succeeded.connect(self.tried.emit)

    def ask_steps(self, floor: int) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.scripts.steps_of(line, floor))
        job.succeeded.connect(self.steps_read.emit)

    def _change(self, work: Callable[[Memory], Changes]) -> JobHandle:
        memory = self._space.memory
        return self._space.change(self.tr("Changing regex scripts"), lambda _ctx: work(memory))

    def _ask(self) -> Callable[[JobContext], tuple[list[StoredScript], list[CleaningRule]]]:
        memory = self._space.memory
        return lambda _ctx: (memory.scripts.all(), memory.scripts.rules())

    def _show(self, answer: tuple[list[StoredScript], list[CleaningRule]]) -> None:
        scripts, rules = answer
        self.rows = [
            ScriptRow(
                stored.id,
                stored.script.name,
                scope_text(stored),
                stored.fault or stored.script.find,
                stored.is_enabled,
            )
            for stored in scripts
        ]
        own = self.tr("Engram's own")
        self.rows += [
            ScriptRow(
                f"own:{rule.name}",
                settings_form.title(declared(rule.key)),
                own,
                "",
                rule.is_enabled,
            )
            for rule in rules
        ]
        self.read_done.emit(self.rows)

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        text = self.tr("%n regex script(s) written", "", count)
        self._space.messages.show(Notice("success", text))

    def _ask_stopped(self) -> Callable[[JobContext], dict[str, str]]:
        memory = self._space.memory
        return lambda _ctx: {s.script.name: s.fault for s in memory.scripts.all() if s.fault}

    def _show_stopped(self, stopped: dict[str, str]) -> None:
        """Tell of scripts that a run has just switched off."""
        old, self._stopped = self._stopped, stopped
        for name in stopped.keys() - old.keys() if old is not None else ():
            text = self.tr("The regex script “{name}” was switched off.").format(name=name)
            show = self.tr("Show")
            self._space.messages.show(
                Notice("warning", text, stopped[name], show, self.wanted.emit, stays=True)
            )

    @staticmethod
    def _concerns_stopped(changes: Changes) -> bool:
        return changes.rows or changes.drafts or changes.settings
