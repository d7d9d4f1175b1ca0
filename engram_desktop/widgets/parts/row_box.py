"""One row of a chat, laid out at a width: positions of its parts, and how they are painted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from engram_desktop.domain.play import actions
from engram_desktop.domain.text.cleaning import clean, masked, story
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.transcript import ChatRow
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import paint_face, tint_of

# The text of one row, laid out by paragraph as plain text; actions have their own style.
#
# A reply that grows is laid out again only from the first changed paragraph. Text outside of
# the story, such as a thought or a status panel, is folded until the reader opens it.


PARAGRAPH_GAP = 4
LEADING = 1.25  # height of a line of its font: prose is read here, not labels
EMPTY = 0.35  # share of a line's height for an empty line, which only separates paragraphs
# The time of a layout grows with the length: text without breaks is cut at this length.
LONGEST_PARAGRAPH = 2000
Color = Callable[[str], QColor]
# Position of a searched text: first and last character, and whether it is the current hit.
Found = tuple[int, int, bool]
Span = tuple[int, int]
_TAGS = frozenset(("tags",))


def shown_text(text: str) -> str:
    """Return text that a layout can hold: lone surrogates and zeros become a replacement mark."""
    if text.isascii():
        return text.replace("\r", "").replace("\0", "\ufffd")
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\r", "").replace("\0", "\ufffd").replace("\u2028", "\n")


def _paragraphs(text: str) -> list[str]:
    pieces = []
    for line in text.split("\n"):
        cuts = range(0, max(1, len(line)), LONGEST_PARAGRAPH)
        pieces += [line[at : at + LONGEST_PARAGRAPH] for at in cuts]
    return pieces


def _units(text: str, position: int) -> int:
    """Return the UTF-16 units before a position: Qt counts those, Python counts characters."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def _masked_in(piece: str, told: str) -> Iterator[Span]:
    """Yield the ranges of a paragraph that are markup within the story."""
    if piece == told:
        return
    start = -1
    for at, (char, kept) in enumerate(zip(f"{piece} ", f"{told} ", strict=True)):
        if char != kept and start < 0:
            start = at
        elif char == kept and start >= 0 and not char.isspace():
            yield start, at
            start = -1
    if start >= 0:
        yield start, len(piece)


def _style(ink: QColor, ground: QColor | None = None) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setForeground(ink)
    if ground is not None:
        style.setBackground(ground)
    return style


