"""Messages of a line as rows of a view, for whoever shows a chat as it was written."""

from __future__ import annotations

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.transcript import ChatRow


def row_of(message: Message, length: int) -> ChatRow:
    return ChatRow(
        message.seq,
        message.name,
        message.text,
        is_own=message.role == "user",
        is_hidden=message.is_hidden,
        length=length,
    )


class MessageRows:
    """Reads rows for a `Transcript`; ``line`` says of which chat, empty for none."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.line = Line("", "")

    def rows(self, first: int, last: int, most: int) -> list[ChatRow]:
        if not self.line.chat_id or last < first:
            return []
        heads = self._memory.messages.heads(self.line, first, last, most)
        return [row_of(message, length) for message, length in heads]
