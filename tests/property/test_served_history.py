"""What a front end has shown of a chat, in whatever pieces, is what is stored: each text, in order.

A history is cut into requests: each ends with a message of the player and begins anywhere. Texts
are stored to the byte, names apart.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock

CTX = NullContext()
PARTS = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}
SYSTEM = "You play Alice, the keeper of the Moonlight tavern, in a long story by the river."
# Texts that look like something else: each is a message, and nothing of it may be read out of it.
SHAPES = (
    "第{n}天：雨停了，渡口的灯还亮着。",
    "Day {n}: the rain has stopped, and the ferry lamp is lit.",
    "8点：他在桥上等了{n}个时辰。",
    "他说：“走吧，已经第{n}次了。”",
    "爱丽丝：你在哪？\n鲍勃：第{n}号码头。\n爱丽丝：等我。",
    "Alice: come closer, number {n}.\nBob: I will.",
    "  两个空格在前，第{n}句。  ",
    "\n\n# 第{n}章\n\n雪落在旧桥上。\n",
    "| 物品 | 数量 |\n|---|---|\n| 铜钥匙 | {n} |",
    "床前明月光{n}\n　　疑是地上霜",
    "12:30 – 12:4{n}: nothing moves on the river.",
    "```\nkey: {n}\n```",
    "She said: “go, for the {n}th time.”",
    "第{n}句话，没有什么特别。",
)
SHORT = ("嗯。", "…", "Yes.", "好")
TEXTS = st.tuples(st.integers(0, len(SHAPES) - 1), st.booleans(), st.integers(0, 3))


def history(kinds, *, begins_with_reply):
    """Return (role, text) in turn; some texts are said again and again."""
    rows = []
    for n, (shape, is_short, which) in enumerate(kinds):
        role = ("assistant", "user")[(n + (not begins_with_reply)) % 2]
        rows.append((role, SHORT[which] if is_short else SHAPES[shape].format(n=n)))
    end = [("user", "最后一问，钥匙在哪里？"), ("assistant", "在井里。")]
    return rows + (end[1:] if rows[-1][0] == "user" else end)


class Player:
    """A front end that shows pieces of one history, and the library behind it."""

    def __init__(self, folder: Path, story) -> None:
        self.memory = Memory.open(folder, clock=counting_clock(), environ={})
        for key, value in PARTS.items():
            self.memory.settings.set(key, value)
        self.story = story

    def ask(self, first: int, last: int, *, named: str = "") -> None:
        """Send the messages from ``first`` to ``last``; the next message is the reply."""
        said = [{"role": role, "content": text} for role, text in self.story[first : last + 1]]
        body = {"messages": [{"role": "system", "content": SYSTEM}, *said]}
        request = self.memory.serving.read(body, path_chat=named)
        identity = self.memory.serving.identify(CTX, request)
        kept = self.memory.serving.keep_request(CTX, request, identity)
        self.memory.serving.keep_reply(CTX, kept, self.story[last + 1][1])

    def stored(self) -> list[tuple[str, str]]:
        chats = self.memory.chats.all()
        assert len(chats) == 1, [chat.name for chat in chats]
        line = Line.main(chats[0].chat_id)
        assert len(self.memory.branches.all(line.chat_id)) == 1
        count = self.memory.messages.count(line)
        return [(m.role, m.text) for m in self.memory.messages.slice(line, 0, count)]


def asked_at(story, picks) -> list[int]:
    """Return positions of the player's messages that are sent, in order; always the last one."""
    able = [n for n, (role, _text) in enumerate(story[:-1]) if role == "user"]
    chosen = {able[pick % len(able)] for pick in picks}
    return sorted(chosen | {able[-1]})


@given(
    kinds=st.lists(TEXTS, min_size=3, max_size=40),
    begins_with_reply=st.booleans(),
    picks=st.lists(st.integers(0, 99), max_size=6),
    named=st.sampled_from(["", "酒馆"]),
)
@example([(0, False, 0)] * 9, False, [0, 2], "")  # headings in every message
@example([(3, False, 0)] * 9, True, [0, 2], "")  # who is quoted
@example([(0, True, 0)] * 9, True, [1, 2], "酒馆")  # one word, again and again
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_whole_histories_are_stored_as_they_are(kinds, begins_with_reply, picks, named):
    story = history(kinds, begins_with_reply=begins_with_reply)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = Player(Path(folder) / "library", story)
        for last in asked_at(story, picks):
            player.ask(0, last, named=named)
            assert player.stored() == story[: last + 2]
        player.memory.close()


@given(
    kinds=st.lists(st.integers(0, len(SHAPES) - 1), min_size=4, max_size=40),
    picks=st.lists(st.integers(0, 99), min_size=1, max_size=6),
    cuts=st.lists(st.integers(0, 60), min_size=8, max_size=8),
)
@example([13] * 30, [0, 3, 9], [0, 5, 0, 2, 0, 0, 0, 0])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_pieces_of_a_history_show_is_stored_in_its_place(kinds, picks, cuts):
    """Each request begins anywhere; what was never shown may be missing, nothing else."""
    story = history([(kind, False, 0) for kind in kinds], begins_with_reply=False)
    seen: set[int] = set()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = Player(Path(folder) / "library", story)
        for n, last in enumerate(asked_at(story, picks)):
            first = min(cuts[n % len(cuts)], max(0, last - 1))
            player.ask(first, last, named="酒馆")
            seen.update(range(first, last + 2))
            assert player.stored() == [story[at] for at in sorted(seen)]
        player.memory.close()


@pytest.mark.parametrize("named", ["", "酒馆"])
def test_five_thousand_messages_at_once_and_a_thousand_more(tmp_path, named):
    kinds = [(n % len(SHAPES), n % 7 == 0, n % 4) for n in range(6_002)]
    story = history(kinds, begins_with_reply=True)
    player = Player(tmp_path / "library", story)
    player.ask(0, 4_999, named=named)
    assert player.stored() == story[:5_001]
    player.ask(0, 5_999, named=named)
    assert player.stored() == story[:6_001]
    player.memory.close()
