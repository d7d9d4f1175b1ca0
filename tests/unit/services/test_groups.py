"""Groups that know a secret, and their members, who join and leave."""

from __future__ import annotations

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.knowledge.knowing import MemberNote, Membership, memberships
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, make_event, make_extraction, story_rows

CTX = NullContext()
GROUP = "青云门"


@pytest.fixture
def chat(memory, tmp_path):
    """Import 40 floors, and two secrets of a group that nobody lived through, at 4 and 20."""
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
    store = memory.session.chat(chat)
    with store.step(StepLabel(IMPORT, {"count": 2})):
        store.events.add([secret("密道在藏经阁下。", 4), secret("掌门中了寒毒。", 20)], 1)
    for event in events(memory, chat):
        floor = event.source_range.end_index
        memory.knowledge.say_known(
            Line.main(chat), [("event", event.id)], GROUP, known=True, from_floor=floor
        )
    memory.index.embed_pending(CTX, chat)
    return chat


def secret(text, floor):
    data = make_extraction(text, keywords=(text[:2],), entities=(), relations=(), witnesses=())
    return make_event(text, floor, floor, scope="private", owner=GROUP, raw_data=data)


def events(memory, chat):
    keys = memory.events.find(chat, EventQuery())
    return list(memory.events.fetch(chat, keys).values())


def known(memory, chat, name, at=None, branch="main"):
    """Return what somebody comes to know of both secrets; all roads must say the same."""
    line = Line(chat, branch)
    told = {}
    asked = RecallQuery("密道 掌门 寒毒", actor=name, at=at, branch_id=branch, kinds=("event",))
    told["recall"] = " ".join(h.item.content for h in memory.recall.ask(CTX, chat, asked).hits)
    told["inject"] = memory.inject.compose(CTX, chat, asked).text
    askers = memory.knowledge.askers(CTX, line, [name], at)
    keys = memory.events.find(chat, EventQuery(branch_id=branch, actors=tuple(askers), until=at))
    told["list"] = " ".join(e.summary for e in memory.events.fetch(chat, keys).values())
    found = {road: {w for w in ("密道", "寒毒") if w in text} for road, text in told.items()}
    assert found["recall"] == found["inject"] == found["list"], (name, at, found)
    return found["list"]


def join(memory, chat, name, floor, *, leaves=False, branch="main"):
    memory.knowledge.say_member(Line(chat, branch), GROUP, name, is_member=not leaves, floor=floor)


def test_a_member_knows_from_joining_on_what_the_group_knows(memory, chat):
    assert known(memory, chat, "旅人") == set()
    assert known(memory, chat, GROUP) == {"密道", "寒毒"}
    join(memory, chat, "旅人", 10)
    assert known(memory, chat, "旅人") == {"密道", "寒毒"}
    assert known(memory, chat, "旅人", at=9) == set()
    assert known(memory, chat, "旅人", at=10) == {"密道"}, "what it knew before too"
    assert known(memory, chat, "旅人", at=20) == {"密道", "寒毒"}
    assert known(memory, chat, "爱丽丝") == set()
    memory.history.undo(chat)
    assert known(memory, chat, "旅人") == set()


def test_who_left_keeps_what_was_known_and_learns_nothing_later(memory, chat):
    join(memory, chat, "旅人", 2)
    join(memory, chat, "旅人", 15, leaves=True)
    assert known(memory, chat, "旅人") == {"密道"}
    join(memory, chat, "旅人", 30)
    assert known(memory, chat, "旅人", at=29) == {"密道"}
    assert known(memory, chat, "旅人") == {"密道", "寒毒"}
    memory.knowledge.unsay_member(Line.main(chat), GROUP, "旅人")
    assert known(memory, chat, "旅人") == set()


def test_a_branch_has_members_of_its_own(memory, chat):
    join(memory, chat, "旅人", 8)
    branch, _changes = memory.branches.fork(Line.main(chat), at=25, name="另一条路")
    earlier, _changes = memory.branches.fork(Line.main(chat), at=5, name="更早")
    assert known(memory, chat, "旅人", branch=branch) == {"密道", "寒毒"}
    assert known(memory, chat, "旅人", branch=earlier) == set()
    memory.messages.append(Line(chat, earlier), "旅人", "user", "我来拜师。")
    join(memory, chat, "爱丽丝", 6, branch=earlier)
    assert known(memory, chat, "爱丽丝", branch=earlier) == {"密道"}
    assert known(memory, chat, "爱丽丝") == set()


