"""Messages of a line as rows of a view, for whoever shows a chat as it was written."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.transcript import ChatRow


def row_of(message: Message, length: int) -> ChatRow:
    when = f"{local_moment(message.sent_at):%Y-%m-%d %H:%M}" if message.sent_at else ""
    return ChatRow(
        message.seq,
        message.name,
        message.text,
        is_own=message.role == "user",
        is_hidden=message.is_hidden,
        length=length,
        when=when,
    )


class MessageRows:
    """Reads rows for a `Transcript`; ``line`` says of which chat, empty for none."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.line = Line("", "")
        self.actor = ""  # who perceived them, empty for the curator

    def rows(self, first: int, last: int, most: int) -> list[ChatRow]:
        if not self.line.chat_id or last < first:
            return []
        if self.actor:
            return self._heard(first, last, most)
        heads = self._memory.messages.heads(self.line, first, last, most)
        return [row_of(message, length) for message, length in heads]

    def _heard(self, first: int, last: int, most: int) -> list[ChatRow]:
        """Return rows as somebody of the story perceived them; the others say nothing."""
        messages = self._memory.knowledge.heard(NullContext(), self.line, self.actor, first, last)
        heard = {m.seq: row_of(replace(m, text=m.text[:most]), len(m.text)) for m in messages}
        nothing = QCoreApplication.translate("MessageRows", "{name} perceived nothing of this.")
        text = nothing.format(name=self.actor)
        silent = ChatRow(0, "–", text, is_faint=True, length=len(text))
        return [heard.get(n) or replace(silent, floor=n) for n in range(first, last + 1)]
