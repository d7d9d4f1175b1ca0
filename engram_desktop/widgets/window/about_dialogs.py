"""Dialogs about the program: version, changes, help, notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QFontDatabase,
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop import __version__
from engram_desktop.domain.release import Release
from engram_desktop.viewmodels.guide import HelpText, read_help
from engram_desktop.viewmodels.settings import notices
from engram_desktop.viewmodels.settings.releases import Releases, read_changelog
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, named_frame, text_button
from engram_desktop.widgets.window.page_stack import PAGES

# What this is, which version, whether there is a newer one, where its data is, every key.


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
        """``keys`` are those of the window, as they are now, with what each does."""
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
            (f"Ctrl+1…{sum(spec.key[-1].isdigit() for spec in PAGES)}", self.tr("pages")),
            ("Ctrl+T", self.tr("the text of the chat")),
            ("Ctrl+A", self.tr("select all")),
            ("Space", self.tr("toggle the lamp")),
            ("Del", self.tr("delete")),
            ("Esc", self.tr("clear the search")),
        ]


# What changed from version to version.


class ChangelogDialog(FramedDialog):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(820, 640)
        self.set_title(self.tr("What changed"))
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)  # links in it lead to files of the repository
        self.text.setAccessibleName(self.tr("Changelog"))
        self.text.setPlaceholderText(self.tr("Reading…"))
        self.text.document().setDocumentMargin(12)  # pixels
        self.body.addWidget(self.text, 1)
        self.add_close(self.tr("Close"))
        job = workspace.look_up(lambda _ctx: read_changelog())
        job.succeeded.connect(self.text.setMarkdown)


# F1: the guide, its chapters beside it, and what is searched in it marked.


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


# What this program is put together from: each package with its licence, to be looked through.
#
# One text at a time: all of them are half a megabyte, and a field would take them in for 28 to 41
# ms.


class NoticesDialog(FramedDialog):
    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(940, 640)  # lines of licences are 80 characters long
        self._notices: list[notices.LicenceNotice] = []
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
        job = workspace.look_up(lambda _ctx: notices.read_notices())
        job.succeeded.connect(self._on_read)

    @Slot(object)
    def _on_read(self, packages: list[notices.LicenceNotice]) -> None:
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

    def _text_of(self, notice: notices.LicenceNotice) -> str:
        facts = [f"{notice.name} {notice.version}"]
        facts.append(self.tr("Licence: {licence}").format(licence=notice.licence))
        if notice.home:
            facts.append(self.tr("Home page: {address}").format(address=notice.home))
        facts += [self.tr("Contains: {what}").format(what=what) for what in notice.contains]
        return "\n\n".join(filter(None, ("\n".join(facts), notice.remark, notice.text)))
