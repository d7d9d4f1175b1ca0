"""The dialogs for who knows what, for groups, and for secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.knowledge.knowing import Knower, Membership, Secret
from engram_desktop.viewmodels.knowledge import (
    GroupList,
    Groups,
    Knowers,
    SecretList,
    Secrets,
    WhoKnows,
)
from engram_desktop.viewmodels.workspace.choice_texts import how_words, listed
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.dialogs import FramedDialog, UndoStrip
from engram_desktop.widgets.parts.fields.filtered import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FittedArea, FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    kind_button,
    label,
    literal,
    named_frame,
    text_button,
)

# Who knows a memory: every knower, since when and how; others are added by clicking.


MOST_TEXT = 240  # characters of the memory shown at the top
NAME_WIDTH = 140
MOST_FLOORS = 10_000_000  # limit of the field of the floor


def _scrolled(rows: QWidget) -> FittedArea:
    """Put the rows of a dialog into a vertically scrolling area; fields follow the last row."""
    scroll = FittedArea()
    scroll.setWidget(rows)
    return scroll


class WhoDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        who: WhoKnows,
        undo: UndoActions,
        open_groups: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=600)
        self.resize(640, 600)
        self._who = who
        self.set_title(self.tr("Who knows this"))
        self._text = label("", "quiet", wrap=True)
        self.body.addWidget(self._text)
        inner = QWidget()
        self._rows = column(inner, 0, 6)
        self.body.addWidget(_scrolled(inner))
        self.body.addWidget(self._make_adding())
        self._hint = label(
            self.tr("What is said here counts for recall at once, and can be undone."), "hint"
        )
        self.body.addWidget(self._hint)
        self.body.addStretch(1)
        self.groups_button = self.add_button(self.tr("Groups…"), left=True)
        self.groups_button.clicked.connect(open_groups)
        self.add_left(UndoStrip(look, undo, self))
        self.add_close(self.tr("Close"))
        who.shown.connect(self._on_shown)
        self._on_shown(who.known)

    def _make_adding(self) -> QWidget:
        adding = QWidget()
        line = FlowLayout(adding, 8)
        self.name = FilteredBox()
        self.name.setAccessibleName(self.tr("Who"))
        self.name.currentIndexChanged.connect(self._update_buttons)
        self.name.setMinimumWidth(NAME_WIDTH)
        line.addWidget(self.name)
        since = label(self.tr("from floor"))
        since.setMinimumHeight(self.name.sizeHint().height())
        line.addWidget(since)
        self.floor = QSpinBox()
        self.floor.setRange(0, MOST_FLOORS)
        self.floor.setAccessibleName(self.tr("from floor"))
        line.addWidget(self.floor)
        self.add_known = text_button(self.tr("Knows it"))
        self.add_known.clicked.connect(self._add)
        line.addWidget(self.add_known)
        self.add_denied = text_button(self.tr("Does not know it"))
        self.add_denied.clicked.connect(self._deny)
        line.addWidget(self.add_denied)
        return adding

    @Slot(object)
    def _on_shown(self, known: Knowers) -> None:
        asked = self._who.asked
        count = len(asked.refs)
        self._text.setText(
            asked.text[:MOST_TEXT] if count == 1 else self.tr("%n memories", "", count)
        )
        self.floor.setValue(asked.last)
        clear_layout(self._rows)
        for knower in known.knowers:
            self._rows.addWidget(self._row_of(knower))
        for name, share in sorted((known.counts or {}).items(), key=lambda one: -one[1]):
            words = self.tr("knows {count} of {all}").format(count=share, all=count)
            self._rows.addWidget(self._card(name, words, None))
        if not self._rows.count():
            self._rows.addWidget(label(self.tr("Nobody in the story knows it."), "quiet"))
        self._show_cast(known)

    def _show_cast(self, known: Knowers) -> None:
        if not self.name.is_typing:
            chosen = self.chosen_name
            self.name.clear()
            self.name.addItems(list(known.cast))
            self.name.setCurrentIndex(max(0, self.name.findText(chosen)))
        self._update_buttons()

    def _row_of(self, knower: Knower) -> QWidget:
        words = self.tr("since floor {floor}: {how}").format(
            floor=knower.from_floor, how=how_words(knower)
        )
        return self._card(knower.actor, words, knower)

    def _card(self, name: str, words: str, knower: Knower | None) -> QWidget:
        card = named_frame("card")
        line = QHBoxLayout(card)
        line.setContentsMargins(12, 8, 8, 8)
        line.addWidget(label(name, "section"))
        line.addWidget(label(words, "quiet", wrap=True), 1)
        if knower is not None:
            read = text_button(self.tr("Read it"), "link")
            read.clicked.connect(partial(self._read, knower))
            line.addWidget(read)
        if knower is not None and knower.is_said:
            back = text_button(self.tr("Take back"))
            back.setToolTip(self.tr("Let it be worked out again"))
            back.clicked.connect(partial(self._take_back, name))
            line.addWidget(back)
        deny = text_button(self.tr("Does not know it"))
        deny.clicked.connect(partial(self._deny_one, name))
        line.addWidget(deny)
        return card

    @property
    def chosen_name(self) -> str:
        """Return the name for the next entry; typed text may be only a filter."""
        return self.name.itemText(self.name.currentIndex())

    @Slot()
    def _update_buttons(self) -> None:
        for button in (self.add_known, self.add_denied):
            button.setEnabled(bool(self.chosen_name))

    @Slot()
    def _add(self) -> None:
        self._who.say(self.chosen_name, known=True, from_floor=self.floor.value())

    @Slot()
    def _deny(self) -> None:
        self._who.say(self.chosen_name, known=False)

    def _deny_one(self, name: str, _checked: object = None) -> None:
        self._who.say(name, known=False)

    def _take_back(self, name: str, _checked: object = None) -> None:
        self._who.take_back(name)

    def _read(self, knower: Knower, _checked: object = None) -> None:
        self._who.read_telling(knower)


# Groups: their members, and changes of membership. Members know what their group knows.


class GroupsDialog(FramedDialog):
    def __init__(
        self, look: Look, groups: GroupList, undo: UndoActions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=600)
        self.resize(660, 560)
        self._groups = groups
        self.set_title(self.tr("Groups"))
        hint = self.tr(
            "From joining on, members know what their group knows, and what it knew before."
            " Those who leave keep that, and learn nothing later."
            " What a group knows is said under “Who knows this”."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        inner = QWidget()
        self._rows = column(inner, 0, 6)
        self.body.addWidget(_scrolled(inner))
        self.body.addWidget(self._make_adding())
        self.body.addStretch(1)
        self.add_left(UndoStrip(look, undo, self))
        self.add_close(self.tr("Close"))
        groups.shown.connect(self._on_shown)
        self.finished.connect(lambda: groups.set_active(active=False))
        self._on_shown(Groups())
        groups.set_active(active=True)

    def _make_adding(self) -> QWidget:
        adding = QWidget()
        line = FlowLayout(adding, 8)
        self.name, self.group = FilteredBox(is_free=True), FilteredBox(is_free=True)
        for box, name in ((self.name, self.tr("Who")), (self.group, self.tr("Group"))):
            box.setAccessibleName(name)
            box.line.setPlaceholderText(name)
            box.setMinimumWidth(NAME_WIDTH)
            box.editTextChanged.connect(self._update_buttons)
            line.addWidget(box)
        line.addWidget(label(self.tr("at floor")))
        self.floor = QSpinBox()
        self.floor.setAccessibleName(self.tr("at floor"))
        line.addWidget(self.floor)
        self.join_button = text_button(self.tr("Joins"))
        self.join_button.clicked.connect(lambda: self._say(is_member=True))
        self.leave_button = text_button(self.tr("Leaves"))
        self.leave_button.clicked.connect(lambda: self._say(is_member=False))
        line.addWidget(self.join_button)
        line.addWidget(self.leave_button)
        self.typed = {"name": self.name.line, "group": self.group.line}
        return adding

    @Slot(object)
    def _on_shown(self, groups: Groups) -> None:
        clear_layout(self._rows)
        for one in groups.rows:
            self._rows.addWidget(self._row_of(one))
        if not groups.rows:
            self._rows.addWidget(label(self.tr("Nobody is in a group yet."), "quiet"))
        for box, names in ((self.name, groups.people), (self.group, groups.groups)):
            text = box.currentText()
            box.clear()
            box.addItems(list(names))
            box.setCurrentIndex(-1)
            box.setEditText(text)
        self.floor.setRange(0, groups.last_floor)
        self._update_buttons()

    def _row_of(self, one: Membership) -> QWidget:
        card = named_frame("card")
        line = QHBoxLayout(card)
        line.setContentsMargins(12, 8, 8, 8)
        line.addWidget(label(one.name, "section"))
        if one.left is None:
            words = self.tr("of {group} since floor {joined}")
        else:
            words = self.tr("of {group} from floor {joined} until floor {left}")
        text = words.format(group=one.group, joined=one.joined, left=one.left)
        line.addWidget(label(text, "quiet", wrap=True), 1)
        back = text_button(self.tr("Take back"))
        back.clicked.connect(lambda: self._groups.take_back(one))
        line.addWidget(back)
        return card

    @Slot()
    def _update_buttons(self) -> None:
        is_whole = bool(self.name.currentText().strip() and self.group.currentText().strip())
        for button in (self.join_button, self.leave_button):
            button.setEnabled(is_whole)

    def _say(self, *, is_member: bool) -> None:
        self._groups.say(
            self.group.currentText(),
            self.name.currentText(),
            is_member=is_member,
            floor=self.floor.value(),
        )


# Secrets: what only some characters know, and who must not learn it.


MOST_CAST = 40  # chips; further characters are edited under “Who knows this”
MOST_SECRET_TEXT = 200  # characters of a secret in its row
SecretRole = Qt.ItemDataRole.UserRole


class SecretsDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        secrets: SecretList,
        undo: UndoActions,
        open_groups: Callable[[], object],
        parent: QWidget | None = None,
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
        self.groups_button = self.add_button(self.tr("Groups…"), left=True)
        self.groups_button.clicked.connect(open_groups)
        self.add_left(UndoStrip(look, undo, self))
        self.add_close(self.tr("Close"))
        secrets.shown.connect(self._on_shown)
        self.finished.connect(lambda: secrets.set_active(active=False))
        self._on_shown(Secrets())
        secrets.set_active(active=True)

    def _make_list(self) -> QTreeWidget:
        self.list = QTreeWidget()
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
        """Return the selected secrets, from the top."""
        return [item.data(0, SecretRole) for item in self.list.selectedItems()]

    @Slot(object)
    def _on_shown(self, secrets: Secrets) -> None:
        kept = {(secret.kind, secret.ref) for secret in self.chosen()}
        self.list.blockSignals(True)
        self.list.clear()
        for secret in secrets.rows:
            floors = f"{secret.first}"
            if secret.last != secret.first:
                floors += f"–{secret.last}"
            names = (listed(secret.knowers), listed(secret.kept_from))
            text = " ".join(secret.text[:MOST_SECRET_TEXT].split())
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
