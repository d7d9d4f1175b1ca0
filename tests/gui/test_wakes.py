"""What each kind of change wakes: the pages that read again, and what keeps derived things true."""

from __future__ import annotations

import json
from functools import cached_property

import pytest
from PySide6.QtCore import QTimer

from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.quiet_job import IndexKeeper
from engram_desktop.viewmodels.pages import Pages
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from tests.state_story import write_story

# What each kind of change wakes: the pages that read again, and what keeps derived things true.
#
# Taken from the viewmodels of a real window on a real library, with every page seen at once.

CTX = NullContext()


class Readers:
    """Everything that follows changes of one library."""

    def __init__(self, space, tmp_path):
        self.space, self.memory, self.folder = space, space.memory, tmp_path
        self.models = Pages(space)
        self.models.frame_made.emit()
        for name, made_late in vars(Pages).items():
            if isinstance(made_late, cached_property):
                getattr(self.models, name)
        self.keeper = IndexKeeper(space.memory, space.jobs, space.hub)
        self.counts = {}
        for model in (
            self.models.graph,
            self.models.logs,
            self.models.worldbooks,
            self.models.state,
            self.models.recall,
            self.models.lab,
            self.models.play,
        ):
            model.set_active(True)
        self.models.cast.set_active(active=True)
        self.models.scripts.read()
        self.models.prompts.read()
        self.models.chats.load()
        self.queries = self.models.findChildren(LiveQuery)
        for query in self.queries:
            query.asked.connect(lambda q=query: self._count(q.objectName()))
        # Each waits a moment after the last change: a timer that runs says that it will look.
        self.quiet = {
            "automation": self.models.automation,
            "kept books": space.kept,
            "index": self.keeper,
            "pipeline": space.auto,
        } | {query.objectName(): query for query in self.queries}
        self.keeper.watch(self.chat)
        self.models.events.model.dataChanged.connect(
            lambda first, last: self._count("rows on screen", last.row() - first.row() + 1)
        )
        self.rest()

    def _count(self, name, by=1):
        self.counts[name] = self.counts.get(name, 0) + by

    def rest(self):
        self.space.jobs.run_pending()
        for part in self.quiet.values():
            for timer in part.findChildren(QTimer):
                timer.stop()
        self.counts.clear()

    def woken_by(self, act):
        """Return how often each read because of what ``act`` changes, and who is about to look."""
        self.rest()
        self.space.change("Changing", lambda _ctx: act(self))
        self.space.jobs.run_pending()
        for name, part in self.quiet.items():
            if any(timer.isActive() for timer in part.findChildren(QTimer)):
                self._count(name)
        counts = dict(self.counts)
        self.rest()
        return counts

    @property
    def chat(self):
        return self.space.chat_id

    @property
    def event(self):
        return self.models.events.model.keys()[0]

    @property
    def event_id(self):
        return self.memory.events.fetch(self.chat, [self.event])[self.event].id


@pytest.fixture
def readers(space, tmp_path):
    return Readers(space, tmp_path)


def add(readers):
    data = PlotExtraction(summary="凯尔买了一盏灯。")
    return readers.memory.events.add(Line.main(readers.chat), data, SourceRange(3, 4))[1]


def import_messages(readers):
    return readers.memory.messages.append(Line.main(readers.chat), "旅人", "user", "我们回去吧。")


def edit_worldbook(readers):
    file = readers.folder / "设定.json"
    entry = {"key": ["海"], "comment": "海", "content": "海很蓝。"}
    file.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    return readers.memory.imports.import_file(CTX, file).changes


FACETS = "event facets"  # what is locked, who vouches for it, its words
IN_CONTEXT = f"event counts, {FACETS}, chats, status, automation, kept books, index, books"
MESSAGES = f"{IN_CONTEXT}, branches, logs, state, muted, drafts, pipeline, play"
EVENTS = f"{IN_CONTEXT}, event rows, branches, graph, muted, stopped scripts, play, state"

# What is changed, how, and who reads because of it: besides the rows on screen and the history of
# the chat, which follow every step.
TABLE = {
    "lock": (lambda r: r.memory.events.set_locked(CTX, r.chat, [r.event], locked=True), FACETS),
    "confirm": (
        lambda r: r.memory.events.set_confirmed(CTX, r.chat, [r.event], confirmed=True),
        f"{FACETS}, kept books, books",
    ),
    "archive": (
        lambda r: r.memory.events.set_archived(CTX, r.chat, [r.event], archived=False),
        IN_CONTEXT,
    ),
    "edit text": (
        lambda r: r.memory.events.update(r.chat, r.event, EventPatch(summary="改了。")),
        f"{FACETS}, status, automation, kept books, index, books, graph, muted, state",
    ),
    "add": (add, EVENTS),
    "delete": (
        lambda r: r.memory.events.delete(CTX, r.chat, [r.event]),
        f"{EVENTS}, names of entities",
    ),
    "import messages": (import_messages, MESSAGES),
    "fork": (
        lambda r: r.memory.branches.fork(Line.main(r.chat), at=20, name="别处")[1],
        "branches, drafts, kept books, play",
    ),
    "set state": (
        lambda r: r.memory.state.set(Line.main(r.chat), ("爱丽丝", "心情"), "好"),
        "state, logs, play",
    ),
    "mute": (
        lambda r: r.memory.recall.set_muted(
            r.chat, [r.memory.events.fetch(r.chat, [r.event])[r.event].id], muted=True
        ),
        "muted, lab",
    ),
}


def names(told):
    return {name for name in told.split(", ") if name}


@pytest.mark.parametrize("what", TABLE)
def test_a_change_wakes_whom_it_concerns_and_nobody_else(readers, what):
    act, told = TABLE[what]
    counts = readers.woken_by(act)
    rows = counts.pop("rows on screen", 0)
    assert counts.pop("history") == 1
    assert set(counts) == names(told)
    assert set(counts.values()) <= {1}, "each reads once"
    if what in ("lock", "confirm", "archive", "edit text"):
        assert rows == 1, "a change of one event re-reads one row"
    # Undo wakes the same, and the names of entities where an event came or went.
    undone = readers.woken_by(lambda r: r.memory.history.undo(r.chat))
    undone.pop("rows on screen", 0)
    assert undone.pop("history") == 1
    assert set(undone) - {"names of entities"} == names(told) - {"names of entities"}


def test_changes_of_the_library_wake_whom_they_concern(readers):
    settings = readers.woken_by(lambda r: r.memory.settings.set("recall.top_k", 7))
    assert set(settings) == names(
        "library history, status, automation, index, books, prompt, scripts, stopped scripts, play"
    )
    worldbook = readers.woken_by(edit_worldbook)
    assert set(worldbook) == names("library history, characters, books")


def test_another_chat_wakes_no_page(readers, tmp_path):
    """What follows every chat looks; the list of chats counts what each holds."""
    chat = readers.memory.imports.import_file(CTX, write_story(tmp_path / "故事.jsonl", [])).chat_id
    counts = readers.woken_by(
        lambda r: r.memory.messages.append(Line.main(chat), "旅人", "user", "走吧。")
    )
    assert set(counts) == names("chats, kept books, index, pipeline")
