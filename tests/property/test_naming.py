"""Words that only stand for somebody are never names; names that contain them always are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.graph.entity import KIN_AND_ROLES, PRONOUNS, is_entity_name
from engram_desktop.services.graph.link import identity_key

stand_ins = st.sampled_from(sorted(PRONOUNS | KIN_AND_ROLES))
WIDE = {ord(c): ord(c) + 0xFEE0 for c in "abcdefghijklmnopqrstuvwxyz"}
NAME_ZH = "钰琳瑶煜霖澜"


@given(stand_ins, st.sampled_from([str.upper, str.title, str]), st.sampled_from(["", " ", "　"]))
def test_no_spelling_of_a_stand_in_is_a_name(word, spelling, blank):
    assert not is_entity_name(f"{blank}{spelling(word)}{blank}")
    assert not is_entity_name(word.translate(WIDE))


@given(stand_ins, st.sampled_from(["我的", "他的", "你", "她们的", "my ", "the ", "her own "]))
def test_whose_it_is_makes_no_name_of_it(word, owner):
    assert not is_entity_name(owner + word)


@given(stand_ins, st.text(NAME_ZH, min_size=2, max_size=4), st.booleans())
def test_a_name_that_contains_one_is_a_name(word, name, is_before):
    assert is_entity_name(name + word if is_before else word + name)


@given(st.text())
def test_any_text_is_judged(text):
    assert is_entity_name(text) in {True, False}
    assert identity_key(f" {text} ") == identity_key(text)


@given(st.text("林晓东艾莉斯AbC ·・", min_size=1))
def test_width_case_blanks_and_dots_do_not_matter(name):
    wide = name.translate(WIDE)
    assert identity_key(wide) == identity_key(name.upper()) == identity_key(name.replace("·", " "))
