"""Mark user-visible source text where no Qt may be imported.

``pyside6-lupdate`` collects the second argument of every call named QT_TRANSLATE_NOOP; the window
translates it when it is shown. Without a window the English text is shown as it stands.
"""

from __future__ import annotations


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name lupdate looks for
    """Return ``text`` unchanged; ``context`` is read by the translation tool only."""
    del context
    return text
