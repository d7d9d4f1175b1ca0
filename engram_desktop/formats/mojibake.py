"""Notice UTF-8 that some program once read as Windows-1252: “ä½ å¥½” for 你好."""

from __future__ import annotations

import re

# What the first byte of a UTF-8 sequence looks like, followed by what a further one does.
_SUSPECT = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u2122]")
_SAMPLE = 4_000  # characters: enough to tell, and no time in long texts
_ENOUGH = 3  # pairs: one or two may be meant, as in “Ã©”


def is_mojibake(text: str) -> bool:
    """Whether ``text`` becomes sound UTF-8 when it is written as Windows-1252."""
    sample = text[:_SAMPLE]
    if len(_SUSPECT.findall(sample)) < _ENOUGH:
        return False
    data = b"".join(map(_byte, sample))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(data) - 4  # only the cut at the end of the sample
    return True


def _byte(char: str) -> bytes:
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1") if ord(char) < 256 else b"\xff"
