"""Requests of front ends: which chat, for whom, and what is kept."""

from __future__ import annotations

import random

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.memory.line import Line
from tests.factories import make_chat, make_event, make_extraction, make_message, story_rows
from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line, texts
from tests.front_ends.shapes import Front, Says
from tests.front_ends.simulated import PROCESSED, SimulatedFront
from tests.front_ends.tasks import TASKS
from tests.stored import texts_of

# The chat of each front end is kept as one chat; what else it asks never becomes memory.

FRONT = Front("Traveller", "Alice", system="Alice keeps the Moonlight tavern. She is a translator.")
CHATS = {
    "open webui": shapes.open_webui,
    "risu": lambda front, story: shapes.risu(
        front, story, note="The river is high.", post="Answer in two parts."
    ),
    "lobe": shapes.lobe,
    "chatbox": shapes.chatbox,
    "chatbox, six messages": lambda front, story: shapes.chatbox(front, story, most=6),
}


def play(memory, shape, turns=TURNS):
    """Play a chat from its first message on."""
    story = []
    for said, reply in turns:
        story.append(FRONT.user(said))
        ask(memory, shape(FRONT, story), reply)
        story.append(FRONT.reply(reply))
    return story


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


@pytest.mark.parametrize(
    "task",
    [
        "Classify the emotion of the last message. Answer with one word.",
        "Write a title of at most 5 words for this chat. Output only the title.",
        "Summarise the conversation so far in three sentences.",
        "你是标题助手，请为以下会话起一个十字以内的标题",
    ],
)
@pytest.mark.parametrize("share", [1.0, 0.5], ids=["all of the story", "its beginning"])
def test_a_task_before_the_story_is_neither_a_reply_nor_more_of_one(memory, task, share):
    story = play(memory, shapes.open_webui)
    before = texts(memory, only_line(memory))
    shown = story[: round(len(story) * share) // 2 * 2]
    assert shown[-1].role == "assistant"
    sent = [("system", task), *((said.role, said.text) for said in shown)]
    body = {"model": "m", "messages": [{"role": role, "content": text} for role, text in sent]}
    for _n in range(2):
        identity, kept = ask(memory, body, "joy")
        assert (identity.wanted, kept.line) == ("quiet", None)
    assert texts(memory, only_line(memory)) == before


@pytest.mark.parametrize(
    "system",
    [
        "Write Teodor's next reply in a fictional chat between Teodor and Alex.",
        "You tell a story of several people who live in a harbour town in the north.",
    ],
)
def test_the_first_reply_of_a_group_is_of_whom_its_nudge_names(memory, system):
    sent = [
        ("system", system),
        ("system", "[Start a new Chat]"),
        ("assistant", "Ilse: *Ilse waits by the salt stairs in the grey drizzle.*"),
        ("user", "Good evening to both of you, is the ferry gone?"),
        ("system", "[Write the next reply only as Teodor.]"),
    ]
    body = {"model": "m", "messages": [{"role": role, "content": text} for role, text in sent]}
    ask(memory, body, "The ferry left at dusk, with all lanterns lit.")
    rows = memory.messages.slice(only_line(memory), 0, 9)
    assert [(m.name, m.text) for m in rows if m.role == "assistant"] == [
        ("Ilse", "*Ilse waits by the salt stairs in the grey drizzle.*"),
        ("Teodor", "The ferry left at dusk, with all lanterns lit."),
    ]


@pytest.mark.parametrize("shape", [shapes.tavern_chat, shapes.lobe])
@pytest.mark.parametrize(
    ("cut", "says"),
    [
        (5, "I open the ledger and read the last page aloud."),
        (7, "I close my eyes. I hide the ledger under my coat and run."),
    ],
    ids=["what was said later", "nearly what was said later"],
)
def test_who_goes_back_and_says_it_again_goes_another_way(memory, shape, cut, says):
    turns = [
        ("I walk into the archive and light the lamp.", "Vesna nods, and the shadows draw back."),
        ("I ask who kept the ledger before the fire.", "'Old Marek,' she says, 'until winter.'"),
        ("I look behind the third shelf.", "Dust falls. There is a loose brick in the wall."),
        ("I pull the brick out and look inside.", "Inside lies a ledger wrapped in oilcloth."),
        ("I open the ledger and read the last page aloud.", "It names a harbour and a sum."),
        ("I hide the ledger under my coat and go to the window.", "Two men cross the yard."),
    ]
    story = [FRONT.reply("The archive smells of rain and old paper tonight.")]
    for said, answered in turns:
        story.append(FRONT.user(said))
        ask(memory, shape(FRONT, story), answered)
        story.append(FRONT.reply(answered))
    line = only_line(memory)
    _identity, kept = ask(memory, shape(FRONT, [*story[:cut], FRONT.user(says)]), "A new answer.")
    assert texts(memory, line) == [said.text for said in story]
    told = [*(said.text for said in story[:cut]), says, "A new answer."]
    assert (kept.what, texts(memory, kept.line)) == ("message", told)


@pytest.mark.parametrize(
    "task",
    [
        "使用四到五个字直接返回这句话的简要主题，不要解释、不要标点、不要语气词、不要多余文本",
        "Please generate a four to five word title summarizing our conversation.",
        "Summarize our conversation in a title of at most five words.",
    ],
)
def test_a_title_asked_for_where_the_player_speaks_is_no_message(memory, task):
    story = play(memory, shapes.lobe)
    before = texts(memory, only_line(memory))
    identity, kept = ask(memory, shapes.lobe(FRONT, [*story, FRONT.user(task)]), "The Copper Key")
    assert (identity.wanted, kept.line) == ("quiet", None)
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


# The face of serving: read, identify, keep; the rest is in the files beside this one.


def test_next_message_and_its_reply_are_kept(memory):
    store = make_chat(memory.session.library, "酒馆")
    rows = story_rows(9)
    store.messages.append("main", 0, [make_message(text, name) for name, text in rows])
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text} for name, text in rows
    ]
    body = {"messages": [{"role": "system", "content": "演爱丽丝。"}, *said[3:]]}
    body["messages"].append({"role": "user", "content": "钥匙呢？"})

    request = memory.serving.read(body)
    identity = memory.serving.identify(CTX, request)
    assert identity.line == Line.main(store.chat_id)
    assert (identity.until, identity.speaker) == (8, "爱丽丝")
    assert min(floor for _index, floor in identity.floors) == 3
    kept = memory.serving.keep_request(CTX, request, identity)
    memory.serving.keep_reply(CTX, kept, "在你手里。")

    newest = memory.messages.slice(Line.main(store.chat_id), 9, 20)
    assert [(m.role, m.text) for m in newest] == [
        ("user", "钥匙呢？"),
        ("assistant", "在你手里。"),
    ]


