"""How many requests are taken for the right chat, and how long it takes.

    python -m benchmarks.identification FOLDER [LINES]

FOLDER holds chats of SillyTavern (``*.jsonl``, in any depth); some become a library, some stay
strangers. Requests are built as front ends build them. With LINES the library is filled with made
up chats to so many messages (100,000), and times are taken again.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import script_json
from tests.front_ends import shapes
from tests.front_ends.shapes import Front, Says

CTX = NullContext()
SHARED = 8  # messages that two chats with the same opening share
LORE = (
    "The old mill stands at the river; nobody has lived there since the flood of that spring.",
    "月湖镇的集市每逢初一开张，铁匠铺在东门旁边，旅店的老板娘姓沈。",
)
NEW = (
    "我们再往前走走吧，我想看看山那边到底有什么东西。",
    "Let us leave before the storm comes, I do not like the look of that sky at all.",
    "（沉默了一会儿）你刚才说的是真的吗？",
    "好",
    "Wait.",
)


@dataclass(frozen=True)
class Case:
    kind: str
    body: dict[str, Any]
    line: Line | None
    wanted: str = "reply"
    until: int | None = None
    unseen: int | None = None


@dataclass
class Chat:
    """A chat of the library and its story as the front end holds it."""

    line: Line
    front: Front


def read_story(path: Path) -> Front | None:
    rows = []
    for text in path.read_text("utf-8", "replace").splitlines():
        try:
            row = json.loads(text)
        except ValueError:
            return None
        if isinstance(row, dict) and "mes" in row and not row.get("is_system"):
            rows.append(row)
    rows = [row for row in rows if isinstance(row["mes"], str) and row["mes"].strip()]
    if len(rows) < 40:
        return None
    said = [
        Says("user" if row.get("is_user") else "assistant", str(row.get("name")), row["mes"])
        for row in rows
    ]
    player = next((s.name for s in said if s.role == "user"), "User")
    char = next((s.name for s in said if s.role == "assistant"), "Assistant")
    system = f"{char} is a character of this story. Stay in it.\n{LORE[len(said) % 2]}"
    return Front(player, char, said, system)


def message(said: Says) -> ParsedMessage:
    raw = json.dumps({"name": said.name, "is_user": said.role == "user", "mes": said.text})
    return ParsedMessage(said.name, said.role, said.text, False, None, raw, 1)  # type: ignore[arg-type]


def add_chat(memory: Memory, name: str, story: Sequence[Says]) -> Line:
    library = memory.session.library
    store = library.begin_chat(name)
    with store.database.writing():
        store.messages.append("main", 0, [message(said) for said in story])
    library.admit_chat(store, name)
    return Line.main(store.chat_id)


def edited(text: str, dice: random.Random) -> str:
    """Change some of a text, as a player who mends a line."""
    words = list(text)
    for _ in range(max(1, len(words) // 12)):
        words[dice.randrange(len(words))] = dice.choice("的了吗some ")
    return "".join(words)


def cases_of(chat: Chat, dice: random.Random) -> Iterator[Case]:
    """Requests of one chat, each with its truth."""
    size = dice.choice((6, 12, 30, 80, 150))
    new = chat.front.user(dice.choice(NEW) + str(dice.randrange(1000)))
    yield from new_messages(chat, chat.front.story[-size:], new)
    yield from asides(chat, chat.front.story[-size:], dice)
    for template in dice.sample(sorted(shapes.TEMPLATES), 2):
        story = [*chat.front.story[-size:], new]
        body = shapes.tavern_text(chat.front, story, template=template, lore=[(2, LORE[0])])
        last = len(chat.front.story) - 1
        yield Case(f"text {template}", body, chat.line, until=last, unseen=1)
    if chat.front.story[-1].role == "assistant" and chat.front.story[-2].role == "user":
        yield from changed_ends(chat, chat.front.story[-size:], new, dice)


def new_messages(chat: Chat, story: Sequence[Says], new: Says) -> Iterator[Case]:
    """The player says something new, in every shape."""
    front, line, last = chat.front, chat.line, len(chat.front.story) - 1

    def next_case(kind: str, body: dict[str, Any]) -> Case:
        return Case(kind, body, line, until=last, unseen=None if kind == "single" else 1)

    told = [*story, new]
    lore = [(4, "system", LORE[0]), (1, "system", LORE[1]), (0, "system", "Keep it short.")]
    examples = [front.user("Hello there, who are you?"), front.reply("One who waits.")]
    prefill = [("assistant", f"{front.char}:")]
    yield next_case("next", shapes.tavern_chat(front, told))
    yield next_case("named, lore", shapes.tavern_chat(front, told, lore=lore, named="content"))
    yield next_case("squashed", shapes.tavern_chat(front, told, merged="semi"))
    yield next_case("single", shapes.tavern_chat(front, told, merged="single"))
    notes = [(4, "user", LORE[0]), (2, "assistant", LORE[1]), (0, "system", "Keep it short.")]
    for way in ("merge", "semi", "strict"):  # notes are joined to what is said
        body = shapes.tavern_chat(front, told, lore=notes, named="content", merged=way)
        yield next_case(f"{way}, notes", body)
    yield next_case("parts", shapes.tavern_chat(front, told, named="field", parts=True))
    yield next_case("examples", shapes.tavern_chat(front, told, examples=examples, lore=lore))
    yield next_case("prefill", shapes.tavern_chat(front, told, last=prefill))
    yield next_case("open webui", shapes.open_webui(front, told))
    yield next_case("risu", shapes.risu(front, told, note=LORE[1], post="Answer in two parts."))
    yield next_case("lobe", shapes.lobe(front, told))
    yield next_case("chatbox", shapes.chatbox(front, told))
    reply = front.reply("He nodded, and said nothing for a while.")
    body = shapes.tavern_chat(front, [*story, new, reply, new])
    yield Case("two new", body, line, until=last, unseen=3)
    if len(story) > 6:
        shown = [said for n, said in enumerate(story) if n % 4]
        yield Case("hidden", shapes.tavern_chat(front, [*shown, new]), line, unseen=1)


def changed_ends(
    chat: Chat, story: Sequence[Says], new: Says, dice: random.Random
) -> Iterator[Case]:
    """What a player does to the newest messages of a story that ends with a reply."""
    front, line, last = chat.front, chat.line, len(chat.front.story) - 1
    yield Case("reroll", shapes.tavern_chat(front, story[:-1]), line, "reroll", last - 1, 0)
    order = "[Continue your last message without repeating its original content.]"
    body = shapes.tavern_chat(front, story, last=[("system", order)])
    yield Case("continue", body, line, "continue", last, 0)
    order = f"[Write your next reply from the point of view of {front.player}, as before.]"
    body = shapes.tavern_chat(front, story, last=[("system", order)])
    yield Case("impersonate", body, line, "impersonate", last, 0)
    ended = [*story[:-2], front.user(edited(story[-2].text, dice))]
    yield Case("edit at end", shapes.tavern_chat(front, ended), line, "reroll")
    ended = [*story[:-1], front.reply(edited(story[-1].text, dice)), new]
    yield Case("edited reply", shapes.tavern_chat(front, ended), line, unseen=1)
    body = shapes.tavern_chat(front, [*story[:-2], new])
    yield Case("said else", body, line, until=last - 2, unseen=1)
    body = shapes.tavern_text(front, story[:-1], template="chatml")
    yield Case("text reroll", body, line, "reroll", last - 1, 0)
    body = shapes.tavern_text(front, story, template="llama3", ends="impersonate")
    yield Case("text imperson.", body, line, "impersonate", last, 0)


def asides(chat: Chat, story: Sequence[Says], dice: random.Random) -> Iterator[Case]:
    """Requests that are no story."""
    order = "[Pause your roleplay. Summarize the most important facts and events so far.]"
    body = shapes.tavern_chat(chat.front, story, last=[("system", order)])
    yield Case("quiet", body, chat.line, "quiet")
    task = dice.choice(("title", "tags", "follow_ups"))
    yield Case("webui task", shapes.open_webui_task(chat.front, story, task), chat.line, "quiet")


def stranger_cases(front: Front, dice: random.Random) -> Iterator[Case]:
    size = dice.choice((4, 12, 30))
    at = dice.randrange(size, len(front.story))
    part = front.story[at - size : at]
    yield Case("stranger", shapes.tavern_chat(front, part), None)
    yield Case("stranger text", shapes.tavern_text(front, part), None)
    yield Case("stranger webui", shapes.open_webui(front, part), None)


def same_opening(memory: Memory, front: Front, other: Front) -> list[Case]:
    """Two chats that begin alike and go on otherwise."""
    shared = front.story[:SHARED]
    rest = [
        Says(s.role, front.char if s.role == "assistant" else front.player, s.text)
        for s in other.story[SHARED : SHARED + 20]
    ]
    one = Front(front.player, front.char, front.story[: SHARED + 20], front.system)
    two = Front(front.player, front.char, [*shared, *rest], front.system)
    lines = [add_chat(memory, f"opening {n}", f.story) for n, f in enumerate((one, two))]
    new = front.user(NEW[0])
    cases = [Case("same opening", shapes.tavern_chat(front, [*shared, new]), None)]
    cases += [Case("same opening", shapes.tavern_chat(front, shared[:-1]), None)]
    for line, each in zip(lines, (one, two), strict=True):
        cases.append(Case("past opening", shapes.tavern_chat(front, [*each.story, new]), line))
        cases.append(Case("past opening", shapes.tavern_text(front, [*each.story, new]), line))
    return cases


def branched(memory: Memory, chat: Chat) -> list[Case]:
    """A branch that leaves the main one some floors before its end."""
    front, last = chat.front, len(chat.front.story) - 1
    at = last - 8
    branch_id, _changes = memory.branches.fork(chat.line, at=at, name="Plan B")
    own = [
        front.user("那我们换一条路走，从后门出去。"),
        front.reply("She takes the lamp from the wall."),
        front.user("小心台阶。"),
        front.reply("“知道了。”她压低声音，先走了下去。"),
    ]
    store = memory.session.chat(chat.line.chat_id)
    with store.database.writing():
        store.messages.append(branch_id, at + 1, [message(said) for said in own])
    line, story = Line(chat.line.chat_id, branch_id), [*front.story[: at + 1], *own]
    new = front.user(NEW[1])
    return [
        Case("branch", shapes.tavern_chat(front, [*story[-30:], new]), line, until=len(story) - 1),
        Case("branch", shapes.tavern_text(front, [*story[-30:], new]), line),
        Case("branch reroll", shapes.tavern_chat(front, story[-30:-1]), line, "reroll"),
        Case("main of branch", shapes.tavern_chat(front, [*front.story[-30:], new]), chat.line),
        Case("main of branch", shapes.tavern_chat(front, [*front.story[-6:], new]), chat.line),
    ]


def with_macros(memory: Memory, front: Front) -> list[Case]:
    """A chat whose messages hold macros, and one that a regex script changes on its way."""
    story = front.story[:40]
    stored = [Says(s.role, s.name, f"{{{{char}}}}：{s.text}（{{{{user}}}}）") for s in story]
    line = add_chat(memory, "macros", stored)
    sent = [Says(s.role, s.name, f"{front.char}：{s.text}（{front.player}）") for s in story]
    new = front.user(NEW[0])
    marked = [
        Says(s.role, s.name, f"{s.text}<状态>hp {n}</状态>")
        for n, s in enumerate(front.story[60:100])
    ]
    line2 = add_chat(memory, "regex", marked)
    plain = front.story[60:100]
    return [
        Case("macros", shapes.tavern_chat(front, [*sent[-10:], new]), line, unseen=1),
        Case("macros", shapes.tavern_text(front, [*sent[-10:], new]), line, unseen=1),
        Case("regex", shapes.tavern_chat(front, [*plain[-10:], new]), line2, unseen=1),
        Case("regex", shapes.tavern_text(front, [*plain[-10:], new]), line2, unseen=1),
    ]


def filled(memory: Memory, fronts: Sequence[Front], messages: int, dice: random.Random) -> None:
    """Fill the library to so many messages with made up chats of 500."""
    words = "".join(said.text for front in fronts[:8] for said in front.story[:200])
    for n in range(messages // 500):
        story = []
        for k in range(500):
            at = dice.randrange(len(words) - 300)
            text = words[at : at + dice.randrange(40, 300)]
            story.append(Says("user" if k % 2 else "assistant", "A" if k % 2 else "B", text))
        add_chat(memory, f"filled {n}", story)


def measured(memory: Memory, cases: Sequence[Case], *, is_shown: bool) -> None:
    """Identify every case; print what came out, and how long it took."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    times: list[float] = []
    for case in cases:
        request = memory.serving.read(case.body)
        start = time.perf_counter()
        identity = memory.serving.identify(CTX, request)
        times.append(time.perf_counter() - start)
        kind = "right" if identity.line == case.line else "none" if not identity.line else "wrong"
        row = table[case.kind]
        row[kind] += 1
        if kind == "right" and case.line is not None:
            row["wanted?"] += identity.wanted != case.wanted
            row["until?"] += case.until is not None and identity.until != case.until
            row["unseen?"] += case.unseen is not None and len(identity.unseen) != case.unseen
            if is_shown and identity.wanted != case.wanted:
                print("  wanted", case.kind, identity.wanted, identity.unseen)
            if is_shown and row["unseen?"] and len(identity.unseen) != case.unseen is not None:
                print("  unseen", case.kind, identity.until, case.until, identity.unseen)
                print("     ", repr(case.body.get("prompt", "")[-300:]))
        elif is_shown and kind != "right":
            print("  ", kind, case.kind, case.line, identity.line, identity.why, identity.rivals)
    columns = ("right", "none", "wrong", "wanted?", "until?", "unseen?")
    print(f"{'case':<18}" + "".join(f"{name:>9}" for name in columns))
    for name, row in table.items():
        print(f"{name:<18}" + "".join(f"{row[column]:>9}" for column in columns))
    whole = Counter[str]()
    for row in table.values():
        whole += row
    print(f"{'all':<18}" + "".join(f"{whole[column]:>9}" for column in columns))
    times.sort()
    print(
        f"{len(cases)} requests: right {whole['right'] / len(cases):.2%},"
        f" p50 {times[len(times) // 2] * 1e3:.1f} ms, p95 {times[len(times) * 95 // 100] * 1e3:.1f}"
        f" ms, longest {times[-1] * 1e3:.1f} ms"
    )


