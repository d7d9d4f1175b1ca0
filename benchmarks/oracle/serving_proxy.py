"""The play through the server's address: SillyTavern knows nothing of Engram but a base URL."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.oracle.serving_stage import HIDDEN, OTHER, Stage
from benchmarks.oracle.session import Session

SOON_S = 8  # for what was said to be in the library: it is kept after the answer has gone


def play_proxy(stage: Stage, chat: str) -> None:
    """Connect, talk, reroll, edit, delete, branch, a group: memory is right in each prompt."""
    with Session(stage.tavern, "serving") as page:
        page("yes")
        page("slash", command="/go Mira")
        page("sleep", ms=1000)
        status = page("connect", url=stage.url, key=stage.key)
        stage.hold("connected by base URL", {"it is connected": status != "no_connection"}, page)
        _talk(stage, page, chat)
        _rewrite(stage, page, chat)
        _elsewhere(stage, page, chat)


def _talk(stage: Stage, page: Session, chat: str) -> None:
    before = stage.texts(chat)
    page("clear")
    said = page("say", text="What did you hide?", reply="That is mine to know, she says.")
    prompt = stage.prompt()
    stage.hold(
        "a message",
        {
            "the reply arrives as it was sent": said == "That is mine to know, she says.",
            "the memory of this chat is in the prompt": HIDDEN in prompt,
            "that of another is not": OTHER not in prompt,
            "it stands once": prompt.count(HIDDEN) == 1,
            "message and reply are in the library": soon(
                lambda: stage.texts(chat) == [*before, "What did you hide?", said]
            ),
        },
        page,
    )
    page("streamed", isOn=True)
    page("clear")
    said = page("say", text="Show me.", reply="She draws a step, and another, and a third one.")
    page("streamed", isOn=False)
    stage.hold(
        "a message, streamed",
        {
            "the reply is whole": said == "She draws a step, and another, and a third one.",
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "it is in the library": soon(lambda: stage.texts(chat)[-2:] == ["Show me.", said]),
        },
        page,
    )
    page("clear")
    floors = stage.texts(chat)
    page("slash", command="/gen Summarise the story in one sentence.")
    stage.hold(
        "a quiet prompt",
        {
            "memory stays out of it": HIDDEN not in stage.prompt(),
            "the library is as it was": stage.texts(chat) == floors,
        },
    )


def _rewrite(stage: Stage, page: Session, chat: str) -> None:
    floors = stage.texts(chat)
    page("clear")
    page("swipe", reply="She shakes her head and rolls up the chart.")
    stage.hold(
        "a reroll",
        {
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the reply is another reading": soon(
                lambda: (
                    stage.texts(chat)
                    == [*floors[:-1], "She shakes her head and rolls up the chart."]
                )
            ),
        },
        page,
    )
    floors = stage.texts(chat)
    page("edit", floor=len(floors) - 2, text="Show me where.")
    page("clear")
    page("say", text="Under which step?", reply="The third, she whispers.")
    floors[-2] = "Show me where."
    stage.hold(
        "an edited message, and the next",
        {
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the library has both": soon(
                lambda: (
                    stage.texts(chat) == [*floors, "Under which step?", "The third, she whispers."]
                )
            ),
        },
        page,
    )
    page("slash", command="/del 2")
    page("clear")
    page("say", text="How many steps are there?", reply="Ninety and nine.")
    stage.hold(
        "two deleted, and the next",
        {
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the library goes on from there": soon(
                lambda: (
                    stage.texts(chat) == [*floors, "How many steps are there?", "Ninety and nine."]
                )
            ),
        },
        page,
    )


def _elsewhere(stage: Stage, page: Session, chat: str) -> None:
    main = stage.texts(chat)
    page("slash", command="/branch-create 8")
    page("sleep", ms=1000)
    page("clear")
    page("say", text="We turn back to the inn.", reply="The inn is dark.")
    stage.hold(
        "a branch",
        {
            "the memory is in the prompt": HIDDEN in stage.prompt(),
            "the main line is as it was": stage.texts(chat) == main,
            "the branch goes on from where it left": soon(
                lambda: (
                    [*main[:9], "We turn back to the inn.", "The inn is dark."]
                    in branches(stage, chat)
                )
            ),
        },
        page,
    )
    page("open", name=chat)
    page("clear")
    page("cut", tokens=480)
    page("say", text="What was it the old man at the bridge asked for?", reply="A coin.")
    page("cut", tokens=8000)
    prompt = stage.prompt()
    stage.hold(
        "a history that is cut",
        {
            "its beginning is not in the prompt": "user: Where does this map lead?" not in prompt,
            "the memory is": HIDDEN in prompt,
            "that of another is not": OTHER not in prompt,
        },
        page,
    )
    page("slash", command="/go Tobin")
    page("sleep", ms=1000)
    page("clear")
    page("say", text="What do you owe?", reply="Nothing, says Tobin.")
    prompt = stage.prompt()
    stage.hold(
        "another chat",
        {"its own memory is in the prompt": OTHER in prompt, "no other is": HIDDEN not in prompt},
        page,
    )
    page("slash", command="/go Mira")
    page("sleep", ms=1000)
    page("group")
    page("slash", command="/member-add Tobin")
    page("sleep", ms=800)
    page("clear")
    page("queue", replies=["Not I, says Mira."])
    page("slash", command="/send Who rows us to the lighthouse?")
    page("slash", command="/trigger await=true Mira")
    stage.hold(
        "a group",
        {
            "the one who was there remembers": HIDDEN in stage.prompt(),
            "another chat's memory is not there": OTHER not in stage.prompt(),
        },
        page,
    )


def branches(stage: Stage, chat: str) -> list[list[str]]:
    """What each branch of a chat tells."""
    with stage.memory() as memory:
        names = [b.name for b in memory.branches.all(memory.chats.find(chat)) if b.parent_id]
    return [stage.texts(chat, name) for name in names]


def soon(test: Callable[[], bool]) -> bool:
    """Whether something is so within some seconds."""
    ends = time.monotonic() + SOON_S
    while time.monotonic() < ends:
        if test():
            return True
        time.sleep(0.2)  # noqa: TID251 - the library is looked at from outside
    return test()
