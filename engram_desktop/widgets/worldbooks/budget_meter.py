"""How full SillyTavern's budget is with the entries that are on, and what falls out of it."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from engram_desktop.domain.worldbooks.listed.budget import Budget
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label

SHOWN_TITLES = 4  # of entries that fall out; all are in the tooltip


class BudgetMeter(QWidget):
    """Not there at all for a worldbook without a budget, such as a memory's own.

    ``warning`` is laid out by whoever shows the meter: it takes a line of its own.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 3)
        self.words = label("", "quiet", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)  # pixels: a line, not a button
        self.bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.warning = ElidedLabel("bad")
        for part in (self.words, self.bar):
            rows.addWidget(part)
        self.hide()
        self.warning.hide()

    def show_budget(self, budget: Budget | None, *, has_chat: bool) -> None:
        """Show how much of it is used; ``has_chat``: it was held against one."""
        self.setVisible(budget is not None)
        if budget is None:
            self.warning.hide()
            return
        taken = budget.used if has_chat else budget.constant
        if has_chat:
            text = self.tr("Budget for the next reply: {used} of {size} tokens, {own} of this book")
        else:
            text = self.tr("Budget: constant entries take {used} of {size} tokens")
        text = text.format(
            used=f"{taken:,}", size=f"{budget.size:,}", own=f"{budget.of_worldbook:,}"
        )
        self.words.setText(text)
        self.bar.setAccessibleName(text)
        self.bar.setRange(0, budget.size)
        self.bar.setValue(min(taken, budget.size))
        warnings = self._warnings(budget)
        self.warning.set_text(" ".join(warnings))
        self.warning.setVisible(bool(warnings))

    def _warnings(self, budget: Budget) -> list[str]:
        warnings = []
        if budget.is_overfull:
            text = self.tr(
                "The constant entries alone need {constant} of {size} tokens: there is no room for"
                " triggered ones."
            )
            warnings.append(text.format(constant=f"{budget.constant:,}", size=f"{budget.size:,}"))
        if budget.fallen:
            shown = "、".join(budget.fallen[:SHOWN_TITLES])
            if len(budget.fallen) > SHOWN_TITLES:
                shown += "…"
            text = self.tr("%n entry(ies) fall out of the budget: {titles}", "", len(budget.fallen))
            warnings.append(text.replace("{titles}", shown))
        return warnings
