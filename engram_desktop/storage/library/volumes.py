"""Volumes of a library: their rows, which chats read them, and the database each is searched in.

The truth is the document in the row. What is searched is a chat's database made of it, in a folder
named by the document's digest: it is never changed but for vectors, and can be made again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import Ambiguous, DamagedDatabase, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import Perceiver
from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv, entity_content
from engram_desktop.domain.memory.line import MAIN_BRANCH, content_hash, new_id
from engram_desktop.domain.memory.volume import (
    EVERYONE,
    Volume,
    VolumeEvent,
    VolumeInfo,
    VolumeKind,
    VolumePerson,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.care.migrations import CHAT, Claim
from engram_desktop.storage.chat.chat_store import FILE_NAME, ChatStore
from engram_desktop.storage.chat.knowledge import ALL
from engram_desktop.storage.database import Database, file_errors

_T = QT_TRANSLATE_NOOP
FOLDER = "volumes"
_NEW = ".new-"  # begins the name of a folder that is being filled
_MOST_BYTES = 256_000_000  # of a document when it is unpacked: a damaged row takes no more
_INFO = "id, title, source, chat_id, branch_id, kinds, counts, size, made_at"


@dataclass(frozen=True, slots=True)
class AttachedVolume:
    """A volume that a chat reads. Without a ``digest`` it was deleted meanwhile.

    ``pk`` is the key of its row.
    """

    id: str
    title: str
    pk: int = 0
    digest: str = ""
    persons: tuple[VolumePerson, ...] = ()


class VolumeStore:
    """The tables `volume` and `volume_chat`. What writes does so in the caller's step."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._db = database
        self._clock = clock

    def all(self) -> list[VolumeInfo]:
        """Return every volume by title, then those that chats still have on and that are gone."""
        users: dict[str, list[str]] = {}
        titles: dict[str, str] = {}
        for volume_id, chat_id, title in self._db.rows(
            "SELECT volume_id, chat_id, title FROM volume_chat WHERE chat_id IN"
            " (SELECT id FROM chat) ORDER BY chat_id"
        ):
            users.setdefault(volume_id, []).append(chat_id)
            titles[volume_id] = title
        rows = self._db.rows(f"SELECT {_INFO} FROM volume ORDER BY title, id")
        there = [_info(row, users.pop(row[0], [])) for row in rows]
        gone = [
            VolumeInfo(i, titles[i], "", "", "", (), {}, 0, 0, tuple(chats), is_missing=True)
            for i, chats in sorted(users.items())
        ]
        return there + gone

    def find(self, key: str) -> VolumeInfo:
        """Return the volume of this id or title. Raises NotFound, Ambiguous."""
        matching = [v for v in self.all() if v.id == key] or [
            v for v in self.all() if v.title == key
        ]
        there = [v for v in matching if not v.is_missing] or matching
        if not there:
            raise NotFound("volume", key)
        if len(there) > 1:
            raise Ambiguous(key, [volume.id for volume in there])
        return there[0]

    def content(self, volume_id: str) -> bytes:
        """Return the document of a volume. Raises NotFound, DamagedDatabase."""
        packed = self._db.value("SELECT content FROM volume WHERE id = ?", (volume_id,))
        if packed is None:
            raise NotFound("volume", volume_id)
        unpacking = zlib.decompressobj()
        try:
            content = unpacking.decompress(bytes(packed), _MOST_BYTES)
        except zlib.error:
            content = b""
        if not content or not unpacking.eof:
            fault = Phrase(_T("reports", "the content of a volume is damaged"))
            raise DamagedDatabase(fault, path=self._db.path)
        return content

    def put(
        self,
        volume: Volume,
        content: bytes,
        *,
        chat_id: str = "",
        branch_id: str = "",
        kinds: Sequence[VolumeKind] = (),
    ) -> None:
        """Store a volume; one of the same id is replaced and keeps its key."""
        persons = [[p.name, *p.aliases] for p in volume.persons]
        packed = zlib.compress(content, 6)
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO volume(id, title, source, chat_id, branch_id, kinds, counts, persons,"
                " digest, size, made_at, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT(id) DO UPDATE SET title = excluded.title, source = excluded.source,"
                " chat_id = excluded.chat_id, branch_id = excluded.branch_id,"
                " kinds = excluded.kinds, counts = excluded.counts, persons = excluded.persons,"
                " digest = excluded.digest, size = excluded.size, made_at = excluded.made_at,"
                " content = excluded.content",
                (
                    volume.id,
                    volume.title,
                    volume.source,
                    chat_id,
                    branch_id,
                    json.dumps(list(kinds)),
                    json.dumps(volume.counts()),
                    json.dumps(persons, ensure_ascii=False),
                    digest_of(content),
                    len(content),
                    volume.made_at,
                    packed,
                ),
            )

    def delete(self, volume_id: str) -> None:
        """Remove a volume. Chats that have it on keep that, and say that it is missing."""
        with self._db.writing() as connection:
            connection.execute("DELETE FROM volume WHERE id = ?", (volume_id,))

    def attach(self, volume_id: str, chat_id: str, title: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO volume_chat(volume_id, chat_id, title, attached_at)"
                " VALUES (?, ?, ?, ?)",
                (volume_id, chat_id, title, self._clock()),
            )

    def detach(self, volume_id: str, chat_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM volume_chat WHERE volume_id = ? AND chat_id = ?", (volume_id, chat_id)
            )

    def attached_to(self, chat_id: str) -> list[AttachedVolume]:
        """Return what a chat reads, in the order it was attached."""
        rows = self._db.rows(
            "SELECT c.volume_id, ifnull(v.title, c.title), ifnull(v.pk, 0), ifnull(v.digest, ''),"
            " ifnull(v.persons, '[]') FROM volume_chat c LEFT JOIN volume v ON v.id = c.volume_id"
            " WHERE c.chat_id = ? ORDER BY c.attached_at, c.volume_id",
            (chat_id,),
        )
        return [
            AttachedVolume(
                volume_id,
                title,
                pk,
                digest,
                tuple(VolumePerson(name, tuple(more)) for name, *more in json.loads(persons)),
            )
            for volume_id, title, pk, digest, persons in rows
        ]

    def digests(self) -> set[str]:
        """Return the digests of all documents."""
        return {digest for (digest,) in self._db.rows("SELECT digest FROM volume")}


