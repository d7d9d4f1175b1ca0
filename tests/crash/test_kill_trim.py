"""Kill a trim after each of its commits: what was derived of the merged events is whole."""

from __future__ import annotations

import pytest

from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import check_database
from tests.crash.killing import kill, make_library, start

pytestmark = [pytest.mark.crash, pytest.mark.timeout(120)]
CTX = NullContext()
BARE = (
    "SELECT e.name FROM entity e WHERE EXISTS"
    " (SELECT 1 FROM relation r WHERE e.id IN (r.src, r.dst))"
    " AND NOT EXISTS (SELECT 1 FROM memory_item i WHERE i.kind = 'entity' AND i.ref = e.id)"
)


@pytest.mark.parametrize("commits", [1, 2, 3])
def test_entities_of_what_was_merged_have_their_items(tmp_path, commits):
    chat_id = make_library(tmp_path, events=60, messages=60)
    victim = start("trim", tmp_path)
    assert victim.stdout is not None
    assert [victim.stdout.readline() for _commit in range(commits)] == ["kept\n"] * commits
    kill(victim.pid)
    victim.wait()
    victim.stdout.close()
    check_database(tmp_path / "chats" / chat_id / "memory.db", thorough=True)

    reader = Memory.open(tmp_path, environ={}, program=None)  # which mends nothing
    database = reader.session.chat(chat_id).database
    assert database.value("SELECT count(*) FROM entity") > 0
    assert database.rows(BARE) == []
    assert database.rows("SELECT * FROM entity_due") == []
    reader.close()
    memory = Memory.open(tmp_path, environ={})
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))
    memory.close()


def test_a_reader_writes_what_a_killed_consolidation_put_off(tmp_path):
    chat_id = make_library(tmp_path, events=3000, messages=0)
    victim = start("consolidate", tmp_path)
    assert victim.stdout is not None
    while victim.stdout.readline().strip() in {"", "archived 0"}:
        pass
    kill(victim.pid)
    victim.wait()
    victim.stdout.close()
    reader = Memory.open(
        tmp_path, environ={}, program="engram recall", access=WriteAccess("derive")
    )
    database = reader.session.chat(chat_id).database
    assert database.value("SELECT count(*) FROM entity") > 0
    assert database.rows(BARE) == []
    reader.close()
