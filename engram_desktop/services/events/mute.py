"""不要再用: memories that must not be recalled or injected until they are allowed again."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.labels import MUTE, UNMUTE, StepLabel
from engram_desktop.storage.chat.chat_store import ChatStore


def set_muted(store: ChatStore, refs: Sequence[str], *, muted: bool) -> Changes:
    """Mute or allow the messages, events, entities or logs with these ids. Raises NotFound."""
    items = store.items.of_refs(refs)
    unknown = set(refs).difference(item.ref for item in items)
    if unknown:
        raise NotFound("memory", min(unknown))
    title = " ".join(items[0].content.split())[:40] if items else ""
    label = StepLabel(MUTE if muted else UNMUTE, {"what": title})
    with store.step(label):
        store.items.set_muted([item.id for item in items], muted=muted)
    return Changes(chat_id=store.chat_id, recall=True, undo_label=label)
