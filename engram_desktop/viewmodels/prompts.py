"""One prompt being edited: the task's template, what is unknown in it, and its preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
    PromptPreview,
    PromptRow,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, UnsavedTexts, Workspace

COMMON = CONTEXT | {name: WHO[name] for name in ("char", "user", "persona")}


def task_title(task: PromptTask) -> str:
    return QCoreApplication.translate("prompts", TITLES[task])


def variables(task: PromptTask) -> list[tuple[str, str]]:
    """Return (macro, meaning): the variables of a task, and those common to all tasks."""
    return _macro_rows(
        VARIABLES[task] | {n: t for n, t in COMMON.items() if n not in VARIABLES[task]}
    )


def more_variables(task: PromptTask) -> dict[str, list[tuple[str, str]]]:
    """Return the other macros, in groups by their title."""
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


class PromptEditor(QObject):
    read_done = Signal(object)  # PromptRow
    previewed = Signal(object)  # PromptPreview
    refused = Signal(str)  # why there is no preview
    compared = Signal(str)  # a unified diff

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
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
    def unsaved(self) -> UnsavedTexts:
        return self._space.unsaved

    @property
    def place(self) -> TypingPlace:
        """Where the prompt chosen is edited."""
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
        """Use the built-in prompt again."""
        memory, task, language = self._space.memory, self.task, self.language
        self._space.change(
            self.tr("Resetting a prompt"), lambda _ctx: memory.prompts.reset(task, language)
        )

    def preview(self, template: PromptTemplate) -> None:
        """Show what would be sent about the newest floors of the chat shown; nothing is sent."""
        space, memory = self._space, self._space.memory
        line = space.line
        job = space.look_up(
            lambda _ctx: memory.pipeline.preview_prompt(line, template.task, template=template)
        )
        job.succeeded.connect(self._on_previewed)
        job.failed.connect(self._on_refused)

    def compare(self) -> None:
        memory, task, language = self._space.memory, self.task, self.language
        job = self._space.look_up(lambda _ctx: memory.prompts.difference(task, language))
        job.succeeded.connect(self._on_compared)

    def has_idle_program(self, template: PromptTemplate) -> bool:
        """Whether it holds a program that the settings do not let run."""
        settings = self._space.memory.settings.read(self._space.chat_id or None)
        return "<%" in template.system + template.user and not settings.native_ejs

    @property
    def has_chat(self) -> bool:
        return bool(self._space.chat_id)

    def _ask(self) -> Callable[[JobContext], PromptRow]:
        memory, task, language = self._space.memory, self.task, self.language
        return lambda _ctx: memory.prompts.find(task, language)

    def _show(self, row: PromptRow) -> None:
        self.row = row
        self.read_done.emit(row)

    @Slot(object)
    def _on_previewed(self, preview: PromptPreview) -> None:
        self.previewed.emit(preview)

    @Slot(object)
    def _on_refused(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.refused.emit("\n".join(part for part in describe(error) if part))

    @Slot(object)
    def _on_compared(self, difference: str) -> None:
        self.compared.emit(difference)


# What a text completion model would get of the chat shown, by the templates of its SillyTavern.


class TextPromptModel(QObject):
    """Reads only while `set_active`. ``read`` gives the text, and in words why there is none."""

    read = Signal(str, str)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
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
        """Say whether the text is seen."""
        self._query.set_active(active)

    def _ask(self) -> Callable[[JobContext], tuple[str, str]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            self.read.emit("", self.tr("No chat is shown."))
            return None

        def work(_ctx: JobContext) -> tuple[str, str]:
            try:
                return memory.prompts.as_text(line), ""
            except InputError as error:  # most chats are of no folder that is followed
                return "", " ".join(filter(None, describe(error)))

        return work

    def _show(self, answer: tuple[str, str]) -> None:
        self.read.emit(*answer)

    def _concerns(self, changes: Changes) -> bool:
        return changes.chat_id == self._space.chat_id and changes.messages
