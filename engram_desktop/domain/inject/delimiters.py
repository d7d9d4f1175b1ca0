"""Remove tags from a text of the story that would open or close the block it is put into.

To a model blanks, capitals, full-width brackets and HTML entities make no difference in a tag; so
all of these spellings are recognised.
"""

from __future__ import annotations

import re
from functools import cache

OPENED = "‹"  # what stands in place of a bracket that would open or close a block


def defused(text: str, *names: str) -> str:
    """Return ``text`` in which no tag whose name begins with one of ``names`` is left.

    An underscore in a name stands for a blank or a hyphen too.
    """
    return _pattern(names).sub(OPENED, text)


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    spelt = "|".join(r"[\s_\u00ad-]".join(map(re.escape, name.split("_"))) for name in names)
    return re.compile(
        rf"(?:[<＜‹〈⟨]|&lt;?|&#0*60;?|&#x0*3c;?)(?=[\s/\\／]*(?:{spelt}))", re.IGNORECASE
    )
