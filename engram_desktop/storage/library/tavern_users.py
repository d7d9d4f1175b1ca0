"""What the settings of SillyTavern's users held when they were last read."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from engram_desktop.domain.tavern.user import CharacterNote, TavernUser, TavernWorldbooks
from engram_desktop.storage.database import Database
from engram_desktop.storage.library.followed import key_of

_LORE = "lore"  # beside the settings in the column `scan`; no setting is called so


class TavernUsers:
    """One row a user; ``folder`` is a path as `key_of` spells it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, folder: Path) -> TavernUser | None:
        return next((user for user in self.all() if user.folder == key_of(folder)), None)

    def all(self) -> list[TavernUser]:
        """Every user, the one whose settings changed last first."""
        rows = self._db.rows(
            "SELECT folder, size, mtime_ns, tags, tagged, variables, scan FROM tavern_user"
            " ORDER BY mtime_ns DESC, folder"
        )
        return [_user(*row) for row in rows]

    def put(self, user: TavernUser) -> None:
        scan = {**user.scan, _LORE: asdict(user.lore)}
        parts = (user.tags, user.tagged, user.variables, scan)
        values = (json.dumps(part) for part in parts)
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO tavern_user(folder, size, mtime_ns, tags, tagged,"
                " variables, scan) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (user.folder, *(user.stamp or (0, 0)), *values),
            )


def _user(
    folder: str, size: int, mtime_ns: int, tags: str, tagged: str, variables: str, scan: str
) -> TavernUser:
    rules = json.loads(scan)
    lore = rules.pop(_LORE, {})  # what an older version wrote holds none
    if lore:
        notes = {file: CharacterNote(**note) for file, note in lore["notes"].items()}
        lore = {**lore, "books": tuple(lore["books"]), "notes": notes}
    return TavernUser(
        folder,
        json.loads(tags),
        {owner: tuple(tags_of) for owner, tags_of in json.loads(tagged).items()},
        json.loads(variables),
        rules,
        TavernWorldbooks(**lore),
        (size, mtime_ns),
    )
