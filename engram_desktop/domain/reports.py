"""Plans (before) and reports (after) of the long operations."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Literal

from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
ExportForm = Literal["markdown", "json", "worldbook", "engram"]


@dataclass(frozen=True, slots=True)
class ChatSummary:
    """One row of the library tree. ``updated_at`` is in milliseconds.

    ``fault`` is why the chat cannot be opened; its counts are then unknown, not zero.
    """

    chat_id: str
    name: str
    characters: tuple[str, ...]
    branches: int
    messages: int
    events: int
    buffer: int
    archived: int
    entities: int
    updated_at: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FileWarning:
    """``line`` is 1-based; 0 when it concerns the whole file."""

    line: int
    message: str


# What becomes of a file whose name is taken: a second one, a replacement, or merged.
Clash = Literal["both", "replace", "merge"]


# What becomes of floors that a copy of a chat changes or lacks: both are kept, the copy's replace
# them, or the copy is skipped.
OnConflict = Literal["branch", "replace", "skip"]


@dataclass(frozen=True, slots=True)
class CopyConflict:
    """Floors of a line that a copy of its chat changes (``changed``), or lacks (``gone``).

    Both are ranges of floors of the line before, ends included. With ``choice`` branch the copy
    becomes a branch after ``fork_floor``, the last common floor (-1: none). If ``is_newer``, the
    line follows the copy instead, and the branch keeps the former floors. ``branch`` is the id of
    that branch, empty before it is made.
    """

    choice: OnConflict
    changed: tuple[tuple[int, int], ...]
    gone: tuple[tuple[int, int], ...]
    fork_floor: int
    is_newer: bool
    branch: str = ""

    @property
    def floors(self) -> tuple[int, int]:
        """The first and the last of these floors."""
        spans = (*self.changed, *self.gone)
        return min(first for first, _last in spans), max(last for _first, last in spans)

    def to_json(self) -> dict[str, object]:
        return {
            "choice": self.choice,
            "changed": [list(span) for span in self.changed],
            "gone": [list(span) for span in self.gone],
            "branch": self.branch or None,
            "branch_holds": ("former" if self.is_newer else "copy") if self.is_kept else None,
            "fork_floor": self.fork_floor,
        }

    @property
    def is_kept(self) -> bool:
        """Whether both versions are kept, one of them on a branch."""
        return self.choice == "branch"

    @property
    def gone_count(self) -> int:
        return sum(last - first + 1 for first, last in self.gone)

    @property
    def count(self) -> int:
        return self.gone_count + sum(last - first + 1 for first, last in self.changed)


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """The contents of a file, and what importing it would do. ``chat_id`` is the chat it continues.

    ``branch_id`` is the branch of that chat; None if a new branch would be made, and then
    ``fork_floor`` is the last common floor. ``changed`` and ``removed`` count present messages that
    would be changed or removed. If a name clashes, the existing thing differs from the file and is
    not replaced without being asked.
    """

    file: str
    kind: str
    name: str
    characters: tuple[str, ...]
    messages: int
    hidden: int
    swipes: int
    first_at: int | None
    last_at: int | None
    sample: tuple[tuple[str, str], ...]  # (speaker, beginning of the text)
    chat_id: str | None
    chat_name: str | None
    new_messages: int
    warnings: tuple[FileWarning, ...] = ()
    entries: int = 0  # in a worldbook, or in that of a card
    branch_id: str | None = None
    fork_floor: int | None = None
    changed: int = 0
    removed: int = 0
    chats: int = 1  # in the file
    clash: str = ""  # a name that something else in the library has
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import. ``fork_floor`` is set if it made a new branch, ``branch_id``.

    ``added`` messages have a text that was not there, ``changed`` of them replace another one;
    ``skipped`` were there already, or were left out. ``removed`` ones are no longer in the file.
    """

    file: str
    kind: str
    chat_id: str | None
    messages: int
    added: int
    skipped: int
    warnings: tuple[FileWarning, ...] = ()
    changes: Changes = field(default_factory=Changes)
    changed: int = 0
    removed: int = 0
    branch_id: str | None = None
    fork_floor: int | None = None
    name: str = ""  # of what was stored, unless it is a chat
    also: tuple[str, ...] = ()  # further chats of the same file
    memories: int = 0  # of another tool, imported with the chat
    offered: int = 0  # found and not imported
    conflict: CopyConflict | None = None  # of a file with several chats, the first one


