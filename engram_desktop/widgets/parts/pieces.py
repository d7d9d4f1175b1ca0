"""Small widgets: labels, buttons, faces, placeholders, text with pictures."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.widgets.parts.look import Look

if TYPE_CHECKING:
    from engram_desktop.domain.text.words import DiffPiece


# Labels, buttons and frames. Text is always plain: a story may contain markup.


CHIP_HEIGHT = 30  # pixels, at least: a lower chip is not rounded by the style sheet


class ProgressBar(QProgressBar):
    """Painted with the rest of the window: Qt's own paints itself, and all that waits, at once."""

    @override
    def setValue(self, value: int) -> None:
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)


def label(text: str = "", tone: str = "", *, wrap: bool = False) -> QLabel:
    """Make a plain-text label; ``tone`` names its style in the style sheet."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if tone:
        widget.setProperty("tone", tone)
    return widget


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and style the widget again if it changed."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_tone(widget: QWidget, tone: str) -> None:
    restyle(widget, "tone", tone)


def chip(look: Look, text: str, tint: str = "grey") -> QLabel:
    """Make a small rounded label in the soft colour of ``tint``."""
    widget = label(text)
    roles = look.theme.roles
    widget.setStyleSheet(
        f"background: {roles[f'{tint}_soft']}; color: {roles[f'{tint}_ink']};"
        "border-radius: 9px; padding: 2px 9px; font-size: 12px;"
    )
    return widget


def literal(text: str) -> str:
    """Return ``text`` with "&" doubled, so that buttons and menus show it and define no key."""
    return text.replace("&", "&&")


def icon_button(look: Look, icon: str, name: str) -> QToolButton:
    """Make a button that shows an icon only; ``name`` is its tooltip and accessible name."""
    button = QToolButton()
    look.set_icon(button, icon, "ink2")
    button.setIconSize(QSize(18, 18))
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button


def text_button(text: str, role: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    if role:
        button.setProperty("role", role)
    return button


def kind_button(kind: str, text: str, *, checkable: bool = True) -> QToolButton:
    """Make a chip, tab or page button, drawn by the style sheet."""
    button = QToolButton()
    button.setProperty("kind", kind)
    button.setText(text)
    button.setCheckable(checkable)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    if kind == "chip":
        button.setMinimumHeight(CHIP_HEIGHT)
    return button


def named_frame(name: str) -> QFrame:
    """Make a frame that the style sheet knows by name: a card, a well, a page."""
    frame = QFrame()
    frame.setObjectName(name)
    return frame


# A one-line label that is elided if it does not fit.


LEAST_READ = 30  # pixels: a letter and the ellipsis


class ElidedLabel(QLabel):
    """One line of text, elided if it does not fit; the tooltip then has the whole text.

    A ``short`` text is shown in place of the whole while `set_short` is on.
    """

    def __init__(
        self, tone: str, max_width: int | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._whole = self._short = ""
        self._is_short = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(60)
        if max_width is not None:
            self.setMaximumWidth(max_width)

    def set_text(self, text: str, short: str = "") -> None:
        self._whole, self._short = text, short
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def set_short(self, *, is_short: bool) -> None:
        if is_short != self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self._elide()

    @property
    def _wanted(self) -> str:
        return self._short if self._is_short and self._short else self._whole

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        hint.setWidth(self.fontMetrics().horizontalAdvance(self._wanted) + 4)
        return hint

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        text = self.fontMetrics().elidedText(
            self._wanted, Qt.TextElideMode.ElideRight, max(60, self.width())
        )
        if self.width() < LEAST_READ:
            text = ""  # part of a letter has no meaning
        if text != self.text():
            self.setText(text)
        self.setToolTip("" if text == self._whole else self._whole)


# The face of a person: a round picture, or the first letter of the name without a picture.


TINTS = ("accent", "green", "gold", "red")
_LETTER = 0.4  # of the face: the height of its letter


def tint_of(name: str) -> str:
    """Return the colour role of a name; the same name always has the same role."""
    return TINTS[sum(map(ord, name)) % len(TINTS)]


def paint_face(
    painter: QPainter, look: Look, box: QRectF, name: str, tint: str, image: QImage | None
) -> None:
    """Draw a face into ``box``; the letter uses the painter's font."""
    if image is not None:
        path = QPainterPath()
        path.addEllipse(box)
        side = min(image.width(), image.height())
        top = QRectF((image.width() - side) / 2, 0, side, side)  # faces are at the top of a picture
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(path)
        painter.drawImage(box, image, top)
        painter.restore()
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color(f"{tint}_soft"))
    painter.drawEllipse(box)
    painter.setPen(look.color(f"{tint}_ink"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, initial(name))


def initial(name: str) -> str:
    """Return the letter for a name in a disc: its first one, 顾 of “27_顾凌薇”."""
    letter = next(filter(str.isalpha, name), name.strip()[:1])
    return letter.upper() or "?"


class FaceView(QWidget):
    """A face of one size. It is silent for a screen reader: the name is beside it."""

    def __init__(self, look: Look, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._name = ""
        self._tint = TINTS[0]
        self._image: QImage | None = None
        self.setFixedSize(QSize(size, size))
        look.changed.connect(self.update)

    def show_face(self, name: str, image: QImage | None, *, is_plain: bool = False) -> None:
        """Show a person's face; ``is_plain`` is for the player, who has no colour."""
        self._name, self._image = name, image
        self._tint = "grey" if is_plain else tint_of(name)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(round(self.height() * _LETTER))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        box = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
        paint_face(painter, self._look, box, self._name, self._tint, self._image)


# Grey lines in place of a text that is still being read, instead of a false "nothing yet".


LINE, GAP = 12, 10  # pixels: height of a grey line and the gap below it
_WIDTHS = (0.94, 0.82, 0.9, 0.55)  # share of the width, so that it looks like a paragraph


class SkeletonLines(QWidget):
    """A number of grey lines. They are not animated, so that they do not draw attention."""

    def __init__(self, look: Look, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._lines = lines
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Reading…"))
        look.changed.connect(self.update)

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._lines * (LINE + GAP) - GAP)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("hover"))
        for number in range(self._lines):
            width = self.width() * _WIDTHS[number % len(_WIDTHS)]
            painter.drawRoundedRect(QRectF(0, number * (LINE + GAP), width, LINE), 6, 6)


class GuideView(QTextBrowser):
    """A text view that shows only the pictures passed to it: it reads none from disk or network.

    A picture is never wider than the lines of text.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures: Mapping[str, QImage] = {}

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        picture = self.pictures.get(QUrl(name).toString())
        return None if picture is None else self._narrowed(picture)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        document = self.document()
        kind = QTextDocument.ResourceType.ImageResource
        for name, picture in self.pictures.items():
            document.addResource(kind.value, QUrl(name), self._narrowed(picture))
        document.markContentsDirty(0, document.characterCount())

    def _narrowed(self, picture: QImage) -> QImage:
        """Return a copy of a picture, drawn with all its pixels and at most as wide as a line."""
        room = self.viewport().width() - 2 * self.document().documentMargin()
        shown = picture.copy()
        shown.setDevicePixelRatio(max(1.0, picture.width() / max(room, 1)))
        return shown


def diff_format(look: Look, piece: DiffPiece) -> QTextCharFormat:
    """Return the character format of a removed, new or unchanged part of a text."""
    words = QTextCharFormat()
    match piece.kind:
        case "gone":
            words.setForeground(look.color("red_ink"))
            words.setBackground(look.color("red_soft"))
            words.setFontStrikeOut(True)
        case "new":
            words.setForeground(look.color("green_ink"))
            words.setBackground(look.color("green_soft"))
            words.setFontUnderline(True)
        case "same":
            words.setForeground(look.color("ink"))
    return words


# A number of the story's state over its floors: a stepped line, and events beside it.


MARGIN = 8
MOST_DOTS = 60


class StateCurve(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._points: tuple[tuple[int, float], ...] = ()
        self._events: frozenset[int] = frozenset()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How the value changed"))
        look.changed.connect(self.update)

    def show_points(
        self, points: Sequence[tuple[int, float]], events: Collection[int] = ()
    ) -> None:
        """Show (floor, number), oldest first; the last number is valid until its floor."""
        self._points, self._events = tuple(points), frozenset(events)
        self.setVisible(len(self._points) > 1)
        if self._points:
            values = [value for _floor, value in self._points]
            words = self.tr("from {first} to {last}, lowest {low}, highest {high}").format(
                first=f"{values[0]:g}",
                last=f"{values[-1]:g}",
                low=f"{min(values):g}",
                high=f"{max(values):g}",
            )
            self.setAccessibleDescription(words)
            self.setToolTip(words)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, 120)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if len(self._points) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        values = [value for _floor, value in self._points]
        low, high = min(values), max(values)
        texts = (f"{high:g}", f"{low:g}")
        metrics = self.fontMetrics()
        left = MARGIN + max(map(metrics.horizontalAdvance, texts))
        painter.setPen(QPen(self._look.color("line"), 1))
        top, bottom = MARGIN + 4.0, self.height() - MARGIN - metrics.height() - 2.0
        for y in (top, bottom):
            painter.drawLine(QLineF(left, y, self.width() - MARGIN, y))
        painter.setPen(self._look.color("ink3"))
        for y, text in zip((top, bottom), texts, strict=True):
            painter.drawText(QPointF(0, y + metrics.ascent() / 2 - 1), text)
        first, last = self._points[0][0], self._points[-1][0]
        below = self.height() - MARGIN / 2
        painter.drawText(QPointF(left, below), str(first))
        end = str(last)
        painter.drawText(
            QPointF(self.width() - MARGIN - metrics.horizontalAdvance(end), below), end
        )

        def place(floor: int, value: float) -> QPointF:
            x = left + (self.width() - MARGIN - left) * (floor - first) / max(1, last - first)
            middle = (top + bottom) / 2
            y = bottom - (bottom - top) * (value - low) / (high - low) if high > low else middle
            return QPointF(x, y)

        painter.setPen(QPen(self._look.color("gold"), 1, Qt.PenStyle.DashLine))
        for floor in sorted(self._events):
            if first <= floor <= last:
                x = place(floor, low).x()
                painter.drawLine(QLineF(x, top, x, bottom))
        painter.setPen(QPen(self._look.color("accent"), 2))
        spots = [place(*point) for point in self._points]
        for here, there in itertools.pairwise(spots):
            corner = QPointF(there.x(), here.y())
            painter.drawLine(QLineF(here, corner))
            painter.drawLine(QLineF(corner, there))
        if len(spots) <= MOST_DOTS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent"))
            for spot in spots[:-1]:
                painter.drawEllipse(spot, 3, 3)
