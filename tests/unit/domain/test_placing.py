"""Where memory goes in a request, and which messages leave it."""

from __future__ import annotations

import pytest

from engram_desktop.domain.serving.exchange import (
    Placement,
    place_in_chat,
    place_in_prompt,
    told_instead,
    without_what_is_told,
)
from engram_desktop.domain.serving.request import Said


def said(*roles):
    return [Said(n, role, f"text {n}") for n, role in enumerate(roles)]


@pytest.mark.parametrize(
    ("roles", "place", "depth", "before"),
    [
        ("system user assistant user", "system", 0, 1),
        ("system system user", "system", 0, 2),
        ("user assistant user", "system", 0, 0),
        ("system", "system", 0, 1),
        ("system user assistant user", "last", 0, 3),
        ("system user", "last", 0, 1),
        ("system user assistant user assistant user", "depth", 2, 4),
        ("system user assistant user", "depth", 0, 4),
        ("system user assistant user", "depth", 999, 1),
        ("system user assistant tool user", "depth", 2, 2),
        ("system user assistant tool tool", "last", 0, 2),
        ("system user assistant tool tool user", "depth", 1, 5),
        ("system user assistant tool tool user", "depth", 2, 2),
    ],
)
def test_memory_goes_where_it_should_and_never_between_a_call_and_its_answer(
    roles, place, depth, before
):
    placement = place_in_chat(said(*roles.split()), "M", place, depth)
    assert placement == Placement(place, "M", before)


def test_without_text_or_messages_nothing_is_placed():
    assert place_in_chat(said("user"), "", "system") == Placement()
    assert place_in_chat([], "M", "system") == Placement()


def test_the_place_counts_only_messages_that_stay():
    rows = said("system", "user", "assistant", "user", "assistant", "user")
    placement = place_in_chat(rows, "M", "depth", 3, {1, 2})
    assert placement == Placement("depth", "M", 3, frozenset({1, 2}))
    assert place_in_chat(rows, "M", "system", 0, {1, 2}).before == 3


def leave(roles, window, told, floors=None):
    rows = said(*roles.split())
    spoken = [m.index for m in rows if m.role in {"user", "assistant"}]
    floors = floors if floors is not None else {index: n for n, index in enumerate(spoken)}
    newest = max(floors.values(), default=-1)
    return sorted(told_instead(rows, floors, told, newest, window))


TALK = "system user assistant user assistant user"


@pytest.mark.parametrize(
    ("roles", "window", "told", "leaves"),
    [
        (TALK, 2, {0, 1, 2, 3, 4}, [1, 2]),  # floor 2 is the player's, whose question stays
        (TALK, 1, {0, 1, 2, 3, 4}, [1, 2, 3, 4]),
        (TALK, 2, {1, 2}, []),  # the first is not told: what stays is whole
        (TALK, 2, {0}, []),  # the answer would begin the story
        (TALK, 9, {0, 1, 2, 3, 4}, []),
        (TALK, 0, {0, 1, 2, 3, 4}, []),
        ("system assistant user assistant user", 1, {0, 1, 2}, [1, 2, 3]),
        ("system assistant user assistant user", 2, {0, 1, 2}, [1, 2]),
        ("user assistant tool user assistant user", 1, {0, 1, 2, 3, 4}, []),
        ("assistant user assistant tool user user", 1, {0, 1, 2, 3, 4}, [0, 1]),
        ("system", 1, set(), []),
    ],
)
def test_only_what_is_told_and_old_is_left_out(roles, window, told, leaves):
    assert leave(roles, window, told) == leaves


def test_what_is_no_floor_of_the_line_stays():
    assert leave("user assistant user assistant user", 1, {0, 1, 2}, {1: 0, 2: 1, 3: 2}) == [1, 2]
    assert leave(TALK, 1, {0, 1}, {1: 0, 3: 1, 4: 2}) == []


@pytest.mark.parametrize(
    ("prompt", "mark"),
    [
        ("Card.\n***\nAlice: Hello there.\nBob: Hi.\nAlice:", "Card.\n***\n|"),
        (
            "<|im_start|>system\nCard.<|im_end|>\n<|im_start|>assistant\nAlice: Hello there."
            "<|im_end|>\n<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant\n",
            "<|im_start|>system\nCard.|<|im_end|>",
        ),
        ("Card.\n\n### Response:\nAlice: Hello there.\n\n### Response:\n", "Card.\n\n|### Resp"),
        (
            "<s>[INST] <<SYS>>\nCard.\n<</SYS>>\n\nAlice: Hello there. [/INST]",
            "<s>[INST] <<SYS>>\nCard.|\n<</SYS>>",
        ),
        (
            "<bos><start_of_turn>user\nCard.\n<end_of_turn>\n<start_of_turn>model\n"
            "Alice: Hello there.<end_of_turn>",
            "Card.|\n<end_of_turn>",
        ),
    ],
)
def test_memory_stands_before_the_story_and_inside_no_others_block(prompt, mark):
    placement = place_in_prompt(prompt, "M", prompt.index("Hello there"))
    before = placement.before
    assert before is not None
    shown = prompt[:before] + "|" + prompt[before:]
    assert mark in shown
    assert placement.text.strip() == "M"


@pytest.mark.parametrize(
    ("prompt", "before"),
    [("Once upon a time", 0), ("<|im_start|>system\nCard.", 19), ("<s>[INST] Card. [/INST]", 10)],
)
def test_where_no_story_is_known_memory_stands_in_front(prompt, before):
    assert place_in_prompt(prompt, "M", None) == Placement("system", "M\n", before)


def test_a_placeholder_in_a_prompt_wins():
    assert place_in_prompt("a {{engramSummaries}} b", "M", 0) == Placement("placeholder", "M")
    assert place_in_prompt("a", "", None) == Placement()


def test_lines_that_stand_in_the_request_are_left_out():
    text = "<t>\nHead:\n- [floors 1-2 · here] Alice hid the brass key.\n- [floor 3] Bob left.\n</t>"
    rows = [Said(0, "system", "World. Alice hid the brass key.")]
    assert without_what_is_told(text, rows) == "<t>\nHead:\n- [floor 3] Bob left.\n</t>"
    rows.append(Said(1, "user", "Bob left."))
    assert "Bob left" in without_what_is_told(text, rows), "too short to prove anything"
    assert without_what_is_told("<t>\n- [1] Alice hid the brass key.\n</t>", rows) == ""
    assert without_what_is_told(text, []) == text
