"""Secrets: what only some of the cast know, and who must not learn it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.knowledge.knowing import Secret
from engram_desktop.viewmodels.knowledge.secret_list import SecretList, Secrets
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, literal
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.undo_strip import UndoStrip
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look

MOST_CAST = 40  # chips; a passer-by beyond them is said under “Who knows this”
MOST_TEXT = 200  # characters of a secret in its row
SecretRole = Qt.ItemDataRole.UserRole


class SecretsDialog(FramedDialog):
    def __init__(
        self, look: Look, secrets: SecretList, undo: UndoActions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=760)
        self.resize(860, 620)
        self._secrets = secrets
        self.set_title(self.tr("Secrets"))
        self.body.addWidget(
            label(self.tr("Memories that some of the cast know and others do not."), "quiet")
        )
        self.search = SearchField(look, self.tr("Search secrets"))
        self.search.textChanged.connect(self._filter)
        self.body.addWidget(self.search)
        self.body.addWidget(self._make_list(), 1)
        self._none = label(
            self.tr("Nothing is a secret: everybody knows what happened, or nobody was there."),
            "quiet",
            wrap=True,
        )
        self.body.addWidget(self._none)
        self._keep_head = label(self.tr("Who must not learn it"), "section")
        self.body.addWidget(self._keep_head)
        cast = QWidget()
        self._cast = FlowLayout(cast)
        self.body.addWidget(cast)
        self.who_button = self.add_button(self.tr("Who knows this…"), left=True)
        self.who_button.clicked.connect(self._ask_who)
        self.read_button = self.add_button(self.tr("Read the messages"), left=True)
        self.read_button.clicked.connect(self._read)
        self.add_left(UndoStrip(look, undo, self))
        self.add_close(self.tr("Close"))
        secrets.shown.connect(self._on_shown)
        self.finished.connect(lambda: secrets.set_active(active=False))
        self._on_shown(Secrets())
        secrets.set_active(active=True)

    def _make_list(self) -> QTreeWidget:
        self.list = QTreeWidget()
        self.list.setObjectName("rows")
        self.list.setAccessibleName(self.tr("Secrets"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setHeaderLabels(
            [self.tr("What"), self.tr("Floors"), self.tr("Who knows"), self.tr("Not for")]
        )
        header = self.list.header()
        header.setAccessibleName(self.tr("Secrets"))
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section, width in ((1, 80), (2, 170), (3, 130)):
            header.resizeSection(section, width)
        self.list.itemSelectionChanged.connect(self._show_cast)
        return self.list

    def chosen(self) -> list[Secret]:
        """Return the secrets selected, from the top."""
        return [item.data(0, SecretRole) for item in self.list.selectedItems()]

    @Slot(object)
    def _on_shown(self, secrets: Secrets) -> None:
        kept = {(secret.kind, secret.ref) for secret in self.chosen()}
        comma = self.tr(", ", "between names")
        self.list.blockSignals(True)
        self.list.clear()
        for secret in secrets.rows:
            floors = f"{secret.first}–{secret.last}"
            names = (comma.join(secret.knowers), comma.join(secret.kept_from))
            text = " ".join(secret.text[:MOST_TEXT].split())
            item = QTreeWidgetItem([text, floors, *names])
            item.setData(0, SecretRole, secret)
            for place in (0, 2, 3):
                item.setToolTip(place, item.text(place))
            self.list.addTopLevelItem(item)
            item.setSelected((secret.kind, secret.ref) in kept)
        self.list.blockSignals(False)
        first = self.list.topLevelItem(0)
        if not kept and first is not None:
            self.list.setCurrentItem(first)
        self.list.setVisible(bool(secrets.rows))
        self._none.setVisible(not secrets.rows)
        self._filter(self.search.text())
        self._show_cast()

    @Slot()
    def _show_cast(self) -> None:
        chosen = self.chosen()
        clear_layout(self._cast)
        for name in self._secrets.secrets.cast[:MOST_CAST] if chosen else ():
            chip = kind_button("chip", literal(name))
            chip.setChecked(all(name in secret.kept_from for secret in chosen))
            chip.clicked.connect(lambda checked, n=name: self._keep(n, checked=checked))
            self._cast.addWidget(chip)
        self._keep_head.setVisible(bool(chosen))
        for button in (self.who_button, self.read_button):
            button.setEnabled(bool(chosen))

    def _keep(self, name: str, *, checked: bool) -> None:
        chosen = self.chosen()
        names: Sequence[str] = [n for n in chosen[0].kept_from if n != name]
        self._secrets.keep_from(chosen, [*names, *([name] if checked else [])])

    @Slot(str)
    def _filter(self, text: str) -> None:
        needle = text.strip().casefold()
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                words = " ".join(item.text(place) for place in range(4)).casefold()
                item.setHidden(needle not in words)

    @Slot()
    def _ask_who(self) -> None:
        self._secrets.ask_who(self.chosen())

    @Slot()
    def _read(self) -> None:
        chosen = self.chosen()
        if chosen:
            self._secrets.read_source(chosen[0])