# Where nothing says who is about to speak, memory is told as the one who knows least.

BURIED = "白兔把银铃埋在老磨坊的井底。"
ROWS = [
    ("旅人", "渡口的灯今晚为什么没有亮起来？"),
    ("爱丽丝", "守灯的人去山那边送信，还没有回来。"),
    ("旅人", "老磨坊的井边好像有脚印，是谁的？"),
    ("白兔", "我什么也没有看见，只看见雪落下来。"),
    ("旅人", "那我们去旧桥那边再找一找铜钥匙吧。"),
    ("爱丽丝", "带上斗篷，桥上的风比城里大得多。"),
    ("旅人", "银铃到底埋在什么地方，你们谁知道？"),
    ("白兔", "先答应我，不要告诉任何一个人。"),
    ("旅人", "我答应你，今晚的事我谁也不会说。"),
    ("爱丽丝", "你们两个在那边悄悄说什么呢？"),
]


@pytest.fixture
def line(memory):
    store = make_chat(memory.session.library, "磨坊")
    store.messages.append("main", 0, [make_message(text, name) for name, text in ROWS])
    made_of = make_extraction(BURIED)
    secret = make_event(BURIED, 2, 3, raw_data=made_of, scope="private", owner="白兔")
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([secret], store.clock())
    return Line.main(store.chat_id)


