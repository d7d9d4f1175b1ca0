"""Requests that come while others are still kept: every turn has its place, and none is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.keep_plan import Kept
from engram_desktop.services.memory import Memory
from tests.front_ends import shapes
from tests.front_ends.kept import CTX
from tests.front_ends.shapes import Front, Says

SYSTEM = "Write Alice's next reply in a fictional chat between Alice and Traveller."
FRONT = Front("Traveller", "Alice", system=SYSTEM)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
Jobs = list[Callable[[], None]]


@dataclass
class Hurried:
    """A front end that asks before what it asked is kept; ``late`` are shares of its requests.

    What is to be kept waits in ``waiting``, in the order in which answers ended.
    """

    memory: Memory
    dice: random.Random
    speakers: tuple[str, ...]
    story: list[Says] = field(default_factory=list)
    waiting: Jobs = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def text(self) -> str:
        words = ("".join(self.dice.choices(LETTERS, k=6)) for _n in range(14))
        return f"{' '.join(words)}."

    def ask(self, story: list[Says], speaker: str) -> tuple[list[Says], Jobs]:
        """Send a request; returns the story with its reply, and what is to be done to keep them."""
        serving, reply, arrived = self.memory.serving, self.text(), time.perf_counter()
        is_group = len(self.speakers) > 1
        last = [("system", f"[Write the next reply only as {speaker}.]")] if is_group else []
        named = "content" if is_group else ""
        request = serving.read(shapes.tavern_chat(FRONT, story, named=named, last=last))
        identity = None if self.dice.random() < 0.4 else serving.identify(CTX, request)
        kept = []

        def keep_request() -> None:
            known = identity
            if known is None or (known.line is None and known.wanted != "quiet"):
                known = serving.identify(CTX, request)
            kept.append(serving.keep_request(CTX, request, known, arrived))

        def keep_reply() -> None:
            if not serving.keep_reply(CTX, kept[0], reply).what:
                self.dropped.append(reply)

        return [*story, FRONT.reply(reply, speaker)], [keep_request, keep_reply]

    def keep(self, most: int | None = None) -> None:
        """Keep what waits, or so much of it."""
        now, self.waiting[:] = self.waiting[:most], self.waiting[len(self.waiting[:most]) :]
        for job in now:
            job()

    def before(self) -> list[Says]:
        """The story up to a reply, the newest or one further back."""
        replies = [n for n, said in enumerate(self.story) if said.role == "assistant"]
        return self.story[: self.dice.choice(replies[2:]) + 1]

    def said(self, story: list[Says]) -> list[Says]:
        return [*story, FRONT.user(self.text())]

    def turn(self) -> None:
        """Say something, ask again, go back, or ask two things at once."""
        act = self.dice.choice(["say"] * 5 + ["again"] * 2 + ["back"] * 2 + ["both"] * 3)
        speaker, story = self.dice.choice(self.speakers), self.said(self.story)
        if len(self.story) < 7 or act == "say":
            self.story, jobs = self.ask(story, speaker)
        elif act == "again":
            self.story, jobs = self.ask(self.story[:-1], self.story[-1].name)
        elif act == "back":
            self.story, jobs = self.ask(self.said(self.before()), speaker)
        else:
            one, first = self.ask(story, speaker)
            if self.dice.random() < 0.5:
                self.keep()
            other, second = self.ask(self.said(self.before()), speaker)
            orders = [
                [*first, *second],
                [*second, *first],
                [first[0], *second, first[1]],
                [first[0], second[0], first[1], second[1]],
            ]
            jobs = self.dice.choice(orders)
            self.story = self.dice.choice([one, other])
        self.waiting += jobs
        if self.dice.random() < 0.5:
            self.keep(self.dice.choice([None, None, 1, 2]))


def lines_of(memory):
    (chat,) = memory.chats.all()
    branches = [branch.id for branch in memory.branches.all(chat.chat_id)]
    return [memory.messages.slice(Line(chat.chat_id, each), 0, 1000) for each in branches]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("speakers", [("Alice",), ("Alice", "Bob")], ids=["one", "group"])
def test_every_turn_is_kept_whatever_came_first(memory, seed, speakers):
    front = Hurried(memory, random.Random(seed), speakers)
    front.story = [FRONT.reply("The rain falls on the tavern, and Alice greets you at the door.")]
    for _n in range(14):
        front.turn()
        if len(front.story) == 3:  # the chat is begun by its first reply
            front.keep()
    front.keep()
    assert not front.dropped
    lines = lines_of(memory)
    shown = [(said.name, said.text) for said in front.story]
    assert shown in [[(m.name, m.text) for m in line] for line in lines]
    begun = [f"{name}:" for name in (*speakers, FRONT.player)]
    assert not [m.text for line in lines for m in line if m.text.startswith(tuple(begun))]


def test_who_speaks_second_in_a_new_group_is_named_though_the_first_reply_is_not_kept_yet(memory):
    """Requests of a group follow one another at once: the chat is begun by the first reply."""
    said = [("assistant", "Ilse: *Ilse waits by the salt stairs.*"), ("user", "Is the ferry gone?")]
    kept, reply = Kept(), ""
    for n, name in enumerate(["Ilse", "Teodor", "Ilse"]):
        arrived = time.perf_counter()
        nudge = ("system", f"[Write the next reply only as {name}.]")
        head = [("system", "A story of the harbour."), ("system", "[Start a new Chat]")]
        rows = [*head, *said, nudge]
        request = memory.serving.read(
            {"model": "m", "messages": [{"role": role, "content": text} for role, text in rows]}
        )
        identity = memory.serving.identify(CTX, request)
        memory.serving.keep_reply(CTX, kept, reply)
        reply = f"The ferry left at dusk of day {n}, with all lanterns lit."
        kept = memory.serving.keep_request(CTX, request, identity, arrived)
        said.append(("assistant", f"{name}: {reply}"))
    memory.serving.keep_reply(CTX, kept, reply)
    (line,) = lines_of(memory)
    spoken = [(m.name, m.text) for m in line if m.role == "assistant"]
    assert [f"{name}: {text}" for name, text in spoken] == [t for r, t in said if r == "assistant"]
