"""The cast: each with its face, who that is, and how often it appears."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from engram_desktop.domain.overview.overview import CastMember
from engram_desktop.viewmodels.overview.overview import OverviewModel, Portrayed
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.face import FaceView
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.basics.skeleton import Skeleton
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look

FACE = 40
SKELETON_LINES = 5  # about three people


class MemberRow(LiveCard):
    """Click or Enter goes to the graph. It is filled again rather than made again."""

    member_opened = Signal(object)  # CastMember

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("told")
        self._member: CastMember | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 6, 12, 6)
        line.setSpacing(12)
        self.face = FaceView(look, FACE)
        line.addWidget(self.face)
        words = QVBoxLayout()
        words.setSpacing(1)
        head = QHBoxLayout()
        head.setSpacing(8)
        self._name = ElidedLabel("heading")
        self._count = label("", "hint")
        head.addWidget(self._name, 1)
        head.addStretch(1)
        head.addWidget(self._count, 0, Qt.AlignmentFlag.AlignVCenter)
        words.addLayout(head)
        self._about = ElidedLabel("quiet")
        words.addWidget(self._about)
        line.addLayout(words, 1)
        self.opened.connect(self._on_opened)

    def show_member(self, member: CastMember, image: QImage | None) -> None:
        self._member = member
        self.face.show_face(member.name, image, is_plain=member.is_user)
        self._name.set_text(" ".join(member.name.split()))
        counts = (
            self.tr("%n event(s)", "", member.events)
            if member.events
            else self.tr("%n message(s)", "", member.messages)
        )
        self._count.setText(counts)
        self._about.set_text(" ".join(member.about.split()))
        self._about.setVisible(bool(member.about))
        self.setAccessibleName(member.name)
        self.setAccessibleDescription(f"{counts}. {member.about}")

    @Slot()
    def _on_opened(self) -> None:
        self.member_opened.emit(self._member)


class CastCard(QFrame):
    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        self.rows: list[MemberRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 12, 8, 10)
        self._column.setSpacing(2)
        head = label(self.tr("Cast"), "heading")
        head.setContentsMargins(10, 0, 10, 4)
        self._column.addWidget(head)
        self.skeleton = Skeleton(look, SKELETON_LINES)
        self.skeleton.setContentsMargins(10, 0, 10, 0)
        self.nothing = label(self.tr("Nobody has spoken yet."), "quiet", wrap=True)
        self.nothing.setContentsMargins(10, 4, 10, 8)
        self._column.addWidget(self.skeleton)
        self._column.addWidget(self.nothing)

    def show_cast(self, portrayed: Portrayed | None) -> None:
        """Show the cast; None: it is still being read."""
        cast = portrayed.overview.cast if portrayed is not None else ()
        faces = portrayed.faces if portrayed is not None else {}
        self.skeleton.setVisible(portrayed is None)
        self.nothing.setVisible(portrayed is not None and not cast)
        while len(self.rows) < len(cast):
            row = MemberRow(self._look, self)
            row.member_opened.connect(self._model.show_member)
            self._column.addWidget(row)
            self.rows.append(row)
        for row, member in zip(self.rows, cast, strict=False):
            row.show_member(member, faces.get(member.card_id))
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(cast))
