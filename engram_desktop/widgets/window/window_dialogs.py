"""Dialogs of the window: history, keys, messages, report."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.search import fit
from engram_desktop.viewmodels.search.key_map import KeyBinding, KeyMap
from engram_desktop.viewmodels.workspace.messages import Messages, Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.dialogs import FramedDialog, StepList
from engram_desktop.widgets.parts.fields.text_fields import SearchField, TextField
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, text_button
from engram_desktop.widgets.window.message_bar import ICONS
from engram_desktop.widgets.window.page_stack import BY_NAME

# What was done, newest first: in the chat shown, or to the library; and one step back or again.


class HistoryDialog(FramedDialog):
    def __init__(self, look: Look, undo: UndoActions, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=620)
        self.setMinimumHeight(460)
        self._undo = undo
        title, hint = self.tr("History of this chat"), ""
        if undo.is_library:
            title = self.tr("History of the library")
            hint = self.tr(
                "What was done to world books, characters, regex scripts and prompts. Chats have a"
                " history each; settings have none."
            )
        self.set_title(title)
        if hint:
            self.body.addWidget(label(hint, "quiet", wrap=True))
        self.list = StepList(look, undo)
        self.body.addWidget(self.list, 1)
        self._none = label(self.tr("Nothing was done yet."), "quiet")
        self.body.addWidget(self._none)
        self.redo_button = self.add_button(self.tr("Redo"), left=True)
        self.undo_button = self.add_button(self.tr("Undo the newest step"), left=True)
        self.undo_button.clicked.connect(undo.undo)
        self.redo_button.clicked.connect(undo.redo)
        self.add_close(self.tr("Close"))
        undo.changed.connect(self._show)
        self._show()
        undo.read()

    @Slot()
    def _show(self) -> None:
        self._none.setVisible(not self._undo.steps)
        self.undo_button.setEnabled(self._undo.undo_label is not None)
        self.undo_button.setToolTip(self._undo.undo_text)
        self.redo_button.setEnabled(self._undo.redo_label is not None)
        self.redo_button.setToolTip(self._undo.redo_text)


# All keys of the window, each of which can be another: conflicts are said before they are made.


_NAME = Qt.ItemDataRole.UserRole


class KeysDialog(FramedDialog):
    def __init__(self, look: Look, keys: KeyMap, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=600)
        self._keys = keys
        self.set_title(self.tr("Keys"))
        self.search = SearchField(look, self.tr("Search keys and actions"))
        self.search.textChanged.connect(self._fill)
        self.body.addWidget(self.search)
        self.list = self._make_list()
        self.body.addWidget(self.list, 1)
        self.body.addLayout(self._make_edit())
        self.said = label("", "quiet", wrap=True)
        self.said.setMinimumHeight(self.said.fontMetrics().height() * 2)
        self.body.addWidget(self.said)
        fixed = self.tr(
            "Always so: Space toggles a lamp, Del deletes, Ctrl+A selects all, Esc clears or"
            " closes. Keys of a page are listed once it was shown."
        )
        self.body.addWidget(label(fixed, "hint", wrap=True))
        self.restore_all_button = self.add_button(self.tr("Restore all defaults"), left=True)
        self.restore_all_button.clicked.connect(keys.restore_all)
        self.add_close(self.tr("Close"))
        self.resize(600, 660)  # pixels: a line of each key that all windows have
        keys.changed.connect(self._fill)
        self._fill()

    def _make_list(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Actions and their keys"))
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        tree.setMinimumHeight(200)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.currentItemChanged.connect(self._show_chosen)
        tree.itemActivated.connect(lambda *_: self.edit.setFocus())
        return tree

    def _make_edit(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        for part in (self.edit, *self.edit.findChildren(QLineEdit)):
            part.setAccessibleName(self.tr("New key"))
        self.edit.keySequenceChanged.connect(self._judge)
        line.addWidget(self.edit, 1)
        self.set_button = text_button(self.tr("Use this key"))
        self.set_button.clicked.connect(self._set)
        self.none_button = text_button(self.tr("No key"))
        self.none_button.clicked.connect(lambda: self._keys.choose(self._chosen, ()))
        self.restore_button = text_button(self.tr("Restore default"))
        self.restore_button.clicked.connect(lambda: self._keys.restore(self._chosen))
        for button in (self.set_button, self.none_button, self.restore_button):
            line.addWidget(button)
        return line

    @property
    def _chosen(self) -> str:
        item = self.list.currentItem()
        return str(item.data(0, _NAME)) if item is not None else ""

    def words(self, bound: KeyBinding) -> str:
        """Say what an action does."""
        page = BY_NAME.get(bound.name.removeprefix("page."))
        if page is None or not bound.name.startswith("page."):
            return bound.words
        title = QCoreApplication.translate("TopBar", page.title)
        return self.tr("Page: {name}").format(name=title)

    @Slot()
    def _fill(self) -> None:
        """List what fits the search; what was chosen stays chosen."""
        chosen, typed = self._chosen, self.search.text()
        self.list.clear()
        for bound in self._keys.bound:
            row = [self.words(bound), self._keys.words(bound.name)]
            if typed.strip() and fit(typed, " ".join(row)) is None:
                continue
            item = QTreeWidgetItem(self.list, row)
            item.setData(0, _NAME, bound.name)
            if not self._keys.is_default(bound.name):
                font = item.font(1)
                font.setBold(True)
                item.setFont(1, font)
                item.setToolTip(1, self.tr("Changed by you"))
            if bound.name == chosen:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.topLevelItemCount():
            self.list.setCurrentIndex(self.list.model().index(0, 0))
        self._show_chosen()

    @Slot()
    def _show_chosen(self, *_items: object) -> None:
        name = self._chosen
        self.edit.clear()
        self.said.setText("")
        self.set_button.setEnabled(False)
        self.none_button.setEnabled(bool(name) and bool(self._keys.keys(name)))
        self.restore_button.setEnabled(bool(name) and not self._keys.is_default(name))

    @Slot(QKeySequence)
    def _judge(self, sequence: QKeySequence) -> None:
        """Say whether a key can be taken, and from whom."""
        if sequence.isEmpty():
            self.said.setText("")
            self.set_button.setEnabled(False)
            return
        refusal = self._keys.refusal(sequence)
        key = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        holders = [] if refusal else self._keys.holders(key, beside=self._chosen)
        if holders:
            names = ", ".join(self.words(bound) for bound in holders)
            text = self.tr("{key} is the key of “{names}”. “Use this key” takes it from there.")
            shown = sequence.toString(QKeySequence.SequenceFormat.NativeText)
            self.said.setText(text.format(key=shown, names=names))
        else:
            self.said.setText(refusal)
        self.set_button.setEnabled(bool(self._chosen) and not refusal)

    @Slot()
    def _set(self) -> None:
        key = self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self._keys.choose(self._chosen, (key,))


# The messages since the window opened, newest first, also those whose banner is gone.


NOTICE = Qt.ItemDataRole.UserRole


class MessagesDialog(FramedDialog):
    def __init__(self, look: Look, messages: Messages, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=620)
        self._look = look
        self._messages = messages
        self.set_title(self.tr("Messages"))
        self._empty = label(self.tr("Nothing was said yet."), "quiet")
        self.body.addWidget(self._empty)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Messages"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(320)
        self.body.addWidget(self.list, 1)
        self.copy_button = self.add_button(self.tr("Copy"), left=True)
        self.copy_button.clicked.connect(self._copy)
        self.action_button = self.add_button("", left=True)
        self.action_button.hide()
        self.action_button.clicked.connect(self._act)
        self.list.currentItemChanged.connect(self._show_action)
        self.add_close(self.tr("Close"))
        messages.posted.connect(self._fill)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        self.list.clear()
        for when, notice in reversed(self._messages.past):
            text = f"{when:%H:%M}  {notice.text}"
            item = QListWidgetItem("\n".join(filter(None, (text, notice.hint))))
            item.setIcon(self._look.icon(*ICONS[notice.kind]))
            item.setData(NOTICE, notice)
            self.list.addItem(item)
        self._show_action()
        self._empty.setVisible(not self.list.count())
        self.list.setVisible(self.list.count() > 0)
        self.copy_button.setEnabled(self.list.count() > 0)

    @property
    def _chosen(self) -> Notice | None:
        item = self.list.currentItem() if self.list.count() else None
        notice = item.data(NOTICE) if isinstance(item, QListWidgetItem) else None
        return notice if isinstance(notice, Notice) else None

    @Slot()
    def _show_action(self) -> None:
        """Offer what the banner of the chosen message offered, long after it is gone."""
        notice = self._chosen
        has_action = notice is not None and notice.action is not None
        self.action_button.setVisible(has_action)
        if notice is not None and has_action:
            self.action_button.setText(notice.action_text)

    @Slot()
    def _act(self) -> None:
        notice = self._chosen
        if notice is not None and notice.action is not None:
            notice.action()

    def _copy(self) -> None:
        chosen = self.list.selectedItems()
        items = chosen or [self.list.item(n) for n in range(self.list.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in items))


# A bug, or a crash of the last run: what happened, and a report to copy. Sends nothing.


class ReportDialog(FramedDialog):
    safe_mode_wanted = Signal()

    def __init__(
        self,
        report: str,
        parent: QWidget | None = None,
        *,
        is_crash: bool = False,
        offers_safe_mode: bool = False,
    ) -> None:
        super().__init__(parent, width=680)
        self.set_title(
            self.tr("Engram crashed the last time")
            if is_crash
            else self.tr("Something went wrong that should not have")
        )
        self.body.addWidget(
            label(
                self.tr(
                    "What was saved is safe. The report below holds no story text and no key. "
                    "Nothing is sent: copy it into an issue if you wish."
                ),
                "quiet",
                wrap=True,
            )
        )
        self.report = TextField(self.tr("Report"))
        self.report.setReadOnly(True)
        self.report.setPlainText(report)
        self.report.setMinimumHeight(280)
        self.body.addWidget(self.report, 1)
        self.copy_button = self.add_button(self.tr("Copy the report"), left=True)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.report.toPlainText())
        )
        self.add_close(self.tr("Close"))
        if offers_safe_mode:
            hint = self.tr(
                "If it crashes again, begin in safe mode: no automation, no scripts, no server."
            )
            self.body.addWidget(label(hint, "quiet", wrap=True))
            self.safe_button = self.add_button(self.tr("Restart in safe mode"))
            self.safe_button.clicked.connect(self.safe_mode_wanted)
