"""The panel of the graph page: one entity's face, profile, values, relations and evidence.

Its form edits name, type, lock, other names and profile, saved on focus out. A profile that is not
valid YAML is not saved; the error is shown below the field.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.graph.entity import (
    ENTITY_TYPES,
    EntityNode,
)
from engram_desktop.domain.graph.profile import (
    profile_to_yaml,
)
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, EntitySheet
from engram_desktop.viewmodels.graph.graph_view import type_noun
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.widgets.graph.entity_sheet import (
    FactTable,
    Portrait,
    RelationList,
    SheetParts,
    caption,
)
from engram_desktop.widgets.parts.fields.text_fields import (
    Field,
    LineField,
    NoteField,
    TextField,
    UnsavedFields,
    WordChips,
    fill,
)
from engram_desktop.widgets.parts.layouts import Fold, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts
from engram_desktop.widgets.parts.pieces import icon_button, label, literal

CHECK_PAUSE_MS = 300
PROFILE_LINES = 6
FACE = 56  # pixels


class EntityFields(QWidget):
    merge_wanted = Signal()
    open_wanted = Signal()  # the large view of the entity

    def __init__(self, look: Look, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._editor = editor
        self._shown: EntityNode | None = None
        self._rows = layout = column(self, 0, 6)
        self.portrait = Portrait(look, FACE)
        self.name = LineField()
        self.name.setAccessibleName(self.tr("Name"))
        layout.addLayout(self._make_head())
        layout.addLayout(self._make_line())
        self._caption(self.tr("Other names"))
        self.aliases = WordChips(look, self.tr("Other names"))
        self.aliases.changed.connect(editor.set_aliases)
        layout.addWidget(self.aliases)
        self._caption(self.tr("Profile"))
        self.facts = FactTable()
        layout.addWidget(self.facts)
        self._edit = Fold(look, self.tr("Edit as text"))
        layout.addWidget(self._edit)
        editing = column(self._edit.inner, 0, 6)
        self.profile = TextField(self.tr("Profile"))
        self.profile.setPlaceholderText(self.tr("One fact a line, for example “home: the tavern”"))
        self.profile.setFixedHeight(24 + 18 * PROFILE_LINES)
        editing.addWidget(self.profile)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        editing.addWidget(self.fault)
        self._pause = QTimer(self, singleShot=True, interval=CHECK_PAUSE_MS)
        self._pause.timeout.connect(self._check)
        self.profile.textChanged.connect(self._pause.start)
        self.profile.left.connect(self.save_profile)
        self.profile.rested.connect(self._save_what_is_whole)
        self.name.submitted.connect(self._rename)
        self.name.left.connect(self._rename)
        typed: dict[str, Field] = {"name": self.name, "profile": self.profile}
        self._typing = UnsavedFields(editor.unsaved, typed, self)
        layout.insertWidget(1, self._typing.hint)
        self.kind.activated.connect(lambda index: editor.set_type(ENTITY_TYPES[index]))

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.portrait, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self.name)
        self._event_count = label("", "quiet")
        words.addWidget(self._event_count)
        head.addLayout(words, 1)
        return head

    def _make_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(4)
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Type"))
        for kind in ENTITY_TYPES:
            self.kind.addItem(type_noun(kind))
        self.lock_button = icon_button(self._look, "unlock", self.tr("Lock"))
        self.lock_button.clicked.connect(self._on_lock_clicked)
        self.more_button = icon_button(self._look, "more", self.tr("More"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more_button.setMenu(self.menu)
        line.addWidget(self.kind)
        line.addStretch(1)
        self.large_button = icon_button(self._look, "fit", self.tr("Show all of it large"))
        self.large_button.clicked.connect(self.open_wanted)
        line.addWidget(self.large_button)
        line.addWidget(self.lock_button)
        line.addWidget(self.more_button)
        return line

    def _caption(self, text: str) -> None:
        caption = label(text, "section")
        caption.setContentsMargins(0, 8, 0, 0)
        self._rows.addWidget(caption)

    def show_entity(self, entity: EntityNode) -> None:
        """Show an entity; text typed for another one is saved when its field loses the focus."""
        is_same = self._shown is not None and self._shown.id == entity.id
        text = profile_to_yaml(entity.profile) if entity.profile else entity.description
        was = "" if self._shown is None else self._profile_text(self._shown)
        self._shown = entity
        self.portrait.show_entity(entity)
        if not is_same:
            self.facts.show_facts(())
            self._edit.set_open(is_open=not entity.profile)
        place = self._editor.place
        if not self._typing.holds(place, "name"):  # else the name is being typed
            fill(self.name, entity.name)
        self.kind.setCurrentIndex(ENTITY_TYPES.index(entity.type))
        self._event_count.setText(self.tr("%n event(s)", "", entity.event_count))
        self.aliases.show_words(entity.aliases)
        self._look.set_icon(self.lock_button, "lock" if entity.is_locked else "unlock")
        name = self.tr("Unlock") if entity.is_locked else self.tr("Lock")
        self.lock_button.setAccessibleName(name)
        self.lock_button.setToolTip(
            self.tr("Locked: nothing changes it by itself")
            if entity.is_locked
            else self.tr("Lock: nothing may change it by itself")
        )
        is_typed = is_same and self.profile.hasFocus()
        if is_typed and self._editor.is_stored_profile(self.profile.toPlainText()):
            text = self.profile.toPlainText()  # it is stored while it is typed
        elif not self._typing.holds(place, "profile") and (not is_typed or text != was):
            self.profile.setPlainText(text)
            self._pause.stop()
            self.fault.hide()
        self._typing.show(place, {"name": entity.name, "profile": text})

    def show_sheet(self, sheet: EntitySheet) -> None:
        """Show what was read about the entity shown."""
        if self._shown is not None and self._shown.id == sheet.entity.id:
            self.portrait.show_face(sheet.face)
            self.facts.show_facts(sheet.facts)

    def save_profile(self) -> None:
        """Save the profile typed, or show its error."""
        self._check()
        if self.fault.isHidden():
            self._editor.set_profile(self.profile.toPlainText())
            self._typing.drop("profile")

    def _rename(self) -> None:
        self._editor.rename(self.name.text())
        self._typing.drop("name")

    def _save_what_is_whole(self) -> None:
        """Save a profile while it is typed, as soon as it is valid."""
        text = self.profile.toPlainText()
        if self._editor.check_profile(text) is None:
            self._editor.set_profile(text)

    @staticmethod
    def _profile_text(entity: EntityNode) -> str:
        return profile_to_yaml(entity.profile) if entity.profile else entity.description

    def _check(self) -> None:
        fault = self._editor.check_profile(self.profile.toPlainText())
        self.fault.setVisible(fault is not None)
        self.fault.setText("" if fault is None else describe(fault)[0])

    def _on_lock_clicked(self) -> None:
        if self._shown is not None:
            self._editor.set_locked(locked=not self._shown.is_locked)

    def _fill_menu(self) -> None:
        self.menu.clear()
        merge = self.menu.addAction(self.tr("Merge into…"))
        merge.triggered.connect(self.merge_wanted)
        split = self.menu.addMenu(self.tr("Split off"))
        split.setEnabled(bool(self._shown and self._shown.aliases))
        for alias in self._shown.aliases if self._shown else ():
            action = split.addAction(literal(alias))
            action.triggered.connect(lambda _checked=False, name=alias: self._editor.split(name))
        self.menu.addSeparator()
        who = self.menu.addAction(self.tr("Who knows this…"))
        who.triggered.connect(self._editor.ask_who)
        hide = self.menu.addAction(self.tr("Hide from the graph"))
        hide.triggered.connect(self._editor.hide)


class EntityPanel(QFrame):
    def __init__(self, parts: PageParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        look, model, editor = parts.look, parts.models.graph, parts.models.entity
        sheets = parts.models.sheets
        empty = EmptyState(look, "graph")
        empty.say(
            self.tr("No entity selected"),
            self.tr("Click a node to see what is known of it. Double-click shows it large."),
        )
        scroll = tall_area()
        body = QWidget()
        layout = column(body, 0, 8)
        layout.setContentsMargins(20, 16, 16, 16)
        self.fields = EntityFields(look, editor)
        self.fields.facts.opened.connect(sheets.show_event)
        layout.addWidget(self.fields)
        self._note = parts.models.new_note()
        self.note = NoteField(look, self._note)
        layout.addWidget(self.note)
        self.parts = SheetParts(look, sheets, parts.models.gaps.of_one, self)
        layout.addWidget(self.parts.descriptions)
        layout.addWidget(self.parts.gaps)
        layout.addWidget(self.parts.curve)
        layout.addWidget(self.parts.promises)
        layout.addWidget(caption(self.tr("Relations")))
        self.relations = RelationList(look, editor)
        layout.addWidget(self.relations)
        layout.addWidget(self.parts.evidence)
        layout.addStretch(1)
        scroll.setWidget(body)
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(scroll)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        model.selected.connect(self._on_selected)
        sheets.read.connect(self._on_read)
        editor.reshown.connect(self.fields.show_entity)

    def edit_by_key(self) -> None:
        """Focus the field for another name of the entity."""
        if self._stack.currentIndex() == 1:
            self.fields.name.setFocus()
            self.fields.name.selectAll()

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self._stack.setCurrentIndex(0 if entity is None else 1)
        if entity is not None:
            self.fields.show_entity(entity)
            self._note.show("entity", entity.id)
        else:
            self._note.leave()

    @Slot(object)
    def _on_read(self, sheet: EntitySheet | None) -> None:
        if sheet is not None:
            self.fields.show_sheet(sheet)


def make_panel(parts: PageParts, parent: QWidget) -> EntityPanel:
    panel = EntityPanel(parts, parent)
    panel.fields.merge_wanted.connect(parts.doors.graph.open_merge)
    panel.fields.open_wanted.connect(parts.doors.graph.open_entity)
    panel.relations.add_wanted.connect(parts.doors.graph.open_add_relation)
    panel.relations.reword_wanted.connect(parts.doors.graph.open_reword)
    panel.relations.end_wanted.connect(parts.doors.graph.open_end)
    return panel
