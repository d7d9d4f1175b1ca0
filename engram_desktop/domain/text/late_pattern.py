"""Patterns compiled at their first use: a start defines a hundred and uses a dozen.

A class of Chinese characters takes 2 to 4 ms to compile. The returned object is not the pattern of
its matches (`Match.re`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


class _Late:
    """Compiles its pattern when its first attribute is read."""

    def __init__(self, text: str, flags: int) -> None:
        self._arguments = (text, flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)  # later found without `__getattr__`
        return value


if TYPE_CHECKING:

    def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]: ...

else:

    def late_pattern(text: str, flags: int = 0) -> _Late:
        """Return a pattern for use like the result of `re.compile`."""
        return _Late(text, flags)