def asked(memory, count, speaker=""):
    """Ask for a reply to the first ``count`` messages."""
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text}
        for name, text in ROWS[:count]
    ]
    request = memory.serving.read({"messages": said}, header_speaker=speaker)
    identity = memory.serving.identify(CTX, request)
    return identity, memory.serving.fill(CTX, request, identity).text


def test_from_the_middle_of_a_line_nothing_is_told_that_one_of_them_does_not_know(memory, line):
    """爱丽丝 spoke last there, 白兔 spoke next in the line as it was."""
    identity, text = asked(memory, 7)
    assert (identity.line, identity.may_speak) == (line, ("白兔", "爱丽丝"))
    assert identity.knows_as not in ("", "白兔")
    assert "井底" not in text


def test_who_is_named_is_told_what_they_know(memory, line):
    identity, text = asked(memory, 7, "白兔")
    assert (identity.may_speak, identity.listener) == ((), "白兔")
    assert "井底" in text


# What stands behind the newest message: an order, a note that is always there, or a nudge.

ORDER_FRONT = Front("旅人", "爱丽丝")
ORDER_ROWS = story_rows(9)
NOTE = "Write two paragraphs at most. Stay in the past tense."
GO_ON = "[Continue your last message without repeating its original content.]"
AS_PLAYER = "[Write your next reply from the point of view of 旅人, in the style of 旅人.]"


@pytest.fixture
def order_line(memory):
    store = make_chat(memory.session.library, "酒馆")
    store.messages.append("main", 0, [make_message(text, who) for who, text in ORDER_ROWS])
    return Line.main(store.chat_id)


def story(*more):
    rows = [*ORDER_ROWS, *more]
    return [Says("user" if name == "旅人" else "assistant", name, text) for name, text in rows]


def order_asked(memory, said, *orders):
    """What a request is taken for; what it shows is kept."""
    body = shapes.tavern_chat(ORDER_FRONT, said, last=[("system", text) for text in orders])
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
def test_what_is_ordered_behind_a_reply_is_no_story(memory, order_line, order):
    assert ORDER_ROWS[-1][0] != "旅人"
    for _n in range(2):  # the same order again is an order again
        identity, kept = order_asked(memory, story(), order)
        assert (identity.line, identity.wanted) == (order_line, "quiet")
        assert memory.serving.keep_reply(CTX, kept, "They met in a tavern.").line is None
    assert memory.messages.count(order_line) == len(ORDER_ROWS)


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
def test_what_plays_on_behind_a_reply_stays_what_it_is(memory, order_line, orders, wanted):
    identity, _kept = order_asked(memory, story(), *orders)
    assert (identity.line, identity.wanted) == (order_line, wanted)


def test_a_note_that_is_always_last_orders_nothing(memory, order_line):
    said = story(("旅人", "那我们现在去哪里？"))
    assert order_asked(memory, said, NOTE)[0].wanted == "reply"
    # The player sends nothing: the reply that is asked for follows a reply.
    after = [*said, ORDER_FRONT.reply("去钟楼，那里还亮着灯。")]
    identity, kept = order_asked(memory, after, NOTE)
    assert (identity.wanted, kept.reply_as) == ("reply", "message")
    assert order_asked(memory, after, f"{NOTE}\nName the three newest places.")[0].wanted == "quiet"


def test_who_is_new_in_a_group_speaks_under_their_own_name(memory, order_line):
    said = story(("旅人", "谁来划船？"))
    nudge = "[Write the next reply only as {}.]"
    order_asked(memory, said, nudge.format("爱丽丝"))
    after = [*said, ORDER_FRONT.reply("不是我。")]
    identity, kept = order_asked(memory, after, nudge.format("Tobin"))
    assert (identity.wanted, identity.speaker) == ("reply", "Tobin")
    memory.serving.keep_reply(CTX, kept, "For a coin.")
    newest = memory.messages.slice(order_line, memory.messages.count(order_line) - 1, 10_000)
    assert [(m.name, m.text) for m in newest] == [("Tobin", "For a coin.")]


