"""The messages of a chat as rows, with the faces of their speakers.

Rows are read by page when they are drawn, so that 100,000 floors cost only what is shown. Streamed
rows are put at the end without a read.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QImage, QImageReader

from engram_desktop.domain.cards import CharacterRow
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.play import SceneMember
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.memory import Memory

PAGE = 32  # rows read at once: a few screens, and affordable even if each is very long
MAX_PAGES = 24
# Characters of a long message read at first, and read more each time on request.
FIRST_CHARACTERS = 8_000
MORE_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class RowNote:
    """A small label below a message; pressing it emits its ``key``."""

    key: str
    text: str
    tint: str = "grey"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One message as shown. ``length`` is that of the whole text; ``text`` may be a part of it.

    ``swipe`` counts from 1 and is the shown swipe of all. ``mark`` is the colour of the line beside
    it, empty for none.
    """

    floor: int
    name: str
    text: str
    is_own: bool = False
    is_hidden: bool = False
    length: int = 0
    notes: tuple[RowNote, ...] = ()
    swipe: tuple[int, int] = (1, 1)
    mark: str = ""
    is_faint: bool = False  # a placeholder without content
    is_live: bool = False
    when: str = ""  # time of sending, where known
    asides: tuple[tuple[int, int], ...] = ()  # start and end of thoughts in the text

    @property
    def is_cut(self) -> bool:
        return self.length > len(self.text)


# first floor, last floor, characters of each text
Fetch = Callable[[int, int, int], Sequence[ChatRow]]


