"""The extraction parser takes any JSON value; what it keeps survives being stored."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.memory.extraction import (
    MAX_EVENTS,
    MAX_NAME,
    MAX_SUMMARY,
    PlotExtraction,
    StructuredKv,
    parse_extraction,
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.text(alphabet=st.characters(categories=["Cs", "Cc", "Lo"]), max_size=5)
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
KEYS = tuple(PlotExtraction("x").to_json())
kv = st.dictionaries(st.sampled_from(tuple(StructuredKv().to_json())), anything, max_size=6)
rows = st.lists(
    st.dictionaries(
        st.sampled_from(("name", "type", "subject", "predicate", "object")), anything, max_size=5
    ),
    max_size=4,
)
likely = st.dictionaries(st.sampled_from(KEYS), anything | kv | rows, max_size=len(KEYS))
answers = anything | likely | st.builds(lambda e: {"events": e}, st.lists(likely, max_size=4))


@given(answers)
def test_any_json_value_is_read_without_raising(value):
    parsed = parse_extraction(value)
    assert len(parsed.events) <= MAX_EVENTS
    assert parsed.events or parsed.faults or value in ([], {"events": []})
    assert all(fault.path and fault.message for fault in parsed.faults)
    for event in parsed.events:
        assert 0 < len(event.summary) <= MAX_SUMMARY
        assert 0.0 <= event.significance_score <= 1.0
        assert all(0 < len(word) <= MAX_NAME for word in event.keywords)
        assert all(e.name for e in event.entities)
        assert all(r.subject and r.predicate and r.object for r in event.relations)


@given(answers)
def test_what_is_kept_can_be_stored_and_read_back(value):
    for event in parse_extraction(value).events:
        stored = json.dumps(event.to_json(), ensure_ascii=False, allow_nan=False).encode()
        assert PlotExtraction.from_json(json.loads(stored)) == event
        again = parse_extraction(json.loads(stored))
        assert again.events == (event,)
        assert again.faults == ()
