"""Regex scripts and prompt templates of a library, as rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import new_id
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
    """The table `regex_script`; ``read`` parses a script's JSON (`domain.text.regex_script`)."""

    def __init__(self, database: Database, read: Reader) -> None:
        self._db = database
        self._read = read

    def all(self) -> list[StoredScript]:
        """Return every script, in the order they run."""
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
        """Return (id, name) of the scripts that came with a character's card."""
        return self._db.rows(
            "SELECT id, name FROM regex_script WHERE scope = 'scoped' AND owner = ?"
            " ORDER BY position",
            (owner,),
        )

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM regex_script", ()))

    def add(self, script: RegexScript, scope: Scope, owner: str, *, enabled: bool) -> str | None:
        """Add a script at the end of its scope; None if the same script exists already."""
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
