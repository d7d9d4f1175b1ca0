"""The guide that F1 shows, as it is shipped in a language."""

from __future__ import annotations

from engram_desktop.domain.errors import NotFound
from engram_desktop.shipped import resource


def read_help(language: str) -> str:
    """Return the guide in ``language``, else in English: Markdown of our own. Raises NotFound."""
    try:
        return resource(f"guide/help.{language}.md").read_text("utf-8")
    except NotFound:
        return resource("guide/help.md").read_text("utf-8")
