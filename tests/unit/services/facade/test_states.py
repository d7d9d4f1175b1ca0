"""The state of a story is what its messages say: at every floor, on every line, after a change."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.private_log import LogPatch
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.jobs.context import NullContext
from tests.state_story import update, write_story

CTX = NullContext()


@pytest.fixture
def story(memory, tmp_path):
    """Floors 2, 4 and 6 each add to what 爱丽丝 feels."""
    file = write_story(tmp_path / "故事.jsonl", [update(1), update(2), update(4)])
    return memory.import_file(CTX, file).chat_id


def told(memory, chat, **where):
    tree = memory.state_history(CTX, chat, **where).tree
    return {join_path(leaf.path): leaf.value for leaf in leaves(tree)}


def affinity(memory, chat, **where):
    return told(memory, chat, **where)["爱丽丝.好感度"]


def test_the_state_is_replayed_to_any_floor(memory, story):
    assert [affinity(memory, story, at=floor) for floor in range(7)] == [50, 50, 51, 51, 53, 53, 57]
    history = memory.state_history(CTX, story)
    assert [(e.floor, e.teller, e.dialects) for e in history.entries] == [
        (0, "begin", ()),
        (2, "reply", ("seed",)),
        (4, "reply", ("seed",)),
        (6, "reply", ("seed",)),
    ]
    assert [(c.old, c.new) for e in history.entries[1:] for c in e.changes] == [
        (50, 51),
        (51, 53),
        (53, 57),
    ]
    with pytest.raises(NotFound):
        memory.state_history(CTX, story, at=7)


def test_what_is_deleted_or_rewritten_never_was(memory, story):
    memory.delete_messages(story, [2])
    assert affinity(memory, story) == 56
    memory.undo(story)
    assert affinity(memory, story) == 57
    memory.edit_message(story, 4, update(30))
    assert affinity(memory, story) == 85


def test_the_players_words_and_thoughts_change_nothing(memory, tmp_path):
    said = f"<think>{update(9)}</think>好。"
    file = write_story(tmp_path / "a.jsonl", [said])
    chat = memory.import_file(CTX, file).chat_id
    memory.edit_message(chat, 1, update(100))
    assert affinity(memory, chat) == 50


def test_a_branch_has_a_state_of_its_own(memory, story):
    branch, _changes = memory.fork(story, at=2, name="另一条路")
    memory.set_state(story, ("爱丽丝", "好感度"), 5, branch)
    assert affinity(memory, story, branch_id=branch) == 5
    assert affinity(memory, story) == 57
    memory.append_message(story, "爱丽丝", "assistant", update(1), branch)
    assert affinity(memory, story, branch_id=branch) == 6


def test_what_the_user_sets_counts_from_then_on_and_is_undone(memory, story):
    changes = memory.set_state(story, ("爱丽丝", "好感度"), 90)
    assert changes.state
    memory.remove_state(story, ("爱丽丝", "心情"))
    assert told(memory, story) == {"爱丽丝.好感度": 90}
    assert affinity(memory, story, at=5) == 53
    assert memory.state_history(CTX, story).entries[-1].teller == "user"
    memory.undo(story)
    memory.undo(story)
    assert told(memory, story) == {"爱丽丝.好感度": 57, "爱丽丝.心情": "平静"}
    with pytest.raises(InputError):
        memory.set_state(story, (), 1)


def test_what_the_user_set_goes_with_its_floor(memory, story):
    memory.set_state(story, ("爱丽丝", "好感度"), 90)
    memory.delete_messages(story, [1])
    assert affinity(memory, story) == 90
    memory.delete_messages(story, [5])
    assert affinity(memory, story) == 53


def test_variables_beside_a_message_hold_the_whole_state(memory, tmp_path):
    reached = {"爱丽丝": {"好感度": [70, "喜爱"]}, "$meta": {"x": 1}}
    call = "<UpdateVariable>_.set('爱丽丝.好感度[0]', 50, 69);//花</UpdateVariable>"
    call += "<UpdateVariable>_.add('爱丽丝.好感度', 1);//也许</UpdateVariable>"
    file = write_story(tmp_path / "b.jsonl", [(call, reached), update(1)])
    chat = memory.import_file(CTX, file).chat_id
    assert told(memory, chat, at=2) == {"爱丽丝.好感度": 70}
    assert told(memory, chat) == {"爱丽丝.好感度": 71}
    entry = memory.state_history(CTX, chat, at=2).entries[-1]
    assert entry.teller == "variables"
    assert {join_path(c.path): (c.old, c.new, c.reason) for c in entry.changes} == {
        "爱丽丝.心情": ("平静", None, ""),
        "爱丽丝.好感度": (50, 70, "也许"),
    }


def test_a_world_book_says_where_a_story_begins(memory, tmp_path):
    begins = "爱丽丝:\n  好感度: [20, 喜爱]"
    entry = {"uid": 0, "comment": "[InitVar] 初始", "content": begins, "disable": True}
    book = tmp_path / "变量.json"
    book.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    chat = memory.import_file(CTX, write_story(tmp_path / "c.jsonl", [update(1)], "你好。")).chat_id
    assert affinity(memory, chat) == 1
    memory.import_file(CTX, book)
    memory.set_book_global(memory.books()[0].id, is_global=True)
    assert affinity(memory, chat) == 21


@pytest.fixture
def secret(memory, story):
    """A memory of 爱丽丝's that is known only once she likes the player."""
    patch = LogPatch(
        "爱丽丝",
        "其实我早就认出他了。",
        source_range=SourceRange(1, 1),
        scope="conditional",
        condition="爱丽丝.好感度 > 52",
    )
    pk, _changes = memory.add_log(story, patch)
    memory.embed_pending(CTX, story)
    return memory.fetch_logs(story, [pk])[pk]