def test_an_order_at_the_end_of_a_text_prompt_is_no_story(memory, order_line):
    body = shapes.tavern_text(ORDER_FRONT, story(), template="names", ends="")
    body["prompt"] += "Summarise the story so far in one sentence."
    identity = memory.serving.identify(CTX, memory.serving.read(body))
    assert (identity.line, identity.wanted) == (order_line, "quiet")


def test_an_answer_of_a_tool_is_no_order(memory, order_line):
    body = shapes.lobe(ORDER_FRONT, story(("旅人", "钟楼今天几点关门？")))
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    body["messages"] += [
        {"role": "assistant", "content": "我看看。", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Summary: JSON list of opening hours"},
    ]
    assert memory.serving.identify(CTX, memory.serving.read(body)).wanted != "quiet"


@pytest.mark.parametrize(
    "order", ["a\n" * 100_000, "字" * 300_000, "\ud83d" * 1_000, "[Write\n" * 9]
)
def test_an_order_of_any_length_is_read(memory, order_line, order):
    for _n in range(2):
        assert order_asked(memory, story(), order)[0].line == order_line
    assert memory.messages.count(order_line) == len(ORDER_ROWS)


# Whatever a player does in a front end, the library holds what it shows.


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("shape", "is_named"),
    [("chat", False), ("chat", True), ("text", False)],
    ids=["chat", "named", "text"],
)
def test_line_says_what_the_front_end_shows(memory, shape, is_named, seed):
    SimulatedFront(memory, random.Random(seed), shape, is_named).play(40)


@pytest.mark.parametrize(
    ("template", "is_named"),
    [
        ("chatml", True),
        ("chatml", False),
        ("chatml, by names", False),
        ("alpaca", False),
        ("llama3", False),
        ("llama3, by names", False),
        ("mistral", True),
    ],
)
@pytest.mark.parametrize("lore_depth", [1, 4])
def test_notes_between_the_messages_of_a_text_prompt_are_none(
    memory, template, is_named, lore_depth
):
    dice = random.Random(lore_depth)
    SimulatedFront(memory, dice, "text", is_named, template=template, lore_depth=lore_depth).play(
        25
    )


@pytest.mark.parametrize("lore_depth", [0, 2, 4])
def test_a_text_prompt_of_names_alone_is_kept_as_it_is_shown(memory, lore_depth):
    dice = random.Random(lore_depth)
    SimulatedFront(memory, dice, "text", template="names", lore_depth=lore_depth).play(25)


@pytest.mark.parametrize("seed", [1, 3, 6])
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("shape", PROCESSED)
def test_line_says_what_a_front_end_joins(memory, shape, is_named, seed):
    SimulatedFront(memory, random.Random(seed), shape, is_named).play(25)


# Every message of every request is kept, in its place.


def as_body(said, *, head=()):
    rows = [{"role": role, "content": text} for role, text in said]
    system = {"role": "system", "content": FRONT.system}
    return {"messages": [system, *head, *rows]}


@pytest.mark.parametrize("chat", ["故事", ""], ids=["named", "unnamed"])
def test_short_words_that_recur_are_kept_behind_more_than_is_held_of_a_line(memory, chat):
    dice = random.Random(7)
    story = [
        ("user" if n % 2 else "assistant", dice.choice(["…", "好", "Go on."]) * (n % 3 == 1))
        for n in range(300)
    ]
    story = [
        (role, text or f"今夜第{n}次敲钟，河水又涨了。") for n, (role, text) in enumerate(story)
    ]
    for asked in (220, 250, 252, 254, 298):
        _identity, kept = ask(memory, as_body(story[:asked]), story[asked][1], chat)
        stored = texts_of(memory, kept.line)
        assert stored == [text for _role, text in story[: asked + 1]]


