"""Find the stored line that a chat file continues, branches from, or is a copy of.

Lines are matched by their first messages; file names only help. A greeting proves nothing, since it
opens many chats.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, Literal

from engram_desktop.domain.chats import ENDLESS
from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.memory.line import MAIN_BRANCH, content_hash
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.serving.request import plain
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import ChatFile
from engram_desktop.formats.chats.played import has_gaps, readings
from engram_desktop.formats.json_values import read_value, row_of, table_of, text_of, texts_of
from engram_desktop.formats.tavern.folder import CHAT_FOLDERS
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.served import is_uploaded

logger = logging.getLogger(__name__)

MIN_COMMON = 3  # fewer equal messages prove nothing
MAX_OPENING = 10  # greetings of a group nobody answered; more messages are a story without a player
SAMPLED = 30  # newest messages of a server's line, of which its file must hold one
LOOKED_BACK = 5  # messages before the fork that a branch may have been made on
PIECE = 500  # messages whose words are compared at a time
EDITED_SHARE = 0.5  # of the shorter one; less means another story in a file of the same name


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One branch of one chat, compared with a file.

    ``common``: messages at the start with equal texts, whatever the names. ``equal``: messages with
    equal hashes anywhere. ``names_it``: one of the last common messages names the file as a branch
    made there. ``is_served``: only the server recorded the line, so it may lack messages that were
    never sent, and ``equal`` compares texts alone.
    """

    chat_id: str
    chat_name: str
    branch_id: str
    source: str
    common: int
    equal: int
    line_count: int
    file_count: int
    names_it: bool = False
    is_served: bool = False

    @property
    def is_same(self) -> bool:
        """Return whether the longer of line and file only continues the shorter."""
        return self.common == min(self.line_count, self.file_count) and self.common >= MIN_COMMON

    def is_of(self, file: str) -> bool:
        """Return whether this line was read from ``file``, edited or not."""
        shorter = min(self.line_count, self.file_count)
        is_short = self.common == shorter and self.common > 0
        is_edited = self.equal >= max(MIN_COMMON, EDITED_SHARE * shorter)
        return self.source == file and (is_short or self.common >= MIN_COMMON or is_edited)

    def is_in_file(self, proof: int) -> bool:
        """Return whether the file holds the chat that the server recorded this line of."""
        shorter = min(self.line_count, self.file_count)
        return self.is_served and self.equal >= max(proof, EDITED_SHARE * shorter)


@dataclass(frozen=True, slots=True)
class ChatMatch:
    """``line`` is the line a file continues, or branches from if ``is_branch``."""

    line: ComparedLine
    is_branch: bool = False


@dataclass(frozen=True)
class ComparedFile:
    """A file to compare: its name, the chat it says it branched from, its messages.

    ``opening`` counts the messages before the user's first: all chats of a group begin with them.
    """

    file: str
    main_chat: str
    hashes: Sequence[str]
    opening: int
    _messages: Callable[[], Iterable[ParsedMessage]]

    @classmethod
    def of(
        cls, file: str, main_chat: str, messages: Callable[[], Iterable[ParsedMessage]]
    ) -> ComparedFile:
        """``messages`` returns a new iterable at each call."""
        hashes: list[str] = []
        opening: int | None = None
        for number, message in enumerate(messages()):
            hashes.append(message.swipe_hash)
            if opening is None and message.role == "user":
                opening = number
        if opening is None:
            opening = len(hashes) if len(hashes) <= MAX_OPENING else 0
        return cls(file, main_chat, hashes, opening, messages)

    @classmethod
    def of_chat(cls, chat: ChatFile) -> ComparedFile:
        return cls.of(chat.path.name, chat.main_chat, chat.messages)

    @cached_property
    def counts(self) -> Counter[str]:
        """Return how many messages of the file have each hash."""
        return Counter(self.hashes)

    @cached_property
    def shown(self) -> frozenset[str]:
        """Return normalised texts of the messages, comparable to `all_readings`."""
        return frozenset(plain(m.text) for m in self._messages())

    @cached_property
    def all_readings(self) -> frozenset[str]:
        """Return normalised texts of the messages and of all their swipes."""
        return frozenset(
            plain(reading) for m in self._messages() for reading in readings(m.raw, m.text)[0]
        )

    def known_texts(self, store: ChatStore, branch_id: str) -> int:
        """Count the texts of a line that the file holds anywhere, in any swipe."""
        count = store.messages.count(branch_id)
        newest = store.messages.sayings(branch_id, max(0, count - SAMPLED), count - 1)
        if not any(plain(saying.text) in self.shown for saying in newest):
            return 0
        said = {plain(saying.text) for saying in store.messages.sayings(branch_id, 0, count - 1)}
        return len(said & self.all_readings)

    @cached_property
    def words(self) -> list[str]:
        """The key of each message's words, without its speaker."""
        return [words_key(m.text) for m in self._messages()]

    def begins_as(self, store: ChatStore, branch_id: str) -> bool:
        """Return whether the first message of a line has the text of the file's first."""
        first = store.messages.sayings(branch_id, 0, 0)
        own = next(iter(self._messages()), None) if first else None
        return own is not None and words_key(first[0].text) == words_key(own.text)

    def common(self, store: ChatStore, branch_id: str, line_hashes: Sequence[str]) -> int:
        """Count the messages at the start of line and file that have equal texts."""
        at = _equal(line_hashes, self.hashes)
        end = min(len(line_hashes), len(self.hashes))
        while at < end:
            said = [
                words_key(saying.text)
                for saying in store.messages.sayings(branch_id, at, min(at + PIECE, end) - 1)
            ]
            same = _equal(said, self.words[at : at + len(said)])
            at += same
            if same < len(said) or not said:
                break
        return at


