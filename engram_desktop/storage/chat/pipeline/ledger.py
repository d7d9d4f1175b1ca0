"""What was asked of models and what was recalled: logs that are never undone."""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.domain.pipeline.usage import UsageRow
from engram_desktop.domain.recall.explanation import Explanation, PastRecall
from engram_desktop.storage.database import Database
from engram_desktop.storage.tables import LlmCall

RECALLS_KEPT = 500  # the newest, with their hits
_LATELY = 10  # entries of the log looked through for the last replies: some are tried again
DETAILS_KEPT = 100  # the newest, with all that was weighed: about 12 kB each


class Ledger:
    """The call and recall logs of one chat."""

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
        """Record one request; ``tokens`` are prompt and completion, an ``error`` why it failed."""
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
        """What was asked, by local day, task and model; the latest day first."""
        rows = self._db.rows(
            "SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, task, model, count(*),"
            " sum(is_ok = 0), sum(prompt_tokens), sum(completion_tokens) FROM llm_call"
            " GROUP BY day, task, model ORDER BY day DESC, task, model"
        )
        return [UsageRow(*row) for row in rows]

    def mean_completion(self, task: str) -> int | None:
        """Tokens a model answered with on average, or None before the first answer."""
        mean = self._db.value(
            "SELECT avg(completion_tokens) FROM llm_call WHERE task = ? AND is_ok", (task,)
        )
        return None if mean is None else round(mean)

    def add_recall(self, at: int, query: str, elapsed_ms: float, detail: Explanation) -> None:
        """Record a recall; forget the oldest, and of older ones everything but the hits."""
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
        """Ids of the events that the newest recall or injection gave."""
        hits = self._db.value("SELECT hits FROM recall_log ORDER BY id DESC LIMIT 1")
        rows = json.loads(hits) if hits else []
        return tuple(str(row["ref"]) for row in rows if row.get("kind") == "event")

    def told_lately(self, asker: str, floor: int, replies: int) -> frozenset[int]:
        """Ids of the items that stood in the prompts of the last replies before ``floor``.

        The prompts of one floor, however often it was tried, are those of one reply.
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
        """The last recalls that can still be explained, newest first."""
        rows = self._db.rows(
            "SELECT id, at, query, elapsed_ms, max(json_array_length(hits),"
            " ifnull(json_array_length(detail, '$.told'), 0)) FROM recall_log"
            " WHERE detail <> '' ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [PastRecall(*row) for row in rows]

    def explanation(self, recall_id: int) -> Explanation | None:
        """Return what was weighed in a recall, unless it is forgotten."""
        rows = self._db.rows("SELECT detail FROM recall_log WHERE id = ?", (recall_id,))
        return Explanation.from_json(json.loads(rows[0][0])) if rows and rows[0][0] else None
