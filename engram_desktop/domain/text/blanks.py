"""Blanks as JavaScript has them: its `trim` takes some that Python's `strip` leaves."""

from __future__ import annotations

JS_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trimmed(text: str) -> str:
    """Return ``text`` as ``String.trim`` does."""
    return text.strip(JS_BLANKS)
