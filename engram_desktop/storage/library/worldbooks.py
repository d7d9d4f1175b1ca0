"""Worldbooks and character cards of a library: each as it came, and what a list shows of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from engram_desktop.domain import cards
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks import worldbook as worldbook_values
from engram_desktop.storage.database import Database

_ROW = (
    "SELECT b.id, b.name, b.title, b.kind, b.source, b.entries, b.is_global,"
    " ifnull(c.name, ''), b.updated_at FROM worldbook b LEFT JOIN character c"
    " ON c.id = b.character_id"
)


@dataclass(frozen=True, slots=True)
class NewWorldbook:
    """A worldbook to be stored; ``original`` is the file it was read from."""

    name: str
    title: str
    kind: worldbook_values.WorldbookKind
    source: str
    original: bytes
    content: bytes
    entries: int
    character_id: str | None = None


class WorldbookStore:
    """The table `worldbook`. Names are unique."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._db = database
        self._clock = clock

    def rows(self) -> list[worldbook_values.WorldbookRow]:
        """Return all worldbooks by name."""
        return [_row(row) for row in self._db.rows(f"{_ROW} ORDER BY b.name")]

    def find(self, key: str) -> worldbook_values.WorldbookRow:
        """Return the worldbook with this id, name, title or file. Raises NotFound."""
        file = f"{key}.json"  # a front end names a worldbook by its file
        for field, value in (("id", key), ("name", key), ("title", key), ("source", file)):
            rows = self._db.rows(f"{_ROW} WHERE b.{field} = ? ORDER BY b.name", (value,))
            if rows:
                return _row(rows[0])
        raise NotFound("world book", key, [row.name for row in self.rows()])

    def named(self, name: str) -> worldbook_values.WorldbookRow | None:
        """Return the worldbook with exactly this name, else None."""
        rows = self._db.rows(f"{_ROW} WHERE b.name = ?", (name,))
        return _row(rows[0]) if rows else None

    def of_characters(self, ids: list[str]) -> list[worldbook_values.WorldbookRow]:
        """Return the worldbooks that came with these characters' cards."""
        marks = ",".join("?" * len(ids))
        rows = self._db.rows(f"{_ROW} WHERE b.character_id IN ({marks}) ORDER BY b.name", ids)
        return [_row(row) for row in rows]

    def same_as(
        self, original: bytes, character_id: str | None
    ) -> worldbook_values.WorldbookRow | None:
        """Return the worldbook of the same bytes from a card of the same character, else None."""
        return self._same("b.character_id IS ?", original, character_id)

    def same_file(self, original: bytes, file: str) -> worldbook_values.WorldbookRow | None:
        """Return the worldbook of the same bytes from a file of the same name, else None.

        Under another name it is another worldbook, since chats and cards refer to it by the name of
        its file.
        """
        return self._same("b.character_id IS NULL AND b.source = ?", original, file)

    def _same(
        self, where: str, original: bytes, value: str | None
    ) -> worldbook_values.WorldbookRow | None:
        rows = self._db.rows(f"{_ROW} WHERE b.digest = ? AND {where}", (digest(original), value))
        return _row(rows[0]) if rows else None

    def content(self, worldbook_id: str) -> bytes:
        """Return the worldbook in SillyTavern's format. Raises NotFound."""
        return self._bytes(worldbook_id, "content")

    def original(self, worldbook_id: str) -> bytes:
        """Return the file the worldbook was imported from. Raises NotFound."""
        return self._bytes(worldbook_id, "original")

    def add(self, worldbook: NewWorldbook) -> worldbook_values.WorldbookRow:
        """Store a worldbook under its name, or the first free name that begins like it."""
        worldbook_id, now = new_id()[:12], self._clock()
        with self._db.writing() as connection:
            name = self._free_name(worldbook.name)
            connection.execute(
                "INSERT INTO worldbook(id, name, title, kind, source, character_id, digest,"
                " original, content, entries, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    worldbook_id,
                    name,
                    worldbook.title,
                    worldbook.kind,
                    worldbook.source,
                    worldbook.character_id,
                    digest(worldbook.original),
                    worldbook.original,
                    worldbook.content,
                    worldbook.entries,
                    now,
                    now,
                ),
            )
        return self.find(worldbook_id)

    def rename(self, worldbook_id: str, name: str) -> None:
        """Rename a worldbook; if the name is taken, to the first free one that begins like it."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE worldbook SET name = ?, updated_at = ? WHERE id = ?",
                (self._free_name(name), self._clock(), worldbook_id),
            )

    def replace(self, worldbook_id: str, content: bytes, entries: int) -> None:
        """Replace the content of a worldbook."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE worldbook SET content = ?, entries = ?, updated_at = ? WHERE id = ?",
                (content, entries, self._clock(), worldbook_id),
            )

    def renew(self, worldbook_id: str, worldbook: NewWorldbook) -> None:
        """Replace the file a worldbook was imported from by a newer one; its name stays."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE worldbook SET title = ?, kind = ?, digest = ?, original = ?, content = ?,"
                " entries = ?, updated_at = ? WHERE id = ?",
                (
                    worldbook.title,
                    worldbook.kind,
                    digest(worldbook.original),
                    worldbook.original,
                    worldbook.content,
                    worldbook.entries,
                    self._clock(),
                    worldbook_id,
                ),
            )

    def set_global(self, worldbook_id: str, *, is_global: bool) -> None:
        """Set whether a worldbook is on in every chat."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE worldbook SET is_global = ? WHERE id = ?", (int(is_global), worldbook_id)
            )

    def delete(self, worldbook_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM worldbook WHERE id = ?", (worldbook_id,))

    def _free_name(self, base: str) -> str:
        names = {name for (name,) in self._db.rows("SELECT name FROM worldbook")}
        name, number = base, 2
        while name in names:
            name, number = f"{base} ({number})", number + 1
        return name

    def _bytes(self, worldbook_id: str, column: str) -> bytes:
        value = self._db.value(f"SELECT {column} FROM worldbook WHERE id = ?", (worldbook_id,))
        if value is None:
            raise NotFound("world book", worldbook_id)
        return bytes(value)


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes, which identifies files that were imported before."""
    return hashlib.sha256(data).hexdigest()


def _row(
    row: tuple[str, str, str, worldbook_values.WorldbookKind, str, int, int, str, int],
) -> worldbook_values.WorldbookRow:
    worldbook_id, name, title, kind, source, entries, is_global, owner, updated_at = row
    return worldbook_values.WorldbookRow(
        worldbook_id, name, title, kind, source, entries, bool(is_global), owner, updated_at
    )


# Character cards of a library: the file of each as it came, and its JSON.

_CARD_ROW = "SELECT id, name, nickname, avatar, spec, source, updated_at FROM character"


class CharacterStore:
    """Every character. A file is stored once; a newer file of the same name replaces it."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._db = database
        self._clock = clock

    def rows(self) -> list[cards.CharacterRow]:
        return [cards.CharacterRow(*row) for row in self._db.rows(f"{_CARD_ROW} ORDER BY name, id")]

    def find(self, key: str) -> cards.CharacterRow:
        """Return the character with this id, name or avatar file. Raises NotFound."""
        for field in ("id", "name", "avatar"):
            rows = self._db.rows(f"{_CARD_ROW} WHERE {field} = ? ORDER BY id", (key,))
            if rows:
                return cards.CharacterRow(*rows[0])
        raise NotFound("character", key, [row.name for row in self.rows()])

    def same_as(self, original: bytes) -> cards.CharacterRow | None:
        """Return the character imported from these bytes; None if there is none."""
        rows = self._db.rows(f"{_CARD_ROW} WHERE digest = ?", (digest(original),))
        return cards.CharacterRow(*rows[0]) if rows else None

    def newer_of(self, name: str, avatar: str) -> cards.CharacterRow | None:
        """Return the character of this name imported from a file called ``avatar``, else None."""
        rows = self._db.rows(f"{_CARD_ROW} WHERE name = ? AND avatar = ?", (name, avatar))
        return cards.CharacterRow(*rows[0]) if rows else None

    def original(self, character_id: str) -> bytes:
        """Return the file a character was imported from. Raises NotFound."""
        return self._bytes(character_id, "original")

    def card(self, character_id: str) -> bytes:
        """Return the JSON of a card. Raises NotFound."""
        return self._bytes(character_id, "card")

    def save(
        self,
        character: cards.Character,
        files: tuple[bytes, bytes],
        place: tuple[str, str, str],
        replaces: cards.CharacterRow | None,
    ) -> cards.CharacterRow:
        """Store a character: ``files`` are original and JSON, ``place`` avatar, source, spec."""
        original, card = files
        character_id, now = replaces.id if replaces else new_id()[:12], self._clock()
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO character(id, name, nickname, avatar, source, spec, digest, original,"
                " card, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?10, ?10)"
                " ON CONFLICT(id) DO UPDATE SET nickname = excluded.nickname,"
                " source = excluded.source, spec = excluded.spec, digest = excluded.digest,"
                " original = excluded.original, card = excluded.card, updated_at = ?10",
                (
                    character_id,
                    character.name,
                    character.nickname,
                    *place,
                    digest(original),
                    original,
                    card,
                    now,
                ),
            )
        return self.find(character_id)

    def delete(self, character_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM character WHERE id = ?", (character_id,))

    def _bytes(self, character_id: str, column: str) -> bytes:
        value = self._db.value(f"SELECT {column} FROM character WHERE id = ?", (character_id,))
        if value is None:
            raise NotFound("character", character_id)
        return bytes(value)
