"""Conditions on the state: Chinese names, forgiving signs, and never more than an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.state.condition import MAX_CHARS, evaluate, facts_of

STATE = {
    "爱丽丝": {"好感度": [93, "喜爱"], "心情": "开心"},
    "旅人": {"物品": ["铜钥匙", "灯", "伞"], "金币": 20.5},
    "affinity": {"alice": 91},
    "$meta": {"x": 1},
}
FACTS = facts_of(STATE, actor="凯尔", owner="爱丽丝", participants=["凯尔", "旅人"], floor=7)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("爱丽丝.好感度 > 90", True),
        ("爱丽丝.好感度 > 95", False),
        ("爱丽丝.好感度＞90 ＆＆ 旅人.金币 >= 20", True),
        ("affinity.alice > 90", True),
        ("state.爱丽丝.好感度 >= 93", True),
        ('"铜钥匙" in 旅人.物品', True),
        ("“灯” in 旅人.物品", True),
        ("size(旅人.物品) == 3", True),
        ('爱丽丝.心情.contains("开")', True),
        ("爱丽丝.心情 == ‘开心’", True),
        ('旅人.物品.exists(x, x == "信")', False),
        ("actor in participants && owner == “爱丽丝”", True),
        ("actor == owner", False),
        ("floor > 5", True),
        ('"爱丽丝.好感度 > 95" == "x" || true', True),
    ],
)
def test_conditions_are_read_as_they_are_meant(text, holds):
    verdict = evaluate(text, FACTS)
    assert verdict.fault == ""
    assert verdict.holds is holds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("没有.这个 > 1", "the state holds no 没有"),
        ("nothing > 1", "the state holds no nothing"),
        ("爱丽丝.好感度", "neither true nor false"),
        ("爱丽丝.心情 > 1", "different kinds"),
        ("1 +", "cannot be read"),
        ("", "cannot be read"),
        ("1 / 0 == 1", "cannot be read"),
        ("旅人.物品.all(x, 旅人.物品.all(y, true))", "more than one list"),
        ("x" * (MAX_CHARS + 1), "longer"),
        ("_meta.x == 1", "the state holds no _meta"),
        ("__import__('os').system('true')", ""),
    ],
)
def test_what_cannot_be_evaluated_does_not_hold_and_says_why(text, why):
    verdict = evaluate(text, FACTS)
    assert not verdict.holds
    assert verdict.fault
    assert why in verdict.fault


@given(st.text(st.sampled_from("爱丽丝.a>=<&|!()[]{}'\"“”+-*/%?:, 019in\n\\"), max_size=40))
def test_no_text_raises(text):
    evaluate(text, FACTS)


LONG = facts_of({"list": list(range(5_000)), "rows": {str(n): n for n in range(5_000)}, "a": 1})


@pytest.mark.parametrize(
    "text",
    [
        "list.map(x, list).size() > 0",
        "state.list.map(x, x) == []",
        "list . map(x, list) == list",
        "list.filter(x, x > 1).size() > 0",
        "list.all(x, [list, list].size() > 0)",
        "list.all(x, (list + list).size() > 0)",
        "rows.all(k, rows[k] >= 0)",
        'rows.all(k, state["rows"][k] >= 0)',
        "(list + list).exists(x, list == [x])",
        "list.exists(x, x in list)",
        """list.all(x, ')' != '(' && [list, list].size() > 0)""",
        r"""r"\" == list.map(x, list) || " """,
    ],
)
def test_what_would_take_long_is_refused_in_words(text):
    verdict = evaluate(text, LONG)
    assert not verdict.holds
    assert "too long" in str(verdict.fault) or "makes a list" in str(verdict.fault)


@pytest.mark.parametrize(
    "text",
    [
        "list.all(x, x >= 0)",
        "list.exists(x, x == 4999)",
        "list.all(x, state.a > 0)",
        'list.all(x, state["a"] > 0 && floor == 0)',
        "list == list && list.size() == 5000 && 77 in list",
        'rows["7"] == 7',
        "[3, 4].filter(x, x > 3).size() == 1",
        "rows.exists(k, k == '4')",
        "list.all(x, x >= 0) && list.size() == 5000 && ')' != '('",
    ],
)
def test_what_is_quick_over_long_lists_is_evaluated(text):
    assert evaluate(text, LONG).fault == ""
    assert evaluate(text, LONG).holds
