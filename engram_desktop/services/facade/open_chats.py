"""What every part of the facade stands on: the store of an open chat."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore


class OpenChats(ABC):
    """Knows the open chats of a library."""

    @abstractmethod
    def _chat(self, chat_id: str) -> ChatStore: ...