def test_members_follow_their_messages_through_edits(memory, chat):
    join(memory, chat, "旅人", 10)
    memory.messages.delete(Line.main(chat), [0, 1])
    assert memory.knowledge.memberships(Line.main(chat)) == [Membership(GROUP, "旅人", 8)]
    memory.messages.edit(Line.main(chat), 8, "我愿拜入门下。")
    assert memory.knowledge.memberships(Line.main(chat)) == [Membership(GROUP, "旅人", 8)]
    memory.messages.delete(Line.main(chat), [8])
    assert memory.knowledge.memberships(Line.main(chat)) == [], "it goes with its message"
    memory.history.undo(chat)
    assert memory.knowledge.memberships(Line.main(chat)) == [Membership(GROUP, "旅人", 8)]


def test_what_is_said_of_a_member_comes_before_the_group(memory, chat):
    join(memory, chat, "旅人", 2)
    line = Line.main(chat)
    path, poison = [("event", e.id) for e in events(memory, chat)]
    memory.knowledge.say_known(line, [path], "旅人", known=False)
    assert known(memory, chat, "旅人") == {"寒毒"}
    memory.knowledge.say_known(line, [poison], GROUP, known=False)
    assert known(memory, chat, "旅人") == set()
    memory.knowledge.say_known(line, [path], "旅人", known=True, from_floor=12)
    assert known(memory, chat, "旅人", at=11) == set()
    assert known(memory, chat, "旅人", at=12) == {"密道"}


def test_a_condition_guards_what_a_group_knows(memory, chat):
    join(memory, chat, "旅人", 2)
    for event in events(memory, chat):
        store = memory.session.chat(chat)
        pk = store.events.by_ids([event.id])[0].pk
        memory.events.update(chat, pk, EventPatch(condition="信任 > 5"))
    assert known(memory, chat, "旅人") == set()
    memory.state.set(Line.main(chat), ("信任",), 9)
    assert known(memory, chat, "旅人") == {"密道", "寒毒"}


def test_who_knows_names_the_members_and_since_when(memory, chat):
    join(memory, chat, "旅人", 10)
    join(memory, chat, "爱丽丝", 1)
    join(memory, chat, "爱丽丝", 3, leaves=True)
    line = Line.main(chat)
    path, poison = [("event", e.id) for e in events(memory, chat)]

    def knowers(ref):
        rows = memory.knowledge.who(CTX, line, ref)
        return {(k.actor, k.from_floor, k.how) for k in rows}

    assert knowers(path) == {(GROUP, 4, "confirmed"), ("旅人", 10, "member")}
    assert knowers(poison) == {(GROUP, 20, "confirmed"), ("旅人", 20, "member")}


def test_a_message_of_a_group_is_heard_by_members_of_then(memory, chat):
    line = Line.main(chat)
    messages = memory.messages.slice(line, 6, 8)
    memory.knowledge.say_present(line, [m.id for m in messages], [GROUP])
    join(memory, chat, "小四", 0)
    join(memory, chat, "小四", 8, leaves=True)
    assert [m.seq for m in memory.knowledge.heard(CTX, line, "小四", 0, 39)] == [6, 7]
    asked = RecallQuery("铜钥匙 天", actor="小四", kinds=("turn",), top_k=50)
    hits = memory.recall.ask(CTX, chat, asked).hits
    assert {h.item.start_index for h in hits} <= {6, 7}


def test_what_cannot_be_is_refused(memory, chat):
    with pytest.raises(InputError):
        join(memory, chat, GROUP, 3)
    with pytest.raises(InputError):
        join(memory, chat, " ", 3)
    with pytest.raises(NotFound):
        join(memory, chat, "旅人", 40)
    with pytest.raises(NotFound):
        join(memory, chat, "旅人", -1)
    assert not memory.knowledge.unsay_member(Line.main(chat), GROUP, "旅人").knowledge


def test_joining_twice_and_leaving_unjoined_change_nothing():
    notes = [
        MemberNote(1, "G", "a", is_member=False),
        MemberNote(2, "G", "a", is_member=True),
        MemberNote(3, "g", "A", is_member=True),
        MemberNote(5, "G", "a", is_member=False),
        MemberNote(6, "G", "a", is_member=False),
    ]
    assert memberships(notes) == [Membership("G", "a", 2, 5)]


def test_the_grid_shows_what_members_know(memory, chat):
    join(memory, chat, "旅人", 10)
    join(memory, chat, "旅人", 15, leaves=True)
    line = Line.main(chat)
    people = memory.knowledge.grid_people(CTX, line)
    place = next(n for n, person in enumerate(people) if person.name == "旅人")
    keys = memory.events.find(chat, EventQuery())
    cells = [row[place] for row in memory.knowledge.grid_rows(CTX, line, keys, people).values()]
    assert {(cell.state, cell.how) for cell in cells} == {("knows", "member"), ("unaware", "")}
