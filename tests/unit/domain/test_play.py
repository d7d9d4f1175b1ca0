"""Play: tags, promises, templates, places in a prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.promises import deed_of, promises
from engram_desktop.domain.play import RecordedEvent, TagParser, actions, tags_of
from engram_desktop.domain.recall.triage_rules import triage_by_rules
from engram_desktop.domain.serving.exchange import (
    Placement,
    place_in_chat,
    place_in_prompt,
    replaced_messages,
    without_repeats,
)
from engram_desktop.domain.serving.request import ListedMessage
from engram_desktop.domain.tavern.instruct import BadStoryStringError, rendered
from tests.factories import make_event, make_extraction

HEADPAT = """<thought>日常互动。好感度+1。</thought>
<state_update>
  [{"op": "add", "path": "character.affinity", "value": 1}]
</state_update>
<reply>嘿嘿...好痒...</reply>"""
DATE = """<thought>关键剧情：水族馆约会。记录事件。</thought>
<record_event>
  <type>date</type>
  <summary>和主角去了水族馆，看到了企鹅。</summary>
  <participants>player, alice</participants>
</record_event>
<reply>哇！企鹅！它们走路好可爱！</reply>"""


def test_the_scenes_of_the_note_are_read_as_written():
    headpat = tags_of(HEADPAT)
    assert headpat.reply == "嘿嘿...好痒..."
    assert headpat.thought == "日常互动。好感度+1。"
    assert "character.affinity" in headpat.updates[0]
    assert headpat.events == ()
    date = tags_of(DATE)
    assert date.reply == "哇！企鹅！它们走路好可爱！"
    assert date.events == (
        RecordedEvent("和主角去了水族馆，看到了企鹅。", "date", ("player", "alice")),
    )
    assert date.is_whole


def test_the_other_dialects_are_read():
    filament = tags_of(
        '<filament_output version="3.0"><think>x</think><content>Hello.</content>'
        '<variable_update>{"ops": []}</variable_update></filament_output>'
    )
    assert (filament.reply, filament.thought) == ("Hello.", "x")
    assert filament.updates == ('<variable_update>{"ops": []}</variable_update>',)
    mvu = tags_of(
        "Good morning.\n<UpdateVariable><Analysis>why</Analysis>\n"
        "_.set('a.b', 1, 2);//because\n</UpdateVariable>"
    )
    assert mvu.reply == "Good morning."
    assert mvu.thought == ""
    assert "_.set('a.b', 1, 2)" in mvu.updates[0]
    patch = tags_of('Yes.<JSONPatch>[{"op":"delta","path":"/a","value":1}]</JSONPatch>')
    assert patch.updates == (
        '<updatevariable><jsonpatch>[{"op":"delta","path":"/a","value":1}]</jsonpatch>'
        "</updatevariable>",
    )


@pytest.mark.parametrize(
    ("text", "reply", "thought"),
    [
        ("你好。", "你好。", ""),
        ("a < b && <b>bold</b> <状态>", "a < b && <b>bold</b> <状态>", ""),
        ("<reply>never closed", "never closed", ""),
        ("no beginning</reply> and on", "no beginning and on", ""),
        ("before <reply>in</reply> behind", "before in behind", ""),
        ("<reply>a<thought>b</thought>c</reply>", "ac", "b"),
        ("<thought>a<thought>b</thought>c</thought>d", "d", "a<thought>b</thought>c"),
        ("<thought>I use <thought> tags</thought><reply>Hi</reply>", "Hi", None),
        ("<thought>never closed <reply>Hi</reply>", "Hi", "never closed"),
        ("<thought>never closed </reply>Hi", "", "never closed </reply>Hi"),
        ("<thought>never closed <state_update>{}", "", "never closed <state_update>{}"),
        ("<thought>never closed, nothing else", "", "never closed, nothing else"),
        ("the beginning was not sent</think>Hi", "Hi", "the beginning was not sent"),
        ("<thought/>Hi<state_update/>", "Hi", ""),
        ("<replying>is foreign</replying>", "<replying>is foreign</replying>", ""),
        ("one\n\n<thought>x</thought>\n\ntwo", "one\n\ntwo", "x"),
        ("<THOUGHT>x</Thought>\n<Reply>y</REPLY>", "y", "x"),
        ("<thoughſt>x", "<thoughſt>x", ""),
        ("", "", ""),
        ("<", "<", ""),
        ("<rep", "<rep", ""),
    ],
)
def test_whatever_is_broken_becomes_a_plain_reply(text, reply, thought):
    result = tags_of(text)
    assert result.reply == reply
    if thought is not None:
        assert result.thought == thought


def test_a_block_that_never_ends_stays_as_text_and_one_that_is_followed_ends_there():
    cut = tags_of('Hi <state_update>[{"op": "add"')
    assert cut.reply == 'Hi <state_update>[{"op": "add"'
    assert cut.updates == ()
    assert not cut.is_whole
    followed = tags_of("<state_update>[]<reply>Hi</reply><state_update>[1]</state_update>")
    assert followed.reply == "Hi"
    assert followed.updates == (
        "<state_update>[]</state_update>",
        "<state_update>[1]</state_update>",
    )


def test_a_tag_inside_a_thought_is_only_thought():
    result = tags_of(
        "<think>I could <state_update>[]</state_update> or <record_event>x</record_event>"
        " and <reply>maybe</reply></think>Hi"
    )
    assert (result.reply, result.updates, result.events) == ("Hi", (), ())


def test_an_event_is_read_from_json_and_from_plain_words_too():
    as_json = tags_of('<record_event>{"summary": "a", "participants": ["b", "c"]}</record_event>')
    assert as_json.events == (RecordedEvent("a", participants=("b", "c")),)
    assert tags_of("<record_event>They left.</record_event>").events == (
        RecordedEvent("They left."),
    )
    assert tags_of("<record_event> </record_event>").events == ()
    assert tags_of("<record_event><summary>a<type>b</record_event>").events == (
        RecordedEvent("a", "b"),
    )


def test_flags_are_read():
    assert tags_of("<trigger_flag>met, kissed</trigger_flag>").flags == ("met", "kissed")
    assert tags_of('<trigger_flag>{"flag": "met"}</trigger_flag>').flags == ("met",)


def test_pieces_arrive_as_soon_as_they_are_sure():
    parser = TagParser()
    assert [p.text for p in parser.feed("Hello <th")] == ["Hello"]
    assert [p.text for p in parser.feed("ey> and")] == [" <they> and"]
    assert parser.feed("<thought>") == []
    assert [(p.kind, p.text) for p in parser.feed("hm")] == [("thought", "hm")]


LONG = 300_000  # characters: what takes the square of them would end no test


@pytest.mark.parametrize(
    "unit",
    [
        "<", "<thought>", "<reply>", "</think>", "<state_update>", "<thought><reply>", " ", "<a ",
        "<reply ", "<record_event><summary>", "字", "<thought", "\ud83d",
    ],
)  # fmt: skip
def test_anything_is_read_at_any_length(unit):
    text = unit * (LONG // len(unit))
    parser = TagParser()
    for at in range(0, len(text), 7):
        parser.feed(text[at : at + 7])
    assert len(parser.finish().reply) <= len(text)


# Promises are read from what events hold apart, and answered by what is told later.


def event(floor, *facts, keywords=(), who=()):
    data = make_extraction(
        f"第{floor}楼",
        keywords=keywords,
        entities=tuple(ExtractedEntity(name, "char") for name in who),
        relations=tuple(ExtractedRelation(*fact) for fact in facts),
    )
    return make_event(data.summary, floor, floor, raw_data=data)


@pytest.mark.parametrize(
    ("words", "deed"),
    [
        ("答应", "given"),
        ("promise to return it", "given"),
        ("约定在灯塔见面", "given"),
        ("兑现承诺", "kept"),
        ("kept her promise", "kept"),
        ("失约", "broken"),
        ("broke the vow", "broken"),
        ("喜欢", None),
        ("约会", None),
        ("compromised", None),
    ],
)
def test_words_tell_what_became_of_a_promise(words, deed):
    assert deed_of(words) == deed


def test_a_promise_is_open_until_it_is_kept_or_broken_to_the_same_person():
    events = [
        event(1, ("爱丽丝", "答应", "凯尔")),
        event(2, ("爱丽丝", "承诺", "莉莉丝")),
        event(5, ("爱丽丝", "兑现承诺", "凯尔")),
        event(9, ("奥古斯", "发誓", "凯尔")),
    ]
    found = promises(events, ["爱丽丝"])
    assert [(p.words, p.outcome) for p in found] == [
        ("爱丽丝 承诺 莉莉丝", "given"),
        ("爱丽丝 答应 凯尔", "kept"),
    ]
    assert found[1].answer is events[2]
    assert promises(events, ["凯尔"])[0].words == "奥古斯 发誓 凯尔"


def test_keywords_tell_of_promises_where_no_relation_does():
    events = [
        event(1, keywords=("归还的承诺",), who=("爱丽丝", "凯尔")),
        event(4, keywords=("失约",), who=("爱丽丝", "凯尔")),
    ]
    (found,) = promises(events, ["爱丽丝"])
    assert (found.words, found.outcome) == ("归还的承诺", "broken")


def test_what_the_user_says_is_over_is_no_longer_open():
    one = event(1, ("爱丽丝", "答应", "凯尔"))
    assert promises([one], ["爱丽丝"], {one.id})[0].outcome == "kept"
    assert promises([one], ["爱丽丝"])[0].outcome == "given"


# Story strings: blocks, names, blanks; a bad one is told and not half rendered.

VALUES = {"system": "S", "persona": "", "char": "Bea"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{#if system}}{{system}}\n{{/if}}x", "S\nx"),
        ("{{#if persona}}p{{else}}none{{/if}}", "none"),
        ("{{#unless persona}}u{{/unless}}{{#unless system}}v{{/unless}}", "u"),
        ("a\n{{#if system}}\n  {{char}}\n{{/if}}\nb", "a\n  Bea\nb"),
        ("a {{~char~}} b", "aBeab"),
        ("{{! note }}{{!-- {{x}} --}}a{{{char}}}", "aBea"),
        ("{{#if system}}{{#if persona}}a{{else}}b{{/if}}{{else}}c{{/if}}", "b"),
        ("{{other}} {{roll d6}}", "<other> <roll>"),
        ("plain {x} }}", "plain {x} }}"),
    ],
)
def test_a_story_string_is_rendered(template, expected):
    assert rendered(template, VALUES, lambda name: f"<{name}>") == expected


@pytest.mark.parametrize(
    "template",
    ["{{#if system}}", "{{/if}}", "{{#each x}}{{/each}}", "{{else}}", "{{#if a}}{{/unless}}"],
)
def test_a_bad_story_string_is_told(template):
    with pytest.raises(BadStoryStringError):
        rendered(template, VALUES, str)


@given(st.text(alphabet="{}#/ ifelse~!-\nx", max_size=60))
def test_any_text_is_rendered_or_told(template):
    try:
        assert isinstance(rendered(template, VALUES, str), str)
    except BadStoryStringError:
        assert "{{" in template


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("*她点头* “好。”", ["*她点头*"]),
        ("a *b* c *d*", ["*b*", "*d*"]),
        ("**粗体** 不是动作", []),
        ("***两者***", []),
        ("一颗 * 星", []),
        ("*不\n跨行*", []),
        ("* *", []),
        ("😀*笑*", ["*笑*"]),
    ],
)
def test_actions_are_what_stands_between_single_stars(text, told):
    assert [text[a:b] for a, b in actions(text)] == told


@pytest.mark.parametrize("text", ["*" * 500_000, "*a" * 300_000, "*a\n" * 300_000])
def test_a_megabyte_of_stars_is_read(text):
    spans = list(actions(text))
    assert len(spans) <= len(text)


# Triage by rules, on 200 inputs labelled by hand before the rules were written.
#
# Forty of them (`aside`) were not looked at while the rules were tuned.

INPUTS = json.loads(Path(__file__).with_name("triage_inputs.json").read_text("utf-8"))


@pytest.mark.parametrize("aside", [False, True])
def test_nine_in_ten_are_right_and_events_are_not_taken_for_routine(aside):
    inputs = [one for one in INPUTS if one["aside"] is aside]
    levels = [(one["level"], triage_by_rules(one["text"]).level) for one in inputs]
    right = sum(level == judged for level, judged in levels)
    events = [judged for level, judged in levels if level == "EVENT"]
    assert right >= 0.9 * len(inputs)
    assert events.count("ROUTINE") <= 0.02 * len(events)


def test_there_are_two_hundred_of_all_kinds():
    assert len(INPUTS) == 200
    assert sum(one["aside"] for one in INPUTS) == 40
    assert {one["level"] for one in INPUTS} == {"ROUTINE", "CHAT", "EVENT"}


def test_a_headpat_is_routine_and_short():
    triage = triage_by_rules("*摸摸头* 乖哦~")
    assert (triage.level, triage.intent) == ("ROUTINE", "headpat")
    assert triage.directives == {
        "style": "short_cute",
        "forbidden_topics": "complex_philosophy, past_trauma",
    }


def test_a_headpat_after_others_is_a_loop():
    triage = triage_by_rules("*摸摸头*", ["*摸摸头* 乖", "嘿嘿……", "*再摸摸头*", "好痒"])
    assert (triage.level, triage.intent) == ("ROUTINE", "headpat_loop")


def test_a_date_is_an_event():
    assert triage_by_rules("*带你去水族馆看企鹅*").level == "EVENT"


TRAPS = [
    ("*摸摸她的头* 其实……我一直喜欢你", "confession"),
    ("*摸摸头* 这是最后一次了", "farewell"),
    ("早安。我们分手吧。", "break_up"),
    ("送你一枚戒指", "proposal"),
    ("我走了，永远。", "farewell"),
    ("*hugs you* I killed him.", "death"),
]


@pytest.mark.parametrize(("text", "intent"), TRAPS)
def test_a_small_gesture_does_not_hide_an_event(text, intent):
    triage = triage_by_rules(text)
    assert (triage.level, triage.intent) == ("EVENT", intent)


def test_a_word_in_answer_to_a_great_question_is_an_event():
    assert triage_by_rules("好的").level == "ROUTINE"
    assert triage_by_rules("好的", ["你愿意嫁给我吗？"]).level == "EVENT"
    assert triage_by_rules("Yes", ["Will you marry me?"]).level == "EVENT"
    assert triage_by_rules("好的", ["要加糖吗？"]).level == "ROUTINE"


HOSTILE = ["", "\ud83d", "我" * 1_000_000, "跟着" * 500_000, "a " * 500_000, "(" * 1_000_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_judged(text):
    assert triage_by_rules(text, [text] * 3).level


# Where memory goes in a request, and which messages leave it.


def said(*roles):
    return [ListedMessage(n, role, f"text {n}") for n, role in enumerate(roles)]


@pytest.mark.parametrize(
    ("roles", "place", "depth", "before"),
    [
        ("system user assistant user", "system", 0, 1),
        ("system system user", "system", 0, 2),
        ("user assistant user", "system", 0, 0),
        ("system", "system", 0, 1),
        ("system user assistant user", "last", 0, 3),
        ("system user", "last", 0, 1),
        ("system user assistant user assistant user", "depth", 2, 4),
        ("system user assistant user", "depth", 0, 4),
        ("system user assistant user", "depth", 999, 1),
        ("system user assistant tool user", "depth", 2, 2),
        ("system user assistant tool tool", "last", 0, 2),
        ("system user assistant tool tool user", "depth", 1, 5),
        ("system user assistant tool tool user", "depth", 2, 2),
    ],
)
def test_memory_goes_where_it_should_and_never_between_a_call_and_its_answer(
    roles, place, depth, before
):
    placement = place_in_chat(said(*roles.split()), "M", place, depth)
    assert placement == Placement(place, "M", before)


TOLD = "<engram_summaries>\nS\n</engram_summaries>"
RECALLED = "<relevant_memories>\nR\n</relevant_memories>"


@pytest.mark.parametrize(
    ("roles", "text", "expected"),
    [
        ("system user assistant user", f"{TOLD}\n\n{RECALLED}", (TOLD, 1, RECALLED, 3)),
        ("system system user user", f"{TOLD}\n\n{RECALLED}", (TOLD, 2, RECALLED, 3)),
        ("system user", f"{TOLD}\n\n{RECALLED}", (f"{TOLD}\n\n{RECALLED}", 1, "", None)),
        ("system user assistant user", TOLD, (TOLD, 1, "", None)),
        ("system user assistant user", RECALLED, (RECALLED, 3, "", None)),
        ("system user assistant tool tool", f"{TOLD}\n\n{RECALLED}", (TOLD, 1, RECALLED, 2)),
    ],
)
def test_the_story_so_far_and_what_is_recalled_stand_apart(roles, text, expected):
    placed = place_in_chat(said(*roles.split()), text, "apart")
    assert (placed.text, placed.before, placed.last, placed.before_last) == expected


def test_without_text_or_messages_nothing_is_placed():
    assert place_in_chat(said("user"), "", "system") == Placement()
    assert place_in_chat([], "M", "system") == Placement()


def test_the_place_counts_only_messages_that_stay():
    rows = said("system", "user", "assistant", "user", "assistant", "user")
    placement = place_in_chat(rows, "M", "depth", 3, {1, 2})
    assert placement == Placement("depth", "M", 3, frozenset({1, 2}))
    assert place_in_chat(rows, "M", "system", 0, {1, 2}).before == 3


def leave(roles, window, told, floors=None):
    rows = said(*roles.split())
    spoken = [m.index for m in rows if m.role in {"user", "assistant"}]
    floors = floors if floors is not None else {index: n for n, index in enumerate(spoken)}
    newest = max(floors.values(), default=-1)
    return sorted(replaced_messages(rows, floors, told, newest, window))


TALK = "system user assistant user assistant user"


@pytest.mark.parametrize(
    ("roles", "window", "told", "leaves"),
    [
        (TALK, 2, {0, 1, 2, 3, 4}, [1, 2]),  # floor 2 is the player's, whose question stays
        (TALK, 1, {0, 1, 2, 3, 4}, [1, 2, 3, 4]),
        (TALK, 2, {1, 2}, []),  # the first is not told: what stays is whole
        (TALK, 2, {0}, []),  # the answer would begin the story
        (TALK, 9, {0, 1, 2, 3, 4}, []),
        (TALK, 0, {0, 1, 2, 3, 4}, []),
        ("system assistant user assistant user", 1, {0, 1, 2}, [1, 2, 3]),
        ("system assistant user assistant user", 2, {0, 1, 2}, [1, 2]),
        ("user assistant tool user assistant user", 1, {0, 1, 2, 3, 4}, []),
        ("assistant user assistant tool user user", 1, {0, 1, 2, 3, 4}, [0, 1]),
        ("system", 1, set(), []),
    ],
)
def test_only_what_is_told_and_old_is_left_out(roles, window, told, leaves):
    assert leave(roles, window, told) == leaves


def test_what_is_no_floor_of_the_line_stays():
    assert leave("user assistant user assistant user", 1, {0, 1, 2}, {1: 0, 2: 1, 3: 2}) == [1, 2]
    assert leave(TALK, 1, {0, 1}, {1: 0, 3: 1, 4: 2}) == []


@pytest.mark.parametrize(
    ("prompt", "mark"),
    [
        ("Card.\n***\nAlice: Hello there.\nBob: Hi.\nAlice:", "Card.\n***\n|"),
        (
            "<|im_start|>system\nCard.<|im_end|>\n<|im_start|>assistant\nAlice: Hello there."
            "<|im_end|>\n<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant\n",
            "<|im_start|>system\nCard.|<|im_end|>",
        ),
        ("Card.\n\n### Response:\nAlice: Hello there.\n\n### Response:\n", "Card.\n\n|### Resp"),
        (
            "<s>[INST] <<SYS>>\nCard.\n<</SYS>>\n\nAlice: Hello there. [/INST]",
            "<s>[INST] <<SYS>>\nCard.|\n<</SYS>>",
        ),
        (
            "<bos><start_of_turn>user\nCard.\n<end_of_turn>\n<start_of_turn>model\n"
            "Alice: Hello there.<end_of_turn>",
            "Card.|\n<end_of_turn>",
        ),
    ],
)
def test_memory_stands_before_the_story_and_inside_no_others_block(prompt, mark):
    placement = place_in_prompt(prompt, "M", prompt.index("Hello there"))
    before = placement.before
    assert before is not None
    shown = prompt[:before] + "|" + prompt[before:]
    assert mark in shown
    assert placement.text.strip() == "M"


@pytest.mark.parametrize(
    ("prompt", "before"),
    [("Once upon a time", 0), ("<|im_start|>system\nCard.", 19), ("<s>[INST] Card. [/INST]", 10)],
)
def test_where_no_story_is_known_memory_stands_in_front(prompt, before):
    assert place_in_prompt(prompt, "M", None) == Placement("system", "M\n", before)


def test_a_placeholder_in_a_prompt_wins():
    assert place_in_prompt("a {{engramSummaries}} b", "M", 0) == Placement("placeholder", "M")
    assert place_in_prompt("a", "", None) == Placement()


def test_lines_that_stand_in_the_request_are_left_out():
    text = "<t>\nHead:\n- [floors 1-2 · here] Alice hid the brass key.\n- [floor 3] Bob left.\n</t>"
    rows = [ListedMessage(0, "system", "World. Alice hid the brass key.")]
    assert without_repeats(text, rows) == "<t>\nHead:\n- [floor 3] Bob left.\n</t>"
    rows.append(ListedMessage(1, "user", "Bob left."))
    assert "Bob left" in without_repeats(text, rows), "too short to prove anything"
    assert without_repeats("<t>\n- [1] Alice hid the brass key.\n</t>", rows) == ""
    assert without_repeats(text, []) == text
