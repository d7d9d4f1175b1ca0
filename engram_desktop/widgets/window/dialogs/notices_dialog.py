"""What this program is put together from: each package with its licence, to be looked through.

One text at a time: all of them are half a megabyte, and a field would take them in for 28 to 41 ms.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.viewmodels.settings import notices
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look


class NoticesDialog(FramedDialog):
    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self.resize(940, 640)  # lines of licences are 80 characters long
        self._notices: list[notices.Notice] = []
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
    def _on_read(self, packages: list[notices.Notice]) -> None:
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

    def _text_of(self, notice: notices.Notice) -> str:
        facts = [f"{notice.name} {notice.version}"]
        facts.append(self.tr("Licence: {licence}").format(licence=notice.licence))
        if notice.home:
            facts.append(self.tr("Home page: {address}").format(address=notice.home))
        facts += [self.tr("Contains: {what}").format(what=what) for what in notice.contains]
        return "\n\n".join(filter(None, ("\n".join(facts), notice.remark, notice.text)))
