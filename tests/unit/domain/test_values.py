"""Names, scopes, labels, changes, the order of a story: the small rules everything rests on."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain import labels
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import entity_type, is_entity_name, norm_name
from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.memory.event import is_visible
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.memory.message import swipe_hash
from engram_desktop.domain.memory.scope import can_access
from tests.factories import make_event

SCOPES = ("global", "shared", "conditional", "private")
actors = st.sampled_from(["爱丽丝", "凯尔", "旅人", ""])


@pytest.mark.parametrize(
    "name", ["她", "我们", "妈妈", "老师", "I", "Her", "SOMEONE", "…", " ", ""]
)
def test_words_that_stand_for_somebody_name_nobody(name):
    assert not is_entity_name(name)


@pytest.mark.parametrize("name", ["爱丽丝", "Alice", "她乡旅店", "妈妈桑", "R2", "第三夜"])
def test_names_are_names(name):
    assert is_entity_name(name)


def test_one_name_in_many_spellings_is_one_name():
    assert {
        norm_name(n) for n in ("Alice  Vale", " alice vale", "ＡＬＩＣＥ Vale", "alice\tVALE")
    } == {"alice vale"}
    assert norm_name("が") == norm_name("か\u3099")  # composed and not


@given(st.text())
def test_a_normalised_name_is_its_own_normal_form(name):
    assert norm_name(norm_name(name)) == norm_name(name)


def test_models_words_for_types():
    told = ["Person", " 地点 ", "道具", "organization", "char", "dragon", ""]
    expected = ["char", "loc", "item", "concept", "char", "unknown", "unknown"]
    assert [entity_type(word) for word in told] == expected


@given(actors, st.sampled_from(SCOPES), actors, st.frozensets(actors), st.booleans())
def test_access_is_denied_by_default_and_never_widens(actor, scope, owner, participants, holds):
    def allowed(scope, participants, *, holds):
        return can_access(
            actor,
            scope,
            owner=owner,
            participants=participants,
            condition_holds=holds,
        )

    may = allowed(scope, participants, holds=holds)
    if may:
        assert allowed("global", participants, holds=holds)
        assert allowed(scope, participants | {"又一个人"}, holds=holds)
        assert allowed(scope, participants, holds=True)
    if scope == "private":
        assert may is (actor == owner)
    assert can_access(None, scope, owner=owner, participants=participants), "the curator sees all"
    assert can_access(actor, "private") is False
    assert can_access(actor, "conditional") is False
    assert can_access(actor, "shared") is False


TEMPLATES = [
    text for name, text in vars(labels).items() if name.isupper() and isinstance(text, str)
]


@pytest.mark.parametrize("text", TEMPLATES)
def test_a_step_label_formats_and_survives_being_stored(text):
    names = [name for _text, name, _spec, _how in string.Formatter().parse(text) if name]
    label = StepLabel(text, dict.fromkeys(names, "“{count}” 走了"))
    assert StepLabel.from_json(label.to_json()) == label
    assert str(label).count("“{count}” 走了") == len(names)


def test_changes_add_up():
    one = Changes("c", frozenset({1}), messages=True)
    other = Changes("c", frozenset({2}), frozenset({"e"}), settings=True, rows=True)
    both = one | other
    assert (both.events, both.entities) == (frozenset({1, 2}), frozenset({"e"}))
    assert both.messages
    assert both.settings
    assert both.rows
    assert not both.library
    assert one | Changes() == one == Changes() | one


def test_hashes_keep_their_parts_apart():
    assert content_hash("ab", "c") != content_hash("a", "bc")
    assert swipe_hash("甲", "乙") != swipe_hash("甲乙", "")
    assert len(content_hash("\ud800")) == len(swipe_hash("\ud800", "")) == 32


def test_what_is_always_in_context():
    blue, green = make_event(id="b"), make_event(id="g", is_archived=True)
    outline = make_event(id="o", is_archived=True, level=1)
    assert is_visible(blue)
    assert is_visible(outline)
    assert not is_visible(green)
    assert not is_visible(green, {"b", "o"})
    assert is_visible(green, {"g"})
