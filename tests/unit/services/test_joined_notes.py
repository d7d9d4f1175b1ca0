"""Notes at several depths, which a front end joins to the player's messages, are not said."""

from __future__ import annotations

import cProfile

import pytest

from engram_desktop.domain.memory.line import Line
from tests.factories import import_chat
from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line
from tests.front_ends.shapes import Front

SYSTEM = "Write Alice's next reply in a fictional chat between Alice and Traveller."
FRONT = Front("Traveller", "Alice", system=SYSTEM)
AUTHOR, CARD = "[Keep the tone light.]", "Alice never speaks of her brother."
MILL, BELL = "The mill stands at the river; nobody lives there.", "The bell rings at floods."
NOTES = {
    "of author and card": [(4, "system", f"{AUTHOR}\n{CARD}")],
    "at two depths": [(2, "system", MILL), (5, "system", AUTHOR)],
    "at three depths": [(1, "system", MILL), (3, "system", BELL), (6, "system", AUTHOR)],
    "of the newest message and before": [(0, "system", MILL), (5, "system", AUTHOR)],
}
LATER = [
    ("And who has the other key?", "Nobody knows, she says."),
    ("Good night then.", "She waves."),
    ("Good morning.", "“Tea is ready.”"),
    ("What of the lamp?", "It burns."),
]


def shown_texts(memory):
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    return [m.text for m in kept if not m.is_hidden]


@pytest.mark.parametrize("way", ["semi", "strict"])
@pytest.mark.parametrize("named", ["", "content"])
@pytest.mark.parametrize("notes", NOTES.values(), ids=NOTES)
def test_notes_from_the_first_message_on_are_none_of_them(memory, way, named, notes):
    story = [FRONT.reply("The rain falls, and Alice greets you.")]
    for asked, reply in [*TURNS, *LATER]:
        story.append(FRONT.user(asked))
        ask(memory, shapes.tavern_chat(FRONT, story, named=named, lore=notes, merged=way), reply)
        story.append(FRONT.reply(reply))
        if len(story) == 3:
            continue  # nothing says yet which of it is a note
        # what is joined to the newest message is seen to be no part of it by the next request
        assert shown_texts(memory)[1:-2] == [said.text for said in story[1:-2]]
    assert shown_texts(memory)[0] == story[0].text


@pytest.mark.parametrize("way", ["semi", "strict"])
@pytest.mark.parametrize("named", ["", "content"])
def test_lore_that_comes_and_goes_makes_no_second_chat(memory, way, named):
    """Its key words are said in one message and not in the next; replies are short."""
    story = [FRONT.reply("The rain falls, and Alice greets you.")]
    for n, (asked, reply) in enumerate([*TURNS, *LATER]):
        other = (0, "system", AUTHOR) if n % 2 == 0 else (4, "system", BELL)
        notes = sorted([(1, "system", MILL), other])
        story.append(FRONT.user(asked))
        ask(memory, shapes.tavern_chat(FRONT, story, named=named, lore=notes, merged=way), reply)
        story.append(FRONT.reply(reply))
    assert shown_texts(memory)[:-4] == [said.text for said in story[:-4]]


def calls_to_identify(memory, folder, count):
    """Function calls that it takes to find a chat of as many lines, sent as one message."""
    lines = [f"The lantern {n} of {count} is lit at the bridge." for n in range(count)]
    chat_id = import_chat(memory, folder / f"{count}.jsonl", [("Traveller", t) for t in lines])
    lore = [(4, "user", MILL), (2, "assistant", BELL)]
    sent = [*map(FRONT.user, lines), FRONT.user("And then?")]
    body = shapes.tavern_chat(FRONT, sent, named="content", lore=lore, merged="merge")
    request = memory.serving.read(body)
    profile = cProfile.Profile()
    identity = profile.runcall(memory.serving.identify, CTX, request)
    assert identity.line == Line.main(chat_id)
    return sum(entry.callcount for entry in profile.getstats())


def test_lines_that_are_sent_as_one_message_are_found_in_linear_time(memory, tmp_path):
    few, many = (calls_to_identify(memory, tmp_path, count) for count in (30, 120))
    assert many < 3 * few
