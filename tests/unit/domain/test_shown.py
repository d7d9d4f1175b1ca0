"""A thing that is there shows that it was denied: where it lies, whose it is, and who sees it."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.claim import Finding

_PEOPLE = {"zh": ("管家", "沈墨"), "en": ("Harker", "Simon")}


def _lies(language: str, denial: str, *later: str) -> list[Finding]:
    liar, player = _PEOPLE[language]
    narrator = "旁白" if language == "zh" else "Narrator"
    messages = [(liar, denial), (player, "*……*"), *((narrator, text) for text in later)]
    found = read_all(messages, player, known=[liar, player])[1]
    return [finding for finding in found if finding.kind == "lie"]


@pytest.mark.parametrize(
    ("language", "denial", "later", "status"),
    [
        ("zh", "“账本早就烧了。”", "管家回到房里，掀开地砖。账本就压在砖下面。", "told"),
        ("zh", "“小的没拿那块玉。”", "沈墨扯开管家的包袱，玉从里头滚了出来。", "found_out"),
        (
            "en",
            '"The ledger was burned, sir."',
            "Harker lifted a tile. The ledger lay under it.",
            "told",
        ),
        (
            "en",
            '"I never had the ring."',
            "Simon shook out Harker's coat. The ring fell out.",
            "found_out",
        ),
    ],
)
def test_what_was_denied_and_is_there_is_a_lie(language, denial, later, status):
    (lie,) = _lies(language, denial, later)
    assert (lie.status, lie.who) == (status, (_PEOPLE[language][0],))
    assert lie.quotes[0].text.strip("“”") == denial.strip('“”"')


@pytest.mark.parametrize(
    ("language", "denial", "later"),
    [
        ("zh", "“账本早就烧了。”", "沈墨买了一本新账本，放在桌上。"),  # another one
        ("zh", "“账本早就烧了。”", "管家掀开地砖。砖下面没有账本。"),
        ("zh", "“账本早就烧了。”", "管家把沈墨的茶放在桌上。"),
        (
            "en",
            '"The ledger was burned, sir."',
            "Simon bought a new ledger. The new ledger lay on the desk.",
        ),
        ("en", '"The ledger was burned, sir."', "Harker lifted a tile. No ledger lay under it."),
    ],
)
def test_another_thing_or_none_shows_nothing(language, denial, later):
    assert _lies(language, denial, later) == []


def test_a_thing_shows_nothing_long_after_it_was_denied():
    later = "管家掀开地砖。账本就压在砖下面。"
    assert _lies("zh", "“账本早就烧了。”", *["下雨了。"] * 9, later) == []


@pytest.mark.parametrize(
    ("language", "said", "later"),
    [
        ("zh", "“我没碰那个杯子。”", "杯子放在桌上，管家站在一旁。"),
        ("zh", "“我没吃饭。”", "饭摆在桌上，管家坐在桌边。"),
        ("zh", "“我没带伞。”", "门边立着一把伞，管家看了一眼。"),
        ("zh", "“没有酒了。”", "管家端出一坛酒。"),
        ("zh", "“我的剑丢了。”", "墙上挂着一把剑。管家叹气。"),
        ("en", '"I don’t have any money."', "Harker saw the money that lay in the box."),
        ("en", '"I haven’t seen the letter yet."', "The letter lay on the desk by Harker."),
        ("en", '"We have no bread."', "The bread lay on the table. Harker smiled."),
    ],
)
def test_what_is_said_every_day_of_things_is_no_lie(language, said, later):
    assert _lies(language, said, later) == []
