"""A companion that tells of a chat no more: its chat is kept by its requests, until it is back."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.companion import ToldOffer
from engram_desktop.jobs.context import NullContext
from tests.companion import Teller
from tests.front_ends import shapes
from tests.front_ends.shapes import Front
from tests.tavern import TavernChatFile

CTX = NullContext()
OWNER = "爱丽丝.png"
FRONT = Front("旅人", "爱丽丝")


@pytest.fixture
def file(tmp_path):
    made = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / "月光.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆的柜台后面。" for n in range(10)))
    return made


@pytest.fixture
def teller(memory):
    return Teller(lambda event: memory.serving.told(CTX, event))


def chat_of(teller, file):
    return teller.chat(OWNER, file.path.stem, slip=file.metadata.get("integrity", ""))


def tell(teller, file):
    header = {"chat_metadata": file.metadata, "user_name": "unused", "character_name": "unused"}
    return teller.tell(chat_of(teller, file), header, file.rows)


def texts(memory, line):
    return [m.text for m in memory.messages.slice(line, 0, 1000)]


def ask(memory, story, reply):
    """Ask as another front end does, and return what it shows then."""
    request = memory.serving.read(shapes.lobe(FRONT, story))
    identity = memory.serving.identify(CTX, request)
    kept = memory.serving.keep_request(CTX, request, identity)
    memory.serving.keep_reply(CTX, kept, reply)
    return [*story, FRONT.reply(reply)]


def shown(memory, line):
    messages = memory.messages.slice(line, 0, 1000)
    return [FRONT.user(m.text) if m.role == "user" else FRONT.reply(m.text) for m in messages]


def fall_silent(memory, line):
    """Play two turns that no companion tells of."""
    story = [*shown(memory, line), FRONT.user("我们去钟楼看看吧，天快黑了。")]
    story = ask(memory, story, "她点了灯，走在前面。")
    return ask(memory, [*story, FRONT.user("门是锁着的吗？")], "她把铜钥匙插进锁孔。")


def test_what_a_companion_tells_is_not_kept_twice(memory, teller, file):
    line = tell(teller, file).line
    for n in range(3):
        said, reply = f"第{n}次，我推开了酒馆的木门。", f"她第{n}次抬起头来。"
        story = [*shown(memory, line), FRONT.user(said)]
        ask(memory, story, reply)  # the companion tells of both a moment later
        file.say(said, reply)
        assert tell(teller, file).state == "kept"
        assert texts(memory, line) == [row["mes"] for row in file.rows]
    assert len(memory.branches.all(line.chat_id)) == 1


def test_a_chat_goes_on_when_its_companion_is_gone(open_memory, tmp_path, file):
    memory = open_memory(tmp_path / "library")
    line = tell(Teller(lambda event: memory.serving.told(CTX, event)), file).line
    story = fall_silent(memory, line)
    assert texts(memory, line) == [said.text for said in story]
    memory.close()
    again = open_memory(tmp_path / "library")
    story = ask(again, [*story, FRONT.user("里面有什么？")], "只有风。")
    assert texts(again, line) == [said.text for said in story]


def test_a_companion_that_is_back_takes_nothing_away(memory, teller, file):
    report = tell(teller, file)
    line = report.line
    story = fall_silent(memory, line)
    offer = ToldOffer(chat_of(teller, file), report.revision)
    assert memory.serving.told(CTX, offer).state == "whole", "it asks what stands there now"

    file.say("我们还是回房间去吧。")
    assert tell(teller, file).state == "kept"
    assert texts(memory, line) == [row["mes"] for row in file.rows]
    branches = [b for b in memory.branches.all(line.chat_id) if b.parent_id]
    lines = [texts(memory, Line(line.chat_id, b.id)) for b in branches]
    assert [said.text for said in story] in lines

    # It tells again: requests add nothing.
    before = texts(memory, line)
    ask(memory, [*shown(memory, line), FRONT.user("晚安。")], "晚安。")
    assert texts(memory, line) == before


def test_a_companion_that_was_only_away_makes_no_branch(memory, teller, file):
    line = tell(teller, file).line
    story = fall_silent(memory, line)
    file.say(*(said.text for said in story[10:]))
    assert tell(teller, file).state == "kept"
    assert texts(memory, line) == [said.text for said in story]
    assert len(memory.branches.all(line.chat_id)) == 1
