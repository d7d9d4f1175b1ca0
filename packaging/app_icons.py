"""Make the program's icons (.ico, .icns, .png) out of the one drawing there is.

Also the picture at the side of the installer (.bmp).

python packaging/app_icons.py build/engram.ico
python packaging/app_icons.py build/engram.icns
python packaging/app_icons.py share/icons/engram.png 128

Both formats are boxes around pictures, so they are written here. In an .ico the small ones are
bitmaps, since not every program that shows one reads PNG at those sizes; from 256 on all do.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWING = Path(__file__).resolve().parent.parent / "resources" / "icons" / "logo.svg"
# What Explorer, the taskbar and title bars ask for at 100, 125, 150 and 200 %.
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 96, 256)
PNG_FROM = 256
# macOS names a picture by its type: points at one and at two pixels each.
ICNS_TYPES = {
    "icp4": 16, "icp5": 32, "ic07": 128, "ic08": 256, "ic09": 512,
    "ic11": 32, "ic12": 64, "ic13": 256, "ic14": 512, "ic10": 1024,
}  # fmt: skip
# Apple leaves a tenth free around an icon; on Windows it fills the square.
ICNS_MARGIN = 0.1
# Twice what NSIS asks for, 164 × 314, for it is scaled to the screen; the colours are the window's.
SIDE_WIDTH, SIDE_HEIGHT = 328, 628
SIDE_TOP, SIDE_BOTTOM = "#F7F9FC", "#DCE6F5"


def drawn(size: int, margin: float = 0.0) -> QImage:
    """Draw the icon ``size`` pixels wide, with a share of it left free at each side."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer = QSvgRenderer(str(DRAWING))
    place = image.rect().toRectF()
    edge = size * margin
    renderer.render(painter, place.adjusted(edge, edge, -edge, -edge))
    painter.end()
    return image


def encoded(image: QImage, form: str = "PNG") -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, form)  # type: ignore[call-overload]  # the stubs want bytes, PySide a str
    return bytes(data.data())


def bitmap(image: QImage) -> bytes:
    """Return the bitmap of an .ico: twice as high as it is, for the mask, and bottom up."""
    size = image.width()
    header = struct.pack("<IiiHHIIiiII", 40, size, size * 2, 1, 32, 0, 0, 0, 0, 0, 0)
    pixels = bytes(image.constBits())
    rows = [pixels[y * size * 4 : (y + 1) * size * 4] for y in reversed(range(size))]
    mask_row = -(-size // 32) * 4  # a bit a pixel, in whole words; all shown, the alpha says more
    return header + b"".join(rows) + bytes(mask_row * size)


def ico() -> bytes:
    """Return the icon of Windows, all sizes in one file."""
    pictures = [
        (size, encoded(drawn(size)) if size >= PNG_FROM else bitmap(drawn(size)))
        for size in ICO_SIZES
    ]
    at = 6 + 16 * len(pictures)
    rows = []
    for size, picture in pictures:
        side = size % 256  # 0 says 256
        rows.append(struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), at))
        at += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + b"".join(rows + [p for _s, p in pictures])


def icns() -> bytes:
    """Return the icon of macOS, all sizes in one file."""
    parts = []
    for name, size in ICNS_TYPES.items():
        picture = encoded(drawn(size, ICNS_MARGIN))
        parts.append(name.encode() + struct.pack(">I", 8 + len(picture)) + picture)
    body = b"".join(parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def side() -> bytes:
    """Return the picture at the side of the installer: the icon on a light ground."""
    image = QImage(SIDE_WIDTH, SIDE_HEIGHT, QImage.Format.Format_RGB32)
    ground = QLinearGradient(0, 0, 0, SIDE_HEIGHT)
    ground.setColorAt(0, QColor(SIDE_TOP))
    ground.setColorAt(1, QColor(SIDE_BOTTOM))
    painter = QPainter(image)
    painter.fillRect(image.rect(), ground)
    size = SIDE_WIDTH * 2 // 3
    painter.drawImage((SIDE_WIDTH - size) // 2, SIDE_HEIGHT // 4, drawn(size))
    painter.end()
    return encoded(image.convertToFormat(QImage.Format.Format_RGB888), "BMP")


def write(target: Path, size: int = 0) -> Path:
    """Write the icon that the ending of ``target`` names; a .png is ``size`` pixels wide."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".png":
        target.write_bytes(encoded(drawn(size)))
        return target
    target.write_bytes({".ico": ico, ".icns": icns, ".bmp": side}[target.suffix]())
    return target


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), *map(int, sys.argv[2:])))
