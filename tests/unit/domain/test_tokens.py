"""The estimate of tokens against a real tokenizer (o200k), on this project's own texts."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.formats.chat_files import read_chat

ROOT = Path(__file__).parents[3]
RESOURCES = ROOT / "resources"
PROSE = [
    ROOT / "README.md",
    RESOURCES / "docs" / "architecture.md",
    RESOURCES / "docs" / "contributing.md",
    RESOURCES / "prompts" / "en" / "summary.system.md",
    RESOURCES / "prompts" / "zh" / "summary.system.md",
]


@cache
def encoding():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how it opens its own data
        from bpe_openai import get_encoding

        return get_encoding("o200k_base")


def is_near(text, share):
    return estimate_tokens(text) == pytest.approx(len(encoding().encode(text)), rel=share)


@pytest.mark.parametrize("path", PROSE, ids=lambda path: "/".join(path.parts[-2:]))
def test_english_and_mixed_prose_is_estimated_within_a_tenth(path):
    assert is_near(path.read_text("utf-8"), 0.1)


def test_a_chinese_story_is_estimated_within_a_twentieth_and_each_message_within_a_quarter():
    texts = [m.text for m in read_chat(RESOURCES / "story" / "月光酒馆.jsonl").messages()]
    assert is_near("\n".join(texts), 0.05)
    assert [text for text in texts if not is_near(text, 0.25)] == []


@given(st.text(), st.text())
def test_more_text_never_costs_less_and_blank_text_costs_nothing(one, other):
    assert estimate_tokens(f"{one}\n{other}") >= estimate_tokens(one)
    assert (estimate_tokens(one) == 0) >= (not one.strip())
