"""Front ends that merge messages, with notes in any role: kept is what was said, by whom."""

from __future__ import annotations

import random

import pytest

from tests.front_ends.kept import CTX
from tests.front_ends.processing import IMPERSONATE, MODES, ProcessingFront, some_notes
from tests.front_ends.simulated import Message

MERGING = ["merge", "semi", "strict"]
SUMMARIZE = "[Pause your roleplay. Summarize the story so far.]"
TONE, MILL = "[Keep the tone light.]", "The mill stands at the river; nobody lives there."


def front_of(memory, mode, *notes, seed=0, **options):
    front = ProcessingFront(memory, random.Random(seed), mode=mode, notes=notes, **options)
    return front, front.new_chat()


def say(front, chat, text, *, is_failing=False):
    chat.messages.append(Message("user", [text]))
    if is_failing:
        front.keep_request(chat, is_failing=True)
    else:
        front.ask(chat)


@pytest.mark.parametrize("mode", MERGING)
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize(
    "notes",
    [
        [(1, "assistant", TONE)],
        [(2, "assistant", TONE)],
        [(4, "assistant", TONE), (2, "assistant", MILL)],
        [(0, "assistant", TONE), (2, "system", MILL)],
    ],
)
def test_notes_that_are_joined_to_replies_are_none_of_them(memory, mode, is_named, notes):
    front, chat = front_of(memory, mode, *notes, is_named=is_named)
    for _n in range(4):
        front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("seed", range(4))
def test_two_notes_in_one_message_are_both_none(memory, seed):
    front, chat = front_of(memory, "semi", (0, "user", TONE), (1, "user", MILL), seed=seed)
    for _n in range(3):
        front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("mode", ["", *MERGING])
def test_a_note_between_two_messages_of_the_player_is_no_message(memory, mode):
    """It was joined to a reply before."""
    front, chat = front_of(memory, mode, (1, "assistant", TONE))
    front.say(chat)
    say(front, chat, "Good evening, is the tavern still open?", is_failing=True)
    say(front, chat, "I heard a bell on the bridge.")
    front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("mode", MERGING)
def test_what_was_said_without_a_reply_is_no_note(memory, mode):
    """Two short messages of the player are sent as one, with a name before each."""
    front, chat = front_of(memory, mode, (1, "assistant", TONE), is_named=True)
    front.say(chat)
    say(front, chat, "嗯。", is_failing=True)
    for text in ("Go on.", "嗯。", "And then there was the bell, was there not?", "Yes."):
        say(front, chat, text)
    assert front.faults() == []


@pytest.mark.parametrize("mode", MERGING)
def test_a_message_that_is_edited_where_it_is_joined_to_others_is_no_note(memory, mode):
    front, chat = front_of(memory, mode, (4, "system", TONE))
    front.say(chat)
    front.say(chat)
    del chat.messages[-2]
    say(front, chat, "I heard a bell on the bridge, at the mill.")
    del chat.messages[-3]  # three of the player stand behind one another
    chat.messages[-2].text += " And another one."
    for _n in range(3):
        front.say(chat)
    assert front.faults() == []


def test_what_is_said_again_further_back_is_no_note(memory):
    front, chat = front_of(memory, "merge", (1, "assistant", TONE), (0, "assistant", MILL))
    for _n in range(2):
        front.say(chat)
    say(front, chat, "Yes.")
    del chat.messages[-2:]
    say(front, chat, "No.")
    say(front, chat, "Yes.")
    front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("mode", ["", *MERGING, "single"])
@pytest.mark.parametrize("order", [IMPERSONATE, SUMMARIZE])
def test_an_order_behind_a_note_of_the_assistant_writes_nothing(memory, mode, order):
    front, chat = front_of(memory, mode, (0, "assistant", TONE))
    for _n in range(2):
        front.say(chat)
        kept = front.keep_request(chat, last=[("system", order)])
        memory.serving.keep_reply(CTX, kept, "I walk along the river, and hum.")
    front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("to", ["merge", "strict", "single"])
def test_notes_stay_none_when_the_processing_changes(memory, role, depth, to):
    front, chat = front_of(memory, "", (depth, role, TONE), is_named=True)
    for mode in ("", to, "", "semi", to):
        front.mode = mode
        for _n in range(2):
            front.say(chat)
    assert front.faults() == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", [*MODES, "changing"])
def test_line_says_what_is_said_beside_notes(memory, mode, seed):
    dice = random.Random(f"{seed} {mode} kept")
    is_switching = mode == "changing"
    front = ProcessingFront(
        memory,
        dice,
        is_named=dice.random() < 0.5,
        mode="" if is_switching else mode,
        notes=some_notes(dice),
        is_switching=is_switching,
        is_prefilling=dice.random() < 0.5,
    )
    front.play(15)
    assert front.faults() == [], "\n".join(front.log)


@pytest.mark.parametrize("mode", ["", "merge"])
def test_who_quotes_a_note_says_it(memory, mode):
    front, chat = front_of(memory, mode, (2, "assistant" if mode else "user", TONE))
    for _n in range(3):
        front.say(chat)
    said = f"What does this mean, on the wall?\n\n{TONE}"
    say(front, chat, said)
    for _n in range(2):
        front.say(chat)
    assert said in [text for _role, text in front.kept_of(chat)]


def test_a_message_edited_before_others_it_is_joined_to_is_not_gone(memory):
    """A note stood where it was: it was taken for the note, and deleted."""
    front, chat = front_of(memory, "semi", (0, "system", TONE))
    front.say(chat)
    say(front, chat, "I knock at the door of the old mill, and wait a while.")
    del chat.messages[-1]
    say(front, chat, "Then I walk along the river until it is dark.")
    del chat.messages[-1]
    say(front, chat, "A lantern moves behind the window, and is gone.")
    chat.messages[-4].text = chat.messages[-4].text.replace("old", "new")
    for _n in range(2):
        front.say(chat)
    assert front.faults() == []


def test_a_message_edited_between_others_it_is_joined_to_is_kept_as_edited(memory):
    front, chat = front_of(memory, "merge", (1, "assistant", TONE), is_named=True)
    front.say(chat)
    for text in ("I knock at the door of the mill.", "I walk along the river, and hum."):
        say(front, chat, text)
        del chat.messages[-1]
    say(front, chat, "A lantern moves behind the window, and is gone.")
    chat.messages[-3].text = "I walk along the river, and sing."
    for _n in range(2):
        front.say(chat)
    assert front.faults() == []
    assert "I walk along the river, and sing." in [text for _role, text in front.kept_of(chat)]


def test_a_message_deleted_between_two_that_are_joined_is_gone_though_one_is_short(memory):
    front, chat = front_of(memory, "strict", (2, "user", TONE), is_named=True)
    front.say(chat)
    for text in ("I knock at the door of the mill.", "I walk along the river, and hum."):
        say(front, chat, text)
        del chat.messages[-1]
    say(front, chat, "嗯。")
    del chat.messages[-3]
    for _n in range(3):
        front.say(chat)
    assert front.faults() == []
