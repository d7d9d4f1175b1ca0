"""Play in a real SillyTavern by text completion, as who has a model of their own does.

By several of its templates, with an author's note between the messages: after each act the library
must hold the open chat as the page shows it, and the note nowhere.
"""

from __future__ import annotations

from benchmarks.oracle.playing import REMEMBERED, at_rest, open_chat, staged
from benchmarks.oracle.serving import QUESTIONS, REPLIES
from benchmarks.oracle.serving_proxy import soon
from benchmarks.oracle.serving_stage import Stage
from benchmarks.oracle.session import Session
from benchmarks.oracle.tavern import Tavern
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from tests.oracle.report import Report

NOTE = "The mill stands at the river, and nobody grinds there."
# SillyTavern's own, by name; "" for names alone
TEMPLATES = (
    "ChatML",
    "Alpaca",
    "Llama 3 Instruct",
    "Mistral V2 & V3",
    "Mistral V3-Tekken",
    "Mistral V7",
    "Gemma 2",
    "Command R",
    "DeepSeek-V2.5",
    "Phi",
    "ChatML-Names",
    "Llama-3-Instruct-Names",
    "",
)

TURNS = (
    ("Where is the ferry?", "It lies at the pier.", "I moored it myself."),
    ("And the keeper?", "Gone since winter.", "Nobody rows there now."),
    ("Then we walk.", "Take the lamp.", "And the long rope."),
)
GROUPS = ("ChatML", "Mistral V2 & V3", "")  # of them, those that are played in a group too


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Play with each template; nothing is recorded."""
    del is_kept
    report = Report("texting")
    with Session(tavern, "serving") as page:
        page("yes")
        for name in ("Mira", "Tobin"):
            page("slash", command=f'/char-create name="{name}" firstMessage="{name} looks up."')
            page("sleep", ms=800)
    for template in TEMPLATES:
        with staged(tavern, report) as stage, Session(tavern, "serving") as page:
            _play(stage, page, template)
    for template in GROUPS:
        with staged(tavern, report) as stage, Session(tavern, "serving") as page:
            _play_group(stage, page, template)
    return report


def _begin(stage: Stage, page: Session, template: str) -> str:
    open_chat(page, "Mira")
    page("slash", command="/newchat")
    page("sleep", ms=1000)
    status = page("connectText", url=stage.url, key=stage.key, template=template)
    name = template or "names alone"
    stage.hold(f"{name}: connected", {"it is connected": status != "no_connection"})
    page("say", text=QUESTIONS[0], reply=REPLIES[0])
    return name


def _play_group(stage: Stage, page: Session, template: str) -> None:
    """Somebody joins who is new, and two reply to each message."""
    name = _begin(stage, page, template)
    page("group")
    page("slash", command="/member-add Tobin")
    page("sleep", ms=800)
    for text, *replies in TURNS:
        page("queue", replies=replies)
        page("slash", command=f"/send {text}")
        for speaker in ("Mira", "Tobin"):
            page("slash", command=f"/trigger await=true {speaker}")
    _hold(stage, page, f"{name}: a group")


def _play(stage: Stage, page: Session, template: str) -> None:
    name = _begin(stage, page, template)
    page("slash", command=f"/note {NOTE}")
    page("slash", command="/note-depth 1")
    for text, reply in zip(QUESTIONS[1:], REPLIES[1:], strict=True):
        page("say", text=text, reply=reply)
    _hold(stage, page, f"{name}: six messages")
    page("swipe", reply="She shakes her head.")
    page("say", text="Why not?", reply="Because of the keeper.")
    _hold(stage, page, f"{name}: a reroll, and the next")
    page("queue", replies=[" And the lamp."])
    page("slash", command="/continue await=true")
    _hold(stage, page, f"{name}: a reply that goes on")
    page("slash", command="/del 2")
    page("say", text="Wait.", reply="She waits for them at the old bridge.")
    _hold(stage, page, f"{name}: two deleted, and the next")
    count = len(page("here")["chat"])
    page("edit", floor=count - 1, text="She waits for them at the new bridge.")
    page("say", text="Good night.", reply="Good night, and mind the third step.")
    _hold(stage, page, f"{name}: an edited reply, and the next")
    page("queue", replies=["I turn to the wall."])
    page("slash", command="/impersonate await=true")
    page("slash", command="/gen Summarise the story in one sentence.")
    _hold(stage, page, f"{name}: what is said for the player, and a quiet prompt")
    with at_rest(stage) as memory:
        chats = memory.chats.all()
        stage.hold(f"{name}: a chat", {"there is one": len(chats) == 1})
        if not chats:
            return
        line = Line.main(chats[0].chat_id)
        memory.events.add(line, PlotExtraction(summary=REMEMBERED), SourceRange(3, 4))
    page("clear")
    page("say", text="What of the winter and the keeper?", reply="Not a word.")
    stage.hold(f"{name}: what is remembered", {"it is told": REMEMBERED in stage.prompt()})


def _hold(stage: Stage, page: Session, step: str) -> None:
    """Hold the one chat of the library against the page, and say what differs."""
    shown = [(row["name"], row["mes"]) for row in page("here")["chat"]]
    kept: list[list[tuple[str, str]]] = []

    def is_same() -> bool:
        with stage.memory() as memory:
            kept[:] = [
                [
                    (message.name, message.text)
                    for message in memory.messages.slice(Line(chat.chat_id, branch.id), 0, 1000)
                    if not message.is_hidden
                ]
                for chat in memory.chats.all()
                for branch in memory.branches.all(chat.chat_id)
            ]
        return shown in kept

    claims = {"the library has it as it is shown": soon(is_same)}
    claims["a note stands nowhere in it"] = not any(NOTE in t for line in kept for _n, t in line)
    stage.hold(step, claims, page)
    if not all(claims.values()):
        print(f"    shown {shown}\n    kept  {kept}", flush=True)
