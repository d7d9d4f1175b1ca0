"""A worldbook kept in sync with its file, and how both are merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry

# Worldbooks in files of the user's choice, kept in sync with the memory of a chat. Values only. A
# file changed or removed by others is never written; its row reports that.


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
        "reports", "The file is gone. Sync to write it again, or stop keeping it in sync."
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
    """One file. ``hash`` is that of the last write, ``next_hash`` that of a write in progress."""

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
        """Why it is not in sync, and what to do; None if it is."""
        return Phrase(_SENTENCES[self.fault]) if self.fault else None


@dataclass(frozen=True, slots=True)
class KeptReport:
    """The result of checking a file. ``is_news``: the user has not been told before."""

    worldbook: KeptWorldbook
    is_written: bool = False
    is_news: bool = False


# The changes in a kept worldbook and in its memory, entry by entry. A kept file stores a mark of
# each entry as it was written. So an entry changed only by the memory needs no question, and an
# older copy written back by SillyTavern is no change.


Side = Literal["here", "there"]
Happened = Literal["edited", "added", "removed"]  # in the file
Uid = int | str


@dataclass(frozen=True, slots=True)
class MergeEntry:
    """One entry that differs in the file. ``here`` is the memory's current version.

    A side without the entry is None. ``is_both``: the memory changed it too. ``only_there`` names
    fields of the file that a memory cannot hold.
    """

    uid: Uid
    happened: Happened
    here: Entry | None
    there: Entry | None
    suggested: Side
    is_both: bool = False
    only_there: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        shown = self.there or self.here
        return shown.title if shown is not None else str(self.uid)


@dataclass(frozen=True, slots=True)
class MergePlan:
    """The decisions to make. ``file_hash`` identifies the file that was read."""

    path: str
    chat_id: str
    branch_id: str
    file_hash: str
    entries: tuple[MergeEntry, ...]


@dataclass(frozen=True, slots=True)
class MergeReport:
    """The result of a merge: entries taken from the file, and entries kept as in the memory."""

    worldbook: KeptWorldbook
    taken: int
    left: int
    changes: Changes


def mark_of(entry: Entry) -> str:
    """Return a short hash that changes with the entry."""
    return content_hash(*(repr(_plain(entry, name)) for name in _FIELDS))[:16]


def _plain(entry: Entry, name: str) -> object:
    """Return a field as one value: an empty filter, which SillyTavern adds on saving, is None."""
    value = getattr(entry, name)
    if isinstance(value, CharacterFilter):
        parts = (value.is_exclude, sorted(value.names), sorted(value.tags))
        return parts if value.names or value.tags else None
    return value


_FIELDS = tuple(
    name for name in Entry.__dataclass_fields__ if name not in {"uid", "matches", "heading"}
)
_TAKEABLE = frozenset({"content", "keys", "is_constant"})  # what a memory can take over


def changes_between(
    here: Mapping[Uid, Entry], there: Mapping[Uid, Entry], marks: Mapping[str, str]
) -> list[MergeEntry]:
    """Return the changes in the file. Without ``marks`` every difference is one."""
    changes = []
    for uid in dict.fromkeys([*here, *there]):
        ours, theirs, mark = here.get(uid), there.get(uid), marks.get(str(uid))
        if _same(ours, theirs) or (theirs is not None and mark_of(theirs) == mark):
            continue
        if theirs is None and mark is None and marks:
            continue  # new in the memory
        is_both = bool(mark) and (ours is None or mark_of(ours) != mark)
        happened: Happened = "edited"
        if theirs is None:
            happened = "removed"
        elif mark is None and (ours is None or marks):
            happened, ours = "added", None  # the memory has since used its number for another entry
        suggested: Side = "here" if theirs is None and (is_both or not marks) else "there"
        changes.append(
            MergeEntry(uid, happened, ours, theirs, suggested, is_both, _only_there(ours, theirs))
        )
    return changes


def _same(ours: Entry | None, theirs: Entry | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return mark_of(ours) == mark_of(theirs)


def _only_there(ours: Entry | None, theirs: Entry | None) -> tuple[str, ...]:
    if ours is None or theirs is None:
        return ()
    return tuple(
        name
        for name in _FIELDS
        if name not in _TAKEABLE and _plain(ours, name) != _plain(theirs, name)
    )