MARKS = ["[Start a new Chat]", "Bob is kind.\n[Start a new group chat. Group members: Bob]"]


@pytest.mark.parametrize("mark", MARKS, ids=["alone", "joined to a line before"])
def test_examples_before_the_chat_are_no_messages_and_hide_none(memory, mark):
    head = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": "An example of how Bob goes on with a story."},
        {"role": "system", "content": mark},
    ]
    story = [("assistant", "The rain falls on the tavern, and Bob greets you.")]
    for said, reply in [*TURNS[:2], ("Go on.", "He tells of the flood."), *TURNS[2:]]:
        story.append(("user", said))
        ask(memory, as_body(story, head=head), reply)
        story.append(("assistant", reply))
        assert texts(memory, only_line(memory)) == [text for _role, text in story]
    # of a front end that sends the newest two, nothing of the chat is known
    story += [("user", "What is behind the mill?"), ("assistant", "The old ford.")]
    story += [("user", "And behind that?")]
    name = memory.chats.all()[0].name
    ask(memory, as_body(story[-3:], head=head), "Nobody has come back from there.", name)
    kept = texts(memory, only_line(memory))
    assert kept[-4:] == [*(text for _role, text in story[-3:]), "Nobody has come back from there."]
    assert "An example of how Bob goes on with a story." not in kept


NOTES = [(2, "system"), (3, "user"), (1, "assistant"), (0, "system")]
SAID = {
    "what a narrator says": [("system", "The door opens and the storm comes in.")],
    "two of them": [("system", "The door opens."), ("system", "The storm comes in.")],
    "another speaks, then the model": [
        ("user", "Well now, tell me all of it."),
        ("assistant", "Carol: I have the key of the mill with me."),
    ],
}


@pytest.mark.parametrize("note", NOTES, ids=str)
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_what_no_reply_follows_is_kept_once_it_stayed_and_a_note_never(memory, said, note):
    depth, role = note
    story = [("assistant", "The rain falls on the tavern, and Alice greets you.")]

    def reply_to(reply):
        shown = list(story)
        shown.insert(max(1, len(shown) - depth), (role, "[The mill stands at the river.]"))
        ask(memory, as_body(shown), reply)
        story.append(("assistant", reply))

    ending = [("Good night.", "She nods at you."), ("Good morning.", "“Tea is ready.”")]
    for n, (asked, reply) in enumerate([*TURNS, *ending]):
        if n == 2:
            story += said
            if said[-1][0] == "assistant":
                reply_to("She nods at her.")
        story.append(("user", asked))
        reply_to(reply)
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    # a note that was taken for a message was hidden when it was seen to move
    assert [(m.role, m.text) for m in kept if not m.is_hidden] == story
    assert sum(m.is_hidden for m in kept) <= 2


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("depth", [2, 4, 9])
def test_a_note_that_stood_before_the_first_message_is_none(memory, role, depth):
    """In a chat shorter than a note's depth the front end puts the note before all messages."""
    story = [FRONT.reply("The rain falls on the tavern, and Alice greets you.")]
    ending = [(f"What of the lamp of floor {n}?", f"“It burns, as on day {n}.”") for n in range(6)]
    for said, reply in [*TURNS, *ending]:
        story.append(FRONT.user(said))
        lore = [(depth, role, "[The mill stands at the river.]")]
        ask(memory, shapes.tavern_chat(FRONT, story, lore=lore), reply)
        story.append(FRONT.reply(reply))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [m.text for m in kept if not m.is_hidden] == [said.text for said in story]


