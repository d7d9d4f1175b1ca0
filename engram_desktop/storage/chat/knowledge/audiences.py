"""Audiences: companies of people, each kept once, and what each message and item has for one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.perception import Perceiver
from engram_desktop.storage.chat.knowledge.access import EVERYBODY
from engram_desktop.storage.database import Database

NOBODY, ALL = 0, 1  # rows that every chat has


class AudienceStore:
    """Reads and writes audiences; the caller holds the transaction when it writes."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def key(self, people: Sequence[Perceiver]) -> int:
        """Return the number of a company, which is kept if it is new; a name counts once.

        Somebody whose very name is the mark of everybody is nobody here: no name makes a memory
        public.
        """
        by_norm: dict[str, Perceiver] = {}
        for person in people:
            norm = norm_name(person.name)
            is_name = norm not in ("", EVERYBODY)
            if is_name and (norm not in by_norm or person.confidence > by_norm[norm].confidence):
                by_norm[norm] = person
        rows = sorted((norm, p.how, round(p.confidence, 1), p.name) for norm, p in by_norm.items())
        text = json.dumps([[n, how, sure] for _norm, how, sure, n in rows], ensure_ascii=False)
        number = self._db.value("SELECT id FROM audience WHERE people = ?", (text,))
        if number is None:
            self._db.run_many("INSERT INTO audience(people) VALUES (?)", [(text,)])
            number = self._db.value("SELECT id FROM audience WHERE people = ?", (text,))
            self._db.run_many(
                "INSERT INTO audience_member(norm, audience_id) VALUES (?, ?)",
                [(norm, number) for norm in by_norm],
            )
        return int(number)

    def people(self, numbers: Iterable[int]) -> dict[int, tuple[Perceiver, ...]]:
        """Return the companies with these numbers."""
        rows = self._db.rows(
            "SELECT id, people FROM audience WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(set(numbers))),),
        )
        return {
            number: tuple(Perceiver(name, how, sure) for name, how, sure in json.loads(text))
            for number, text in rows
        }

    def of_items(self, item_ids: Sequence[int]) -> dict[int, int]:
        """Return the audience of each item that has one."""
        return dict(
            self._db.rows(
                "SELECT item_id, audience FROM item_audience"
                " WHERE item_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(item_ids)),),
            )
        )

    def put(self, audiences: Mapping[int, int]) -> None:
        """Give items their audiences."""
        self._db.run_many(
            "INSERT OR REPLACE INTO item_audience(item_id, audience) VALUES (?, ?)",
            sorted(audiences.items()),
        )

    def members(self) -> list[str]:
        """Return the names of all who perceive anything, by how many audiences hold them."""
        rows = self._db.rows(
            "SELECT min(json_extract(p.value, '$[0]')), count(*) FROM audience a,"
            " json_each(a.people) p WHERE a.id > 1 AND EXISTS (SELECT 1 FROM item_audience i"
            " WHERE i.audience = a.id) GROUP BY lower(json_extract(p.value, '$[0]'))"
            " ORDER BY count(*) DESC, 1"
        )
        return [str(name) for name, _count in rows]