def words_key(text: str) -> str:
    """Return a key of a text, independent of its speaker."""
    return content_hash(text)


def _equal(some: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def find_match(library: Library, compared: ComparedFile, into: str | None) -> ChatMatch | None:
    """Return the line a file continues or branches from; None if it is a new chat.

    ``into`` names the chat to use, whatever the file holds. Raises NotFound.
    """
    file, main_chat = compared.file, compared.main_chat
    lines = list(compare_lines(library, compared, into))
    proof = max(MIN_COMMON, compared.opening + 1)
    continued = [
        line for line in lines if line.is_of(file) or (line.is_same and line.common >= proof)
    ]
    best = max(continued, key=lambda line: (line.common, line.source == file), default=None)
    if best is not None and best.source == file:
        return ChatMatch(best)
    served = [line for line in lines if not main_chat and line.is_in_file(proof)]
    if served:
        return ChatMatch(max(served, key=lambda line: (line.equal, line.branch_id == MAIN_BRANCH)))
    named = [
        line
        for line in lines
        if line.common
        and (
            line.names_it or (main_chat and main_chat in (line.source, PurePath(line.source).stem))
        )
    ]
    if best is not None and (not named or _is_unnamed_branch(best, lines)):
        return ChatMatch(best)
    parents = [*named, *(line for line in lines if line.common >= proof)]
    if parents:  # of those that share most the first: named ones come first
        return ChatMatch(max(parents, key=lambda line: line.common), is_branch=True)
    if into is not None:
        return ChatMatch(next(line for line in lines if line.branch_id == MAIN_BRANCH))
    return None


def _is_unnamed_branch(best: ComparedLine, lines: Iterable[ComparedLine]) -> bool:
    """Return whether a file continues a branch that has no file and shares more than any line."""
    is_unnamed = best.branch_id != MAIN_BRANCH and not best.source
    return is_unnamed and all(line.common < best.common for line in lines if line is not best)


def compare_lines(
    library: Library, compared: ComparedFile, into: str | None = None
) -> Iterator[ComparedLine]:
    """Yield every line that begins as the file does, holds its texts or is of its name."""
    chosen_id = None if into is None else library.find_chat(into)
    for chat_id, name, source, _updated in library.chat_rows():
        if chosen_id not in (None, chat_id):
            continue
        try:
            store = library.chat(chat_id)
            is_served = is_only_served(store, source)
            for branch_id, _parent, _fork, _name, of in store.branches.rows():
                whose = (chat_id, name, branch_id, source if branch_id == MAIN_BRANCH else of)
                told = compared.known_texts(store, branch_id) if is_served else 0
                is_near = whose[3] == compared.file or compared.begins_as(store, branch_id)
                if is_near or told or chosen_id is not None:
                    line_hashes = store.messages.hashes(branch_id)
                    common = compared.common(store, branch_id, line_hashes)
                    line = _compare(whose, line_hashes, common, compared)
                    if is_served:
                        line = replace(line, is_served=True, equal=told)
                    yield replace(line, names_it=_names(store, line, PurePath(compared.file).stem))
        except StorageError as e:  # one damaged chat must not keep the others from being matched
            if chosen_id is not None:
                raise
            logger.warning("Chat %s was not compared: %s", chat_id, e)


def is_only_served(store: ChatStore, source: str) -> bool:
    """Return whether a chat was begun by the server and no file of it was seen yet."""
    return not source and has_gaps(row_of(store.branches.header(MAIN_BRANCH)))


def _names(store: ChatStore, line: ComparedLine, file: str) -> bool:
    """Return whether one of the last common messages names ``file`` as a branch.

    SillyTavern notes branches and checkpoints on the message they were made at.
    """
    first = max(0, line.common - LOOKED_BACK)
    for _id, _hash, raw in store.messages.raws(line.branch_id, first, line.common - 1):
        if file in raw and file in _noted_on(raw):
            return True
    return False


def _noted_on(raw: str) -> list[str]:
    try:
        row, _end = read_value(raw)
    except (ValueError, RecursionError):
        return []
    extra = table_of(table_of(row).get("extra"))
    branches = extra.get("branches")
    return [
        *texts_of(extra.get("bookmark_link")),
        *(texts_of(branches) if isinstance(branches, list) else ()),
    ]


def _compare(
    whose: tuple[str, str, str, str],
    line_hashes: Sequence[str],
    common: int,
    compared: ComparedFile,
) -> ComparedLine:
    counts = len(line_hashes), len(compared.hashes)
    equal = common
    if common < min(counts):  # otherwise no more can be equal
        equal = max(common, (compared.counts & Counter(line_hashes)).total())
    return ComparedLine(*whose, common, equal, *counts)


SLIP = "integrity"  # of a header: differs between branches, survives renames and conversions
REPLACED = 8  # messages without one in common mean another story under an old name


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where a file belongs.

    known: the line of ``row``. renamed: the same, ``row`` being of a file that no longer exists.
    converted: the same, ``row`` being of the solo chat a group's chat was made from. match: the
    line of ``match``; a new chat if that is None. copy: holds nothing new; ``match`` is where it
    goes if the user asks for it.
    """

    kind: Literal["known", "renamed", "converted", "match", "copy"]
    row: FollowedFile | None = None
    match: ChatMatch | None = None


def slip_of(header: str) -> str:
    """Return SillyTavern's integrity slip from a header; "" if there is none."""
    return text_of(table_of(row_of(header).get("chat_metadata")).get(SLIP))


def line_exists(library: Library, row: FollowedFile) -> bool:
    """Return whether the line of a row exists: chats get deleted, branches undone."""
    chats = {chat_id for chat_id, *_rest in library.chat_rows()}
    return row.chat_id in chats and row.branch_id in library.chat(row.chat_id).branches.ids()


def find_place(library: Library, chat: ChatFile) -> FilePlace:
    """Return where ``chat`` belongs. Its own row is trusted unless the file holds another story.

    A renamed file is the same line under another name. A copy without news is not followed:
    SillyTavern renames by copying, and for a moment both files exist. A group's file that holds all
    of a solo chat was made from it and continues it.
    """
    row = library.followed.get(chat.path)
    if row is not None and line_exists(library, row) and not _is_replaced(library, row, chat):
        return FilePlace("known", row)
    compared = ComparedFile.of_chat(chat)
    own_key = key_of(chat.path)
    owners = {
        (other.chat_id, other.branch_id): other
        for other in library.followed.all()
        if other.path != own_key
    }
    renamed_row = _renamed(library, chat, compared, owners)
    if renamed_row is not None:
        return FilePlace("renamed", renamed_row)
    converted_row = _converted(library, chat, compared, owners)
    if converted_row is not None:
        return FilePlace("converted", converted_row)
    match = find_match(library, compared, None)
    if match is None or match.is_branch:
        return FilePlace("match", match=match)
    return _claimed(compared, match.line, owners.get((match.line.chat_id, match.line.branch_id)))


def _claimed(compared: ComparedFile, line: ComparedLine, owner: FollowedFile | None) -> FilePlace:
    """Place a file that continues ``line``; ``owner`` is another file followed for that line."""
    is_shorter = line.common == line.file_count
    if owner is None:
        is_known = line.is_served or line.source == compared.file
        is_older = is_shorter and line.file_count < line.line_count and not is_known
        own = FilePlace("copy", match=ChatMatch(line, is_branch=True))
        return own if is_older else FilePlace("match", match=ChatMatch(line))
    if line.names_it or _is_child(compared, owner) or (line.common and not is_shorter):
        return FilePlace("match", match=ChatMatch(line, is_branch=True))
    return FilePlace("copy", match=ChatMatch(line, is_branch=True) if line.common else None)


def _is_child(compared: ComparedFile, owner: FollowedFile) -> bool:
    return bool(compared.main_chat) and compared.main_chat == PurePath(owner.path).stem


def _is_replaced(library: Library, row: FollowedFile, chat: ChatFile) -> bool:
    """Return whether a file holds another story than its line: no message and no text is equal."""
    messages = library.chat(row.chat_id).messages
    line_hashes = messages.hashes(row.branch_id)
    if min(len(line_hashes), chat.count) < REPLACED:
        return False
    line_set = set(line_hashes)
    if any(m.swipe_hash in line_set for m in chat.messages()):
        return False
    said = {words_key(s.text) for s in messages.sayings(row.branch_id, 0, ENDLESS)}
    return not any(words_key(m.text) in said for m in chat.messages())


def _renamed(
    library: Library,
    chat: ChatFile,
    compared: ComparedFile,
    owners: dict[tuple[str, str], FollowedFile],
) -> FollowedFile | None:
    """Return the row of a vanished file that held what this file holds; None if there is none.

    A branch is identified by the slip and the parent in its header.
    """
    lost_rows = {
        line: row
        for line, row in owners.items()
        if row.is_followed and (not Path(row.path).exists() or _yields(library, row, chat))
    }
    if not lost_rows:
        return None
    candidates = [
        line
        for line in compare_lines(library, compared)
        if (line.chat_id, line.branch_id) in lost_rows
        and _is_same_file(line)
        and _may_be(_metadata(library, line), chat.metadata)
    ]
    best = max(
        candidates,
        key=lambda line: (
            line.source == compared.file,
            line.common,
            -abs(line.line_count - line.file_count),
        ),
        default=None,
    )
    return None if best is None else lost_rows[best.chat_id, best.branch_id]


def _yields(library: Library, row: FollowedFile, chat: ChatFile) -> bool:
    """Return whether a row is of a file known by uploads only, and ``chat`` of a real one."""
    return is_uploaded(library.folder, row.path) and not is_uploaded(
        library.folder, chat.path.absolute()
    )


def _converted(
    library: Library,
    chat: ChatFile,
    compared: ComparedFile,
    owners: dict[tuple[str, str], FollowedFile],
) -> FollowedFile | None:
    """Return the row of the solo chat that a group's chat was made from; it must hold all of it."""
    solo, group = (chat.path.parent.parent / name for name in CHAT_FOLDERS)
    if chat.path.parent != group or chat.main_chat:
        return None
    folder = Path(key_of(solo))
    candidates = [
        line
        for line in compare_lines(library, compared)
        if (row := owners.get((line.chat_id, line.branch_id)))
        and row.is_followed
        and Path(row.path).parent.parent == folder
        and line.common == line.line_count
        and _made_of(_metadata(library, line), chat.metadata, line, compared)
    ]
    best = max(candidates, key=lambda line: line.common, default=None)
    return None if best is None else owners[best.chat_id, best.branch_id]


def _made_of(
    line: Mapping[str, Any], file: Mapping[str, Any], compared: ComparedLine, whole: ComparedFile
) -> bool:
    """Return whether a group's file has the slip of the solo chat, or enough messages of it."""
    slips = text_of(line.get(SLIP)), text_of(file.get(SLIP))
    if all(slips):
        return slips[0] == slips[1]
    return compared.common >= max(MIN_COMMON, whole.opening + 1)


def _may_be(line: Mapping[str, Any], file: Mapping[str, Any]) -> bool:
    """Return whether two headers may be of one file: a rename keeps slip and parent."""
    if not line or not file:
        return True
    slips = text_of(line.get(SLIP)), text_of(file.get(SLIP))
    if all(slips) and slips[0] != slips[1]:
        return False
    return text_of(line.get("main_chat")) == text_of(file.get("main_chat"))


def _metadata(library: Library, line: ComparedLine) -> Mapping[str, Any]:
    """Return the metadata in the header of a line's file; empty without a header."""
    raw = library.chat(line.chat_id).branches.header(line.branch_id)
    try:
        row, _end = read_value(raw)
    except (ValueError, RecursionError):
        return {}
    return table_of(table_of(row).get("chat_metadata"))


def _is_same_file(line: ComparedLine) -> bool:
    """Return whether a file holds all or most of a line."""
    is_short = line.common == line.line_count == line.file_count
    return is_short or line.equal >= max(MIN_COMMON, EDITED_SHARE * line.line_count)
