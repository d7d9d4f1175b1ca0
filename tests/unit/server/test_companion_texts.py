"""The companion's texts: all languages say everything that its modules ask for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engram_desktop.domain.recall.query import ANSWERS
from engram_desktop.services.recall import engine
from engram_desktop.shipped import resource

FOLDER = resource("companion")
LANGUAGES = [file.stem for file in sorted((FOLDER / "texts").glob("*.json"))]
# say('name', and the families that end in something the server names
_NAMED = re.compile(r"""say\((?:is\w+ \? )?['"](\w+)['"](?: : ['"](\w+)['"])?""")


def texts(language):
    return json.loads((FOLDER / "texts" / f"{language}.json").read_text("utf-8"))


def asked():
    sources = [path.read_text("utf-8") for path in FOLDER.glob("*.js")]
    pairs = (names for source in sources for names in _NAMED.findall(source))
    return {name for names in pairs for name in names if name}


def test_the_script_reads_each_of_the_files():
    source = (FOLDER / "texts.js").read_text("utf-8")
    assert {"en", "ja-jp", "zh-cn"} == set(LANGUAGES)
    assert all(f"'{language}'" in source for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_texts(language):
    assert texts("en").keys() == texts(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_is_asked_for_is_there(language):
    assert len(asked()) > 15
    assert asked() <= texts(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_memory_has_a_name(language):
    source = Path(engine.__file__).read_text("utf-8")
    legs = [*re.findall(r'tally\.add\("(\w+)"', source), ANSWERS]
    names = {f"leg_{leg}" for leg in legs}
    assert names == {key for key in texts(language) if key.startswith("leg_")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_fill_in_the_same(language):
    for key, text in texts("en").items():
        holes = re.findall(r"\{(\w+)\}", text)
        assert sorted(set(holes)) == sorted(set(re.findall(r"\{(\w+)\}", texts(language)[key]))), (
            key
        )
