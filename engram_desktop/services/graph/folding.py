"""One key for the spellings of a name that are certainly the same name.

Width, case, blanks, the dot between the parts of a foreign name, simplified and traditional
characters: nothing else. A name that differs in a single character is another name.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from opencc import OpenCC

_JOINTS = re.compile(r"[\s·・‧∙•⋅᛫]+")


@functools.cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")


def identity_key(name: str) -> str:
    """Return the key; empty for a name without letters."""
    text = unicodedata.normalize("NFKC", name).casefold()
    folded = _JOINTS.sub("", _to_simplified().convert(text))
    return folded if any(c.isalnum() for c in folded) else ""


def simplified(text: str) -> str:
    return str(_to_simplified().convert(text))
