"""The companion extension: install it, answer it, and keep the chats it uploads.

Uploaded chats are files in the library's own folder (`Mirror`), laid out as in SillyTavern, so that
they are followed like any chat file: with undo, swipes, hidden messages, branches, renames and
groups. Only this module writes there. A chat whose own file is already followed in a SillyTavern
folder is left to that file. An upload that does not fit the known state is answered with a request
for the whole chat. When a companion reports again after a silence, messages kept meanwhile stay as
a branch.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop import moving
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.serving.companion import (
    ChatFileGone,
    ChatReport,
    CompanionLine,
    CompanionMemory,
    CompanionQuestion,
    InstalledCompanion,
    TavernChatId,
    UploadChange,
    UploadOffer,
    UploadPiece,
    UploadResult,
)
from engram_desktop.domain.serving.exchange import parted
from engram_desktop.domain.serving.headroom import fitted
from engram_desktop.domain.serving.request import FrontRequest, ListedMessage
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_snapshot import MAX_SIZE
from engram_desktop.formats.json_values import row_of, storable, table_of, text_of
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.tavern.folder import CHAT_FOLDERS, NoTavern, find_handles
from engram_desktop.jobs.context import JobContext
from engram_desktop.places import resource
from engram_desktop.services.chats.match_chat import line_exists, slip_of
from engram_desktop.services.chats.sync_chat import sync_chat
from engram_desktop.services.inject.inject_service import USUAL
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.served import folder_of, is_uploaded

if TYPE_CHECKING:
    from engram_desktop.domain.serving.companion import ChatReport, TavernChatId
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.serving.identify import Corrections, Identifier


_ENDING = ".jsonl"
_TAVERN = re.compile(r"[A-Za-z0-9-]{1,64}")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
# Names that Windows reserves for devices, with any suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_MAX_NAME = 200  # bytes in UTF-8, so that a suffix still fits into the 255 of a file system
_MAX_HEADER = 4_000_000  # bytes of the first line, which holds the variables of a chat
_MAX_GROUP = 1_000_000  # bytes of the note of one group
_MAX_FILES = 5_000  # files compared when a renamed file is searched: bounds the time


class BadChatName(InputError):
    """``name`` is not usable as a file name."""

    text = QT_TRANSLATE_NOOP("errors", "“{name}” cannot be the name of a chat file.")
    hint = QT_TRANSLATE_NOOP("errors", "Rename the chat in SillyTavern.")


class BadRow(InputError):
    text = QT_TRANSLATE_NOOP("errors", "A message of this chat cannot be kept: it is not one line.")


class ChatTooLarge(InputError):
    text = QT_TRANSLATE_NOOP("errors", "The chat is too large to be followed.")


class Mirror:
    """The uploaded chat files of one library. Not thread-safe."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._root = folder_of(library)

    def path(self, chat: TavernChatId) -> Path:
        """Return the path of a chat's file. Raises BadChatName."""
        if not _TAVERN.fullmatch(chat.tavern):
            raise BadChatName(name=chat.tavern[:80])
        here = self._root / chat.tavern
        solo, group = CHAT_FOLDERS
        file = _file_name(chat.file) + _ENDING
        return here / group / file if chat.is_group else here / solo / owner_folder(chat) / file

    def holds(self, path: str) -> bool:
        """Return whether a path is that of an uploaded chat's file."""
        return is_uploaded(self._library, path)

    def revision(self, path: Path) -> str:
        """Return the revision of a file, "" if the file does not exist."""
        try:
            status = path.stat()
        except OSError:
            return ""
        return f"{status.st_size:x}-{status.st_mtime_ns:x}"

    def write(self, path: Path, header: str, rows: Sequence[str]) -> None:
        """Write a whole chat. Raises BadRow, ChatTooLarge, StorageError."""
        self._put(path, _lines(header, rows))

    def splice(self, path: Path, header: str, first: int, removed: int, rows: Sequence[str]) -> int:
        """Replace ``removed`` rows from ``first`` on; return the new number of rows.

        Returns -1 if ``first`` is behind the end. Raises BadRow, ChatTooLarge, StorageError.
        """
        with file_errors(path):
            lines = path.read_bytes().split(b"\n")
        old = lines[1:]
        if first > len(old) or first + removed > len(old):
            return -1
        new = _lines(header, rows)
        old[first : first + removed] = new[1:]
        self._put(path, [new[0] if header else lines[0], *old])
        return len(old)

    def forget(self, path: Path) -> None:
        """Delete a file that SillyTavern no longer has under this name."""
        with file_errors(path):
            path.unlink(missing_ok=True)

    def note_group(self, chat: TavernChatId) -> None:
        """Store the name of a group, and that this chat belongs to it."""
        if not chat.is_group:
            return
        file = self._root / chat.tavern / "groups" / f"{_file_name(chat.owner)}.json"
        before = _table_in(file)
        chats = before.get("chats")
        names = [text_of(name) for name in chats] if isinstance(chats, list) else []
        group = {
            "id": chat.owner,
            "name": storable(chat.group_name),
            "members": [storable(member) for member in chat.members],
            "chats": list(dict.fromkeys([*names, chat.file])),
        }
        if group != before:
            self._put(file, [json.dumps(group, ensure_ascii=False).encode()])

    def renamed_from(self, chat: TavernChatId, header: str, rows: Sequence[str]) -> Path | None:
        """Return the earlier file of this chat if the chat was only renamed; None otherwise.

        A copy of a chat, and a group made of it, have the same slip; they differ from a rename by
        their last messages.
        """
        path = self.path(chat)
        if not chat.slip or path.exists():
            return None
        parent = text_of(_metadata(header).get("main_chat"))
        for other in self._files(chat):
            metadata = _metadata(_first_line(other))
            if text_of(metadata.get("integrity")) == chat.slip and (
                text_of(metadata.get("main_chat")) == parent
                and _goes_on(other.read_bytes().split(b"\n")[1:], rows)
            ):
                return other
        return None

    def _files(self, chat: TavernChatId) -> list[Path]:
        """Return the files a chat may have had; no group's file for a solo chat."""
        solo, group = (self._root / chat.tavern / name for name in CHAT_FOLDERS)
        files = group.glob(f"*{_ENDING}") if chat.is_group else solo.glob(f"*/*{_ENDING}")
        return list(itertools.islice(files, _MAX_FILES))

    def _put(self, path: Path, lines: Sequence[bytes]) -> None:
        data = b"\n".join(lines)
        if len(data) > MAX_SIZE:
            raise ChatTooLarge
        with file_errors(path):
            self._root.mkdir(mode=0o700, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_suffix(".new")
            temporary.write_bytes(data)
            moving.replace(temporary, path)


def owner_folder(chat: TavernChatId) -> str:
    """Return the folder name of a character's chats: its picture's name without the suffix."""
    return _file_name(chat.owner.removesuffix(".png"))


def _file_name(name: str) -> str:
    clean = storable(name)
    is_dots = not clean.strip(". ") or clean != clean.rstrip(". ")
    is_long = len(clean.encode()) > _MAX_NAME
    if is_dots or is_long or _FORBIDDEN.search(clean) or _DEVICE.fullmatch(clean):
        raise BadChatName(name=clean[:80])
    return clean


def _lines(header: str, rows: Sequence[str]) -> list[bytes]:
    lines = [storable(text).strip() for text in (header, *rows)]
    if any("\n" in line or "\r" in line for line in lines) or not all(lines[1:]):
        raise BadRow
    return [line.encode() for line in lines]


def _metadata(header: str) -> dict[str, object]:
    return table_of(row_of(header).get("chat_metadata"))


def _goes_on(before: Sequence[bytes], now: Sequence[str]) -> bool:
    """Return whether ``now`` begins with the messages of ``before``, except its last."""
    said = [row_of(line.decode("utf-8", "replace")).get("mes") for line in before[:-1]]
    return said == [row_of(line).get("mes") for line in now[: len(said)]]


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.readline(_MAX_HEADER).decode("utf-8", "replace")
    except OSError:  # deleted meanwhile: not the file that is searched
        return ""


def _table_in(file: Path) -> dict[str, object]:
    try:
        return row_of(read_json_text(file, _MAX_GROUP))
    except OSError:
        return {}


_T = QT_TRANSLATE_NOOP


def find_line(library: Library, mirror: Mirror, chat: TavernChatId) -> CompanionLine:
    """Return the line of a chat; None if the library does not know it. Raises BadChatName."""
    row = file_in_folder(library, mirror, chat)
    if row is not None and line_exists(library, row):
        why = Phrase(_T("reports", "the file of this chat is followed"))
        return CompanionLine(Line(row.chat_id, row.branch_id), "companion", why)
    kept_row = kept_file(library, mirror, chat)
    if kept_row is not None:
        why = Phrase(_T("reports", "SillyTavern reported this chat"))
        return CompanionLine(Line(kept_row.chat_id, kept_row.branch_id), "companion", why)
    return CompanionLine(None, "none", Phrase(_T("reports", "nothing is known of this chat")))


def kept_file(library: Library, mirror: Mirror, chat: TavernChatId) -> FollowedFile | None:
    """Return the library's row of the uploaded file, if its line still exists."""
    row = library.followed.get(mirror.path(chat))
    return row if row is not None and line_exists(library, row) else None


def file_in_folder(library: Library, mirror: Mirror, chat: TavernChatId) -> FollowedFile | None:
    """Return the row of the chat's own file, if its SillyTavern folder can be read here.

    The file exists, has the same name and owner, and no other slip than the uploaded chat.
    """
    place = _place(Path(key_of(mirror.path(chat))))
    for row in library.followed.all():
        path = Path(row.path)
        if _place(path) != place or mirror.holds(row.path) or not path.exists():
            continue
        slip = _slip(library, row)
        if not slip or not chat.slip or slip == chat.slip:
            return row
    return None


def _place(path: Path) -> tuple[str, ...]:
    """Return the key of a chat in any SillyTavern folder: its owner's folder and its file."""
    group = os.path.normcase(CHAT_FOLDERS[1])
    return (path.parent.name, path.name) if path.parent.name != group else (group, path.name)


def _slip(library: Library, row: FollowedFile) -> str:
    if not line_exists(library, row):
        return ""
    return slip_of(library.chat(row.chat_id).branches.header(row.branch_id))


_MOST_UPLOADS = 2  # concurrent, each of another SillyTavern: bounds the memory used
# Characters of a whole chat: one of 100,000 messages has 27 million, with swipes a few times that.
_MAX_CHAT = 200_000_000


class CompanionKeeper:
    """Keeps what companions report. Thread-safe; reports are processed one at a time."""

    def __init__(self, session: Session, corrections: Corrections) -> None:
        self._session = session
        self._corrections = corrections
        self._uploads: dict[str, _Upload] = {}  # by SillyTavern
        self._lock = threading.Lock()

    def take(self, ctx: JobContext, report: ChatReport) -> UploadResult:
        """Keep one report of a companion. Raises InputError, StorageError, Cancelled."""
        with self._lock:
            return self._take(ctx, report)

    def _take(self, ctx: JobContext, report: ChatReport) -> UploadResult:
        library = self._session.library
        mirror = Mirror(library.folder)
        path = mirror.path(report.chat)
        if isinstance(report, ChatFileGone):
            mirror.forget(path)
            return UploadResult("kept")
        if not library.settings().serve_keep:
            return UploadResult("off")
        own = file_in_folder(library, mirror, report.chat)
        if own is not None:
            mirror.forget(path)
        row = own or library.followed.get(path)
        if row is not None and not (own is None and row.is_followed):
            line = Line(row.chat_id, row.branch_id)
            return UploadResult("followed" if row.is_followed else "let_be", line)
        return self._kept(ctx, mirror, path, report)

    def _kept(
        self,
        ctx: JobContext,
        mirror: Mirror,
        path: Path,
        report: UploadOffer | UploadPiece | UploadChange,
    ) -> UploadResult:
        match report:
            case UploadOffer():
                return self._offered(mirror, path, report)
            case UploadPiece():
                return self._piece(ctx, mirror, path, report)
            case UploadChange():
                return self._rows(ctx, mirror, path, report)

    def _offered(self, mirror: Mirror, path: Path, report: UploadOffer) -> UploadResult:
        """Return whether the revision a companion remembers is the one stored here."""
        revision = mirror.revision(path)
        row = kept_file(self._session.library, mirror, report.chat)
        if not revision or revision != report.revision or row is None:
            return UploadResult("whole")
        line = Line(row.chat_id, row.branch_id)
        if self._corrections.is_silent(line.chat_id):  # it may have missed messages
            return UploadResult("whole", line)
        return UploadResult("kept", line, revision)

    def _piece(
        self, ctx: JobContext, mirror: Mirror, path: Path, report: UploadPiece
    ) -> UploadResult:
        tavern = report.chat.tavern
        if report.number == 0:
            self._uploads.pop(tavern, None)
            while len(self._uploads) >= _MOST_UPLOADS:
                self._uploads.pop(next(iter(self._uploads)))
            self._uploads[tavern] = _Upload(report.upload, path)
        upload = self._uploads.get(tavern)
        if upload is None or not upload.goes_on_with(report, path):
            self._uploads.pop(tavern, None)
            return UploadResult("whole")
        upload.add(report)
        if report.number + 1 < report.count:
            return UploadResult("more")
        del self._uploads[tavern]
        if not upload.rows:
            return UploadResult("empty")
        before = mirror.renamed_from(report.chat, upload.header, upload.rows)
        if before is not None:
            mirror.forget(before)
        mirror.note_group(report.chat)
        mirror.write(path, upload.header, upload.rows)
        return self._followed(ctx, mirror, path)

    def _rows(
        self, ctx: JobContext, mirror: Mirror, path: Path, report: UploadChange
    ) -> UploadResult:
        is_known = bool(report.revision) and mirror.revision(path) == report.revision
        if not is_known or kept_file(self._session.library, mirror, report.chat) is None:
            return UploadResult("whole")
        count = mirror.splice(path, report.header, report.first, report.removed, report.rows)
        if count != report.total:
            mirror.forget(path)  # its state is unknown now
            return UploadResult("whole")
        if not count:
            return UploadResult("empty", revision=mirror.revision(path))
        return self._followed(ctx, mirror, path)

    def _followed(self, ctx: JobContext, mirror: Mirror, path: Path) -> UploadResult:
        """Import the changes of a file into the library."""
        library = self._session.library
        report = sync_chat(library, ctx, path, is_newest=self._was_silent(path))
        if report.is_waiting:  # the chat was edited here at the same moment
            return UploadResult("whole")
        line = Line(report.chat_id, report.branch_id) if report.chat_id else None
        changes = report.changes
        changes = replace(changes, library=changes.library or bool(report.happened))
        if report.chat_id:
            ctx.write(lambda: self._corrections.set_silent(report.chat_id, silent=False))
        revision = mirror.revision(path)
        return UploadResult("kept", line, revision, report.messages, changes, report.conflict)

    def _was_silent(self, path: Path) -> bool:
        """Return whether the companion of a file's chat is marked as silent."""
        row = self._session.library.followed.get(path)
        return row is not None and self._corrections.is_silent(row.chat_id)


@dataclass
class _Upload:
    """A whole chat that is being uploaded in pieces."""

    name: str
    path: Path
    header: str = ""
    next_number: int = 0
    size: int = 0

    def __post_init__(self) -> None:
        self.rows: list[str] = []

    def goes_on_with(self, piece: UploadPiece, path: Path) -> bool:
        is_next = piece.number == self.next_number and piece.upload == self.name
        return is_next and path == self.path and piece.number < piece.count

    def add(self, piece: UploadPiece) -> None:
        """Add the next piece. Raises ChatTooLarge."""
        self.header = self.header or piece.header
        self.size += sum(map(len, piece.rows))
        if self.size > _MAX_CHAT:
            raise ChatTooLarge
        self.rows += piece.rows
        self.next_number += 1


class CompanionServing:
    """The companion's part of `ServingService`. Thread-safe; nothing here waits for a model."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        identifier: Identifier,
        corrections: Corrections,
    ) -> None:
        self._session = session
        self._inject = inject
        self._identifier = identifier
        self._companions = CompanionKeeper(session, corrections)

    def receive(self, ctx: JobContext, report: ChatReport) -> UploadResult:
        """Keep what a companion reports of its chats. Raises InputError, StorageError."""
        return self._companions.take(ctx, report)

    def companion_line(self, chat: TavernChatId) -> CompanionLine:
        """Return the line of a companion's chat, if there is one. Raises InputError."""
        library = self._session.library
        return find_line(library, Mirror(library.folder), chat)

    def remember(self, ctx: JobContext, question: CompanionQuestion) -> CompanionMemory:
        """Compose the memory of one generation in a companion's SillyTavern.

        A chat that was never uploaded is identified by its newest messages.
        """
        where = self.companion_line(question.chat)
        if where.line is None and question.generation != "quiet":
            identity = self._identifier.identify(ctx, request_of(question))
            if identity.line is not None:
                where = CompanionLine(identity.line, identity.how, identity.why)
                question = replace(question, until=identity.until, visible_from=None)
        return remember(self._inject, ctx, where, question, self._budget(where.line, question))

    def _budget(self, line: Line | None, question: CompanionQuestion) -> int | None:
        """Return the tokens of memory that fit the prompt; None for the budget of the settings."""
        if line is None or not question.room:
            return None
        wanted = self._session.settings(line.chat_id).inject_tokens
        budget = fitted(wanted, question.room, question.used)
        return budget if budget < wanted else None

    def install_companion(self, folder: Path) -> tuple[InstalledCompanion, ...]:
        """Install the companion for each user of a SillyTavern folder.

        An older version is replaced as a whole. Raises NoTavern, ForeignFolder, NotWritable.
        """
        return install(folder)

    def save_companion(self, folder: Path) -> InstalledCompanion:
        """Write the companion to a folder, to be copied. Raises ForeignFolder, NotWritable."""
        return save(folder)


def remember(
    inject: InjectService,
    ctx: JobContext,
    where: CompanionLine,
    question: CompanionQuestion,
    budget: int | None,
) -> CompanionMemory:
    """Compose the memory of the speaker of a generation within ``budget`` tokens.

    Empty for a generation that is not part of the story.
    """
    if where.line is None or question.generation == "quiet":
        return CompanionMemory(where)
    query = RecallQuery(
        asked_text(question),
        actor=question.speaker or None,
        branch_id=where.line.branch_id,
        at=max(0, question.until),
    )
    ctx.check()
    injection = inject.compose(
        ctx,
        where.line.chat_id,
        query,
        budget,
        visible_from=question.visible_from,
        expanded=False,
        said=USUAL,
    )
    return CompanionMemory(where, injection, *parted(injection.text), budget)


def request_of(question: CompanionQuestion) -> FrontRequest:
    """Return the newest messages as a request, to identify a chat by its messages."""
    said = tuple(
        ListedMessage(index, "user" if message.is_user else "assistant", message.text, message.name)
        for index, message in enumerate(question.said)
    )
    return FrontRequest("chat", said)


def asked_text(question: CompanionQuestion) -> str:
    """Return the search text: the newest message of the player, else the newest of all."""
    by_player = [message.text for message in question.said if message.is_user]
    return next(reversed(by_player or [message.text for message in question.said]), "")


NAME = "engram-companion"  # name of its folder among SillyTavern's extensions
_MANIFEST = "manifest.json"
_INTERCEPTOR = "engramCompanionIntercept"  # identifies our manifest
_OF_EVERY_USER = ("chats", "characters", "worlds")
_MAX_MANIFEST = 100_000  # bytes: ours has fewer than a thousand
# Folders of extensions in one user's folder, and in SillyTavern itself before it had users.
_OF_USER, _OF_PROGRAM = ("extensions",), ("scripts", "extensions", "third-party")


class ForeignFolder(InputError):
    """``path`` contains files that are not ours."""

    text = QT_TRANSLATE_NOOP("errors", "{path} is there already, and is no companion of Engram's.")
    hint = QT_TRANSLATE_NOOP("errors", "Move it away or choose another folder. It was left alone.")


class NotWritable(InputError):
    """``path`` is not writable; ``detail`` is the system's message."""

    text = QT_TRANSLATE_NOOP("errors", "{path} cannot be written: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Save the companion as a folder, and copy that to SillyTavern's extensions.",
    )


def install(folder: Path) -> tuple[InstalledCompanion, ...]:
    """Install the companion for every user of a SillyTavern. Raises NoTavern, ForeignFolder.

    Only a missing or empty folder, or one with an older companion, is written to; the latter is
    replaced as a whole.
    """
    handles = [handle for handle in find_handles(folder) if _is_whole(handle)]
    if not handles:
        raise NoTavern(path=folder)
    targets = [_extensions_of(handle) / NAME for handle in handles]
    for target in targets:
        _check(target)
    return tuple(_put(target) for target in targets)


def save(folder: Path) -> InstalledCompanion:
    """Write the companion to its own folder in ``folder``. Raises ForeignFolder."""
    target = folder / NAME
    _check(target)
    return _put(target)


def companion_in(target: Path) -> str | None:
    """Return the version of the companion in a folder; None if there is no companion."""
    manifest = _manifest(target)
    if manifest.get("generate_interceptor") != _INTERCEPTOR:
        return None
    return text_of(manifest.get("version"))


def _is_whole(handle: Path) -> bool:
    """Return whether this is certainly a user's folder: ``chats`` alone is not enough."""
    is_set_up = (handle / "settings.json").is_file()
    return is_set_up or all((handle / name).is_dir() for name in _OF_EVERY_USER)


def _extensions_of(handle: Path) -> Path:
    return handle.joinpath(*(_OF_PROGRAM if handle.name == "public" else _OF_USER))


def _check(target: Path) -> None:
    """Raise ForeignFolder if the target contains files that are not ours."""
    is_there = target.is_symlink() or target.exists()
    if is_there and (target.is_symlink() or not target.is_dir()):
        raise ForeignFolder(path=target)
    if is_there and any(target.iterdir()) and companion_in(target) is None:
        raise ForeignFolder(path=target)


def _put(target: Path) -> InstalledCompanion:
    before = companion_in(target)
    source = resource("companion")
    with _known_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".engram-", dir=target.parent) as scratch:
            new = Path(scratch) / NAME
            shutil.copytree(source, new, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            old = Path(scratch) / "old"
            if target.exists():
                moving.move(target, old)
            try:
                moving.move(new, target)
            except OSError:
                if old.exists():
                    moving.move(old, target)
                raise
    return InstalledCompanion(str(target), companion_in(target) or "", before)


def _manifest(target: Path) -> dict[str, object]:
    try:
        return row_of(read_json_text(target / _MANIFEST, _MAX_MANIFEST))
    except OSError:
        return {}


@contextlib.contextmanager
def _known_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise NotWritable(e.strerror or str(e), path=target) from e
