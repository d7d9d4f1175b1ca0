"""Whatever is typed is a valid query, and what is marked is what was looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.search import (
    MAX_WORDS,
    PASSAGE,
    Clause,
    expression,
    folded,
    holds,
    parse,
    passage_of,
    spans,
)
from tests.property.test_lexemes import _table

_TYPED = st.lists(
    st.one_of(
        st.sampled_from(list("月光酒馆ab :：-－\"“”「」|()*^%'\\\0\u3000,，")),
        st.sampled_from(["type:", "is：", "实体:", "event", "蓝", "chat:", "-type:log", " OR "]),
        st.sampled_from(["\ud800", "\u0301", "㎏", "İ"]),
        st.characters(),
    ),
    max_size=40,
).map("".join)


@given(_TYPED)
def test_whatever_is_typed_is_a_query(typed):
    query = parse(typed)
    for clause in query.clauses:
        assert 0 < len(clause.words + clause.without + clause.filters) <= MAX_WORDS
        assert clause.words or clause.without or clause.filters
    db = _table()
    for word in query.words:
        word.text.encode()
        if asked := expression(word):
            db.execute("SELECT rowid FROM lexicon WHERE lexicon MATCH ?", (asked,)).fetchall()


@given(_TYPED, _TYPED)
def test_marks_lie_in_the_text_in_order(typed, text):
    words = parse(typed).words
    passage = passage_of(text, words)
    last = 0
    for start, end in passage.marks:
        assert last <= start < end <= len(passage.text)
        last = end
    assert len(passage.text) <= PASSAGE + 2


@given(_TYPED)
def test_a_word_stands_in_itself(typed):
    for word in parse(typed).words:
        assert spans([word], word.text)
        assert holds(Clause((word,)), ["另一个", word.text])
        assert not holds(Clause(without=(word,)), ["另一个", word.text])


@given(_TYPED)
def test_folding_leads_back_to_the_text(text):
    side = folded(text)
    for at in range(len(side.text)):
        start, end = side.original(at, at + 1)
        assert 0 <= start < end <= len(text)
