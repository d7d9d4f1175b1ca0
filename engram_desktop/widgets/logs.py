"""The private logs of a chat: a page of cards, a panel and a dialog for one entry.

A card shows the character, the feeling and the thought. Edits are saved on focus out.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSignalBlocker, QStringListModel, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QStackedWidget,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import LogPatch, PrivateLog, SourceRange
from engram_desktop.domain.state.condition import Verdict
from engram_desktop.viewmodels.logs import LogList, Owners, scope_names
from engram_desktop.viewmodels.workspace.choice_texts import confidence_names, floors_words
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardDelegate, CardTable
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import FloorRange
from engram_desktop.widgets.parts.fields.text_fields import (
    ConditionField,
    LineField,
    SearchField,
    TextField,
    WordChips,
    completions,
    fill,
)
from engram_desktop.widgets.parts.layouts import (
    FlowLayout,
    add_row,
    clear_layout,
    column,
    tall_area,
)
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts, SearchedPage
from engram_desktop.widgets.parts.pieces import (
    icon_button,
    kind_button,
    label,
    literal,
    text_button,
)

BADGE = 24
MAX_TAGS = 4


class LogCard(CardDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        log = index.data(RowRole)
        if log is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(1, 1, -1, -GAP)
        self.paint_frame(painter, card, option.state)
        badge = QRectF(card.left() + 12, card.top() + 9, BADGE, BADGE)
        self.paint_chip(painter, badge, log.owner[:1], "accent")
        inner = card.adjusted(BADGE + 26, 10, -16, -8)
        right = self._paint_right(painter, inner, log)
        self._paint_head(painter, QRectF(inner.left(), inner.top(), right - inner.left(), 20), log)
        self.paint_text(painter, inner.adjusted(0, 24, 0, 0), log.content)
        painter.restore()

    def _paint_head(self, painter: QPainter, line: QRectF, log: PrivateLog) -> None:
        x = self.paint_words(painter, line, line.left(), log.owner, self._strong, "ink", 0.5)
        metrics = QFontMetricsF(self._small)
        for tag in log.emotion_tags[:MAX_TAGS]:
            width = min(metrics.horizontalAdvance(tag), 120.0) + 16
            if x + width > line.right():
                return
            self.paint_chip(painter, QRectF(x, line.top(), width, 20), tag, "grey")
            x += width + 6

    def _paint_right(self, painter: QPainter, inner: QRectF, log: PrivateLog) -> float:
        """Draw floors and marks from the right; return the x where they begin."""
        metrics = QFontMetricsF(self._small)
        span = log.source_range
        floors = floors_words(span.start_index, span.end_index)
        width = max(metrics.horizontalAdvance(floors), 84.0)
        box = QRectF(inner.right() - width, inner.top(), width, 20)
        painter.setFont(self._small)
        painter.setPen(self._look.color("ink2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, floors)
        x = box.left() - 10
        marks = [(self.tr("Stale"), "red")] if log.is_stale else []
        if log.scope != "private":
            marks.append((scope_names()[log.scope], "green"))
        for text, role in marks:
            width = metrics.horizontalAdvance(text) + 18
            x -= width + 6
            self.paint_chip(painter, QRectF(x, inner.top(), width, 20), text, role)
        return x - 8


MAX_OWNERS = 12


class LogPage(SearchedPage):
    def __init__(self, look: Look, logs: LogList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._logs = logs
        self._wanted_key: int | None = None
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 0)
        line = QHBoxLayout()
        self.search = SearchField(look, self.tr("Search private logs"))
        self.search.setMinimumWidth(130)
        self.search.setMaximumWidth(280)
        self.search.textChanged.connect(logs.search)
        line.addWidget(self.search, 1)
        owners = QWidget()
        self._owners = FlowLayout(owners)
        line.addWidget(owners, 2)
        self.reflect_button = text_button(self.tr("Look back…"))
        self.reflect_button.setToolTip(
            self.tr("Let a model note what characters keep to themselves, and what was missed")
        )
        line.addWidget(self.reflect_button, 0, Qt.AlignmentFlag.AlignTop)
        self.add_button = text_button(self.tr("Write…"))
        line.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignTop)
        outer.addLayout(line)
        self.view = CardTable(look, logs.model)
        self.view.setAccessibleName(self.tr("Private logs"))
        self.view.setItemDelegate(LogCard(look, self.view))
        self.view.chosen.connect(self._on_chosen)
        self.view.delete_wanted.connect(lambda: logs.delete(self.view.selected_keys()))
        self.view.customContextMenuRequested.connect(self._open_menu)
        self._empty = EmptyState(look, "logs")
        self._empty.acted.connect(self._on_acted)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        logs.found.connect(self._on_found)
        logs.owners_read.connect(self._on_owners_read)
        logs.written.connect(self._on_written)
        logs.wanted.connect(self._on_wanted)
        self._on_found(logs.model.rowCount())

    @override
    def set_active(self, active: bool) -> None:
        self._logs.set_active(active)

    @Slot()
    def _on_acted(self) -> None:
        query = self._logs.query
        if not query.text and not query.owner:
            self.add_button.click()
            return
        self.search.clear()
        self._logs.show_all()

    @Slot(int)
    def _on_found(self, count: int) -> None:
        self._stack.setCurrentWidget(self.view if count else self._empty)
        if not count:
            query = self._logs.query
            if not self._logs.is_loaded:
                self._empty.wait()
            elif query.text or query.owner:
                self._empty.say(
                    self.tr("No private log matches"),
                    self.tr("Try fewer words, or everybody."),
                    self.tr("Show all"),
                )
            else:
                self._empty.say(
                    self.tr("No private logs yet"),
                    self.tr(
                        "What a character felt or thought and told nobody. Only that character "
                        "recalls it; you see everything."
                    ),
                    self.tr("Write one…"),
                )
        if self._wanted_key is not None and self.view.show_key(self._wanted_key):
            self._wanted_key = None

    @Slot(object)
    def _on_owners_read(self, owners: Owners) -> None:
        clear_layout(self._owners)
        total = sum(count for _name, count in owners)
        chips: list[tuple[str | None, str]] = [(None, self.tr("All {n}").format(n=total))]
        chips += [(name, f"{name} {count}") for name, count in owners[:MAX_OWNERS]]
        for name, text in chips if owners else []:
            chip = kind_button("chip", literal(text))
            chip.setChecked(name == self._logs.query.owner)
            chip.clicked.connect(lambda _checked=False, n=name: self._logs.filter_owner(n))
            self._owners.addWidget(chip)

    @Slot(int)
    def _on_written(self, key: int) -> None:
        self._wanted_key = key
        self._logs.read()

    @Slot(int)
    def _on_wanted(self, key: int) -> None:
        self.search.clear()
        self._on_written(key)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        keys = self.view.selected_keys()
        if not len(keys):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        who = menu.addAction(self._look.icon("eye"), self.tr("Who knows this…"))
        who.triggered.connect(lambda _checked=False: self._logs.ask_who(keys))
        delete = menu.addAction(self._look.icon("trash"), self.tr("Delete"))
        delete.triggered.connect(lambda _checked=False: self._logs.delete(keys))
        menu.popup(self.view.viewport().mapToGlobal(at))

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        keys = self.view.selected_keys() if count == 1 else None
        self._logs.show_log(keys[0] if keys else None)


def make(parts: PageParts, parent: QWidget) -> LogPage:
    page = LogPage(parts.look, parts.models.logs, parent)
    page.add_button.clicked.connect(parts.doors.open_log)
    page.reflect_button.clicked.connect(parts.doors.open_reflect)
    return page


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
        """Focus the text of the entry (F2)."""
        if self._stack.currentIndex() == 1:
            self.content.setFocus()

    def _make_body(self) -> QWidget:
        scroll = tall_area()
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
        add_row(rows, self.tr("Floors it covers"), self.floors)
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


def make_panel(parts: PageParts, parent: QWidget) -> LogPanel:
    return LogPanel(parts.look, parts.models.logs, parent)


# Write a private log by hand: its character, the feeling, and its floors.


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
        add_row(self.body, self.tr("Floors it covers"), self.floors)
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
