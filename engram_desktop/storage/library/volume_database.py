"""The database a volume is searched in: a chat's database built from the volume's document.

Its folder is named by the document's digest and the version of the tables, so that it is never
migrated. Only vectors are added to it, and it can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import Perceiver
from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv, entity_content
from engram_desktop.domain.memory.line import MAIN_BRANCH, content_hash, new_id
from engram_desktop.domain.memory.volume import EVERYONE, Volume, VolumeEvent
from engram_desktop.storage.care.migrations import CHAT, Claim
from engram_desktop.storage.chat.chat_store import FILE_NAME, ChatStore
from engram_desktop.storage.chat.knowledge import ALL
from engram_desktop.storage.database import file_errors

FOLDER = "volumes"
_NEW = ".new-"  # prefix of a folder that is being filled


def place_of(library: Path, digest: str) -> Path:
    """Return the folder of a document's database."""
    return library / FOLDER / f"{digest[:16]}-{len(CHAT)}"


def make_database(library: Path, digest: str, volume: Volume, clock: Callable[[], int]) -> None:
    """Build the database of a volume at once: a killed process leaves none of it or all."""
    place = place_of(library, digest)
    unfinished = place.with_name(f"{_NEW}{new_id()[:12]}")
    with file_errors(place):
        place.parent.mkdir(mode=0o700, exist_ok=True)
        unfinished.mkdir(mode=0o700)
    try:
        store = ChatStore(unfinished, unfinished, clock, create=True)
        try:
            _fill(store, volume)
        finally:
            store.close()
        with file_errors(place):
            if place.exists():  # a damaged one, which cannot be opened
                moving.delete_folder(place)
            moving.move(unfinished, place)
    except BaseException:
        moving.try_to_delete_folder(unfinished)
        raise


def open_database(
    library: Path, digest: str, clock: Callable[[], int], claim: Claim, *, read_only: bool
) -> ChatStore | None:
    """Open the database of a document; None if it is not built yet. Raises StorageError."""
    place = place_of(library, digest)
    if not (place / FILE_NAME).exists():
        return None
    return ChatStore(place, library / "backups", clock, read_only=read_only, claim=claim)


def sweep(library: Path, digests: set[str]) -> None:
    """Delete databases of documents that no longer exist, and of killed processes."""
    wanted = {place_of(library, digest).name for digest in digests}
    folder = library / FOLDER
    for place in sorted(folder.iterdir()) if folder.exists() else ():
        if place.name not in wanted:
            moving.try_to_delete_folder(place)


def _fill(store: ChatStore, volume: Volume) -> None:
    now = volume.made_at
    events = [_node(event, now) for event in volume.events]
    facts = [
        VolumeEvent(f"{f.origin}-{n}", f.text, f.known_by, f.floor, f.floor, kind="fact")
        for n, f in enumerate(volume.facts)
    ]
    origins = [fact.origin for fact in volume.facts]
    events += [_node(fact, now, origin) for fact, origin in zip(facts, origins, strict=True)]
    last = max((event.last for event in volume.events), default=0)
    with store.database.writing():
        store.events.add(events, now)
        known_by = {event.id: event.known_by for event in (*volume.events, *facts)}
        items = store.items.of_events(list(known_by))
        audiences = {items[i][0]: names for i, names in known_by.items()}
        audiences |= _fill_entities(store, volume, last)
        numbers = {names: _audience(store, names) for names in set(audiences.values()) if names}
        store.audiences.put({i: numbers[names] for i, names in audiences.items() if names})
        # the document says who knows what: nothing is derived
        store.database.run_many("DELETE FROM knowledge_due", [()])
        store.database.run_many("DELETE FROM entity_due", [()])


def _fill_entities(store: ChatStore, volume: Volume, last: int) -> dict[int, tuple[str, ...]]:
    """Write entities with their items; returns who knows each item, by item id."""
    store.entity_writes.add([(e.id, e.name, e.type) for e in volume.entities], volume.made_at)
    store.entity_writes.learn((e.id, alias) for e in volume.entities for alias in e.aliases)
    store.database.run_many(
        "UPDATE entity SET description = ? WHERE id = ?",
        [(e.description, e.id) for e in volume.entities],
    )
    ids = store.entities.aliases()
    store.entity_writes.mention(
        (ids[norm], event.id)
        for event in volume.events
        for norm in {norm_name(name.name) for name in event.names}
        if norm in ids
    )
    rows = []
    for entity in volume.entities:
        content = entity_content(entity.name, entity.aliases, entity.description, ())
        rows.append((entity.id, MAIN_BRANCH, content, content_hash(content), 0, last))
    store.database.run_many(
        "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index,"
        " end_index) VALUES ('entity', ?, ?, ?, ?, ?, ?)",
        rows,
    )
    items = dict(store.database.rows("SELECT ref, id FROM memory_item WHERE kind = 'entity'"))
    return {int(items[entity.id]): entity.known_by for entity in volume.entities}


def _audience(store: ChatStore, names: tuple[str, ...]) -> int:
    return ALL if names == (EVERYONE,) else store.audiences.key([Perceiver(n) for n in names])


def _node(event: VolumeEvent, now: int, origin: str = "") -> EventNode:
    data = PlotExtraction(
        event.summary,
        event.keywords,
        event.time,
        event.place,
        event.names,
        details=event.details,
        significance_score=event.significance,
        kind=event.kind,
    )
    return EventNode(
        pk=0,
        id=event.id,
        branch_id=MAIN_BRANCH,
        summary=event.summary,
        structured_kv=StructuredKv(),
        raw_data=data,
        display_text=event.summary,
        status=event.status,
        is_archived=event.status == "archived",
        is_embedded=False,
        level=event.level,
        source_range=SourceRange(event.first, event.last),
        significance_score=event.significance,
        timestamp=now,
        parent_id=event.parent_id,
        kind=event.kind,
        extractor=event.extractor,
        confidence=event.confidence,
        scope="shared",
        keywords=event.keywords,
        origin=origin,
    )
