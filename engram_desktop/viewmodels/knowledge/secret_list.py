"""What only some of the cast know, and who must not learn it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.knowledge.knowing import Secret
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.asked_memories import AskedMemories
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Secrets:
    """The newest first; ``cast`` are all who could know."""

    rows: tuple[Secret, ...] = ()
    cast: tuple[str, ...] = ()


class SecretList(QObject):
    """State and commands of the dialog. It reads only while `set_active`."""

    shown = Signal(object)  # Secrets

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.secrets = Secrets()
        self._query = LiveQuery(
            workspace,
            "secrets",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)

    def set_active(self, *, active: bool) -> None:
        """Say whether the dialog is there."""
        self._query.refresh()  # the dialog is new each time
        self._query.set_active(active)

    def keep_from(self, secrets: Sequence[Secret], names: Sequence[str]) -> None:
        """Say who must not learn these."""
        line, memory = self._space.line, self._space.memory
        refs = [(secret.kind, secret.ref) for secret in secrets]
        self._space.change(
            self.tr("Saying who must not learn it"),
            lambda _ctx: memory.knowledge.keep_from(line, refs, names),
        )

    def ask_who(self, secrets: Sequence[Secret]) -> None:
        """Ask who knows these."""
        refs = tuple((secret.kind, secret.ref) for secret in secrets)
        text = secrets[0].text if len(secrets) == 1 else ""
        self._space.who_wanted.emit(AskedMemories(refs, text, max(s.last for s in secrets)))

    def read_source(self, secret: Secret) -> None:
        self._space.floor_wanted.emit(secret.first, secret.last)

    def _ask(self) -> Callable[[JobContext], Secrets] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            return None
        return lambda ctx: Secrets(
            tuple(memory.knowledge.secrets(ctx, line)), tuple(memory.knowledge.actors(ctx, line))
        )

    def _show(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.shown.emit(secrets)

    def _forget(self) -> None:
        self._show(Secrets())

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.knowledge or changes.rows or changes.texts or changes.messages)
