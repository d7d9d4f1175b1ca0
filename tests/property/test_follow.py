"""Any session, followed save by save, ends where a fresh import of its files ends."""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()
PARTS = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}

WHAT = (
    "say say say edit swipe swipe delete cut insert move hide show rename branch branch checkpoint"
    " restore note half persona character"
).split()
KINDS = st.sampled_from(["solo", "group", "old group"])
ACTS = st.lists(
    st.tuples(st.sampled_from(WHAT), st.integers(0, 99), st.integers(0, 3), st.booleans()),
    min_size=3,
    max_size=14,
)


def open_memory(folder):
    memory = Memory.open(folder, clock=counting_clock(), environ={})
    for key, value in PARTS.items():
        memory.settings.set(key, value)
    return memory


class Session:
    """A player at work on one chat and its branches."""

    def __init__(self, handle: Path, begin: int, kind: str = "solo") -> None:
        where = handle / ("chats/爱丽丝" if kind == "solo" else "group chats")
        self.files = [TavernChatFile(where / "故事.jsonl")]
        self.files[0].group = () if kind == "solo" else ("爱丽丝", "白兔", "睡鼠")
        self.files[0].has_header = kind != "old group"
        self.words = 0
        self.earlier: list[list[dict[str, Any]]] = []
        self.files[0].say(*(self.word() for _ in range(begin)))

    def word(self) -> str:
        self.words += 1
        return (
            f"第{self.words}句话。" if self.words % 5 else "嗯。"
        )  # some are said again and again

    def act(self, what: str, at: int, which: int) -> None:
        getattr(self, f"_{what}")(self.files[which % len(self.files)], at)

    def _say(self, file, at):
        file.say(*(self.word() for _ in range(at % 3 + 1)))

    def _edit(self, file, at):
        file.edit(at % len(file.rows), self.word())

    def _swipe(self, file, at):
        file.swipe(self.word())

    def _delete(self, file, at):
        if len(file.rows) > 4:
            file.delete(at % len(file.rows))

    def _cut(self, file, at):
        if len(file.rows) > 8:
            file.delete(*range(-(at % 4 + 1), 0))

    def _insert(self, file, at):
        file.insert(at % len(file.rows), self.word())

    def _move(self, file, at):
        if len(file.rows) > 1:
            file.move(at % (len(file.rows) - 1) + 1)

    def _hide(self, file, at):
        file.hide(at % len(file.rows))

    def _show(self, file, at):
        file.hide(at % len(file.rows), hidden=False)

    def _rename(self, file, at):
        file.rename(f"改名{self.words}-{at}-{file.saves}")

    def _persona(self, file, at):
        """Give the player another name in one file."""
        self._call(file, f"旅人{at % 3}", is_user=True)

    def _character(self, _file, at):
        """Give the character another name in every file, branches first."""
        for file in reversed(self.files):
            self._call(file, f"爱丽丝{at % 3}", is_user=False)

    def _call(self, file, name, *, is_user):
        for row in file.rows:
            if row["is_user"] == is_user:
                row["name"] = name
        if is_user:
            file.user = name
        else:
            file.char = name
        file.save()

    def _branch(self, file, at, make=TavernChatFile.branch):
        if len(self.files) < 4 and len(file.rows) > 4:
            floor = max(3, at % len(file.rows))
            self.files.append(make(file, floor, f"{file.path.stem} - Branch #{len(self.files)}"))

    def _checkpoint(self, file, at):
        self._branch(file, at, TavernChatFile.checkpoint)

    def _restore(self, file, at):
        """Put back what this file held some saves ago; what began as another story is left."""
        if at % 2 or not self.earlier:
            self.earlier.append(copy.deepcopy(self.files[0].rows))
        else:
            self.files[0].restore(self.earlier[at % len(self.earlier)])

    def _note(self, file, at):
        file.note(at % len(file.rows), memory=self.word())

    def _half(self, file, at):
        file.path.write_bytes(file.data()[:-7])


def row_of(memory, file):
    (row,) = (
        r for r in memory.tavern.followed() if Path(r.path) == Path(os.path.normcase(file.path))
    )
    return row


def assert_same_line(memory, row, wanted):
    """A line is what its file tells, also where that names or hides otherwise what is shared."""
    assert told(memory, row.chat_id, row.branch_id) == wanted


# A branch of what was changed a moment before: its parent waits for the next look, and so must it.
CHANGED_AND_BRANCHED = [
    ("swipe", 44, 0, False),
    ("delete", 63, 1, False),
    ("swipe", 67, 3, True),
    *[("branch", 59, 2, False)] * 3,
    ("hide", 63, 0, True),
]


@given(begin=st.integers(1, 20), acts=ACTS, kind=KINDS)
@example(begin=7, acts=CHANGED_AND_BRANCHED, kind="group")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],  # one run takes a second: shrinking takes an hour
)
def test_a_followed_session_ends_where_a_fresh_import_ends(begin, acts, kind):
    folder = Path(tempfile.mkdtemp())
    memory = open_memory(folder / "library")
    try:
        handle = make_tavern(folder / "SillyTavern")
        session = Session(handle, begin, kind)
        follower = memory.tavern.following(handle)
        list(follower.look(CTX))
        for what, at, which, looks in acts:
            if what == "rename":  # nobody renames and edits between two looks
                list(follower.look(CTX))
                list(follower.look(CTX))
            session.act(what, at, which)
            if looks or what == "rename":
                list(follower.look(CTX))
        for file in session.files:
            file.save()
        for _ in range(3):
            list(follower.look(CTX))
        assert list(follower.look(CTX)) == []
        assert not follower.is_waiting
        for number, file in enumerate(session.files):
            fresh = open_memory(folder / f"fresh{number}")
            wanted = told(fresh, fresh.imports.import_file(CTX, file.path).chat_id)
            fresh.close()
            assert_same_line(memory, row_of(memory, file), wanted)
    finally:
        memory.close()
        shutil.rmtree(folder, ignore_errors=True)
