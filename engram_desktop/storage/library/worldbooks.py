"""Worldbooks, character cards, regex scripts and prompt templates of a library, each as it came.

Also what a list shows of each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engram_desktop.domain import cards
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.text import regex_script
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks import worldbook as worldbook_values
from engram_desktop.storage.database import Database

if TYPE_CHECKING:
    from engram_desktop.domain.text.regex_script import RegexScript, Scope

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


# Regex scripts and prompt templates of a library, as rows.


class RegexScripts:
    """The table `regex_script`; ``read`` parses a script's JSON (`domain.text.regex_script`)."""

    def __init__(self, database: Database, read: Callable[[str], RegexScript]) -> None:
        self._db = database
        self._read = read

    def all(self) -> list[regex_script.StoredScript]:
        """Return every script, in the order they run."""
        rows = self._db.rows(
            "SELECT id, raw, scope, owner, position, is_enabled, fault FROM regex_script"
        )
        return regex_script.ordered(
            [
                regex_script.StoredScript(
                    key, self._read(raw), scope, owner, position, bool(on), fault
                )
                for key, raw, scope, owner, position, on, fault in rows
            ]
        )

    def of_card(self, owner: str) -> list[tuple[str, str]]:
        """Return (id, name) of the scripts that came with a character's card."""
        return self._db.rows(
            "SELECT id, name FROM regex_script WHERE scope = 'scoped' AND owner = ?"
            " ORDER BY position",
            (owner,),
        )

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM regex_script", ()))

    def add(
        self,
        script: RegexScript,
        scope: Scope,
        owner: str,
        *,
        enabled: bool,
    ) -> str | None:
        """Add a script at the end of its scope; None if the same script exists already."""
        if scope not in regex_script.SCOPES:
            raise NotFound("scope", scope)
        is_known = self._db.value(
            "SELECT count(*) FROM regex_script WHERE scope = ? AND owner = ? AND raw = ?",
            (scope, owner, script.raw),
        )
        if is_known:
            return None
        key = new_id()[:12]
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO regex_script(id, name, scope, owner, raw, position, is_enabled)"
                " SELECT ?1, ?2, ?3, ?4, ?5, coalesce(max(position), -1) + 1, ?6"
                " FROM regex_script WHERE scope = ?3",
                (key, script.name, scope, owner, script.raw, int(enabled)),
            )
        return key

    def renew(self, key: str, script: RegexScript) -> None:
        """Replace a stored script by a newer version; it stays on or off."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET name = ?, raw = ?, fault = '' WHERE id = ?",
                (script.name, script.raw, key),
            )

    def set_enabled(self, key: str, *, enabled: bool) -> None:
        """Switch a script on or off, clearing its last error."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET is_enabled = ?, fault = '' WHERE id = ?",
                (int(enabled), key),
            )

    def stop(self, key: str, fault: str) -> None:
        """Switch a script off because of an error in a run."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET is_enabled = 0, fault = ? WHERE id = ?", (fault, key)
            )

    def move(self, key: str, by: int) -> None:
        """Move a script earlier or later among those of its scope."""
        scripts = self.all()
        script = {s.id: s for s in scripts}[key]
        ids = [s.id for s in scripts if s.scope == script.scope]
        at = ids.index(key)
        to = min(max(0, at + by), len(ids) - 1)
        ids.insert(to, ids.pop(at))
        with self._db.writing() as connection:
            connection.executemany(
                "UPDATE regex_script SET position = ? WHERE id = ?",
                [(n, script_id) for n, script_id in enumerate(ids)],
            )

    def delete(self, key: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM regex_script WHERE id = ?", (key,))


ANY_LANGUAGE = "*"


class PromptTemplates:
    """The table `prompt_template` of user prompts, as JSON values; row ``*`` has the model."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return everything stored, by task and language."""
        rows = self._db.rows("SELECT task, language, body FROM prompt_template")
        return {(task, language): json.loads(body) for task, language, body in rows}

    def put(self, task: str, language: str, body: dict[str, Any], at: int) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO prompt_template(task, language, body, updated_at)"
                " VALUES (?1, ?2, ?3, ?4)"
                " ON CONFLICT(task, language) DO UPDATE SET body = ?3, updated_at = ?4",
                (task, language, json.dumps(body, ensure_ascii=False), at),
            )

    def remove(self, task: str, language: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM prompt_template WHERE task = ? AND language = ?", (task, language)
            )
