"""Regex scripts are read as their own program reads them, and written back to the byte."""

import json
from typing import Any

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.text.regex_script import StoredScript, escaped, parse_find, with_groups
from engram_desktop.formats.tavern.settings import read_file, read_scripts, write_scripts
from tests.factories import script_json


@pytest.mark.parametrize(
    ("find", "source", "flags"),
    [
        ("/a+/gi", "a+", "gi"),
        ("a+", "a+", ""),
        ("/a\\/b/g", "a\\/b", "g"),
        ("/a/b/g", "a/b", "g"),
        ("/a/gg", "/a/gg", ""),
        ("/a/y", "/a/y", ""),
        ("//", "//", ""),
        ("/a/g // note", "a/g /", ""),
        ("\n/x/s\nmore", "x", "s"),
        ("/.../s trailing", "...", "s"),
    ],
)
def test_patterns_with_and_without_slashes(find, source, flags):
    assert parse_find(find) == (source, flags)


@pytest.mark.parametrize("find", ["", "\n", "\r\n\u2028"])
def test_nothing_to_look_for_is_no_pattern(find):
    assert parse_find(find) is None


def test_groups_are_put_in_trimmed_and_missing_ones_are_empty():
    groups = ("[ab]", "a", None)
    made = with_groups("$0|$1|$2|$9|$<n>|$<x>|$$", groups, {"n": "[b]"}, ("[", "]"))
    assert made == "ab|a|||b||$$"


def test_a_value_is_escaped_for_a_pattern():
    assert escaped("a.b*[c]\n(d)") == "a\\.b\\*\\[c\\]\\n\\(d\\)"


def stored(script, **over):
    values: dict[str, Any] = {
        "scope": "global",
        "owner": "",
        "position": 0,
        "is_enabled": not script.disabled,
    }
    return StoredScript("1", script, **values | over)


@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_one_script_is_written_to_the_byte(tmp_path, indent):
    text = "\ufeff" + script_json(indent=indent, extra={"unknown": [1e-7, "\ud83d"]}) + "\r\n"
    path = tmp_path / "regex-x.json"
    path.write_bytes(text.encode("utf-8"))
    assert write_scripts([stored(read_file(path)[0])]).encode("utf-8") == path.read_bytes()


def test_only_the_switch_changes_in_a_script_that_was_switched():
    text = script_json(indent=4, extra={"n": 1.0})
    made = write_scripts([stored(read_scripts(text, "x")[0], is_enabled=False)])
    assert made == text.replace('"disabled": false', '"disabled": true')


def test_a_list_is_written_as_it_came():
    text = json.dumps([json.loads(script_json(name=n)) for n in "ab"], indent=4, ensure_ascii=False)
    assert write_scripts(stored(s) for s in read_scripts(text, "x")) == text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "[1]", '{"scriptName": ""}', "x", "[" * 100_000, '{"scriptName":"a"} x'],
)
def test_what_holds_no_script_is_refused(text):
    with pytest.raises(InputError):
        read_scripts(text, "x.json")


def test_wrong_types_do_no_harm():
    text = json.dumps(
        {"scriptName": 5, "findRegex": 3, "trimStrings": "x", "placement": [1, "2", None]}
        | {"minDepth": "4", "maxDepth": float("inf"), "substituteRegex": None}
    )
    script = read_scripts(text, "x")[0]
    assert (script.name, script.find, script.placements) == ("5", "", frozenset({1}))
    assert (script.min_depth, script.max_depth, script.substitute) == (4, None, 0)


@pytest.mark.parametrize(
    ("low", "high", "depth", "runs"),
    [
        (None, None, 0, True),
        (2, None, 1, False),
        (2, None, 2, True),
        (None, 3, 4, False),
        (-1, -1, 9, True),
        (-5, None, 0, True),
        (2, 3, None, True),
    ],
)
def test_depth_limits(low, high, depth, runs):
    text = script_json(extra={"minDepth": low, "maxDepth": high})
    assert read_scripts(text, "x")[0].runs_at(2, depth) is runs
    assert not read_scripts(text, "x")[0].runs_at(5, depth)
