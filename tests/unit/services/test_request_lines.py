"""Which line a request goes on, and what of its older messages is an edit."""

from __future__ import annotations

import contextlib
import random
import re

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.wanted_turn import split_reply
from engram_desktop.services.memory import Memory
from tests.factories import make_chat, make_message, story_rows
from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line, texts
from tests.front_ends.shapes import Front, Says
from tests.stored import texts_of

# A wrong memory is worse than none: what is known of a request, and what is left open.

STORED_FRONT = Front("旅人", "爱丽丝")


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

    shared = identified(memory, shapes.tavern_chat(STORED_FRONT, told([*opening, new])))
    assert (shared.line, set(shared.rivals)) == (None, set(lines))
    for line, end in zip(lines, ends, strict=True):
        body = shapes.tavern_chat(STORED_FRONT, told([*opening, *end, new]))
        assert identified(memory, body).line == line


def test_stranger_is_nobody(memory):
    add(memory, "酒馆", story_rows(20))
    other = [("爱丽丝", "The rain has not stopped."), ("旅人", "Then let us stay a while.")] * 3
    assert identified(memory, shapes.tavern_chat(STORED_FRONT, told(other))).line is None


def test_address_names_chat_and_branch(memory):
    line = add(memory, "酒馆", story_rows(9))
    branch_id, _changes = memory.branches.fork(line, at=5, name="旁支")
    body = shapes.open_webui(STORED_FRONT, [STORED_FRONT.user("你好")])
    assert identified(memory, body, path_chat="酒馆").line == line
    named = identified(memory, body, path_chat="酒馆@旁支")
    assert named.line == Line(line.chat_id, branch_id)
    assert identified(memory, body, header_chat="没有").line is None


def test_correction_holds_for_what_goes_on(memory):
    line = add(memory, "酒馆", story_rows(9))
    story = told([("旅人", f"Something else, part {n}.") for n in range(6)])
    memory.serving.correct(CTX, memory.serving.read(shapes.lobe(STORED_FRONT, story)), line)
    later = [*story, STORED_FRONT.reply("A reply."), STORED_FRONT.user("And more.")]
    identity = identified(memory, shapes.lobe(STORED_FRONT, later))
    assert (identity.line, identity.how) == (line, "corrected")


@pytest.mark.parametrize("task", ["title", "tags", "follow_ups"])
def test_task_of_open_webui_is_no_story(memory, task):
    add(memory, "酒馆", story_rows(9))
    body = shapes.open_webui_task(STORED_FRONT, told(story_rows(9)), task)
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


# A chat that its address names: where its player goes back, and where the newest reply is edited.


def keep_named(memory, said, reply, name="酒馆"):
    """Send a history of texts, the player first, to the address of a chat; return its line."""
    roles = ("user", "assistant")
    rows = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]
    return ask(memory, {"messages": rows}, reply, name)


def lines_of(memory, chat_id):
    return [texts(memory, Line(chat_id, b.id)) for b in memory.branches.all(chat_id)]


def test_a_named_chat_goes_on_on_the_branch_that_its_player_took(memory):
    said = []
    for text, reply in TURNS:
        said.append(text)
        keep_named(memory, said, reply)
        said.append(reply)
    line = only_line(memory)
    other = said[:2]
    for text, reply in (
        ("No bell? Then it was thunder over the hills.", "“Thunder does not count to nine.”"),
        ("Count with me the next time it rings.", "She opens the window and listens."),
        ("Did you hear it? It was only eight.", "Alice has gone pale and closes it."),
    ):
        other.append(text)
        keep_named(memory, other, reply)
        other.append(reply)
    assert lines_of(memory, line.chat_id) == [said, other]


def test_what_is_added_to_the_newest_reply_is_no_message_of_its_own(memory):
    said = []
    for text, reply in TURNS:
        said.append(text)
        keep_named(memory, said, reply)
        said.append(reply)
    said[-1] += " She does not look at it."
    said.append("Give it to me, then, before anybody comes.")
    keep_named(memory, said, "“Not before midnight.”")
    assert texts(memory, only_line(memory)) == [*said, "“Not before midnight.”"]


