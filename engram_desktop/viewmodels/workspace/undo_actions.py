"""Undo and redo, for the shown chat or for the library.

Both name the step they would undo. The library's steps concern worldbooks, characters, regex
scripts, prompts and volumes; a page shows which of the two it uses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.text import moment
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import UndoStep


def step_text(label: StepLabel) -> str:
    """Return the name of a step in the window's language."""
    params = {k: listed(v) if isinstance(v, list | tuple) else v for k, v in label.params.items()}
    if "task" in params:  # a prompt is named by its task
        params["task"] = QCoreApplication.translate("prompts", params["task"])
    text = QCoreApplication.translate("steps", label.text)
    return (label.template if text == label.text else text).format_map(params)


def step_line(step: UndoStep) -> str:
    """Return when a step was done, and its name."""
    when = moment.local_moment(step.created_at)
    text = step_text(step.label)
    if step.is_undone:
        text = QCoreApplication.translate("UndoActions", "{step} (undone)").format(step=text)
    return f"{when:%Y-%m-%d %H:%M}  {text}"


class Decided(QObject):
    """The row of each decision in a list, so that an undo can select the restored row."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: list[tuple[str, int]] = []
        self.wanted: int | None = None
        workspace.undone.connect(self._on_undone)
        workspace.chat_changed.connect(self._forget)

    def note(self, key: int, changes: Changes) -> None:
        """Remember the row that a step concerned."""
        self.wanted = None
        if changes.undo_label is not None:
            self._steps.append((changes.undo_label.to_json(), key))

    @Slot(object)
    def _on_undone(self, label: StepLabel) -> None:
        told = label.to_json()
        for number in reversed(range(len(self._steps))):
            if self._steps[number][0] == told:
                self.wanted = self._steps.pop(number)[1]
                return

    @Slot(str)
    def _forget(self, _chat_id: str) -> None:
        self._steps.clear()
        self.wanted = None


class UndoActions(WorkspaceModel):
    changed = Signal()
    history_wanted = Signal()

    def __init__(
        self, workspace: Workspace, parent: QObject | None = None, *, is_library: bool = False
    ) -> None:
        super().__init__(workspace, parent)
        self.is_library = is_library
        self.steps: list[UndoStep] = []
        self._pressed: deque[Callable[[], object]] = deque()  # wait until the newest step is known
        self._query = LiveQuery(
            workspace,
            "library history" if is_library else "history",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            of_chat=not is_library,
            parent=self,
        )
        self._query.busy_changed.connect(self._go_on)
        workspace.saved.connect(self._go_on)

    @property
    def undo_label(self) -> StepLabel | None:
        return next((s.label for s in self.steps if not s.is_undone), None)

    @property
    def redo_label(self) -> StepLabel | None:
        return next((s.label for s in reversed(self.steps) if s.is_undone), None)

    @property
    def undo_text(self) -> str:
        if self.undo_label is None:
            return self.tr("Undo")
        return self.tr("Undo: {step}").format(step=step_text(self.undo_label))

    @property
    def redo_text(self) -> str:
        if self.redo_label is None:
            return self.tr("Redo")
        return self.tr("Redo: {step}").format(step=step_text(self.redo_label))

    @Slot()
    def undo(self) -> None:
        """Undo the newest step, after all earlier changes are written and the steps are read."""
        self._pressed.append(self._undo)
        self._go_on()

    @Slot()
    def redo(self) -> None:
        self._pressed.append(self._redo)
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        if self._pressed and not self._space.is_saving and self._query.is_settled:
            self._pressed.popleft()()

    def _undo(self) -> None:
        memory, newest = self._space.memory, next((s.id for s in self.steps if not s.is_undone), 0)
        # recent steps of other programs are not what the user wants to undo
        self._run(
            self.tr("Undoing"),
            lambda chat: memory.history.undo(chat, newest or None),
            self._on_undone,
        )

    def _redo(self) -> None:
        memory = self._space.memory
        self._run(self.tr("Redoing"), memory.history.redo, self._on_redone)

    def offer(self, text: str, label: StepLabel | None) -> None:
        """Show that ``label`` was done, with a button that undoes exactly this step."""
        here = self._chat
        self._tell(text, self.tr("Undo"), lambda: self._undo_only(here, label))

    def way_back(self) -> Callable[[], object]:
        """Return a function that undoes the newest step, if it is still the newest."""
        here, memory = self._chat, self._space.memory
        found: list[int] = []
        job = self._space.look_up(lambda _ctx: memory.history.steps(here))
        job.succeeded.connect(lambda steps: found.extend(s.id for s in steps if not s.is_undone))
        return partial(self._go_back, here, found)

    def _go_back(self, here: str | None, found: list[int]) -> None:
        newest = [s.id for s in self.steps if not s.is_undone]
        self._go(here, self.undo, is_next=not found or found[:1] == newest[:1])

    @Slot()
    def read(self) -> None:
        self._query.read()

    @property
    def _chat(self) -> str | None:
        """Return the chat whose history is used; empty for the library's."""
        return None if self.is_library else self._space.chat_id

    def _run(
        self,
        title: str,
        work: Callable[[str | None], Changes],
        show: Callable[[str | None, StepLabel], None],
    ) -> None:
        chat = self._chat

        def told(changes: Changes) -> None:
            if changes.undo_label is not None:
                show(chat, changes.undo_label)

        if chat != "":
            job = self._space.change(title, lambda _ctx: work(chat))
            job.succeeded.connect(told)

    def _undo_only(self, chat: str | None, label: StepLabel | None) -> None:
        self._go(chat, self.undo, is_next=label == self.undo_label)

    def _go(self, chat: str | None, act: Callable[[], object], *, is_next: bool) -> None:
        """Call ``act`` if ``is_next`` and ``chat`` is shown; otherwise show its history."""
        if chat == self._chat and is_next:
            act()
            return
        if chat is not None:
            self._space.show_chat(chat)
        self.history_wanted.emit()

    def _on_undone(self, chat: str | None, label: StepLabel) -> None:
        if chat is not None:
            self._space.undone.emit(label)
        text = self.tr("Undone: {step}").format(step=step_text(label))

        def again() -> None:
            self._go(chat, self.redo, is_next=label == self.redo_label)

        self._tell(text, self.tr("Redo"), again)

    def _on_redone(self, chat: str | None, label: StepLabel) -> None:
        text = self.tr("Done again: {step}").format(step=step_text(label))
        self._tell(text, self.tr("Undo"), lambda: self._undo_only(chat, label))

    def _tell(self, text: str, action: str, act: Callable[[], object]) -> None:
        topic = f"undo {self.is_library}"  # the message about an earlier step no longer applies
        self._space.messages.show(Notice("info", text, "", action, act, topic=topic))

    def _ask(self) -> Callable[[JobContext], list[UndoStep]] | None:
        chat, memory = self._chat, self._space.memory
        return None if chat == "" else lambda _ctx: memory.history.steps(chat)

    def _show(self, steps: list[UndoStep]) -> None:
        self.steps = steps
        self.changed.emit()

    def _forget(self) -> None:
        self._pressed.clear()
        if not self._space.chat_id:
            self._show([])

    def _concerns(self, changes: Changes) -> bool:
        if self.is_library:
            return any((changes.worldbooks, changes.settings, changes.library, changes.volumes))
        is_step = changes.undo_label is not None or changes.has_memory or changes.messages
        return is_step and changes.chat_id == self._space.chat_id
