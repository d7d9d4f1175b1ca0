"""What several events have in common: one pass over the rows, whatever their number."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engram_desktop.domain.memory.edits.shared_fields import SharedFields
from engram_desktop.storage.database import Database

MOST_KEYWORDS = 24  # offered to be removed: more than a reader looks through

_TIME = "ifnull(json_extract(raw_data, '$.timestamp'), '')"
_PLACE = "ifnull(json_extract(raw_data, '$.location'), '')"
_CHOSEN = "FROM event WHERE is_deleted = 0 AND pk IN (SELECT value FROM json_each(?))"


def shared_fields(database: Database, pks: Sequence[int]) -> SharedFields:
    """Read what the events with these keys share; those that are gone are left out."""
    keys = json.dumps(list(pks))
    spans = ", ".join(
        f"min({name}), max({name})" for name in (_TIME, _PLACE, "kind", "significance_score")
    )
    row = database.rows(
        "SELECT count(*), sum(level >= 1), sum(is_locked), sum(confidence = 'confirmed'),"
        f" sum(is_archived), {spans} {_CHOSEN}",
        (keys,),
    )[0]
    if not row[0]:
        return SharedFields()
    words = database.rows(
        "SELECT word.value, count(*) FROM event, json_each(event.raw_data, '$.keywords') AS word"
        " WHERE is_deleted = 0 AND pk IN (SELECT value FROM json_each(?))"
        " GROUP BY word.value ORDER BY count(*) DESC, word.value LIMIT ?",
        (keys, MOST_KEYWORDS),
    )
    times, places, kinds, scores = (
        tuple(dict.fromkeys(row[start : start + 2])) for start in range(5, 13, 2)
    )
    return SharedFields(
        count=row[0],
        outlines=row[1],
        locked=row[2],
        confirmed=row[3],
        archived=row[4],
        times=times,
        places=places,
        kinds=kinds,
        scores=scores,
        keywords=tuple((str(word), n) for word, n in words),
    )
