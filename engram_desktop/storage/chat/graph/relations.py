"""Relations of a chat: their rows, their validity as a branch sees it, and edits by hand."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import Relation
from engram_desktop.domain.graph.relations import DatedRelation, Telling, spans
from engram_desktop.domain.memory.line import MAIN_BRANCH, new_id
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import BranchStore, Path, seen
from engram_desktop.storage.database import Database

if TYPE_CHECKING:
    from engram_desktop.storage.answers import Answers


def has_evidence(entity: str, path: Path) -> str:
    """Return SQL that tests if ``path`` sees evidence of the entity, or if it never had any."""
    return (
        f"{entity}.is_hidden = 0 AND ({entity}.is_locked = 1 OR NOT EXISTS (SELECT 1 FROM evidence"
        f" WHERE entity_id = {entity}.id) OR EXISTS (SELECT 1 FROM evidence v JOIN event s"
        f" ON s.id = v.event_id WHERE v.entity_id = {entity}.id AND s.is_deleted = 0"
        f" AND {seen('s', path)}))"
    )


def is_stated(relation: str, path: Path) -> str:
    """Return SQL that tests if ``path`` sees an event that states the relation.

    Also true for a relation made by hand, or one that never had evidence.
    """
    return (
        f"({relation}.valid_from IS NOT NULL OR NOT EXISTS (SELECT 1 FROM evidence"
        f" WHERE relation_id = {relation}.id)"
        " OR EXISTS (SELECT 1 FROM evidence v JOIN event s ON s.id = v.event_id"
        f" WHERE v.relation_id = {relation}.id AND s.is_deleted = 0 AND {seen('s', path)}))"
    )


_ASKED_IDS = "(SELECT value FROM json_each(?1))"
# A relation that ends another has the same subject or the same pair of ends.
_RIVALS = (
    f"(r.src IN {_ASKED_IDS} OR r.dst IN {_ASKED_IDS}"
    f" OR r.src IN (SELECT src FROM relation WHERE dst IN {_ASKED_IDS})"
    " OR (a.type = 'loc' AND b.type = 'loc'))"
)


class RelationStore:
    """Reads the relations of a chat, with evidence and validity.

    Validity is computed at every reading from the evidence that the branch sees; see
    `domain.graph.supersession`. The columns `valid_from` and `valid_to` hold only what the user
    said.
    """

    def __init__(self, database: Database, branches: BranchStore, answers: Answers) -> None:
        self._db = database
        self._branches = branches
        self._answers = answers

    def make_ready(self, branch_id: str) -> None:
        """Read the evidence of every relation of a line in advance."""
        path = self._branches.path(branch_id)
        every = "(SELECT id AS value FROM relation)"
        self._answers.of(("tellings", path), lambda: self._tellings(every, (), path))

    def make_ready_as_known(
        self, branch_id: str, at: int | None, known: Collection[str] | None
    ) -> None:
        """As `make_ready`, also as of floor ``at`` for askers who know the events ``known``."""
        self.make_ready(branch_id)
        path = self._branches.path(branch_id)
        every = self._answers.cached(("tellings", path))
        if every is not None:
            told = cast("Mapping[str, list[Telling]]", every).items()
            self._answers.of(
                _told_key(path, at, known), lambda: {i: _told(t, at, known) for i, t in told}
            )

    def touching(
        self,
        ids: Iterable[str],
        branch_id: str = MAIN_BRANCH,
        at: int | None = None,
        known: Collection[str] | None = None,
    ) -> list[Relation]:
        """Return relations with an end in ``ids``, ended ones too, as of floor ``at``.

        ``known`` are ids of the events that count; None: all.
        """
        entities = set(ids)
        relations = self._read(sorted(entities), branch_id, at, known)
        return [r for r in relations if r.src in entities or r.dst in entities]

    def among(
        self,
        ids: Iterable[str],
        branch_id: str = MAIN_BRANCH,
        at: int | None = None,
        known: Collection[str] | None = None,
    ) -> list[Relation]:
        """Return relations with both ends in ``ids``, ended ones too; ``known``: see `touching`."""
        entities = set(ids)
        relations = self._read(sorted(entities), branch_id, at, known)
        return [r for r in relations if r.src in entities and r.dst in entities]

    def _read(
        self, ids: Sequence[str], branch_id: str, at: int | None, known: Collection[str] | None
    ) -> list[Relation]:
        path = self._branches.path(branch_id)
        keys = json.dumps(ids)
        rows = self._db.rows(
            "SELECT r.id, r.src, r.predicate, r.dst, a.type, b.type, r.valid_from, r.valid_to"
            " FROM relation r JOIN entity a ON a.id = r.src JOIN entity b ON b.id = r.dst"
            f" WHERE {_RIVALS} AND a.is_hidden = 0 AND b.is_hidden = 0"
            f" AND {is_stated('r', path)} ORDER BY r.pk",
            (keys,),
        )
        told = self._told([row[0] for row in rows], path, at, known)
        if known is not None:  # what the user set is the curator's; unknown events end nothing
            rows = [(*row[:6], None, None) for row in rows if told[row[0]].tellings]
        tellings = [_told_relation(row, told[row[0]].tellings) for row in rows]
        by_hand = {row[0] for row in rows if row[6] is not None}
        validity = spans(tellings, at)
        relations = []
        for relation in tellings:
            if relation.id in validity:
                latest = validity[relation.id][-1]
                relations.append(
                    Relation(
                        relation.id,
                        relation.src,
                        relation.predicate,
                        relation.dst,
                        told[relation.id].event_ids,
                        told[relation.id].floors,
                        valid_from=latest.first,
                        valid_to=latest.last,
                        is_current=latest.last is None,
                        superseded_by=latest.ended_by,
                        is_by_hand=relation.id in by_hand,
                    )
                )
        return relations

    def _told(
        self, ids: Sequence[str], path: Path, at: int | None, known: Collection[str] | None
    ) -> dict[str, _Told]:
        every = self._answers.cached(_told_key(path, at, known))
        if every is not None:
            kept = cast("Mapping[str, _Told]", every)
            return {i: kept.get(i, _UNTOLD) for i in ids}
        evidence = self._evidence(ids, path)
        return {i: _told(evidence[i], at, known) for i in ids}

    def _evidence(self, ids: Sequence[str], path: Path) -> dict[str, list[Telling]]:
        """Return the evidence of relations, in story order."""
        every = self._answers.cached(("tellings", path))
        if every is not None:
            known = cast("Mapping[str, list[Telling]]", every)
            return defaultdict(list, {i: known[i] for i in ids if i in known})
        # Filled by every caller: a prompt asks for relations of those present, and then for those
        # in the question.
        read: dict[str, list[Telling]] = self._answers.of(
            ("some tellings", path), dict, needs_knowledge=False
        )
        missing = [i for i in ids if i not in read]
        if missing:
            found = self._tellings("json_each(?)", (json.dumps(missing),), path)
            read.update((i, found[i]) for i in missing)
        return {i: read[i] for i in ids}

    def _tellings(
        self, relations: str, values: Sequence[Any], path: Path
    ) -> dict[str, list[Telling]]:
        tellings: dict[str, list[Telling]] = defaultdict(list)
        for relation_id, *telling in self._db.rows(
            "SELECT DISTINCT v.relation_id, e.start_index, e.end_index, e.timestamp, e.id"
            f" FROM {relations} j CROSS JOIN evidence v ON v.relation_id = j.value"
            " CROSS JOIN event e ON e.id = v.event_id AND e.is_deleted = 0"
            f" AND {seen('e', path)}"
            " ORDER BY e.start_index, e.end_index, e.timestamp, e.id",
            values,
        ):
            tellings[relation_id].append(Telling(*telling))
        return tellings


@dataclass(frozen=True, slots=True)
class _Told:
    """The evidence of a relation; ids and floors only up to the floor asked for."""

    tellings: tuple[Telling, ...] = ()
    event_ids: tuple[str, ...] = ()
    floors: tuple[tuple[int, int], ...] = ()


_UNTOLD = _Told()


def _told_key(path: Path, at: int | None, known: Collection[str] | None) -> Hashable:
    return ("told", path, at, None if known is None else frozenset(known))


def _told(evidence: Iterable[Telling], at: int | None, known: Collection[str] | None) -> _Told:
    tellings = tuple(t for t in evidence if known is None or t.event_id in known)
    so_far = [t for t in tellings if at is None or t.last <= at]
    return _Told(
        tellings, tuple(t.event_id for t in so_far), tuple((t.first, t.last) for t in so_far)
    )


def _told_relation(row: tuple[Any, ...], tellings: tuple[Telling, ...]) -> DatedRelation:
    relation_id, src, predicate, dst, src_type, dst_type, valid_from, valid_to = row
    if valid_from is not None:  # set by the user, and after what was told on that floor
        tellings += (Telling(valid_from, valid_from, _LAST, relation_id),)
    return DatedRelation(relation_id, src, predicate, dst, src_type, dst_type, tellings, valid_to)


_LAST = 2**62  # later than all evidence


Ends = tuple[str, str, str]  # source, predicate, target


class RelationEdits:
    """Changes of single relations by the user, inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def ends(self, relation_id: str) -> Ends:
        """Return (src, predicate, dst). Raises NotFound."""
        rows = self._db.rows(
            "SELECT src, predicate, dst FROM relation WHERE id = ?", (relation_id,)
        )
        if not rows:
            raise NotFound("relation", relation_id)
        src, predicate, dst = rows[0]
        return src, predicate, dst

    def rename(self, relation_id: str, predicate: str) -> None:
        """Change the predicate; an equal relation takes over the evidence."""
        src, _old, dst = self.ends(relation_id)
        same = self._find(src, predicate, dst)
        if same is None:
            self._run("UPDATE relation SET predicate = ? WHERE id = ?", (predicate, relation_id))
        elif same != relation_id:
            self._run(
                "DELETE FROM evidence WHERE relation_id = ?1 AND event_id IN"
                " (SELECT event_id FROM evidence WHERE relation_id = ?2)",
                (relation_id, same),
            )
            self._run(
                "UPDATE evidence SET relation_id = ? WHERE relation_id = ?", (same, relation_id)
            )
            self._run("DELETE FROM relation WHERE id = ?", (relation_id,))

    def set_end(self, relation_id: str, floor: int | None) -> None:
        """Set the floor where a relation ended, `STILL_TRUE`, or None to follow the evidence."""
        self._run("UPDATE relation SET valid_to = ? WHERE id = ?", (floor, relation_id))

    def delete(self, relation_id: str) -> None:
        self._run("DELETE FROM evidence WHERE relation_id = ?", (relation_id,))
        self._run("DELETE FROM relation WHERE id = ?", (relation_id,))

    def add(self, src: str, predicate: str, dst: str, floor: int) -> str:
        """Add a relation that holds from ``floor`` on, or make an existing one hold from there."""
        relation_id = self._find(src, predicate, dst)
        if relation_id is None:
            relation_id = new_id()
            self._run(
                "INSERT INTO relation(id, src, predicate, dst, valid_from) VALUES (?, ?, ?, ?, ?)",
                (relation_id, src, predicate, dst, floor),
            )
        else:
            self._run(
                "UPDATE relation SET valid_from = ?, valid_to = NULL WHERE id = ?",
                (floor, relation_id),
            )
        return relation_id

    def _find(self, src: str, predicate: str, dst: str) -> str | None:
        relation_id = self._db.value(
            "SELECT id FROM relation WHERE src = ? AND predicate = ? AND dst = ?",
            (src, predicate, dst),
        )
        return None if relation_id is None else str(relation_id)

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        self._db.run_many(sql, [values])
