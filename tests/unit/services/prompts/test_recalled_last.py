"""`{{engramSummaries}}` tells what was recalled last among the story so far (note 001 §2.4)."""

from __future__ import annotations

import pytest

from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.prompts.macro_scope import ChatSays
from tests.factories import make_event, make_extraction, story_rows, write_chat

CTX = NullContext()
KEY, LIGHTHOUSE, OWL = (
    "爱丽丝把铜钥匙藏进座钟。",
    "灯塔的看守人敲了十一下钟。",
    "猫头鹰停在药铺门口。",
)


@pytest.fixture
def chat(memory, tmp_path):
    """Three archived events that an outline tells of, and one of the buffer."""
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    for start, summary in ((0, KEY), (10, LIGHTHOUSE), (20, OWL)):
        memory.events.add(
            Line.main(chat_id), make_extraction(summary), SourceRange(start, start + 9)
        )
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.events.add(Line.main(chat_id), make_extraction("集市开张了。"), SourceRange(40, 49))
    memory.settings.set("visible.newest", 0, chat_id=chat_id)
    return chat_id


def lines(memory, chat, branch="main"):
    says = ChatSays(
        memory.session.library, memory.session.chat(chat), memory.settings.read(chat), branch
    )
    return says.remembered().splitlines()


def recall(memory, chat, text, **more):
    memory.recall.ask(CTX, chat, RecallQuery(text, top_k=1, **more))


def test_what_was_recalled_last_stands_among_the_rest_in_story_order(memory, chat):
    before = lines(memory, chat)
    assert f"- {KEY}" not in before
    assert before[-1] == "- 集市开张了。"
    recall(memory, chat, "铜钥匙藏在哪里")
    after = lines(memory, chat)
    assert [line for line in after if line != f"- {KEY}"] == before
    assert after.index(f"- {KEY}") < after.index("- 集市开张了。")
    recall(memory, chat, "猫头鹰停在哪里")
    assert f"- {KEY}" not in lines(memory, chat)
    assert f"- {OWL}" in lines(memory, chat)


def test_an_injection_counts_as_a_recall_and_a_visible_event_is_told_once(memory, chat):
    memory.inject.compose(CTX, chat, RecallQuery("灯塔的看守人敲了几下钟"))
    assert f"- {LIGHTHOUSE}" in lines(memory, chat)
    recall(memory, chat, "集市什么时候开张")
    assert lines(memory, chat).count("- 集市开张了。") == 1


@pytest.mark.parametrize("gone", ["deleted", "muted", "changed"])
def test_what_is_no_longer_to_be_told_is_not_told_though_recalled(memory, chat, gone):
    recall(memory, chat, "铜钥匙藏在哪里")
    (event,) = [e for e in memory.session.chat(chat).events.at_floors("main", 0, 9) if not e.level]
    if gone == "deleted":
        memory.events.delete(CTX, chat, [event.pk])
    elif gone == "muted":
        memory.recall.set_muted(chat, [event.id], muted=True)
    else:
        memory.messages.edit(Line.main(chat), 3, "这一层改过了。")
    assert f"- {KEY}" not in lines(memory, chat)


def test_what_only_its_owner_may_know_is_not_told_to_everybody(memory, chat):
    store = memory.session.chat(chat)
    secret = make_event("第二把钥匙在井里。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    recall(memory, chat, "第二把钥匙在哪里", actor="爱丽丝")
    assert not any("井里" in line for line in lines(memory, chat))


def test_what_another_branch_recalled_is_not_told_here(memory, chat):
    branch, _changes = memory.branches.fork(Line.main(chat), at=49, name="另一条路")
    memory.events.add(Line(chat, branch), make_extraction("议会烧了旧账本。"), SourceRange(45, 49))
    recall(memory, chat, "议会烧了什么账本", branch_id=branch)
    assert "- 议会烧了旧账本。" in lines(memory, chat, branch)
    assert "- 议会烧了旧账本。" not in lines(memory, chat)
