"""What makes cards of the events of a chat: the user's template, or ours in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.pipeline.prompt_template import CARDS, StoryRenderer
from engram_desktop.services.worldbooks import memory_worldbook

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore


def renderer_of(session: Session, store: ChatStore, text: str = "") -> StoryRenderer:
    """Return what makes cards of events. ``text`` tells the language of a chat without any."""
    template = session.settings().card_template
    return StoryRenderer(template or CARDS[memory_worldbook.chat_language(store, text=text)])
