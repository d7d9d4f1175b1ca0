"""The chat of each front end is kept as one chat; what else it asks never becomes memory."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.front_ends import shapes
from tests.front_ends.shapes import Front
from tests.front_ends.tasks import TASKS

CTX = NullContext()
FRONT = Front("Traveller", "Alice", system="Alice keeps the Moonlight tavern. She is a translator.")
TURNS = [
    ("Good evening, is the tavern still open?", "Alice nods and puts a candle on the counter."),
    (
        "I heard a bell on the bridge.",
        "She stops drying the glass. “That was no bell.”",
    ),
    ("What was it then?", "“The lock of the old tower, when the river rises.”"),
    ("Then somebody went in there tonight.", "Alice takes the copper key from its nail."),
]
CHATS = {
    "open webui": shapes.open_webui,
    "risu": lambda front, story: shapes.risu(
        front, story, note="The river is high.", post="Answer in two parts."
    ),
    "lobe": shapes.lobe,
    "chatbox": shapes.chatbox,
    "chatbox, six messages": lambda front, story: shapes.chatbox(front, story, most=6),
}


def ask(memory, body, reply):
    """Send a request and its reply through."""
    request = memory.serving.read(body)
    identity = memory.serving.identify(CTX, request)
    kept = memory.serving.keep_request(CTX, request, identity)
    return identity, memory.serving.keep_reply(CTX, kept, reply)


def play(memory, shape, turns=TURNS):
    """Play a chat from its first message on."""
    story = []
    for said, reply in turns:
        story.append(FRONT.user(said))
        ask(memory, shape(FRONT, story), reply)
        story.append(FRONT.reply(reply))
    return story


def texts(memory, line):
    return [m.text for m in memory.messages.slice(line, 0, 1000)]


def only_line(memory):
    chats = memory.chats.all()
    assert len(chats) == 1, [chat.name for chat in chats]
    return Line.main(chats[0].chat_id)


@pytest.mark.parametrize("shape", CHATS.values(), ids=CHATS)
def test_a_chat_becomes_one_chat_of_the_library(memory, shape):
    story = play(memory, shape)
    line = only_line(memory)
    assert texts(memory, line) == [said.text for said in story]

    anew = shape(FRONT, story[:-1])
    identity, kept = ask(memory, anew, "Alice shakes her head.")
    assert (identity.line, identity.wanted, kept.what) == (line, "reroll", "swipe")
    branch = [*story[:5], FRONT.user("Let us stay here by the fire.")]
    assert ask(memory, shape(FRONT, branch), "She pours two cups.")[1].line.chat_id == line.chat_id
    only_line(memory)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "of no chat"])
def test_a_task_never_becomes_memory(memory, task, is_known):
    other = [FRONT.user("Who made this lantern here, do you know?"), FRONT.reply("A smith.")]
    story = play(memory, shapes.open_webui)
    line = only_line(memory)
    before = texts(memory, line)
    body = task(story if is_known else [*other * 3])
    for _n in range(2):
        identity, kept = ask(memory, body, "The Copper Key")
        assert identity.wanted == "quiet"
        assert (kept.line, kept.what) == (None, "")
    assert texts(memory, only_line(memory)) == before


def test_what_is_said_with_documents_is_kept_without_them(memory):
    story = play(memory, shapes.open_webui)
    said = FRONT.user("What does the map say of the tower?")
    body = shapes.open_webui(FRONT, [*story, said])
    body["messages"][-1]["content"] = (
        "### Task:\nRespond to the user query using the provided context.\n\n<context>\n"
        f'<source id="1">A map of the coast.</source>\n</context>\n\n{said.text}'
    )
    identity, kept = ask(memory, body, "It marks the tower with a cross.")
    assert (identity.wanted, kept.what) == ("reply", "message")
    line = only_line(memory)
    assert texts(memory, line)[-2:] == [said.text, "It marks the tower with a cross."]


def test_thoughts_are_no_part_of_a_reply(memory):
    story = play(memory, shapes.open_webui)
    body = shapes.open_webui(FRONT, [*story, FRONT.user("And now?")])
    ask(memory, body, "<think>They need the key.</think>Alice opens the door.")
    assert texts(memory, only_line(memory))[-1] == "Alice opens the door."
