"""Values of a state or a profile, as a reader sees them."""

from __future__ import annotations

import json

from PySide6.QtCore import QCoreApplication


def value_text(value: object) -> str:
    """Write a value for a reader; None is an empty text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def value_words(value: object) -> str:
    """Write a value in one line, for a list: a list of plain values without its brackets."""
    if isinstance(value, list) and value and not any(isinstance(v, dict | list) for v in value):
        return QCoreApplication.translate("StateView", ", ").join(map(value_text, value))
    return " ".join(value_text(value).split())
