"""Write a private log by hand: whose it is, what was felt, and at which floors."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.private_log import LogPatch
from engram_desktop.viewmodels.logs.log_list import LogList
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.chips import WordChips
from engram_desktop.widgets.parts.fields.completions import completions
from engram_desktop.widgets.parts.fields.floor_range import FloorRange
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField
from engram_desktop.widgets.parts.look.look import Look


class LogDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        logs: LogList,
        names: Sequence[str],
        floors: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=520)
        self._logs = logs
        self.set_title(self.tr("Write a private log"))
        self.owner = LineField()
        self.owner.setCompleter(completions(QStringListModel(list(names), self), self))
        self.owner.setAccessibleName(self.tr("Whose it is"))
        add_row(self.body, self.tr("Whose it is"), self.owner)
        self.content = TextField(self.tr("What was thought or felt"))
        self.content.setFixedHeight(120)
        self.content.setPlaceholderText(
            self.tr("For example: I watched the penguins all day. I want to go again with him.")
        )
        add_row(self.body, self.tr("What was thought or felt"), self.content)
        self.emotions = WordChips(look, self.tr("Emotions"))
        add_row(self.body, self.tr("Emotions"), self.emotions)
        last = max(0, floors - 1)
        self.floors = FloorRange(last)
        self.floors.show_span(SourceRange(last, last))
        add_row(self.body, self.tr("Floors it tells of"), self.floors)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        self.owner.textChanged.connect(self._update_buttons)
        self.content.textChanged.connect(self._update_buttons)
        self.typed = {"owner": self.owner, "content": self.content, "emotions": self.emotions}
        self._update_buttons()
        self.owner.setFocus()

    def _update_buttons(self) -> None:
        is_whole = self.owner.text().strip() and self.content.toPlainText().strip()
        self.save_button.setEnabled(bool(is_whole))

    def _save(self) -> None:
        self._logs.add(
            LogPatch(
                owner=self.owner.text(),
                content=self.content.toPlainText(),
                emotion_tags=self.emotions.words,
                source_range=self.floors.span,
            )
        )
        self.close()
