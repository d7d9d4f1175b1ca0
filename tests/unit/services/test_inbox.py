"""The inbox: what waits, what each decision changes, and what comes back when."""

from __future__ import annotations

import itertools

import pytest

from engram_desktop.domain.errors import Conflict
from engram_desktop.domain.inbox import (
    EFFECTS,
    INBOX_KINDS,
    MOST_OF_A_KIND,
    PUT_OFF_HOURS,
    InboxAnswer,
    InboxPart,
    effect_of,
    make_item,
    sorted_out,
)
from engram_desktop.domain.memory.event import EventPatch
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.inbox import FailedAgain
from engram_desktop.services.memory import Memory
from tests.factories import model_at
from tests.inbox_story import DUE, UNBORNE, fill_inbox, kinds
from tests.stored import stored_events

CTX = NullContext()
HOUR = 3_600_000


@pytest.fixture
def chat(memory, tmp_path):
    return fill_inbox(memory, tmp_path)


def waiting(memory, chat):
    listed, _every = memory.inbox.waiting(CTX, Line.main(chat))
    return {item.kind: item for item in listed.waiting}


def act(memory, chat, kind, action, answer=""):
    item = waiting(memory, chat)[kind]
    changes = memory.inbox.act(CTX, Line.main(chat), item, action, answer)
    assert changes.chat_id == chat
    return item, changes


def rest(kind):
    return [other for other in INBOX_KINDS if other != kind]


def test_every_kind_waits_with_its_floors_and_words(memory, chat):
    items = waiting(memory, chat)
    assert list(items) == list(INBOX_KINDS)
    assert len({item.id for item in items.values()}) == len(INBOX_KINDS)
    assert items["doubt"].text == UNBORNE
    assert items["doubt"].floors == (5, 6)
    assert items["same"].floors == ()
    assert items["duplicate"].floors == (3, 4)
    assert [len(items[kind].parts) for kind in ("contradiction", "promise")] == [2, 1]
    assert "木卫二" in items["promise"].text
    assert [part.text for part in items["promise"].beside] == [DUE]


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        *itertools.product(
            [kind for kind in INBOX_KINDS if kind != "failed"], ("accept", "dismiss", "later")
        ),
        ("failed", "dismiss"),
        ("failed", "later"),
    ],
)
def test_a_decision_takes_it_away_and_one_undo_brings_it_back(memory, chat, kind, action):
    before = {k: item.id for k, item in waiting(memory, chat).items()}
    _item, changes = act(memory, chat, kind, action)
    assert changes.undo_label is not None
    left = kinds(memory, chat)
    if (kind, action) == ("draft", "accept"):
        assert "draft" not in left  # what was saved may be doubtful itself
    else:
        assert left == rest(kind)
    memory.history.undo(chat)
    assert {k: item.id for k, item in waiting(memory, chat).items()} == before


def test_accepting_changes_the_memory_itself(memory, chat):
    line = Line.main(chat)
    stale, doubt, twice = (waiting(memory, chat)[k].keys for k in ("stale", "doubt", "duplicate"))
    for kind in ("stale", "doubt", "duplicate", "same", "contradiction", "promise", "draft"):
        act(memory, chat, kind, "accept")
    events = memory.events.fetch(chat, [*stale, *doubt, *twice])
    assert (events[stale[0]].is_stale, events[stale[0]].confidence) == (False, "confirmed")
    assert events[doubt[0]].confidence == "confirmed"
    assert [events[pk].is_deleted for pk in twice] == [False, True]
    assert len([e for e in memory.graph.find_entities(line, "林", 9, ()) if "晓" in e.name]) <= 1
    answers = {f.kind: f.answer for f in memory.findings.findings(CTX, line) if f.answer}
    assert answers == {"contradiction": "later", "promise": "kept"}
    found = stored_events(memory, chat)
    assert "第0份草稿说的事。" in [event.summary for event in found.values()]


def test_a_finding_is_answered_otherwise(memory, chat):
    act(memory, chat, "contradiction", "accept", "both")
    found = memory.findings.findings(CTX, Line.main(chat), ("contradiction",))
    assert [f.answer for f in found] == ["both"]


def test_what_was_put_away_stays_away_after_a_restart_until_it_changes(open_memory, memory, chat):
    item, _changes = act(memory, chat, "stale", "dismiss")
    folder = memory.folder
    memory.close()
    again = open_memory(folder)
    assert kinds(again, chat) == rest("stale")
    again.events.update(chat, item.keys[0], EventPatch(summary="换了说法，还是过时。"))
    assert kinds(again, chat) == list(INBOX_KINDS)