@dataclass(frozen=True, slots=True)
class DeletedChat:
    """A chat in the trash. ``id`` is its folder's name; times in milliseconds, sizes in bytes."""

    id: str
    chat_id: str
    name: str
    deleted_at: int
    size: int


# The extension of backups, so that a double click opens this program. The file is a ZIP file, and
# earlier versions used that extension.
BACKUP_ENDING = ".engram"
BACKUP_ENDINGS = (BACKUP_ENDING, ".zip")


@dataclass(frozen=True, slots=True)
class BackupFile:
    """One backup of the library. ``made_at`` is in milliseconds, ``size`` in bytes."""

    path: str
    made_at: int
    size: int


@dataclass(frozen=True, slots=True)
class FailedRange:
    """A block without events: its floors, the reason, and the model's raw answer if any."""

    start_index: int
    end_index: int
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """The cost of summarising. ``blocks`` are ranges of floors, both ends included.

    ``waiting`` blocks have answers that wait for review; ``answered`` ones of ``blocks`` were paid
    for before they could be stored, and are not requested again.
    """

    blocks: tuple[tuple[int, int], ...]
    extractor: str
    model: str
    prompt_tokens: int
    already_done: int
    waiting: int = 0
    answered: int = 0


@dataclass(frozen=True, slots=True)
class SummaryReport:
    """The result of summarising.

    ``stopped`` is why the run ended early, if it did: a server that cannot answer any block. Then
    the ``not_begun`` blocks were not requested and did not fail. ``notices`` of the ``floors`` are
    SillyTavern's own lines and comments, which give no events. Calls and tokens include failed
    blocks; ``waiting`` are for review.
    """

    events_added: int
    floors: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    failed: tuple[FailedRange, ...] = ()
    changes: Changes = field(default_factory=Changes)
    waiting: int = 0
    stopped: str = ""
    not_begun: int = 0
    notices: int = 0

    @property
    def is_without_story(self) -> bool:
        """Whether nothing was made because every message is a notice."""
        return 0 < self.floors == self.notices


@dataclass(frozen=True, slots=True)
class ReflectionPlan:
    """The cost of looking back: ``requests``, one for each character in each of ``blocks``."""

    blocks: tuple[tuple[int, int], ...]
    model: str
    prompt_tokens: int
    has_model: bool
    requests: int = 0


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """The result of looking back.

    ``known`` answers were not new. It ends at the first failed block.
    """

    events_added: int
    logs_added: int
    floors: int
    known: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    failed: tuple[FailedRange, ...] = ()
    changes: Changes = field(default_factory=Changes)


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What 整理记忆 would do: the number of events, the tokens to embed, and the embedder.

    ``outlines`` will cover the events; ``llm_calls`` requests of about ``prompt_tokens`` in all to
    ``model`` write these.
    """

    events: int
    locked: int
    tokens: int
    embedder: str
    outlines: int = 0
    llm_calls: int = 0
    prompt_tokens: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """The result of 整理记忆. ``step`` is its group in the undo journal, None if nothing was done.

    ``is_unembedded``: vectors were requested and failed; archived events are found by words only.
    """

    archived: int
    embedded: int
    entities_added: int
    relations_added: int
    failed: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)
    outlines: int = 0
    step: int | None = None
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_unembedded: bool = False


@dataclass(frozen=True, slots=True)
class TrimPlan:
    """What 精简 would do: outlines of ``untold`` archived events, and of old outlines.

    ``tokens`` of always visible text are compared with ``limit``. ``llm_calls`` requests of about
    ``prompt_tokens`` in all would go to ``model``.
    """

    untold: int
    outlines: int
    tokens: int
    limit: int
    llm_calls: int = 0
    prompt_tokens: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class TrimReport:
    """The result of 精简: tokens of the always visible text before and after."""

    outlines: int
    trimmed: int
    tokens_before: int
    tokens_after: int
    llm_calls: int
    failed: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class EntityReport:
    """The result of updating profiles: ``events`` that were read, ``facts`` set or dropped."""

    updated: int
    facts: int
    events: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    failed: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)


@dataclass(frozen=True, slots=True)
class UndoStep:
    """One labelled step; ``is_undone`` steps can be redone."""

    id: int
    label: StepLabel
    created_at: int
    is_undone: bool
    size: int


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The state of a chat's vector index, for the status bar.

    ``state`` is one of ok, starting, behind, exact (small chat), changing (to another model),
    broken, off.
    """

    state: str
    items: int
    embedded: int
    pending: int
    detail: str = ""


