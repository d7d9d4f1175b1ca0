"""The faces of characters: the pictures of their cards, decoded small."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.play.turn import Member
from engram_desktop.services.memory import Memory

FACE = 40  # pixels of one beside a message
MAX_FACES = 300  # each is a file of some megabytes


def faces_of(memory: Memory, members: Sequence[Member]) -> dict[str, QImage]:
    """Return the faces of who plays in a chat, by name; those without a picture are left out."""
    faces = {}
    for member in members:
        try:
            face = face_of(memory.characters.picture(member.card_id)) if member.card_id else None
        except KnownError:
            continue  # a card whose picture cannot be had still speaks
        if face is not None and not face.isNull():
            faces[member.name] = face
    return faces


def face_of(data: bytes, side: int = 2 * FACE) -> QImage:
    """Decode a picture small; a null image where it is none."""
    encoded = QByteArray(data)
    buffer = QBuffer(encoded)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    size = reader.size()
    if size.isValid():
        around = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        reader.setScaledSize(size.scaled(QSize(side, side), around))
    return reader.read()
