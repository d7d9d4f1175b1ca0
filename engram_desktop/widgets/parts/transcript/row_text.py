"""The text of one row, laid out by paragraph: plain text whatever it holds, actions set apart.

A reply that grows is laid out from the paragraph that changed on: the others are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from engram_desktop.domain.play.emphasis import actions

PARAGRAPH_GAP = 4
LEADING = 1.25  # height of a line of its font: prose is read here, not labels
EMPTY = 0.35  # height of an empty line: it parts paragraphs and is nothing to read
# A layout takes time by its length: what has no breaks of its own is cut here.
LONGEST_PARAGRAPH = 2000
Color = Callable[[str], QColor]
# Where a searched text stands: first and last character, and whether it is the one gone to.
Found = tuple[int, int, bool]
Span = tuple[int, int]


def shown_text(text: str) -> str:
    """Return what a layout can hold of any text: half an emoji becomes a mark, as do zeros."""
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
    """Count UTF-16 units before a position: Qt counts those, Python counts characters."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def _style(ink: QColor, ground: QColor | None = None) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setForeground(ink)
    if ground is not None:
        style.setBackground(ground)
    return style


class Paragraph:
    """One laid-out paragraph. Positions are Python's."""

    def __init__(
        self,
        text: str,
        font: QFont,
        width: float,
        aside: QTextCharFormat,
        thoughts: Sequence[tuple[int, int, QTextCharFormat]] = (),
    ) -> None:
        self.text = text
        self._is_wide = not text.isascii() and max(text) > "\uffff"
        self._layout = QTextLayout(text, font)
        self._layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        told = [self._range(a, b, aside) for a, b in actions(text)]
        self._layout.setFormats(told + [self._range(*thought) for thought in thoughts])
        self.height = self.natural_width = 0.0
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
        """Draw it with some characters in other styles; a later one covers an earlier one."""
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
        """Return how far below the top the line of a character is."""
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
    """Paragraphs below each other. ``text`` is what is shown; positions count its characters."""

    def __init__(
        self,
        text: str,
        font: QFont,
        width: float,
        color: Color,
        old: RowText | None = None,
        asides: Sequence[Span] = (),
    ) -> None:
        """``asides`` are thoughts, set apart from what is said."""
        self.text = shown_text(text)
        self.asides = tuple(asides)
        self._chosen_style = _style(color("on_accent"), color("accent"))
        self._found_style = _style(color("gold_ink"), color("gold_soft"))
        self._current_style = _style(color("panel"), color("gold_ink"))
        aside = _style(color("ink2"))
        aside.setFontItalic(True)
        thought = _style(color("ink2"), color("grey_soft"))
        thought.setFontItalic(True)
        kept = old.paragraphs if old is not None and old.asides == self.asides else []
        self.paragraphs: list[Paragraph] = []
        at = 0
        for number, piece in enumerate(_paragraphs(self.text)):
            if number < len(kept) and kept[number].text == piece:
                made = kept[number]
            else:
                inside = [
                    (max(0, a - at), min(len(piece), b - at), thought)
                    for a, b in self.asides
                    if a < at + len(piece) and b > at
                ]
                made = Paragraph(piece, font, width, aside, inside)
            self.paragraphs.append(made)
            at += len(piece)
            at += self.text[at : at + 1] == "\n"
        self._places = self._find_places()
        gaps = PARAGRAPH_GAP * (len(self.paragraphs) - 1)
        self.height = sum(p.height for p in self.paragraphs) + gaps
        self.natural_width = max(p.natural_width for p in self.paragraphs)

    def _find_places(self) -> list[tuple[float, int]]:
        """Return where each paragraph begins: y, and the position in the text."""
        places, y, at = [], 0.0, 0
        for paragraph in self.paragraphs:
            places.append((y, at))
            y += paragraph.height + PARAGRAPH_GAP
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
        """Draw what lies in ``seen``, with what is found and what is chosen marked."""
        spans = [(a, b, self._current_style if on else self._found_style) for a, b, on in found]
        if chosen is not None:
            spans.append((*chosen, self._chosen_style))
        for paragraph, (y, start) in zip(self.paragraphs, self._places, strict=True):
            top = at.y() + y
            if top + paragraph.height < seen.top():
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
        """Return how far below the top the line of a character is."""
        for paragraph, (top, start) in reversed(
            list(zip(self.paragraphs, self._places, strict=True))
        ):
            if position >= start:
                return top + paragraph.line_at(position - start)
        return 0.0

    def position_at(self, x: float, y: float) -> int:
        for paragraph, (top, start) in reversed(
            list(zip(self.paragraphs, self._places, strict=True))
        ):
            if y >= top:
                return start + paragraph.position_at(x, y - top)
        return 0
