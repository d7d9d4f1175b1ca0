"""How many words a text has: of Chinese and Japanese each character is one, as editors count."""

from __future__ import annotations

import re

_ONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_ONE}]|[^\W_{_ONE}]+(?:['’-][^\W_{_ONE}]+)*")


def count_words(text: str) -> int:
    """Count words."""
    return sum(1 for _ in _WORD.finditer(text))
