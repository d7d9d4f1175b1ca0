"""Chats of short lines: said again and again, edited, taken back, and still one chat each."""

from __future__ import annotations

import pytest

from tests.front_ends import shapes
from tests.front_ends.kept import CTX, ask, only_line, texts
from tests.front_ends.shapes import Front

FRONT = Front("Traveller", "Alice", system="You are Alice, who keeps the tavern by the river.")
GREETING = FRONT.reply("The rain falls, and Alice greets you at the door.")
LONG = "She puts the lamp on the counter and looks at the wet coat by the door for a while."
LORE = "The mill stands at the river, and nobody grinds there."


def said(story):
    return [each.text for each in story]


def play(memory, story, asked, reply, **options):
    story.append(FRONT.user(asked))
    ask(memory, shapes.tavern_chat(FRONT, story, **options), reply)
    story.append(FRONT.reply(reply))


def shown(memory):
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    return [message.text for message in kept if not message.is_hidden]


@pytest.mark.parametrize("greeted", [True, False], ids=["greeted", "not greeted"])
def test_a_first_reply_that_is_edited_is_of_its_chat(memory, greeted):
    story = [GREETING] if greeted else []
    play(memory, story, "Hm?", LONG)
    story[-1] = FRONT.reply(LONG.replace("lamp", "candle"))
    play(memory, story, "Yes.", "“Then come in.”")
    assert shown(memory) == said(story)


def test_a_chat_that_begins_with_other_words_is_another_however_alike_the_replies(memory):
    """As where each reply ends with the same panel."""
    play(memory, [GREETING], "Hm?", LONG)
    other = [GREETING]
    for asked, reply in [("Who is there?", LONG.replace("lamp", "candle")), ("Yes.", "*nods*")]:
        play(memory, other, asked, reply)
    assert len(memory.chats.all()) == 2


def test_who_goes_far_back_in_a_short_chat_stays_in_it(memory):
    story = [GREETING]
    for asked, reply in [("Hm?", "*nods*"), ("Go on.", "No."), ("OK", "Yes."), ("…", "Hm.")]:
        play(memory, story, asked, reply)
    del story[-3:]
    play(memory, story, "And the boat?", "It lies in the reeds.")
    assert len(memory.chats.all()) == 1
    chat_id = memory.chats.all()[0].chat_id
    lines = [branch.id for branch in memory.branches.all(chat_id)]
    assert len(lines) <= 2


@pytest.mark.parametrize("word", ["No.", "好"])
def test_the_player_says_what_a_reply_said(memory, word):
    story = [GREETING]
    play(memory, story, "Is the mill empty at night, or does somebody live there?", LONG)
    play(memory, story, "And the boat?", word)
    story[-1:] = []  # the reply is taken back, and the player says its word
    play(memory, story, word, "“Then sleep well.”")
    assert shown(memory) == said(story)


def test_a_reply_that_was_broken_off_goes_on_by_an_order(memory):
    story = [GREETING]
    play(memory, story, "Is the mill empty at night, or does somebody live there?", LONG)
    story.append(FRONT.user("And the boat?"))
    request = memory.serving.read(shapes.tavern_chat(FRONT, story))
    memory.serving.keep_request(CTX, request, memory.serving.identify(CTX, request))
    story.append(FRONT.reply("It lies"))  # no more was heard
    ask(memory, shapes.tavern_chat(FRONT, story, goes_on="nudge"), " in the reeds.")
    story[-1] = FRONT.reply("It lies in the reeds.")
    assert texts(memory, only_line(memory)) == said(story)


def test_lore_behind_what_is_said_again_is_no_message(memory):
    """Behind the first “OK” it stood nearer to the end than behind the second now."""
    story: list[shapes.Says] = []
    for n, (asked, reply) in enumerate([("OK", "Hm?"), ("Yes.", "OK"), ("OK", "No."), ("…", LONG)]):
        lore = [(2 if n < 2 else 5, "system", LORE)]
        play(memory, story, asked, reply, lore=lore)
    play(memory, story, "And then?", "Nothing more.")
    assert shown(memory) == said(story)


def test_what_the_player_said_before_the_first_reply_is_never_hidden_on_a_guess(memory):
    """A front end that sends only its newest messages begins with a reply as well."""
    story = [FRONT.user("I am lost, and it is raining.")]
    ask(memory, shapes.tavern_chat(FRONT, story), LONG)
    story.append(FRONT.reply(LONG))
    play(memory, story, "And the boat?", "It lies in the reeds, she says.")
    short = [*story[1:], FRONT.user("Then show me the way to it.")]
    ask(memory, shapes.tavern_chat(FRONT, short), "She takes the lamp.")
    assert shown(memory) == [*said(story), short[-1].text, "She takes the lamp."]


def test_a_note_before_a_greeting_is_seen_to_be_one_where_it_stands_elsewhere_later(memory):
    note = [(4, "user", LORE)]
    story = [GREETING]
    for asked, reply in [
        ("Is the mill empty?", LONG),
        ("And the boat?", "In the reeds."),
        ("…", ""),
    ]:
        play(memory, story, asked, reply or LONG, lore=note)
    assert shown(memory) == said(story)


def test_a_message_that_begins_as_another_keeps_its_words(memory):
    """“OK” begins “OK then”: the paragraph behind it is no note because a later one has it."""
    story = [GREETING]
    play(memory, story, "OK\n\nIs the door open tonight?", LONG)
    play(memory, story, "OK then.", "*nods*")
    play(memory, story, "Hm.\n\nIs the door open tonight?", "“It is.”")
    assert shown(memory) == said(story)


@pytest.mark.parametrize("way", ["", "semi", "strict"])
def test_a_line_written_for_a_player_whose_name_is_not_known_is_no_message(memory, way):
    order = "[Write your next reply from the point of view of {}, using the chat history so far.]"
    story = [GREETING]
    play(memory, story, "Is the mill empty at night?", LONG, merged=way)
    last = [("system", order.format("Traveller"))]
    ask(memory, shapes.tavern_chat(FRONT, story, merged=way, last=last), "I look around.")
    assert shown(memory) == said(story)


def test_a_note_in_brackets_names_nobody_of_a_chat_that_is_one_message(memory):
    note = [(4, "system", "[Author's note: keep it dark and slow.]")]
    story = [GREETING]
    for asked in ("Is the mill empty at night?", "And the boat?", "Then let us go."):
        play(memory, story, asked, f"{LONG} {asked}", merged="single", lore=note)
        assert not shown(memory)[0].startswith("keep it dark")
    assert [text for text in shown(memory) if "Author" in text] == []
    assert shown(memory)[1:] == said(story)[1:]