class Transcript(QObject):
    """Rows by floor. ``fetch`` is called on the GUI thread, for one page."""

    reset = Signal()  # all rows may have changed
    resized = Signal(int)  # number of rows; earlier rows are unchanged
    changed = Signal(int, int)  # first and last floor of changed rows

    def __init__(self, fetch: Fetch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._stored = 0
        self._live: tuple[ChatRow, ...] = ()
        self._live_at = 0
        self._pages: OrderedDict[int, dict[int, ChatRow]] = OrderedDict()
        self._longer: dict[int, ChatRow] = {}  # rows of which more text was read

    @property
    def count(self) -> int:
        return self._live_at + len(self._live) if self._live else self._stored

    def show(self, count: int) -> None:
        """Show another chat of ``count`` floors."""
        self._forget()
        self._stored, self._live = count, ()
        self.reset.emit()

    def follow(self, count: int) -> None:
        """Read the shown rows again after a change of the same chat, now of ``count`` floors."""
        before = self.count
        self._forget()
        self._stored, self._live = count, ()
        if count != before:
            self.resized.emit(count)
        if count:
            self.changed.emit(0, count - 1)

    def set_live(self, at: int, rows: Sequence[ChatRow]) -> None:
        """Show ``rows`` from floor ``at`` on in place of the stored messages there."""
        before, old, old_at = self.count, self._live, self._live_at
        self._live, self._live_at = tuple(rows), at
        if self.count != before:
            self.resized.emit(self.count)
        if at == old_at and len(old) == len(self._live):
            self.changed.emit(self.count - 1, self.count - 1)
        else:
            self.changed.emit(min(at, max(0, self.count - 1)), max(0, self.count - 1))

    def row(self, floor: int) -> ChatRow | None:
        """Return a row, reading its page if needed; None if it is gone meanwhile."""
        if self._live and floor >= self._live_at:
            offset = floor - self._live_at
            return self._live[offset] if offset < len(self._live) else None
        longer = self._longer.get(floor)
        return longer if longer is not None else self._page_of(floor).get(floor)

    def show_more(self, floor: int) -> None:
        """Read more text of a long message."""
        row = self.row(floor)
        if row is not None and row.is_cut:
            rows = self._fetch(floor, floor, len(row.text) + MORE_CHARACTERS)
            self._longer |= {row.floor: row for row in rows}
            self.changed.emit(floor, floor)

    def show_to(self, floor: int, position: int) -> None:
        """Read a long message up to a character position, and some more."""
        row = self.row(floor)
        if row is not None and row.is_cut and len(row.text) <= position:
            rows = self._fetch(floor, floor, position + MORE_CHARACTERS)
            self._longer |= {row.floor: row for row in rows}
            self.changed.emit(floor, floor)

    def _page_of(self, floor: int) -> dict[int, ChatRow]:
        number = floor // PAGE
        page = self._pages.get(number)
        if page is None:
            last = min(self._stored, (number + 1) * PAGE) - 1
            rows = self._fetch(number * PAGE, last, FIRST_CHARACTERS)
            page = self._pages[number] = {row.floor: row for row in rows}
            if len(self._pages) > MAX_PAGES:
                self._pages.popitem(last=False)
        else:
            self._pages.move_to_end(number)
        return page

    def _forget(self) -> None:
        self._pages.clear()
        self._longer.clear()


def row_of(message: Message, length: int) -> ChatRow:
    when = f"{local_moment(message.sent_at):%Y-%m-%d %H:%M}" if message.sent_at else ""
    return ChatRow(
        message.seq,
        message.name,
        message.text,
        is_own=message.role == "user",
        is_hidden=message.is_hidden,
        length=length,
        when=when,
    )


class MessageRows:
    """Reads rows for a `Transcript`; ``line`` is the line read, with an empty chat for none."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.line = Line("", "")
        self.actor = ""  # the character who perceived them, empty for the curator

    def rows(self, first: int, last: int, most: int) -> list[ChatRow]:
        if not self.line.chat_id or last < first:
            return []
        if self.actor:
            return self._heard(first, last, most)
        heads = self._memory.messages.heads(self.line, first, last, most)
        return [row_of(message, length) for message, length in heads]

    def _heard(self, first: int, last: int, most: int) -> list[ChatRow]:
        """Return rows as ``actor`` perceived them; unperceived messages are placeholders."""
        messages = self._memory.knowledge.heard(NullContext(), self.line, self.actor, first, last)
        heard = {m.seq: row_of(replace(m, text=m.text[:most]), len(m.text)) for m in messages}
        nothing = QCoreApplication.translate("MessageRows", "{name} perceived nothing of this.")
        text = nothing.format(name=self.actor)
        silent = ChatRow(0, "–", text, is_faint=True, length=len(text))
        return [heard.get(n) or replace(silent, floor=n) for n in range(first, last + 1)]


FACE = 40  # pixels beside a message
MAX_FACES = 300  # faces held: each is a file of some megabytes
# Formats by the first bytes of a file. Without a format Qt tries its SVG reader on every picture:
# that connects a signal while holding Python's lock, and disconnecting one on the GUI thread takes
# the two locks in the other order: a deadlock.
FORMATS = {
    b"\x89PNG": b"png",
    b"\xff\xd8": b"jpeg",
    b"RIFF": b"webp",
    b"GIF8": b"gif",
    b"BM": b"bmp",
}


def faces_of(memory: Memory, members: Sequence[SceneMember]) -> dict[str, QImage]:
    """Return the faces of the members of a chat by name; members without a picture are left out."""
    faces = {}
    for member in members:
        try:
            face = face_of(memory.characters.picture(member.card_id)) if member.card_id else None
        except KnownError:
            continue  # a card whose picture cannot be read
        if face is not None and not face.isNull():
            faces[member.name] = face
    return faces


def faces_of_cards(
    ctx: JobContext, memory: Memory, rows: Sequence[CharacterRow]
) -> dict[str, QImage]:
    """Return the faces of the library's characters by id, as many as are shown at once."""
    faces = {}
    for row in rows[:MAX_FACES]:
        ctx.check()
        with contextlib.suppress(KnownError):  # a character without a readable picture
            faces[row.id] = face_of(memory.characters.picture(row.id))
    return faces


def face_of(data: bytes, side: int = 2 * FACE) -> QImage:
    """Decode a picture small; a null image if there is none."""
    encoded = QByteArray(data)
    buffer = QBuffer(encoded)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    form = next((form for start, form in FORMATS.items() if data.startswith(start)), b"")
    reader = QImageReader(buffer, form)
    size = reader.size()
    if size.isValid():
        around = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        reader.setScaledSize(size.scaled(QSize(side, side), around))
    return reader.read()
