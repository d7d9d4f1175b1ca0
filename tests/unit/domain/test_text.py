"""Text: sentences, delimiters, words, names of files."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain import changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.inject import defused, excerpt
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    PlotExtraction,
    entity_content,
    event_content,
    log_content,
)
from engram_desktop.domain.memory.facets import (
    YES,
    EventKey,
    Facet,
    FacetCube,
    Facets,
    facets_of_json,
    facets_to_json,
)
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.reports import CheckResult
from engram_desktop.domain.search import fit
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.text.words import (
    DiffPiece,
    SearchedText,
    TextHits,
    word_diff,
    word_places,
)
from engram_desktop.formats.chat_files import read_chat
from engram_desktop.moving import file_name

# A text of the story cannot close the block it is told in, however it spells the tag.


@pytest.mark.parametrize(
    "tag",
    [
        "</chat_history>", "</ chat_history >", "<CHAT_HISTORY>", "< /Chat History>",
        "＜／chat_history＞", "&lt;/chat_history&gt;", "&#60;/chat-history>", "&#x3C;chat_history",
        "<\n/chat_history>", "<\\/chat_history>", "〈/chat_history〉",
    ],
)  # fmt: skip
def test_a_tag_is_defused_in_any_spelling(tag):
    told = defused(f"他说：{tag}，然后离开。", "chat_history")
    assert told.startswith("他说：‹")
    assert not {"<", "＜", "〈"} & set(told)
    assert "&lt" not in told
    assert told.endswith("，然后离开。")


@pytest.mark.parametrize("text", ["a < b", "<b>粗</b>", "<events>", "x<chat", "1 &lt; 2"])
def test_other_text_stays_as_it_is(text):
    assert defused(text, "chat_history") == text


# How what is typed of a name fits it.


def ranked(typed: str, names: list[str]) -> list[str]:
    fits = [(fit(typed, name), name) for name in names]
    found = [(f.score, name) for f, name in fits if f is not None]
    return [name for _score, name in sorted(found, key=lambda pair: -pair[0])]


@pytest.mark.parametrize(
    ("typed", "names", "first"),
    [
        ("设置", ["重置设置", "设置", "设置向导"], "设置"),
        ("set", ["Reset all", "Settings"], "Settings"),
        ("hist", ["What was said", "Open history"], "Open history"),
        ("整忆", ["整理记忆…", "记忆整理"], "整理记忆…"),
        ("cm", ["Consolidate memory", "Settings"], "Consolidate memory"),
    ],
)
def test_the_best_fit_is_first(typed, names, first):
    assert ranked(typed, names)[0] == first


def test_every_word_must_fit():
    assert fit("open book", "Open the world book") is not None
    assert fit("open dragon", "Open the world book") is None
    assert fit("zz", "Open") is None


def test_marks_are_where_the_characters_stand():
    found = fit("整忆", "整理记忆")
    assert found is not None
    assert ["整理记忆"[a:b] for a, b in found.marks] == ["整", "忆"]


@given(st.text(max_size=20), st.text(max_size=40))
def test_marks_lie_in_the_name(typed, name):
    found = fit(typed, name)
    if found is not None:
        last = 0
        for start, end in found.marks:
            assert last <= start < end <= len(name)
            last = end


@given(st.text(min_size=1, max_size=30))
def test_a_name_fits_itself(name):
    assert fit(name, name) is not None


def test_a_phrase_is_its_english_text_and_remembers_its_template():
    phrase = Phrase("the vector index holds all {count} vectors", count=7)
    assert phrase == "the vector index holds all 7 vectors"
    assert (phrase.template.format_map(phrase.params), phrase.context) == (phrase, "reports")


def test_a_report_with_phrases_becomes_plain_json():
    finding = CheckResult("月", Phrase("{x} {{braces}}", x=1), is_ok=True)
    assert json.loads(json.dumps(asdict(finding)))["what"] == "1 {braces}"


def test_an_error_gives_its_text_without_the_hint():
    error = NotFound("chat", "月")
    assert error.phrase == "There is no chat “月”."
    assert error.phrase.context == "errors"


# Sentences are whole: half a quotation is none.


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("爱丽丝笑了。旅人没有！", ["爱丽丝笑了。", "旅人没有！"]),
        ("她说：“走吧。别回头。”旅人走了。", ["她说：“走吧。别回头。”", "旅人走了。"]),
        ("写着“打烊。”的木牌掉了", ["写着“打烊。”", "的木牌掉了"]),
        (
            "Dr. Vale met Mr. Oake at 3.5 km. They left.",
            ["Dr. Vale met Mr. Oake at 3.5 km.", "They left."],
        ),
        ("He waits… Nobody comes!?", ["He waits…", "Nobody comes!?"]),
        ("“没有结尾\n下一行。", ["“没有结尾", "下一行。"]),
        ("……。！", []),
        ("", []),
    ],
)
def test_a_text_is_split_at_the_ends_of_its_sentences(text, sentences):
    assert split_sentences(text) == sentences


def test_no_character_is_lost_and_a_long_text_is_quick_work():
    text = "“" + "她说了很多话。" * 20_000
    assert "".join(split_sentences(text)) == text


def test_words_and_chinese_characters_are_told_apart():
    assert word_diff("Alice takes the key.", "Alice hides the key.") == (
        DiffPiece("same", "Alice "),
        DiffPiece("gone", "takes"),
        DiffPiece("new", "hides"),
        DiffPiece("same", " the key."),
    )
    assert [p.text for p in word_diff("爱丽丝拾到钥匙", "爱丽丝藏起钥匙") if p.kind != "same"] == [
        "拾到",
        "藏起",
    ]
    assert word_diff("", "") == ()
    assert word_diff("a", "a") == (DiffPiece("same", "a"),)


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_texts_can_be_read_out_of_it(before, after):
    pieces = word_diff(before, after)
    assert "".join(p.text for p in pieces if p.kind != "new") == before
    assert "".join(p.text for p in pieces if p.kind != "gone") == after


def test_very_long_texts_differ_whole():
    assert [p.kind for p in word_diff("x y " * 5_000, "z")] == ["gone", "new"]


# The estimate of tokens against a real tokenizer (o200k), on this project's own texts.

ROOT = Path(__file__).parents[3]
RESOURCES = ROOT / "resources"
PROSE = [
    ROOT / "README.md",
    RESOURCES / "docs" / "architecture.md",
    RESOURCES / "docs" / "contributing.md",
    RESOURCES / "prompts" / "en" / "summary.system.md",
    RESOURCES / "prompts" / "zh" / "summary.system.md",
]


@cache
def encoding():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how it opens its own data
        from bpe_openai import get_encoding

        return get_encoding("o200k_base")


def is_near(text, share):
    return estimate_tokens(text) == pytest.approx(len(encoding().encode(text)), rel=share)


@pytest.mark.parametrize("path", PROSE, ids=lambda path: "/".join(path.parts[-2:]))
def test_english_and_mixed_prose_is_estimated_within_a_tenth(path):
    assert is_near(path.read_text("utf-8"), 0.1)


def test_a_chinese_story_is_estimated_within_a_twentieth_and_each_message_within_a_quarter():
    texts = [m.text for m in read_chat(RESOURCES / "story" / "月光酒馆.jsonl").messages()]
    assert is_near("\n".join(texts), 0.05)
    assert [text for text in texts if not is_near(text, 0.25)] == []


@given(st.text(), st.text())
def test_more_text_never_costs_less_and_blank_text_costs_nothing(one, other):
    assert estimate_tokens(f"{one}\n{other}") >= estimate_tokens(one)
    assert (estimate_tokens(one) == 0) >= (not one.strip())


# A name of a story becomes one that every system takes for a file.


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("爱丽丝", "爱丽丝.json"),
        ("[Engram] 爱丽丝", "[Engram] 爱丽丝.json"),
        ("12:00 / 午夜?", "12_00 _ 午夜_.json"),
        ("..", "_.json"),
        ("", "_.json"),
        (" a. ", "a.json"),
        ("Con", "_Con.json"),
        ("nul.txt", "_nul.txt.json"),
        ("COM1", "_COM1.json"),
        ("Constance", "Constance.json"),
        ("a\nb", "a_b.json"),
    ],
)
def test_a_title_becomes_a_name(title, name):
    assert file_name(title, ".json") == name


@given(st.text(st.characters(), max_size=300))
def test_any_title_becomes_a_name_that_every_system_takes(title):
    name = file_name(title, ".json")
    assert len(name.encode()) <= 255
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f]', name)
    assert name.removesuffix(".json").strip(" .") == name.removesuffix(".json")
    assert name != ".json"


def test_a_title_is_cut_between_characters():
    assert file_name("说" * 100, ".json") == "说" * 66 + ".json"


# Facets of events: how they combine, and what is counted beside them.

GREEN, BLUE = Facet("status", "archived"), Facet("status", "buffer")
ALICE, KYLE, FACT = Facet("entity", "爱丽丝"), Facet("entity", "凯尔"), Facet("kind", "fact")
LOCKED = Facet("locked", YES)


def key(**over):
    fields: dict[str, Any] = {
        "status": "archived",
        "level": 0,
        "kind": "event",
        "confidence": "model",
        "extractor": "llm",
        "is_stale": False,
        "is_locked": False,
    }
    return EventKey(**fields | over)


def test_a_click_filters_by_a_facet_alone_and_a_second_one_takes_it_out():
    one = Facets(((GREEN,), (ALICE,))).combined(FACT, "alone")
    assert one == Facets(((FACT,),))
    assert not one.combined(FACT, "alone")


def test_and_adds_a_condition_or_widens_the_last_one_and_not_leaves_out():
    both = Facets().combined(GREEN, "alone").combined(ALICE, "and")
    assert both.groups == ((GREEN,), (ALICE,))
    wide = both.combined(KYLE, "or")
    assert wide.groups == ((GREEN,), (ALICE, KYLE))
    less = wide.combined(LOCKED, "not")
    assert less.excluded == (LOCKED,)
    assert less.lets([KYLE], key())
    assert not less.lets([KYLE], key(is_locked=True))
    assert not less.lets([], key())
    assert not less.lets([KYLE], key(status="buffer"))


@pytest.mark.parametrize("how", ["and", "or", "not"])
def test_a_facet_set_in_the_same_way_again_is_taken_out(how):
    once = Facets(((GREEN,),)).combined(ALICE, how)
    assert once.combined(ALICE, how) == Facets(((GREEN,),))


def test_a_facet_is_never_both_wanted_and_left_out():
    once = Facets(((GREEN,), (ALICE,)))
    assert once.combined(ALICE, "not") == Facets(((GREEN,),), (ALICE,))
    assert once.combined(ALICE, "not").combined(ALICE, "and") == once


def test_an_outline_is_neither_buffer_nor_archived():
    assert not key(level=1).meets(GREEN)
    assert key(level=2).meets(Facet("level", "2"))


def test_values_of_a_field_are_counted_beside_what_is_set_for_it():
    cells = (
        (key(), (ALICE,), 3),
        (key(status="buffer"), (ALICE,), 2),
        (key(status="buffer", kind="fact"), (), 4),
    )
    cube = FacetCube(cells, Facets(((GREEN,), (ALICE,))), 9)
    assert cube.total() == 3
    assert cube.count(BLUE) == 2
    assert cube.count(FACT) == 0
    assert FacetCube(cells, Facets((), (FACT,))).count(BLUE) == 2


def test_a_filter_is_kept_as_text():
    facets = Facets(((GREEN, ALICE), (KYLE,)), (LOCKED,))
    assert facets_of_json(facets_to_json(facets)) == facets


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{", '{"any": 3}', '{"any": [[["nothing", "x"], 7, ["kind", 3]]]}']
)
def test_foreign_text_is_no_filter(text):
    assert not facets_of_json(text)


# A text is found wherever it stands, in either case, and counted floor by floor.


def test_letters_of_any_script_are_found_in_either_case():
    assert SearchedText("Key").spans("the KEY, a key") == [(4, 7), (11, 14)]
    assert SearchedText("钥").spans("铜钥匙和银钥匙") == [(1, 2), (5, 6)]
    assert SearchedText("ÜB").spans("über") == [(0, 2)]
    assert SearchedText("a.b").spans("axb a.b") == [(4, 7)], "what is searched is no pattern"


def test_nothing_is_found_of_nothing():
    assert SearchedText("  ").spans("a  b") == []
    assert SearchedText("").count("abc") == 0


def test_hits_are_numbered_through_the_floors():
    hits = TextHits.of([(0, 0), (3, 2), (4, 0), (7, 1)])
    assert hits.total == 3
    assert [hits.place(n) for n in range(3)] == [(3, 0), (3, 1), (7, 0)]
    assert [hits.from_floor(n) for n in (0, 3, 4, 7, 8)] == [0, 0, 2, 2, 0]
    assert [hits.first_on(n) for n in (0, 3, 5, 7, 9)] == [None, 0, None, 2, None]


# Names of undo steps.


def test_one_of_what_a_step_counts_is_named_as_one():
    counted = [
        text
        for name, text in vars(changes).items()
        if name.isupper() and isinstance(text, str) and "{count} " in text
    ]
    assert len(counted) > 30
    for text in counted:
        one = changes.StepLabel(text, {"count": 1}).template
        word = one.partition("{count} ")[2].split(" ")
        assert one != text, text
        assert not word[0].endswith("s") or word[0] == "reviewed", one
        assert changes.StepLabel(text, {"count": 2}).template == text
    assert str(changes.StepLabel(changes.DELETE, {"count": 1})) == "Delete 1 event"
    assert str(changes.StepLabel(changes.DELETE, {"count": 12})) == "Delete 12 events"


LONG_SENTENCE = (
    "I'm trying to make the page answer faster, which took 800ms at first, and by now its average"
    " response time is 250ms, since every query that it sends is kept for a minute"
)


@pytest.mark.parametrize(
    ("asked", "text", "room", "told"),
    [
        # A sentence longer than the room is not broken off after some words.
        ("average response time", f"{LONG_SENTENCE}. Thanks!", 20, f"{LONG_SENTENCE}. …"),
        ("nothing of it", f"{LONG_SENTENCE}. Thanks!", 20, f"{LONG_SENTENCE}. …"),
        # What numbers an item of a list is told with it, and not by itself.
        ("baking bread", "1. Buy flour. 2. Bake the bread. 3. Eat.", 8, "… 2. Bake the bread. …"),
        ("flour", "1. Buy flour. 2.", 8, "1. Buy flour. 2."),
    ],
)
def test_passages_of_a_page_are_whole_sentences(asked, text, room, told):
    assert excerpt(text, frozenset(query_tokens(asked)), index_tokens, room, 60) == told


def test_of_an_endless_sentence_the_beginning_is_told_in_the_room_there_is():
    told = excerpt("so " * 500, frozenset({"nothing"}), index_tokens, 40, 60)
    assert 30 <= estimate_tokens(told) <= 42
    assert told.endswith("so…")


# What a memory is found by is written as its language writes it.


@pytest.mark.parametrize(
    ("keywords", "names", "line"),
    [
        (("lake", "empathy"), ("Caroline",), "lake, empathy, Caroline"),
        (("铜钥匙", "座钟"), ("爱丽丝",), "铜钥匙、座钟、爱丽丝"),
        (("鍵", "かぎ"), (), "鍵、かぎ"),
        (("key",), ("爱丽丝",), "key、爱丽丝"),
        (("lake",), ("lake",), "lake"),
    ],
)
def test_words_of_an_event_stand_in_a_row_as_its_language_does(keywords, names, line):
    entities = tuple(ExtractedEntity(name, "char") for name in names)
    data = PlotExtraction(summary="…", keywords=keywords, entities=entities)
    assert event_content("…", data).splitlines() == ["…", line]


def test_other_names_and_feelings_stand_in_a_row_too():
    assert entity_content("Al", ("Al", "Allie", "A."), "", ()) == "Al（Allie, A.）"
    assert entity_content("林晓", ("小林", "晓"), "", ()) == "林晓（小林、晓）"
    assert log_content("Al", "I wait.", ("sad", "calm")).splitlines()[1] == "sad, calm"


def test_places_of_words_in_a_text():
    assert word_places("the Lamp, lamp", ["lamp"]) == [(4, 8), (10, 14)]
    assert word_places("灯塔看守", ["灯塔守"]) == [(0, 2)]
    assert word_places("abc", ["b", "bc"]) == [(1, 3)]
    assert word_places("a.c", ["."]) == [(1, 2)]
