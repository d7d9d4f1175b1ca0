"""Any JSON, in any layout: what is not changed is the same text, what is changed is the value."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.formats.json_text import dump, find_value, read_json, removed, replaced

TEXT = st.text(st.characters(), max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)
LAYOUTS = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 1, 4, "\t"]), "ensure_ascii": st.booleans()}
)


def same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=5), VALUES, LAYOUTS, st.data())
def test_only_the_value_at_the_path_changes(document, new, layout, data):
    text = json.dumps(document, **layout)
    name = data.draw(st.sampled_from(sorted(document)))
    changed = replaced(text, [((name,), new)])
    assert same(read_json(changed, ""), {**document, name: json.loads(dump(new))})
    was, now = find_value(text, (name,)), find_value(changed, (name,))
    assert was is not None
    assert now is not None
    (start, end), (new_start, new_end) = was, now
    assert (changed[:new_start], changed[new_end:]) == (text[:start], text[end:])


@given(st.dictionaries(TEXT, VALUES, max_size=5), TEXT, VALUES, LAYOUTS)
def test_what_is_added_and_taken_away_again_leaves_the_text_as_it_was(document, name, new, layout):
    document.pop(name, None)
    text = json.dumps(document, **layout)
    changed = replaced(text, [((name,), new)])
    assert same(read_json(changed, ""), {**document, name: json.loads(dump(new))})
    if document:
        assert removed(changed, (), {name}) == text


@given(VALUES)
def test_what_is_written_is_read_again(value):
    assert same(read_json(dump(value, ""), ""), read_json(dump(value), ""))
    dump(value).encode()  # no lone surrogate is left
