"""How many equal messages prove that a file tells of a chat."""

from __future__ import annotations

import pytest

from engram_desktop.services.chats.match_chat import ComparedLine


def compared(common, equal, line_count, file_count, source=""):
    return ComparedLine("c", "C", "main", source, common, equal, line_count, file_count)


@pytest.mark.parametrize(
    ("common", "lines", "file", "is_same"),
    [(3, 3, 9, True), (3, 9, 3, True), (2, 2, 9, False), (3, 4, 9, False), (9, 9, 9, True)],
)
def test_three_messages_that_the_longer_goes_on_with_are_the_same_story(
    common, lines, file, is_same
):
    assert compared(common, common, lines, file).is_same is is_same


@pytest.mark.parametrize(
    ("common", "equal", "lines", "is_of"),
    [
        (1, 1, 1, True),  # all there is, however short
        (0, 0, 1, False),
        (2, 2, 9, False),
        (3, 3, 9, True),
        (0, 2, 3, False),
        (0, 9, 9, True),  # edited at its beginning
    ],
)
def test_a_chat_of_the_same_file_is_known_again_though_it_was_edited(common, equal, lines, is_of):
    assert compared(common, equal, lines, 9, "f").is_of("f") is is_of
    assert compared(common, equal, lines, 9, "f").is_of("g") is False
