"""F1: the guide, its chapters beside it, and what is searched in it marked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QLocale, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QImage, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.guide.help_texts import HelpText, read_help
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look

_PLACE = Qt.ItemDataRole.UserRole  # where in the text a chapter begins
AIR, HEAD_AIR = 6, 18  # pixels below a paragraph, and above a chapter
LINE_PERCENT = 120.0  # of the font's own height: long lines are read more easily
PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
CHAPTER = 2  # the level of the headings that are chapters


class GuideView(QTextBrowser):
    """Shows no picture but those it was given: none is read from a disk or a network here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures: Mapping[str, QImage] = {}

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return self.pictures.get(QUrl(name).toString())


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
        self.text.setOpenLinks(False)  # the texts are read here, wherever they point
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
        """Mark every place where these words stand, and go to the first."""
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
        """Go to the next place that was found."""
        if self._marks:
            self._found_at = (self._found_at + 1) % len(self._marks)
            self.text.setTextCursor(self._marks[self._found_at])
            self.text.ensureCursorVisible()


def _give_air(cursor: QTextCursor, level: int) -> None:
    """Set a block apart from the one before: Qt leaves out what Markdown takes for granted."""
    form = cursor.blockFormat()
    form.setTopMargin(HEAD_AIR if level == CHAPTER else 0)
    form.setBottomMargin(AIR)
    if PICTURE not in cursor.block().text():  # it would get a fifth of its height below it
        form.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.setBlockFormat(form)
