"""Small questions about an entity: into whom to merge it, what links it, where that ended."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Slot
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, RelationRow
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.completions import completions
from engram_desktop.widgets.parts.fields.text_fields import LineField


class EntityField(LineField):
    """The name of another entity, completed as it is typed."""

    def __init__(self, editor: EntityEditor, placeholder: str) -> None:
        super().__init__(placeholder)
        self._editor = editor
        self.setAccessibleName(placeholder)
        editor.names_read.connect(self._on_names)
        editor.read_names()

    @property
    def entity_id(self) -> str | None:
        return self._editor.find_id(self.text())

    @Slot(object)
    def _on_names(self, names: list[str]) -> None:
        self.setCompleter(completions(QStringListModel(names, self), self))
        self.textChanged.emit(self.text())  # what is typed may be a name now


class MergeDialog(FramedDialog):
    def __init__(self, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._editor = editor
        name = editor.entity.name if editor.entity else ""
        self.set_title(self.tr("Merge “{name}” into…").format(name=name))
        hint = self.tr("Its names, events and relations move over. Undo takes it back.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.field = EntityField(editor, self.tr("The entity it is"))
        self.body.addWidget(self.field)
        self.add_close(self.tr("Cancel"))
        self.merge_button = self.add_button(self.tr("Merge"), "main")
        self.merge_button.clicked.connect(self._merge)
        self.field.textChanged.connect(self._update_buttons)
        self.field.submitted.connect(self._merge)
        self._update_buttons()
        self.field.setFocus()

    def _update_buttons(self) -> None:
        self.merge_button.setEnabled(self.field.entity_id is not None)

    def _merge(self) -> None:
        target = self.field.entity_id
        if target is not None:
            self._editor.merge_into(target)
            self.close()


class AddRelationDialog(FramedDialog):
    def __init__(self, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._editor = editor
        name = editor.entity.name if editor.entity else ""
        self.set_title(self.tr("Add a relation of “{name}”").format(name=name))
        self.direction = QComboBox()
        self.direction.addItem(self.tr("{name} → the other").format(name=name))
        self.direction.addItem(self.tr("The other → {name}").format(name=name))
        add_row(self.body, self.tr("Direction"), self.direction)
        self.words = LineField(self.tr("For example: trusts, lives in, friend"))
        self.words.setAccessibleName(self.tr("Words"))
        add_row(self.body, self.tr("Words"), self.words)
        self.other = EntityField(editor, self.tr("The other entity"))
        add_row(self.body, self.tr("The other entity"), self.other)
        hint = self.tr("It holds from the newest floor on, until the story says otherwise.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.add_close(self.tr("Cancel"))
        self.add_it = self.add_button(self.tr("Add"), "main")
        self.add_it.clicked.connect(self._add)
        self.words.textChanged.connect(self._update_buttons)
        self.other.textChanged.connect(self._update_buttons)
        self.other.submitted.connect(self._add)
        self.typed = {"words": self.words, "other": self.other}
        self._update_buttons()
        self.words.setFocus()

    def _update_buttons(self) -> None:
        self.add_it.setEnabled(bool(self.words.text().strip()) and self.other.entity_id is not None)

    def _add(self) -> None:
        other = self.other.entity_id
        if other is not None and self.words.text().strip():
            is_outgoing = self.direction.currentIndex() == 0
            self._editor.add_relation(self.words.text(), other, is_outgoing=is_outgoing)
            self.close()


class RewordDialog(FramedDialog):
    def __init__(
        self, editor: EntityEditor, row: RelationRow, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=420)
        self._editor = editor
        self._row = row
        self.set_title(self.tr("Reword the relation to “{name}”").format(name=row.other))
        self.words = LineField()
        self.words.setAccessibleName(self.tr("Words"))
        self.words.setText(row.relation.predicate)
        self.words.selectAll()
        self.body.addWidget(self.words)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        self.words.submitted.connect(self._save)
        self.typed = {"words": self.words}
        self.words.setFocus()

    def _save(self) -> None:
        words = self.words.text().strip()
        if words:
            if words != self._row.relation.predicate:
                self._editor.reword(self._row.relation.id, words)
            self.close()


class EndDialog(FramedDialog):
    def __init__(
        self,
        editor: EntityEditor,
        row: RelationRow,
        floors: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=420)
        self._editor = editor
        self._row = row
        fact = f"{row.relation.predicate} {row.other}"
        self.set_title(self.tr("Where did “{fact}” end?").format(fact=fact))
        self.floor = QSpinBox()
        self.floor.setRange(row.relation.valid_from or 0, max(row.relation.valid_from or 0, floors))
        self.floor.setValue(floors)
        self.floor.setAccessibleName(self.tr("Floor"))
        add_row(self.body, self.tr("Floor"), self.floor)
        hint = self.tr("It stays visible as what was before.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.add_close(self.tr("Cancel"))
        self.end_button = self.add_button(self.tr("It ended here"), "main")
        self.end_button.clicked.connect(self._end)
        self.floor.setFocus()

    def _end(self) -> None:
        self._editor.end_relation(self._row.relation.id, self.floor.value())
        self.close()