class Paragraph:
    """One laid-out paragraph. Positions count Python characters. A folded one takes no room."""

    def __init__(
        self,
        text: str,
        font: QFont,
        width: float,
        aside: QTextCharFormat,
        styled: Sequence[tuple[int, int, QTextCharFormat]] = (),
        *,
        is_folded: bool = False,
    ) -> None:
        self.text = text
        self.is_folded = is_folded
        self._is_wide = not text.isascii() and max(text) > "\uffff"
        self._layout = QTextLayout(text, font)
        self._layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self.height = self.natural_width = 0.0
        if is_folded:
            return
        told = [self._range(a, b, aside) for a, b in actions(text)]
        self._layout.setFormats(told + [self._range(*style) for style in styled])
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(width)
            height = line.height() * LEADING
            line.setPosition(QPointF(0, self.height + (height - line.height()) / 2))
            self.height += height
            self.natural_width = max(self.natural_width, line.naturalTextWidth())
        self._layout.endLayout()
        if not text:
            self.height *= EMPTY

    def draw(
        self, painter: QPainter, at: QPointF, spans: Sequence[tuple[int, int, QTextCharFormat]]
    ) -> None:
        """Draw it with other styles for some characters; later ones override earlier ones."""
        ranges = []
        for start, end, style in spans:
            first, last = max(0, start), min(len(self.text), end)
            if first < last:
                ranges.append(self._range(first, last, style))
        self._layout.draw(painter, at, ranges)

    def position_at(self, x: float, y: float) -> int:
        """Return the position nearest to a point of the paragraph."""
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            if y < line.y() + line.height() * LEADING or number == self._layout.lineCount() - 1:
                return self._characters(line.xToCursor(x))
        return 0

    def line_at(self, position: int) -> float:
        """Return the y of the line of a character, from the top."""
        units = _units(self.text, position) if self._is_wide else position
        line = self._layout.lineForTextPosition(min(units, len(self._layout.text())))
        return line.y() if line.isValid() else 0.0

    def _range(self, first: int, last: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
        if self._is_wide:
            first, last = _units(self.text, first), _units(self.text, last)
        span = QTextLayout.FormatRange()
        span.start, span.length, span.format = first, last - first, style
        return span

    def _characters(self, units: int) -> int:
        if not self._is_wide:
            return units
        head = self.text.encode("utf-16-le", "surrogatepass")[: 2 * units]
        return len(head.decode("utf-16-le", "ignore"))


class RowText:
    """Paragraphs below each other. ``text`` is the shown text; positions count its characters."""

    def __init__(
        self,
        text: str,
        font: QFont,
        width: float,
        color: Color,
        old: RowText | None = None,
        asides: Sequence[Span] = (),
        *,
        is_folded: bool = True,
    ) -> None:
        """``asides`` are thoughts, styled apart from speech.

        ``is_folded``: leave out paragraphs without any story; ``has_markup``: some paragraphs
        contain markup.
        """
        self.text = shown_text(text)
        self.asides = tuple(asides)
        self.has_markup = False
        self._chosen_style = _style(color("on_accent"), color("accent"))
        self._found_style = _style(color("gold_ink"), color("gold_soft"))
        self._current_style = _style(color("panel"), color("gold_ink"))
        aside = _style(color("ink2"))
        aside.setFontItalic(True)
        thought = _style(color("ink2"), color("grey_soft"))
        thought.setFontItalic(True)
        markup = _style(color("ink2"))
        told = masked(self.text)
        kept = old.paragraphs if old is not None and old.asides == self.asides else []
        self.paragraphs: list[Paragraph] = []
        at = 0
        is_markup = False
        for number, piece in enumerate(_paragraphs(self.text)):
            if piece.strip():  # an empty line belongs to the text before it
                is_markup = not told[at : at + len(piece)].strip()
                is_said = is_markup and bool(clean(piece, _TAGS))
                self.has_markup = self.has_markup or is_said
            is_out = is_markup and is_folded
            is_kept = number < len(kept) and kept[number].text == piece and not is_markup
            if is_kept and not kept[number].is_folded:
                made = kept[number]
            elif is_markup:
                whole = [(0, len(piece), markup)]
                made = Paragraph(piece, font, width, aside, whole, is_folded=is_out)
            else:
                inside = [
                    (max(0, a - at), min(len(piece), b - at), thought)
                    for a, b in self.asides
                    if a < at + len(piece) and b > at
                ]
                inside += [(a, b, markup) for a, b in _masked_in(piece, told[at : at + len(piece)])]
                made = Paragraph(piece, font, width, aside, inside)
            self.paragraphs.append(made)
            at += len(piece)
            at += self.text[at : at + 1] == "\n"
        self._places = self._find_places()
        shown = [p.height for p in self.paragraphs if not p.is_folded]
        self.height = sum(shown) + PARAGRAPH_GAP * (len(shown) - 1)
        self.natural_width = max(p.natural_width for p in self.paragraphs)

    def _find_places(self) -> list[tuple[float, int]]:
        """Return for each paragraph its y and its first position in the text."""
        places, y, at = [], 0.0, 0
        for paragraph in self.paragraphs:
            places.append((y, at))
            y += 0.0 if paragraph.is_folded else paragraph.height + PARAGRAPH_GAP
            at += len(paragraph.text)
            at += self.text[at : at + 1] == "\n"
        return places

    def draw(
        self,
        painter: QPainter,
        at: QPointF,
        seen: QRectF,
        chosen: Span | None,
        found: Sequence[Found] = (),
    ) -> None:
        """Draw the part in ``seen``, with hits and the selection marked."""
        spans = [(a, b, self._current_style if on else self._found_style) for a, b, on in found]
        if chosen is not None:
            spans.append((*chosen, self._chosen_style))
        for paragraph, (y, start) in zip(self.paragraphs, self._places, strict=True):
            top = at.y() + y
            if paragraph.is_folded or top + paragraph.height < seen.top():
                continue
            if top > seen.bottom():
                break
            here = [
                (a - start, b - start, style)
                for a, b, style in spans
                if a < start + len(paragraph.text) and b > start
            ]
            paragraph.draw(painter, QPointF(at.x(), top), here)

    def line_at(self, position: int) -> float:
        """Return the y of the line of a character, from the top."""
        for paragraph, (top, start) in reversed(
            list(zip(self.paragraphs, self._places, strict=True))
        ):
            if position >= start:
                return top + paragraph.line_at(position - start)
        return 0.0

    def is_folded_at(self, position: int) -> bool:
        """Return whether a character is in a folded paragraph."""
        before = [
            paragraph
            for paragraph, (_top, start) in zip(self.paragraphs, self._places, strict=True)
            if start <= position
        ]
        return bool(before) and before[-1].is_folded

    def position_at(self, x: float, y: float) -> int:
        for paragraph, (top, start) in reversed(
            list(zip(self.paragraphs, self._places, strict=True))
        ):
            if y >= top:
                return start + paragraph.position_at(x, y - top)
        return 0


AVATAR = 36
PAD = 10  # above and below a row
HEAD = 22  # the line with the name
SIDE = 24  # left and right of the column
GUTTER = 14  # between the avatar and the text
INSET_X, INSET_Y = 14, 9  # inside the bubble
NOTE = 22  # height of a label below a message
GAP = 6  # pixels between labels, and between them and the bubble
WIDEST_TEXT = 780  # a line longer than this is hard to follow
MARK = 3  # pixels: width of the line beside a row


@dataclass(frozen=True, slots=True)
class Hit:
    """A clickable part of a row. ``key`` is its name, or the key of a note."""

    kind: str  # "note", "more", "fold", "previous", "next"
    box: QRectF
    key: str = ""
    text: str = ""
    tip: str = ""
    tint: str = "grey"


class RowStyle:
    """Fonts and colours of rows, and the faces of speakers."""

    def __init__(self, look: Look, face: Callable[[str], QImage | None]) -> None:
        self.look = look
        self.face = face
        self.body, self.strong, self.small = QFont(), QFont(), QFont()
        for font, size in ((self.body, 14), (self.strong, 13), (self.small, 12)):
            font.setPixelSize(size)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.small_metrics = QFontMetricsF(self.small)
        self.strong_metrics = QFontMetricsF(self.strong)


@dataclass(frozen=True, slots=True)
class RowWords:
    """Texts of a row that do not come from the message."""

    floor: str
    hidden: str
    more: str
    previous: str
    next: str
    waiting: str
    unfold: str
    fold: str


class RowBox:
    """Geometry and painting of a row. All positions are relative to its top left corner."""

    def __init__(
        self,
        row: ChatRow,
        width: int,
        style: RowStyle,
        words: RowWords,
        *,
        old: RowBox | None = None,
        reserved: int = 0,
        is_folded: bool = True,
    ) -> None:
        """``old`` is the previous box of the row; ``reserved`` is the height of a covering widget.

        ``is_folded``: show only the story of its text.
        """
        self.row = row
        self.is_folded = is_folded
        self.width = width
        self._style = style
        self._words = words
        room = width - 2 * SIDE - AVATAR - GUTTER
        text_width = max(80.0, min(WIDEST_TEXT, room) - 2 * INSET_X)
        self.left = SIDE + max(0.0, (room - WIDEST_TEXT) / 2)
        self.text_left = self.left + AVATAR + GUTTER
        is_grown = old is not None and old.width == width and old.row.floor == row.floor
        self.text: RowText = RowText(
            row.text,
            style.body,
            text_width,
            style.look.color,
            old.text if is_grown and old is not None else None,
            row.asides,
            is_folded=is_folded,
        )
        natural = max(28.0, min(self.text.natural_width, text_width))
        self.bubble = QRectF(
            self.text_left, PAD + HEAD, natural + 2 * INSET_X, self.text.height + 2 * INSET_Y
        )
        self.is_covered = reserved > 0
        if reserved:
            self.bubble.setWidth(text_width + 2 * INSET_X)
            self.bubble.setHeight(reserved)
        self.hits: list[Hit] = []
        end = self.bubble.bottom() if reserved else self._place_notes(text_width + 2 * INSET_X)
        self.height = int(end + PAD)

    @property
    def text_at(self) -> QPointF:
        return self.bubble.topLeft() + QPointF(INSET_X, INSET_Y)

    def hit_at(self, at: QPointF) -> Hit | None:
        return next((hit for hit in self.hits if hit.box.contains(at)), None)

    def position_at(self, at: QPointF) -> int:
        """Return the position in the text nearest to a point."""
        inner = at - self.text_at
        return self.text.position_at(inner.x(), max(0.0, inner.y()))

    def _place_notes(self, width: float) -> float:
        """Place the clickable labels below the bubble, in lines; return the y of the row's end."""
        wanted = []
        number, of = self.row.swipe
        if of > 1:
            wanted += [
                Hit("previous", QRectF(), "", "‹", self._words.previous),
                Hit("", QRectF(), "", f"{number}/{of}"),
                Hit("next", QRectF(), "", "›", self._words.next),
            ]
        if self.row.is_cut:
            wanted.append(Hit("more", QRectF(), "", self._words.more, "", "accent"))
        if self.text.has_markup:
            words = self._words.unfold if self.is_folded else self._words.fold
            wanted.append(Hit("fold", QRectF(), "", words))
        wanted += [Hit("note", QRectF(), n.key, n.text, n.tip, n.tint) for n in self.row.notes]
        if not wanted:
            return self.bubble.bottom()
        x, y = self.text_left, self.bubble.bottom() + GAP
        for part in wanted:
            advance = self._style.small_metrics.horizontalAdvance(part.text)
            size = min(width, advance + (18 if part.kind not in ("previous", "next") else 14))
            if x > self.text_left and x + size > self.text_left + width:
                x, y = self.text_left, y + NOTE + GAP
            box = QRectF(x, y, size, NOTE)
            self.hits.append(Hit(part.kind, box, part.key, part.text, part.tip, part.tint))
            x += size + GAP
        return y + NOTE

    def paint(
        self,
        painter: QPainter,
        seen: QRectF,
        chosen: tuple[int, int] | None,
        *,
        found: Sequence[Found] = (),
        is_current: bool = False,
        hover: Hit | None = None,
    ) -> None:
        """Draw the part in ``seen``; the painter's origin is the row's corner."""
        look = self._style.look
        if self.row.mark:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color(self.row.mark))
            top = self.bubble.top()
            painter.drawRoundedRect(
                QRectF(self.left - 10, top, MARK, self.bubble.height()), 1.5, 1.5
            )
        self._paint_avatar(painter)
        self._paint_head(painter)
        if self.is_covered:
            return
        painter.setBrush(look.color("selection" if self.row.is_own else "panel"))
        edge = "accent" if is_current else "line"
        painter.setPen(QPen(look.color(edge), 1.0))
        painter.drawRoundedRect(self.bubble, 10, 10)
        is_faint = self.row.is_hidden or self.row.is_faint
        painter.setPen(look.color("ink2" if is_faint else "ink"))
        self.text.draw(painter, self.text_at, seen, chosen, found)
        if self.row.is_live:
            self._paint_waiting(painter)
        for hit in self.hits:
            self._paint_hit(painter, hit, is_under=hit is hover)

    def _paint_avatar(self, painter: QPainter) -> None:
        look = self._style.look
        box = QRectF(self.left, PAD, AVATAR, AVATAR)
        face = None if self.row.is_own else self._style.face(self.row.name)
        is_plain = self.row.is_own or self.row.is_faint
        tint = "grey" if is_plain else tint_of(self.row.name)
        painter.setFont(self._style.strong)
        paint_face(painter, look, box, self.row.name, tint, face)

    def _paint_head(self, painter: QPainter) -> None:
        look, metrics = self._style.look, self._style.strong_metrics
        line = QRectF(self.text_left, PAD - 1, self.width - self.text_left - SIDE, HEAD - 2)
        name = metrics.elidedText(
            self.row.name[:200], Qt.TextElideMode.ElideRight, line.width() * 0.6
        )
        at = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(self._style.strong)
        painter.setPen(look.color("ink"))
        painter.drawText(line, at, name)
        told = self._words.floor.format(floor=self.row.floor)
        if self.row.when:
            told = f"{told} · {self.row.when}"
        if self.row.is_hidden:
            told = f"{told} · {self._words.hidden}"
        painter.setFont(self._style.small)
        painter.setPen(look.color("ink2"))
        painter.drawText(line.adjusted(metrics.horizontalAdvance(name) + 10, 0, 0, 0), at, told)

    def _paint_waiting(self, painter: QPainter) -> None:
        """Show that more text will follow: words in an empty row, else a mark at the end."""
        look = self._style.look
        painter.setFont(self._style.small)
        painter.setPen(look.color("accent_ink"))
        below = QRectF(self.text_left, self.bubble.bottom() - 4, 300, PAD)
        if not self.row.text:
            below = QRectF(self.bubble.right() + 8, self.bubble.top(), 300, self.bubble.height())
        at = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(below, at, "" if self.row.text else self._words.waiting)

    def _paint_hit(self, painter: QPainter, hit: Hit, *, is_under: bool) -> None:
        look, metrics = self._style.look, self._style.small_metrics
        tint = hit.tint
        if hit.kind:
            painter.setBrush(look.color(f"{tint}_soft"))
            painter.setPen(QPen(look.color("accent"), 1.0) if is_under else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(hit.box, NOTE / 2, NOTE / 2)
        painter.setFont(self._style.small)
        painter.setPen(look.color(f"{tint}_ink" if hit.kind else "ink2"))
        text = metrics.elidedText(hit.text, Qt.TextElideMode.ElideRight, hit.box.width() - 12)
        painter.drawText(hit.box, Qt.AlignmentFlag.AlignCenter, text)


def spoken(row: ChatRow, words: RowWords) -> str:
    """Return a row as text for a screen reader."""
    parts = [row.name, words.floor.format(floor=row.floor), story(row.text)]
    return ". ".join([*parts, *(f"{note.text} {note.tip}".strip() for note in row.notes)])
