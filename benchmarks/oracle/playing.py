"""Play as somebody does who has no memory yet: by address, then with the companion, then without.

After each act the library must hold the open chat as the page shows it, once, in one line.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.oracle.serving import QUESTIONS, REPLIES
from benchmarks.oracle.serving_companion import install
from benchmarks.oracle.serving_proxy import soon
from benchmarks.oracle.serving_stage import Stage
from benchmarks.oracle.session import Session
from benchmarks.oracle.tavern import Tavern
from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory
from tests.oracle.report import Report

Row = tuple[str, str, bool]  # name, text, whether hidden
CARDS = (
    ("Tobin", "Tobin ties the boat to the pier."),
    ("Ilse", "Ilse lights the lamp of the harbour."),
    ("Mira", "Mira looks up from her maps and waves you in."),
)
REMEMBERED = "Mira will not speak of the winter in which the keeper vanished."
LONG = 1_200  # messages of a chat that is told for the first time
SHORT = 120  # of those beside it
CONTEXT = 8_000  # tokens of a prompt with its reply
LEAST_SHOWN = 20  # messages of a long chat that such a prompt still holds


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Play everything; nothing is recorded."""
    del is_kept
    report = Report("playing")
    with Session(tavern, "serving") as page:
        page("yes")
        for name, first in CARDS:
            page("slash", command=f'/char-create name="{name}" firstMessage="{first}"')
            page("sleep", ms=800)
    with staged(tavern, report) as stage:
        _play_by_address(stage)
        _play_with_companion(stage)
        _play_by_address_again(stage)
    with staged(tavern, report) as stage:
        _play_long_chats(stage)
    return report


@contextlib.contextmanager
def staged(tavern: Tavern, report: Report) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory(prefix="playing-") as name:
        shots = Path(name) / "shots"
        shots.mkdir()
        stage = Stage(tavern, Path(name), shots)
        stage.report = report
        stage.set_up()
        stage.serve()
        try:
            yield stage
        finally:
            stage.stop()


def _play_by_address(stage: Stage) -> None:
    """All that a player does with a chat, while the server knows only what is sent to it."""
    with Session(stage.tavern, "serving") as page:
        open_chat(page, "Mira")
        page("connect", url=stage.url, key=stage.key)
        for text, reply in zip(QUESTIONS, REPLIES, strict=True):
            page("say", text=text, reply=reply)
        page("swipe", reply="She shakes her head.")
        page("queue", replies=["She thinks for a while."])
        page("slash", command="/regenerate await=true")
        page("queue", replies=[" Then she knows it."])
        page("slash", command="/continue await=true")
        page("slash", command="/del 3")
        page("say", text="Wait.", reply="She waits.")
        page("slash", command="/sys The wind turns.")
        page("slash", command='/sendas name="Innkeeper" The rooms are upstairs.')
        page("say", text="Which room?", reply="The left one.")
        page("slash", command="/hide 3-4")
        page("say", text="Good night.", reply="Good night, Anna.")
        page("streamed", isOn=True)
        page("stopped", text="Tell me a long tale.", reply="There was a ship. " * 40)
        page("streamed", isOn=False)
        page("say", text="Thank you.", reply="Sleep well.")
        page(
            "edit", floor=1, text="Where does this map lead, Mira?"
        )  # and nothing is sent after it
        page("sleep", ms=1500)
    with at_rest(stage) as memory:
        chat, *others = memory.chats.all()
        is_one = chat.name == "Mira" and not others
        stage.hold("by address", {"it is one chat, named after who speaks": is_one})
        lines = [Line(chat.chat_id, branch.id) for branch in memory.branches.all(chat.chat_id)]
        told = next(line for line in lines if _texts(memory, line)[-1] == "Sleep well.")
        floor = _texts(memory, told).index(REPLIES[1])
        memory.events.add(told, PlotExtraction(summary=REMEMBERED), SourceRange(floor, floor + 1))


def _play_with_companion(stage: Stage) -> None:
    install(stage)
    with Session(stage.tavern, "serving") as page:
        open_chat(page, "Mira")
        page("connect", url=f"{stage.tavern.model_url}/v1", key="")
        page("pair", address=stage.url, key=stage.key)
        page("closeDrawers")
        solo = page("here")["file"]
        _hold(stage, page, "the companion tells of a chat begun by address")
        stage.hold("and it is that chat", _is_one(stage, solo))
        page("clear")
        page("say", text="What of the winter?", reply="Not a word.")
        stage.hold("its memory goes on", {"it is told": REMEMBERED in stage.prompt()})
        _hold(stage, page, "and the next message")
        page("queue", replies=["I turn to the wall."])
        page("slash", command="/impersonate await=true")
        _hold(stage, page, "impersonate, and nothing sent")
        page("streamed", isOn=True)
        page("stopped", text="Another tale.", reply="There was a bell. " * 40)
        page("streamed", isOn=False)
        _hold(stage, page, "a stop in the middle of a reply")
        page("queue", replies=[" And so it ends."])
        page("slash", command="/continue await=true")
        _hold(stage, page, "that is continued")
        _play_group(stage, page, solo)
        _play_branches(stage, page, solo)


