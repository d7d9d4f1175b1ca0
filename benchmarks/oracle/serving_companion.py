"""The play with the companion: SillyTavern has a model of its own, and asks Engram for memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.oracle.serving_proxy import branches, soon
from benchmarks.oracle.serving_stage import HIDDEN, OTHER, Stage
from benchmarks.oracle.session import Session
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line

MACRO = "{{engramSummaries}}"
LATE_MS = 3_000  # a reply without the server: what the scripted model and the page take, and more
BOOK = "[Engram] Mira"
RENAMED = "The lighthouse"


def install(stage: Stage) -> str:
    """Install the companion as a user does, by the command line; returns what it said."""
    script = "from engram_desktop.cli.entry import run; run()"
    words = ["--library", str(stage.library), "companion", "--install", str(stage.tavern.user)]
    run = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def play_companion(stage: Stage, chat: str) -> None:
    """Install, pair, talk, look, turn lamps, tidy; then without the server, and with it again."""
    said = install(stage)
    with Session(stage.tavern, "serving") as page:
        page("yes")
        page("slash", command="/go Mira")
        page("sleep", ms=1000)
        page("open", name=chat)
        page("connect", url=f"{stage.tavern.model_url}/v1", key="")
        paired = page("pair", address=stage.url, key=stage.key)
        stage.hold(
            "installed and paired",
            {"it says where it is": "engram-companion" in said, "it is paired": "0." in paired},
            page,
        )
        page("closeDrawers")
        _talk(stage, page, chat)
        _macros(stage, page)
        _panel(stage, page, chat)
        _rewrite(stage, page, chat)
        _both(stage, page)
        _book(stage, page)
        _group(stage, page)
        _without(stage, page, chat)


def _here(page: Session) -> list[str]:
    return [message["mes"] for message in page("here")["chat"]]


def _is_told(stage: Stage, page: Session, chat: str) -> bool:
    """Whether the library has the open chat as the page has it."""
    shown = _here(page)
    return soon(lambda: stage.texts(chat) == shown or shown in branches(stage, chat))


def _talk(stage: Stage, page: Session, chat: str) -> None:
    page("clear")
    said = page("say", text="What lies beneath the step?", reply="Dust and mortar, she says.")
    prompt = stage.prompt()
    stage.hold(
        "the companion, a message",
        {
            "the reply is there": said == "Dust and mortar, she says.",
            "the memory is in the prompt": HIDDEN in prompt,
            "once": prompt.count(HIDDEN) == 1,
            "that of another is not": OTHER not in prompt,
            "the library has what the page has": _is_told(stage, page, chat),
            "it is one chat": chats_named(stage, chat) == 1,
        },
        page,
    )
    page("clear")
    page("slash", command="/gen Summarise the story in one sentence.")
    stage.hold("the companion, a quiet prompt", {"it gets none": HIDDEN not in stage.prompt()})
    status = page("slash", command="/engram status")
    recalled = page("slash", command="/engram recall compass")
    stage.hold(
        "commands",
        {"the status names the chat": chat in status, "recall finds it": HIDDEN in recalled},
    )


def _macros(stage: Stage, page: Session) -> None:
    before = page("mainPrompt", text=f"Play {{{{char}}}}. [[{MACRO}]]")
    page("clear")
    page("say", text="And the lamp?", reply="It burns.")
    prompt = stage.prompt()
    page("mainPrompt", text=before)
    stage.hold(
        "a macro in the main prompt",
        {
            "it is filled there": "[[<engram_summaries>" in prompt and HIDDEN in prompt,
            "it stands nowhere else": prompt.count(HIDDEN) == 1,
        },
    )
    page("describe", text=f"A cartographer. She remembers: {MACRO}")
    page("clear")
    page("say", text="And the rope?", reply="It holds.")
    prompt = stage.prompt()
    page("describe", text="A cartographer.")
    stage.hold(
        "a macro in the card",
        {
            "it is filled there": "She remembers: <engram_summaries>" in prompt,
            "with this chat's memory, once": prompt.count(HIDDEN) == 1,
        },
        page,
    )


def _panel(stage: Stage, page: Session, chat: str) -> None:
    page("clear")
    page("cut", tokens=480)
    page("say", text="What did the old man at the bridge ask for?", reply="A coin.")
    page("cut", tokens=8000)
    page("say", text="And what riddle did the old man give?", reply="One of a key.")
    shown = page("panel", isShown=True)
    stage.hold(
        "the panel",
        {
            "it says which chat": chat in shown["status"],
            "it shows the blue lamp": HIDDEN in shown["events"] and "blue" in shown["lamps"],
            "nothing in it became markup": shown["markup"] == 0,
        },
        page,
    )
    page("press", selector="#engram-events .engram-lamp")
    stage.hold("a lamp turned green", {"the event is archived": _archived(stage, chat) == 1}, page)
    page("press", selector="#engram-events .engram-lamp")
    stage.hold("and blue again", {"it is not any more": _archived(stage, chat) == 0})
    recalled = shown["recalled"]
    if recalled:
        page("press", selector="#engram-recalled .engram-mute")
        stage.hold(
            "不要再用",
            {"the library has it so": soon(lambda: _muted(stage, chat) == 1)},
            page,
        )
    else:
        stage.hold("不要再用", {"something was recalled": False}, page)
    page("press", selector="#engram-tidy")
    page("sleep", ms=2500)
    stage.hold(
        "整理记忆", {"the event is archived": soon(lambda: _archived(stage, chat) == 1)}, page
    )
    page("panel", isShown=False)


def _rewrite(stage: Stage, page: Session, chat: str) -> None:
    page("swipe", reply="One of a door without a key.")
    stage.hold("the companion, a reroll", {"the library has it": _is_told(stage, page, chat)}, page)
    page("edit", floor=3, text="What happened there, Mira?")
    stage.hold("the companion, an edit", {"the library has it": _is_told(stage, page, chat)}, page)
    page("slash", command="/hide 4")
    page("slash", command="/del 2")
    stage.hold(
        "the companion, a deletion", {"the library has it": _is_told(stage, page, chat)}, page
    )
    page("slash", command="/branch-create 6")
    page("sleep", ms=1200)
    page("clear")
    page("say", text="We take the other road.", reply="It is longer and drier.")
    stage.hold(
        "the companion, a branch",
        {
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the library has a branch": _is_told(stage, page, chat),
            "it is one chat": chats_named(stage, chat) == 1,
        },
        page,
    )
    page("open", name=chat)
    page("sleep", ms=800)
    page("slash", command=f"/renamechat {RENAMED}")
    page("sleep", ms=1500)
    page("say", text="Is it still us?", reply="It is.")
    stage.hold(
        "a chat with another name",
        {"the library has it under that": soon(lambda: "Is it still us?" in stage.texts(RENAMED))},
        page,
    )


def _both(stage: Stage, page: Session) -> None:
    page("connect", url=stage.url, key=stage.key)
    page("clear")
    page("say", text="Do you remember the compass?", reply="I do.")
    prompt = stage.prompt()
    page("sleep", ms=1500)
    shown = _here(page)
    page("connect", url=f"{stage.tavern.model_url}/v1", key="")
    stage.hold(
        "companion and base URL at once",
        {
            "the memory stands once": prompt.count(HIDDEN) == 1,
            "the library has the chat once": stage.texts(RENAMED) == shown,
        },
        page,
    )


def _book(stage: Stage, page: Session) -> None:
    page("slash", command="/engram off")
    page("clear")
    page("say", text="What of the wind?", reply="North.")
    before = stage.prompt()
    page("slash", command=f"/world silent=true {BOOK}")
    page("sleep", ms=600)
    page("clear")
    page("say", text="And the lighthouse with its compass?", reply="Dark.")
    prompt = stage.prompt()
    page("slash", command=f"/world state=off silent=true {BOOK}")
    page("slash", command="/engram on")
    stage.hold(
        "the [Engram] book",
        {"without it nothing is told": HIDDEN not in before, "it fires": HIDDEN in prompt},
        page,
    )


def _group(stage: Stage, page: Session) -> None:
    """A chat that became a group: two speak, one of them anew, and go on in a branch."""
    page("group")
    page("slash", command="/member-add Tobin")
    page("sleep", ms=800)
    page("clear")
    page("queue", replies=["Not I, says Mira.", "For three coins, says Tobin."])
    page("slash", command="/send Who rows us to the lighthouse with the compass?")
    page("slash", command="/trigger await=true Mira")
    first = stage.prompt()
    page("slash", command="/trigger await=true Tobin")
    name, shown = page("here")["file"], _here(page)
    speakers = [message["name"] for message in page("here")["chat"]]
    stage.hold(
        "the companion, a group",
        {
            "the one who was there remembers": HIDDEN in first,
            "both have spoken": speakers[-2:] == ["Mira", "Tobin"],
            "the library has what the page has": soon(lambda: shown in _lines_of(stage, name)),
            "and who said it": soon(lambda: speakers in _speakers_of(stage, name)),
        },
        page,
    )
    page("queue", replies=["For four coins, says Tobin."])
    page("swipe", reply="")
    shown = _here(page)
    stage.hold(
        "the companion, a reroll in a group",
        {
            "it is another reply": shown[-1] == "For four coins, says Tobin.",
            "the library has it": soon(lambda: shown in _lines_of(stage, name)),
        },
        page,
    )
    page("slash", command="/go Mira")
    page("sleep", ms=1000)
    page("open", name=RENAMED)


def _lines_of(stage: Stage, name: str) -> list[list[str]]:
    """What each line of the chats that may be a group's tells."""
    return [texts for _speakers, texts in _told_lines(stage, name)]


