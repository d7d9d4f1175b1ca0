"""Lists of cards and worldbooks never read the files themselves: hundreds are megabytes each."""

import pytest

from engram_desktop.storage.library import characters, worldbooks
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock


@pytest.mark.parametrize(
    ("select", "table"),
    [(characters._ROW, "character"), (f"{worldbooks._ROW} ORDER BY b.name", "b")],
)
def test_a_list_is_read_from_an_index_alone(tmp_path, select, table):
    library = Library(tmp_path, counting_clock(), program="test")
    try:
        plan = [row[3] for row in library.database.rows(f"EXPLAIN QUERY PLAN {select}")]
    finally:
        library.close()
    assert [step for step in plan if step.startswith(f"SCAN {table} USING COVERING INDEX")]
