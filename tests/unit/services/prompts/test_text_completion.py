"""Text completion prompts are put together as SillyTavern 1.19 put them together."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from tests.oracle.macro_chats import opened
from tests.oracle.report import recorded
from tests.oracle.text_prompts import against


def test_prompts_are_those_of_the_real_one():
    report = against(recorded("text_prompts"))
    assert report.total >= 150
    assert report.differ == [], report.text()


def test_a_chat_is_shown_by_the_templates_in_use_and_a_bad_one_is_told(tmp_path):
    with opened(tmp_path) as chats:
        chat = chats[4]
        prompts = chat.memory.prompts
        shown = prompts.as_text(chat.line)
        assert shown.startswith("***\n<|u|>\nWhere to?")
        assert "<|u|>\nGo." in shown
        path = chat.user / "context" / "bad.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"story_string": "{{#if persona}}open"}), "utf-8")
        with pytest.raises(InputError, match="story string"):
            prompts.as_text(chat.line, context="bad")
        with pytest.raises(InputError, match="cannot be read"):
            prompts.as_text(chat.line, instruct="none of this name")
