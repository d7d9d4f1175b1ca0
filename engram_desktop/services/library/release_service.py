"""Newer versions of this program: where one may be asked for, and whether there is one.

Nothing is asked unless `newest` is called; who calls it unasked looks at ``is_wanted`` first.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING

from engram_desktop import __version__
from engram_desktop.domain.errors import NoReleaseAddress
from engram_desktop.domain.release import Release, is_newer, read_release
from engram_desktop.llm.client import plain_get
from engram_desktop.shipped import resource

if TYPE_CHECKING:
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session


class ReleaseService:
    """Releases, as one address tells of them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def address(self) -> str:
        """The one address that would be asked: the user's, else this copy's, else none."""
        return self._session.settings().update_address or built_in_address()

    @property
    def is_wanted(self) -> bool:
        return self._session.settings().update_check and bool(self.address)

    def newest(self, ctx: JobContext) -> Release | None:
        """Return a version newer than this one, or None. Raises LlmError."""
        address = self.address
        if not address:
            raise NoReleaseAddress
        release = read_release(plain_get.get_text(address, ctx, self._session.clients.proxy))
        return release if is_newer(release, __version__) else None


@cache
def built_in_address() -> str:
    """Return the address that was put in where this copy was made; in a checkout there is none."""
    return str(tomllib.loads(resource("release.toml").read_text("utf-8"))["address"])
