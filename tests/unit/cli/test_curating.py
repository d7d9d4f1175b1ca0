"""`engram witnesses` and `engram thread`: who was there, and threads, said on the command line."""

from __future__ import annotations

import pytest

from tests.factories import write_chat

ROWS = [
    ("旅人", "“爱丽丝，钥匙藏在钟楼里。”"),
    ("爱丽丝", "“我谁也不说。”她把铜钥匙推过柜台。"),
    ("旅人", "“明天我一定还你。”旅人说。墙上的座钟停在十一点四十分。"),
    ("凯尔", "“你们在说什么？”凯尔推门进来。"),
]


@pytest.fixture
def tale(engram, tmp_path):
    """A chat with an event of each pair of floors."""
    engram("import", write_chat(tmp_path / "秘.jsonl", ROWS, user="旅人"))
    engram("add", "秘", "爱丽丝把钥匙给了旅人。", "--range", "0-1")
    engram("add", "秘", "凯尔进来了。", "--range", "3-3")
    return "秘"


def cells(engram, *words):
    """What `witnesses` prints: (state, said by the user) by event and person."""
    code, rows = engram.all_of("witnesses", "秘", *words)
    assert code == 0, engram.error
    return [{one["name"]: (one["state"], one["is_said"]) for one in row["people"]} for row in rows]


def test_the_grid_is_listed_by_event_and_person(engram, tale):
    first, second = cells(engram)
    assert first["爱丽丝"] == ("present", False)
    assert first["凯尔"][0] == "unaware"
    assert second["凯尔"] == ("present", False)
    assert cells(engram, "--range", "0-1", "--person", "凯尔") == [{"凯尔": ("unaware", False)}]
    assert cells(engram, "--at", "1") == [first]


def test_a_cell_is_said_and_taken_back_and_undone(engram, tale):
    event = engram.all_of("witnesses", tale)[1][0]["event"]
    said = cells(engram, event, "--person", "凯尔", "--set", "knows", "--at", "3")
    assert said == [{"凯尔": ("knows", True)}]
    assert cells(engram, "--at", "2")[0]["凯尔"] == ("unaware", True)
    knowers = engram("who", tale, event)[1]
    assert ("凯尔", 3) in {(one["actor"], one["from_floor"]) for one in knowers}
    assert cells(engram, event, "--person", "凯尔", "--unset") == [{"凯尔": ("unaware", False)}]
    engram("undo", tale)
    assert cells(engram, event)[0]["凯尔"] == ("knows", True)


def test_many_cells_are_one_step_and_persons_who_never_speak_are_taken(engram, tale):
    said = cells(engram, "--range", "0-3", "--person", "老王", "--person", "凯尔", "--set", "kept")
    assert said == [{"老王": ("kept", True), "凯尔": ("kept", True)}] * 2
    secrets = engram("secrets", tale)[1]
    assert {tuple(sorted(one["kept_from"])) for one in secrets if one["kind"] == "event"} == {
        ("凯尔", "老王")
    }
    assert "4 cells" in engram("undo", tale)[1]["label"]
    assert "老王" not in cells(engram)[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--set", "kept"), "Name the persons"),
        (("--set", "kept", "--person", "凯尔"), "Name the persons"),
        (("--unset", "--range", "90-99", "--person", "凯尔"), "There is no message “#90”"),
        (("--person", " "), "A person needs a name"),
        (("nothing",), "There is no event “nothing”"),
        (("--at", "99"), "There is no message “#99”"),
    ],
)
def test_what_cannot_be_said_is_refused(engram, tale, words, told):
    assert engram("witnesses", tale, *words)[0] == 1
    assert told in engram.error


def threads(engram, *words):
    code, rows = engram("thread", "秘", *words)
    assert code == 0, engram.error
    return {row["quotes"][0]["text"]: (row["status"], row["noted"]) for row in rows}


CLOCK = "座钟停在十一点四十分"


def test_a_thread_is_noted_settled_and_forgotten(engram, tale):
    others = threads(engram)  # what rules find
    still_open = {text: row for text, row in others.items() if row[0] == "open"}
    assert still_open
    assert threads(engram, "--note", CLOCK, "--floor", "2") == {CLOCK: ("open", True)}
    assert threads(engram) == others | {CLOCK: ("open", True)}
    clock = next(r["id"] for r in engram("thread", tale)[1] if r["noted"])
    assert threads(engram, clock, "--answer", "kept") == {CLOCK: ("kept", True)}
    assert threads(engram, "--status", "open") == still_open
    assert threads(engram, clock, "--unanswer") == {CLOCK: ("open", True)}
    assert threads(engram, clock, "--forget") == others
    engram("undo", tale)
    assert threads(engram, clock) == {CLOCK: ("open", True)}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--note", CLOCK), "give both"),
        (("--floor", "2"), "give both"),
        (("--note", "别处的话", "--floor", "2"), "Words of message #2 are expected"),
        (("--note", CLOCK, "--floor", "99"), "There is no message “#99”"),
        (("x", "--note", CLOCK, "--floor", "2"), "no ID yet"),
        (("--answer", "kept"), "by its ID"),
        (("x", "--forget"), "There is no finding “x”"),
    ],
)
def test_a_thread_that_cannot_be_is_refused(engram, tale, words, told):
    assert engram("thread", tale, *words)[0] == 1
    assert told in engram.error


def test_only_a_noted_thread_can_be_forgotten(engram, tale):
    promise, *_more = engram("thread", tale)[1]
    assert engram("thread", tale, promise["id"], "--forget")[0] == 1
    assert "only noted ones" in engram.error