@pytest.mark.parametrize("way", ["merge", "semi", "strict", "strict, old", "single"])
@pytest.mark.parametrize("depth", [0, 4])
@pytest.mark.parametrize("role", ["user", "system"])
@pytest.mark.parametrize("named", ["", "content"])
def test_what_a_front_end_joins_to_a_message_is_not_said_in_it(memory, way, depth, role, named):
    """Nor is what it says before a greeting, so that the player speaks first."""
    system = "Write Alice's next reply in a fictional chat between Alice and Traveller."
    front = Front("Traveller", "Alice", system=system)
    story, note = [front.reply("The rain falls, and Alice greets you.")], "[Keep the tone light.]"
    ending, asked = [(f"Night {n}?", f"“Night {n}.”") for n in range(3)], ""
    for said, reply in [*TURNS, *ending]:
        story.append(front.user(said))
        body = shapes.tavern_chat(front, story, named=named, lore=[(depth, role, note)], merged=way)
        asked = ask(memory, body, reply)[0].asked
        story.append(front.reply(reply))
    assert asked.endswith("Night 2?")  # memory is looked up by what is said, no more
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [m.text for m in kept if not m.is_hidden] == [said.text for said in story]


SHORT = [("好", "你好"), ("嗯", "嗯。"), ("今天下雨了。", "是啊，记得带伞。"), ("走吧", "好")]


NOTE = "[Keep the tone light.]"  # as an author's note


def texts_of_one_word_each(memory, story, way, depth, role, named=""):
    """Play `SHORT` after ``story``, as its front end sends it; return the texts that are kept."""
    system = "Write Alice's next reply in a fictional chat between Alice and Traveller."
    front = Front("Traveller", "Alice", system=system)
    lore = [(depth, role, NOTE)]
    for said, reply in SHORT:
        story.append(front.user(said))
        ask(memory, shapes.tavern_chat(front, story, named=named, lore=lore, merged=way), reply)
        story.append(front.reply(reply))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    return [m.text for m in kept if not m.is_hidden]


@pytest.mark.parametrize("way", ["", "merge", "semi", "strict", "single"])
@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("named", ["", "content"])
def test_a_chat_of_one_word_each_is_one_chat(memory, way, depth, named):
    story = [FRONT.reply("雨夜，酒馆里只有爱丽丝。")]
    shown = texts_of_one_word_each(memory, story, way, depth, "system", named)
    # What is joined to the newest message is seen to be no part of it by the next request.
    assert [text.replace(NOTE, "").strip() for text in shown[-2:-1]] == ["走吧"]
    assert shown[:-2] == [said.text for said in story[:-2]]


@pytest.mark.parametrize("way", ["merge", "semi", "strict"])
@pytest.mark.parametrize("depth", [2, 4])
def test_a_note_joined_before_the_first_word_goes_behind_it_and_is_none(memory, way, depth):
    """Nobody greets: the note is before all of a chat that is shorter than its depth."""
    story: list[Says] = []
    shown = texts_of_one_word_each(memory, story, way, depth, "user")
    assert shown == [said.text for said in story]


def test_an_ending_that_the_player_takes_away_is_an_edit(memory):
    story = [FRONT.reply("The rain falls, and Alice greets you.")]
    for said, reply in [*TURNS[:2], ("Wait.\n\nI hear the bell.", "She nods."), TURNS[2]]:
        story.append(FRONT.user(said))
        ask(memory, shapes.tavern_chat(FRONT, story), reply)
        story.append(FRONT.reply(reply))
    story[5] = FRONT.user("Wait.")
    for louder in ("It is louder now.", "And again, from the river.", "Listen."):
        story.append(FRONT.user(f"{louder}\n\nI hear the bell."))
        ask(memory, shapes.tavern_chat(FRONT, story), "She nods once more.")
        story.append(FRONT.reply("She nods once more."))
    story.append(FRONT.user("Good night."))
    ask(memory, shapes.tavern_chat(FRONT, story), "“Good night.”")
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [m.text for m in kept[:-1]] == [said.text for said in story]


def test_what_was_deleted_here_does_not_come_back(memory):
    story = [("assistant", "The rain falls on the tavern, and Alice greets you.")]
    for said, reply in TURNS:
        story.append(("user", said))
        ask(memory, as_body(story), reply)
        story.append(("assistant", reply))
    memory.messages.delete(only_line(memory), [3])
    for said in ("Good night.", "Good morning."):
        story.append(("user", said))
        ask(memory, as_body(story), f"She answers to {said}")
        story.append(("assistant", f"She answers to {said}"))
    assert story[3][1] not in texts(memory, only_line(memory))


