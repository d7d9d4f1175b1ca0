"""Where the sentences of a drafted event come from: read again a moment after it was edited."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.pipeline.drafts.draft import Draft
from engram_desktop.domain.pipeline.drafts.evidence import SentenceSource
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

RESTS_MS = 300  # without a key: a sentence that is being typed comes from nowhere yet


class DraftSources(QObject):
    found = Signal(object)  # tuple of SentenceSource

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._draft: Draft | None = None
        self._text = ""
        self._answer = NewestAnswer(workspace.jobs, self)
        self._answer.answered.connect(self._on_answered)
        self._answer.failed.connect(workspace.messages.show_error)
        self._rests = QTimer(self, singleShot=True, interval=RESTS_MS)
        self._rests.timeout.connect(self._ask)

    def show(self, draft: Draft | None, node: EventNode | None) -> None:
        """Look up what ``node`` of ``draft`` says; None shows nothing."""
        text = _told(node) if node is not None else ""
        is_other = draft != self._draft
        if not is_other and text == self._text:
            return
        self._draft, self._text = draft, text
        self._answer.drop()
        if draft is None or draft.is_outdated or not text:
            self._rests.stop()
            self.found.emit(())
        elif is_other or not self._rests.isActive():
            self._ask()

    def edit(self, draft: Draft, node: EventNode) -> None:
        """Look up what was typed, once no key was pressed for a moment."""
        self._draft, self._text = draft, _told(node)
        self._rests.start()

    @Slot()
    def _ask(self) -> None:
        draft, text, memory = self._draft, self._text, self._space.memory
        if draft is not None and text:
            chat = self._space.chat_id
            self._answer.ask(lambda ctx: memory.drafts.sources(ctx, chat, draft.id, text))

    @Slot(object)
    def _on_answered(self, sources: tuple[SentenceSource, ...]) -> None:
        self.found.emit(sources)


def _told(node: EventNode) -> str:
    """What an event says in sentences."""
    details = node.raw_data.details
    return f"{node.summary}\n{details}" if details else node.summary
