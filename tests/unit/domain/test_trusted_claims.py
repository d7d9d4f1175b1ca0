"""What a story says of offices, appointments and things, and what becomes of it."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all

KNOWN_EN = [
    ("Narrator", "Anna looked up. She nodded. Tom smiled. He sat down. Greta yawned. She left."),
    ("Robin", "*I nod.* Good day."),
    ("Narrator", "Anna nodded. She smiled. Tom sat down. He laughed. Greta came back. She sat."),
]
KNOWN_ZH = [
    ("旁白", "沈砚看了看窗外。他点点头。苏棠笑了。她坐下来。陆三走了进来。他咳了一声。"),
    ("林远", "*我看着他们*"),
    ("旁白", "沈砚嗯了一声。他坐下。苏棠点点头。她站了起来。"),
]


def told(*messages):
    """Read messages after some that make people known; a text alone is the narrator's."""
    is_zh = any(not (m if isinstance(m, str) else m[1]).isascii() for m in messages)
    narrator, player = ("旁白", "林远") if is_zh else ("Narrator", "Robin")
    people = ["沈砚", "苏棠", "陆三"] if is_zh else ["Anna", "Tom", "Greta"]
    rows = [(narrator, m) if isinstance(m, str) else m for m in messages]
    return read_all([*(KNOWN_ZH if is_zh else KNOWN_EN), *rows], player, known=people)


def facts(*messages, facet):
    return [(c.about, c.value) for got in told(*messages)[0] for c in got.facts if c.facet == facet]


def over(*messages):
    return [f.quotes[0].text for f in told(*messages)[1] if f.kind == "superseded"]


def statuses(*messages, kind="promise"):
    return [f.status for f in told(*messages)[1] if f.kind == kind]


@pytest.mark.parametrize(
    ("before", "message", "holder"),
    [
        ("沈砚是掌门。", "三天后，掌门之位由苏棠接任。", ("苏棠", "掌门")),
        ("沈砚是这里的堂主。", "那年冬天，由苏棠出任堂主。", ("苏棠", "堂主")),
        ("沈砚是掌门。", "沈砚咳了两声，让位给苏棠。", ("苏棠", "位")),
        ("沈砚是这里的国王。", "沈砚传位于苏棠。", ("苏棠", "位")),
        ("沈砚是这里的国王。", "王位传给了苏棠。", ("苏棠", "王位")),
        ("沈砚是帮主。", "苏棠接替沈砚成了帮主。", ("苏棠", "帮主")),
        ("Tom was the king of the isles.", "The throne passed to Anna.", ("Anna", "throne")),
        ("Tom is the captain.", "Anna succeeded her father as captain.", ("Anna", "captain")),
        ("Tom is the sheriff.", "Anna was made sheriff in his place.", ("Anna", "sheriff")),
        ("Tom is the captain.", "Tom handed the captaincy to Anna.", ("Anna", "captaincy")),
        ("Tom is the mayor.", "The new mayor is Anna.", ("Anna", "mayor")),
    ],
)
def test_an_office_passes_to_another_and_is_over_for_who_had_it(before, message, holder):
    assert holder in facts(before, message, facet="work")
    assert before in over(before, message)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("沈砚是掌门。", "沈砚打算让位给苏棠。"),
        ("沈砚是掌门。", "沈砚没有让位给苏棠。"),
        ("沈砚是掌门。", ("苏棠", "“要是掌门之位由我接任呢？”")),
        ("沈砚是白虎堂的堂主。", "那年冬天，由苏棠出任青龙堂的堂主。"),
        ("沈砚坐在前排。", "沈砚把座位让给了苏棠。"),
        ("Tom was captain of the Gull.", "Anna took over as captain of the Heron."),
        ("Tom is the captain.", "Anna hadn't taken over as captain."),
        ("Tom is the captain.", ("Anna", '"If Tom dies, who succeeds him as captain?"')),
        ("Tom is the sheriff.", "The bottle passed to Anna."),
    ],
)
def test_an_office_that_nobody_takes_over_is_not_over(before, message):
    assert over(before, message) == []


def test_a_seat_is_the_same_told_twice():
    messages = ("沈砚是这里的国王。", "沈砚传位于苏棠。", "王位传给了苏棠。")
    assert over(*messages) == ["沈砚是这里的国王。"]
