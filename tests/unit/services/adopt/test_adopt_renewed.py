"""What was taken over from other tools stays true while its chat is followed, quietly."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.tavern import TavernChatFile, make_tavern

CTX = NullContext()


class Story(TavernChatFile):
    """A chat in which MVU keeps variables with every answer."""

    def answer(self, liking, text=None, **places):
        """Speak twice; the answer reaches a state."""
        n = len(self.rows)
        self.say(f"第{n}句。", text or f"第{n + 1}句。")
        self.reach(-1, liking, **places)

    def reach(self, floor, liking, **places):
        self.rows[floor]["variables"] = [{"stat_data": {"理": {"好感": [liking, "x"]}} | places}]
        self.save()

    def swipe_to(self, swipe, liking):
        row = self.rows[-1]
        while len(row["swipes"]) <= swipe:
            row["swipes"].append(f"{row['mes']} {len(row['swipes'])}")
        row |= {"swipe_id": swipe, "mes": row["swipes"][swipe]}
        state = {"stat_data": {"理": {"好感": [liking, "x"]}}}
        held = [*row.get("variables", []), None, None, None][:4]
        held[swipe] = state
        row["variables"] = held
        self.save()

    def remember(self, floor, text):
        self.rows[floor].setdefault("extra", {})["qvink_memory"] = {"memory": text}
        self.save()


@pytest.fixture
def story(tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    made = Story(handle / "chats" / "爱丽丝" / "爱丽丝.jsonl")
    made.say("从前。")
    for liking in (1, 2, 3):
        made.answer(liking)
    return made


@pytest.fixture
def chat(memory, story):
    look(memory, story)
    return memory.chats.all()[0].chat_id


def look(memory, story):
    return list(memory.tavern.catch_up(CTX, story.path.parents[2]))


def take_over(memory, chat, *tools):
    found = memory.adopt.find(CTX, Line.main(chat))
    return memory.adopt.take_over(
        CTX, Line.main(chat), [one for one in found if not tools or one.tool in tools]
    )


def rows(memory, chat):
    return memory.events.fetch(chat, memory.events.find(chat, EventQuery())).values()


def told(memory, chat):
    return sorted(event.summary for event in rows(memory, chat))


def test_a_new_state_takes_the_place_of_the_older_in_one_step(memory, story, chat):
    assert take_over(memory, chat).added == 1
    steps = len(memory.history.steps(chat))
    story.answer(4)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]
    assert len(memory.history.steps(chat)) == steps + 2  # the messages, and what was taken over
    memory.history.undo(chat)
    assert told(memory, chat) == ["理: 好感 3"]
    memory.history.redo(chat)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]
    assert len(memory.history.steps(chat)) == steps + 2


def test_variables_written_after_the_message_are_taken_as_well(memory, story, chat):
    take_over(memory, chat)
    story.say("又一句。", "再一句。")
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 3"]
    story.reach(-1, 7)
    (report,) = look(memory, story)
    assert (report.is_noted, report.happened) == (True, ())
    assert told(memory, chat) == ["理: 好感 7"]


def test_a_single_file_that_is_synced_is_kept_true_too(memory, story, chat):
    take_over(memory, chat)
    story.answer(6)
    report = memory.tavern.sync_chat(CTX, story.path)
    assert told(memory, chat) == ["理: 好感 6"]
    assert report.changes.events


def test_swipes_go_there_and_back(memory, story, chat):
    take_over(memory, chat)
    story.answer(5)
    look(memory, story)
    for swipe, liking in ((1, 9), (0, 5), (2, 5), (1, 9), (0, 5)):
        story.swipe_to(swipe, liking)
        look(memory, story)
        assert told(memory, chat) == [f"理: 好感 {liking}"]
        assert not any(event.is_stale for event in rows(memory, chat))


def test_deleted_messages_take_the_state_back_with_them(memory, story, chat):
    take_over(memory, chat)
    story.answer(8)
    look(memory, story)
    story.delete(-1, -2)
    look(memory, story)
    look(memory, story)  # what is missing is believed when it was seen twice
    assert told(memory, chat) == ["理: 好感 3"]
    story.answer(6)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 6"]


def test_a_new_place_is_taken_and_one_that_is_gone_goes(memory, story, chat):
    take_over(memory, chat)
    story.answer(4, 世界={"天气": ["雨", "x"]})
    look(memory, story)
    assert told(memory, chat) == ["世界: 天气 雨", "理: 好感 4"]
    story.answer(4)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]


def test_what_the_user_made_his_own_stays(memory, story, chat):
    take_over(memory, chat)
    (event,) = rows(memory, chat)
    memory.events.update(chat, event.pk, EventPatch(summary="理其实不讨厌他。"))
    story.answer(4)
    look(memory, story)
    assert told(memory, chat) == sorted(["理其实不讨厌他。", "理: 好感 4"])
    locked = next(e for e in rows(memory, chat) if e.summary == "理: 好感 4")
    memory.events.set_locked(CTX, chat, [locked.pk], locked=True)
    story.answer(5)
    look(memory, story)
    assert told(memory, chat) == sorted(["理其实不讨厌他。", "理: 好感 4", "理: 好感 5"])


def test_what_the_user_deleted_stays_out_until_it_is_taken_over_again(memory, story, chat):
    story.answer(3, 世界={"天气": ["雨", "x"]})
    look(memory, story)
    take_over(memory, chat)
    weather = next(e for e in rows(memory, chat) if "天气" in e.summary)
    memory.events.delete(CTX, chat, [weather.pk])
    story.answer(4, 世界={"天气": ["雪", "x"]})
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]
    take_over(memory, chat)
    story.answer(5, 世界={"天气": ["晴", "x"]})
    look(memory, story)
    assert told(memory, chat) == ["世界: 天气 晴", "理: 好感 5"]


def test_a_deletion_that_is_taken_back_is_none(memory, story, chat):
    take_over(memory, chat)
    memory.events.delete(CTX, chat, [event.pk for event in rows(memory, chat)])
    memory.history.undo(chat)
    story.answer(4)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]


def test_only_tools_that_were_taken_over_here(memory, story, chat):
    story.remember(2, "钥匙在柜台下。")
    look(memory, story)
    assert told(memory, chat) == []
    take_over(memory, chat, "qvink")
    story.answer(4)
    look(memory, story)
    assert told(memory, chat) == ["钥匙在柜台下。"]
    memory.history.undo(chat)  # the messages
    memory.history.undo(chat)  # what was taken over
    story.remember(4, "门是开着的。")
    look(memory, story)
    assert told(memory, chat) == []


def test_notes_beside_messages_are_followed_too(memory, story, chat):
    story.remember(2, "钥匙在柜台下。")
    look(memory, story)
    take_over(memory, chat, "qvink")
    story.remember(4, "门是开着的。")
    look(memory, story)
    assert told(memory, chat) == sorted(["钥匙在柜台下。", "门是开着的。"])
    story.remember(2, "钥匙在抽屉里。")
    look(memory, story)
    assert told(memory, chat) == sorted(["钥匙在抽屉里。", "门是开着的。"])
    (event,) = [e for e in rows(memory, chat) if e.source_range.start_index == 4]
    memory.events.update(chat, event.pk, EventPatch(summary="门开着，我看见了。"))
    memory.events.delete(CTX, chat, [e.pk for e in rows(memory, chat) if e.pk != event.pk])
    story.answer(9)
    look(memory, story)
    assert told(memory, chat) == ["门开着，我看见了。"]