def main(folder: Path, messages: int) -> None:
    dice = random.Random(14)
    fronts = [front for path in sorted(folder.rglob("*.jsonl")) if (front := read_story(path))]
    strangers, openings = fronts[::5], fronts[1::5]
    known = [front for n, front in enumerate(fronts) if n % 5 > 1]
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(Path(place) / "library", environ={})
        memory.settings.set("keys.storage", "session")
        script = Path(place) / "regex.json"
        script.write_text(script_json("/<状态>[^<]*<\\/状态>/g", ""), "utf-8")
        memory.scripts.import_file(CTX, script, "global", "")
        chats = [Chat(add_chat(memory, f"chat {n}", f.story), f) for n, f in enumerate(known)]
        cases = [case for chat in chats for case in cases_of(chat, dice)]
        cases += [case for front in strangers for case in stranger_cases(front, dice)]
        for n in range(6):
            cases += same_opening(memory, openings[n], openings[n + 1])
            cases += with_macros(memory, openings[n])
        for chat in chats[:12]:
            cases += branched(memory, chat)
        if messages:
            filled(memory, fronts, messages, dice)
        count = sum(len(chat.front.story) for chat in chats)
        start = time.perf_counter()
        memory.serving.warm(CTX)
        took = time.perf_counter() - start
        print(f"{len(memory.session.library.chat_rows())} chats, {count} messages and {messages}")
        print(f"first look at all: {took:.2f} s")
        measured(memory, cases, is_shown=True)
        memory.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
