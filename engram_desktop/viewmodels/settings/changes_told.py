"""What changed from version to version, as the shipped changelog of a language tells."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from engram_desktop.shipped import resource

_CHINESE, _ENGLISH = "docs/changelog.zh_CN.md", "docs/changelog.md"


def read_changelog() -> str:
    """Return the changelog in the window's language: Markdown of our own. Raises NotFound."""
    is_chinese = QLocale().language() == QLocale.Language.Chinese
    return resource(_CHINESE if is_chinese else _ENGLISH).read_text("utf-8")