def test_a_stale_memory_waits_again_when_its_messages_change_once_more(memory, chat):
    act(memory, chat, "stale", "dismiss")
    act(memory, chat, "doubt", "dismiss")
    memory.play.edit(Line.main(chat), 0, "完全不同的一句话。")
    assert "stale" in kinds(memory, chat)
    assert "doubt" not in kinds(memory, chat)  # its floors are others
    memory.play.edit(Line.main(chat), 5, "这一楼也改了，说的是别的事情。")
    listed, _every = memory.inbox.waiting(CTX, Line.main(chat))
    told = [i.text for i in listed.waiting if i.kind == "stale"]
    assert UNBORNE in told  # a stale memory is asked about as such


def test_what_was_put_off_waits_again_a_day_later(tmp_path):
    now = itertools.count(1_000)
    ahead = [0]
    memory = Memory.open(tmp_path / "资料库", clock=lambda: next(now) + ahead[0], environ={})
    try:
        memory.settings.set("index.backend", "exact")
        chat = fill_inbox(memory, tmp_path)
        act(memory, chat, "promise", "later")
        listed, _every = memory.inbox.waiting(CTX, Line.main(chat))
        assert [item.kind for item in listed.put_off] == ["promise"]
        ahead[0] = (PUT_OFF_HOURS - 1) * HOUR
        assert "promise" not in kinds(memory, chat)
        ahead[0] = PUT_OFF_HOURS * HOUR + 10_000
        assert "promise" in kinds(memory, chat)
    finally:
        memory.close()


def test_a_draft_whose_messages_changed_is_not_saved(memory, chat):
    memory.play.edit(Line.main(chat), 0, "改了。")
    item = waiting(memory, chat)["draft"]
    assert len(item.why) == 1
    with pytest.raises(Conflict):
        memory.inbox.act(CTX, Line.main(chat), item, "accept")
    assert waiting(memory, chat)["draft"].ref == item.ref


def test_what_is_gone_by_now_is_decided_without_a_word(memory, chat):
    items = waiting(memory, chat)
    memory.events.delete(CTX, chat, items["stale"].keys)
    memory.inbox.act(CTX, Line.main(chat), items["same"], "accept")
    for kind in ("stale", "same"):
        for action in ("accept", "dismiss"):
            if (kind, action) != ("stale", "dismiss"):  # what is gone can be put away
                changes = memory.inbox.act(CTX, Line.main(chat), items[kind], action)
                assert changes.undo_label is None


def test_more_of_a_kind_than_are_listed_are_counted(memory, tmp_path):
    chat = fill_inbox(memory, tmp_path, stale=MOST_OF_A_KIND + 7)
    items = memory.inbox.read(CTX, Line.main(chat), ("stale",))
    assert (len(items.items), items.more) == (MOST_OF_A_KIND, {"stale": 7})
    memory.inbox.act(CTX, Line.main(chat), items.items[0], "dismiss")
    items = memory.inbox.read(CTX, Line.main(chat), ("stale",))
    assert (len(items.items), items.more) == (MOST_OF_A_KIND + 1, {"stale": 6})


def test_a_block_that_fails_again_says_why(open_memory, server, tmp_path):
    memory = open_memory(**model_at(server.url, "m"))
    chat = fill_inbox(memory, tmp_path)
    item = waiting(memory, chat)["failed"]
    with pytest.raises(FailedAgain):
        memory.inbox.act(CTX, Line.main(chat), item, "accept")
    assert "failed" in waiting(memory, chat)


def test_every_kind_has_its_effects():
    assert set(EFFECTS) == set(INBOX_KINDS)
    assert {effect_of(kind, "later") for kind in INBOX_KINDS} == {"put_off"}


def test_answers_hold_for_what_reads_as_it_did():
    item = make_item("stale", "a", [InboxPart("一", 2, 3), InboxPart("二", 0, 1)], state="s")
    assert item.floors == (0, 3)
    away = {item.id: InboxAnswer(item.seen)}
    assert sorted_out([item], away, 0).waiting == ()
    other = make_item("stale", "a", item.parts, state="t")
    assert (other.id, sorted_out([other], away, 0).waiting) == (item.id, (other,))
    off = {item.id: InboxAnswer(item.seen, 5)}
    assert sorted_out([item], off, 4).put_off == (item,)
    assert sorted_out([item], off, 5).waiting == (item,)


@pytest.fixture
def model():
    """A model that never answers in JSON."""
    return lambda _body: "Sorry."
