"""The next prompt before it is sent: a bar of its parts, every line, and what did not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSpinBox,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.recall.query import InjectedLine, NextPrompt, RecallHit
from engram_desktop.viewmodels.next_prompt import NextPromptModel
from engram_desktop.viewmodels.recall import RecallPageModel
from engram_desktop.viewmodels.workspace.choice_texts import floors_words, listed
from engram_desktop.widgets.parts.layouts import FlowLayout, call_with, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState
from engram_desktop.widgets.parts.pieces import ElidedLabel, chip, label, text_button
from engram_desktop.widgets.recall.hit_card import degraded_words, leg_name

ROLES = {
    "earlier": "gold_ink",
    "earlier_recalled": "accent_ink",
    "always": "gold",
    "present": "red",
    "recalled": "accent",
    "snippets": "green",
    "entities": "ink2",
    "relations": "ink3",
    "promises": "gold_ink",
}
TINTS = {"always": "gold", "present": "red", "recalled": "accent", "snippets": "green"}
BAR = 12  # pixels
BUDGET_PAUSE_MS = 500  # after a step of the budget, before it is stored
_LINE = Qt.ItemDataRole.UserRole
_SAYS, _TOKENS, _WHY = range(3)
MOST_WHY, WHY_PAD = 190, 12  # pixels: of the column of reasons, and beside the longest reason


def part_name(part: str) -> str:
    """Return the name of a part of an injection."""
    names = {
        "earlier": QCoreApplication.translate("NextPrompt", "The earlier story"),
        "earlier_recalled": QCoreApplication.translate(
            "NextPrompt", "Recalled of the earlier story"
        ),
        "always": QCoreApplication.translate("NextPrompt", "The story so far"),
        "present": QCoreApplication.translate("NextPrompt", "Who is present"),
        "recalled": QCoreApplication.translate("NextPrompt", "Recalled events"),
        "snippets": QCoreApplication.translate("NextPrompt", "Quoted messages"),
        "entities": QCoreApplication.translate("NextPrompt", "Entities"),
        "relations": QCoreApplication.translate("NextPrompt", "Relations"),
        "promises": QCoreApplication.translate("NextPrompt", "Promises due"),
    }
    return names.get(part, part)


def part_reason(part: str) -> str:
    """Return why a line is in a part though no leg of a recall found it."""
    reasons = {
        "earlier": QCoreApplication.translate("NextPrompt", "a volume that is read"),
        "always": QCoreApplication.translate("NextPrompt", "always visible"),
        "present": QCoreApplication.translate("NextPrompt", "there now"),
        "entities": QCoreApplication.translate("NextPrompt", "named, or linked to what came back"),
        "relations": QCoreApplication.translate("NextPrompt", "named, or linked to what came back"),
        "promises": QCoreApplication.translate("NextPrompt", "due, or still open"),
    }
    return reasons.get(part, "")


class PartBar(QWidget):
    """The budget as a bar: each part in its colour, then the unused rest."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._parts: Mapping[str, int] = {}
        self._budget = 1
        self.setFixedHeight(BAR)
        look.changed.connect(self.update)

    def show_parts(self, parts: Mapping[str, int], budget: int) -> None:
        self._parts, self._budget = parts, max(1, budget)
        told = listed(f"{part_name(part)} {tokens:,}" for part, tokens in parts.items())
        self.setAccessibleName(told)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(QRectF(0, 0, self.width(), BAR), 4, 4)
        x, whole = 0.0, max(self._budget, sum(self._parts.values()))
        for part, tokens in self._parts.items():
            width = self.width() * tokens / whole
            painter.setBrush(self._look.color(ROLES.get(part, "grey")))
            painter.drawRoundedRect(QRectF(x, 0, max(2.0, width - 1), BAR), 4, 4)
            x += width
        painter.end()


