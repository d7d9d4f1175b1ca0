"""How often the database is asked: a loop that asks once a floor shows here, not in a timing."""

from __future__ import annotations

import apsw
import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.shipped import resource


class Statements:
    """Counts statements of all connections; one that is run for many rows counts once."""

    def __init__(self):
        self.count = 0
        self._last = ""
        apsw.connection_hooks.append(self._watch)

    def _watch(self, connection):
        connection.exec_trace = self._note

    def _note(self, _cursor, sql, _values):
        self.count += sql != self._last
        self._last = sql
        return True

    def taken(self):
        count, self.count = self.count, 0
        return count


@pytest.fixture
def statements():
    made = Statements()
    yield made
    apsw.connection_hooks.remove(made._watch)


def test_importing_and_consolidating_ask_the_database_no_more_than_they_need(tmp_path, statements):
    memory = Memory.open(tmp_path / "library", program="test", environ={})
    statements.taken()
    imported = memory.imports.import_file(NullContext(), resource("story/月光酒馆.jsonl"))
    assert statements.taken() <= 400  # 159 messages, and a new database
    assert imported.chat_id is not None
    line = Line.main(imported.chat_id)
    memory.pipeline.summarise(NullContext(), line, (0, 158))
    statements.taken()
    done = memory.pipeline.consolidate(NullContext(), line)
    assert done.archived > 20
    assert statements.taken() <= 220
    memory.close()
