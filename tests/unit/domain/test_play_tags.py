from __future__ import annotations

import pytest

from engram_desktop.domain.play import RecordedEvent, TagParser, tags_of

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


@pytest.mark.parametrize(
    "unit",
    [
        "<", "<thought>", "<reply>", "</think>", "<state_update>", "<thought><reply>", " ", "<a ",
        "<reply ", "<record_event><summary>", "字", "<thought", "\ud83d",
    ],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read(unit):
    text = unit * (1_000_000 // len(unit))
    parser = TagParser()
    for at in range(0, len(text), 7):
        parser.feed(text[at : at + 7])
    assert len(parser.finish().reply) <= len(text)
