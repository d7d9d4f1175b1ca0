"""Dialogs of the window (history, keys, messages, report) and about the program.

The latter are version, changes, guide and notices.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engram_desktop import __version__
from engram_desktop.domain.release import Release
from engram_desktop.domain.search import fit
from engram_desktop.viewmodels.guide import HelpText, read_help
from engram_desktop.viewmodels.search.key_map import KeyBinding, KeyMap
from engram_desktop.viewmodels.settings.about import (
    LicenceNotice,
    Releases,
    read_changelog,
    read_notices,
)
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import Messages, Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs import FramedDialog, StepList
from engram_desktop.widgets.parts.fields.text_fields import SearchField, TextField
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import GuideView, label, named_frame, text_button
from engram_desktop.widgets.window.message_bar import ICONS
from engram_desktop.widgets.window.page_stack import BY_NAME, PAGES

# Undo steps, newest first, of the chat shown or of the library; and undo or redo to a step.


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


# All keys of the window, which can be changed: conflicts are shown before.


_NAME = Qt.ItemDataRole.UserRole


class KeysDialog(FramedDialog):
    def __init__(self, look: Look, keys: KeyMap, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=600)
        self._keys = keys
        self.set_title(self.tr("Keys"))
        fixed = self.tr(
            "Always so: Space toggles a lamp, Del deletes, Ctrl+A selects all, Esc clears or"
            " closes. Keys of a page are listed once it was shown."
        )
        self.body.addWidget(label(fixed, "quiet", wrap=True))
        self.search = SearchField(look, self.tr("Search keys and actions"))
        self.search.textChanged.connect(self._fill)
        self.body.addWidget(self.search)
        self.list = self._make_list()
        self.body.addWidget(self.list, 1)
        self.body.addLayout(self._make_edit())
        self.said = label("", "quiet", wrap=True)
        self.said.setMinimumHeight(self.said.fontMetrics().height() * 2)
        self.body.addWidget(self.said)
        self.restore_all_button = self.add_button(self.tr("Restore all defaults"), left=True)
        self.restore_all_button.clicked.connect(keys.restore_all)
        self.add_close(self.tr("Close"))
        self.resize(600, 660)  # pixels: width of a line with a key and its action
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
        """Return the text of an action."""
        page = BY_NAME.get(bound.name.removeprefix("page."))
        if page is None or not bound.name.startswith("page."):
            return bound.words
        title = QCoreApplication.translate("TopBar", page.title)
        return self.tr("Page: {name}").format(name=title)

    @Slot()
    def _fill(self) -> None:
        """List the actions that match the search; the selection stays."""
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
        """Show whether a key can be used, and which action would lose it."""
        if sequence.isEmpty():
            self.said.setText("")
            self.set_button.setEnabled(False)
            return
        refusal = self._keys.refusal(sequence)
        key = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        holders = [] if refusal else self._keys.holders(key, beside=self._chosen)
        if holders:
            names = listed(self.words(bound) for bound in holders)
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


# The messages since the window opened, newest first, including closed ones.


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
        """Offer the action of the selected message, also after its banner is closed."""
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


# A bug, or a crash of the last run: the error, and a report to copy. Sends nothing.


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


# About: the version, whether a newer one exists, the folders of the data, every key.


class AboutDialog(FramedDialog):
    notices_wanted = Signal()
    changelog_wanted = Signal()

    keys_wanted = Signal()

    def __init__(
        self,
        library: Path,
        releases: Releases,
        keys: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """``keys`` are the current keys of the window, each with its action."""
        super().__init__(parent, width=760)
        self._releases = releases
        self.set_title(f"Engram Desktop {__version__}")
        self.body.addWidget(label(self.tr("Long-term memory for role-play chats."), "quiet"))
        self._add_versions()
        self.body.addWidget(label(self.tr("Library"), "section"))
        where = label(str(library), wrap=True)
        self.body.addWidget(where)
        self.body.addWidget(label(self.tr("Keys"), "section"))
        card = named_frame("well")
        grid = QGridLayout(card)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(5)
        rows = [*keys, *self._fixed_keys()]
        half = (len(rows) + 1) // 2
        for number, (key, text) in enumerate(rows):
            row, side = number % half, number // half * 2
            grid.addWidget(label(key, "section"), row, side)
            grid.addWidget(label(text, "quiet", wrap=True), row, side + 1)
        self.body.addWidget(card)
        open_button = self.add_button(self.tr("Open the library's folder"), left=True)
        open_button.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(library)))
        )
        self.keys_button = self.add_button(self.tr("Change keys…"))
        self.keys_button.clicked.connect(self.keys_wanted)
        self.notices_button = self.add_button(self.tr("Third-party notices"))
        self.notices_button.clicked.connect(self.notices_wanted)
        self.add_close(self.tr("Close"))

    def _add_versions(self) -> None:
        line = QHBoxLayout()
        self.changelog_button = text_button(self.tr("What changed"))
        self.changelog_button.clicked.connect(self.changelog_wanted)
        line.addWidget(self.changelog_button)
        self.look_button = text_button(self.tr("Look for a newer version"))
        self.look_button.clicked.connect(self._look)
        if self._releases.address:
            asked = self.tr("Asks {address}").format(address=self._releases.address)
            self.look_button.setToolTip(asked)
        line.addWidget(self.look_button)
        self.page_button = text_button(self.tr("Read about it"))
        self.page_button.clicked.connect(self._releases.open_page)
        self.page_button.hide()
        line.addWidget(self.page_button)
        line.addStretch(1)
        self.body.addLayout(line)
        self.answer = label("", "quiet", wrap=True)
        self.answer.hide()
        self.body.addWidget(self.answer)
        self._releases.newer_known.connect(self._show_newer)
        self._releases.none_newer.connect(self._show_none)
        self._releases.failed.connect(self._say)
        if self._releases.known is not None:
            self._show_newer(self._releases.known)

    @Slot()
    def _look(self) -> None:
        self._say(self.tr("Asking {address}…").format(address=self._releases.address))
        self.look_button.setEnabled(False)
        self._releases.look()

    @Slot(object)
    def _show_newer(self, release: Release) -> None:
        self._say(self.tr("Version {version} is out.").format(version=release.version))
        if release.page:
            self.page_button.setToolTip(release.page)
            self.page_button.show()

    @Slot()
    def _show_none(self) -> None:
        self._say(self.tr("This is the newest version."))

    @Slot(str)
    def _say(self, text: str) -> None:
        self.look_button.setEnabled(True)
        self.answer.setText(text)
        self.answer.setVisible(bool(text))

    def _fixed_keys(self) -> list[tuple[str, str]]:
        return [
            (f"Ctrl+1…{sum(spec.key[-1].isdigit() for spec in PAGES)}", self.tr("Pages")),
            ("Ctrl+T", self.tr("The text of the chat")),
            ("Ctrl+A", self.tr("Select all")),
            ("Space", self.tr("Toggle the lamp")),
            ("Del", self.tr("Delete")),
            ("Esc", self.tr("Clear the search")),
        ]


# The changes of each version.


class ChangelogDialog(FramedDialog):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(820, 640)
        self.set_title(self.tr("What changed"))
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)  # links in it are to files of the repository
        self.text.setAccessibleName(self.tr("Changelog"))
        self.text.setPlaceholderText(self.tr("Reading…"))
        self.text.document().setDocumentMargin(12)  # pixels
        self.body.addWidget(self.text, 1)
        self.add_close(self.tr("Close"))
        job = workspace.look_up(lambda _ctx: read_changelog())
        job.succeeded.connect(self.text.setMarkdown)


# F1: the guide, its chapters beside it, and search hits marked.


_PLACE = Qt.ItemDataRole.UserRole  # position in the text where a chapter begins
AIR, HEAD_AIR = 6, 18  # pixels below a paragraph, and above a chapter
LINE_PERCENT = 120.0  # of the font's own height: long lines are read more easily
PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
CHAPTER = 2  # the level of the headings that are chapters


class HelpDialog(FramedDialog):
    keys_wanted = Signal()
    about_wanted = Signal()

    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(940, 660)  # pixels: chapters beside lines of some 80 characters
        self._look = look
        self._marks: list[QTextCursor] = []
        self.set_title(self.tr("Help"))
        self.search = SearchField(look, self.tr("Search the guide"))
        self.search.textChanged.connect(self._find)
        self.search.submitted.connect(self.find_next)
        self._count = label("", "quiet")
        self.chapters = QListWidget()
        self.chapters.setAccessibleName(self.tr("Chapters"))
        self.chapters.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.chapters.setWordWrap(True)
        self.chapters.currentItemChanged.connect(self._go_to)
        self.chapters.itemClicked.connect(self._go_to)
        self.text = GuideView()
        self.text.setOpenLinks(False)  # links are not followed
        self.text.setAccessibleName(self.tr("Guide"))
        self.text.setPlaceholderText(self.tr("Reading…"))
        self.text.document().setDocumentMargin(14)  # pixels
        left = QVBoxLayout()
        left.addWidget(self.search)
        left.addWidget(self._count)
        left.addWidget(self.chapters, 1)
        both = QHBoxLayout()
        both.setSpacing(12)
        both.addLayout(left, 2)
        both.addWidget(self.text, 5)
        self.body.addLayout(both, 1)
        self.keys_button = self.add_button(self.tr("All keys…"), left=True)
        self.keys_button.clicked.connect(self.keys_wanted)
        self.about_button = self.add_button(self.tr("About Engram"), left=True)
        self.about_button.clicked.connect(self.about_wanted)
        self.add_close(self.tr("Close"))
        self._found_at = -1
        language = QLocale().name() if QLocale().language() == QLocale.Language.Chinese else ""
        language = language or QLocale().name().partition("_")[0]
        job = workspace.look_up(lambda _ctx: read_help(language))
        job.succeeded.connect(self._on_read)
        self.search.setFocus()

    @Slot(object)
    def _on_read(self, guide: HelpText) -> None:
        self.text.pictures = guide.pictures
        self.text.setMarkdown(guide.markdown)
        block = self.text.document().begin()
        while block.isValid():
            _give_air(QTextCursor(block), block.blockFormat().headingLevel())
            if block.blockFormat().headingLevel() == CHAPTER:
                item = QListWidgetItem(block.text())
                item.setData(_PLACE, block.position())
                self.chapters.addItem(item)
            block = block.next()
        self._find(self.search.text())

    @Slot(QListWidgetItem)
    def _go_to(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(item.data(_PLACE))
        self.text.setTextCursor(cursor)
        top = self.text.cursorRect(cursor).top() + self.text.verticalScrollBar().value()
        self.text.verticalScrollBar().setValue(top - 8)  # pixels of air above a heading

    @Slot(str)
    def _find(self, words: str) -> None:
        """Mark every match of these words, and scroll to the first."""
        self._marks = []
        document = self.text.document()
        cursor = document.find(words) if words.strip() else QTextCursor()
        while not cursor.isNull():
            self._marks.append(cursor)
            cursor = document.find(words, cursor)
        form = QTextCharFormat()
        form.setBackground(self._look.color("gold_soft"))
        form.setForeground(self._look.color("ink"))
        selections = []
        for mark in self._marks:
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = mark, form
            selections.append(selection)
        self.text.setExtraSelections(selections)
        text = self.tr("%n place(s)", "", len(self._marks)) if words.strip() else ""
        self._count.setText(text)
        self._count.setVisible(bool(text))
        self._found_at = -1
        self.find_next()

    @Slot()
    def find_next(self) -> None:
        """Go to the next match."""
        if self._marks:
            self._found_at = (self._found_at + 1) % len(self._marks)
            self.text.setTextCursor(self._marks[self._found_at])
            self.text.ensureCursorVisible()


def _give_air(cursor: QTextCursor, level: int) -> None:
    """Add space above a block: Qt sets none between Markdown blocks."""
    form = cursor.blockFormat()
    form.setTopMargin(HEAD_AIR if level == CHAPTER else 0)
    form.setBottomMargin(AIR)
    form.setNonBreakableLines(False)  # a line of code is wrapped like any other
    if PICTURE not in cursor.block().text():  # it would get a fifth of its height below it
        form.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.setBlockFormat(form)


# The packages of this program with their licences.
#
# One text at a time: all of them are half a megabyte, which a field needs 28 to 41 ms to load.


class NoticesDialog(FramedDialog):
    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(940, 640)  # lines of licences are 80 characters long
        self._notices: list[LicenceNotice] = []
        self.set_title(self.tr("Third-party notices"))
        hint = self.tr(
            "Engram Desktop is under the MIT licence. It is put together from these packages, each"
            " under its own."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        left = QVBoxLayout()
        self.search = SearchField(look, self.tr("Search packages and licences"))
        self.search.textChanged.connect(self._filter)
        left.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Packages"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show)
        left.addWidget(self.list, 1)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(self.tr("Licence"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setPlaceholderText(self.tr("Reading…"))
        both = QHBoxLayout()
        both.setSpacing(12)
        both.addLayout(left, 2)
        both.addWidget(self.text, 5)
        self.body.addLayout(both, 1)
        self.add_close(self.tr("Close"))
        job = workspace.look_up(lambda _ctx: read_notices())
        job.succeeded.connect(self._on_read)

    @Slot(object)
    def _on_read(self, packages: list[LicenceNotice]) -> None:
        self._notices = packages
        for notice in packages:
            item = QListWidgetItem(f"{notice.name} {notice.version}")
            item.setToolTip(notice.licence)
            self.list.addItem(item)
        self._filter(self.search.text())

    @Slot(int)
    def _show(self, row: int) -> None:
        if row < 0:
            self.text.clear()
            return
        self.text.setPlainText(self._text_of(self._notices[row]))

    @Slot(str)
    def _filter(self, words: str) -> None:
        needle = words.casefold()
        for row, notice in enumerate(self._notices):
            text = f"{notice.name} {notice.licence} {notice.contains}".casefold()
            self.list.item(row).setHidden(needle not in text)
        current = self.list.currentItem()
        if current is None or current.isHidden():
            rows = (n for n in range(self.list.count()) if not self.list.item(n).isHidden())
            self.list.setCurrentRow(next(rows, -1))

    def _text_of(self, notice: LicenceNotice) -> str:
        facts = [f"{notice.name} {notice.version}"]
        facts.append(self.tr("Licence: {licence}").format(licence=notice.licence))
        if notice.home:
            facts.append(self.tr("Home page: {address}").format(address=notice.home))
        facts += [self.tr("Contains: {what}").format(what=what) for what in notice.contains]
        return "\n\n".join(filter(None, ("\n".join(facts), notice.remark, notice.text)))
