"""Patterns that are compiled when they are first used: a start names a hundred and uses a dozen.

A class of Chinese characters takes 2 to 4 ms to compile. What is returned is not what a match names
as its pattern (`Match.re`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


class _Late:
    """Compiles its pattern when the first attribute is asked of it."""

    def __init__(self, text: str, flags: int) -> None:
        self._arguments = (text, flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)  # found without `__getattr__` from now on
        return value


if TYPE_CHECKING:

    def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]: ...

else:

    def late_pattern(text: str, flags: int = 0) -> _Late:
        """Return what is used as `re.compile` of the same would be."""
        return _Late(text, flags)
