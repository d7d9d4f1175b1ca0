"""Draw an SVG as a PNG of one size, in pixels.

python packaging/picture.py FILE SIZE RESULT
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer


def draw(file: Path, size: int) -> QImage:
    """Return a square picture on a transparent ground. Raises ValueError if it cannot be drawn."""
    renderer = QSvgRenderer(str(file))
    if not renderer.isValid():
        raise ValueError(f"{file} is no SVG")
    picture = QImage(size, size, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter)
    painter.end()
    return picture


def main(file: Path, size: int, result: Path) -> None:
    result.parent.mkdir(parents=True, exist_ok=True)
    if not draw(file, size).save(str(result)):
        sys.exit(f"{result} cannot be written")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
