"""The user's own prompts, in rows of `prompt_template`; a row ``*`` names the task's model."""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.storage.database import Database

ANY_LANGUAGE = "*"


class PromptTemplates:
    """Reads and writes what a user put in place of built-in prompts, as plain JSON values."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Everything there is, by task and language."""
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
