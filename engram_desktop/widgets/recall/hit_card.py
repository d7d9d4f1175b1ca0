"""Cards of hits, with the reasons why they were found or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.domain.recall.query import (
    ANSWERS,
    QUOTED,
    Dropped,
    Explanation,
    ItemKind,
    RecallHit,
    Trace,
)
from engram_desktop.viewmodels.recall import RecallPageModel
from engram_desktop.viewmodels.workspace.choice_texts import floors_words, listed, where_words
from engram_desktop.widgets.parts.cards import CardColumn, LiveCard
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import chip, icon_button, label, set_tone

# Names of the parts of recall, in the window's language.


LEG_ROLES = {
    "lexical": "gold",
    "context": "gold",
    "vector": "accent",
    "graph": "green",
    "rerank": "red",
}


def kind_name(kind: ItemKind) -> str:
    """Return the name of a kind of memory."""
    names = {
        "turn": QCoreApplication.translate("RecallPage", "Message"),
        "event": QCoreApplication.translate("RecallPage", "Event"),
        "entity": QCoreApplication.translate("RecallPage", "Entity"),
        "log": QCoreApplication.translate("RecallPage", "Private log"),
    }
    return names[kind]


def leg_name(leg: str) -> str:
    names = {
        "lexical": QCoreApplication.translate("RecallPage", "words"),
        "context": QCoreApplication.translate("RecallPage", "words of the conversation"),
        "vector": QCoreApplication.translate("RecallPage", "meaning"),
        "graph": QCoreApplication.translate("RecallPage", "graph"),
        "speaker": QCoreApplication.translate("RecallPage", "who spoke"),
        "date": QCoreApplication.translate("RecallPage", "date"),
        "moment": QCoreApplication.translate("RecallPage", "names a time"),
        "asking": QCoreApplication.translate("RecallPage", "is itself a question"),
        "rerank": QCoreApplication.translate("RecallPage", "reranker"),
        "freshness": QCoreApplication.translate("RecallPage", "how recent it is"),
        QUOTED: QCoreApplication.translate("RecallPage", "word for word"),
        ANSWERS: QCoreApplication.translate("RecallPage", "answers a quoted question"),
    }
    return names.get(leg, leg)


def prompt_reasons(why: Mapping[str, float]) -> list[str]:
    """Return why a memory is in a prompt though no leg found it."""
    return [leg_name(ANSWERS)] if ANSWERS in why else []


def dropped_words(reason: Dropped) -> str:
    """Return in a few words why a memory was not returned."""
    words: dict[Dropped, str] = {
        "below": QCoreApplication.translate("RecallPage", "Others fitted better"),
        "rerank": QCoreApplication.translate("RecallPage", "The reranker put others first"),
        "duplicate": QCoreApplication.translate("RecallPage", "Says the same as one above"),
        "muted": QCoreApplication.translate("RecallPage", "You said: do not use again"),
        "visible": QCoreApplication.translate("RecallPage", "Always visible anyway"),
        "window": QCoreApplication.translate("RecallPage", "Still in the chat itself"),
        "limit": QCoreApplication.translate("RecallPage", "More than the settings allow"),
        "budget": QCoreApplication.translate("RecallPage", "No room in the token budget"),
        "gone": QCoreApplication.translate("RecallPage", "Deleted meanwhile"),
        "stale": QCoreApplication.translate("RecallPage", "Its messages changed"),
        "unrelated": QCoreApplication.translate("RecallPage", "Too far from the question"),
        "weak": QCoreApplication.translate("RecallPage", "Has too little to do with the question"),
        "rested": QCoreApplication.translate(
            "RecallPage", "Rests: it stood in the prompts of the last replies"
        ),
    }
    return words[reason]


def degraded_words(parts: Iterable[str]) -> str:
    """Return a text about the legs that could not run."""
    names = {
        "index": QCoreApplication.translate(
            "RecallPage", "the index (exact search took its place)"
        ),
        "embedding": QCoreApplication.translate(
            "RecallPage", "the meaning of words (no embedder answered)"
        ),
        "rerank": QCoreApplication.translate("RecallPage", "the reranker (it did not answer)"),
        "expand": QCoreApplication.translate(
            "RecallPage", "the model that rewords questions (it did not answer)"
        ),
        "knowledge": QCoreApplication.translate(
            "RecallPage", "who learnt what in the newest floors (another program is writing)"
        ),
        "volume": QCoreApplication.translate(
            "RecallPage", "a volume that is missing or cannot be read"
        ),
        "findings": QCoreApplication.translate(
            "RecallPage", "what is over or untrue (it is not worked out yet in so long a chat)"
        ),
    }
    text = listed(names.get(part, part) for part in parts)
    return QCoreApplication.translate("RecallPage", "Could not take part: {parts}.").format(
        parts=text
    )


# One recalled memory as a card: its text, its score, and the reasons.


SHOWN_CHARS = 240


class ShareBar(QWidget):
    """A score as a bar, with a segment for each leg."""

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
    """A hit: click or Enter opens its source; memories of a volume have no page in this chat."""

    def __init__(self, look: Look, hit: RecallHit, best: float, model: RecallPageModel) -> None:
        super().__init__()
        self.hit = hit
        item = hit.item
        if not item.volume:
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
        head.addWidget(label(where_words(item), "hint"))
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
        for button in (self.right_button, self.lines_button, self.mute_button):
            button.setVisible(not item.volume)
        inner.addLayout(head)
        # summary, words and details of an event are on lines of their own
        lines = (" ".join(line.split()) for line in item.content.splitlines())
        text = (" · " if item.kind == "event" else " ").join(filter(None, lines))
        excerpt = text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
        self._text = label(excerpt, wrap=True)
        inner.addWidget(self._text)
        self._bar = ShareBar(look, hit.score, hit.why, best)
        inner.addWidget(self._bar)
        inner.addWidget(label(self.why(), "hint", wrap=True))
        self.setAccessibleName(f"{hit.rank}. {text[:120]}")
        self.setAccessibleDescription(self.why())

    def set_unused(self, *, is_unused: bool) -> None:
        """Grey out a hit that a prompt would not use, also in its accessible text."""
        set_tone(self._text, "quiet" if is_unused else "")
        self._bar.setEnabled(not is_unused)
        parts = [self.tr("not used"), self.why()] if is_unused else [self.why()]
        self.setAccessibleDescription(". ".join(parts))

    def why(self) -> str:
        """Return the legs that found it, the share of each, and the matching words."""
        shares = {leg: share for leg, share in self.hit.why.items() if share and leg != ANSWERS}
        gains = [f"{leg_name(leg)} {share:.2f}" for leg, share in shares.items() if share > 0]
        losses = [f"{leg_name(leg)} {-share:.2f}" for leg, share in shares.items() if share < 0]
        parts = []
        if shares:
            legs = " − ".join([" + ".join(gains), *losses])
            parts.append(self.tr("Found by {legs}").format(legs=legs.strip()))
        parts += prompt_reasons(self.hit.why)
        if self.hit.matched:
            matched = listed(self.hit.matched[:8])
            parts.append(self.tr("Matched {words}").format(words=matched))
        return " · ".join(parts)


# Explains why one memory was recalled and another was not.


class TraceCard(LiveCard):
    """A candidate of a recall. Click or Enter opens its source."""

    def __init__(self, look: Look, trace: Trace, best: float, model: RecallPageModel) -> None:
        super().__init__()
        self.trace = trace
        is_own = trace.item_id >= 0  # otherwise it is from a volume
        if is_own:
            self.opened.connect(
                lambda: model.open_memory(trace.kind, trace.ref, trace.first, trace.last)
            )
        inner = QVBoxLayout(self)
        inner.setContentsMargins(12, 8, 8, 8)
        inner.setSpacing(4)
        head = FlowLayout(spacing=8)
        if trace.dropped is None:
            head.addWidget(label(f"{trace.rank}", "heading"))
        head.addWidget(chip(look, kind_name(trace.kind)))
        where = floors_words(trace.first, trace.last) if is_own else self.tr("from a volume")
        head.addWidget(label(where, "hint"))
        if trace.dropped is not None:
            tint = "red" if trace.dropped == "muted" else "gold"
            head.addWidget(chip(look, dropped_words(trace.dropped), tint))
        head.push()
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
        """Return the rank by each leg alone, and the other factors."""
        parts = [
            self.tr("{leg}: place {place}").format(leg=leg_name(leg), place=place)
            for leg, place in sorted(self.trace.ranks.items(), key=lambda pair: pair[1])
        ]
        parts += prompt_reasons(self.trace.why)
        against = [leg_name(leg) for leg, share in self.trace.why.items() if share < 0]
        if against:
            parts.append(self.tr("against it: {legs}").format(legs=listed(against)))
        return " · ".join(parts) or self.tr("Nothing spoke for it")


TRACES = 40  # cards shown first: a question has up to some hundred candidates


class ExplainView(QWidget):
    """The candidates of one recall: all, or only those that were not returned."""

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
        scroll.setAccessibleName(self.tr("Reasons"))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        rows = column(body, 0, 8)
        rows.setContentsMargins(0, 0, 6, 0)
        said = QWidget()
        self._said = column(said, 0, 8)
        rows.addWidget(said)
        self._traces = CardColumn(first=TRACES)
        rows.addWidget(self._traces)
        rows.addStretch(1)
        scroll.setWidget(body)
        column(self).addWidget(scroll)
        self.explanation: Explanation | None = None

    def show_explanation(self, why: Explanation | None) -> None:
        self.explanation = why
        clear_layout(self._said)
        self._traces.show_cards(() if why is None else self._cards(why))
        if why is None:
            return
        count = sum(t.dropped is None for t in why.traces)
        facts = [
            self.tr("%n memory(s) were weighed to the end", "", len(why.traces)),
            self.tr("{count} came back").format(count=max(count, len(why.told))),
            f"{sum(why.steps.values()):.0f} ms",
        ]
        self._said.addWidget(label(" · ".join(facts), "quiet", wrap=True))
        if why.searched:
            words = " / ".join(" ".join(text.split())[:80] for text in why.searched)
            searched = self.tr("Also searched for: {words}").format(words=words)
            self._said.addWidget(label(searched, "quiet", wrap=True))
        if why.output:
            output = self.tr("Understood as: {text}").format(text=why.output)
            self._said.addWidget(label(output, "quiet", wrap=True))
        if why.degraded:
            self._said.addWidget(label(degraded_words(why.degraded), "quiet", wrap=True))

    def _cards(self, why: Explanation) -> list[Callable[[], QWidget]]:
        """Yield the functions that make the cards, and the headings above them."""
        groups = [(self.tr("Not recalled"), [t for t in why.traces if t.dropped is not None])]
        if not self._only_dropped:
            recalled = [t for t in why.traces if t.dropped is None]
            groups.insert(0, (self.tr("Recalled"), recalled))
        best = max((t.score for t in why.traces), default=1.0)
        makers: list[Callable[[], QWidget]] = []
        for title, traces in groups:
            if traces and len(groups) > 1:
                makers.append(partial(label, title, "heading"))
            makers += [partial(TraceCard, self._look, t, best, self._model) for t in traces]
        return makers
