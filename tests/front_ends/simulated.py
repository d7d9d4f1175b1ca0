"""A front end that plays: it holds chats, and sends what it shows, as players use one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.domain.serving.keep_plan import Kept
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.front_ends import shapes
from tests.front_ends.shapes import Front, Says

CTX = NullContext()
_WORDS = (
    "river lantern copper bridge winter door bell ash meadow tower salt letter mirror thread"
    " 月光 铜钥匙 旧桥 风铃 雪夜 掌柜 渡口 灯火 山路 书信 铁门 花园 井水 斗篷 码头 祠堂"
).split()
PROCESSED = ("merge", "semi", "strict", "single")  # ways of SillyTavern's prompt processing
LORE = "The mill stands at the river."
_SHORT = ("嗯。", "好", "Yes.", "Go on.", "…")


@dataclass
class Message:
    """One message with its swipes."""

    role: str
    swipes: list[str]
    chosen: int = 0

    @property
    def text(self) -> str:
        return self.swipes[self.chosen]

    @text.setter
    def text(self, text: str) -> None:
        self.swipes[self.chosen] = text


@dataclass
class SimulatedChat:
    """One chat of the front end, and the line it is kept in."""

    messages: list[Message]
    line: Line | None = None

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]

    def copy(self, count: int) -> SimulatedChat:
        messages = [Message(m.role, list(m.swipes), m.chosen) for m in self.messages[:count]]
        return SimulatedChat(messages)


Act = Callable[[SimulatedChat], object]


@dataclass
class SimulatedFront:
    """Plays at random, with a library behind it. ``shape`` is how it sends: see `shapes`.

    ``is_named``: with the name of who speaks before each text.
    """

    memory: Memory
    dice: random.Random
    shape: str = "chat"
    is_named: bool = False
    template: str = "chatml"
    lore_depth: int = 0  # messages behind an entry of lore, in a text completion; 0 for none
    chats: list[SimulatedChat] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    number: int = 0

    def text(self, kind: str) -> str:
        if kind == "user" and self.dice.random() < 0.15:
            return self.dice.choice(_SHORT)
        self.number += 1
        words = self.dice.choices(_WORDS, k=self.dice.randint(8, 30))
        return f"{' '.join(words)} {self.number}."

    def new_chat(self) -> SimulatedChat:
        chat = SimulatedChat([Message("assistant", [self.text("reply")])])
        self.chats.append(chat)
        self.say(chat)
        self.say(chat)
        return chat

    # What a player does.

    def say(self, chat: SimulatedChat) -> None:
        chat.messages.append(Message("user", [self.text("user")]))
        self.ask(chat)

    def reroll(self, chat: SimulatedChat) -> None:
        if chat.messages[-1].role == "assistant" and len(chat.messages) > 1:
            self.ask(chat, anew=True)

    def swipe_back(self, chat: SimulatedChat) -> None:
        chat.messages[-1].chosen = self.dice.randrange(len(chat.messages[-1].swipes))
        self.say(chat)

    def edit(self, chat: SimulatedChat) -> None:
        at = self.dice.randrange(max(1, len(chat.messages) - 6), len(chat.messages))
        words = chat.messages[at].text.split(" ")
        if len(words) < 6:
            return
        words[self.dice.randrange(len(words))] = self.dice.choice(_WORDS)
        chat.messages[at].text = " ".join(words)
        self.say(chat)

    def delete_last(self, chat: SimulatedChat) -> None:
        count = self.dice.randint(1, 3)
        if len(chat.messages) > count + 3:
            del chat.messages[-count:]
            self.say(chat)

    def delete_between(self, chat: SimulatedChat) -> None:
        if len(chat.messages) > 9:
            del chat.messages[-self.dice.randint(3, 5)]
            self.say(chat)

    def fork(self, chat: SimulatedChat) -> None:
        if len(chat.messages) > 8:
            copied = chat.copy(self.dice.randrange(5, len(chat.messages) - 2))
            self.chats.append(copied)
            self.say(copied)

    def go_on(self, chat: SimulatedChat) -> None:
        if chat.messages[-1].role != "assistant":
            return
        order = "[Continue your last message without repeating its original content.]"
        kept = self.keep_request(chat, last=[("system", order)])
        more = " And then, " + self.text("reply")
        chat.messages[-1].text += more
        chat.line = self.memory.serving.keep_reply(CTX, kept, more).line
        self.check(chat)

    def ask_aside(self, chat: SimulatedChat) -> None:
        order = "[Pause your roleplay. Summarize the story so far in 200 words.]"
        kept = self.keep_request(chat, last=[("system", order)], is_quiet=True)
        self.memory.serving.keep_reply(CTX, kept, "They met, and went to the river.")
        self.check(chat)

    def break_off(self, chat: SimulatedChat) -> None:
        """The stream is cut: the front end keeps what arrived, the server nothing."""
        chat.messages.append(Message("user", [self.text("user")]))
        self.keep_request(chat)
        chat.messages.append(Message("assistant", [self.text("reply")[:40].strip()]))
        self.say(chat)

    # What the front end does.

    def ask(self, chat: SimulatedChat, *, anew: bool = False) -> None:
        shown = chat.copy(len(chat.messages) - 1) if anew else chat
        shown.line = chat.line
        kept = self.keep_request(shown)
        reply = self.text("reply")
        if anew:
            chat.messages[-1].swipes.append(reply)
            chat.messages[-1].chosen = len(chat.messages[-1].swipes) - 1
        else:
            chat.messages.append(Message("assistant", [reply]))
        chat.line = self.memory.serving.keep_reply(CTX, kept, reply).line
        self.check(chat)

    def keep_request(
        self,
        chat: SimulatedChat,
        last: list[tuple[str, str]] | None = None,
        *,
        is_quiet: bool = False,
    ) -> Kept:
        front = Front("Traveller", "Alice")
        story = [
            Says(m.role, "Traveller" if m.role == "user" else "Alice", m.text)
            for m in chat.messages[-self.dice.choice((14, 30, 400)) :]
        ]
        if self.shape == "text" and not is_quiet:
            notes = [(self.lore_depth, LORE)] if self.lore_depth else []
            body = shapes.tavern_text(
                front,
                story,
                template=self.template,
                named=self.is_named,
                lore=notes,
                ends="continue" if last else "reply",
            )
        else:
            named = "content" if self.is_named else ""
            lore = [(3, "system", LORE)]
            merged = self.shape if self.shape in PROCESSED else ""
            body = shapes.tavern_chat(
                front, story, last=last or [], lore=lore, named=named, merged=merged
            )
        request = self.memory.serving.read(body)
        identity: Identity = self.memory.serving.identify(CTX, request)
        if is_quiet:
            assert identity.wanted == "quiet", identity
        self.log.append(f"    {identity.wanted} {identity.line} {identity.until} {identity.why}")
        return self.memory.serving.keep_request(CTX, request, identity)

    def check(self, chat: SimulatedChat) -> None:
        """What the library holds is what the front end shows."""
        assert chat.line is not None, "\n".join(self.log[-12:])
        count = self.memory.messages.count(chat.line)
        kept = self.memory.messages.slice(chat.line, 0, count)
        texts = [message.text for message in kept if not message.is_hidden]
        shown = chat.texts
        if self.shape in PROCESSED:  # two messages of a role, one behind the other, are sent as one
            texts = _joined([(m.role, m.text) for m in kept if not m.is_hidden])
            shown = _joined([(m.role, m.text) for m in chat.messages])
        assert texts == shown, "\n".join([*self.log[-12:], *_difference(texts, shown)])

    def seldom(self) -> list[Act]:
        """What a player does now and then."""
        return [
            self.swipe_back,
            self.edit,
            self.delete_last,
            self.delete_between,
            self.fork,
            self.go_on,
            self.ask_aside,
            self.break_off,
        ]

    def play(self, acts: int) -> None:
        """Play this many random acts; the usual ones are chosen most often."""
        self.new_chat()
        likely = [self.say] * 5 + [self.reroll] * 3
        for _n in range(acts):
            act = self.dice.choice([*likely, *self.seldom()])
            chat = self.dice.choice(self.chats)
            self.log.append(f"{act.__name__} in {self.chats.index(chat)}: {len(chat.messages)}")
            act(chat)


def _joined(rows: list[tuple[str, str]]) -> list[str]:
    return ["\n\n".join(text for _role, text in run) for _r, run in groupby(rows, itemgetter(0))]


def _difference(kept: list[str], shown: list[str]) -> list[str]:
    at = next((n for n, (a, b) in enumerate(zip(kept, shown, strict=False)) if a != b), 0)
    rows = [f"kept {len(kept)}, shown {len(shown)}, first other at {at}"]
    rows += [f"kept  {text[:90]!r}" for text in kept[max(0, at - 1) : at + 4]]
    rows += [f"shown {text[:90]!r}" for text in shown[max(0, at - 1) : at + 4]]
    return rows
