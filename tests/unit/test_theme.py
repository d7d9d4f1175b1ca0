"""Every pair of colours that text is read in is far enough apart, in both themes."""

import re
import tomllib
from itertools import product

import pytest

from engram_desktop.shipped import resource

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


def test_both_themes_know_the_same_roles():
    assert roles("light").keys() == roles("dark").keys()


def test_the_style_sheet_uses_roles_and_no_colour():
    text = resource("themes/window.qss").read_text("utf-8")
    used = set(re.findall(r"(?<!\$)\$(\w+)", text))
    assert {name for name in used if not name.startswith("icon_")} <= roles("light").keys()
    assert not re.findall(r":[^;]*#[0-9A-Fa-f]{3,8}\b", text)
