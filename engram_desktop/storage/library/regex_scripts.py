"""The regex scripts of a library, in rows. What they mean is in `domain.text.regex_script`."""

from __future__ import annotations

from collections.abc import Callable

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.text.regex_script import (
    SCOPES,
    RegexScript,
    Scope,
    StoredScript,
    ordered,
)
from engram_desktop.storage.database import Database

Reader = Callable[[str], RegexScript]


class RegexScripts:
    """Reads and writes the table `regex_script`; ``read`` takes the JSON of one apart."""

    def __init__(self, database: Database, read: Reader) -> None:
        self._db = database
        self._read = read

    def all(self) -> list[StoredScript]:
        """Every script, in the order they run."""
        rows = self._db.rows(
            "SELECT id, raw, scope, owner, position, is_enabled, fault FROM regex_script"
        )
        return ordered(
            [
                StoredScript(key, self._read(raw), scope, owner, position, bool(on), fault)
                for key, raw, scope, owner, position, on, fault in rows
            ]
        )

    def of_card(self, owner: str) -> list[tuple[str, str]]:
        """(id, name) of the scripts that came with a character's card."""
        return self._db.rows(
            "SELECT id, name FROM regex_script WHERE scope = 'scoped' AND owner = ?"
            " ORDER BY position",
            (owner,),
        )

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM regex_script", ()))

    def add(self, script: RegexScript, scope: Scope, owner: str, *, enabled: bool) -> str | None:
        """Add a script at the end of its scope; None if this very one is there already."""
        if scope not in SCOPES:
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
        """Put a newer version of a script in place of the stored one; being on or off stays."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET name = ?, raw = ?, fault = '' WHERE id = ?",
                (script.name, script.raw, key),
            )

    def set_enabled(self, key: str, *, enabled: bool) -> None:
        """Switch a script on or off; the error that stopped it before is cleared."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET is_enabled = ?, fault = '' WHERE id = ?",
                (int(enabled), key),
            )

    def stop(self, key: str, fault: str) -> None:
        """Switch a script off because of what happened when it ran."""
        with self._db.writing() as connection:
            connection.execute(
                "UPDATE regex_script SET is_enabled = 0, fault = ? WHERE id = ?", (fault, key)
            )

    def move(self, key: str, by: int) -> None:
        """Let a script run earlier or later among those of its scope."""
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
