"""Whom an entry is for, told by ids as SillyTavern keeps them and by names as people write them."""

from __future__ import annotations

import pytest

from engram_desktop.domain.worldbooks.reasons import Speaker, refusal
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter

NAMES = {"id-1": "奇幻", "id-2": "Noir", "id-3": "空"}


def speaker(tags=None, *card_tags, names=NAMES):
    return Speaker("Alice", tags, card_tags, names)


def wanted(*tags, names=(), is_exclude=False):
    return CharacterFilter(names, tags, is_exclude)


@pytest.mark.parametrize(
    ("entry", "who", "told"),
    [
        # SillyTavern knows the character: its list decides, whatever the card says
        (wanted("id-1"), speaker(("id-1",)), None),
        (wanted("id-1"), speaker(("id-2",), "奇幻"), "with another tag: 奇幻"),
        (wanted("id-1"), speaker((), "奇幻"), "with another tag: 奇幻"),
        (wanted("gone"), speaker(("gone",)), None),  # a tag that was deleted since
        (wanted("id-1", is_exclude=True), speaker(("id-1",)), "but those with the tag 奇幻"),
        (wanted("id-1", is_exclude=True), speaker((), "奇幻"), None),
        # a tag in words: of SillyTavern's or of the card's
        (wanted("noir"), speaker(("id-2",)), None),
        (wanted("奇幻"), speaker(None, "奇幻"), None),
        (wanted("奇幻"), speaker((), "奇幻"), None),
        # SillyTavern says nothing of the character: what its card says counts
        (wanted("id-1"), speaker(None, "奇幻"), None),
        (wanted("id-2"), speaker(None, "NOIR"), None),
        (wanted("id-1"), speaker(None), "with another tag: 奇幻"),
        # nobody knows what the id means
        (wanted("id-9"), speaker(None, "奇幻", names={}), "with another tag: id-9"),
        # card files
        (wanted(names=("Bob", "Carol")), speaker(), "other characters: Bob, Carol"),
        (wanted(names=("Alice",)), speaker(), None),
        (wanted(names=("Alice",), is_exclude=True), speaker(), "all characters but Alice"),
        # both lists must let the character in
        (wanted("id-1", names=("Alice",)), speaker(("id-2",)), "with another tag: 奇幻"),
        (wanted("id-1", names=("Bob",), is_exclude=True), speaker(("id-1",)), "tag 奇幻"),
        (wanted(), speaker(), None),
    ],
)
def test_an_entry_is_for_those_its_filter_names(entry, who, told):
    reason = refusal(entry, who)
    assert (reason is None) == (told is None)
    if told:
        assert reason is not None
        assert told in str(reason.phrase)
        assert not reason.fires
