"""Names of files made of names of a story: ones that every system takes, Windows too.

A world book may be called “12:00 / 午夜”, a character “Con.”; Windows stores neither.
"""

from __future__ import annotations

import re

_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
# Bytes of UTF-8: Linux takes 255 of them, and there is an ending and perhaps a number to come.
MAX_BYTES = 200


def file_name(title: str, ending: str) -> str:
    """Return a name for a file about ``title``; ``ending`` begins with a dot."""
    # Half a character, as a broken card may hold, is no name either.
    text = _FORBIDDEN.sub("_", title).encode(errors="ignore")[:MAX_BYTES].decode(errors="ignore")
    text = text.strip(" .")
    if _DEVICE.fullmatch(text) or not text:
        text = f"_{text}"
    return f"{text}{ending}"
