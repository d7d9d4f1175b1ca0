"""One recalled memory as a card: what it says, how well it fits, by which reasons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.domain.recall.query import ANSWERS, RecallHit
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.recall.question import RecallPageModel
from engram_desktop.widgets.parts.basics.pieces import chip, icon_button, label, set_tone
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.recall.recall_words import (
    LEG_ROLES,
    kind_name,
    leg_name,
    prompt_reasons,
)

SHOWN_CHARS = 240


class ShareBar(QWidget):
    """A score as a bar, cut into what each leg gave."""

    def __init__(self, look: Look, score: float, why: dict[str, float], best: float) -> None:
        super().__init__()
        self._look = look
        self._score = score
        self._why = why
        self._best = max(best, 1e-9)
        self.setFixedHeight(6)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(QRectF(0, 0, self.width(), 6), 3, 3)
        whole = sum(share for share in self._why.values() if share > 0)
        length = self.width() * min(1.0, max(0.0, self._score) / self._best)
        x = 0.0
        for leg, share in self._why.items():
            if share > 0 and whole > 0:
                width = length * share / whole
                role = LEG_ROLES.get(leg, "grey") if self.isEnabled() else "ink3"
                painter.setBrush(self._look.color(role))
                painter.drawRoundedRect(QRectF(x, 0, width, 6), 3, 3)
                x += width


class HitCard(LiveCard):
    """Click or Enter opens what it came from."""

    def __init__(self, look: Look, hit: RecallHit, best: float, model: RecallPageModel) -> None:
        super().__init__()
        self.hit = hit
        item = hit.item
        self.opened.connect(
            lambda: model.open_memory(item.kind, item.ref, item.start_index, item.end_index)
        )
        inner = QVBoxLayout(self)
        inner.setContentsMargins(14, 8, 8, 10)
        inner.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(f"{hit.rank}", "heading"))
        head.addWidget(chip(look, kind_name(item.kind)), 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(label(floors_words(item.start_index, item.end_index), "hint"))
        head.addStretch(1)
        head.addWidget(label(f"{hit.score:.2f}", "quiet"))
        self.right_button = icon_button(look, "check", self.tr("This answers it (for the lab)"))
        self.right_button.setCheckable(True)
        head.addWidget(self.right_button)
        self.lines_button = icon_button(look, "text", self.tr("Show its lines in the text"))
        self.lines_button.clicked.connect(
            lambda: model.read_lines(item.start_index, item.end_index)
        )
        head.addWidget(self.lines_button)
        self.mute_button = icon_button(look, "mute", self.tr("Do not use again"))
        self.mute_button.clicked.connect(lambda: model.set_muted((item.ref,), muted=True))
        head.addWidget(self.mute_button)
        inner.addLayout(head)
        text = " ".join(item.content.split())
        excerpt = text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
        self._text = label(excerpt, wrap=True)
        inner.addWidget(self._text)
        self._bar = ShareBar(look, hit.score, hit.why, best)
        inner.addWidget(self._bar)
        inner.addWidget(label(self.why(), "hint", wrap=True))
        self.setAccessibleName(f"{hit.rank}. {text[:120]}")
        self.setAccessibleDescription(self.why())

    def set_unused(self, *, is_unused: bool) -> None:
        """Grey a hit that a prompt would not use, and say so to a screen reader."""
        set_tone(self._text, "quiet" if is_unused else "")
        self._bar.setEnabled(not is_unused)
        parts = [self.tr("not used"), self.why()] if is_unused else [self.why()]
        self.setAccessibleDescription(". ".join(parts))

    def why(self) -> str:
        """Say which legs found it, how much each gave, and by which words."""
        legs = [
            f"{leg_name(leg)} {share:.2f}"
            for leg, share in self.hit.why.items()
            if share and leg != ANSWERS
        ]
        parts = []
        if legs:
            parts.append(self.tr("Found by {legs}").format(legs=" + ".join(legs)))
        parts += prompt_reasons(self.hit.why)
        if self.hit.matched:
            matched = "、".join(self.hit.matched[:8])
            parts.append(self.tr("Matched {words}").format(words=matched))
        return " · ".join(parts)