class NextPromptView(QStackedWidget):
    """The lines: Enter opens the source of a line, Del leaves it out, P pins an event."""

    def __init__(
        self,
        look: Look,
        model: NextPromptModel,
        recall: RecallPageModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._model = model
        self._recall = recall
        self._empty = EmptyState(look, "recall")
        self.addWidget(self._empty)
        page = QWidget()
        inner = self._rows = column(page, 0, 8)
        inner.addLayout(self._make_head())
        self.bar = PartBar(look)
        inner.addWidget(self.bar)
        legend = QWidget()
        self._legend = FlowLayout(legend, 8)
        inner.addWidget(legend)
        self._note = label("", "quiet", wrap=True)
        inner.addWidget(self._note)
        self.tree = self._make_tree()
        inner.addWidget(self.tree, 1)
        inner.addLayout(self._make_actions())
        self.addWidget(page)
        self._pause = QTimer(self, singleShot=True, interval=BUDGET_PAUSE_MS)
        self._pause.timeout.connect(lambda: model.set_budget(self.budget.value()))
        model.changed.connect(self._show)
        self._show()

    def _make_head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self._question = ElidedLabel("quiet")
        line.addWidget(self._question)
        line.addStretch(1)
        caption = label(self.tr("Budget (tokens)"), "quiet")
        self.budget = QSpinBox()
        self.budget.setRange(100, 200_000)
        self.budget.setSingleStep(100)
        self.budget.setAccessibleName(self.tr("Budget (tokens)"))
        self.budget.setToolTip(self.tr("In this chat: what a prompt may hold of memory"))
        self.budget.setFixedWidth(110)
        caption.setBuddy(self.budget)
        self.budget.valueChanged.connect(lambda _tokens: self._pause.start())
        line.addWidget(caption)
        line.addWidget(self.budget)
        return line

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Lines of the next prompt"))
        tree.setHeaderLabels([self.tr("What the prompt says"), self.tr("Tokens"), self.tr("Why")])
        tree.setUniformRowHeights(True)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = tree.header()
        header.setAccessibleName(tree.accessibleName())
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_SAYS, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(_TOKENS, 80)
        tree.headerItem().setTextAlignment(
            _TOKENS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        tree.currentItemChanged.connect(self._on_chosen)
        tree.itemActivated.connect(self._open)
        call_with(tree, Qt.Key.Key_Delete, self._leave_out)
        call_with(tree, Qt.Key.Key_P, self._keep_in)
        return tree

    def _make_actions(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        keys = self.tr("Enter reads its lines, Del leaves it out, P keeps it in.")
        line.addWidget(label(keys, "hint"), 1)
        self.open_button = text_button(self.tr("Read its lines"))
        self.open_button.clicked.connect(self._open)
        self.keep_button = text_button(self.tr("Always visible"))
        self.keep_button.clicked.connect(self._keep_in)
        self.leave_button = text_button(self.tr("Leave out"))
        self.leave_button.clicked.connect(self._leave_out)
        for button in (self.open_button, self.keep_button, self.leave_button):
            line.addWidget(button)
        return line

    @Slot()
    def _show(self) -> None:
        found = self._model.next
        if found is None or not found.injection.text:
            self._say_empty(found)
            return
        injection = found.injection
        head = self.tr("For floor {floor}: {text}")
        self._question.set_text(
            head.format(text=" ".join(found.text.split())[:200], floor=found.floor)
        )
        if not self._pause.isActive():
            with QSignalBlocker(self.budget):
                self.budget.setValue(found.budget)
        parts = self._model.parts
        self.bar.show_parts(parts, found.budget)
        self._show_legend(parts, found)
        self._note.setText(self._notes(found))
        self._note.setVisible(bool(self._note.text()))
        self._fill(injection.lines, injection.unfitted)
        self._rows.activate()  # if the chips take another line, the widgets below move now
        self.setCurrentIndex(1)

    def _say_empty(self, found: NextPrompt | None) -> None:
        self.setCurrentIndex(0)
        if found is None:
            self._empty.say(self.tr("Composing…"), "")
        else:
            self._empty.say(
                self.tr("The next prompt gets no memory"),
                self.tr("Nothing fits what was said last, or memory is off in this chat."),
            )

    def _show_legend(self, parts: Mapping[str, int], found: NextPrompt) -> None:
        clear_layout(self._legend)
        for part, tokens in parts.items():
            tint = TINTS.get(part, "grey")
            self._legend.addWidget(chip(self._look, f"{part_name(part)} {tokens:,}", tint))
        used = self.tr("{used} of {budget} tokens").format(
            used=f"{found.injection.tokens:,}", budget=f"{found.budget:,}"
        )
        self._legend.addWidget(label(used, "quiet"))

    def _notes(self, found: NextPrompt) -> str:
        notes = []
        if found.injection.frozen_until is not None:
            text = self.tr("Frozen until floor {floor}: {text}")
            notes.append(
                text.format(floor=found.injection.frozen_until, text=found.injection.text[:2000])
            )
        if found.injection.degraded:
            notes.append(degraded_words(found.injection.degraded))
        return "\n".join(notes)

    def _fill(self, lines: Sequence[InjectedLine], unfitted: Sequence[RecallHit]) -> None:
        chosen = self._ref()
        blocker = QSignalBlocker(self.tree)
        self.tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for line in lines:
            if line.part not in groups:
                groups[line.part] = self._group(part_name(line.part))
            self._add(groups[line.part], line)
        if unfitted:
            group = self._group(self.tr("No room in the budget: next in line"))
            for hit in unfitted:
                self._add(group, _as_line(hit))
        self.tree.expandAll()
        for place in range(self.tree.topLevelItemCount()):
            heading = self.tree.topLevelItem(place)
            if heading is not None:
                self._end_group(heading, chosen)
        # room that the reasons leave goes to the text; a column set by the user stays until then
        needed = max(self.tree.sizeHintForColumn(_WHY), self.tree.header().sectionSizeHint(_WHY))
        self.tree.header().resizeSection(_WHY, min(needed + WHY_PAD, MOST_WHY))
        blocker.unblock()
        self._on_chosen()

    def _end_group(self, heading: QTreeWidgetItem, chosen: str) -> None:
        """Show the number of lines, and select the line selected before."""
        heading.setText(_SAYS, f"{heading.text(_SAYS)} · {heading.childCount()}")
        rows = [heading.child(place) for place in range(heading.childCount())]
        again = [row for row in rows if chosen and row.data(0, _LINE).ref == chosen]
        if again:
            self.tree.setCurrentItem(again[0])

    def _group(self, name: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem([name])
        font = group.font(_SAYS)
        font.setBold(True)
        group.setFont(_SAYS, font)
        self.tree.addTopLevelItem(group)
        group.setFirstColumnSpanned(True)
        return group

    def _add(self, group: QTreeWidgetItem, line: InjectedLine) -> None:
        text = " ".join(line.text.split())
        legs = listed(leg_name(leg) for leg, share in line.why.items() if share > 0)
        why = legs or part_reason(line.part)
        row = QTreeWidgetItem([text, f"{line.tokens:,}" if line.tokens else "", why])
        row.setData(0, _LINE, line)
        row.setToolTip(_SAYS, line.text)
        row.setToolTip(_WHY, why)
        row.setTextAlignment(_TOKENS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        group.addChild(row)

    @property
    def line(self) -> InjectedLine | None:
        """Return the selected line; None for none, and for the heading of a part."""
        item = self.tree.currentItem()
        found = item.data(0, _LINE) if item is not None else None
        return found if isinstance(found, InjectedLine) else None

    def _ref(self) -> str:
        return self.line.ref if self.line is not None else ""

    @Slot()
    def _on_chosen(self) -> None:
        line = self.line
        self.open_button.setEnabled(line is not None and line.floors is not None)
        is_told = line is not None and line.part != "unfitted"
        self.leave_button.setEnabled(is_told and bool(self._ref()))
        can_keep = line is not None and line.kind == "event" and line.part != "always"
        self.keep_button.setEnabled(can_keep)

    @Slot()
    def _open(self) -> None:
        if self.line is not None and self.line.floors is not None:
            self._recall.read_lines(*self.line.floors)

    @Slot()
    def _leave_out(self) -> None:
        if self.line is not None and self.leave_button.isEnabled():
            self._model.leave_out(self.line)

    @Slot()
    def _keep_in(self) -> None:
        if self.line is not None and self.keep_button.isEnabled():
            self._model.keep_in(self.line.ref)


def _as_line(hit: RecallHit) -> InjectedLine:
    item = hit.item
    if item.kind == "entity":
        return InjectedLine("unfitted", item.content, 0, item.kind, item.ref, None, hit.why)
    floors = (item.start_index, item.end_index)
    text = f"{floors_words(*floors)} {item.content}"
    return InjectedLine("unfitted", text, 0, item.kind, item.ref, floors, hit.why)
