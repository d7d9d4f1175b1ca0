"""Editors of prompts and regex scripts: templates, previews, and the effect of scripts on text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.macros.scope import CONTEXT, MESSAGES, RECKONING, WHO
from engram_desktop.domain.pipeline.prompt_template import (
    TASKS,
    TITLES,
    VARIABLES,
    Language,
    ModelOverride,
    PromptRow,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.domain.settings import declared
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.settings import settings_form
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import Notice, describe
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.text.regex_script import CleaningRule, StoredScript, TextStep


COMMON = CONTEXT | {name: WHO[name] for name in ("char", "user", "persona")}


def task_title(task: PromptTask) -> str:
    return QCoreApplication.translate("prompts", TITLES[task])


def variables(task: PromptTask) -> list[tuple[str, str]]:
    """Return (macro, meaning) of the variables of a task and of those common to all tasks."""
    return _macro_rows(
        VARIABLES[task] | {n: t for n, t in COMMON.items() if n not in VARIABLES[task]}
    )


def more_variables(task: PromptTask) -> dict[str, list[tuple[str, str]]]:
    """Return the other macros, in groups by title."""
    own_variables = {*VARIABLES[task], *COMMON}
    groups = {
        QCoreApplication.translate("PromptEditor", "People and card"): WHO,
        QCoreApplication.translate("PromptEditor", "Messages and chat"): MESSAGES,
        QCoreApplication.translate("PromptEditor", "Choice, time, variables"): RECKONING,
    }
    return {
        title: _macro_rows({n: t for n, t in group.items() if n not in own_variables})
        for title, group in groups.items()
    }


def _macro_rows(meanings: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (f"{{{{{name}}}}}", QCoreApplication.translate("prompts", meaning))
        for name, meaning in meanings.items()
    ]


class PromptEditor(WorkspaceModel):
    read_done = Signal(object)  # PromptRow
    previewed = Signal(object)  # PromptPreview
    refused = Signal(str)  # why there is no preview
    compared = Signal(str)  # a unified diff

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.task: PromptTask = TASKS[0]
        self.language: Language = "zh"
        self.row: PromptRow | None = None
        self._query = LiveQuery(
            workspace,
            "prompt",
            self._ask,
            self._show,
            concerns=lambda changes: changes.settings and self.row is not None,
            of_chat=False,
            parent=self,
        )

    @property
    def place(self) -> TypingPlace:
        """Return the typing place of the chosen prompt."""
        return TypingPlace(f"prompt {self.task} {self.language}")

    def choose(self, task: PromptTask, language: Language) -> None:
        self.task, self.language = task, language
        self.read()

    def read(self) -> None:
        self._query.read()

    def unknown(self, template: PromptTemplate) -> tuple[str, ...]:
        return self._space.memory.prompts.unknown_macros(template)

    def save(self, template: PromptTemplate, override: ModelOverride) -> None:
        memory = self._space.memory
        self._space.change(
            self.tr("Saving a prompt"), lambda _ctx: memory.prompts.save(template, override)
        )

    def reset(self) -> None:
        """Restore the built-in prompt."""
        memory, task, language = self._space.memory, self.task, self.language
        self._space.change(
            self.tr("Resetting a prompt"), lambda _ctx: memory.prompts.reset(task, language)
        )

    def preview(self, template: PromptTemplate) -> None:
        """Preview the prompt for the newest floors of the shown chat; nothing is sent."""
        space, memory = self._space, self._space.memory
        line = space.line
        job = space.look_up(
            lambda _ctx: memory.pipeline.preview_prompt(line, template.task, template=template)
        )
        job.succeeded.connect(self.previewed)
        job.failed.connect(self._on_refused)

    def compare(self) -> None:
        memory, task, language = self._space.memory, self.task, self.language
        job = self._space.look_up(lambda _ctx: memory.prompts.difference(task, language))
        job.succeeded.connect(self._on_compared)

    @Slot(object)
    def _on_compared(self, difference: str) -> None:
        self.compared.emit(difference)

    def has_idle_program(self, template: PromptTemplate) -> bool:
        """Return whether a template contains code that the settings do not allow to run."""
        settings = self._space.memory.settings.read(self._space.chat_id or None)
        return "<%" in template.system + template.user and not settings.native_ejs

    def _ask(self) -> Callable[[JobContext], PromptRow]:
        memory, task, language = self._space.memory, self.task, self.language
        return lambda _ctx: memory.prompts.find(task, language)

    def _show(self, row: PromptRow) -> None:
        self.row = row
        self.read_done.emit(row)

    @Slot(object)
    def _on_refused(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.refused.emit("\n".join(part for part in describe(error) if part))


class TextPromptModel(WorkspaceModel):
    """Preview of the prompt of a text completion model, by the chat's SillyTavern templates.

    It reads only while active (`set_active`). ``read`` gives the text, or the reason why there is
    no text.
    """

    read = Signal(str, str)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._query = LiveQuery(
            workspace,
            "text prompt",
            self._ask,
            self._show,
            concerns=self._concerns,
            parent=self,
        )
        self._query.set_active(False)

    def set_active(self, *, active: bool) -> None:
        """Start or stop reading."""
        self._query.set_active(active)

    def _ask(self) -> Callable[[JobContext], tuple[str, str]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            self.read.emit("", self.tr("No chat is shown."))
            return None

        def work(_ctx: JobContext) -> tuple[str, str]:
            try:
                return memory.prompts.as_text(line), ""
            except InputError as error:  # most chats belong to no followed folder
                return "", " ".join(filter(None, describe(error)))

        return work

    def _show(self, answer: tuple[str, str]) -> None:
        self.read.emit(*answer)

    def _concerns(self, changes: Changes) -> bool:
        return changes.chat_id == self._space.chat_id and changes.messages


@dataclass(frozen=True, slots=True)
class ScriptRow:
    """A regex script, or a built-in rule of the program."""

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
    """Return the display name of one step."""
    match step.kind:
        case "original":
            return QCoreApplication.translate("ScriptList", "As it was written")
        case "ejs":
            return QCoreApplication.translate("ScriptList", "EJS programs")
        case "rule":
            return settings_form.title(declared(f"clean.{step.name}"))
    return step.name


class ScriptList(WorkspaceModel):
    read_done = Signal(object)  # list[ScriptRow]
    tried = Signal(object)  # list[TextStep]
    steps_read = Signal(object)  # list[TextStep]
    steps_wanted = Signal(int)  # floor
    wanted = Signal()  # the list of scripts is wanted

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.rows: list[ScriptRow] = []
        self._stopped: dict[str, str] | None = None  # reasons by script; None until it was read
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
        self._query.refresh()  # each opening makes a new dialog
        self._query.set_active(True)

    def take(self, paths: Sequence[Path]) -> None:
        """Import the scripts in files."""
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
        """Run one script, or all enabled ones, on a text."""
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
        """Show a message for scripts that a run has just switched off."""
        old, self._stopped = self._stopped, stopped
        for name in stopped.keys() - old.keys() if old is not None else ():
            text = self.tr("The regex script “{name}” was switched off.").format(name=name)
            show = self.tr("Show")
            self._space.messages.show(
                Notice("warning", text, stopped[name], show, self._ask_for_list, stays=True)
            )

    def _ask_for_list(self) -> None:
        self.wanted.emit()

    @staticmethod
    def _concerns_stopped(changes: Changes) -> bool:
        return changes.rows or changes.drafts or changes.settings