TRANSLATOR = Front("Traveller", "Alice", system="You are a translator of old letters, Alice.")


@pytest.mark.parametrize("chat", ["故事", ""], ids=["named", "unnamed"])
@pytest.mark.parametrize("short", [0, 1, 2, 3], ids=str)
def test_a_text_prompt_is_read_by_its_names_whatever_its_card_speaks_of(memory, chat, short):
    story = [TRANSLATOR.reply("The rain falls on the tavern, and Alice greets you.")]
    for said, reply in [*TURNS[:2], ("Go on.", "“Yes.”"), *TURNS[2:]]:
        story.append(TRANSLATOR.user("Go on." if len(story) <= short else said))
        body = shapes.tavern_text(TRANSLATOR, story)
        answer = "Yes." if len(story) <= short else reply
        identity, kept = ask(memory, body, answer, chat)
        assert identity.wanted == "reply"
        story.append(TRANSLATOR.reply(answer))
        assert texts(memory, kept.line) == [said.text for said in story]


def test_a_chat_begins_though_a_note_stands_before_the_beginning_of_the_reply(memory):
    story = [("assistant", "The rain falls on the tavern, and Alice greets you.")]
    behind = [("assistant", "[The mill stands at the river.]"), ("assistant", "Here is more:")]
    for said, reply in TURNS:
        story.append(("user", said))
        ask(memory, as_body([*story, *behind]), reply)
        story.append(("assistant", reply))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [m.text for m in kept if not m.is_hidden] == [text for _role, text in story]


def test_what_a_narrator_said_long_ago_is_kept_at_first_contact(memory):
    """It is behind more messages than are held of a line."""
    story = [
        ("user" if n % 2 else "assistant", f"今夜第{n}次敲钟，河水又涨了。") for n in range(301)
    ]
    shown = [*story[:40], ("system", "门开了，风雪进来。"), *story[40:]]
    for n in range(4):
        shown.append(("user", f"那么第{n}件事呢？"))
        ask(memory, as_body(shown), f"她想了想，说起第{n}件事。")
        shown.append(("assistant", f"她想了想，说起第{n}件事。"))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [(m.role, m.text) for m in kept] == shown


@pytest.mark.parametrize("carol", [True, False], ids=["another speaks", "a note"])
def test_what_the_first_request_showed_is_known_in_the_second(memory, carol):
    said = [
        ("assistant", "The rain falls on the tavern, and Alice greets you."),
        ("system", "The door opens and the storm comes in."),
        ("user", "Who is there, at this hour of the night?"),
    ]
    note = [] if carol else [("user", "[The mill stands at the river.]")]
    said += [("assistant", "Carol: I have the key of the mill with me.")] if carol else []
    for reply in ("Alice nods at her.", "“Good evening,” says Alice for her."):
        ask(memory, as_body([*said, *note]), reply, "故事")
        said += [("assistant", reply), ("user", "Good evening, Carol of the mill.")]
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [(m.role, m.text) for m in kept if not m.is_hidden] == said[:-1]
    assert sum(m.is_hidden for m in kept) == len(note)


def test_a_note_behind_the_newest_message_hides_none_that_is_short(memory):
    note = ("user", "[The mill stands at the river, and nobody has lived there since the flood.]")
    story = [
        ("assistant", "The rain falls on the tavern, and Alice greets you."),
        ("user", "Who is there, at this hour of the night?"),
    ]
    for reply, said in (("Go on.", "嗯。"), ("She nods.", "好"), ("“Come in.”", "Thank you.")):
        ask(memory, as_body([*story, note]), reply, "故事")
        story += [("assistant", reply), ("user", said)]
        kept = memory.messages.slice(only_line(memory), 0, 1000)
        shown = [(m.role, m.text) for m in kept if not m.is_hidden and m.text != note[1]]
        assert shown == story[:-1]
