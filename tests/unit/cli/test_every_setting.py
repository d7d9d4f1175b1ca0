"""Every setting can be set, is kept, is told back; what lies beyond its bounds is refused."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import engram_desktop
from engram_desktop.domain.settings.settings import DECLARED, FIELD_OF

PROGRAM = Path(engram_desktop.__file__).parent
DECLARATIONS = PROGRAM / "domain" / "settings"


def good_values(setting):
    """Values that are not its default: both bounds, each other choice."""
    kind = type(setting.default)
    if setting.is_address:
        return ["http://127.0.0.1:9/v1"]
    if setting.low is not None:
        assert setting.high is not None
        values = [kind(setting.low), kind(setting.high)]
    elif setting.choices:
        values = list(setting.choices)
    else:
        values = [not setting.default] if kind is bool else ["一段文字"]
    return [value for value in values if value != setting.default]


@pytest.mark.parametrize("key", DECLARED)
def test_every_setting_is_kept_and_told_back(engram, key):
    setting = DECLARED[key]
    values = good_values(setting)
    assert values
    for value in values:
        code, told = engram("settings", key, value)
        assert (code, told) == (0, {key: value}), engram.error
        assert engram("settings", key)[1] == {key: value}
    if setting.low is not None:
        assert setting.high is not None
        for value in (setting.low - 1, setting.high + 1):
            assert engram("settings", key, value)[0] == 1
            assert key in engram.error
        assert engram("settings", key)[1] == {key: values[-1]}, "what is refused changes nothing"


@pytest.mark.parametrize("key", [key for key in DECLARED if DECLARED[key].per_chat])
def test_a_chat_may_have_its_own_where_that_is_declared(engram, chat, key):
    setting = DECLARED[key]
    (value, *_) = good_values(setting)
    code, told = engram("settings", key, value, "--chat", chat)
    assert (code, told) == (0, {key: value}), engram.error
    assert engram("settings", key)[1] == {key: setting.default}


def test_every_setting_is_read_by_the_program():
    read = re.compile("|".join(f"(?:{pattern})" for pattern in names_read()))
    unread = [
        key for key, field in FIELD_OF.items() if not (read.fullmatch(field) or read.fullmatch(key))
    ]
    assert unread == []


def names_read():
    """Attributes, and texts, among them those with a gap (`f"{name}_base_url"`), as patterns."""
    found = set()
    for file in PROGRAM.rglob("*.py"):
        if file.is_relative_to(DECLARATIONS):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                found.add(re.escape(node.attr))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [str(p.value) if isinstance(p, ast.Constant) else None for p in node.values]
                literal = "".join(part or "" for part in parts)
                if re.fullmatch(r"[a-z_]+\.?|[._][a-z_]+", literal) and len(literal) > 4:
                    found.add("".join(r"\w+" if p is None else re.escape(p) for p in parts))
    names = set(FIELD_OF) | set(FIELD_OF.values())
    return {one for one in found if any(re.fullmatch(one, name) for name in names)}
