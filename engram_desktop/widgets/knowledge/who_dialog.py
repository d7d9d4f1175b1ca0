"""Who knows this: everybody who does, since when and how; others are added by pointing."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSpinBox, QWidget

from engram_desktop.domain.knowledge.knowing import Knower
from engram_desktop.viewmodels.knowledge.who_knows import Known, WhoKnows, how_words
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import label, named_frame, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.undo_strip import UndoStrip
from engram_desktop.widgets.parts.fields.filtered_box import FilteredBox
from engram_desktop.widgets.parts.look.look import Look

MOST_TEXT = 240  # characters of the memory asked about that the head shows
LIST_HEIGHT = 200
NAME_WIDTH = 140
MOST_FLOORS = 10_000_000  # bounds the field of the floor


class WhoDialog(FramedDialog):
    def __init__(
        self, look: Look, who: WhoKnows, undo: UndoActions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=600)
        self.resize(640, 600)
        self._who = who
        self.set_title(self.tr("Who knows this"))
        self._text = label("", "quiet", wrap=True)
        self.body.addWidget(self._text)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setMinimumHeight(LIST_HEIGHT)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        self._rows = column(inner, 0, 6)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)
        self.body.addWidget(self._make_adding())
        self._hint = label(
            self.tr("What is said here counts for recall at once, and can be undone."), "hint"
        )
        self.body.addWidget(self._hint)
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
    def _on_shown(self, known: Known) -> None:
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
            self._rows.addWidget(label(self.tr("Nobody of the story knows it."), "quiet"))
        self._rows.addStretch(1)
        self._show_cast(known)

    def _show_cast(self, known: Known) -> None:
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
        """Of whom something is about to be said; what is typed may be a filter only."""
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
