"""Replies that a front end begins, goes on with, or trims: a floor says what its chat says."""

from __future__ import annotations

import pytest

from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line, texts
from tests.front_ends.shapes import Front

SYSTEM = "Write Alice's next reply in a fictional chat between Alice and Traveller."
FRONT = Front("Traveller", "Alice", system=SYSTEM)
GREETING = FRONT.reply("The rain falls, and Alice greets you.")
WAYS = ["", "merge", "semi", "strict", "single"]
OPENINGS = ["Sure, ", "*She smiles warmly and says,* ", "<note>\nlate\n</note>\n\n"]
NIGHT = [("And who has the other key?", "Nobody, she says."), ("Good night.", "She waves.")]


def said(story):
    return [each.text for each in story]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("named", "opening"), [("", OPENINGS[0]), ("content", OPENINGS[1]), ("content", OPENINGS[2])]
)
def test_a_reply_has_the_beginning_that_the_front_end_shows(memory, way, named, opening):
    """As by SillyTavern’s “Start Reply With”: the chat holds it, and no model says it."""
    story = [GREETING]
    for asked, reply in [*TURNS, *NIGHT]:
        story.append(FRONT.user(asked))
        body = shapes.tavern_chat(
            FRONT, story, named=named, merged=way, last=[("assistant", opening)]
        )
        for text in (reply, f"{reply} Or so she says."):  # once more, as a reroll
            ask(memory, body, text)
            assert texts(memory, only_line(memory)) == [*said(story), opening + text]
        story.append(FRONT.reply(opening + text))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("named", "greeted"), [("", True), ("content", False)])
@pytest.mark.parametrize("since", [0, 2])
def test_a_beginning_that_no_front_end_shows_is_gone_with_the_next_request(
    memory, way, named, greeted, since
):
    """So is a note behind the newest message that is said by the assistant."""
    story = [GREETING] if greeted else []
    opening = "*She smiles warmly and says,* "
    for n, (asked, reply) in enumerate([*TURNS, *NIGHT]):
        story.append(FRONT.user(asked))
        last = [("assistant", opening)] if n >= since else []
        ask(memory, shapes.tavern_chat(FRONT, story, named=named, merged=way, last=last), reply)
        before = said(story)
        story.append(FRONT.reply(reply))
        begun = opening if n == since else ""  # it may be either, once
        assert texts(memory, only_line(memory)) == [*before, begun + reply]


@pytest.mark.parametrize("template", ["chatml", "llama3", "names"])
@pytest.mark.parametrize("opening", OPENINGS[:2])
def test_the_beginning_at_the_end_of_a_text_prompt_is_part_of_the_reply(memory, template, opening):
    story = [GREETING]
    for asked, reply in [*TURNS, *NIGHT]:
        story.append(FRONT.user(asked))
        body = shapes.tavern_text(FRONT, story, template=template)
        ask(memory, body | {"prompt": f"{body['prompt']} {opening}"}, reply)
        story.append(FRONT.reply(opening + reply))
        assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("named", "goes_on"), [("", "nudge"), ("content", "prefill")])
@pytest.mark.parametrize("note", [[], [(1, "system", "[Keep the tone light.]")]], ids=["", "note"])
def test_what_goes_on_grows_the_newest_reply(memory, way, named, goes_on, note):
    story = [GREETING]
    for n, (asked, reply) in enumerate(TURNS):
        story.append(FRONT.user(asked))
        ask(memory, shapes.tavern_chat(FRONT, story, named=named, merged=way, lore=note), reply)
        story.append(FRONT.reply(reply))
        if n < 1:
            continue
        more = f" And more is to be said of it, {n}."
        body = shapes.tavern_chat(FRONT, story, named=named, merged=way, lore=note, goes_on=goes_on)
        assert ask(memory, body, more)[1].what == "continue"
        story[-1] = FRONT.reply(reply + more)
        assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("way", WAYS)
def test_a_reply_that_was_broken_off_goes_on_as_one_message(memory, way):
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        ask(memory, shapes.tavern_chat(FRONT, story, merged=way), reply)
        story.append(FRONT.reply(reply))
    story.append(FRONT.user("And then?"))
    request = memory.serving.read(shapes.tavern_chat(FRONT, story, merged=way))
    memory.serving.keep_request(CTX, request, memory.serving.identify(CTX, request))
    story.append(FRONT.reply("She looks at the"))  # no more was heard
    ask(memory, shapes.tavern_chat(FRONT, story, merged=way, goes_on="prefill"), " door.")
    story[-1] = FRONT.reply("She looks at the door.")
    assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("way", ["", "strict", "single"])
@pytest.mark.parametrize("named", ["", "content"])
def test_a_reply_has_the_blanks_that_its_front_end_shows(memory, way, named):
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        ask(
            memory,
            shapes.tavern_chat(FRONT, story, named=named, merged=way),
            f"\n{reply}  \nShe waits.\n",
        )
        story.append(FRONT.reply(f"{reply}\nShe waits."))
        assert texts(memory, only_line(memory))[:-1] == said(story)[:-1]
        body = shapes.tavern_chat(FRONT, story, named=named, merged=way, goes_on="nudge")
        ask(memory, body, "And waits.")
        story[-1] = FRONT.reply(f"{reply}\nShe waits. And waits.")  # a blank that no model said


def test_the_blank_that_a_reply_to_a_text_prompt_begins_with_is_none_of_it(memory):
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        ask(memory, shapes.tavern_text(FRONT, story), f" {reply}\n")
        story.append(FRONT.reply(reply))
        assert texts(memory, only_line(memory)) == said(story)
