"""Worldbooks that are files of the user's choice, kept in step with the memory of a chat.

Values only. A file that somebody else changed or took away is never written: its row says so.
"""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
KeptFault = Literal["", "changed", "missing", "unwritable", "lost"]
_SENTENCES: dict[str, str] = {
    "changed": _T(
        "reports",
        "Another program changed it, so it is left as it is: somebody edited it, or an open"
        " SillyTavern saved its own older copy. Merge the two, entry by entry, and then reload"
        " SillyTavern's page; or keep a new file in sync instead.",
    ),
    "missing": _T(
        "reports", "The file is gone. Sync again to write it anew, or stop keeping it in sync."
    ),
    "unwritable": _T(
        "reports",
        "It could not be written just now; the next change of the memory tries again. Is it open"
        " in another program, or the disk full?",
    ),
    "lost": _T("reports", "Its chat or branch is gone. Stop keeping it in sync; the file stays."),
}


@dataclass(frozen=True, slots=True)
class KeptWorldbook:
    """One file. ``hash`` is what was written last, ``next_hash`` what was about to be."""

    path: str
    chat_id: str
    branch_id: str
    hash: str = ""
    next_hash: str = ""
    entries: int = 0
    written_at: int = 0
    fault: KeptFault = ""

    @property
    def trouble(self) -> Phrase | None:
        """Why it is not in step, and what to do; None if it is."""
        return Phrase(_SENTENCES[self.fault]) if self.fault else None


@dataclass(frozen=True, slots=True)
class KeptReport:
    """What one look at a file came to. ``is_news``: the user was not told of it before."""

    worldbook: KeptWorldbook
    is_written: bool = False
    is_news: bool = False
