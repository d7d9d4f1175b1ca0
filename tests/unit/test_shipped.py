"""The bundled story, the themes, files that are moved."""

from __future__ import annotations

import errno
import json
import re
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from engram_desktop import moving
from engram_desktop.formats.chat_files import read_chat
from engram_desktop.places import resource

# The bundled story is what its list of planted facts says it is.

STORY = Path(__file__).parents[2] / "resources" / "story"
FACTS = json.loads((STORY / "facts.json").read_text("utf-8"))


def messages():
    return list(read_chat(STORY / "月光酒馆.jsonl").messages())


def test_story_reads_without_a_warning():
    chat = read_chat(STORY / "月光酒馆.jsonl")
    assert chat.warnings == ()
    assert 130 <= chat.count <= 160
    assert chat.user_name == "旅人"
    assert chat.characters[0] == "爱丽丝"
    assert len(chat.characters) >= 5
    assert (chat.hidden, chat.swiped) == (1, 2)
    assert any(m.role == "system" and not m.is_hidden for m in chat.messages())


def test_times_only_go_on():
    times = [message.sent_at for message in messages()]
    assert None not in times
    assert times == sorted(times)


def test_every_fact_stands_where_it_is_said_to():
    told = messages()
    assert 20 <= len(FACTS["facts"]) <= 30
    assert max(Counter(fact["id"] for fact in FACTS["facts"]).values()) == 1
    for fact in FACTS["facts"]:
        text = "".join(told[floor].text for floor in fact["floors"])
        for word in fact["keywords"]:
            assert word in text, fact["id"]
        assert fact["question"].endswith("？")


def test_what_a_rejected_swipe_says_is_said_nowhere_else():
    told = messages()
    for rejected in FACTS["rejected"]:
        row = json.loads(told[rejected["floor"]].raw)
        other = [text for n, text in enumerate(row["swipes"]) if n != row["swipe_id"]]
        assert row["swipes"][row["swipe_id"]] == told[rejected["floor"]].text
        for word in rejected["words"]:
            assert any(word in text for text in other)
            assert not any(word in message.text for message in told)


def test_kyle_never_hears_where_the_key_came_from():
    for message in messages():
        if message.name == "凯尔":
            assert "铜钥匙" not in message.text
            assert "座钟" not in message.text


# Every pair of colours that text is read in is far enough apart, in both themes.

GROUNDS = ("bg", "panel", "side", "field", "hover", "selection", "grey_soft", "accent_soft")
TINTS = ("accent", "green", "gold", "red", "grey")
PAIRS = [
    *product(("ink", "ink2"), GROUNDS),
    *((f"{t}_ink", ground) for t in TINTS for ground in (f"{t}_soft", "panel", "bg", "selection")),
    ("ink", "red_soft"),
    ("ink", "gold_soft"),
    ("ink", "green_soft"),
    ("ink2", "red_soft"),
    ("ink2", "gold_soft"),
    ("ink2", "green_soft"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
]
ENOUGH = 4.5
ENOUGH_FOR_SHAPES = 3.0


def roles(name):
    return tomllib.loads(resource(f"themes/{name}.toml").read_text("utf-8"))["roles"]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_the_standard_says():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(name, text, ground):
    theme = roles(name)
    assert contrast(theme[text], theme[ground]) >= ENOUGH


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("ground", ["bg", "panel", "side", "field"])
def test_the_edge_of_what_is_ticked_can_be_seen(name, ground):
    theme = roles(name)
    assert contrast(theme["edge"], theme[ground]) >= ENOUGH_FOR_SHAPES


def test_both_themes_know_the_same_roles():
    assert roles("light").keys() == roles("dark").keys()


def test_the_style_sheet_uses_roles_and_no_colour():
    text = resource("themes/window.qss").read_text("utf-8")
    used = set(re.findall(r"(?<!\$)\$(\w+)", text))
    assert {name for name in used if not name.startswith("icon_")} <= roles("light").keys()
    assert not re.findall(r":[^;]*#[0-9A-Fa-f]{3,8}\b", text)


# Files that somebody looks at just now: Windows refuses for a moment, which is waited.


class Refusal(PermissionError):
    """As Windows raises it."""

    def __init__(self, winerror):
        super().__init__(errno.EACCES, "in use")
        self.winerror = winerror


class Busy:
    """Refuses a few times, as Windows does while a scanner reads the file."""

    def __init__(self, times, winerror=32):
        self.left = times
        self.waited = []
        self.winerror = winerror

    def __call__(self):
        self.left -= 1
        if self.left >= 0:
            raise Refusal(self.winerror)
        return "done"


@pytest.mark.parametrize("winerror", [5, 32, 33, 145])
def test_what_is_held_for_a_moment_is_waited_for(winerror):
    busy = Busy(3, winerror)
    assert moving.patiently(busy, wait=busy.waited.append) == "done"
    assert busy.waited == list(moving.WAITS_S[:3]), "longer each time"


def test_what_stays_held_is_said_in_the_end():
    busy = Busy(100)
    with pytest.raises(PermissionError):
        moving.patiently(busy, wait=busy.waited.append)
    assert busy.waited == list(moving.WAITS_S)


@pytest.mark.parametrize("winerror", [None, 2, 3, 17, 112])
def test_any_other_refusal_is_final(winerror):
    busy = Busy(1, winerror)
    with pytest.raises(PermissionError):
        moving.patiently(busy, wait=busy.waited.append)
    assert busy.waited == []


def test_moving_never_puts_one_folder_into_another(tmp_path):
    source, target = tmp_path / "a", tmp_path / "b"
    for folder in (source, target):
        folder.mkdir()
        (folder / "file").write_text(folder.name, "utf-8")
    with pytest.raises(FileExistsError):
        moving.move(source, target)
    assert [path.name for path in target.iterdir()] == ["file"]
    moving.delete_folder(target)
    moving.move(source, target)
    assert (target / "file").read_text("utf-8") == "a"
    assert not source.exists()
    with pytest.raises(FileNotFoundError):
        moving.move(source, tmp_path / "c")


def test_replacing_and_deleting_do_what_they_say(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old", "utf-8")
    new.write_text("new", "utf-8")
    moving.replace(new, old)
    assert old.read_text("utf-8") == "new"
    moving.delete(old)
    moving.delete(old)
    folder = tmp_path / "folder"
    folder.mkdir()
    assert moving.try_to_delete_folder(folder)
    assert not folder.exists()
    assert moving.try_to_delete_folder(folder), "it is gone, whoever did it"
    new.write_text("a file", "utf-8")
    assert not moving.try_to_delete_folder(new)
    assert new.exists()
