"""Which memories of other tools were taken over, and which of them the user left out."""

from __future__ import annotations

import pytest

from tests.factories import make_store


@pytest.fixture
def store(tmp_path):
    return make_store(tmp_path)


def test_what_is_new_and_what_was_known_before_are_both_noted(store):
    with store.database.writing():
        store.adopted.note(["a"], ["b"])
    assert store.adopted.known() == {"a": False, "b": False}


def test_what_is_taken_over_anew_is_left_out_no_more_and_what_is_known_stays_as_it_is(store):
    with store.database.writing():
        store.adopted.note(["a", "b"], [])
        store.database.rows("UPDATE adopted_origin SET is_left_out = 1")
        store.adopted.note(["a"], ["b"])
    assert store.adopted.known() == {"a": False, "b": True}