def _play_group(stage: Stage, page: Session, solo: str) -> None:
    """Three speak in a group that was made of the chat, which goes on as well."""
    page("group")
    for name in ("Tobin", "Ilse"):
        page("slash", command=f"/member-add {name}")
    page("sleep", ms=800)
    _round(page, "Who rows us?", "Not I, says Mira.", "For three coins.", "Ilse nods.")
    _hold(stage, page, "a group of three")
    group, rows = page("here")["file"], _shown(page)
    open_chat(page, "Mira", solo)
    page("say", text="We are alone again.", reply="We are.")
    _hold(stage, page, "the chat that the group was made of")
    stage.hold("beside it the group", {"is as it was": len(_named(stage, rows)) == 1})
    rows = _shown(page)
    page("slash", command="/go Group: Mira")
    page("sleep", ms=1500)
    stage.hold("the group is open", {"it is": page("here")["file"] == group})
    _hold(stage, page, "the group as it was")
    _round(page, "And back?", "I pay, says Mira.", "For four.", "Ilse shrugs.")
    _hold(stage, page, "the group, played on")
    stage.hold("beside it the chat", {"is as it was": len(_named(stage, rows)) == 1})
    page("slash", command="/renamechat The ferry")
    _hold(stage, page, "the group with another name", "The ferry")
    open_chat(page, "Mira", solo)
    _hold(stage, page, "the chat beside the group")


def _play_branches(stage: Stage, page: Session, solo: str) -> None:
    page("slash", command="/checkpoint-create mesId=4 The coast")
    page("slash", command="/checkpoint-go 4")
    page("sleep", ms=1200)
    page("say", text="We stay at the coast.", reply="The sea is loud.")
    _hold(stage, page, "a checkpoint, played on", "The coast")
    page("slash", command="/checkpoint-exit")
    page("sleep", ms=1200)
    page("slash", command="/branch-create 6")
    page("sleep", ms=1200)
    page("say", text="We turn back.", reply="The inn is dark.")
    _hold(stage, page, "a branch")
    page("slash", command="/renamechat The dark inn")
    _hold(stage, page, "a branch with another name", "The dark inn")
    page("open", name=solo)
    page("slash", command="/renamechat The lighthouse")
    _hold(stage, page, "the chat with another name", "The lighthouse")
    page("slash", command="/rename-char silent=true chats=true Mirabel")
    page("sleep", ms=1500)
    page("say", text="Who are you?", reply="Mirabel, she says.")
    _hold(stage, page, "a character with another name", "The lighthouse")
    page("open", name="The dark inn")
    _hold(stage, page, "and its branch", "The dark inn")


def _play_by_address_again(stage: Stage) -> None:
    """The companion is taken out, the address is used again, and then the companion is back."""
    shutil.rmtree(stage.tavern.user / "extensions" / "engram-companion")
    with Session(stage.tavern, "serving") as page:
        open_chat(page, "Mirabel", "The lighthouse")
        page("connect", url=stage.url, key=stage.key)
        for number in range(3):
            page("say", text=f"Are you there, for the time {number}?", reply=f"Yes, {number}.")
        page("swipe", reply="No.")
        _hold(stage, page, "by address again", "The lighthouse")
    install(stage)
    with Session(stage.tavern, "serving") as page:
        open_chat(page, "Mirabel", "The lighthouse")
        page("connect", url=f"{stage.tavern.model_url}/v1", key="")
        page("pair", address=stage.url, key=stage.key)
        page("closeDrawers")
        page("say", text="Back?", reply="Back.")
        _hold(stage, page, "the companion is back", "The lighthouse")


