"""The rows of a chat for a view of it: read by page when they are drawn, and live at the end.

A hundred thousand floors cost what is looked at. What streams is put at the end without a read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.values import dataclass

PAGE = 32  # rows read at a time: a few screens, and still some only if each is very long
MAX_PAGES = 24
# What a row holds of a long message at first, and how much more each time it is asked for.
FIRST_CHARACTERS = 8_000
MORE_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class RowNote:
    """A small label below a message; pressing it is told by its ``key``."""

    key: str
    text: str
    tint: str = "grey"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One message as it is shown. ``length`` is that of the whole text: this may be a part.

    ``swipe`` counts from 1 and says which of how many readings this is. ``mark`` is the colour of
    the line beside it, empty for none.
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
    is_faint: bool = False  # it says that there is nothing to say
    is_live: bool = False
    when: str = ""  # when it was sent, where that is known
    asides: tuple[tuple[int, int], ...] = ()  # where thoughts begin and end in the text

    @property
    def is_cut(self) -> bool:
        return self.length > len(self.text)


# first floor, last floor, how much of each text
Fetch = Callable[[int, int, int], Sequence[ChatRow]]


class Transcript(QObject):
    """Rows by floor. ``fetch`` is called on the GUI thread, for one page."""

    reset = Signal()  # everything may be another
    resized = Signal(int)  # how many there are; those that were there are as they were
    changed = Signal(int, int)  # first and last floor whose rows are others

    def __init__(self, fetch: Fetch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._stored = 0
        self._live: tuple[ChatRow, ...] = ()
        self._live_at = 0
        self._pages: OrderedDict[int, dict[int, ChatRow]] = OrderedDict()
        self._longer: dict[int, ChatRow] = {}  # rows of which more was asked for

    @property
    def count(self) -> int:
        return self._live_at + len(self._live) if self._live else self._stored

    def show(self, count: int) -> None:
        """Show another chat of so many floors."""
        self._forget()
        self._stored, self._live = count, ()
        self.reset.emit()

    def follow(self, count: int) -> None:
        """The same chat has changed: read again what is looked at."""
        before = self.count
        self._forget()
        self._stored, self._live = count, ()
        if count != before:
            self.resized.emit(count)
        if count:
            self.changed.emit(0, count - 1)

    def set_live(self, at: int, rows: Sequence[ChatRow]) -> None:
        """Show ``rows`` from floor ``at`` on in place of what is stored there."""
        before, old, old_at = self.count, self._live, self._live_at
        self._live, self._live_at = tuple(rows), at
        if self.count != before:
            self.resized.emit(self.count)
        if at == old_at and len(old) == len(self._live):
            self.changed.emit(self.count - 1, self.count - 1)
        else:
            self.changed.emit(min(at, max(0, self.count - 1)), max(0, self.count - 1))

    def row(self, floor: int) -> ChatRow | None:
        """Return a row, reading its page if need be; None if it is gone meanwhile."""
        if self._live and floor >= self._live_at:
            offset = floor - self._live_at
            return self._live[offset] if offset < len(self._live) else None
        longer = self._longer.get(floor)
        return longer if longer is not None else self._page_of(floor).get(floor)

    def show_more(self, floor: int) -> None:
        """Show more of a long message."""
        row = self.row(floor)
        if row is not None and row.is_cut:
            rows = self._fetch(floor, floor, len(row.text) + MORE_CHARACTERS)
            self._longer |= {row.floor: row for row in rows}
            self.changed.emit(floor, floor)

    def show_to(self, floor: int, position: int) -> None:
        """Show a long message up to a character of it, and some more."""
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
