"""What is picked at one place of a chat stays picked, and is what SillyTavern picks there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.known import picked, text_hash
from engram_desktop.domain.macros.scope import MacroScope


@given(st.text(max_size=40))
def test_a_hash_has_53_bits(text):
    assert 0 <= text_hash(text) < 2**53


@given(st.integers(1, 50), st.integers(0, 2**53), st.integers(0, 10_000))
def test_a_pick_is_one_of_those_there_are_and_the_same_again(count, text, place):
    found = picked(count, "4711", text, place)
    assert 0 <= found < count
    assert picked(count, "4711", text, place) == found


def test_chats_texts_places_and_throws_differ():
    many = {
        picked(1000, chat, text, place)
        for chat in ("1", "2", "2-7")
        for text in (3, 4)
        for place in (0, 9)
    }
    assert len(many) > 8


def test_it_is_picked_by_the_place_in_the_whole_text():
    text = "{{pick::a::b::c::d::e::f}}" * 12
    scope = MacroScope(picks="4711")
    assert fill(text, scope).text == fill(text, scope).text
    assert len(set(fill(text, scope).text)) > 1
