"""A whole chat in one message of the player is read as its messages."""

import pytest

from engram_desktop.domain.serving.prompt_rows import unfolded
from engram_desktop.domain.serving.request import ListedMessage

MAIN = "Write Alice's next reply in a fictional chat between Alice and Traveller."
START = "[Start a new Chat]"


def rows(text):
    return [
        (said.role, said.name, said.text) for said in unfolded([ListedMessage(0, "user", text)])
    ]


def joined(*paragraphs):
    return "\n\n".join(paragraphs)


def test_each_name_begins_a_message():
    text = joined(MAIN, START, "Alice: Rain.", "Traveller: Is it open?\n\nI am cold.")
    assert rows(text) == [
        ("system", "", joined(MAIN, START)),
        ("assistant", "Alice", "Rain."),
        ("user", "Traveller", "Is it open?\n\nI am cold."),
    ]


def test_a_text_keeps_every_blank_of_its_own():
    text = joined(START, "爱丽丝:  雨。\n", "旅人: 开着吗？ ")
    assert rows(text)[1:] == [("assistant", "爱丽丝", " 雨。\n"), ("user", "旅人", "开着吗？ ")]


def test_what_stands_before_the_first_message_is_the_systems():
    text = joined(
        MAIN, "[Example Chat]", "Alice: An example.", START, "[A note.]", "Traveller: Hi."
    )
    assert [role for role, _name, _text in rows(text)] == ["system", "system", "user"]
    assert rows(text)[1][2] == "[A note.]"


def test_a_panel_behind_each_reply_is_no_speaker():
    turns = [
        ("Traveller: One.", "Alice: Two.", "Status: 100"),
        ("Traveller: Three.", "Alice: Four."),
    ]
    text = joined(START, *turns[0], *turns[1], "Status: 90", "Traveller: Five.")
    told = rows(text)[1:]
    assert [name for _role, name, _text in told] == ["Traveller", "Alice"] * 2 + ["Traveller"]
    assert told[1][2] == "Two.\n\nStatus: 100"


def test_whoever_answers_the_player_again_and_again_speaks():
    turns = ["Alice: One.", "Bob: Two.", "Traveller: Three.", "Bob: Four.", "Traveller: Five."]
    told = rows(joined(START, *turns))[1:]
    assert [name for _role, name, _text in told] == [turn.partition(":")[0] for turn in turns]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Good evening.",
        joined("Please go on with this scene:", "Alice: One.", "Bob: Two.", "Alice: Three."),
        joined(MAIN, "Nobody has said anything yet."),
        START,
    ],
)
def test_any_other_message_stays_one(text):
    assert rows(text) == []


def test_a_chat_of_several_messages_stays_as_it_is():
    said = [
        ListedMessage(0, "system", MAIN),
        ListedMessage(1, "user", joined(START, "Alice: One.", "Traveller: Two.")),
    ]
    assert unfolded(said) == ()
