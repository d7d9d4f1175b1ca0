"""What was done and proposed: logs of calls and recalls, drafts, answers, frozen injections."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engram_desktop.domain.inbox import InboxAnswer
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.draft import (
    Draft,
    DraftCounts,
    DraftedEvent,
    DraftPurpose,
    DraftState,
)
from engram_desktop.domain.pipeline.usage import UsageRow
from engram_desktop.domain.recall.query import Explanation, PastRecall
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database
from engram_desktop.storage.tables import LlmCall

RECALLS_KEPT = 500  # newest recalls kept, with their hits
_LATELY = 10  # log entries searched for the last replies: some are repeated
DETAILS_KEPT = 100  # newest recalls kept with all candidates: about 12 kB each


class Ledger:
    """The call and recall logs of one chat. They are never undone."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add_call(
        self,
        at: int,
        task: str,
        model: str,
        tokens: tuple[int, int],
        elapsed_ms: int,
        error: str = "",
    ) -> None:
        """Store one request; ``tokens`` are prompt and completion, ``error`` why it failed."""
        with self._db.writing():
            LlmCall.insert(
                at=at,
                task=task,
                model=model,
                prompt_tokens=tokens[0],
                completion_tokens=tokens[1],
                elapsed_ms=elapsed_ms,
                is_ok=not error,
                detail=error,
            ).execute(self._db)

    def totals(self) -> dict[str, int]:
        row = self._db.rows(
            "SELECT count(*), ifnull(sum(prompt_tokens), 0), ifnull(sum(completion_tokens), 0),"
            " ifnull(sum(is_ok = 0), 0) FROM llm_call"
        )[0]
        return dict(
            zip(("calls", "prompt_tokens", "completion_tokens", "failed"), row, strict=True)
        )

    def usage(self) -> list[UsageRow]:
        """Return calls and tokens by local day, task and model; the latest day first."""
        rows = self._db.rows(
            "SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, task, model, count(*),"
            " sum(is_ok = 0), sum(prompt_tokens), sum(completion_tokens) FROM llm_call"
            " GROUP BY day, task, model ORDER BY day DESC, task, model"
        )
        return [UsageRow(*row) for row in rows]

    def mean_completion(self, task: str) -> int | None:
        """Return the mean tokens of a model's answers; None before the first one."""
        mean = self._db.value(
            "SELECT avg(completion_tokens) FROM llm_call WHERE task = ? AND is_ok", (task,)
        )
        return None if mean is None else round(mean)

    def add_recall(self, at: int, query: str, elapsed_ms: float, detail: Explanation) -> None:
        """Store a recall; delete the oldest, and reduce older ones to their hits."""
        hits: list[dict[str, Any]] = [
            {"kind": t.kind, "ref": t.ref, "score": t.score, "why": t.why}
            for t in sorted(detail.traces, key=lambda t: t.rank)
            if t.dropped is None
        ]
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO recall_log(at, query, hits, elapsed_ms, detail)"
                " VALUES (?, ?, ?, ?, ?)",
                (
                    at,
                    query,
                    json.dumps(hits, ensure_ascii=False),
                    elapsed_ms,
                    json.dumps(detail.to_json(), ensure_ascii=False),
                ),
            )
            connection.execute(
                "UPDATE recall_log SET detail = '' WHERE detail <> ''"
                " AND id <= (SELECT max(id) - ? FROM recall_log)",
                (DETAILS_KEPT,),
            )
            connection.execute(
                "DELETE FROM recall_log WHERE id <= (SELECT max(id) - ? FROM recall_log)",
                (RECALLS_KEPT,),
            )

    def last_recalled(self) -> tuple[str, ...]:
        """Return the ids of the events in the newest recall or injection."""
        hits = self._db.value("SELECT hits FROM recall_log ORDER BY id DESC LIMIT 1")
        rows = json.loads(hits) if hits else []
        return tuple(str(row["ref"]) for row in rows if row.get("kind") == "event")

    def in_recent_prompts(self, asker: str, floor: int, replies: int) -> frozenset[int]:
        """Return the ids of the items in the prompts of the last replies before ``floor``.

        All prompts for one floor count as one reply, however often it was repeated.
        """
        rows = self._db.rows(
            "SELECT json_extract(detail, '$.floor'), json_extract(detail, '$.told') FROM recall_log"
            " WHERE id > (SELECT max(id) - ? FROM recall_log) AND detail <> ''"
            " AND json_extract(detail, '$.purpose') = 'inject'"
            " AND json_extract(detail, '$.asker') = ? ORDER BY id DESC",
            (_LATELY, asker),
        )
        told: dict[int, set[int]] = {}
        for at, ids in rows:
            is_counted = at is not None and 0 <= at < floor and (at in told or len(told) < replies)
            if is_counted:
                told.setdefault(at, set()).update(json.loads(ids or "[]"))
        return frozenset().union(*told.values())

    def recalls(self, limit: int) -> list[PastRecall]:
        """Return the last recalls that can still be explained, newest first."""
        rows = self._db.rows(
            "SELECT id, at, query, elapsed_ms, max(json_array_length(hits),"
            " ifnull(json_array_length(detail, '$.told'), 0)) FROM recall_log"
            " WHERE detail <> '' ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [PastRecall(*row) for row in rows]

    def explanation(self, recall_id: int) -> Explanation | None:
        """Return the explanation of a recall; None if it is no longer stored."""
        rows = self._db.rows("SELECT detail FROM recall_log WHERE id = ?", (recall_id,))
        return Explanation.from_json(json.loads(rows[0][0])) if rows and rows[0][0] else None


_COLUMNS = (
    "id, branch_id, start_index, end_index, source_hash, prompt_hash, purpose, state, extractor,"
    " model, answer, events, reason, created_at"
)
_INSERT = f"INSERT INTO draft({_COLUMNS}) VALUES ({','.join('?' * 14)})"


class DraftStore:
    """The drafts of one chat: answers that were paid for and are not saved yet.

    `keep` is a short transaction of its own, outside the undo journal, made the moment an answer
    arrives. `delete` belongs to the step that saves or discards: undo then restores the draft.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def keep(self, draft: Draft) -> None:
        """Store ``draft`` at once; it replaces drafts of the same floors.

        Other models' answers about the same messages stay beside it.
        """
        first, last = draft.floors
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM draft WHERE branch_id = ? AND purpose = ? AND start_index >= ?"
                " AND end_index <= ?"
                " AND NOT (state = 'answered' AND model <> ? AND source_hash = ?)",
                (draft.branch_id, draft.purpose, first, last, draft.model, draft.source_hash),
            )
            connection.execute(_INSERT, _row(draft))

    def add_other(self, other: Draft) -> None:
        """Store another model's answer beside the draft of the same messages."""
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM draft WHERE branch_id = ? AND purpose = ? AND source_hash = ?"
                " AND state = 'answered' AND model = ?",
                (other.branch_id, other.purpose, other.source_hash, other.model),
            )
            connection.execute(_INSERT, _row(other))

    def others(self, draft: Draft) -> list[Draft]:
        """Return other models' answers about the messages of ``draft``, the oldest first."""
        drafts = self._select(
            "branch_id = ? AND purpose = ? AND source_hash = ? AND state = 'answered' AND id <> ?",
            (draft.branch_id, draft.purpose, draft.source_hash, draft.id),
        )
        return [other for other in drafts if other.floors == draft.floors]

    def find(
        self, branch_id: str = MAIN_BRANCH, states: Iterable[DraftState] = ("waiting", "failed")
    ) -> list[Draft]:
        """Return the branch's own drafts, by floor."""
        return self._select(
            "branch_id = ? AND state IN (SELECT value FROM json_each(?))",
            (branch_id, json.dumps(list(states))),
        )

    def by_ids(self, ids: Iterable[str]) -> list[Draft]:
        return self._select("id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),))

    def answered(
        self, source_hash: str, prompt_hash: str, model: str, purpose: DraftPurpose
    ) -> Draft | None:
        """Return the answer to this request, or to an earlier one about the same messages.

        A request also holds the story before, which grows as other blocks are saved; an answer that
        was paid for is used all the same.
        """
        drafts = self._select(
            "source_hash = ? AND model = ? AND purpose = ? AND state = 'answered'",
            (source_hash, model, purpose),
        )
        exact = [draft for draft in drafts if draft.prompt_hash == prompt_hash]
        return next(iter(exact or drafts), None)

    def counts(self, branch_id: str = MAIN_BRANCH) -> DraftCounts:
        row = self._db.rows(
            "SELECT sum(state = 'waiting' AND purpose = 'new'),"
            " sum(state = 'waiting' AND purpose = 'redo'), sum(state = 'failed')"
            " FROM draft WHERE branch_id = ?",
            (branch_id,),
        )[0]
        return DraftCounts(*(int(n or 0) for n in row))

    def delete(self, ids: Iterable[str]) -> int:
        """Delete drafts, inside the caller's step; returns how many there were."""
        rows = self._db.rows(
            "DELETE FROM draft WHERE id IN (SELECT value FROM json_each(?)) RETURNING pk",
            (json.dumps(list(ids)),),
        )
        return len(rows)

    def delete_stored(self, branch_id: str, floors: tuple[int, int]) -> None:
        """Delete new drafts of ``floors`` once these are stored, inside that step; reviews stay."""
        self._db.run_many(
            "DELETE FROM draft WHERE branch_id = ? AND purpose = 'new' AND state <> 'waiting'"
            " AND start_index >= ? AND end_index <= ?",
            [(branch_id, *floors)],
        )

    def _select(self, where: str, values: tuple[Any, ...]) -> list[Draft]:
        sql = f"SELECT {_COLUMNS} FROM draft WHERE {where} ORDER BY start_index, end_index, pk"
        return [_draft(row) for row in self._db.rows(sql, values)]


def _row(draft: Draft) -> tuple[Any, ...]:
    first, last = draft.floors
    return (
        draft.id,
        draft.branch_id,
        first,
        last,
        draft.source_hash,
        draft.prompt_hash,
        draft.purpose,
        draft.state,
        draft.extractor,
        draft.model,
        draft.answer,
        json.dumps([_event_json(event, first) for event in draft.events], ensure_ascii=False),
        _reason_text(draft.reason),
        draft.created_at,
    )


def _draft(row: tuple[Any, ...]) -> Draft:
    first = row[2]
    draft = Draft(
        id=row[0],
        branch_id=row[1],
        source_range=SourceRange(first, row[3]),
        source_hash=row[4],
        prompt_hash=row[5],
        purpose=row[6],
        state=row[7],
        extractor=row[8],
        model=row[9],
        answer=row[10],
        created_at=row[13],
    )
    events = tuple(_read_event(value, first) for value in json.loads(row[11]))
    return replace(draft, events=events, reason=_read_reason(row[12]))


def _event_json(event: DraftedEvent, first: int) -> dict[str, Any]:
    """Return an event as JSON; floors count from the draft's first, so that they move with it."""
    data, source = event
    return {
        "data": data.to_json(),
        "first": source.start_index - first,
        "last": source.end_index - first,
    }


def _read_event(value: dict[str, Any], first: int) -> DraftedEvent:
    data = PlotExtraction.from_json(value["data"])
    return data, SourceRange(first + value["first"], first + value["last"])


def _reason_text(reason: str) -> str:
    if not isinstance(reason, Phrase):
        return json.dumps(reason, ensure_ascii=False)
    params = {name: str(value) for name, value in reason.params.items()}
    phrase = {"template": reason.template, "context": reason.context, "params": params}
    return json.dumps(phrase, ensure_ascii=False)


def _read_reason(text: str) -> str:
    value = json.loads(text) if text else ""
    if isinstance(value, dict):
        return Phrase(value["template"], value["context"], **value["params"])
    return str(value)


_KEPT_MS = 30 * 24 * 3_600_000  # 30 days; looking back again later is paid for again


class ReflectionAnswers:
    """Answers of look-backs that are not stored as events yet, by hash of model and request.

    Outside of undo steps. An answer is stored the moment it arrives and deleted by the step that
    uses it; answers older than a month are deleted when another is stored.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, prompt_hash: str) -> str | None:
        rows = self._db.rows(
            "SELECT answer FROM reflection_answer WHERE prompt_hash = ?", (prompt_hash,)
        )
        return str(rows[0][0]) if rows else None

    def put(self, prompt_hash: str, answer: str, now: int) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM reflection_answer WHERE created_at < ?", (now - _KEPT_MS,)
            )
            connection.execute(
                "INSERT OR REPLACE INTO reflection_answer(prompt_hash, answer, created_at)"
                " VALUES (?, ?, ?)",
                (prompt_hash, answer, now),
            )

    def remove(self, prompt_hash: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM reflection_answer WHERE prompt_hash = ?", (prompt_hash,)
            )


class InboxAnswers:
    """The table `inbox_answer`: dismissed and postponed items, written inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> dict[str, InboxAnswer]:
        """Return the answers by item id."""
        rows = self._db.rows("SELECT id, seen, until FROM inbox_answer")
        return {item_id: InboxAnswer(seen, until) for item_id, seen, until in rows}

    def put(self, item_id: str, answer: InboxAnswer) -> None:
        self._db.run_many(
            "INSERT OR REPLACE INTO inbox_answer(id, seen, until) VALUES (?, ?, ?)",
            [(item_id, answer.seen, answer.until)],
        )


@dataclass(frozen=True, slots=True)
class FrozenRow:
    """A frozen injection: from which floor, for how many turns, and its data.

    ``data`` is empty until the first injection after freezing is stored.
    """

    floor: int
    turns: int
    data: dict[str, Any]


class FrozenStore:
    """The frozen injections of one chat, one for each branch. Not part of undo steps."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, branch_id: str) -> FrozenRow | None:
        rows = self._db.rows(
            "SELECT floor, turns, injection FROM frozen_injection WHERE branch_id = ?",
            (branch_id,),
        )
        return FrozenRow(rows[0][0], rows[0][1], json.loads(rows[0][2])) if rows else None

    def put(self, branch_id: str, row: FrozenRow) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO frozen_injection(branch_id, floor, turns, injection)"
                " VALUES (?, ?, ?, ?)",
                (branch_id, row.floor, row.turns, json.dumps(row.data, ensure_ascii=False)),
            )

    def remove(self, branch_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM frozen_injection WHERE branch_id = ?", (branch_id,))
