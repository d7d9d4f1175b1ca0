"""A wrong memory is worse than none: what is known of a request, and what is left open."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_chat, make_message, story_rows
from tests.front_ends import shapes
from tests.front_ends.shapes import Front, Says

CTX = NullContext()
FRONT = Front("旅人", "爱丽丝")


def told(rows):
    return [Says("user" if name == "旅人" else "assistant", name, text) for name, text in rows]


def add(memory, name, rows):
    store = make_chat(memory.session.library, name)
    store.messages.append("main", 0, [make_message(text, who) for who, text in rows])
    return Line.main(store.chat_id)


def identified(memory, body, **over):
    return memory.serving.identify(CTX, memory.serving.read(body, **over))


def test_two_chats_with_one_opening_are_told_apart_only_by_their_own_messages(memory):
    opening = story_rows(9)
    ends = [
        [("旅人", f"我选第{n}条路，沿着河边走下去。"), ("爱丽丝", f"好，第{n}条路。")]
        for n in "一二"
    ]
    lines = [add(memory, f"路{n}", [*opening, *end]) for n, end in enumerate(ends)]
    new = ("旅人", "那么我们现在就出发。")

    shared = identified(memory, shapes.tavern_chat(FRONT, told([*opening, new])))
    assert (shared.line, set(shared.rivals)) == (None, set(lines))
    for line, end in zip(lines, ends, strict=True):
        body = shapes.tavern_chat(FRONT, told([*opening, *end, new]))
        assert identified(memory, body).line == line


def test_stranger_is_nobody(memory):
    add(memory, "酒馆", story_rows(20))
    other = [("爱丽丝", "The rain has not stopped."), ("旅人", "Then let us stay a while.")] * 3
    assert identified(memory, shapes.tavern_chat(FRONT, told(other))).line is None


def test_address_names_chat_and_branch(memory):
    line = add(memory, "酒馆", story_rows(9))
    branch_id, _changes = memory.branches.fork(line, at=5, name="旁支")
    body = shapes.open_webui(FRONT, [FRONT.user("你好")])
    assert identified(memory, body, path_chat="酒馆").line == line
    named = identified(memory, body, path_chat="酒馆@旁支")
    assert named.line == Line(line.chat_id, branch_id)
    assert identified(memory, body, header_chat="没有").line is None


def test_correction_holds_for_what_goes_on(memory):
    line = add(memory, "酒馆", story_rows(9))
    story = told([("旅人", f"Something else, part {n}.") for n in range(6)])
    memory.serving.correct(CTX, memory.serving.read(shapes.lobe(FRONT, story)), line)
    later = [*story, FRONT.reply("A reply."), FRONT.user("And more.")]
    identity = identified(memory, shapes.lobe(FRONT, later))
    assert (identity.line, identity.how) == (line, "corrected")


@pytest.mark.parametrize("task", ["title", "tags", "follow_ups"])
def test_task_of_open_webui_is_no_story(memory, task):
    add(memory, "酒馆", story_rows(9))
    body = shapes.open_webui_task(FRONT, told(story_rows(9)), task)
    request = memory.serving.read(body)
    identity = memory.serving.identify(CTX, request)
    assert identity.wanted == "quiet"
    kept = memory.serving.keep_request(CTX, request, identity)
    assert memory.serving.keep_reply(CTX, kept, '{"title": "x"}').line is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": None},
        {"messages": [None, 3, [], {"role": 7, "content": {"text": "\ud83d"}}, {"content": [1]}]},
        {"prompt": [1, 2, 3]},
        {"prompt": "字" * 1_000_000},
        {"messages": [{"role": "user", "content": f"{n}"} for n in range(10_000)]},
    ],
)
def test_hostile_body_is_of_no_chat(memory, body):
    add(memory, "酒馆", story_rows(9))
    assert identified(memory, body).line is None
