"""Character cards of a library: the file of each as it came, and its JSON."""

from __future__ import annotations

from collections.abc import Callable

from engram_desktop.domain import cards
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import new_id
from engram_desktop.storage.database import Database
from engram_desktop.storage.library.worldbooks import digest

_ROW = "SELECT id, name, nickname, avatar, spec, source, updated_at FROM character"


class CharacterStore:
    """Every character. A file is stored once; a newer file of the same name replaces it."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._db = database
        self._clock = clock

    def rows(self) -> list[cards.CharacterRow]:
        return [cards.CharacterRow(*row) for row in self._db.rows(f"{_ROW} ORDER BY name, id")]

    def find(self, key: str) -> cards.CharacterRow:
        """Return the character with this id, name or avatar file. Raises NotFound."""
        for field in ("id", "name", "avatar"):
            rows = self._db.rows(f"{_ROW} WHERE {field} = ? ORDER BY id", (key,))
            if rows:
                return cards.CharacterRow(*rows[0])
        raise NotFound("character", key, [row.name for row in self.rows()])

    def same_as(self, original: bytes) -> cards.CharacterRow | None:
        """Return the character imported from these bytes; None if there is none."""
        rows = self._db.rows(f"{_ROW} WHERE digest = ?", (digest(original),))
        return cards.CharacterRow(*rows[0]) if rows else None

    def newer_of(self, name: str, avatar: str) -> cards.CharacterRow | None:
        """Return the character of this name imported from a file called ``avatar``, else None."""
        rows = self._db.rows(f"{_ROW} WHERE name = ? AND avatar = ?", (name, avatar))
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
