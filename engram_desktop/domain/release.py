"""A published version of this program, as described at an address."""

from __future__ import annotations

import json

from packaging.version import InvalidVersion, Version

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
_MAX_NOTES = 4_000  # characters shown of the changes; a changelog entry has about 2,000
_MAX_URL = 500  # characters; a longer one is not a page's address


@dataclass(frozen=True, slots=True)
class Release:
    """``page`` is an https address to read on, or empty; ``notes`` is foreign plain text."""

    version: str
    page: str = ""
    notes: str = ""


def read_release(text: str) -> Release:
    """Parse the answer of the address. Raises BadAnswer.

    It has either our own form (``version``, ``page``, ``notes``) or that of GitHub's API
    (``tag_name``, ``html_url``, ``body``).
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise BadAnswer(Phrase(_T("reports", "it states no version")), raw=text[:_MAX_NOTES])

    def word(*names: str) -> str:
        return next((said[name] for name in names if isinstance(said.get(name), str)), "")

    page = word("page", "html_url").strip()
    is_page = page.startswith("https://") and len(page) <= _MAX_URL and page.isprintable()
    try:
        version = str(Version(word("version", "tag_name")))
    except InvalidVersion:
        raise BadAnswer(
            Phrase(_T("reports", "it states no version")), raw=text[:_MAX_NOTES]
        ) from None
    return Release(version, page if is_page else "", word("notes", "body").strip()[:_MAX_NOTES])


def is_newer(release: Release, than: str) -> bool:
    """Return whether ``release`` is later than the version ``than``, and not a trial version."""
    version = Version(release.version)
    return version > Version(than) and not version.is_prerelease