def knows(memory, chat, actor, **query):
    asked = RecallQuery("她认出他了吗", kinds=("log",), actor=actor, **query)
    return [hit.item.ref for hit in memory.recall(CTX, chat, asked).hits]


def test_a_conditional_memory_is_known_once_its_condition_holds(memory, story, secret):
    assert knows(memory, story, "爱丽丝") == [secret.id]
    assert knows(memory, story, "爱丽丝", at=3) == []  # then it was 51
    assert knows(memory, story, "爱丽丝", at=4) == [secret.id]
    assert knows(memory, story, None, at=3) == [secret.id]  # the curator sees everything
    memory.set_state(story, ("爱丽丝", "好感度"), 10)
    assert knows(memory, story, "爱丽丝") == []
    memory.undo(story)
    assert knows(memory, story, "凯尔") == [secret.id]
    memory.update_log(story, secret.pk, LogPatch(condition="爱丽丝.好感度 > 52 && actor == owner"))
    assert knows(memory, story, "凯尔") == []
    assert knows(memory, story, "爱丽丝") == [secret.id]


def test_an_injection_holds_a_conditional_memory_only_while_it_may_be_known(memory, story, secret):
    def text():
        asked = RecallQuery("她认出他了吗", actor="爱丽丝", kinds=("log",))
        return memory.inject(CTX, story, asked).text

    assert secret.content in text()
    memory.edit_message(story, 6, "别这样。")
    memory.edit_message(story, 4, "别这样。")
    assert secret.content not in text()


def test_a_condition_is_checked_for_the_one_it_guards(memory, story):
    def said(text):
        return memory.check_condition(CTX, story, text, "爱丽丝")

    assert said("爱丽丝.好感度 == 57 && actor == owner && floor == 6").holds
    assert "holds no 凯尔" in said("凯尔.好感度 > 1").fault


def test_a_condition_reads_variables_without_the_story_before_them(memory, tmp_path):
    replies = [update(1), ("x", {"爱丽丝": {"好感度": [70, "喜爱"]}}), update(2)]
    chat = memory.import_file(CTX, write_story(tmp_path / "b.jsonl", replies)).chat_id
    assert memory.check_condition(CTX, chat, "爱丽丝.好感度 == 72", "爱丽丝").holds
