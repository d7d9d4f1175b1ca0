"""Volumes of a library: their rows, each with its document, and which chats read them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence

from engram_desktop.domain.errors import Ambiguous, DamagedDatabase, NotFound
from engram_desktop.domain.memory import volume as volume_values
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

_T = QT_TRANSLATE_NOOP
_MOST_BYTES = 256_000_000  # of an unpacked document: limits what a damaged row takes
_INFO = "id, title, source, chat_id, branch_id, kinds, counts, size, made_at"


@dataclass(frozen=True, slots=True)
class AttachedVolume:
    """A volume that a chat reads; ``digest`` is "" if it was deleted meanwhile.

    ``pk`` is the key of its row.
    """

    id: str
    title: str
    pk: int = 0
    digest: str = ""
    persons: tuple[volume_values.VolumePerson, ...] = ()


class VolumeStore:
    """The tables `volume` and `volume_chat`. Writes run inside the caller's step."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._db = database
        self._clock = clock

    def all(self) -> list[volume_values.VolumeInfo]:
        """Return every volume by title, then deleted ones that chats still use."""
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
            volume_values.VolumeInfo(
                i, titles[i], "", "", "", (), {}, 0, 0, tuple(chats), is_missing=True
            )
            for i, chats in sorted(users.items())
        ]
        return there + gone

    def find(self, key: str) -> volume_values.VolumeInfo:
        """Return the volume with this id or title. Raises NotFound, Ambiguous."""
        matching = [v for v in self.all() if v.id == key] or [
            v for v in self.all() if v.title == key
        ]
        there = [v for v in matching if not v.is_missing] or matching
        if not there:
            raise NotFound("volume", key, [v.title for v in self.all() if not v.is_missing])
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
        volume: volume_values.Volume,
        content: bytes,
        *,
        chat_id: str = "",
        branch_id: str = "",
        kinds: Sequence[volume_values.VolumeKind] = (),
    ) -> None:
        """Store a volume; one with the same id is replaced and keeps its key."""
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
        """Delete a volume. Chats that use it keep the reference, and report it as missing."""
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
        """Return the volumes of a chat, in the order they were attached."""
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
                tuple(
                    volume_values.VolumePerson(name, tuple(more))
                    for name, *more in json.loads(persons)
                ),
            )
            for volume_id, title, pk, digest, persons in rows
        ]

    def digests(self) -> set[str]:
        """Return the digests of all documents."""
        return {digest for (digest,) in self._db.rows("SELECT digest FROM volume")}


def digest_of(content: bytes) -> str:
    return content_hash(content.decode("utf-8", "replace"))


def _info(
    row: tuple[str, str, str, str, str, str, str, int, int], users: list[str]
) -> volume_values.VolumeInfo:
    volume_id, title, source, chat_id, branch_id, kinds, counts, size, made_at = row
    return volume_values.VolumeInfo(
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
