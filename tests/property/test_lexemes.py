"""The tokenizer: what must hold for any text, however odd."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.recall.lexemes import (
    _ASKING,
    index_tokens,
    match_query,
    matched_words,
    query_characters,
    query_tokens,
    stem,
)

_MIXED = st.text(
    st.one_of(
        st.sampled_from(
            "月光酒馆的钥匙在哪里吗什么林月abcABC019 ：。？,.!\"'*()-^:{}のカ가é％Ａ\n"
        ),
        st.characters(),
    ),
    max_size=80,
)


def _table() -> apsw.Connection:
    db = apsw.Connection(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE lexicon USING fts5("
        "tokens, content='', contentless_delete=1, detail=none, tokenize='ascii')"
    )
    return db


def _found(text: str, query: str) -> bool:
    db = _table()
    db.execute("INSERT INTO lexicon(rowid, tokens) VALUES(1, ?)", (" ".join(index_tokens(text)),))
    rows = db.execute("SELECT rowid FROM lexicon WHERE lexicon MATCH ?", (query,))
    return bool(rows.fetchall())


@given(_MIXED)
def test_tokens_survive_the_ascii_tokenizer_whole(text: str):
    db = _table()
    db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(lexicon, row)")
    db.execute("INSERT INTO lexicon(rowid, tokens) VALUES(1, ?)", (" ".join(index_tokens(text)),))
    assert {term for (term,) in db.execute("SELECT term FROM terms")} == set(index_tokens(text))


@given(_MIXED)
def test_every_query_token_of_a_text_finds_the_text(text: str):
    tokens = set(index_tokens(text))
    assert set(query_characters(text)) <= tokens
    if _ASKING.sub(" ", text) == text:  # else what is left out may join its neighbours
        assert set(query_tokens(text)) <= tokens


@given(_MIXED)
def test_query_tokens_never_repeat(text: str):
    tokens = query_tokens(text)
    assert len(tokens) == len(set(tokens))


@given(_MIXED)
def test_any_text_finds_itself_in_the_search_box(text: str):
    query = match_query(text)
    assert not query or _found(text, query)


@given(_MIXED, _MIXED)
def test_no_search_text_is_a_syntax_error(text: str, search: str):
    query = match_query(search)
    if query:
        _found(text, query)


@given(st.text(st.sampled_from("月光酒馆钥匙"), min_size=1, max_size=12), st.integers(0, 11))
def test_a_single_character_finds_every_row_that_holds_it(text: str, place: int):
    assert _found(f"爱丽丝: {text}！", match_query(text[place % len(text)]))


@pytest.mark.parametrize(
    "hostile",
    [
        '"',
        '"""',
        "AND",
        "NOT",
        "OR OR",
        "NEAR(a b)",
        "-x",
        "col:x",
        "tokens:月",
        "foo(",
        "*",
        "^a",
        "a" * 10_000,
        "月" * 10_000,
        "x y " * 5_000,
        "\x00",
        "\ud800",
        "a\x00b",
        "{}",
        "'; DROP TABLE lexicon; --",
    ],
)
def test_hostile_search_text_is_only_words(hostile: str):
    query = match_query(hostile)
    if query:
        _found("a message", query)
        assert len(query) < 40_000


@pytest.mark.parametrize("nothing", ["", "  \n", "？！……", '"*"', "🙂"])
def test_text_without_words_asks_for_nothing(nothing: str):
    assert match_query(nothing) == ""
    assert query_tokens(nothing) == []


def test_chinese_is_cut_into_pairs_and_characters():
    assert index_tokens("月光酒，铜") == ["月光", "光酒", "月", "光", "酒", "铜"]
    assert query_characters("谁在追她？追") == ["在", "追", "她"]


def test_spellings_of_one_word_meet():
    assert index_tokens("Ｋｅｙ KEY keys key's") == ["key", "key", "key", "key"]


@pytest.mark.parametrize(
    ("forms", "root"),
    [
        (("paint", "paints", "painted", "painting"), "paint"),
        (("study", "studies"), "study"),
        (("run", "running"), "run"),
        (("glass", "glasses"), "glass"),
        (("hope", "hopes", "hoped", "hoping"), "hop"),
        (("café",), "café"),
        (("is", "was"), None),
    ],
)
def test_stems_of_common_forms_agree(forms: tuple[str, ...], root: str | None):
    for form in forms:
        assert stem(form) == (form if root is None else root)


def test_question_words_do_not_rank_unless_they_are_all_there_is():
    assert query_tokens("钥匙在哪里？") == ["钥匙", "匙在"]
    assert query_tokens("What did Melanie paint?") == ["melani", "paint"]
    assert query_tokens("什么？") == ["什么"]
    assert query_tokens("who was it") == ["who", "was", "it"]


def test_the_word_being_typed_matches_its_beginning():
    assert _found("Caroline: hello", match_query("carol"))
    assert not _found("Caroline: hello", match_query("carol hello"))


def test_every_word_must_be_there():
    assert _found("铜钥匙在酒馆", match_query("钥匙 酒馆"))
    assert not _found("铜钥匙在酒馆", match_query("钥匙 书店"))


def test_matched_words_are_joined_from_pairs_and_shown_as_asked():
    tokens = set(index_tokens("她把紫金葫芦交给 Caroline，还painted了一幅画"))
    assert matched_words("紫金葫芦是谁画的？ Painting by Carol", tokens) == (
        "紫金葫芦",
        "画",
        "painting",
    )


@given(_MIXED, _MIXED)
def test_matched_words_stand_in_the_question(question: str, text: str):
    import unicodedata

    folded = unicodedata.normalize("NFKC", question).lower()
    for word in matched_words(question, set(index_tokens(text))):
        assert word in folded
