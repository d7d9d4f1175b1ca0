"""Whatever happens to the library, the reply passes, and what is wrong is said."""

from __future__ import annotations

import shutil
from urllib.parse import unquote

import apsw
import pytest

from tests.unit.server.test_inject import ask, messages, story, up  # noqa: F401 - fixtures


def overwritten(folder):
    for name in ("library.db", "library.db-wal"):
        if (folder / name).exists():
            (folder / name).write_bytes(b"no database at all" * 4_000)


def chat_overwritten(folder):
    for path in folder.rglob("*.db*"):
        if path.name.startswith("memory.db") and not path.name.endswith("-shm"):
            path.write_bytes(b"no database at all" * 4_000)


def deleted(folder):
    """Take the folder away at once: what is still written to it goes with it."""
    gone = folder.rename(folder.with_name("gone"))
    shutil.rmtree(gone, ignore_errors=True)


def newer(folder):
    connection = apsw.Connection(str(folder / "library.db"))
    connection.setbusytimeout(5_000)
    connection.execute("PRAGMA user_version = 9999")
    connection.close()


def without_tables(folder):
    connection = apsw.Connection(str(folder / "library.db"))
    connection.setbusytimeout(5_000)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ).fetchall():
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    connection.close()


TROUBLES = [
    pytest.param(overwritten, "library.db"),
    pytest.param(chat_overwritten, "memory.db", marks=pytest.mark.may_log("is not known")),
    pytest.param(deleted, "moved, deleted or replaced"),
    pytest.param(newer, "newer Engram"),
    pytest.param(
        without_tables,
        "Memory failed here",
        marks=pytest.mark.logs("cannot be used", "memory for a request"),
    ),
]


@pytest.mark.parametrize(("trouble", "words"), TROUBLES)
def test_a_reply_passes_whatever_became_of_the_library(story, trouble, words):  # noqa: F811
    """The second answer names the trouble at the latest: the first may find it as it is kept."""
    made = story()
    ask(made, messages(10, 29))
    trouble(made.memory.folder)
    said = []
    for last in (29, 27):
        rows = messages(10, last, "钥匙在哪里？")
        answer = made.ask("/v1/chat/completions", {"messages": rows, "stream": True})
        assert answer.status == 200
        assert answer.body.endswith(b"data: [DONE]\n\n")
        said.append(unquote(answer.headers.get("x-engram-trouble", "")))
        made.server._running._desk._keeper.submit(int).result()  # until it was kept, or not
    assert said[-1]
    assert words in said[-1]
    assert str(made.memory.folder) not in said[-1]