def _speakers_of(stage: Stage, name: str) -> list[list[str]]:
    return [speakers for speakers, _texts in _told_lines(stage, name)]


def _told_lines(stage: Stage, name: str) -> list[tuple[list[str], list[str]]]:
    """Return (speakers, texts) of every line that a file of this name is read into."""
    with stage.memory() as memory:
        rows = [row for row in memory.session.library.followed.all() if Path(row.path).stem == name]
        lines = [Line(row.chat_id, row.branch_id) for row in rows]
        slices = [memory.messages.slice(line, 0, 10_000) for line in lines]
        return [([m.name for m in said], [m.text for m in said]) for said in slices]


def _without(stage: Stage, page: Session, chat: str) -> None:
    stage.stop()
    page("clear")
    first = page("timed", text="Are we alone?", reply="Quite alone.")
    second = page("timed", text="Quite?", reply="Quite.")
    shown: dict[str, Any] = {"mark": page("mark"), "toasts": page("toasts")}
    stage.hold(
        "the server stopped in mid-chat",
        {
            "SillyTavern goes on": _here(page)[-1] == "Quite.",
            "no memory is told": HIDDEN not in stage.prompt(),
            "no reply waits": max(first, second) < LATE_MS,
            "the mark says so": shown["mark"] == "away",
            "nothing else does": not [t for t in shown["toasts"] if "ngram" in t],
        },
        page,
    )
    stage.serve()
    paired = page("pair", address=stage.url, key=stage.key)
    page("closeDrawers")
    page("sleep", ms=1500)
    page("clear")
    page("say", text="And now?", reply="Now it comes back.")
    del chat
    now = _here(page)  # beside the group that was made of it, it is a line of its own
    stage.hold(
        "the server is there again",
        {
            "it is paired": "0." in paired,
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the library has what was said meanwhile": soon(
                lambda: _lines_of(stage, RENAMED) == [now]
            ),
        },
        page,
    )


def _archived(stage: Stage, chat: str) -> int:
    with stage.memory() as memory:
        query = EventQuery(status="archived", branch_id="main", level=0)
        return len(memory.events.find(memory.chats.find(chat), query))


def _muted(stage: Stage, chat: str) -> int:
    with stage.memory() as memory:
        return len(memory.recall.muted(memory.chats.find(chat)))


def chats_named(stage: Stage, name: str) -> int:
    """How many chats of the library are called so."""
    with stage.memory() as memory:
        return sum(name in chat.name for chat in memory.chats.all())
