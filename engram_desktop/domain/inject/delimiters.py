"""Keep a text of the story from closing the block it is told in, however it spells the tag.

Models read tags as people do: blanks, capitals, full-width brackets and entities make no difference
to them, so none is made here.
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
