"""A front end that processes prompts and puts notes between messages, played at random.

As SillyTavern does: what it sends is merged by roles, by the mode that is chosen, which a player
may change in the middle of a chat.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from typing_extensions import override

from engram_desktop.domain.serving.keep_plan import Kept
from engram_desktop.jobs.context import NullContext
from tests.front_ends import shapes
from tests.front_ends.shapes import Front, Says
from tests.front_ends.simulated import Act, Message, SimulatedChat, SimulatedFront

CTX = NullContext()
MODES = ("", "merge", "semi", "strict", "single")
Note = tuple[int, str, str]  # (depth, role, text)
NOTE_TEXTS = ("[Keep the tone light.]", "The mill stands at the river; nobody lives there.")
IMPERSONATE = (
    "[Write your next reply from the point of view of Traveller, using the chat history so far as"
    " a guideline for the writing style of Traveller. Don't write as Alice or system.]"
)


def some_notes(dice: random.Random) -> tuple[Note, ...]:
    """Return one or two notes at a depth, each in a role."""
    return tuple(
        (dice.choice((0, 1, 2, 4)), dice.choice(("system", "user", "assistant")), text)
        for text in NOTE_TEXTS[: dice.choice((1, 1, 2))]
    )


@dataclass
class ProcessingFront(SimulatedFront):
    """``mode`` is of `MODES`; ``notes`` stand in every request. ``is_switching``: modes change."""

    mode: str = ""
    notes: Sequence[Note] = ()
    is_switching: bool = False
    is_prefilling: bool = False  # "continue" by the message behind all, and no order
    requests: list[dict[str, Any]] = field(default_factory=list)

    # What a player does besides.

    @override
    def swipe_back(self, chat: SimulatedChat) -> None:
        if chat.messages[-1].role == "assistant":
            super().swipe_back(chat)

    def impersonate(self, chat: SimulatedChat) -> None:
        if chat.messages[-1].role != "assistant":
            return
        kept = self.keep_request(chat, last=[("system", IMPERSONATE)])
        text = self.text("reply")
        self.memory.serving.keep_reply(CTX, kept, text)
        chat.messages.append(Message("user", [text]))
        self.ask(chat)

    def fail(self, chat: SimulatedChat) -> None:
        """No answer comes; the player asks again, edits what was said, or says more."""
        chat.messages.append(Message("user", [self.text("user")]))
        self.keep_request(chat, is_failing=True)
        what = self.dice.choice(("again", "edit", "other", "more"))
        self.log.append(f"    then {what}")
        if what == "edit":
            words = chat.messages[-1].text.split(" ")
            words[self.dice.randrange(len(words))] = self.dice.choice(("lantern", "月光", "ford"))
            chat.messages[-1].text = " ".join(words)
        elif what == "other":
            chat.messages[-1].text = self.text("user")
        elif what == "more":
            chat.messages.append(Message("user", [self.text("user")]))
        self.ask(chat)

    @override
    def go_on(self, chat: SimulatedChat) -> None:
        if chat.messages[-1].role != "assistant" or len(chat.messages) < 2:
            return
        way = "prefill" if self.is_prefilling else "nudge"
        kept = self.keep_request(chat, goes_on=way)
        more = " And then, " + self.text("reply")
        chat.messages[-1].text += more
        chat.line = self.memory.serving.keep_reply(CTX, kept, more).line or chat.line
        self.check(chat)

    @override
    def ask_aside(self, chat: SimulatedChat) -> None:
        order = "[Pause your roleplay. Summarize the story so far in 200 words.]"
        kept = self.keep_request(chat, last=[("system", order)])
        self.memory.serving.keep_reply(CTX, kept, "They met, and went to the river.")

    def switch(self, _chat: SimulatedChat) -> None:
        if self.is_switching:
            self.mode = self.dice.choice(MODES)
            self.log.append(f"    to {self.mode!r}")

    # What the front end does.

    @override
    def keep_request(
        self,
        chat: SimulatedChat,
        last: list[tuple[str, str]] | None = None,
        *,
        is_quiet: bool = False,
        goes_on: str = "",
        is_failing: bool = False,
    ) -> Kept:
        names = {"user": "Traveller", "assistant": "Alice"}
        system = "Write Alice's next reply in a fictional chat between Alice and Traveller."
        front = Front("Traveller", "Alice", system=system)
        story = [Says(m.role, names[m.role], m.text) for m in chat.messages]
        body = shapes.tavern_chat(
            front,
            story,
            last=last or [],
            lore=self.notes,
            named="content" if self.is_named else "",
            merged=self.mode,
            goes_on=goes_on,
        )
        self.requests.append(body)
        request = self.memory.serving.read(body)
        identity = self.memory.serving.identify(CTX, request)
        self.log.append(
            f"    [{len(self.requests) - 1}] {identity.wanted} {identity.line} {identity.until}"
            f" unseen {len(identity.unseen)} edited {len(identity.edited)} gone {identity.gone}"
        )
        kept = self.memory.serving.keep_request(CTX, request, identity)
        return self.memory.serving.keep_unanswered(CTX, kept) if is_failing else kept

    @override
    def check(self, chat: SimulatedChat) -> None:
        """What is kept is looked at when the play is over: see `faults`."""
        is_same = chat.line is not None and not self.difference(chat)
        number = self.chats.index(chat) if chat in self.chats else -1
        self.log.append(f"    {'same' if is_same else 'DIFFERS'} {number} in")

    def kept_of(self, chat: SimulatedChat) -> list[tuple[str, str]]:
        assert chat.line is not None
        count = self.memory.messages.count(chat.line)
        kept = self.memory.messages.slice(chat.line, 0, count)
        return [(m.role, m.text) for m in kept if not m.is_hidden]

    def difference(self, chat: SimulatedChat) -> list[str]:
        """Return how what is kept of a chat differs from what it is: nothing where it does not."""
        kept, shown = self.kept_of(chat), [(m.role, m.text) for m in chat.messages]
        if self.mode or self.is_switching:
            kept, shown = joined(kept), joined(shown)
        if kept == shown:
            return []
        pairs = enumerate(zip(kept, shown, strict=False))
        at = next((n for n, (a, b) in pairs if a != b), min(len(kept), len(shown)))
        rows = [f"kept {len(kept)}, shown {len(shown)}, first other at {at}"]
        rows += [f"  kept  {row}" for row in kept[max(0, at - 1) : at + 3]]
        return rows + [f"  shown {row}" for row in shown[max(0, at - 1) : at + 3]]

    @override
    def seldom(self) -> list[Act]:
        acts = [*super().seldom(), self.impersonate, self.fail]
        return [*acts, *[self.switch] * 2] if self.is_switching else acts

    @override
    def play(self, acts: int) -> None:
        """Play so many random acts, and then two more turns in each chat."""
        super().play(acts)
        for chat in self.chats * 2:
            self.log.append(f"say in {self.chats.index(chat)}: {len(chat.messages)}")
            self.say(chat)

    def faults(self) -> list[str]:
        """Return what is wrong at the end of a play."""
        rows = self.memory.chats.all()
        found = [] if len(rows) == 1 else [f"{len(rows)} chats"]
        for n, chat in enumerate(self.chats):
            if chat.line is None:
                found.append(f"chat {n} is nowhere")
            elif differs := self.difference(chat):
                found += [f"chat {n}:", *differs]
        return found


def joined(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return texts of one role, one behind the other, as one: so they are sent."""
    return [
        (role, "\n\n".join(text for _role, text in run))
        for role, run in groupby(rows, itemgetter(0))
    ]