def digest_of(content: bytes) -> str:
    return content_hash(content.decode("utf-8", "replace"))


def _info(row: tuple[str, str, str, str, str, str, str, int, int], users: list[str]) -> VolumeInfo:
    volume_id, title, source, chat_id, branch_id, kinds, counts, size, made_at = row
    return VolumeInfo(
        volume_id,
        title,
        source,
        chat_id,
        branch_id,
        tuple(json.loads(kinds)),
        json.loads(counts),
        size,
        made_at,
        tuple(users),
    )


# The database a volume is searched in. A version of the tables makes a folder of its own, so that
# none is ever migrated.


def place_of(library: Path, digest: str) -> Path:
    """Return the folder of the database made of a document."""
    return library / FOLDER / f"{digest[:16]}-{len(CHAT)}"


def make_database(library: Path, digest: str, volume: Volume, clock: Callable[[], int]) -> None:
    """Make the database of a volume in one go: a killed process leaves none, or all of it."""
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
            if place.exists():  # a damaged one: what can be read is asked for before
                moving.delete_folder(place)
            moving.move(unfinished, place)
    except BaseException:
        moving.try_to_delete_folder(unfinished)
        raise


def open_database(
    library: Path, digest: str, clock: Callable[[], int], claim: Claim, *, read_only: bool
) -> ChatStore | None:
    """Open the database of a document; None where it is still to be made. Raises StorageError."""
    place = place_of(library, digest)
    if not (place / FILE_NAME).exists():
        return None
    return ChatStore(place, library / "backups", clock, read_only=read_only, claim=claim)


def sweep(library: Path, digests: set[str]) -> None:
    """Delete databases of documents that are gone, and of processes that were killed."""
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
        # who knows what is said by the document: nothing of it is derived
        store.database.run_many("DELETE FROM knowledge_due", [()])
        store.database.run_many("DELETE FROM entity_due", [()])


def _fill_entities(store: ChatStore, volume: Volume, last: int) -> dict[int, tuple[str, ...]]:
    """Write entities with their items; returns by item who knows it."""
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
