"""Why one memory was recalled and another was not, in a reader's words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from engram_desktop.domain.recall.explanation import Explanation, Trace
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.recall.question import RecallPageModel
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import chip, icon_button, label
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.recall.hit_card import ShareBar
from engram_desktop.widgets.recall.recall_words import (
    degraded_words,
    dropped_words,
    kind_name,
    leg_name,
    prompt_reasons,
)


class TraceCard(LiveCard):
    """One memory that was weighed. Click or Enter opens what it came from."""

    def __init__(self, look: Look, trace: Trace, best: float, model: RecallPageModel) -> None:
        super().__init__()
        self.trace = trace
        self.opened.connect(
            lambda: model.open_memory(trace.kind, trace.ref, trace.first, trace.last)
        )
        inner = QVBoxLayout(self)
        inner.setContentsMargins(12, 8, 8, 8)
        inner.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        if trace.dropped is None:
            head.addWidget(label(f"{trace.rank}", "heading"))
        head.addWidget(chip(look, kind_name(trace.kind)))
        head.addWidget(label(floors_words(trace.first, trace.last), "hint"))
        if trace.dropped is not None:
            tint = "red" if trace.dropped == "muted" else "gold"
            head.addWidget(chip(look, dropped_words(trace.dropped), tint))
        head.addStretch(1)
        if trace.dropped == "muted":
            allow = icon_button(look, "undo", self.tr("Allow again"))
            allow.clicked.connect(lambda: model.set_muted((trace.ref,), muted=False))
            head.addWidget(allow)
        inner.addLayout(head)
        inner.addWidget(label(trace.text, "quiet" if trace.dropped else "", wrap=True))
        inner.addWidget(ShareBar(look, trace.score, trace.why, best))
        inner.addWidget(label(self.places(), "hint", wrap=True))
        self.setAccessibleName(f"{trace.rank or '–'} {trace.text[:100]}")
        self.setAccessibleDescription(self.places())

    def places(self) -> str:
        """Say where each leg alone would have put it, and what else counted for and against it."""
        parts = [
            self.tr("{leg}: place {place}").format(leg=leg_name(leg), place=place)
            for leg, place in sorted(self.trace.ranks.items(), key=lambda pair: pair[1])
        ]
        parts += prompt_reasons(self.trace.why)
        against = [leg_name(leg) for leg, share in self.trace.why.items() if share < 0]
        if against:
            parts.append(self.tr("against it: {legs}").format(legs="、".join(against)))
        return " · ".join(parts) or self.tr("Nothing spoke for it")


class ExplainView(QWidget):
    """The candidates of one recall: all, or only those that did not come back."""

    def __init__(
        self,
        look: Look,
        model: RecallPageModel,
        parent: QWidget | None = None,
        *,
        only_dropped: bool = False,
    ) -> None:
        super().__init__(parent)
        self._only_dropped = only_dropped
        self._look = look
        self._model = model
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._rows = column(body, 0, 8)
        self._rows.setContentsMargins(0, 0, 6, 0)
        scroll.setWidget(body)
        column(self).addWidget(scroll)
        self.explanation: Explanation | None = None

    def show_explanation(self, why: Explanation | None) -> None:
        self.explanation = why
        clear_layout(self._rows)
        if why is None:
            return
        recalled = [t for t in why.traces if t.dropped is None]
        rejected = [t for t in why.traces if t.dropped is not None]
        best = max((t.score for t in why.traces), default=1.0)
        facts = [
            self.tr("%n memory(s) were weighed to the end", "", len(why.traces)),
            self.tr("{count} came back").format(count=max(len(recalled), len(why.told))),
            f"{sum(why.steps.values()):.0f} ms",
        ]
        self._rows.addWidget(label(" · ".join(facts), "quiet", wrap=True))
        if why.searched:
            words = " / ".join(" ".join(text.split())[:80] for text in why.searched)
            searched = self.tr("Also searched for: {words}").format(words=words)
            self._rows.addWidget(label(searched, "quiet", wrap=True))
        if why.output:
            output = self.tr("Understood as: {text}").format(text=why.output)
            self._rows.addWidget(label(output, "quiet", wrap=True))
        if why.degraded:
            self._rows.addWidget(label(degraded_words(why.degraded), "quiet", wrap=True))
        groups = [(self.tr("Not recalled"), rejected)]
        if not self._only_dropped:
            groups.insert(0, (self.tr("Recalled"), recalled))
        for title, traces in groups:
            if traces and len(groups) > 1:
                self._rows.addWidget(label(title, "heading"))
            for trace in traces:
                self._rows.addWidget(TraceCard(self._look, trace, best, self._model))
        self._rows.addStretch(1)
