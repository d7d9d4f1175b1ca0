"""The language of a chat: that of its story, not of the computer or of its markup.

A greeting that is all status panel, or an opening line in another language, decides nothing.
"""

from __future__ import annotations

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.pipeline.render import CARDS, relabelled
from engram_desktop.services.prompts.cleaning import clean
from engram_desktop.services.prompts.prompts import Language, language_of
from engram_desktop.storage.chat.chat_store import ChatStore

_SAMPLE = 40  # floors read, spread over the whole chat: 1 ms


def chat_language(store: ChatStore, branch_id: str = MAIN_BRANCH, text: str = "") -> Language:
    """Return the language of a chat's messages; where there are none, that of ``text``."""
    count = store.messages.count(branch_id)
    step = max(1, count // _SAMPLE)
    sample = store.messages.texts_at(branch_id, range(0, count, step))
    texts = [cleaned for sampled in sample if (cleaned := clean(sampled))]
    return language_of(texts or [text])


def card_of(event: EventNode, language: Language) -> str:
    """Return an event's card with labels in ``language``; a card of another template as it is.

    Cards that were made when the language was mistaken are stored as they were until they are
    edited.
    """
    return relabelled(event.display_text, event.raw_data, CARDS[language]) or event.summary
