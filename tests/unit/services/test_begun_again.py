"""The first message of a chat, which no reply followed, and what the player says in its place."""

from __future__ import annotations

import pytest

from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line, texts
from tests.front_ends.shapes import Front

FRONT = Front(
    "Traveller",
    "Alice",
    system="Write Alice's next reply in a fictional chat between Alice and Traveller.",
)
GREETING = FRONT.reply("The rain falls, and Alice greets you.")


def sent(way, story, system=FRONT.system):
    front = Front("Traveller", "Alice", system=system)
    if way == "text":
        return shapes.tavern_text(front, story)
    return shapes.tavern_chat(front, story, merged=way)


def fail(memory, body):
    request = memory.serving.read(body)
    kept = memory.serving.keep_request(CTX, request, memory.serving.identify(CTX, request))
    return memory.serving.keep_unanswered(CTX, kept)


@pytest.mark.parametrize("way", ["", "merge", "semi", "strict", "single", "text"])
@pytest.mark.parametrize("then", ["Good evening, is the old tavern open?", "I go to the river."])
@pytest.mark.parametrize("fails", [1, 2])
def test_what_is_said_in_the_place_of_a_first_message_begins_no_second_chat(
    memory, way, then, fails
):
    for number in range(fails):
        said = f"Good evening, is the tavern still open{'?' * (number + 1)}"
        assert fail(memory, sent(way, [GREETING, FRONT.user(said)])).line is not None
    story = [GREETING, FRONT.user(then)]
    for reply, said in (("She nods.", TURNS[1][0]), (TURNS[1][1], TURNS[2][0]), ("“No.”", "")):
        ask(memory, sent(way, story), reply)
        story += [FRONT.reply(reply), FRONT.user(said)]
    assert texts(memory, only_line(memory)) == [each.text for each in story[:-1]]


@pytest.mark.parametrize(
    ("greeting", "system"),
    [
        (FRONT.reply("The sun shines on the mill, and Alice waves."), FRONT.system),
        (
            GREETING,
            "A story of the harbour: seven ships, one captain, and a storm.",
        ),
    ],
    ids=["another greeting", "another story"],
)
def test_a_chat_that_begins_otherwise_is_another_chat(memory, greeting, system):
    fail(memory, sent("", [GREETING, FRONT.user("Good evening.")]))
    ask(memory, sent("", [greeting, FRONT.user("Good morning.")], system), "She nods.")
    assert len(memory.chats.all()) == 2


def test_a_chat_that_was_answered_is_not_begun_anew(memory):
    ask(memory, sent("", [GREETING, FRONT.user("Good evening.")]), "She nods.")
    ask(memory, sent("", [GREETING, FRONT.user("I go to the river.")]), "It is high today.")
    assert len(memory.chats.all()) == 2
