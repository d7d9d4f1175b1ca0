"""What a preset says, in the order in which it is sent."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.formats.tavern.texts import prompts_in

PRESET = {
    "proxy_password": "sk-canary",
    "prompts": [
        {"identifier": "main", "name": "Main", "role": "system", "content": "写。"},
        {"identifier": "chatHistory", "name": "Chat History", "marker": True},
        {
            "identifier": "a1",
            "name": "文风",
            "role": "user",
            "content": "慢。",
            "injection_position": 1,
            "injection_depth": 4,
        },
        {"identifier": "spare", "content": "没用上。", "injection_depth": 4},
        5,
    ],
    "prompt_order": [
        {"character_id": 100000, "order": [{"identifier": "main", "enabled": False}]},
        {
            "character_id": 100001,
            "order": [
                {"identifier": "a1", "enabled": True},
                {"identifier": "main", "enabled": True},
                {"identifier": "chatHistory", "enabled": False},
                {"identifier": "gone", "enabled": True},
            ],
        },
    ],
}


def write(folder, value):
    path = folder / "p.json"
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def test_prompts_come_in_their_order_with_what_is_off(tmp_path):
    found = prompts_in(write(tmp_path, PRESET))
    assert [(p.name, p.role, p.text, p.is_on, p.depth) for p in found] == [
        ("文风", "user", "慢。", True, 4),
        ("Main", "system", "写。", True, None),
        ("Chat History", "system", "", False, None),
        ("spare", "system", "没用上。", False, None),
    ]
    assert "canary" not in repr(found)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"content": "你是{{char}}。"}, ["content"]),
        ({"story_string": "{{description}}"}, ["story_string"]),
        ({"prompts": 5, "prompt_order": [5, {"order": 3}]}, []),
        ({"prompts": [{"identifier": "x", "name": "X", "content": 5}]}, ["X"]),
        ([1], []),
    ],
)
def test_other_presets_have_one_text_and_odd_ones_none(tmp_path, value, names):
    assert [p.name for p in prompts_in(write(tmp_path, value))] == names


def test_what_is_no_preset_is_refused(tmp_path):
    (tmp_path / "p.json").write_bytes(b"{")
    with pytest.raises(InputError, match="is no preset"):
        prompts_in(tmp_path / "p.json")
    with pytest.raises(InputError):
        prompts_in(tmp_path / "gone.json")
    (tmp_path / "secrets.json").write_bytes(b"{}")
    with pytest.raises(InputError):
        prompts_in(tmp_path / "secrets.json")
