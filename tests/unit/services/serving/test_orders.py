"""What stands behind the newest message: an order, a note that is always there, or a nudge."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_chat, make_message, story_rows
from tests.front_ends import shapes
from tests.front_ends.shapes import Front, Says

CTX = NullContext()
FRONT = Front("旅人", "爱丽丝")
ROWS = story_rows(9)
NOTE = "Write two paragraphs at most. Stay in the past tense."
GO_ON = "[Continue your last message without repeating its original content.]"
AS_PLAYER = "[Write your next reply from the point of view of 旅人, in the style of 旅人.]"


@pytest.fixture
def line(memory):
    store = make_chat(memory.session.library, "酒馆")
    store.messages.append("main", 0, [make_message(text, who) for who, text in ROWS])
    return Line.main(store.chat_id)


def story(*more):
    rows = [*ROWS, *more]
    return [Says("user" if name == "旅人" else "assistant", name, text) for name, text in rows]


def asked(memory, said, *orders):
    """What a request is taken for; what it shows is kept."""
    body = shapes.tavern_chat(FRONT, said, last=[("system", text) for text in orders])
    request = memory.serving.read(body)
    identity = memory.serving.identify(CTX, request)
    return identity, memory.serving.keep_request(CTX, request, identity)


@pytest.mark.parametrize(
    "order",
    [
        "Summarise the story so far in one sentence.",
        "How does Alice feel now? One word.",
        "给爱丽丝现在的衣着列一张清单。",
        "Answer with yes or no: is the tavern still open?",
    ],
)
def test_what_is_ordered_behind_a_reply_is_no_story(memory, line, order):
    assert ROWS[-1][0] != "旅人"
    for _n in range(2):  # the same order again is an order again
        identity, kept = asked(memory, story(), order)
        assert (identity.line, identity.wanted) == (line, "quiet")
        assert memory.serving.keep_reply(CTX, kept, "They met in a tavern.").line is None
    assert memory.messages.count(line) == len(ROWS)


@pytest.mark.parametrize(
    ("orders", "wanted"),
    [
        ([GO_ON], "continue"),
        ([GO_ON, NOTE], "continue"),
        ([AS_PLAYER], "impersonate"),
        (["[Write the next reply only as 爱丽丝.]"], "reply"),
        (["只以爱丽丝的身份回复"], "reply"),
    ],
)
def test_what_plays_on_behind_a_reply_stays_what_it_is(memory, line, orders, wanted):
    identity, _kept = asked(memory, story(), *orders)
    assert (identity.line, identity.wanted) == (line, wanted)


def test_a_note_that_is_always_last_orders_nothing(memory, line):
    said = story(("旅人", "那我们现在去哪里？"))
    assert asked(memory, said, NOTE)[0].wanted == "reply"
    # The player sends nothing: the reply that is asked for follows a reply.
    after = [*said, FRONT.reply("去钟楼，那里还亮着灯。")]
    identity, kept = asked(memory, after, NOTE)
    assert (identity.wanted, kept.reply_as) == ("reply", "message")
    assert asked(memory, after, f"{NOTE}\nName the three newest places.")[0].wanted == "quiet"


def test_who_is_new_in_a_group_speaks_under_their_own_name(memory, line):
    said = story(("旅人", "谁来划船？"))
    nudge = "[Write the next reply only as {}.]"
    asked(memory, said, nudge.format("爱丽丝"))
    after = [*said, FRONT.reply("不是我。")]
    identity, kept = asked(memory, after, nudge.format("Tobin"))
    assert (identity.wanted, identity.speaker) == ("reply", "Tobin")
    memory.serving.keep_reply(CTX, kept, "For a coin.")
    newest = memory.messages.slice(line, memory.messages.count(line) - 1, 10_000)
    assert [(m.name, m.text) for m in newest] == [("Tobin", "For a coin.")]


def test_an_order_at_the_end_of_a_text_prompt_is_no_story(memory, line):
    body = shapes.tavern_text(FRONT, story(), template="names", ends="")
    body["prompt"] += "Summarise the story so far in one sentence."
    identity = memory.serving.identify(CTX, memory.serving.read(body))
    assert (identity.line, identity.wanted) == (line, "quiet")


def test_an_answer_of_a_tool_is_no_order(memory, line):
    body = shapes.lobe(FRONT, story(("旅人", "钟楼今天几点关门？")))
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    body["messages"] += [
        {"role": "assistant", "content": "我看看。", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Summary: JSON list of opening hours"},
    ]
    assert memory.serving.identify(CTX, memory.serving.read(body)).wanted != "quiet"


@pytest.mark.parametrize(
    "order", ["a\n" * 100_000, "字" * 300_000, "\ud83d" * 1_000, "[Write\n" * 9]
)
def test_an_order_of_any_length_is_read(memory, line, order):
    for _n in range(2):
        assert asked(memory, story(), order)[0].line == line
    assert memory.messages.count(line) == len(ROWS)
