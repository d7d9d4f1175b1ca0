"""What programs read of a folder: prompts of the preset, quick replies; all else is none."""

import json

import pytest

from engram_desktop.formats.tavern.texts import MACROS, preset_prompts, quick_replies, read_texts


@pytest.fixture
def user(tmp_path):
    (tmp_path / "QuickReplies").mkdir()
    return tmp_path


def settings(user, **values):
    (user / "settings.json").write_text(json.dumps(values), "utf-8")


def replies(user, name, value):
    text = value if isinstance(value, str) else json.dumps(value)
    (user / "QuickReplies" / f"{name}.json").write_text(text, "utf-8")


def test_prompts_with_a_text_are_told(user):
    rows = [{"name": "主", "content": "写{{char}}"}, {"name": "历史"}, {"content": ""}, 7, None]
    settings(user, oai_settings={"prompts": rows})
    assert preset_prompts(user) == [{"name": "主", "content": "写{{char}}"}]


def test_only_sets_that_are_on_are_told(user):
    replies(
        user, "a", {"name": "甲", "qrList": [{"label": "看", "message": "看看"}, 3, {"label": 1}]}
    )
    replies(user, "b", {"name": "乙", "qrList": None})
    assert [one["name"] for one in quick_replies(user)] == ["甲", "乙"]
    settings(
        user, extension_settings={"quickReplyV2": {"config": {"setList": [{"set": "甲"}, "x"]}}}
    )
    (one,) = quick_replies(user)
    assert [(row["label"], row["message"]) for row in one["qrList"]] == [("看", "看看"), ("", "")]


@pytest.mark.parametrize("text", ["", "[]", "{", "7", '{"oai_settings": 3}', "null"])
def test_a_folder_of_rubbish_holds_nothing(user, text):
    (user / "settings.json").write_text(text, "utf-8")
    replies(user, "a", text)
    assert preset_prompts(user) == []
    assert all(one["qrList"] == [] for one in quick_replies(user))
    assert preset_prompts(user / "none") == quick_replies(user / "none") == []


def test_the_settings_give_a_text_to_every_macro_that_is_said_to_be_theirs(user):
    settings(user, power_user={"instruct": {"enabled": True, "input_sequence": "<u>"}})
    texts = read_texts(user)
    assert texts is not None
    assert set(texts.macros) == set(MACROS)
    assert texts.macros["instructInput"] == "<u>"
