"""The right side of the page of private logs: one entry, saved when a field is left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from engram_desktop.domain.memory.event import LogPatch, PrivateLog, SourceRange
from engram_desktop.domain.state.condition import Verdict
from engram_desktop.viewmodels.events.event_words import confidence_names, floors_words
from engram_desktop.viewmodels.logs import LogList, Owners, scope_names
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.floors import FloorRange
from engram_desktop.widgets.parts.fields.text_fields import (
    ConditionField,
    LineField,
    TextField,
    WordChips,
    completions,
    fill,
)
from engram_desktop.widgets.parts.layouts import add_row, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts
from engram_desktop.widgets.parts.pieces import icon_button, label, text_button


class LogPanel(QFrame):
    def __init__(self, look: Look, logs: LogList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._logs = logs
        self._shown: PrivateLog | None = None
        self._empty = EmptyState(look, "logs")
        self._empty.say(
            self.tr("No entry selected"),
            self.tr("Select an entry to read and correct it, or write a new one."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._make_body())
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        logs.shown.connect(self._on_shown)
        logs.owners_read.connect(self._on_owners_read)
        logs.condition_checked.connect(self._on_condition_checked)
        self._on_shown(logs.current)

    def edit_by_key(self) -> None:
        """Let the text of the entry be typed in."""
        if self._stack.currentIndex() == 1:
            self.content.setFocus()

    def _make_body(self) -> QWidget:
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its parts take it
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        rows = column(body, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        rows.addLayout(self._make_head())
        self.owner = LineField()
        self._names = QStringListModel(self)
        self.owner.setCompleter(completions(self._names, self))
        self.owner.setAccessibleName(self.tr("Whose it is"))
        add_row(rows, self.tr("Whose it is"), self.owner)
        self.content = TextField(self.tr("What was thought or felt"))
        self.content.setFixedHeight(150)
        add_row(rows, self.tr("What was thought or felt"), self.content)
        self.emotions = WordChips(self._look, self.tr("Emotions"))
        add_row(rows, self.tr("Emotions"), self.emotions)
        self.scope = QComboBox()
        self.scope.setAccessibleName(self.tr("Who may know it"))
        for name, text in scope_names().items():
            self.scope.addItem(text, name)
        add_row(rows, self.tr("Who may know it"), self.scope)
        self.guard = ConditionField()
        self.condition, self.verdict = self.guard.line, self.guard.verdict
        add_row(rows, self.tr("Only while this holds"), self.guard)
        self.floors = FloorRange()
        add_row(rows, self.tr("Floors it tells of"), self.floors)
        self.source_button = text_button(self.tr("Read these floors"))
        self.source_button.clicked.connect(self._logs.read_source)
        rows.addWidget(self.source_button, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addStretch(1)
        self._origin = label("", "quiet")
        rows.addWidget(self._origin)
        scroll.setWidget(body)
        self._connect()
        return scroll

    def _connect(self) -> None:
        logs = self._logs
        self.owner.textEdited.connect(lambda text: logs.edit(owner=text.strip()))
        self.content.textChanged.connect(self._on_content_edited)
        self.condition.textEdited.connect(lambda text: logs.edit(condition=text.strip()))
        for field in (self.owner, self.content, self.condition):
            field.left.connect(logs.save)
        for line in (self.owner, self.condition):
            line.submitted.connect(logs.save)
        self.emotions.changed.connect(self._on_emotions_edited)
        self.scope.activated.connect(lambda _n: self._on_scope_chosen())
        self.floors.changed.connect(lambda: logs.edit(source_range=self.floors.span))
        self.floors.left.connect(logs.save)

    def _make_head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        words = QWidget()
        inner = column(words, 0, 1)
        inner.addWidget(label(self.tr("Private log"), "heading"))
        self._where = label("", "hint")
        inner.addWidget(self._where)
        line.addWidget(words, 1)
        self.delete_button = icon_button(self._look, "trash", self.tr("Delete this entry"))
        self.delete_button.clicked.connect(self._on_delete_clicked)
        line.addWidget(self.delete_button)
        return line

    @Slot(object)
    def _on_shown(self, log: PrivateLog | None) -> None:
        self._shown = log
        self._stack.setCurrentIndex(0 if log is None else 1)
        if log is None:
            return
        span = log.source_range
        floors = floors_words(span.start_index, span.end_index)
        self._where.setText(
            self.tr("{floors} · stale: its messages changed").format(floors=floors)
            if log.is_stale
            else floors
        )
        blocked = [QSignalBlocker(w) for w in (self.scope, self.content)]
        fill(self.owner, log.owner)
        fill(self.content, log.content)
        self.emotions.show_words(log.emotion_tags)
        self.scope.setCurrentIndex(self.scope.findData(log.scope))
        self.guard.show_condition(log.condition)
        self._logs.check_condition()
        self.floors.show_span(span)
        for blocker in blocked:
            blocker.unblock()
        self._origin.setText(confidence_names()[log.confidence])

    @Slot(object)
    def _on_condition_checked(self, verdict: Verdict) -> None:
        scope = self._shown.scope if self._shown is not None else ""
        self.guard.show_verdict(verdict, is_for_all=scope in ("conditional", "global"))

    @Slot(object)
    def _on_owners_read(self, owners: Owners) -> None:
        names: Sequence[str] = [name for name, _count in owners]
        self._names.setStringList(names)

    def _on_content_edited(self) -> None:
        self._logs.edit(content=self.content.toPlainText().strip())

    @Slot(object)
    def _on_emotions_edited(self, words: tuple[str, ...]) -> None:
        self._logs.edit(emotion_tags=words)
        self._logs.save()

    def _on_scope_chosen(self) -> None:
        if self.scope.currentData() == "conditional":
            self.condition.setFocus()
        self._logs.edit(scope=self.scope.currentData())
        self._logs.save()

    def _on_delete_clicked(self) -> None:
        if self._shown is not None:
            self._logs.delete([self._shown.pk])


def make(parts: PageParts, parent: QWidget) -> LogPanel:
    return LogPanel(parts.look, parts.models.logs, parent)


# Write a private log by hand: whose it is, what was felt, and at which floors.


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
