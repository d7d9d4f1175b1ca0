"""One request before memory and after it, side by side, as it was sent."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QTextEdit, QWidget

from engram_desktop.viewmodels.serving.bodies import Bodies, Body
from engram_desktop.viewmodels.serving.serving import Serving
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.look.look import Look

MOST_MARKS = 2_000  # lines that are set apart: of one injection there are some dozens


class BodiesDialog(FramedDialog):
    """Bodies are texts here: nothing in them is obeyed."""

    def __init__(
        self, look: Look, serving: Serving, bodies: Bodies, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=760)
        self._serving = serving
        self.resize(1060, 680)
        self.set_title(self.tr("The exact request"))
        self.body.addWidget(
            label(
                self.tr("It is held in memory for the newest requests only, and stored nowhere."),
                "quiet",
                wrap=True,
            )
        )
        sides = QHBoxLayout()
        self.before = self._add_side(sides, self.tr("As it came"), bodies.before)
        self.after = self._add_side(sides, self.tr("As it was sent on"), bodies.after)
        self.body.addLayout(sides, 1)
        self._mark_added(look, bodies)
        self.add_close(self.tr("Close"))

    def _mark_added(self, look: Look, bodies: Bodies) -> None:
        """Set what memory put in apart, and go to it."""
        marks = []
        document = self.after.document()
        for number in bodies.added[:MOST_MARKS]:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(document.findBlockByNumber(number))
            mark.format.setBackground(look.color("green_soft"))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marks.append(mark)
        self.after.setExtraSelections(marks)
        if marks:
            self.after.setTextCursor(marks[0].cursor)
            self.after.centerCursor()

    def _add_side(self, sides: QHBoxLayout, name: str, body: Body) -> QPlainTextEdit:
        side = QWidget()
        rows = column(side, 0, 4)
        head = QHBoxLayout()
        head.addWidget(label(name, "section"))
        head.addStretch(1)
        if body.is_cut:
            head.addWidget(label(self.tr("only its beginning is shown"), "hint"))
        copy = text_button(self.tr("Copy"))
        copy.clicked.connect(lambda: self._serving.copy(body.text))
        head.addWidget(copy)
        rows.addLayout(head)
        view = QPlainTextEdit()
        view.setReadOnly(True)
        view.setAccessibleName(name)
        view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        view.setPlainText(body.shown)
        rows.addWidget(view, 1)
        sides.addWidget(side, 1)
        return view