# What a front end shows of older messages: edits of its user, and what its scripts leave out.


def played(
    memory,
    rounds,
    shown=lambda said: said,
    reply_of=lambda n: f"回答{n}：钟楼的{n}号钥匙在她手里。",
):
    """Play some rounds in which the front end sends ``shown`` of what was said; return that."""
    said = []
    for n in range(rounds):
        said.append(f"第{n}个问题：磨坊的{n * 7}号门今夜开着吗？")
        keep_named(memory, shown(said), reply_of(n))
        said.append(reply_of(n))
    return said


STATUS = "\n<状态>心情：{n}｜地点：磨坊\n好感度：{n}</状态>"
THOUGHT = "<think>\n" + "第{n}次了，她没有问起钥匙，我要等她自己开口。" * 9 + "\n</think>\n"


@pytest.mark.parametrize("depth", [1, 3, 8])
@pytest.mark.parametrize(
    "block",
    [STATUS, THOUGHT, "\n【好感度：{n}】", "\n```\n状态 {n}\n```"],
    ids=["tag", "thought", "line", "fence"],
)
def test_what_a_script_leaves_out_of_older_replies_stays_stored(memory, block, depth):
    def reply_of(n):
        story = f"她第{n}次抬头看钟楼，风把{n * 3}片叶子吹进磨坊。"
        whole = block.format(n=n)
        return whole + story if block is THOUGHT else story + whole

    def shown(said):
        sent = []
        for n, text in enumerate(said):
            is_old = n % 2 and len(said) - 1 - n >= depth
            sent.append(text.replace(block.format(n=n // 2), "") if is_old else text)
        return sent

    said = played(memory, 9, shown, reply_of)
    stored = [split_reply(text, "")[0] if n % 2 else text for n, text in enumerate(said)]
    assert texts(memory, only_line(memory)) == stored


WRAPPED = "<plan>\n先想想{n}号门。\n</plan>\n<content>\n{story}\n</content>\n<状态>心情：{n}</状态>"


@pytest.mark.parametrize("name", ["酒馆", ""], ids=["named", "unnamed"])
@pytest.mark.parametrize(
    "left", [r"<plan>.*?</plan>\s*|</?content>\s*|\s*<状态>.*?</状态>", r"</?content>"]
)
@pytest.mark.parametrize("depth", [1, 3])
def test_a_reply_of_which_a_script_takes_the_tags_stays_stored(memory, name, left, depth):
    """Many cards have the story stand in <content>, and a script that sends what is in it."""

    def shown(said):
        is_old = [n % 2 and len(said) - 1 - n >= depth for n in range(len(said))]
        return [
            re.sub(left, "", text, flags=re.DOTALL) if old else text
            for text, old in zip(said, is_old, strict=True)
        ]

    said = []
    for n in range(9):
        said.append(f"第{n}个问题：磨坊的{n * 7}号门今夜开着吗？")
        story = f"她第{n}次抬头看钟楼，风把{n * 3}片叶子吹进磨坊。"
        reply = WRAPPED.format(n=n, story=story)
        rows = [
            {"role": ("user", "assistant")[at % 2], "content": text}
            for at, text in enumerate(shown(said))
        ]
        ask(memory, {"messages": rows}, reply, name)
        said.append(reply)
    if not name and depth == 1:  # such a chat begins with its second request, and as that shows it
        said[1] = shown(said)[1]
    assert texts(memory, only_line(memory)) == said


def test_what_a_script_adds_to_the_newest_message_of_the_player_does_not_stay(memory):
    added = "\n[请用中文回复，不要替玩家行动。]"

    def shown(said):
        return [*said[:-1], said[-1] + added]

    said = played(memory, 6, shown)
    said[0] += added  # the first message of a request may be cut: it is taken as it was
    said[-2] += added  # the next request shows it without
    assert texts(memory, only_line(memory)) == said


@pytest.mark.parametrize("floor", [1, 2, 9])
@pytest.mark.parametrize(
    "text", ["第{floor}楼改过了，钟楼的钥匙丢了。", "完全不同的一句话，谁也没有想到。"]
)
def test_an_edit_of_an_old_message_is_followed(memory, floor, text):
    said = played(memory, 12)
    said[floor] = text.format(floor=floor)
    said.append("那么，我们现在去哪里？")
    keep_named(memory, said, "去码头。")
    assert texts(memory, only_line(memory)) == [*said, "去码头。"]


def test_a_note_that_a_front_end_injects_is_no_edit_of_the_floor_it_stands_in_for(memory):
    """A floor is hidden, or was deleted, and a note at that place is told in its role."""
    said, note = played(memory, 8), "（别忘了：今夜有雨，路很滑。）"
    line = only_line(memory)
    memory.messages.set_hidden(line, [11], hidden=True)
    said.append("那么，我们现在去哪里？")
    keep_named(memory, [*said[:11], note, *said[12:]], "去码头。")
    assert note not in texts(memory, line)
    assert texts(memory, line)[11] == said[11]


def test_an_injected_note_in_the_place_of_a_deleted_message_is_no_edit_of_it(memory):
    said, note = played(memory, 8), "（别忘了：今夜有雨，路很滑。）"
    said.append("那么，我们现在去哪里？")
    keep_named(memory, said, "去码头。")
    sent = [*said, "去码头。", "好，走吧。"]
    roles = ("user", "assistant")
    rows = [{"role": roles[n % 2], "content": text} for n, text in enumerate(sent)]
    shown = [*rows[:12], {"role": "assistant", "content": note}, *rows[12:]]
    ask(memory, {"messages": shown}, "到了。", "酒馆")
    without = [*rows[:11], {"role": "assistant", "content": note}, *rows[12:]]
    without += [
        {"role": "assistant", "content": "到了。"},
        {"role": "user", "content": "这里真安静。"},
    ]
    ask(memory, {"messages": without}, "嘘。", "酒馆")
    assert note not in texts(memory, only_line(memory))


def test_what_a_script_changes_in_an_old_message_from_the_first_request_on_is_no_edit(open_memory):
    memory = open_memory()
    said = played(memory, 12)
    folder = memory.folder
    memory.close()
    memory = open_memory(folder)
    sent = [
        text.replace("1号钥匙", "一号大钥匙") if n == 3 else text for n, text in enumerate(said)
    ]
    for _round in range(2):
        sent.append("那么，我们现在去哪里？")
        said.append(sent[-1])
        keep_named(memory, sent, "去码头。")
        sent.append("去码头。")
        said.append(sent[-1])
    assert texts(memory, only_line(memory)) == said


def test_lines_are_known_as_they_are_whatever_was_changed_since(open_memory):
    """Of many branches only what can be another is read again: it must be all of that."""
    memory, chance = open_memory(), random.Random(7)
    played(memory, 8)
    line = only_line(memory)
    chat = line.chat_id
    for n in range(24):
        branches = [branch.id for branch in memory.branches.all(chat)]
        here = Line(chat, chance.choice(branches))
        last = memory.messages.count(here) - 1
        floor = chance.randrange(last + 1)
        with contextlib.suppress(InputError):  # of what is shared, or the first message
            match n % 6:
                case 0:
                    memory.play.fork(here, floor)
                case 1:
                    memory.messages.set_hidden(here, [floor], hidden=True)
                case 2:
                    memory.messages.edit(here, floor, f"第{n}次改过的一楼，灯塔熄了。")
                case 3:
                    memory.messages.set_hidden(here, [floor], hidden=False)
                case 4 if last > 8:
                    memory.messages.delete(here, [last])
                case _:
                    said = texts_of(memory, here, 0, last)
                    keep_named(memory, [*said, f"第{n}句新的话。"], f"第{n}句新的回答。")
        fresh = Memory.open(memory.folder, program=None, environ={})  # knew no earlier state
        for branch in memory.branches.all(chat):
            rows = memory.messages.slice(Line(chat, branch.id), 0, 1000)
            shown = [{"role": m.role, "content": m.text} for m in rows if not m.is_hidden]
            body = {"messages": [*shown, {"role": "user", "content": "现在呢？"}]}
            found = [m.serving.identify(CTX, m.serving.read(body)) for m in (memory, fresh)]
            assert found[0].floors == found[1].floors
            assert found[0].line == found[1].line
        fresh.close()
