"""Store what was made of one block of messages, if the messages have not changed since.

Also the renderer of event cards: the user's template, or ours in the chat's language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.pipeline.prompt_template import CARDS, StoryRenderer
from engram_desktop.services.worldbooks import memory_worldbook

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.claims.answer import BlockMessage, read_claims
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import PresenceSpan, parse_presence
from engram_desktop.domain.memory.event import OF_EXTRACTOR, EventNode, Extractor, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import id_of_time, range_hash
from engram_desktop.domain.pipeline.draft import Draft, DraftedEvent
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.answers import read_json
from engram_desktop.storage.chat.chat_store import ChatStore


def renderer_of(session: Session, store: ChatStore, text: str = "") -> StoryRenderer:
    """Return the renderer of event cards. ``text`` gives the language if there are no messages."""
    template = session.settings().card_template
    return StoryRenderer(template or CARDS[memory_worldbook.chat_language(store, text=text)])


logger = logging.getLogger(__name__)

Floors = tuple[int, int]
NAMES_READ = 30  # events before a block whose names are known even if the graph lacks them


@dataclass(frozen=True, slots=True)
class BlockContent:
    """What a summary made of one block. ``draft_id`` is the draft to delete once this is stored.

    ``originals`` are the events as the extractor made them; events that differ were edited by the
    user. ``presence`` is who perceives which floors and ``claims`` who asserts what, both as the
    model answered.
    """

    floors: Floors
    source_hash: str
    extractor: Literal["llm", "extractive"]
    events: Sequence[DraftedEvent]
    prompt_hash: str = ""
    draft_id: str = ""
    originals: Sequence[PlotExtraction] | None = None
    presence: Sequence[PresenceSpan] = ()
    claims: object = None

    def extractor_of(self, data: PlotExtraction) -> Extractor:
        """Return who made an event: "manual" if the user changed it in review."""
        is_original = self.originals is None or data in self.originals
        return self.extractor if is_original else "manual"


def content_of(draft: Draft) -> BlockContent:
    """Return the content of a draft, unchanged."""
    answer = read_json(draft.answer).value if draft.answer else None
    return BlockContent(
        draft.floors,
        draft.source_hash,
        draft.extractor,
        draft.events,
        draft.prompt_hash,
        draft.id,
        presence=parse_presence(answer, *draft.floors),
        claims=answer.get("claims") if isinstance(answer, dict) else None,
    )


def source_hash(store: ChatStore, branch_id: str, floors: Floors) -> str:
    """Return the hash of the messages of these floors as they are now."""
    return range_hash(m.swipe_hash for m in store.messages.slice(branch_id, *floors))


def checked(store: ChatStore, branch_id: str, drafts: Sequence[Draft]) -> list[Draft]:
    """Return the drafts, each marked as outdated if its messages have changed since."""
    if not drafts:
        return []
    hashes = store.messages.hashes(branch_id)
    marked = []
    for draft in drafts:
        first, last = draft.floors
        is_same = range_hash(hashes[first : last + 1]) == draft.source_hash
        marked.append(replace(draft, is_outdated=not is_same))
    return marked


def store_block(
    store: ChatStore,
    content: BlockContent,
    renderer: StoryRenderer,
    branch_id: str,
    replaced: Sequence[int] | None = None,
) -> set[int]:
    """Write the events of a block in place of former ones, inside the caller's step.

    ``replaced`` are the keys of events to replace; None: those that a new summary may replace.
    Returns the keys of all events added or deleted.
    """
    now = store.clock()
    if replaced is None:
        replaced = store.events.replaceable(branch_id, *content.floors, content.extractor)
    touched = set(store.events.delete(replaced, now))
    store.entities.refresh_items(store.entities.of_events(replaced))
    events = [
        make_event(
            data,
            source,
            now + n,
            content.extractor_of(data),
            renderer,
            branch_id,
            content.source_hash,
        )
        for n, (data, source) in enumerate(content.events)
    ]
    touched.update(store.events.add(events, now))
    store.add_block(
        content.floors,
        content.source_hash,
        content.extractor,
        len(events),
        branch_id,
        content.prompt_hash,
    )
    _keep_presence(store, content, branch_id)
    _keep_claims(store, content, branch_id)
    if content.draft_id:
        store.drafts.delete([content.draft_id])
    store.drafts.delete_stored(branch_id, content.floors)
    state = store.scope_state(branch_id)
    order = state.active_summary_order + len(events)
    store.save_scope_state(replace(state, active_summary_order=order), branch_id)
    store.update_cursor(branch_id)
    return touched


def _keep_presence(store: ChatStore, content: BlockContent, branch_id: str) -> None:
    """Store the model's presence spans of each message, with the hash of its text."""
    if not content.presence:
        return
    rows = []
    for message in store.messages.slice(branch_id, *content.floors):
        spans = [s for s in content.presence if s.first <= message.seq <= s.last]
        if spans:
            rows.append((message.id, message.swipe_hash, spans))
    store.presence.answer(rows)


def _keep_claims(store: ChatStore, content: BlockContent, branch_id: str) -> None:
    """Store the model's claims of each message, as far as their words are in the message."""
    if content.claims is None:
        return
    messages = [m for m in store.messages.slice(branch_id, *content.floors) if not m.is_untold]
    told = [BlockMessage(m.seq, m.name, m.text) for m in messages]
    names = [name for entity in store.entities.census() for name in (entity.name, *entity.aliases)]
    names += names_in(store.events.before(content.floors[0], NAMES_READ, branch_id))
    read = read_claims(content.claims, told, names)
    by_floor: dict[int, list[Claim]] = {message.seq: [] for message in messages}
    for claim in read.claims:
        by_floor[claim.floor].append(claim)
    if read.claims:  # a model that returns no claim for a whole block has not looked for them
        store.claims.put_answered((m.id, m.swipe_hash, by_floor[m.seq]) for m in messages)
    if read.dropped:
        logger.warning("Claims of a model, floors %d to %d: %s", *content.floors, read)


def names_in(events: Sequence[EventNode]) -> list[str]:
    """Return the names in events, the newest first."""
    return [entity.name for event in reversed(events) for entity in event.raw_data.entities]


def make_event(
    data: PlotExtraction,
    source: SourceRange,
    now: int,
    extractor: Extractor,
    renderer: StoryRenderer,
    branch_id: str,
    source_hash: str = "",
) -> EventNode:
    """Build a buffered event about ``source``; ``source_hash`` is the hash of its messages."""
    people = [e.name for e in data.entities if e.type == "char"]
    by_norm = {norm_name(name): name for name in [*data.structured_kv.role, *people]}
    return EventNode(
        pk=0,
        id=id_of_time(now),
        branch_id=branch_id,
        summary=data.summary,
        structured_kv=data.structured_kv,
        raw_data=data,
        display_text=renderer.render(data),
        status="buffer",
        is_archived=False,
        is_embedded=False,
        level=0,
        source_range=source,
        significance_score=data.significance_score,
        timestamp=now,
        source_hash=source_hash,
        kind=data.kind,
        extractor=extractor,
        confidence=OF_EXTRACTOR[extractor],
        scope="shared",
        participants=tuple(by_norm.values()),
        keywords=data.keywords,
    )
