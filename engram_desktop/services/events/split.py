"""One event made two at a floor: each tells its own part, and both keep the evidence."""

from __future__ import annotations

from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import SPLIT_EVENT, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.event_patch import patched
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP


def split(
    store: ChatStore, pk: int, floor: int, summaries: tuple[str, str], renderer: StoryRenderer
) -> Changes:
    """Let an event end before ``floor``, and another begin there. Raises NotFound, InputError."""
    event = store.events.fetch([pk]).get(pk)
    if event is None or event.is_deleted:
        raise NotFound("event", pk)
    if event.is_locked or event.level:
        text = _T("reports", "Only an event that is not locked, and no outline, can be split.")
        raise InputError(Phrase(text))
    span = event.source_range
    if not span.start_index < floor <= span.end_index:
        text = _T("reports", "The second part must begin inside the event's floors.")
        raise InputError(Phrase(text))
    first, second = (
        patched(event, EventPatch(summary=summary, confidence=event.confidence), renderer)
        for summary in summaries
    )
    first = replace(first, source_range=SourceRange(span.start_index, floor - 1))
    second = replace(
        second, id=new_id(), source_range=SourceRange(floor, span.end_index), is_embedded=False
    )
    label = StepLabel(SPLIT_EVENT, {"summary": event.summary[:24], "floor": floor})
    with store.step(label):
        now = store.clock()
        store.events.replace([first], now)
        (added,) = store.events.add([second], now)
        store.apart.give_evidence(event.id, second.id)
        store.apart.add([(event.id, second.id)])  # two parts of one are alike
        store.entities.put_off_items(store.entities.of_events([added]))
    store.catch_up()
    return Changes(
        chat_id=store.chat_id,
        events=frozenset((pk, added)),
        rows=True,
        order=True,
        counts=True,
        texts=True,
        graph=True,
        undo_label=label,
    )
