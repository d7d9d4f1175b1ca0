"""One idea, one word: the glossary beside the names of the code and the texts of the window."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "engram_desktop"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "resources/docs/glossary.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| Word")
]
CHINESE = (ROOT / "resources/i18n/engram_zh_CN.ts").read_text("utf-8")


@pytest.fixture(scope="module")
def names():
    """Every public class and every module of the program, in words: `ChatStore`, `chat_store`."""
    found = set()
    for path in PROGRAM.rglob("*.py"):
        found.add(path.parent.name if path.stem == "__init__" else path.stem)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.add(node.name)
    return {
        name: tuple(part.lower() for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name))
        for name in found
    }


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_a_word_names_is_there(row):
    place = row[2].strip("`")
    module, _, name = place.partition(".")
    path = PROGRAM / f"{module}.py"
    assert path.exists(), f"{place} is not there"
    if name:
        classes = [n.name for n in ast.parse(path.read_text("utf-8")).body if hasattr(n, "name")]
        assert name in classes, f"{module} has no {name}"


@pytest.mark.parametrize("row", [r for r in ROWS if r[1] != "–"], ids=lambda row: row[0])
def test_the_window_shows_the_chinese_word(row):
    assert row[1] in CHINESE


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_no_name_carries_another_word_for_it(row, names):
    avoided = [tuple(word.strip().lower().split()) for word in row[4].split(",") if word.strip()]
    for name, parts in names.items():
        for words in avoided:
            runs = [parts[i : i + len(words)] for i in range(len(parts))]
            assert words not in runs, f"{name}: the word is {row[0]}"


def test_a_word_stands_once():
    words = [row[0] for row in ROWS]
    assert len(set(words)) == len(words)