_STOPPED_PARTLY = _T(
    "reports",
    "its import was stopped: {there} of its {count} messages are in “{chat}”;"
    " import it again to take in the others",
)
_STOPPED_AT_ONCE = _T("reports", "its import was stopped; nothing of it is here: import it again")
_STOPPED = _T("reports", "its import was stopped: import it again to take in all of it")
_STOPPED_AND_GONE = _T(
    "reports", "its import was stopped, and it cannot be read any more; what had come in is kept"
)


@dataclass(frozen=True, slots=True)
class StoppedImport:
    """An interrupted import: ``there`` of the file's ``count`` messages are in the chat.

    It continues ``into`` that chat, or makes one called ``name``. ``count`` is 0 if unknown.
    """

    file: Path
    into: str | None = None
    name: str | None = None
    there: int = 0
    count: int = 0
    chat_name: str = ""
    is_readable: bool = True

    @property
    def phrase(self) -> Phrase:
        """How much of the file is there, and what to do."""
        if not self.is_readable:
            return Phrase(_STOPPED_AND_GONE)
        if not self.count:
            return Phrase(_STOPPED)
        if not self.there:
            return Phrase(_STOPPED_AT_ONCE)
        return Phrase(_STOPPED_PARTLY, there=self.there, count=self.count, chat=self.chat_name)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check: what was checked, whether it is well, what was done about it."""

    where: str
    what: str
    is_ok: bool
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Relocated:
    """The place of a library after a move; ``left`` is what is kept at the old place."""

    library: Path
    left: Path | None = None


# A folder with one Markdown file per memory, kept in sync, and the results of checking it.


MAX_FILE = 256_000  # bytes: ten times the longest summary
MAX_FILES = 20_000  # of a folder
Side = Literal["here", "there"]  # the memory, or the file
FolderFault = Literal["", "missing", "lost", "busy"]
FOLDER_FAULTS: dict[str, str] = {
    "missing": _T("reports", "The folder is gone. Nothing was deleted here because of that."),
    "lost": _T("reports", "Its chat or branch is gone. Stop keeping the folder; its files stay."),
    "busy": _T("reports", "It could not be written just now; the next look tries again."),
}


@dataclass(frozen=True, slots=True)
class KeptFolder:
    """A folder that is kept in sync.

    ``marks``: by id of a memory its file, and two hashes at the last sync: of the file, and of the
    rendered memory.
    """

    path: str
    chat_id: str
    branch_id: str
    marks: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    synced_at: int = 0
    fault: FolderFault = ""


@dataclass(frozen=True, slots=True)
class FolderLine:
    """The state of one file to show; in a conflict, the user decides between two texts.

    A text is empty on the side where it was deleted.
    """

    file: str
    reason: Phrase
    is_conflict: bool = False
    here: str = ""
    there: str = ""


@dataclass(frozen=True, slots=True)
class FolderReport:
    """``written`` files; memories ``edited``, ``added`` and ``removed`` because of files."""

    folder: KeptFolder
    written: int = 0
    edited: int = 0
    added: int = 0
    removed: int = 0
    lines: tuple[FolderLine, ...] = ()
    changes: Changes = field(default_factory=Changes)

    @property
    def count(self) -> int:
        """The number of files and memories changed."""
        return self.written + self.edited + self.added + self.removed

    @property
    def conflicts(self) -> tuple[FolderLine, ...]:
        return tuple(line for line in self.lines if line.is_conflict)


# An event after a step: its history has one version for each.


@dataclass(frozen=True, slots=True)
class EventVersion:
    """``label`` is the step that made this version, ``at`` its time; None and 0 before any step."""

    event: EventNode
    label: StepLabel | None = None
    at: int = 0

    def differs_from(self, other: EventVersion) -> bool:
        """Return whether a reader would see a difference; internal fields do not count."""
        return _read(self.event) != _read(other.event)

    @property
    def patch(self) -> EventPatch:
        """Return a patch that restores the event's text; its place in the story stays."""
        event = self.event
        return EventPatch(
            summary=event.summary,
            raw_data=event.raw_data,
            structured_kv=event.structured_kv,
            significance_score=event.significance_score,
            kind=event.kind,
            confidence=event.confidence,
            scope=event.scope,
            owner=event.owner or "",
            condition=event.condition or "",
        )


def _read(event: EventNode) -> tuple[object, ...]:
    return (
        event.summary,
        event.raw_data,
        event.structured_kv,
        event.significance_score,
        event.kind,
        event.confidence,
        event.scope,
        event.owner,
        event.condition,
        event.is_archived,
        event.is_locked,
        event.is_stale,
        event.is_deleted,
        event.source_range,
    )