def _play_long_chats(stage: Stage) -> None:
    """Long chats are told for the first time, and switched between while they are."""
    names = ("Mirabel", "Tobin", "Ilse")
    for name, count in zip(names, (LONG, SHORT, SHORT), strict=True):
        _write_long(stage, name, count)
    with Session(stage.tavern, "serving") as page:
        open_chat(page, "Mirabel", "Mirabel long")
        page("pair", address=stage.url, key=stage.key)
        page("closeDrawers")
        page("cut", tokens=CONTEXT)
        for name in (*names[1:], *names, *names[1:]):
            page("slash", command=f"/go {name}")
            page("sleep", ms=200)
            page("open", name=f"{name} long")
        for name in names:
            open_chat(page, name, f"{name} long")
            _hold(stage, page, f"a long chat of {name}", f"{name} long")
            page("sleep", ms=6000)  # the reading ahead of so long a chat
            page("clear")
            page("say", text="What of the lamp on day 9?", reply="It burned.")
            told = stage.asked()[-1]["messages"]
            others = [f"{other} tells" for other in names if other != name]
            stage.hold(
                f"a prompt of {name}",
                {
                    "memory is in it": "<engram_" in stage.prompt() or "<relev" in stage.prompt(),
                    "messages are": sum(m["role"] != "system" for m in told) >= LEAST_SHOWN,
                    "no other chat is": not any(other in stage.prompt() for other in others),
                },
            )


def _write_long(stage: Stage, name: str, count: int) -> None:
    folder = stage.tavern.user / "chats" / name
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[object] = [
        {"chat_metadata": {"integrity": f"{name} long"}, "user_name": "", "character_name": ""}
    ]
    for floor in range(count):
        is_user = floor % 2 == 1
        text = f"{'I ask' if is_user else f'{name} tells'} of the lamp, the ferry and day {floor}. "
        rows.append(
            {
                "name": "Anna" if is_user else name,
                "is_user": is_user,
                "is_system": False,
                "send_date": "2026-11-21T20:30:05.123Z",
                "mes": text + f"The road of day {floor} is long and white with frost. " * 4,
                "extra": {},
            }
        )
    text = "\n".join(map(json.dumps, rows))
    (folder / f"{name} long.jsonl").write_text(text, "utf-8")


def open_chat(page: Session, name: str, chat: str = "") -> None:
    page("yes")
    page("slash", command=f"/go {name}")
    page("sleep", ms=1200)
    if chat:
        page("open", name=chat)
        page("sleep", ms=500)


def _round(page: Session, text: str, *replies: str) -> None:
    page("queue", replies=list(replies))
    page("slash", command=f"/send {text}")
    for name in ("Mira", "Tobin", "Ilse"):
        page("slash", command=f"/trigger await=true {name}")


def _hold(stage: Stage, page: Session, step: str, name: str = "") -> None:
    """Hold that one line of one chat is what the page shows, and is called ``name`` if that is."""
    rows = _shown(page)
    is_held = soon(lambda: len(_named(stage, rows)) == 1)
    claims = {"one line is what the page shows": is_held}
    if name:
        claims["it has its name"] = soon(
            lambda: [known.endswith(name) for known in _named(stage, rows)] == [True]
        )
    stage.hold(step, claims)


def _shown(page: Session) -> list[Row]:
    return [(row["name"], row["mes"], bool(row.get("is_system"))) for row in page("here")["chat"]]


def _named(stage: Stage, rows: list[Row]) -> list[str]:
    """What the lines are called that tell just these rows: a branch, else the chat."""
    with stage.memory() as memory:
        return [
            chat.name if branch.parent_id is None else branch.name
            for chat in memory.chats.all()
            for branch in memory.branches.all(chat.chat_id)
            if _rows(memory, Line(chat.chat_id, branch.id)) == rows
        ]


def _is_one(stage: Stage, file: str) -> dict[str, bool]:
    """What must be so of the one chat that there is."""
    with stage.memory() as memory:
        chats = memory.chats.all()
        fresh = {
            pk: event.summary
            for chat in chats
            for branch in memory.branches.all(chat.chat_id)
            for pk, event in _events(memory, Line(chat.chat_id, branch.id)).items()
            if not event.is_stale
        }
    return {
        "there is one chat": len(chats) == 1,
        "it has the name of its file": [chat.name for chat in chats] == [file],
        "its memory is fresh": list(fresh.values()) == [REMEMBERED],
    }


def _events(memory: Memory, line: Line) -> dict[int, EventNode]:
    pks = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
    return memory.events.fetch(line.chat_id, pks)


def _rows(memory: Memory, line: Line) -> list[Row]:
    return [(m.name, m.text, m.is_hidden) for m in memory.messages.slice(line, 0, 100_000)]


def _texts(memory: Memory, line: Line) -> list[str]:
    return [text for _name, text, _is_hidden in _rows(memory, line)]


@contextlib.contextmanager
def at_rest(stage: Stage) -> Iterator[Memory]:
    """Open the library to write while nothing serves it."""
    stage.stop()
    with contextlib.closing(Memory.open(stage.library, environ={})) as memory:
        yield memory
    stage.serve()
